//! Facts that need more than one line to write down.

use proc_macro2::Span;
use verus_syn::spanned::Spanned;
use verus_syn::*;

use super::Walker;
use crate::collect::{attr, delimiters, names_in};
use crate::facts::{self, At, Noted};
use crate::spans::{expr_at, path_at};
use crate::terms::{attributes, term};
use crate::types::Ty;

impl Walker<'_> {
    /// `clauses`: whether there is a decreases clause, and the invariants.
    pub(super) fn loop_fact(
        &mut self,
        kind: &'static str,
        keyword: Span,
        body: &Block,
        attrs: &[Attribute],
        clauses: (bool, Vec<At>),
        cond: Option<&Expr>,
    ) {
        let (decreases, invariants) = clauses;
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

    pub(super) fn clause_ats(&self, parts: &[Option<&Specification>]) -> Vec<At> {
        parts
            .iter()
            .flatten()
            .flat_map(|s| s.exprs.iter())
            .map(|e| expr_at(self.text, e))
            .collect()
    }

    pub(super) fn quantifier(
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

    pub(super) fn macro_use(&mut self, mac: &Macro, at: At) {
        // What a macro does with the vectors in scope is not known.
        self.locals.iter_mut().for_each(|l| l.fresh = None);
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

    pub(super) fn attribute_facts(&mut self, e: &Expr) {
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

    pub(super) fn tuple_measure(&mut self, c: &Decreases) {
        if c.exprs.exprs.iter().any(|e| matches!(e, Expr::Tuple(_))) {
            let at = self.at(c.token.span);
            self.refused(at, "decreases of a tuple");
        }
    }
}
