//! Types of expressions, only as far as declarations make them certain.

use verus_syn::*;

use crate::facts::Mode;
use crate::types::{Declared, Ty};
use crate::walk::{Function, Walker};

/// The type of an expression, `Unknown` unless it is certain.
pub fn ty_of(w: &Walker, e: &Expr) -> Ty {
    match e {
        Expr::Paren(p) => ty_of(w, &p.expr),
        Expr::Group(p) => ty_of(w, &p.expr),
        Expr::Path(p) if p.qself.is_none() => path(w, &p.path),
        Expr::Lit(l) => literal(&l.lit),
        Expr::Cast(c) => w.ty(&c.ty),
        Expr::Reference(r) => match ty_of(w, &r.expr) {
            Ty::Unknown => Ty::Unknown,
            inner => Ty::Ref(r.mutability.is_some(), Box::new(inner)),
        },
        Expr::Unary(u) => unary(w, u),
        Expr::Binary(b) => binary(w, b),
        Expr::Final(f) => ty_of(w, &f.arg),
        Expr::Call(c) => call(w, c),
        Expr::MethodCall(m) => crate::methods::result(w, m),
        Expr::Field(f) => field(w, &ty_of(w, &f.base), &f.member),
        Expr::Index(i) if one_element(w, &i.index) => element(&ty_of(w, &i.expr)),
        Expr::View(v) => view(&ty_of(w, &v.expr)),
        Expr::Tuple(t) if t.elems.is_empty() => Ty::Unit,
        Expr::Tuple(t) => Ty::Tuple(t.elems.iter().map(|e| ty_of(w, e)).collect()),
        Expr::Block(b) if b.label.is_none() => match &b.block.stmts[..] {
            [Stmt::Expr(e, None)] => ty_of(w, e),
            _ => Ty::Unknown,
        },
        Expr::If(i) => match (&i.then_branch.stmts[..], &i.else_branch) {
            ([Stmt::Expr(a, None)], Some((_, b))) if !matches!(&*i.cond, Expr::Let(_)) => {
                let (a, b) = (ty_of(w, a), ty_of(w, b));
                if a == b && a != Ty::Literal {
                    a
                } else {
                    Ty::Unknown
                }
            }
            _ => Ty::Unknown,
        },
        Expr::BigAnd(_) | Expr::BigOr(_) | Expr::Is(_) | Expr::IsNot(_) | Expr::Matches(_) => {
            Ty::Prim("bool")
        }
        Expr::Struct(s) => match s.path.get_ident() {
            Some(name) => data(w, &name.to_string()),
            None => Ty::Unknown,
        },
        Expr::Assert(_) | Expr::AssertForall(_) | Expr::Assume(_) | Expr::Assign(_) => Ty::Unit,
        Expr::While(_) | Expr::ForLoop(_) => Ty::Unit,
        _ => Ty::Unknown,
    }
}

/// The type that a `let` without a declared type gives its name. A bare literal gets its type
/// from later uses.
pub fn bound(w: &Walker, e: &Expr) -> Ty {
    without_literals(ty_of(w, e))
}

fn without_literals(ty: Ty) -> Ty {
    match ty {
        Ty::Literal => Ty::Unknown,
        Ty::Ref(m, inner) => Ty::Ref(m, Box::new(without_literals(*inner))),
        Ty::Tuple(parts) => Ty::Tuple(parts.into_iter().map(without_literals).collect()),
        Ty::App(n, args) => Ty::App(n, args.into_iter().map(without_literals).collect()),
        other => other,
    }
}

/// The types of the names that a pattern binds, where it looks through one layer.
pub fn pattern_parts(pat: &Pat, ty: &Ty) -> Vec<Ty> {
    let Pat::TupleStruct(p) = pat else {
        return vec![];
    };
    let Some(name) = p.path.get_ident().map(|i| i.to_string()) else {
        return vec![];
    };
    let simple = p.elems.len() == 1 && matches!(&p.elems[0], Pat::Ident(i) if i.by_ref.is_none());
    let Ty::App(head, args) = ty else {
        return vec![];
    };
    let index = match (name.as_str(), head.as_str()) {
        ("Some", "Option") | ("Ok", "Result") | ("Ghost", "Ghost") | ("Tracked", "Tracked") => 0,
        ("Err", "Result") => 1,
        _ => return vec![],
    };
    match args.get(index) {
        Some(ty) if simple => vec![ty.clone()],
        _ => vec![],
    }
}

/// The type of the items of `for x in e`: ranges only.
pub fn for_item(w: &Walker, e: &Expr) -> Ty {
    let Expr::Range(r) = e else {
        return Ty::Unknown;
    };
    let ends: Vec<Ty> = [&r.start, &r.end]
        .into_iter()
        .flatten()
        .map(|e| ty_of(w, e))
        .collect();
    ends.into_iter()
        .find(|t| matches!(t, Ty::Int(_)))
        .unwrap_or(Ty::Unknown)
}

fn literal(lit: &Lit) -> Ty {
    match lit {
        Lit::Int(i) if i.suffix().is_empty() => Ty::Literal,
        Lit::Int(i) => Ty::int(i.suffix()).unwrap_or(Ty::Unknown),
        Lit::Bool(_) => Ty::Prim("bool"),
        Lit::Char(_) => Ty::Prim("char"),
        Lit::Byte(_) => Ty::Int("u8"),
        Lit::Str(_) => Ty::Ref(false, Box::new(Ty::Prim("str"))),
        _ => Ty::Unknown,
    }
}

fn path(w: &Walker, path: &Path) -> Ty {
    let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    match &names[..] {
        [name] => match w.local(name) {
            Some(local) => local.ty.clone(),
            None => match w.env.constants.get(name).map(|v| &v[..]) {
                // A const parameter hides a constant of the file.
                Some([ty]) if !w.env.imports.contains(name) && !w.generics.contains(name) => {
                    w.env.types.ty(ty, &[], &Ty::Unknown)
                }
                _ => Ty::Unknown,
            },
        },
        [head, tail] if matches!(tail.as_str(), "MAX" | "MIN") => {
            if w.env.types.declared.contains_key(head) {
                return Ty::Unknown;
            }
            Ty::int(head).unwrap_or(Ty::Unknown)
        }
        _ => Ty::Unknown,
    }
}

fn unary(w: &Walker, u: &ExprUnary) -> Ty {
    match &u.op {
        UnOp::Deref(_) => match ty_of(w, &u.expr) {
            Ty::Ref(_, inner) => *inner,
            Ty::App(name, mut args) if name == "Box" && args.len() == 1 => args.remove(0),
            _ => Ty::Unknown,
        },
        UnOp::Not(_) => match ty_of(w, &u.expr) {
            known @ (Ty::Prim("bool") | Ty::Int(_)) => known,
            _ => Ty::Unknown,
        },
        UnOp::Neg(_) => match (ty_of(w, &u.expr), w.ghost()) {
            (Ty::Int(_), true) => Ty::Int("int"),
            (Ty::Literal, _) => Ty::Literal,
            (known @ Ty::Int(_), false) => known,
            _ => Ty::Unknown,
        },
        UnOp::Forall(_) | UnOp::Exists(_) => Ty::Prim("bool"),
        _ => Ty::Unknown,
    }
}

fn binary(w: &Walker, b: &ExprBinary) -> Ty {
    use BinOp::*;
    let (left, right) = (ty_of(w, &b.left), ty_of(w, &b.right));
    match &b.op {
        And(_) | Or(_) | Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_) | Imply(_) | Exply(_)
        | Equiv(_) | BigEq(_) | BigNe(_) | ExtEq(_) | ExtNe(_) | ExtDeepEq(_) | ExtDeepNe(_) => {
            Ty::Prim("bool")
        }
        Add(_) | Sub(_) | Mul(_) | Div(_) | Rem(_) if w.place.mode == Mode::Exec => {
            match (left, right) {
                (Ty::Int(a), Ty::Int(b)) if a == b => Ty::Int(a),
                (Ty::Int(a), Ty::Literal) | (Ty::Literal, Ty::Int(a)) => Ty::Int(a),
                _ => Ty::Unknown,
            }
        }
        _ if !w.ghost() => Ty::Unknown,
        // The macro calls methods of these names, and the file may have its own.
        _ if ["spec_add", "spec_sub", "spec_mul"]
            .iter()
            .any(|n| w.env.functions.contains_key(*n)) =>
        {
            Ty::Unknown
        }
        Add(_) | Mul(_) | Sub(_) => ghost_sum(&left, &right, matches!(b.op, Sub(_))),
        Div(_) => match left {
            Ty::Int(name) if name.starts_with('i') => Ty::Int("int"),
            known @ Ty::Int(_) => known,
            _ => Ty::Unknown,
        },
        Rem(_) => match left {
            known @ Ty::Int(_) => known,
            _ => Ty::Unknown,
        },
        _ => Ty::Unknown,
    }
}

/// `+`, `-`, `*` in ghost code: naturals stay naturals under + and *, all else is `int`. Bare
/// literals beside these operators are `nat`.
fn ghost_sum(left: &Ty, right: &Ty, minus: bool) -> Ty {
    let natural = |t: &Ty| matches!(t, Ty::Int("nat") | Ty::Literal);
    let other = |t: &Ty| matches!(t, Ty::Int(name) if *name != "nat");
    match (left, right) {
        (Ty::Literal, Ty::Literal) => Ty::Unknown,
        (Ty::Int(_) | Ty::Literal, Ty::Int(_) | Ty::Literal) if minus => Ty::Int("int"),
        (a, b) if natural(a) && natural(b) => Ty::Int("nat"),
        (a, b) if (other(a) || other(b)) && (a.is_int() || b.is_int()) => {
            // A side of unknown type can only be a number: no other type has these operators
            // with a number on the other side.
            match (a, b) {
                (
                    Ty::Int(_) | Ty::Literal | Ty::Unknown,
                    Ty::Int(_) | Ty::Literal | Ty::Unknown,
                ) => Ty::Int("int"),
                _ => Ty::Unknown,
            }
        }
        _ => Ty::Unknown,
    }
}

fn call(w: &Walker, c: &ExprCall) -> Ty {
    let Expr::Path(p) = &*c.func else {
        return Ty::Unknown;
    };
    if p.qself.is_some() {
        return Ty::Unknown;
    }
    let names: Vec<String> = p
        .path
        .segments
        .iter()
        .map(|s| s.ident.to_string())
        .collect();
    if w.local(&names[0]).is_some() {
        return Ty::Unknown;
    }
    let only = |i: usize| c.args.get(i).map_or(Ty::Unknown, |a| ty_of(w, a));
    let declared = |n: &str| w.env.types.declared.contains_key(n);
    if let [name] = &names[..] {
        match (name.as_str(), c.args.len()) {
            ("old", 1) => return only(0),
            ("Some", 1) => return Ty::App("Option".into(), vec![only(0)]),
            ("Ok", 1) => return Ty::App("Result".into(), vec![only(0), Ty::Unknown]),
            ("Err", 1) => return Ty::App("Result".into(), vec![Ty::Unknown, only(0)]),
            ("Ghost" | "Tracked", 1) if !declared(name) => {
                return Ty::App(name.clone(), vec![Ty::Unknown]);
            }
            _ => {}
        }
    }
    if let [head, tail] = &names[..] {
        let plain = p.path.segments.iter().all(|s| s.arguments.is_none());
        if plain && !declared(head) {
            match (head.as_str(), tail.as_str()) {
                ("Vec", "new" | "with_capacity") => {
                    return Ty::App("Vec".into(), vec![Ty::Unknown])
                }
                ("Seq" | "Set", "empty" | "new") => {
                    return Ty::App(head.clone(), vec![Ty::Unknown])
                }
                ("Map", "empty" | "new") => {
                    return Ty::App(head.clone(), vec![Ty::Unknown, Ty::Unknown])
                }
                ("String", "new") => return Ty::App(head.clone(), vec![]),
                _ => {}
            }
        }
    }
    match callee(w, &names) {
        Some(f) => output(w, f),
        None => Ty::Unknown,
    }
}

/// The one function of the file that a path can mean, if it is certain.
pub fn callee<'e>(w: &Walker<'e>, names: &[String]) -> Option<&'e Function> {
    let env = w.env;
    let found: Vec<&Function> = match names {
        [name] if !env.imports.contains(name) => env.functions.get(name)?.iter().collect(),
        [head, name] => {
            let head = match head.as_str() {
                "Self" => match &w.self_ty {
                    Ty::App(own, _) => own.as_str(),
                    _ => return None,
                },
                other if env.types.declared.contains_key(other) => other,
                _ => return None,
            };
            let named = env.functions.get(name)?;
            return match &named[..] {
                [f] if f.in_impl && !f.in_trait && f.plain && f.self_name == head => Some(f),
                _ => None,
            };
        }
        _ => return None,
    };
    match &found[..] {
        [f] if !f.in_impl && f.plain && w.sees(f.module) => Some(f),
        _ => None,
    }
}

/// The one inherent method of the file that a name on a receiver of that type can mean.
pub fn own_method<'e>(w: &Walker<'e>, ty: &Ty, name: &str) -> Option<&'e Function> {
    let Ty::App(head, _) = ty else { return None };
    if !matches!(w.env.types.declared.get(head), Some(Declared::Data(_))) {
        return None;
    }
    match &w.env.functions.get(name)?[..] {
        [f] if f.receiver && f.in_impl && !f.in_trait && f.plain && f.self_name == *head => Some(f),
        _ => None,
    }
}

pub fn output(w: &Walker, f: &Function) -> Ty {
    w.env
        .types
        .output(&f.output, &f.generics, &function_self(w, f))
}

pub fn function_self(w: &Walker, f: &Function) -> Ty {
    if f.in_impl && !f.in_trait {
        data(w, &f.self_name)
    } else {
        Ty::Unknown
    }
}

/// A struct or enum of the file by its name, its arguments unknown.
fn data(w: &Walker, name: &str) -> Ty {
    if name == "Self" {
        return w.self_ty.clone();
    }
    match w.env.types.declared.get(name) {
        Some(Declared::Data(params)) => Ty::App(name.to_string(), vec![Ty::Unknown; params.len()]),
        _ => Ty::Unknown,
    }
}

fn field(w: &Walker, base: &Ty, member: &Member) -> Ty {
    match (base.peeled(), member) {
        (Ty::Tuple(parts), Member::Unnamed(i)) => {
            parts.get(i.index as usize).cloned().unwrap_or(Ty::Unknown)
        }
        (Ty::App(name, _), member) => field_of(w, name, &member_name(member)),
        _ => Ty::Unknown,
    }
}

pub fn field_of(w: &Walker, name: &str, member: &str) -> Ty {
    match (w.env.types.declared.get(name), w.env.fields.get(name)) {
        (Some(Declared::Data(params)), Some(fields)) => fields
            .iter()
            .find(|(n, _)| n == member)
            .map_or(Ty::Unknown, |(_, ty)| {
                w.env.types.ty(ty, params, &data(w, name))
            }),
        _ => Ty::Unknown,
    }
}

pub fn member_name(member: &Member) -> String {
    match member {
        Member::Named(name) => name.to_string(),
        Member::Unnamed(i) => i.index.to_string(),
    }
}

/// Whether the index is certainly no range: in exec code a value of unknown type may be one.
fn one_element(w: &Walker, index: &Expr) -> bool {
    match index {
        Expr::Range(_) => false,
        Expr::Paren(p) => one_element(w, &p.expr),
        _ if w.ghost() => true,
        Expr::Binary(_) => true,
        Expr::Path(p) if p.qself.is_none() => {
            let literal = p
                .path
                .get_ident()
                .and_then(|name| w.local(&name.to_string()))
                .is_some_and(|local| local.literal.is_some());
            literal || ty_of(w, index).is_int()
        }
        _ => ty_of(w, index).is_int(),
    }
}

/// The type of `base[index]`.
fn element(base: &Ty) -> Ty {
    match base.peeled() {
        Ty::Slice(t) | Ty::Array(t) => (**t).clone(),
        Ty::App(name, args) => match (name.as_str(), &args[..]) {
            ("Vec" | "Seq", [t]) => t.clone(),
            ("Map", [_, v]) => v.clone(),
            _ => Ty::Unknown,
        },
        _ => Ty::Unknown,
    }
}

/// The type of `base@`.
pub fn view(base: &Ty) -> Ty {
    match base.peeled() {
        Ty::Slice(t) | Ty::Array(t) => Ty::App("Seq".into(), vec![(**t).clone()]),
        Ty::Prim("str") => Ty::App("Seq".into(), vec![Ty::Prim("char")]),
        Ty::App(name, args) => match (name.as_str(), &args[..]) {
            ("Vec", [t]) => Ty::App("Seq".into(), vec![t.clone()]),
            ("String", []) => Ty::App("Seq".into(), vec![Ty::Prim("char")]),
            ("Ghost" | "Tracked", [t]) => t.clone(),
            _ => Ty::Unknown,
        },
        _ => Ty::Unknown,
    }
}
