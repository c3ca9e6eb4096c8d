//! Signatures of the methods of vstd and std that matter for light types.

use verus_syn::*;

use crate::infer::{output, own_method, ty_of, view};
use crate::types::Ty;
use crate::walk::Walker;

/// One argument of a known method.
#[derive(Clone, Debug, PartialEq)]
pub enum Want {
    Any,
    Is(Ty),
}

fn int() -> Want {
    Want::Is(Ty::Int("int"))
}

fn size() -> Want {
    Want::Is(Ty::Int("usize"))
}

/// The parameter types of a known method on a (peeled) receiver, None if it is not known.
pub fn parameters(receiver: &Ty, name: &str, ghost: bool) -> Option<Vec<Want>> {
    let Ty::App(head, args) = receiver else {
        return None;
    };
    let of = |i: usize| args.get(i).cloned().map_or(Want::Any, Want::Is);
    let same = || Want::Is(receiver.clone());
    Some(match (head.as_str(), name) {
        ("Seq", "index" | "take" | "skip" | "remove") if ghost => vec![int()],
        ("Seq", "subrange") if ghost => vec![int(), int()],
        ("Seq", "update" | "insert") if ghost => vec![int(), of(0)],
        ("Seq", "push" | "contains" | "index_of") if ghost => vec![of(0)],
        ("Seq", "add") if ghost => vec![same()],
        ("Set", "contains" | "insert" | "remove") if ghost => vec![of(0)],
        ("Set", "union" | "intersect" | "difference" | "subset_of" | "disjoint") if ghost => {
            vec![same()]
        }
        ("Map", "contains_key" | "index" | "remove") if ghost => vec![of(0)],
        ("Map", "insert") if ghost => vec![of(0), of(1)],
        ("Multiset", "count" | "contains" | "insert" | "remove") if ghost => vec![of(0)],
        ("Multiset", "add" | "sub" | "subset_of") if ghost => vec![same()],
        ("Vec", "push") if !ghost => vec![of(0)],
        ("Vec", "insert" | "set") if !ghost => vec![size(), of(0)],
        ("Vec", "remove" | "swap_remove" | "truncate" | "reserve") if !ghost => vec![size()],
        _ => return None,
    })
}

/// The type of a method call.
pub fn result(w: &Walker, m: &ExprMethodCall) -> Ty {
    let receiver = ty_of(w, &m.receiver);
    let ty = receiver.peeled();
    let name = m.method.to_string();
    if let Some(f) = own_method(w, ty, &name) {
        return output(w, f);
    }
    if w.env.trait_methods.contains(&name) {
        return Ty::Unknown;
    }
    if name == "clone" && receiver != *ty && receiver != Ty::Ref(false, Box::new(ty.clone())) {
        // A box, or a reference behind a reference, is cloned itself.
        return Ty::Unknown;
    }
    match ty {
        Ty::Slice(_) | Ty::Array(_) => match name.as_str() {
            "len" => Ty::Int("usize"),
            "view" => view(ty),
            _ => Ty::Unknown,
        },
        Ty::App(head, args) => app(w, ty, head, args, &name),
        _ => Ty::Unknown,
    }
}

fn app(w: &Walker, ty: &Ty, head: &str, args: &[Ty], name: &str) -> Ty {
    let of = |i: usize| args.get(i).cloned().unwrap_or(Ty::Unknown);
    let bool = || Ty::Prim("bool");
    match (head, name) {
        ("Vec", "len") => Ty::Int("usize"),
        ("Vec" | "String", "view") => view(ty),
        ("Vec" | "String", "clone") if !w.ghost() => ty.clone(),
        ("Vec", "pop") if !w.ghost() => Ty::App("Option".into(), vec![of(0)]),
        ("Vec", "remove" | "swap_remove") if !w.ghost() => of(0),
        ("Vec", "push" | "insert" | "set" | "clear" | "truncate") if !w.ghost() => Ty::Unit,
        ("Option" | "Result", "unwrap") => of(0),
        ("Option", "is_some" | "is_none") | ("Result", "is_ok" | "is_err") => bool(),
        _ if !w.ghost() => Ty::Unknown,
        ("Seq" | "Set" | "Map" | "Multiset", "len") => Ty::Int("nat"),
        (
            "Seq",
            "subrange" | "take" | "skip" | "push" | "update" | "insert" | "remove" | "add"
            | "drop_first" | "drop_last" | "reverse" | "filter",
        ) => ty.clone(),
        ("Seq", "index" | "first" | "last") => of(0),
        ("Seq", "index_of") => Ty::Int("int"),
        ("Seq", "contains" | "no_duplicates" | "is_prefix_of" | "is_suffix_of") => bool(),
        ("Seq", "to_set") => Ty::App("Set".into(), vec![of(0)]),
        ("Seq", "to_multiset") => Ty::App("Multiset".into(), vec![of(0)]),
        ("Set", "insert" | "remove" | "union" | "intersect" | "difference" | "filter") => {
            ty.clone()
        }
        ("Set", "contains" | "subset_of" | "disjoint" | "finite") => bool(),
        ("Set", "choose") => of(0),
        ("Map", "insert" | "remove") => ty.clone(),
        ("Map", "index") => of(1),
        ("Map", "dom") => Ty::App("Set".into(), vec![of(0)]),
        ("Map", "contains_key") => bool(),
        ("Multiset", "insert" | "remove" | "add" | "sub") => ty.clone(),
        ("Multiset", "count") => Ty::Int("nat"),
        ("Multiset", "contains" | "subset_of") => bool(),
        _ => Ty::Unknown,
    }
}
