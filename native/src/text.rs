//! Places: proc_macro2 speaks of lines and columns, the facts of character offsets.

use crate::facts::At;
use proc_macro2::{LineColumn, Span};

/// The source with the offsets of its line starts, in characters.
pub struct Text {
    chars: Vec<char>,
    starts: Vec<u32>,
}

impl Text {
    pub fn new(source: &str) -> Text {
        let chars: Vec<char> = source.chars().collect();
        let mut starts = vec![0];
        for (i, c) in chars.iter().enumerate() {
            if *c == '\n' {
                starts.push(i as u32 + 1);
            }
        }
        Text { chars, starts }
    }

    fn offset(&self, place: LineColumn) -> u32 {
        let row = place.line.saturating_sub(1).min(self.starts.len() - 1);
        (self.starts[row] + place.column as u32).min(self.chars.len() as u32)
    }

    pub fn at(&self, span: Span) -> At {
        let start = self.offset(span.start());
        [start, self.offset(span.end()).max(start)]
    }

    pub fn between(&self, first: Span, last: Span) -> At {
        let start = self.offset(first.start());
        [start, self.offset(last.end()).max(start)]
    }

    pub fn slice(&self, at: At) -> String {
        self.chars[at[0] as usize..at[1] as usize].iter().collect()
    }

    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        let row = self.starts.partition_point(|s| *s <= offset) - 1;
        (row as u32 + 1, offset - self.starts[row] + 1)
    }

    pub fn end(&self) -> u32 {
        self.chars.len() as u32
    }
}

/// The source as the lexer of rustc takes it: a byte order mark and a shebang line are not code.
/// They become blanks, so that offsets stay.
pub fn without_shebang(source: &str) -> String {
    let mut text = source.to_string();
    if text.starts_with('\u{feff}') {
        text.replace_range(0..'\u{feff}'.len_utf8(), " ");
    }
    let code = text.trim_start_matches('\u{20}');
    let skipped = text.len() - code.len();
    if code.starts_with("#!") && skipped <= 1 {
        let rest = code[2..].trim_start();
        if !rest.starts_with('[') {
            let end = code.find('\n').unwrap_or(code.len());
            let blanks = " ".repeat(code[..end].chars().count());
            text.replace_range(skipped..skipped + end, &blanks);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_characters() {
        let text = Text::new("aé\nbc");
        assert_eq!(text.line_column(0), (1, 1));
        assert_eq!(text.line_column(3), (2, 1));
        assert_eq!(text.slice([1, 2]), "é");
    }

    #[test]
    fn shebang_is_blanked_but_attributes_stay() {
        assert_eq!(without_shebang("#!/bin/x\nfn"), "        \nfn");
        assert_eq!(without_shebang("#![allow(x)]"), "#![allow(x)]");
    }
}
