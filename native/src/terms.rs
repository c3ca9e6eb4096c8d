//! Expressions as far as triggers care.

use verus_syn::{Attribute, BinOp, Block, Expr, Lit, Member, Stmt, UnOp};

use crate::facts::Term;
use crate::spans::{expr_at, type_span};
use crate::text::Text;

/// Deeper terms are opaque: who reads the facts may recurse with few frames.
const DEPTH: usize = 80;

pub fn term(text: &Text, expr: &Expr) -> Term {
    within(text, expr, DEPTH)
}

fn within(text: &Text, expr: &Expr, depth: usize) -> Term {
    let at = expr_at(text, expr);
    let node = |k: &'static str, n: &str, c: Vec<Term>| Term {
        k,
        n: n.to_string(),
        at,
        c,
    };
    let sub = |e: &Expr| within(text, e, depth - 1);
    if depth == 0 {
        return node("opaque", "too deep", vec![]);
    }
    let inner = match expr {
        Expr::Paren(e) => sub(&e.expr),
        Expr::Group(e) => sub(&e.expr),
        Expr::Reference(e) if e.mutability.is_none() => sub(&e.expr),
        Expr::Path(e) if e.qself.is_none() => {
            let names: Vec<String> = e
                .path
                .segments
                .iter()
                .map(|s| s.ident.to_string())
                .collect();
            node(
                if names.len() == 1 { "var" } else { "const" },
                &names.join("::"),
                vec![],
            )
        }
        Expr::Lit(e) => match &e.lit {
            Lit::Int(_) | Lit::Bool(_) | Lit::Char(_) | Lit::Byte(_) => node("lit", "", vec![]),
            _ => node("opaque", "literal", vec![]),
        },
        Expr::Call(e) => match &*e.func {
            Expr::Path(f) if f.qself.is_none() => {
                let names: Vec<String> = f
                    .path
                    .segments
                    .iter()
                    .map(|s| s.ident.to_string())
                    .collect();
                node("call", &names.join("::"), e.args.iter().map(sub).collect())
            }
            _ => node("opaque", "call of a value", vec![]),
        },
        Expr::MethodCall(e) => {
            let mut parts = vec![sub(&e.receiver)];
            parts.extend(e.args.iter().map(sub));
            node("method", &e.method.to_string(), parts)
        }
        Expr::Field(e) => node("field", &member(&e.member), vec![sub(&e.base)]),
        Expr::GetField(e) => node("variant_field", &member(&e.member), vec![sub(&e.base)]),
        Expr::Index(e) => node("index", "", vec![sub(&e.expr), sub(&e.index)]),
        Expr::View(e) => node("view", "", vec![sub(&e.expr)]),
        Expr::Cast(e) => node(
            "cast",
            &text.slice(type_at(text, &e.ty)),
            vec![sub(&e.expr)],
        ),
        Expr::Binary(e) => node("binary", operator(&e.op), vec![sub(&e.left), sub(&e.right)]),
        Expr::Unary(e) => match e.op {
            UnOp::Not(_) => node("unary", "!", vec![sub(&e.expr)]),
            UnOp::Neg(_) => node("unary", "-", vec![sub(&e.expr)]),
            UnOp::Deref(_) => node("deref", "", vec![sub(&e.expr)]),
            UnOp::Forall(_) | UnOp::Exists(_) | UnOp::Choose(_) => match &*e.expr {
                Expr::Closure(c) if c.inner_attrs.is_empty() => {
                    node("quantifier", "", vec![sub(&c.body)])
                }
                _ => node("opaque", "quantifier", vec![]),
            },
            _ => node("opaque", "unary", vec![]),
        },
        Expr::BigAnd(e) => node(
            "and",
            "",
            e.exprs.iter().map(|part| sub(&part.expr)).collect(),
        ),
        Expr::BigOr(e) => node(
            "or",
            "",
            e.exprs.iter().map(|part| sub(&part.expr)).collect(),
        ),
        Expr::If(e) => match (&*e.cond, &e.else_branch) {
            (Expr::Let(_), _) | (_, None) => node("opaque", "if let", vec![]),
            (cond, Some((_, other))) => node(
                "if",
                "",
                vec![sub(cond), block(text, &e.then_branch, depth), sub(other)],
            ),
        },
        Expr::Block(e) => block(text, &e.block, depth),
        Expr::Tuple(e) => node("tuple", "", e.elems.iter().map(sub).collect()),
        Expr::Is(e) => node("is", &e.variant_ident.to_string(), vec![sub(&e.base)]),
        Expr::Final(e) => node("final", "", vec![sub(&e.arg)]),
        _ => node("opaque", "", vec![]),
    };
    match attributes(expr)
        .iter()
        .any(|a| a.path().is_ident("trigger"))
    {
        true => Term {
            k: "trigger",
            n: String::new(),
            at,
            c: vec![inner],
        },
        false if attributes(expr).is_empty() => inner,
        false => Term {
            k: "opaque",
            n: "attribute".into(),
            at,
            c: vec![inner],
        },
    }
}

fn block(text: &Text, block: &Block, depth: usize) -> Term {
    match &block.stmts[..] {
        [Stmt::Expr(expr, None)] => within(text, expr, depth - 1),
        _ => {
            let at = text.at(block.brace_token.span.join());
            Term {
                k: "opaque",
                n: "block".into(),
                at,
                c: vec![],
            }
        }
    }
}

fn type_at(text: &Text, ty: &verus_syn::Type) -> crate::facts::At {
    let (first, last) = type_span(ty);
    text.between(first, last)
}

fn member(member: &Member) -> String {
    match member {
        Member::Named(name) => name.to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

/// The attributes in front of an expression, for the kinds that can carry `#[trigger]`.
pub fn attributes(expr: &Expr) -> &[Attribute] {
    match expr {
        Expr::Array(e) => &e.attrs,
        Expr::Assign(e) => &e.attrs,
        Expr::Async(e) => &e.attrs,
        Expr::Await(e) => &e.attrs,
        Expr::Binary(e) => &e.attrs,
        Expr::Block(e) => &e.attrs,
        Expr::Break(e) => &e.attrs,
        Expr::Call(e) => &e.attrs,
        Expr::Cast(e) => &e.attrs,
        Expr::Closure(e) => &e.attrs,
        Expr::Field(e) => &e.attrs,
        Expr::GetField(e) => &e.attrs,
        Expr::If(e) => &e.attrs,
        Expr::Index(e) => &e.attrs,
        Expr::Is(e) => &e.attrs,
        Expr::Lit(e) => &e.attrs,
        Expr::Macro(e) => &e.attrs,
        Expr::Matches(e) => &e.attrs,
        Expr::MethodCall(e) => &e.attrs,
        Expr::Paren(e) => &e.attrs,
        Expr::Path(e) => &e.attrs,
        Expr::Reference(e) => &e.attrs,
        Expr::Return(e) => &e.attrs,
        Expr::Struct(e) => &e.attrs,
        Expr::Try(e) => &e.attrs,
        Expr::Tuple(e) => &e.attrs,
        Expr::Unary(e) => &e.attrs,
        Expr::Unsafe(e) => &e.attrs,
        Expr::View(e) => &e.attrs,
        Expr::While(e) => &e.attrs,
        Expr::Loop(e) => &e.attrs,
        Expr::ForLoop(e) => &e.attrs,
        Expr::Match(e) => &e.attrs,
        Expr::Assert(e) => &e.attrs,
        Expr::AssertForall(e) => &e.attrs,
        Expr::Assume(e) => &e.attrs,
        _ => &[],
    }
}

pub fn operator(op: &BinOp) -> &'static str {
    match op {
        BinOp::Add(_) => "+",
        BinOp::Sub(_) => "-",
        BinOp::Mul(_) => "*",
        BinOp::Div(_) => "/",
        BinOp::Rem(_) => "%",
        BinOp::And(_) => "&&",
        BinOp::Or(_) => "||",
        BinOp::BitXor(_) => "^",
        BinOp::BitAnd(_) => "&",
        BinOp::BitOr(_) => "|",
        BinOp::Shl(_) => "<<",
        BinOp::Shr(_) => ">>",
        BinOp::Eq(_) => "==",
        BinOp::Lt(_) => "<",
        BinOp::Le(_) => "<=",
        BinOp::Ne(_) => "!=",
        BinOp::Ge(_) => ">=",
        BinOp::Gt(_) => ">",
        BinOp::Equiv(_) => "<==>",
        BinOp::Imply(_) => "==>",
        BinOp::Exply(_) => "<==",
        BinOp::BigEq(_) => "===",
        BinOp::BigNe(_) => "!==",
        BinOp::ExtEq(_) => "=~=",
        BinOp::ExtNe(_) => "!~=",
        BinOp::ExtDeepEq(_) => "=~~=",
        BinOp::ExtDeepNe(_) => "!~~=",
        BinOp::AddAssign(_) => "+=",
        BinOp::SubAssign(_) => "-=",
        BinOp::MulAssign(_) => "*=",
        BinOp::DivAssign(_) => "/=",
        BinOp::RemAssign(_) => "%=",
        _ => "op=",
    }
}
