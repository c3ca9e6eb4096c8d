//! First and last token of an expression, without printing it again as `Spanned` does.

use proc_macro2::Span;
use verus_syn::spanned::Spanned;
use verus_syn::{Expr, Lit, Path};

use crate::facts::At;
use crate::text::Text;

pub fn expr_at(text: &Text, expr: &Expr) -> At {
    text.between(first(expr), last(expr))
}

pub fn path_at(text: &Text, path: &Path) -> At {
    text.at(path.span())
}

fn lit_span(lit: &Lit) -> Span {
    lit.span()
}

/// The span of the first token.
pub fn first(expr: &Expr) -> Span {
    match expr {
        Expr::Assign(e) => first(&e.left),
        Expr::Binary(e) => first(&e.left),
        Expr::Call(e) => first(&e.func),
        Expr::Cast(e) => first(&e.expr),
        Expr::Field(e) => first(&e.base),
        Expr::GetField(e) => first(&e.base),
        Expr::Index(e) => first(&e.expr),
        Expr::Is(e) => first(&e.base),
        Expr::Lit(e) if e.attrs.is_empty() => lit_span(&e.lit),
        Expr::Matches(e) => first(&e.lhs),
        Expr::MethodCall(e) => first(&e.receiver),
        Expr::Paren(e) if e.attrs.is_empty() => e.paren_token.span.open(),
        Expr::Path(e) if e.attrs.is_empty() && e.qself.is_none() => match &e.path.leading_colon {
            Some(colon) => colon.spans[0],
            None => e.path.segments[0].ident.span(),
        },
        Expr::Try(e) => first(&e.expr),
        Expr::Tuple(e) if e.attrs.is_empty() => e.paren_token.span.open(),
        Expr::View(e) => first(&e.expr),
        other => other.span(),
    }
}

/// The span of the last token.
pub fn last(expr: &Expr) -> Span {
    match expr {
        Expr::Assign(e) => last(&e.right),
        Expr::Binary(e) => last(&e.right),
        Expr::Call(e) => e.paren_token.span.close(),
        Expr::Field(e) => match &e.member {
            verus_syn::Member::Named(name) => name.span(),
            verus_syn::Member::Unnamed(index) => index.span,
        },
        Expr::Index(e) => e.bracket_token.span.close(),
        Expr::Lit(e) => lit_span(&e.lit),
        Expr::MethodCall(e) => e.paren_token.span.close(),
        Expr::Paren(e) => e.paren_token.span.close(),
        Expr::Path(e) => match e.path.segments.last() {
            Some(segment) if segment.arguments.is_none() => segment.ident.span(),
            _ => e.path.span(),
        },
        Expr::Reference(e) => last(&e.expr),
        Expr::Tuple(e) => e.paren_token.span.close(),
        Expr::Unary(e) => last(&e.expr),
        Expr::View(e) => e.at_token.span,
        other => other.span(),
    }
}
