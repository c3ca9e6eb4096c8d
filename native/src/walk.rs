//! The one walk over bodies: who is called, where, in which mode.

use std::collections::{HashMap, HashSet};

use proc_macro2::Span;
use verus_syn::spanned::Spanned;
use verus_syn::visit::{self, Visit};
use verus_syn::*;

use crate::collect::{attr, delimiters, names_in, self_ty};
use crate::facts::{self, At, Facts, Mode, Noted, Place, Site};
use crate::agree;
use crate::infer;
use crate::spans::{expr_at, first, last, path_at, type_span};
use crate::terms::{attributes, term};
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
            unsure: false,
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
            self.place.unsure = true;
            self.clauses(&c.exprs);
            self.place.unsure = false;
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
        self.locals.push(Local { name: name.to_string(), literal: None, ty,
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

    /// A block; `want` is the type its last expression must have, where that is known.
    fn block(&mut self, block: &Block, want: Option<&Ty>) {
        let locals = self.locals.len();
        let place = self.place;
        let count = block.stmts.len();
        for stmt in &block.stmts {
            if let Stmt::Item(item) = stmt {
                if let Item::Fn(f) = item {
                    self.bind(&f.sig.ident.to_string(), Ty::Unknown, false, false);
                }
                if !matches!(item, Item::BroadcastUse(_)) {
                    self.place.unsure = true;
                }
            }
        }
        for (i, stmt) in block.stmts.iter().enumerate() {
            match stmt {
                Stmt::Local(local) => self.local_stmt(local),
                Stmt::Item(_) => {}
                Stmt::Expr(e, semi) => {
                    if i + 1 == count && semi.is_none() {
                        self.tail(e, want);
                    } else {
                        self.expr(e);
                    }
                    if ends(e) {
                        self.place.dead = true;
                    }
                }
                Stmt::Macro(m) => {
                    self.macro_use(
                        &m.mac,
                        self.text
                            .between(m.mac.path.segments[0].ident.span(), delimiters(&m.mac).1),
                    );
                    if panics(&m.mac) {
                        self.place.dead = true;
                    }
                }
            }
        }
        self.locals.truncate(locals);
        self.place = place;
    }

    /// An expression in tail position of a body whose result is `want`.
    fn tail(&mut self, e: &Expr, want: Option<&Ty>) {
        let Some(want) = want else {
            return self.expr(e);
        };
        match e {
            Expr::Block(b) if b.label.is_none() && b.attrs.is_empty() => {
                self.block(&b.block, Some(want))
            }
            Expr::If(i) => self.if_(i, Some(want)),
            Expr::Match(m) => self.match_(m, Some(want)),
            _ => {
                agree::agree(self, e, want, "return");
                self.expr(e);
            }
        }
    }

    fn local_stmt(&mut self, local: &Local_) {
        let ghost = local.ghost.is_some() || local.tracked.is_some();
        let mode = match (local.ghost.is_some(), local.tracked.is_some()) {
            (true, _) => Mode::Ghost,
            (_, true) if self.place.mode == Mode::Exec => Mode::Proof,
            _ => self.place.mode,
        };
        let (pat, declared) = match &local.pat {
            Pat::Type(p) => (&*p.pat, Some(self.ty(&p.ty))),
            other => (other, None),
        };
        let mut ty = declared.clone().unwrap_or(Ty::Unknown);
        if let Some(init) = &local.init {
            self.within(mode, |w| {
                match &declared {
                    Some(want) => agree::agree(w, &init.expr, want, "let"),
                    None => ty = infer::bound(w, &init.expr),
                }
                w.expr(&init.expr);
            });
            if let Some((_, other)) = &init.diverge {
                self.expr(other);
            }
        }
        let mut names = Vec::new();
        names_in(self.text, pat, &mut names);
        let kind = match (local.ghost.is_some(), local.tracked.is_some()) {
            (true, _) => "ghost",
            (_, true) => "tracked",
            _ => "plain",
        };
        let declared_text = match &local.pat {
            Pat::Type(p) => self.text.slice(self.at(p.ty.span())),
            _ => String::new(),
        };
        let place = self.place;
        self.facts.lets.push(facts::Let {
            at: self
                .text
                .between(local.let_token.span, local.semi_token.span),
            place,
            names: names.iter().map(|(n, _)| n.clone()).collect(),
            ty: declared_text,
            kind,
        });
        // `let Ghost(x) = ..` binds ghost names.
        let unwraps = matches!(pat, Pat::TupleStruct(p)
            if p.path.is_ident("Ghost") || p.path.is_ident("Tracked"));
        let start = self.at(local.let_token.span)[0];
        let literal = !ghost
            && declared.is_none()
            && self.place.mode == Mode::Exec
            && matches!(pat, Pat::Ident(_))
            && local.init.as_ref().is_some_and(|i| infer::ty_of(self, &i.expr) == Ty::Literal);
        if literal {
            ty = self.solved.get(&start).cloned().flatten().unwrap_or(Ty::Unknown);
            self.needs_types |= !self.solved.contains_key(&start);
        }
        self.bind_pattern(pat, ty, ghost || unwraps, false);
        if literal {
            if let Some(last) = self.locals.last_mut() {
                last.literal = Some(start);
            }
        }
    }

    /// An exec use that fixes the type of a `let x = 0`.
    pub fn solve(&mut self, e: &Expr, ty: &Ty) {
        let Ty::Int(machine) = ty else { return };
        if self.place.mode != Mode::Exec || self.place.unsure || matches!(*machine, "int" | "nat") {
            return;
        }
        let Expr::Path(p) = e else { return };
        let Some(name) = p.path.get_ident().map(|i| i.to_string()) else { return };
        let Some(id) = self.local(&name).and_then(|l| l.literal) else { return };
        let found = self.solved.entry(id).or_insert_with(|| Some(ty.clone()));
        if found.as_ref() != Some(ty) {
            *found = None;
        }
    }

    fn if_(&mut self, i: &ExprIf, want: Option<&Ty>) {
        let inner = if i.else_branch.is_some() { want } else { None };
        self.scoped(|w| {
            w.expr(&i.cond);
            w.block(&i.then_branch, inner);
        });
        match (&i.else_branch, want) {
            (Some((_, other)), _) => self.tail(other, want),
            (None, Some(want)) => {
                let at = self.text.between(i.if_token.span, i.then_branch.brace_token.span.close());
                agree::agree_unit(self, at, want);
            }
            _ => {}
        }
    }

    fn match_(&mut self, m: &ExprMatch, want: Option<&Ty>) {
        self.expr(&m.expr);
        let ty = infer::ty_of(self, &m.expr);
        for arm in &m.arms {
            self.scoped(|w| {
                w.bind_pattern(&arm.pat, ty.clone(), false, false);
                if let Some((_, guard)) = &arm.guard {
                    w.expr(guard);
                }
                w.tail(&arm.body, want);
            });
        }
    }

    fn loop_fact(
        &mut self,
        kind: &'static str,
        keyword: Span,
        body: &Block,
        attrs: &[Attribute],
        decreases: bool,
        invariants: Vec<At>,
        cond: Option<&Expr>,
    ) {
        let measure = cond.and_then(|c| match c {
            Expr::Binary(b) if matches!(b.op, BinOp::Lt(_) | BinOp::Le(_) | BinOp::Ne(_)) => {
                let left = self.text.slice(expr_at(self.text, &b.left));
                let right = self.text.slice(expr_at(self.text, &b.right));
                Some(format!("{right} - {left}"))
            }
            Expr::Binary(b) if matches!(b.op, BinOp::Gt(_) | BinOp::Ge(_)) => {
                let left = self.text.slice(expr_at(self.text, &b.left));
                let right = self.text.slice(expr_at(self.text, &b.right));
                Some(if right == "0" {
                    left
                } else {
                    format!("{left} - {right}")
                })
            }
            _ => None,
        });
        self.facts.loops.push(facts::Loop {
            at: self.text.between(keyword, body.brace_token.span.close()),
            keyword: self.at(keyword),
            place: self.place,
            kind,
            decreases,
            invariants,
            body: self
                .text
                .between(body.brace_token.span.open(), body.brace_token.span.close()),
            cond: cond.map(|c| expr_at(self.text, c)),
            attrs: attrs.iter().map(|a| attr(self.text, a)).collect(),
            measure,
        });
    }

    fn clause_ats(&self, parts: &[Option<&Specification>]) -> Vec<At> {
        parts
            .iter()
            .flatten()
            .flat_map(|s| s.exprs.iter())
            .map(|e| expr_at(self.text, e))
            .collect()
    }

    fn quantifier(
        &mut self,
        kind: &'static str,
        at: At,
        inputs: Vec<&Pat>,
        inner: &[Attribute],
        bodies: Vec<&Expr>,
    ) {
        let mut vars = Vec::new();
        for pat in inputs {
            let ty = match pat {
                Pat::Type(p) => self.text.slice(self.at(p.ty.span())),
                _ => String::new(),
            };
            let mut names = Vec::new();
            names_in(self.text, pat, &mut names);
            for (name, _) in names {
                vars.push((name, ty.clone()));
            }
        }
        let mut terms: Vec<_> = bodies.iter().map(|b| term(self.text, b)).collect();
        let body = match terms.len() {
            1 => terms.remove(0),
            _ => facts::Term {
                k: "binary",
                n: "==>".into(),
                at,
                c: terms,
            },
        };
        self.facts.quantifiers.push(facts::Quantifier {
            at,
            place: self.place,
            kind,
            vars,
            triggers: inner.iter().any(|a| {
                a.path().segments.last().is_some_and(|s| {
                    let n = s.ident.to_string();
                    n == "trigger" || n == "auto" || n == "all_triggers"
                })
            }) || !inner.is_empty(),
            body,
        });
    }

    fn macro_use(&mut self, mac: &Macro, at: At) {
        let (open, close) = delimiters(mac);
        self.facts.macros.push(facts::MacroUse {
            at,
            place: self.place,
            path: mac
                .path
                .segments
                .iter()
                .map(|s| s.ident.to_string())
                .collect(),
            args: self.text.between(open, close),
            item: false,
            parent: self.place.function,
        });
    }

    fn attribute_facts(&mut self, e: &Expr) {
        let attrs = attributes(e);
        if attrs.is_empty() {
            return;
        }
        // The expression without its attributes begins behind the last of them.
        let whole = expr_at(self.text, e);
        for a in attrs {
            let attr = attr(self.text, a);
            self.facts.attributes.push(facts::AttrUse {
                at: attr.at,
                place: self.place,
                path: attr.path,
                args: attr.args,
                inner: attr.inner,
                on: "expr",
                target: Some([attr.at[1], whole[1]]),
                cfg: false,
            });
        }
    }

    pub fn mut_ref(&mut self, base: &Expr, how: &'static str) {
        if !self.post {
            return;
        }
        let Expr::Path(p) = base else { return };
        let Some(name) = p.path.get_ident().map(|i| i.to_string()) else {
            return;
        };
        match self.local(&name) {
            Some(local) if local.param && matches!(local.ty, Ty::Ref(true, _)) => {}
            _ => return,
        }
        let at = path_at(self.text, &p.path);
        self.facts.mut_refs.push(facts::MutRef {
            at,
            place: self.place,
            name,
            how,
        });
    }

    pub fn refused(&mut self, at: At, note: &str) {
        self.facts.refused.push(Noted {
            at,
            place: self.place,
            note: note.into(),
        });
    }

    fn tuple_measure(&mut self, c: &Decreases) {
        if c.exprs.exprs.iter().any(|e| matches!(e, Expr::Tuple(_))) {
            let at = self.at(c.token.span);
            self.refused(at, "decreases of a tuple");
        }
    }

    /// `old(x)` and `final(x)`: what is inside names its state.
    fn stated(&mut self, e: &Expr) {
        let before = self.post;
        self.post = false;
        self.expr(e);
        self.post = before;
    }

    fn call(&mut self, e: &ExprCall) {
        let text = self.text;
        let path = match &*e.func {
            Expr::Path(p) if p.qself.is_none() => Some(&p.path),
            _ => None,
        };
        let names: Vec<String> = path
            .map(|p| p.segments.iter().map(|s| s.ident.to_string()).collect())
            .unwrap_or_default();
        let single = if names.len() == 1 {
            names[0].as_str()
        } else {
            ""
        };
        if let Some(path) = path {
            self.facts.calls.push(facts::Call {
                at: text.between(first(&e.func), e.paren_token.span.close()),
                callee: path_at(text, path),
                place: self.place,
                local: self.local(&names[0]).is_some(),
                args: e.args.iter().map(|a| expr_at(text, a)).collect(),
                generics: path.segments.iter().any(|s| !s.arguments.is_none()),
                path: names.clone(),
            });
        } else {
            self.expr(&e.func);
        }
        if single == "old" && e.args.len() == 1 {
            return self.stated(&e.args[0]);
        }
        if matches!(single, "Ghost" | "Tracked") && e.args.len() == 1 {
            return self.within(Mode::Ghost, |w| w.expr(&e.args[0]));
        }
        if names.last().is_some_and(|n| n == "decreases") {
            let place = self.place;
            let at = text.between(first(&e.func), e.paren_token.span.close());
            self.facts.decreases_calls.push(Site { at, place });
            return self.within(Mode::Unknown, |w| e.args.iter().for_each(|a| w.expr(a)));
        }
        agree::call_arguments(self, e, &names);
        let builds = names
            .last()
            .and_then(|n| n.chars().next())
            .is_some_and(|c| c.is_uppercase());
        if builds && self.env.ghost_fields {
            return self.within(Mode::Unknown, |w| e.args.iter().for_each(|a| w.expr(a)));
        }
        for a in &e.args {
            self.expr(a);
        }
    }

    fn closure(&mut self, c: &ExprClosure) {
        let place = self.place;
        let result = std::mem::replace(&mut self.result, Ty::Unknown);
        let at = self.text.between(c.or1_token.span, last(&c.body));
        if self.ghost() && c.proof_fn.is_none() && (c.requires.is_some() || c.ensures.is_some()) {
            self.refused(at, "ghost closures cannot have requires/ensures");
        }
        self.place.dead = false;
        let lambda = std::mem::replace(&mut self.lambda, true);
        match (self.place.mode, c.proof_fn.is_some()) {
            (Mode::Exec, false) => self.place.closure = true,
            (Mode::Exec, true) | (_, true) => self.place.mode = Mode::Proof,
            (Mode::Unknown, false) => {}
            (_, false) => self.place.mode = Mode::Spec,
        }
        self.scoped(|w| {
            for input in &c.inputs {
                w.bind_pattern(&input.pat, Ty::Unknown, false, false);
            }
            if let Some(r) = &c.requires {
                w.spec_clauses(&r.exprs);
            }
            if let Some(r) = &c.ensures {
                w.scoped(|w| {
                    if let ReturnType::Type(_, _, Some(name), _) = &c.output {
                        w.bind_pattern(&name.1, Ty::Unknown, false, false);
                    }
                    w.spec_clauses(&r.exprs);
                });
            }
            w.expr(&c.body);
        });
        self.lambda = lambda;
        self.result = result;
        self.place = place;
    }

    pub fn expr(&mut self, e: &Expr) {
        self.attribute_facts(e);
        match e {
            Expr::Path(p) => {
                if p.qself.is_none() {
                    let path: Vec<String> = p
                        .path
                        .segments
                        .iter()
                        .map(|s| s.ident.to_string())
                        .collect();
                    let local = self.local(&path[0]).is_some();
                    let at = path_at(self.text, &p.path);
                    self.facts.paths.push(facts::PathUse {
                        at,
                        place: self.place,
                        path,
                        local,
                    });
                }
            }
            Expr::Unary(u) => self.unary(u),
            Expr::Assert(a) => {
                let prover = a.prover.is_some();
                if let Some((_, name)) = &a.prover {
                    let known = ["compute", "compute_only", "bit_vector", "nonlinear_arith"];
                    if !known.contains(&name.to_string().as_str()) {
                        let at = self.at(name.span());
                        self.refused(at, "unknown prover");
                    }
                }
                self.within(Mode::Spec, |w| {
                    // A special solver has its own rules for what stands in the query.
                    w.place.unsure |= prover;
                    w.expr(&a.expr);
                });
                if let Some(r) = &a.requires {
                    self.spec_clauses(&r.exprs);
                }
                if let Some(body) = &a.body {
                    self.within(Mode::Proof, |w| w.block(body, None));
                }
            }
            Expr::AssertForall(a) => {
                let mut bodies = vec![&*a.expr];
                bodies.extend(a.implies.iter().map(|(_, e)| &**e));
                let at = self
                    .text
                    .between(a.assert_token.span, a.body.brace_token.span.close());
                let inner: Vec<Attribute> = a
                    .attrs
                    .iter()
                    .filter(|a| matches!(a.style, AttrStyle::Inner(_)))
                    .cloned()
                    .collect();
                self.quantifier(
                    "assert_forall",
                    at,
                    a.inputs.iter().collect(),
                    &inner,
                    bodies,
                );
                self.scoped(|w| {
                    for input in &a.inputs {
                        w.bind_pattern(input, Ty::Unknown, true, false);
                    }
                    w.within(Mode::Spec, |w| {
                        w.expr(&a.expr);
                        if let Some((_, e)) = &a.implies {
                            w.expr(e);
                        }
                    });
                    w.within(Mode::Proof, |w| w.block(&a.body, None));
                });
            }
            Expr::Assume(a) => self.within(Mode::Spec, |w| w.expr(&a.expr)),
            Expr::RevealHide(r) => {
                if r.path.qself.is_none()
                    && r.path.path.segments.first().is_some_and(|s| s.ident == "Self")
                {
                    let at = path_at(self.text, &r.path.path);
                    self.refused(at, "reveal of Self");
                }
            }
            Expr::View(v) => {
                let at = self.text.between(first(&v.expr), v.at_token.span);
                self.facts.views.push(Site {
                    at,
                    place: self.place,
                });
                self.mut_ref(&v.expr, "view");
                self.expr(&v.expr);
            }
            Expr::Final(f) => self.stated(&f.arg),
            Expr::Closure(c) => self.closure(c),
            Expr::Call(c) => self.call(c),
            Expr::MethodCall(m) => {
                self.facts.methods.push(facts::Method {
                    at: self
                        .text
                        .between(first(&m.receiver), m.paren_token.span.close()),
                    name_at: self.at(m.method.span()),
                    place: self.place,
                    name: m.method.to_string(),
                    receiver: expr_at(self.text, &m.receiver),
                    receiver_type: infer::ty_of(self, &m.receiver),
                    on_self: matches!(&*m.receiver, Expr::Path(p) if p.path.is_ident("self")),
                    args: m.args.iter().map(|a| expr_at(self.text, a)).collect(),
                });
                self.mut_ref(&m.receiver, "method");
                agree::method_arguments(self, m);
                self.expr(&m.receiver);
                for a in &m.args {
                    self.expr(a);
                }
            }
            Expr::Macro(m) => {
                let at = self
                    .text
                    .between(m.mac.path.segments[0].ident.span(), delimiters(&m.mac).1);
                self.macro_use(&m.mac, at);
            }
            Expr::While(l) => {
                let invariants = self.clause_ats(&[
                    l.invariant_except_break.as_ref().map(|c| &c.exprs),
                    l.invariant.as_ref().map(|c| &c.exprs),
                    l.invariant_ensures.as_ref().map(|c| &c.exprs),
                ]);
                self.loop_fact(
                    "while",
                    l.while_token.span,
                    &l.body,
                    &l.attrs,
                    l.decreases.is_some(),
                    invariants,
                    Some(&l.cond),
                );
                self.scoped(|w| {
                    w.expr(&l.cond);
                    w.loop_clauses(
                        &l.invariant_except_break,
                        &l.invariant,
                        &l.invariant_ensures,
                        &l.ensures,
                        &l.decreases,
                    );
                    w.block(&l.body, None);
                });
            }
            Expr::Loop(l) => {
                let invariants = self.clause_ats(&[
                    l.invariant_except_break.as_ref().map(|c| &c.exprs),
                    l.invariant.as_ref().map(|c| &c.exprs),
                    l.invariant_ensures.as_ref().map(|c| &c.exprs),
                ]);
                self.loop_fact(
                    "loop",
                    l.loop_token.span,
                    &l.body,
                    &l.attrs,
                    l.decreases.is_some(),
                    invariants,
                    None,
                );
                self.loop_clauses(
                    &l.invariant_except_break,
                    &l.invariant,
                    &l.invariant_ensures,
                    &l.ensures,
                    &l.decreases,
                );
                self.block(&l.body, None);
            }
            Expr::ForLoop(l) => {
                let invariants = self.clause_ats(&[
                    l.invariant_except_break.as_ref().map(|c| &c.exprs),
                    l.invariant.as_ref().map(|c| &c.exprs),
                ]);
                self.loop_fact(
                    "for",
                    l.for_token.span,
                    &l.body,
                    &l.attrs,
                    l.decreases.is_some(),
                    invariants,
                    None,
                );
                self.expr(&l.expr);
                let ty = infer::for_item(self, &l.expr);
                self.scoped(|w| {
                    if let Some(name) = &l.expr_name {
                        w.bind(&name.0.to_string(), Ty::Unknown, true, false);
                    }
                    w.bind_pattern(&l.pat, ty, false, false);
                    w.loop_clauses(
                        &l.invariant_except_break,
                        &l.invariant,
                        &None,
                        &l.ensures,
                        &l.decreases,
                    );
                    w.block(&l.body, None);
                });
            }
            Expr::If(i) => self.if_(i, None),
            Expr::Match(m) => self.match_(m, None),
            Expr::Let(l) => {
                self.expr(&l.expr);
                let ty = infer::ty_of(self, &l.expr);
                self.bind_pattern(&l.pat, ty, false, false);
            }
            Expr::Matches(m) => {
                self.expr(&m.lhs);
                if let Some(op) = &m.op_expr {
                    self.scoped(|w| {
                        w.bind_pattern(&m.pat, Ty::Unknown, false, false);
                        w.expr(&op.rhs);
                    });
                }
            }
            Expr::Block(b) => self.block(&b.block, None),
            Expr::Unsafe(b) => {
                let at = self
                    .text
                    .between(b.unsafe_token.span, b.block.brace_token.span.close());
                self.facts.unsafe_blocks.push(Site {
                    at,
                    place: self.place,
                });
                self.block(&b.block, None);
            }
            Expr::Const(b) => self.block(&b.block, None),
            Expr::Async(b) => self.block(&b.block, None),
            Expr::Field(f) => {
                self.mut_ref(&f.base, "field");
                self.expr(&f.base);
            }
            Expr::GetField(f) => {
                self.mut_ref(&f.base, "field");
                self.expr(&f.base);
            }
            Expr::Index(i) => {
                self.mut_ref(&i.expr, "index");
                if matches!(&*i.index, Expr::Range(r) if r.start.is_none() || r.end.is_none()) {
                    let at = expr_at(self.text, e);
                    self.facts.slices.push(Site {
                        at,
                        place: self.place,
                    });
                }
                agree::index(self, i);
                self.expr(&i.expr);
                self.expr(&i.index);
            }
            Expr::Cast(c) => {
                let (ty_first, ty_last) = type_span(&c.ty);
                let to_at = self.text.between(ty_first, ty_last);
                self.facts.casts.push(facts::Cast {
                    at: [expr_at(self.text, &c.expr)[0], to_at[1]],
                    place: self.place,
                    to: self.text.slice(to_at),
                    from: infer::ty_of(self, &c.expr),
                });
                self.expr(&c.expr);
            }
            Expr::Lit(l) => {
                let suffix = match &l.lit {
                    Lit::Int(i) => i.suffix(),
                    Lit::Float(f) => f.suffix(),
                    _ => return,
                };
                if !suffix.is_empty() {
                    self.facts.literals.push(facts::Literal {
                        at: self.at(l.lit.span()),
                        place: self.place,
                        suffix: suffix.to_string(),
                    });
                }
            }
            Expr::Assign(a) => {
                self.expr(&a.left);
                let target = match &*a.left {
                    Expr::Path(p) => p.path.get_ident().map(|i| i.to_string()),
                    _ => None,
                };
                let ghost = target
                    .as_ref()
                    .and_then(|n| self.local(n))
                    .is_some_and(|l| l.ghost);
                let simple = target.is_some() || matches!(&*a.left, Expr::Index(_));
                let mode = match (ghost, simple, self.place.mode) {
                    (false, true, mode) => mode,
                    (_, _, Mode::Exec) => Mode::Unknown,
                    (_, _, mode) => mode,
                };
                self.within(mode, |w| {
                    agree::assign(w, &a.left, &a.right);
                    w.expr(&a.right);
                });
            }
            Expr::Struct(s) => {
                let name = s
                    .path
                    .get_ident()
                    .map(|i| i.to_string())
                    .unwrap_or_default();
                let known = self.env.fields.contains_key(&name) && !self.env.ghost_fields;
                let mode = if known || self.ghost() {
                    self.place.mode
                } else {
                    Mode::Unknown
                };
                agree::fields(self, s, &name);
                self.within(mode, |w| {
                    for f in &s.fields {
                        w.expr(&f.expr);
                    }
                    if let Some(rest) = &s.rest {
                        w.expr(rest);
                    }
                });
            }
            Expr::Return(r) => {
                if self.ghost() && self.exec_function && !self.lambda {
                    let at = self.at(r.return_token.span);
                    self.refused(at, "return");
                }
                if let Some(value) = &r.expr {
                    let want = self.result.clone();
                    agree::agree(self, value, &want, "return");
                    self.expr(value);
                }
            }
            Expr::Binary(b) => {
                if self.place.mode == Mode::Exec && chained(b) {
                    let at = expr_at(self.text, e);
                    self.refused(at, "chain");
                }
                agree::binary(self, b);
                self.expr(&b.left);
                // `a && let P = x` binds for what follows.
                self.expr(&b.right);
            }
            _ => visit::visit_expr(self, e),
        }
    }

    fn loop_clauses(
        &mut self,
        except: &Option<InvariantExceptBreak>,
        invariant: &Option<Invariant>,
        both: &Option<InvariantEnsures>,
        ensures: &Option<Ensures>,
        decreases: &Option<Decreases>,
    ) {
        if let Some(c) = decreases {
            self.tuple_measure(c);
        }
        let parts = [
            except.as_ref().map(|c| &c.exprs),
            invariant.as_ref().map(|c| &c.exprs),
            both.as_ref().map(|c| &c.exprs),
            ensures.as_ref().map(|c| &c.exprs),
            decreases.as_ref().map(|c| &c.exprs),
        ];
        for part in parts.into_iter().flatten() {
            self.spec_clauses(part);
        }
    }

    fn unary(&mut self, u: &ExprUnary) {
        let at = self.text.between(op_span(&u.op), last(&u.expr));
        match &u.op {
            UnOp::Proof(_) => {
                self.facts.proof_blocks.push(Site {
                    at,
                    place: self.place,
                });
                self.within(Mode::Proof, |w| w.expr(&u.expr));
            }
            UnOp::Forall(_) | UnOp::Exists(_) | UnOp::Choose(_) => {
                let kind = match &u.op {
                    UnOp::Forall(_) => "forall",
                    UnOp::Exists(_) => "exists",
                    _ => "choose",
                };
                if self.place.mode == Mode::Exec {
                    let place = self.place;
                    self.facts.ghost_exprs.push(Noted {
                        at,
                        place,
                        note: kind.into(),
                    });
                }
                let Expr::Closure(c) = &*u.expr else {
                    return self.expr(&u.expr);
                };
                let inputs = c.inputs.iter().map(|i| &i.pat).collect();
                self.quantifier(kind, at, inputs, &c.inner_attrs, vec![&c.body]);
                self.scoped(|w| {
                    for input in &c.inputs {
                        w.bind_pattern(&input.pat, Ty::Unknown, true, false);
                    }
                    let mode = if w.place.mode == Mode::Unknown {
                        Mode::Unknown
                    } else {
                        Mode::Spec
                    };
                    w.within(mode, |w| w.expr(&c.body));
                });
            }
            UnOp::Deref(_) => {
                self.mut_ref(&u.expr, "deref");
                self.expr(&u.expr);
            }
            _ => self.expr(&u.expr),
        }
    }
}

type Local_ = verus_syn::Local;

fn op_span(op: &UnOp) -> Span {
    op.span()
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

/// Whether control certainly, or possibly, does not go on behind this expression.
fn ends(e: &Expr) -> bool {
    match e {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Macro(m) => panics(&m.mac),
        Expr::Block(b) => block_ends(&b.block),
        Expr::Unsafe(b) => block_ends(&b.block),
        Expr::If(i) => {
            block_ends(&i.then_branch) && i.else_branch.as_ref().is_some_and(|(_, e)| ends(e))
        }
        Expr::Match(m) => m.arms.iter().all(|a| ends(&a.body)),
        // Whether a break leaves it is not looked at: silence is the safe side.
        Expr::Loop(_) => !has_break(e),
        Expr::Call(c) => match &*c.func {
            Expr::Path(p) => p.path.segments.last().is_some_and(|s| {
                matches!(
                    s.ident.to_string().as_str(),
                    "unreached" | "panic" | "abort" | "exit"
                )
            }),
            _ => false,
        },
        Expr::Paren(p) => ends(&p.expr),
        _ => false,
    }
}

fn block_ends(b: &Block) -> bool {
    b.stmts.iter().any(|s| match s {
        Stmt::Expr(e, _) => ends(e),
        Stmt::Macro(m) => panics(&m.mac),
        _ => false,
    })
}

fn has_break(e: &Expr) -> bool {
    struct Finder(bool);
    impl<'ast> Visit<'ast> for Finder {
        fn visit_expr_break(&mut self, _: &'ast ExprBreak) {
            self.0 = true;
        }
    }
    let mut finder = Finder(false);
    finder.visit_expr(e);
    finder.0
}

fn panics(mac: &Macro) -> bool {
    mac.path.segments.last().is_some_and(|s| {
        matches!(
            s.ident.to_string().as_str(),
            "panic" | "unreachable" | "todo" | "unimplemented"
        )
    })
}

/// `a <= b < c`: the macro makes a ghost expression of it, wherever it stands.
fn chained(b: &ExprBinary) -> bool {
    let links = |op: &BinOp| {
        matches!(
            op,
            BinOp::Le(_) | BinOp::Lt(_) | BinOp::Ge(_) | BinOp::Gt(_) | BinOp::Eq(_)
        )
    };
    links(&b.op) && matches!(&*b.left, Expr::Binary(inner) if links(&inner.op))
}
