//! From source to syntax trees: the outer file, then the contents of the Verus macros.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use verus_syn::parse::{Parse, ParseStream};
use verus_syn::{File, ImplItem, Item};

use crate::facts::ParseError;
use crate::text::Text;

/// Macros whose contents are items.
pub const ITEM_MACROS: [&str; 3] = ["verus", "verus_keep_ghost", "verus_erase_ghost"];
/// Macros whose contents are members of an impl.
pub const IMPL_MACROS: [&str; 2] = ["verus_impl", "verus_trait_impl"];

pub struct Items(pub Vec<Item>);

impl Parse for Items {
    fn parse(input: ParseStream) -> verus_syn::Result<Self> {
        let mut items = Vec::new();
        while !input.is_empty() {
            items.push(input.parse()?);
        }
        Ok(Items(items))
    }
}

pub struct ImplItems(pub Vec<ImplItem>);

impl Parse for ImplItems {
    fn parse(input: ParseStream) -> verus_syn::Result<Self> {
        let mut items = Vec::new();
        while !input.is_empty() {
            items.push(input.parse()?);
        }
        Ok(ImplItems(items))
    }
}

pub enum Outer {
    Parsed(File),
    Refused(ParseError),
    /// rustc would take it but the Verus parser does not: nothing can be said.
    Unknown(String),
}

/// Parse the file around the macros. rustc parses it, so plain Rust decides what is refused.
pub fn outer(tokens: TokenStream, text: &Text) -> Outer {
    let rust: Result<syn::File, syn::Error> = syn::parse2(hollow(tokens.clone()));
    let uses_features = has_feature_attribute(&tokens);
    match (rust, verus_syn::parse2::<File>(tokens)) {
        (Ok(_), Ok(file)) => Outer::Parsed(file),
        (Ok(_), Err(error)) => {
            Outer::Unknown(format!("outside verus! the Verus parser says: {error}"))
        }
        (Err(_), _) if uses_features => {
            Outer::Unknown("nightly features may allow what is outside verus!".into())
        }
        (Err(error), _) => Outer::Refused(parse_error(
            error.span(),
            &error.to_string(),
            "file",
            false,
            text,
        )),
    }
}

/// The tokens without the contents of the Verus macros, which mean nothing to plain Rust.
fn hollow(tokens: TokenStream) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let token = match token {
            TokenTree::Group(group) => {
                let macros = match &out[..] {
                    [.., TokenTree::Ident(name), TokenTree::Punct(bang)] => {
                        bang.as_char() == '!' && ITEM_MACROS.iter().any(|m| name == m)
                    }
                    _ => false,
                };
                let inner = match (macros, group.delimiter()) {
                    (true, _) => TokenStream::new(),
                    (false, Delimiter::Brace) => hollow(group.stream()),
                    (false, _) => group.stream(),
                };
                let mut copy = proc_macro2::Group::new(group.delimiter(), inner);
                copy.set_span(group.span());
                TokenTree::Group(copy)
            }
            other => other,
        };
        out.push(token);
    }
    out.into_iter().collect()
}

pub fn parse_error(span: Span, message: &str, within: &str, cfg: bool, text: &Text) -> ParseError {
    let mut at = text.at(span);
    if message.starts_with("unexpected end of input") && at[0] == 0 {
        at = [text.end(), text.end()];
    }
    let (line, column) = text.line_column(at[0]);
    ParseError {
        at,
        line,
        column,
        message: message.into(),
        within: within.into(),
        cfg,
    }
}

/// `#![feature(..)]` at the top of the file.
fn has_feature_attribute(tokens: &TokenStream) -> bool {
    let mut bang = false;
    for token in tokens.clone() {
        match &token {
            TokenTree::Punct(p) if p.as_char() == '!' => bang = true,
            TokenTree::Punct(p) if p.as_char() == '#' => {}
            TokenTree::Group(g) if bang && g.delimiter() == Delimiter::Bracket => {
                if g.stream().to_string().contains("feature") {
                    return true;
                }
                bang = false;
            }
            _ => bang = false,
        }
    }
    false
}

/// From edition 2021 on a word that touches a quote or `#` is a reserved prefix. The lexer of
/// rustc looks at the whole file, macros included.
pub fn reserved_prefix(tokens: &TokenStream) -> Option<(Span, String)> {
    let mut last: Option<proc_macro2::Ident> = None;
    for token in tokens.clone() {
        if let Some(word) = last.take() {
            let touches = word.span().end() == token.span().start();
            let reserved = match &token {
                TokenTree::Literal(l) => l.to_string().starts_with(['"', '\'']),
                TokenTree::Punct(p) => p.as_char() == '#',
                _ => false,
            };
            if touches && reserved && !word.to_string().starts_with("r#") {
                return Some((word.span(), word.to_string()));
            }
        }
        match token {
            TokenTree::Ident(word) => last = Some(word),
            TokenTree::Group(group) => {
                if let Some(found) = reserved_prefix(&group.stream()) {
                    return Some(found);
                }
            }
            _ => {}
        }
    }
    None
}

/// The contents of an item macro, or what Verus's parser says against them.
pub fn contents(tokens: TokenStream) -> verus_syn::Result<Vec<Item>> {
    verus_syn::parse2::<Items>(verus_syn::rejoin_tokens(tokens)).map(|items| items.0)
}

/// The contents of `verus_impl!` and `verus_trait_impl!`.
pub fn impl_contents(tokens: TokenStream) -> verus_syn::Result<Vec<ImplItem>> {
    verus_syn::parse2::<ImplItems>(verus_syn::rejoin_tokens(tokens)).map(|items| items.0)
}
