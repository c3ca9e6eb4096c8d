//! One source in, facts out.

use std::str::FromStr;

use proc_macro2::TokenStream;

use crate::collect::Collector;
use crate::facts::Facts;
use crate::limits;
use crate::parse::{self, Outer};
use crate::text::{without_shebang, Text};

pub fn analyse(source: &str) -> Facts {
    if source.len() > limits::MAX_CHARS {
        return unanalysed(format!("longer than {} bytes", limits::MAX_CHARS));
    }
    let code = without_shebang(source);
    let text = Text::new(&code);
    let tokens = match TokenStream::from_str(&code) {
        Ok(tokens) => tokens,
        Err(error) => {
            let error = parse::parse_error(error.span(), &error.to_string(), "file", false, &text);
            return refused(error);
        }
    };
    if let Some(reason) = limits::too_deep(&tokens) {
        return unanalysed(reason);
    }
    if let Some((span, word)) = parse::reserved_prefix(&tokens) {
        let message = format!("prefix `{word}` is unknown");
        return refused(parse::parse_error(span, &message, "file", false, &text));
    }
    let file = match parse::outer(tokens, &text) {
        Outer::Parsed(file) => file,
        Outer::Refused(error) => return refused(error),
        Outer::Unknown(reason) => return unanalysed(reason),
    };
    Collector::new(&text).run(file)
}

fn unanalysed(reason: String) -> Facts {
    Facts {
        status: "unanalysed",
        reason,
        ..Facts::default()
    }
}

fn refused(error: crate::facts::ParseError) -> Facts {
    Facts {
        status: "errors",
        errors: vec![error],
        ..Facts::default()
    }
}

#[cfg(test)]
mod tests {
    use super::analyse;
    use crate::facts::Mode;

    #[test]
    fn rust_decides_outside_the_macro() {
        // Verus's keywords are words of Rust.
        assert_eq!(analyse("fn by(ghost: u8) -> u8 { ghost }").status, "ok");
        assert_eq!(analyse("fn f() { 1 +; }").status, "errors");
        assert_eq!(analyse("spec fn f() -> int { 1 }").status, "errors");
        assert_eq!(analyse("fn f() -> u8 { 1 }").status, "ok");
    }

    #[test]
    fn errors_of_the_macro_have_their_place() {
        let facts = analyse("verus! {\nfn f() {\n    let = 3;\n}\n}");
        assert_eq!(facts.errors.len(), 1);
        assert_eq!((facts.errors[0].line, facts.errors[0].column), (3, 9));
        assert_eq!(facts.errors[0].within, "verus");
    }

    #[test]
    fn counters_get_their_type_from_exec_uses() {
        let source = "verus! { fn f(v: &Vec<u64>) { let mut i = 0; \
                      while i < v.len() { assert(v[i] == 0); i += 1; } } }";
        let facts = analyse(source);
        assert_eq!(facts.loops.len(), 1);
        assert!(facts
            .agreements
            .iter()
            .any(|a| a.by == "index" && a.place.mode == Mode::Spec));
    }

    #[test]
    fn old_and_final_name_the_state() {
        let source = "verus! { fn f(x: &mut Vec<u64>) ensures x@ == old(x)@, final(x)@ == x@ {} }";
        let facts = analyse(source);
        assert_eq!(facts.mut_refs.len(), 2);
    }
}
