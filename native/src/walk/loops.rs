//! Loops and their clauses.

use verus_syn::*;

use super::Walker;
use crate::infer;
use crate::types::Ty;

impl Walker<'_> {
    pub(super) fn while_(&mut self, l: &ExprWhile) {
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
            (l.decreases.is_some(), invariants),
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

    pub(super) fn loop_(&mut self, l: &ExprLoop) {
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
            (l.decreases.is_some(), invariants),
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

    pub(super) fn for_(&mut self, l: &ExprForLoop) {
        let invariants = self.clause_ats(&[
            l.invariant_except_break.as_ref().map(|c| &c.exprs),
            l.invariant.as_ref().map(|c| &c.exprs),
        ]);
        self.loop_fact(
            "for",
            l.for_token.span,
            &l.body,
            &l.attrs,
            (l.decreases.is_some(), invariants),
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

    pub(super) fn loop_clauses(
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
}
