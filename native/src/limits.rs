//! Bounds that are checked on the tokens, before anything recursive looks at them.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Characters of source.
pub const MAX_CHARS: usize = 2_000_000;
/// Delimiters inside delimiters.
pub const MAX_DEPTH: usize = 200;
/// Tokens on the way from the root to the deepest token without a separator between them. Each
/// can be one level of recursion (`!!!!x`, `a = b = c`, `if .. else if ..`).
pub const MAX_PATH: usize = 6_000;
/// Stack of the analysing thread, in bytes. Address space only: untouched pages cost nothing.
pub const STACK: usize = 512 << 20;

/// A reason not to parse, if there is one.
pub fn too_deep(tokens: &TokenStream) -> Option<String> {
    match path_length(tokens.clone(), 0) {
        Some(length) if length <= MAX_PATH => None,
        Some(length) => Some(format!(
            "an expression of {length} tokens is too long to analyse"
        )),
        None => Some(format!("delimiters are nested deeper than {MAX_DEPTH}")),
    }
}

fn path_length(tokens: TokenStream, depth: usize) -> Option<usize> {
    if depth > MAX_DEPTH {
        return None;
    }
    let mut run = 0;
    let mut longest = 0;
    let mut ended = false;
    for token in tokens {
        if ended {
            // A block ends a statement or an item unless something continues it.
            let goes_on = match &token {
                TokenTree::Ident(name) => *name == "else",
                TokenTree::Punct(_) => true,
                TokenTree::Group(group) => group.delimiter() != Delimiter::Brace,
                TokenTree::Literal(_) => false,
            };
            if !goes_on {
                run = 0;
            }
            ended = false;
        }
        run += 1;
        match token {
            TokenTree::Group(group) => {
                longest = longest.max(run + path_length(group.stream(), depth + 1)?);
                ended = group.delimiter() == Delimiter::Brace;
            }
            TokenTree::Punct(punct) if matches!(punct.as_char(), ';' | ',') => run = 0,
            _ => {}
        }
        longest = longest.max(run);
    }
    Some(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(source: &str) -> Option<String> {
        too_deep(&source.parse().unwrap())
    }

    #[test]
    fn ordinary_code_passes() {
        assert_eq!(reason(&"fn f() { g(1, 2); }\n".repeat(5_000)), None);
    }

    #[test]
    fn nesting_and_runs_are_bounded() {
        assert!(reason(&format!("{}{}", "(".repeat(300), ")".repeat(300))).is_some());
        assert!(reason(&format!("fn f() {{ {}x }}", "!".repeat(10_000))).is_some());
        let chain = "if a {} else ".repeat(10_000);
        assert!(reason(&format!("fn f() {{ {chain} {{}} }}")).is_some());
    }
}
