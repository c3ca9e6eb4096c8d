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
