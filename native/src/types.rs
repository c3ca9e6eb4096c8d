//! Light types: only what declarations say. `Unknown` wherever anything else would be needed.

use std::collections::HashMap;

use serde::ser::{Serialize, SerializeSeq, Serializer};
use verus_syn::{GenericArgument, PathArguments, ReturnType, Type};

/// A type as far as it is declared. `App` is a named type with its arguments.
#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    Unknown,
    /// An integer literal without a suffix: some integer type.
    Literal,
    Unit,
    Never,
    Int(&'static str),
    Prim(&'static str),
    Ref(bool, Box<Ty>),
    Slice(Box<Ty>),
    Array(Box<Ty>),
    Tuple(Vec<Ty>),
    App(String, Vec<Ty>),
}

pub const INTS: [&str; 14] = [
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "int",
    "nat",
];
const PRIMS: [&str; 5] = ["bool", "char", "str", "f32", "f64"];
/// Named types that the prelude of vstd or std provides, unless the file declares the name.
pub const KNOWN: [&str; 13] = [
    "Vec", "Option", "Result", "Seq", "Set", "Map", "Multiset", "String", "Box", "Ghost",
    "Tracked", "Rc", "Arc",
];

/// Deeper types are unknown to who reads the facts: reading them recurses.
const DEPTH: usize = 40;

impl Ty {
    pub fn int(name: &str) -> Option<Ty> {
        INTS.iter().find(|i| **i == name).map(|i| Ty::Int(i))
    }

    pub fn prim(name: &str) -> Option<Ty> {
        PRIMS.iter().find(|p| **p == name).map(|p| Ty::Prim(p))
    }

    /// Through references and boxes, as method calls and field accesses look.
    pub fn peeled(&self) -> &Ty {
        match self {
            Ty::Ref(_, inner) => inner.peeled(),
            Ty::App(name, args) if name == "Box" && args.len() == 1 => args[0].peeled(),
            other => other,
        }
    }

    pub fn known(&self) -> bool {
        !matches!(self, Ty::Unknown)
    }

    fn depth(&self) -> usize {
        match self {
            Ty::Ref(_, inner) | Ty::Slice(inner) | Ty::Array(inner) => 1 + inner.depth(),
            Ty::Tuple(parts) | Ty::App(_, parts) => {
                1 + parts.iter().map(Ty::depth).max().unwrap_or(0)
            }
            _ => 0,
        }
    }

    pub fn is_int(&self) -> bool {
        matches!(self, Ty::Int(_) | Ty::Literal)
    }

    pub fn app(&self, name: &str) -> Option<&[Ty]> {
        match self {
            Ty::App(n, args) if n == name => Some(args),
            _ => None,
        }
    }
}

/// As nested lists: head first.
impl Serialize for Ty {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (head, args): (&str, &[Ty]) = match self {
            deep if deep.depth() > DEPTH => ("?", &[]),
            Ty::Unknown => ("?", &[]),
            Ty::Literal => ("{integer}", &[]),
            Ty::Unit => ("()", &[]),
            Ty::Never => ("!", &[]),
            Ty::Int(name) | Ty::Prim(name) => (name, &[]),
            Ty::Ref(false, inner) => ("&", std::slice::from_ref(&**inner)),
            Ty::Ref(true, inner) => ("&mut", std::slice::from_ref(&**inner)),
            Ty::Slice(inner) => ("[]", std::slice::from_ref(&**inner)),
            Ty::Array(inner) => ("[;]", std::slice::from_ref(&**inner)),
            Ty::Tuple(parts) => ("(,)", parts),
            Ty::App(name, args) => (name, args),
        };
        let mut seq = serializer.serialize_seq(Some(args.len() + 1))?;
        seq.serialize_element(head)?;
        for arg in args {
            seq.serialize_element(arg)?;
        }
        seq.end()
    }
}

/// What names of types mean in the file.
#[derive(Default, Debug)]
pub struct TypeNames {
    /// Every type name that the file declares or imports by name, with its kind.
    pub declared: HashMap<String, Declared>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Declared {
    /// One struct or enum, with its generic parameters.
    Data(Vec<String>),
    /// Anything that this module does not look through: alias, import, trait, twice declared.
    Opaque,
}

impl TypeNames {
    pub fn ty(&self, ty: &Type, generics: &[String], self_ty: &Ty) -> Ty {
        let sub = |t: &Type| self.ty(t, generics, self_ty);
        match ty {
            Type::Paren(t) => sub(&t.elem),
            Type::Group(t) => sub(&t.elem),
            Type::Never(_) => Ty::Never,
            Type::Reference(t) => Ty::Ref(t.mutability.is_some(), Box::new(sub(&t.elem))),
            Type::Slice(t) => Ty::Slice(Box::new(sub(&t.elem))),
            Type::Array(t) => Ty::Array(Box::new(sub(&t.elem))),
            Type::Tuple(t) if t.elems.is_empty() => Ty::Unit,
            Type::Tuple(t) => Ty::Tuple(t.elems.iter().map(sub).collect()),
            Type::Path(t) if t.qself.is_none() => {
                let Some(last) = t.path.segments.last() else {
                    return Ty::Unknown;
                };
                let name = last.ident.to_string();
                if t.path.segments.len() > 1 {
                    return Ty::Unknown;
                }
                if generics.contains(&name) {
                    return Ty::Unknown;
                }
                if name == "Self" {
                    return self_ty.clone();
                }
                let args: Vec<Ty> = match &last.arguments {
                    PathArguments::None => vec![],
                    PathArguments::AngleBracketed(a) => a
                        .args
                        .iter()
                        .filter(|a| !matches!(a, GenericArgument::Lifetime(_)))
                        .map(|a| match a {
                            GenericArgument::Type(t) => sub(t),
                            _ => Ty::Unknown,
                        })
                        .collect(),
                    _ => return Ty::Unknown,
                };
                let known = KNOWN.contains(&name.as_str());
                match self.declared.get(&name) {
                    Some(Declared::Data(_)) => Ty::App(name, args),
                    Some(Declared::Opaque) => Ty::Unknown,
                    None => Ty::int(&name)
                        .or_else(|| Ty::prim(&name))
                        .or_else(|| known.then_some(Ty::App(name, args)))
                        .unwrap_or(Ty::Unknown),
                }
            }
            _ => Ty::Unknown,
        }
    }

    pub fn output(&self, output: &ReturnType, generics: &[String], self_ty: &Ty) -> Ty {
        match output {
            ReturnType::Default => Ty::Unit,
            ReturnType::Type(_, _, _, ty) => self.ty(ty, generics, self_ty),
        }
    }
}
