//! The plain data that leaves the crate. Places are `[start, end)` in characters of the source.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::types::Ty;

pub type At = [u32; 2];

/// Where a fact stands: the function item it belongs to and the mode of the code there.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Index of the function item, -1 outside functions.
    #[serde(rename = "fn")]
    pub function: i32,
    pub mode: Mode,
    /// Behind a `return` or another expression that never ends, in the same block.
    pub dead: bool,
    /// Inside an exec closure.
    pub closure: bool,
    /// Inside a macro invocation whose meaning is not known.
    pub unsure: bool,
}

/// The mode of code, as the macro `verus!` and the mode checker see it.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    Exec,
    Proof,
    Spec,
    /// Ghost for certain, proof or spec unknown.
    Ghost,
    Unknown,
}

#[derive(Serialize, Default, Debug)]
pub struct Facts {
    pub status: &'static str,
    pub reason: String,
    pub errors: Vec<ParseError>,
    pub blocks: Vec<Block>,
    pub items: Vec<Item>,
    pub uses: Vec<Use>,
    pub loops: Vec<Loop>,
    pub calls: Vec<Call>,
    pub methods: Vec<Method>,
    pub macros: Vec<MacroUse>,
    pub casts: Vec<Cast>,
    pub literals: Vec<Literal>,
    pub views: Vec<Site>,
    pub quantifiers: Vec<Quantifier>,
    pub mut_refs: Vec<MutRef>,
    pub slices: Vec<Site>,
    pub ghost_exprs: Vec<Noted>,
    pub proof_blocks: Vec<Site>,
    pub unsafe_blocks: Vec<Site>,
    pub attributes: Vec<AttrUse>,
    pub agreements: Vec<Agreement>,
    pub decreases_calls: Vec<Site>,
    pub paths: Vec<PathUse>,
    pub refused: Vec<Noted>,
    /// Every name that some pattern or parameter binds.
    pub bound: BTreeSet<String>,
}

macro_rules! body_lists {
    ($($list:ident),*) => {
        impl Facts {
            /// The lengths of all lists that bodies add to.
            pub fn mark(&self) -> Vec<usize> {
                vec![$(self.$list.len()),*]
            }

            /// Forget what came after a mark.
            pub fn cut(&mut self, mark: &[usize]) {
                let mut lengths = mark.iter();
                $(self.$list.truncate(lengths.next().copied().unwrap_or(0));)*
            }
        }
    };
}

body_lists!(
    loops,
    calls,
    methods,
    macros,
    casts,
    literals,
    views,
    quantifiers,
    mut_refs,
    slices,
    ghost_exprs,
    proof_blocks,
    unsafe_blocks,
    attributes,
    agreements,
    decreases_calls,
    paths,
    refused
);

#[derive(Serialize, Debug)]
pub struct ParseError {
    pub at: At,
    pub line: u32,
    pub column: u32,
    pub message: String,
    /// `file` (rustc's parser would meet it) or the name of the macro.
    #[serde(rename = "in")]
    pub within: String,
    /// Behind a `cfg`, so it may never be looked at.
    pub cfg: bool,
}

#[derive(Serialize, Debug)]
pub struct Block {
    pub name: String,
    pub at: At,
    /// Between the delimiters.
    pub body: At,
    pub parsed: bool,
    pub cfg: bool,
}

#[derive(Serialize, Debug, Clone)]
pub struct Attr {
    pub path: String,
    /// The tokens behind the path, as written.
    pub args: String,
    pub at: At,
    pub inner: bool,
}

#[derive(Serialize, Debug, Clone)]
pub struct Param {
    /// The bound name, empty for a pattern that is more than a name.
    pub name: String,
    pub names: Vec<(String, At)>,
    /// The declared type as written; `self` types are spelled out (`&mut Self`).
    #[serde(rename = "type")]
    pub ty: String,
    pub at: At,
    pub mut_ref: bool,
    pub receiver: bool,
    /// Bound by `Ghost(x)` or `Tracked(x)`, or marked `tracked`.
    pub ghost: bool,
}

#[derive(Serialize, Debug, Clone)]
pub struct Ret {
    pub names: Vec<(String, At)>,
    #[serde(rename = "type")]
    pub ty: String,
    pub at: At,
}

#[derive(Serialize, Debug, Clone)]
pub struct Field {
    pub name: String,
    #[serde(rename = "type")]
    pub ty: String,
    /// `exec`, `ghost` or `tracked`.
    pub mode: &'static str,
}

#[derive(Serialize, Debug, Default)]
pub struct Item {
    pub id: i32,
    /// The item around it (module, impl, trait, function), -1 at the root.
    pub parent: i32,
    pub kind: &'static str,
    pub name: String,
    /// `exec`, `proof`, `spec`, `axiom`, `default`; empty where it has no meaning.
    pub mode: &'static str,
    pub vis: String,
    /// `open`, `closed`, `uninterp` or empty.
    pub publish: String,
    pub attrs: Vec<Attr>,
    /// Inside `verus!{}` or a sister macro.
    pub verus: bool,
    /// It, or an item around it, stands behind `cfg`/`cfg_attr`.
    pub cfg: bool,
    /// It, or an item around it, is `external` or `external_body`, or has verus_verify.
    pub external: &'static str,
    pub at: At,
    pub name_at: At,
    /// From the first modifier to the end of the return type.
    pub signature: Option<At>,
    pub generics: Vec<String>,
    pub params: Vec<Param>,
    pub ret: Option<Ret>,
    pub requires: Vec<At>,
    pub ensures: Vec<At>,
    pub recommends: Vec<At>,
    pub returns: Vec<At>,
    pub decreases: Vec<At>,
    pub when: Option<At>,
    pub body: Option<At>,
    pub is_broadcast: bool,
    pub is_unsafe: bool,
    /// impl: the type as written; trait impls also name the trait.
    pub self_type: String,
    pub of_trait: String,
    pub fields: Vec<Field>,
    pub variants: Vec<String>,
    /// The whole right side: type of a const or alias.
    #[serde(rename = "type")]
    pub ty: String,
}

#[derive(Serialize, Debug)]
pub struct Use {
    pub parent: i32,
    pub path: Vec<String>,
    /// The name it binds: empty for a glob.
    pub name: String,
    pub glob: bool,
    pub cfg: bool,
    pub at: At,
}

#[derive(Serialize, Debug)]
pub struct Loop {
    pub at: At,
    pub keyword: At,
    #[serde(flatten)]
    pub place: Place,
    pub kind: &'static str,
    pub decreases: bool,
    pub invariants: Vec<At>,
    pub body: At,
    pub cond: Option<At>,
    pub attrs: Vec<Attr>,
    /// `left < right` or `left <= right` of a while condition, for the hint.
    pub measure: Option<String>,
}

#[derive(Serialize, Debug)]
pub struct Call {
    pub at: At,
    pub callee: At,
    #[serde(flatten)]
    pub place: Place,
    pub path: Vec<String>,
    pub args: Vec<At>,
    /// The first segment is bound in this body (parameter, let, pattern, nested item).
    pub local: bool,
    /// Used as a function value, not called.
    pub generics: bool,
}

#[derive(Serialize, Debug)]
pub struct Method {
    pub at: At,
    pub name_at: At,
    #[serde(flatten)]
    pub place: Place,
    pub name: String,
    pub receiver: At,
    /// What is known of the receiver's type, in the notation of `types.rs`; empty if nothing.
    pub receiver_type: Ty,
    pub on_self: bool,
    pub args: Vec<At>,
}

#[derive(Serialize, Debug)]
pub struct MacroUse {
    pub at: At,
    #[serde(flatten)]
    pub place: Place,
    pub path: Vec<String>,
    pub args: At,
    pub item: bool,
    pub parent: i32,
}

#[derive(Serialize, Debug)]
pub struct Cast {
    pub at: At,
    #[serde(flatten)]
    pub place: Place,
    pub to: String,
    pub from: Ty,
}

#[derive(Serialize, Debug)]
pub struct Literal {
    pub at: At,
    #[serde(flatten)]
    pub place: Place,
    pub suffix: String,
}

#[derive(Serialize, Debug)]
pub struct Site {
    pub at: At,
    #[serde(flatten)]
    pub place: Place,
}

#[derive(Serialize, Debug)]
pub struct Noted {
    pub at: At,
    #[serde(flatten)]
    pub place: Place,
    pub note: String,
}

#[derive(Serialize, Debug)]
pub struct AttrUse {
    pub at: At,
    #[serde(flatten)]
    pub place: Place,
    pub path: String,
    pub args: String,
    pub inner: bool,
    /// What it is attached to.
    pub on: &'static str,
    /// The expression behind an outer attribute of an expression.
    pub target: Option<At>,
    pub cfg: bool,
}

#[derive(Serialize, Debug)]
pub struct PathUse {
    pub at: At,
    #[serde(flatten)]
    pub place: Place,
    pub name: String,
}

/// A parameter `x: &mut T` mentioned in `ensures` so that it is dereferenced outside
/// `old(..)` and `final(..)`.
#[derive(Serialize, Debug)]
pub struct MutRef {
    pub at: At,
    #[serde(flatten)]
    pub place: Place,
    pub name: String,
    pub how: &'static str,
}

#[derive(Serialize, Debug)]
pub struct Quantifier {
    pub at: At,
    #[serde(flatten)]
    pub place: Place,
    pub kind: &'static str,
    pub vars: Vec<(String, String)>,
    /// Names bound around it whose meaning is not an ordinary local.
    pub triggers: bool,
    pub body: Term,
}

/// An expression as far as triggers care.
#[derive(Serialize, Debug, Clone, PartialEq)]
pub struct Term {
    pub k: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub n: String,
    pub at: At,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub c: Vec<Term>,
}

/// Two declared types that Rust makes equal, or coerces, at one place.
#[derive(Serialize, Debug)]
pub struct Agreement {
    pub at: At,
    #[serde(flatten)]
    pub place: Place,
    pub want: Ty,
    pub got: Ty,
    /// What makes them meet: `let`, `argument`, `return`, `index`, `operand`, `assign`.
    pub by: &'static str,
    pub text: String,
}
