//! Calls, methods, closures, assignments.

use verus_syn::*;

use super::Walker;
use crate::facts::{self, Mode, Site};
use crate::spans::{expr_at, first, last, path_at};
use crate::types::Ty;
use crate::{agree, infer};

/// Clauses and assertions in their older form, as calls at the head of a body: ghost code without
/// the macro's knowledge.
const HEADERS: [&str; 11] = [
    "requires",
    "ensures",
    "recommends",
    "returns",
    "invariant",
    "invariant_ensures",
    "invariant_except_break",
    "loop_ensures",
    "opens_invariants",
    "assert_",
    "assume_",
];

impl Walker<'_> {
    /// `old(x)` and `final(x)`: what is inside names its state.
    pub(super) fn stated(&mut self, e: &Expr) {
        let before = self.post;
        self.post = false;
        self.expr(e);
        self.post = before;
    }

    pub(super) fn call(&mut self, e: &ExprCall) {
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
        if names.last().is_some_and(|n| HEADERS.contains(&n.as_str())) {
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
        self.arguments(&e.args);
    }

    fn arguments(&mut self, arguments: &punctuated::Punctuated<Expr, Token![,]>) {
        let mode = match self.place.mode {
            Mode::Exec if self.env.ghost_params => Mode::Unknown,
            mode => mode,
        };
        self.within(mode, |w| arguments.iter().for_each(|a| w.expr(a)));
    }

    pub(super) fn method_call(&mut self, m: &ExprMethodCall) {
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
        if self.only_length(m) {
            return;
        }
        self.element_receiver(&m.receiver);
        self.mut_ref(&m.receiver, "method");
        agree::method_arguments(self, m);
        self.expr(&m.receiver);
        self.arguments(&m.args);
    }

    pub(super) fn closure(&mut self, c: &ExprClosure) {
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

    pub(super) fn assignment(&mut self, a: &ExprAssign) {
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
}
