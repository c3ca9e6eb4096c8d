//! Blocks and statements: scopes, and what the last expression must be.

use proc_macro2::TokenTree;
use verus_syn::spanned::Spanned;
use verus_syn::*;

use super::control::{calls_any, ends, let_ends, panics};
use super::Walker;
use crate::collect::{behind_cfg_attrs, delimiters, mode_attribute};
use crate::facts::Mode;
use crate::types::Ty;
use crate::{agree, infer};

/// Macros of vstd and std that bind no name of their caller.
const PLAIN_MACROS: [&str; 14] = [
    "assert_by_contradiction",
    "assert_seqs_equal",
    "assert_sets_equal",
    "assert_maps_equal",
    "assert_multisets_equal",
    "calc",
    "seq",
    "vec",
    "println",
    "print",
    "panic",
    "unreachable",
    "assert",
    "debug_assert",
];

impl Walker<'_> {
    /// A block; `want` is the type its last expression must have, where that is known.
    pub(super) fn block(&mut self, block: &Block, want: Option<&Ty>) {
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
                Stmt::Local(local) if behind_cfg_attrs(self.text, &local.attrs) => {
                    let (unsure, known) = (self.place.unsure, self.locals.len());
                    self.place.unsure = true;
                    self.local_stmt(local);
                    self.place.unsure = unsure;
                    for local in &mut self.locals[known..] {
                        local.ty = Ty::Unknown;
                    }
                }
                Stmt::Local(local) => {
                    self.local_stmt(local);
                    if let_ends(local) || self.never_ends(stmt) {
                        self.place.dead = true;
                    }
                }
                Stmt::Item(_) => {}
                Stmt::Expr(e, semi) => {
                    if i + 1 == count && semi.is_none() {
                        self.tail(e, want);
                    } else {
                        self.expr(e);
                    }
                    if ends(e) || self.never_ends(stmt) {
                        self.place.dead = true;
                    }
                }
                Stmt::Macro(m) => {
                    let unsure = self.place.unsure;
                    self.place.unsure |= behind_cfg_attrs(self.text, &m.attrs);
                    self.macro_use(
                        &m.mac,
                        self.text
                            .between(m.mac.path.segments[0].ident.span(), delimiters(&m.mac).1),
                    );
                    self.place.unsure = unsure;
                    self.rebound(&m.mac);
                    if panics(&m.mac) {
                        self.place.dead = true;
                    }
                }
            }
        }
        self.locals.truncate(locals);
        self.place = place;
    }

    /// Whether a function of the file that never returns is called somewhere inside.
    fn never_ends(&self, stmt: &Stmt) -> bool {
        !self.env.endless.is_empty() && calls_any(stmt, &self.env.endless)
    }

    /// A macro as a statement may bind the names that it is given anew.
    fn rebound(&mut self, mac: &Macro) {
        let name = mac.path.segments.last().map(|s| s.ident.to_string());
        if name.is_some_and(|n| PLAIN_MACROS.contains(&n.as_str())) {
            return;
        }
        let mut ahead = vec![mac.tokens.clone()];
        while let Some(tokens) = ahead.pop() {
            for token in tokens {
                match token {
                    TokenTree::Group(group) => ahead.push(group.stream()),
                    TokenTree::Ident(word) => {
                        let word = word.to_string();
                        if self.local(&word).is_some() {
                            self.bind(&word, Ty::Unknown, false, false);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// An expression in tail position of a body whose result is `want`.
    pub(super) fn tail(&mut self, e: &Expr, want: Option<&Ty>) {
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

    pub(super) fn local_stmt(&mut self, local: &verus_syn::Local) {
        let ghost = local.ghost.is_some() || local.tracked.is_some();
        let mode = match (local.ghost.is_some(), local.tracked.is_some()) {
            (true, _) => Mode::Ghost,
            (_, true) if self.place.mode == Mode::Exec => Mode::Proof,
            _ if mode_attribute(self.text, &local.attrs) => Mode::Unknown,
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
        // `let Ghost(x) = ..` binds ghost names.
        let unwraps = matches!(pat, Pat::TupleStruct(p)
            if p.path.is_ident("Ghost") || p.path.is_ident("Tracked"));
        let start = self.at(local.let_token.span)[0];
        let literal = !ghost
            && declared.is_none()
            && self.place.mode == Mode::Exec
            && matches!(pat, Pat::Ident(_))
            && local
                .init
                .as_ref()
                .is_some_and(|i| infer::ty_of(self, &i.expr) == Ty::Literal);
        if literal {
            ty = self
                .solved
                .get(&start)
                .cloned()
                .flatten()
                .unwrap_or(Ty::Unknown);
            self.needs_types |= !self.solved.contains_key(&start);
        }
        self.bind_pattern(pat, ty, ghost || unwraps, false);
        if literal {
            if let Some(last) = self.locals.last_mut() {
                last.literal = Some(start);
            }
        }
        let fresh = !ghost
            && declared.is_none()
            && self.place.mode == Mode::Exec
            && !self.place.unsure
            && matches!(pat, Pat::Ident(_))
            && local.init.as_ref().is_some_and(|i| new_vector(&i.expr))
            && !self.env.types.declared.contains_key("Vec");
        if fresh {
            let at = self.at(pat.span());
            if let Some(last) = self.locals.last_mut() {
                last.fresh = Some(at);
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
        let Some(name) = p.path.get_ident().map(|i| i.to_string()) else {
            return;
        };
        let Some(id) = self.local(&name).and_then(|l| l.literal) else {
            return;
        };
        let found = self.solved.entry(id).or_insert_with(|| Some(ty.clone()));
        if found.as_ref() != Some(ty) {
            *found = None;
        }
    }

    pub(super) fn if_(&mut self, i: &ExprIf, want: Option<&Ty>) {
        let inner = if i.else_branch.is_some() { want } else { None };
        self.scoped(|w| {
            w.expr(&i.cond);
            w.block(&i.then_branch, inner);
        });
        match (&i.else_branch, want) {
            (Some((_, other)), _) => self.tail(other, want),
            (None, Some(want)) => {
                let at = self
                    .text
                    .between(i.if_token.span, i.then_branch.brace_token.span.close());
                agree::agree_unit(self, at, want);
            }
            _ => {}
        }
    }

    pub(super) fn match_(&mut self, m: &ExprMatch, want: Option<&Ty>) {
        self.expr(&m.expr);
        let ty = infer::ty_of(self, &m.expr);
        for arm in &m.arms {
            let unsure = self.place.unsure;
            self.place.unsure |= behind_cfg_attrs(self.text, &arm.attrs);
            self.scoped(|w| {
                w.bind_pattern(&arm.pat, ty.clone(), false, false);
                if let Some((_, guard)) = &arm.guard {
                    w.expr(guard);
                }
                w.tail(&arm.body, want);
            });
            self.place.unsure = unsure;
        }
    }
}

/// `Vec::new()` or `Vec::with_capacity(n)` without type arguments.
fn new_vector(e: &Expr) -> bool {
    let Expr::Call(c) = e else { return false };
    let Expr::Path(p) = &*c.func else {
        return false;
    };
    let names: Vec<_> = p.path.segments.iter().collect();
    p.qself.is_none()
        && names.len() == 2
        && names.iter().all(|s| s.arguments.is_none())
        && names[0].ident == "Vec"
        && (names[1].ident == "new" || names[1].ident == "with_capacity")
}
