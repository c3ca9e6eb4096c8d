//! Ghost constructs: assert, proof blocks, quantifiers, reveal.

use proc_macro2::Span;
use verus_syn::spanned::Spanned;
use verus_syn::*;

use super::Walker;
use crate::facts::{Mode, Noted, Site};
use crate::spans::{last, path_at};
use crate::types::Ty;

impl Walker<'_> {
    pub(super) fn assertion(&mut self, a: &Assert) {
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

    pub(super) fn assert_forall(&mut self, a: &AssertForall) {
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

    pub(super) fn reveal(&mut self, r: &RevealHide) {
        if r.path.qself.is_none()
            && r.path
                .path
                .segments
                .first()
                .is_some_and(|s| s.ident == "Self")
        {
            let at = path_at(self.text, &r.path.path);
            self.refused(at, "reveal of Self");
        }
    }

    pub(super) fn unary(&mut self, u: &ExprUnary) {
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

fn op_span(op: &UnOp) -> Span {
    op.span()
}
