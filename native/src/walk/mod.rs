//! The one walk over bodies: who is called, where, in which mode.

mod body;
mod calls;
mod control;
mod expr;
mod fresh;
mod ghost;
mod loops;
mod record;

use std::collections::{HashMap, HashSet};

use proc_macro2::Span;
use verus_syn::visit::Visit;
use verus_syn::*;

use crate::collect::{names_in, self_ty};
use crate::facts::{At, Facts, Mode, Place};
use crate::infer;
use crate::text::Text;
use crate::types::{Ty, TypeNames};

/// What the file declares, known before any body is walked.
#[derive(Default)]
pub struct Env {
    pub types: TypeNames,
    /// Functions by name, wherever they are declared.
    pub functions: HashMap<String, Vec<Function>>,
    /// Names of the methods of the file's traits: they may apply to any type.
    pub trait_methods: HashSet<String>,
    pub fields: HashMap<String, Vec<(String, Type)>>,
    pub constants: HashMap<String, Vec<Type>>,
    pub imports: Vec<String>,
    /// Some struct or variant has ghost or tracked fields.
    pub ghost_fields: bool,
    /// Functions of the file that never return.
    pub endless: HashSet<String>,
    /// Some parameter has its mode from an attribute: its argument may be ghost.
    pub ghost_params: bool,
    /// Macros or modules in other files may declare more.
    pub opaque_items: bool,
    /// A glob import from elsewhere may change what the name of a type means.
    pub foreign_names: bool,
    /// The file has a macro of its own that is called `verus`.
    pub own_verus: bool,
}

pub struct Function {
    pub receiver: bool,
    pub inputs: Vec<Type>,
    pub output: ReturnType,
    pub generics: Vec<String>,
    pub in_impl: bool,
    /// In a trait or an impl of one.
    pub in_trait: bool,
    /// The module around it, -1 for the file.
    pub module: i32,
    /// No attribute may give it another signature.
    pub plain: bool,
    /// The name of the type of the impl, without arguments.
    pub self_name: String,
}

pub struct Body {
    pub item: i32,
    pub sig: Signature,
    pub block: Option<Box<Block>>,
    pub self_type: Option<Box<Type>>,
    pub generics: Vec<String>,
}

#[derive(Clone)]
pub struct Local {
    pub name: String,
    /// Where a `let` with a bare literal stands: its type comes from its uses.
    pub literal: Option<u32>,
    pub ty: Ty,
    pub ghost: bool,
    pub param: bool,
    /// `let x = Vec::new()` without a type, and nothing so far that could give it one.
    pub fresh: Option<At>,
}

pub struct Walker<'a> {
    pub text: &'a Text,
    pub facts: Facts,
    pub env: &'a Env,
    pub place: Place,
    pub locals: Vec<Local>,
    pub generics: Vec<String>,
    pub self_ty: Ty,
    /// The declared result of the function or closure being walked.
    pub result: Ty,
    /// Inside `ensures`, outside `old` and `final`.
    post: bool,
    /// The function being walked is executable.
    exec_function: bool,
    /// Inside any closure.
    lambda: bool,
    /// Types of `let x = 0` found from exec uses; None where two uses differ.
    solved: HashMap<u32, Option<Ty>>,
    /// A first walk met such a let.
    needs_types: bool,
    /// Inside a chain of comparisons.
    in_chain: bool,
}

impl<'a> Walker<'a> {
    pub fn new(text: &'a Text, facts: Facts, env: &'a Env) -> Self {
        let place = Place {
            function: -1,
            mode: Mode::Unknown,
            dead: false,
            closure: false,
            unsure: false,
        };
        Walker {
            text,
            facts,
            env,
            place,
            locals: Vec::new(),
            generics: Vec::new(),
            self_ty: Ty::Unknown,
            result: Ty::Unknown,
            post: false,
            exec_function: false,
            lambda: false,
            solved: HashMap::new(),
            needs_types: false,
            in_chain: false,
        }
    }

    /// Walk one function. Where the type of a `let x = 0` comes from a later use, a first walk
    /// finds it, and its facts are thrown away.
    pub fn body(&mut self, body: &Body) {
        let before = self.facts.mark();
        self.needs_types = false;
        self.walk(body);
        if self.needs_types && self.solved.values().any(Option::is_some) {
            self.facts.cut(&before);
            self.walk(body);
        }
        self.solved.clear();
    }

    /// Signature clauses, then the body.
    fn walk(&mut self, body: &Body) {
        self.generics = body.generics.clone();
        self.self_ty = self_ty(self.env, &body.self_type, &body.generics);
        self.locals.clear();
        let sig = &body.sig;
        self.place = Place {
            function: body.item,
            mode: Mode::Spec,
            dead: false,
            closure: false,
            // A `with` clause binds names that are not looked at.
            unsure: sig.spec.with.is_some(),
        };
        for arg in &sig.inputs {
            match &arg.kind {
                FnArgKind::Receiver(r) => {
                    let inner = self.self_ty.clone();
                    let ty = match (&r.colon_token, &r.reference) {
                        (Some(_), _) => Ty::Unknown,
                        (None, Some(_)) => Ty::Ref(r.mutability.is_some(), Box::new(inner)),
                        (None, None) => inner,
                    };
                    self.bind("self", ty, false, true);
                }
                FnArgKind::Typed(t) => {
                    let ty = self.ty(&t.ty);
                    let ghost = arg.tracked.is_some() || matches!(&*t.pat, Pat::TupleStruct(_));
                    self.bind_pattern(&t.pat, ty, ghost, true);
                }
            }
        }
        let spec = &sig.spec;
        if let Some(c) = &spec.requires {
            self.clauses(&c.exprs);
        }
        if let Some(c) = &spec.recommends {
            // Verus looks at these only when a proof fails.
            let place = self.place;
            self.place.unsure = true;
            self.clauses(&c.exprs);
            self.place = place;
        }
        if let Some(c) = &spec.decreases {
            self.tuple_measure(&c.decreases);
            self.clauses(&c.decreases.exprs);
            if let Some((_, when)) = &c.when {
                self.expr(when);
            }
        }
        if let Some(c) = &spec.returns {
            self.clauses(&c.exprs);
        }
        self.result = self
            .env
            .types
            .output(&sig.output, &self.generics, &self.self_ty);
        let before = self.locals.len();
        if let ReturnType::Type(_, _, Some(name), _) = &sig.output {
            let ty = self.result.clone();
            self.bind_pattern(&name.1, ty, false, false);
        }
        for c in [
            spec.ensures.as_ref().map(|c| &c.exprs),
            spec.default_ensures.as_ref().map(|c| &c.exprs),
        ]
        .into_iter()
        .flatten()
        {
            self.post = true;
            self.clauses(c);
            self.post = false;
        }
        self.locals.truncate(before);
        self.place.mode = match &sig.mode {
            FnMode::Spec(_) | FnMode::SpecChecked(_) => Mode::Spec,
            FnMode::Proof(_) | FnMode::ProofAxiom(_) => Mode::Proof,
            FnMode::Exec(_) | FnMode::Default => Mode::Exec,
        };
        self.exec_function = self.place.mode == Mode::Exec;
        if let Some(block) = &body.block {
            let result = self.result.clone();
            self.block(block, Some(&result));
        }
    }

    fn clauses(&mut self, spec: &Specification) {
        for e in &spec.exprs {
            self.expr(e);
        }
    }

    fn spec_clauses(&mut self, spec: &Specification) {
        self.within(Mode::Spec, |w| w.clauses(spec));
    }

    pub fn ty(&self, ty: &Type) -> Ty {
        self.env.types.ty(ty, &self.generics, &self.self_ty)
    }

    fn bind(&mut self, name: &str, ty: Ty, ghost: bool, param: bool) {
        if name.is_empty() {
            // A pattern that is not looked into: what it binds is not known.
            self.place.unsure = true;
            return;
        }
        if !self.facts.bound.contains(name) {
            self.facts.bound.insert(name.to_string());
        }
        self.locals.push(Local {
            name: name.to_string(),
            literal: None,
            fresh: None,
            ty,
            ghost,
            param,
        });
    }

    fn bind_pattern(&mut self, pat: &Pat, ty: Ty, ghost: bool, param: bool) {
        match pat {
            Pat::Ident(p) if p.subpat.is_none() && p.by_ref.is_none() => {
                let name = p.ident.to_string();
                // An upper-case name may be a variant or a constant, which binds nothing.
                let constant = name.starts_with(char::is_uppercase);
                self.bind(&name, if constant { Ty::Unknown } else { ty }, ghost, param);
            }
            Pat::Type(p) => {
                let ty = self.ty(&p.ty);
                self.bind_pattern(&p.pat, ty, ghost, param);
            }
            Pat::Paren(p) => self.bind_pattern(&p.pat, ty, ghost, param),
            Pat::Tuple(p) => {
                let parts = match ty {
                    Ty::Tuple(parts) if parts.len() == p.elems.len() => parts,
                    _ => vec![Ty::Unknown; p.elems.len()],
                };
                let plain = !p.elems.iter().any(|e| matches!(e, Pat::Rest(_)));
                for (e, ty) in p.elems.iter().zip(parts) {
                    self.bind_pattern(e, if plain { ty } else { Ty::Unknown }, ghost, param);
                }
            }
            other => {
                let mut names = Vec::new();
                names_in(self.text, other, &mut names);
                let inner = infer::pattern_parts(other, &ty);
                for (i, (name, _)) in names.iter().enumerate() {
                    let ty = inner.get(i).cloned().unwrap_or(Ty::Unknown);
                    self.bind(name, ty, ghost, param);
                }
            }
        }
    }

    pub fn local(&self, name: &str) -> Option<&Local> {
        self.locals.iter().rev().find(|l| l.name == name)
    }

    /// Whether a name of that module can be meant without a path: the walked function stands in
    /// it. (What is imported is not looked up.)
    pub fn sees(&self, module: i32) -> bool {
        let mut at = self.place.function;
        while at >= 0 && self.facts.items[at as usize].kind != "mod" {
            at = self.facts.items[at as usize].parent;
        }
        at == module
    }

    fn within(&mut self, mode: Mode, then: impl FnOnce(&mut Self)) {
        let before = self.place;
        self.place.mode = mode;
        then(self);
        self.place = before;
    }

    fn scoped(&mut self, then: impl FnOnce(&mut Self)) {
        let before = self.locals.len();
        then(self);
        self.locals.truncate(before);
    }

    pub fn ghost(&self) -> bool {
        matches!(self.place.mode, Mode::Spec | Mode::Proof | Mode::Ghost)
    }

    pub fn at(&self, span: Span) -> At {
        self.text.at(span)
    }
}

impl<'ast> Visit<'ast> for Walker<'_> {
    fn visit_expr(&mut self, e: &'ast Expr) {
        self.expr(e);
    }

    fn visit_block(&mut self, b: &'ast Block) {
        self.block(b, None);
    }

    fn visit_type(&mut self, _: &'ast Type) {}

    fn visit_item(&mut self, _: &'ast Item) {}
}
