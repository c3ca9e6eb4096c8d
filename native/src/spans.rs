//! First and last token of an expression, without printing it again as `Spanned` does.

use proc_macro2::Span;
use verus_syn::spanned::Spanned;
use verus_syn::{Expr, Lit, Path, Type, UnOp};

use crate::facts::At;
use crate::text::Text;

pub fn expr_at(text: &Text, expr: &Expr) -> At {
    text.between(first(expr), last(expr))
}

pub fn path_at(text: &Text, path: &Path) -> At {
    text.between(path_first(path), path_last(path))
}

fn path_first(path: &Path) -> Span {
    match (&path.leading_colon, path.segments.first()) {
        (None, Some(segment)) => segment.ident.span(),
        _ => path.span(),
    }
}

fn path_last(path: &Path) -> Span {
    match path.segments.last() {
        Some(segment) if segment.arguments.is_none() => segment.ident.span(),
        _ => path.span(),
    }
}

/// The span of a type, without printing the common ones.
pub fn type_span(ty: &Type) -> (Span, Span) {
    match ty {
        Type::Path(p) if p.qself.is_none() => (path_first(&p.path), path_last(&p.path)),
        Type::Reference(r) => (r.and_token.span, type_span(&r.elem).1),
        other => {
            let span = other.span();
            (span, span)
        }
    }
}

fn unary_first(op: &UnOp) -> Span {
    match op {
        UnOp::Deref(t) => t.span,
        UnOp::Not(t) => t.span,
        UnOp::Neg(t) => t.span,
        UnOp::Proof(t) => t.span,
        UnOp::Forall(t) => t.span,
        UnOp::Exists(t) => t.span,
        UnOp::Choose(t) => t.span,
        other => other.span(),
    }
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
        Expr::Path(e) if e.attrs.is_empty() && e.qself.is_none() => path_first(&e.path),
        Expr::Unary(e) if e.attrs.is_empty() => unary_first(&e.op),
        Expr::Reference(e) if e.attrs.is_empty() => e.and_token.span,
        Expr::Closure(e) if e.attrs.is_empty() && e.capture.is_none() && e.proof_fn.is_none() => {
            e.or1_token.span
        }
        Expr::If(e) if e.attrs.is_empty() => e.if_token.span,
        Expr::Block(e) if e.attrs.is_empty() && e.label.is_none() => {
            e.block.brace_token.span.open()
        }
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
        Expr::Path(e) => path_last(&e.path),
        Expr::Cast(e) => type_span(&e.ty).1,
        Expr::Closure(e) => last(&e.body),
        Expr::If(e) => match &e.else_branch {
            Some((_, other)) => last(other),
            None => e.then_branch.brace_token.span.close(),
        },
        Expr::Block(e) => e.block.brace_token.span.close(),
        Expr::Reference(e) => last(&e.expr),
        Expr::Tuple(e) => e.paren_token.span.close(),
        Expr::Unary(e) => last(&e.expr),
        Expr::View(e) => e.at_token.span,
        other => other.span(),
    }
}
