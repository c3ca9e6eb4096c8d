//! The places where Rust makes two types agree, as facts. Rules decide whether they can.

use verus_syn::*;

use crate::facts::{Agreement, At, Mode};
use crate::infer::{callee, field_of, function_self, member_name, own_method, ty_of};
use crate::methods::{parameters, Want};
use crate::spans::{expr_at, first, last};
use crate::types::Ty;
use crate::walk::Walker;

fn record(w: &mut Walker, at: At, want: Ty, got: Ty, by: &'static str) {
    if w.env.opaque_items
        || w.env.foreign_names
        || w.place.unsure
        || want == got
        || !want.known()
        || !got.known()
    {
        return;
    }
    let text = w.text.slice(at);
    w.facts.agreements.push(Agreement {
        at,
        place: w.place,
        want,
        got,
        by,
        text,
    });
}

/// The value of `e` must become a `want`.
pub fn agree(w: &mut Walker, e: &Expr, want: &Ty, by: &'static str) {
    w.solve(e, want);
    if !want.known() {
        return;
    }
    let got = ty_of(w, e);
    if got.known() && got != *want {
        let at = expr_at(w.text, e);
        record(w, at, want.clone(), got, by);
    }
}

/// The value of a construct without a value must become a `want`.
pub fn agree_unit(w: &mut Walker, at: At, want: &Ty) {
    record(w, at, want.clone(), Ty::Unit, "return");
}

pub fn call_arguments(w: &mut Walker, e: &ExprCall, names: &[String]) {
    if names.is_empty() || w.local(&names[0]).is_some() {
        return;
    }
    let Some(f) = callee(w, names) else { return };
    let own = function_self(w, f);
    let skip = usize::from(f.receiver);
    if e.args.len() != f.inputs.len() + skip {
        let at = w.text.between(first(&e.func), e.paren_token.span.close());
        if !w.env.opaque_items {
            w.refused(at, "arity");
        }
        return;
    }
    let wants: Vec<Ty> = f
        .inputs
        .iter()
        .map(|t| w.env.types.ty(t, &f.generics, &own))
        .collect();
    for (arg, want) in e.args.iter().skip(skip).zip(wants) {
        if matches!(want, Ty::Ref(false, _)) {
            w.mut_ref(arg, "argument");
        }
        agree(w, arg, &want, "argument");
    }
}

pub fn method_arguments(w: &mut Walker, m: &ExprMethodCall) {
    let receiver = ty_of(w, &m.receiver);
    let ty = receiver.peeled().clone();
    let name = m.method.to_string();
    let wants: Vec<Ty> = if let Some(f) = own_method(w, &ty, &name) {
        let own = function_self(w, f);
        f.inputs
            .iter()
            .map(|t| w.env.types.ty(t, &f.generics, &own))
            .collect()
    } else if w.env.trait_methods.contains(&name) || w.place.mode == Mode::Unknown {
        return;
    } else {
        match parameters(&ty, &name, w.ghost()) {
            Some(wants) => wants
                .into_iter()
                .map(|want| match want {
                    Want::Is(ty) => ty,
                    Want::Any => Ty::Unknown,
                })
                .collect(),
            None => return,
        }
    };
    if wants.len() == m.args.len() {
        for (arg, want) in m.args.iter().zip(wants) {
            agree(w, arg, &want, "argument");
        }
    }
}

/// `base[index]`: `int` in ghost code, `usize` in exec code.
pub fn index(w: &mut Walker, i: &ExprIndex) {
    if matches!(&*i.index, Expr::Range(_)) {
        return;
    }
    let base = ty_of(w, &i.expr).peeled().clone();
    let sequence = match &base {
        Ty::Slice(_) | Ty::Array(_) => true,
        Ty::App(name, _) => name == "Vec" || (name == "Seq" && w.ghost()),
        _ => false,
    };
    let want = match (&base, w.place.mode) {
        (Ty::App(name, args), _) if name == "Map" && w.ghost() && args.len() == 2 => {
            args[0].clone()
        }
        (_, Mode::Exec) if sequence => Ty::Int("usize"),
        (_, Mode::Spec | Mode::Proof | Mode::Ghost) if sequence => Ty::Int("int"),
        _ => return,
    };
    agree(w, &i.index, &want, "index");
}

pub fn assign(w: &mut Walker, left: &Expr, right: &Expr) {
    let want = ty_of(w, left);
    agree(w, right, &want, "assign");
    let got = ty_of(w, right);
    w.solve(left, &got);
}

pub fn fields(w: &mut Walker, s: &ExprStruct, name: &str) {
    for f in &s.fields {
        let want = field_of(w, name, &member_name(&f.member));
        agree(w, &f.expr, &want, "field");
    }
}

pub fn binary(w: &mut Walker, b: &ExprBinary) {
    use BinOp::*;
    let same_in_exec = matches!(
        b.op,
        Add(_)
            | Sub(_)
            | Mul(_)
            | Div(_)
            | Rem(_)
            | Eq(_)
            | Ne(_)
            | Lt(_)
            | Le(_)
            | Gt(_)
            | Ge(_)
            | AddAssign(_)
            | SubAssign(_)
            | MulAssign(_)
            | DivAssign(_)
            | RemAssign(_)
    );
    if w.place.mode == Mode::Exec && same_in_exec {
        let (left, right) = (ty_of(w, &b.left), ty_of(w, &b.right));
        w.solve(&b.left, &right);
        w.solve(&b.right, &left);
        if matches!((&left, &right), (Ty::Int(_), Ty::Int(_))) {
            let at = expr_at(w.text, &b.right);
            record(w, at, left, right, "operand");
        }
        return;
    }
    if !w.ghost() {
        return;
    }
    // `a <= b == c` is a chain of comparisons, not a comparison of a bool.
    let chained = matches!(b.op, Eq(_))
        && matches!(&*b.left, Expr::Binary(inner)
        if matches!(inner.op, Eq(_) | Lt(_) | Le(_) | Gt(_) | Ge(_)));
    if matches!(b.op, Eq(_) | Ne(_)) && !chained {
        let (left, right) = (ty_of(w, &b.left), ty_of(w, &b.right));
        if left.known() && right.known() && left != right {
            let at = w.text.between(first(&b.left), last(&b.right));
            record(w, at, left, right, "equality");
        }
    }
    if matches!(
        b.op,
        Add(_) | Sub(_) | Mul(_) | Lt(_) | Le(_) | Gt(_) | Ge(_)
    ) {
        for side in [&b.left, &b.right] {
            if literal_branches(side) {
                let at = expr_at(w.text, side);
                w.refused(at, "untyped branches");
            }
        }
    }
}

/// `if c { 1 } else { 0 }`: all values are bare literals.
fn literal_branches(e: &Expr) -> bool {
    fn literal(block: &Block) -> bool {
        matches!(&block.stmts[..], [Stmt::Expr(Expr::Lit(ExprLit { lit: Lit::Int(i), .. }), None)]
            if i.suffix().is_empty())
    }
    match e {
        Expr::Paren(p) => literal_branches(&p.expr),
        Expr::If(i) => {
            literal(&i.then_branch)
                && match &i.else_branch {
                    Some((_, other)) => match &**other {
                        Expr::Block(b) => literal(&b.block),
                        other => literal_branches(other),
                    },
                    None => false,
                }
        }
        _ => false,
    }
}
