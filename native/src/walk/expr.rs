//! Expressions: which code is ghost, what is called where.

use verus_syn::visit;
use verus_syn::*;

use super::control::chained;
use super::Walker;
use crate::collect::{behind_cfg_attrs, delimiters};
use crate::facts::{self, Mode, Site};
use crate::spans::{expr_at, first, path_at, type_span};
use crate::terms::attributes;
use crate::types::Ty;
use crate::{agree, infer};

impl Walker<'_> {
    pub fn expr(&mut self, e: &Expr) {
        if !self.place.unsure && behind_cfg_attrs(self.text, attributes(e)) {
            self.place.unsure = true;
            self.expr(e);
            self.place.unsure = false;
            return;
        }
        self.attribute_facts(e);
        match e {
            Expr::Path(p) => {
                // Locals explain themselves; longer paths are not resolved.
                if let Some(name) = p.path.get_ident().map(|i| i.to_string()) {
                    if self.local(&name).is_some() {
                        self.mentioned(&name);
                    } else {
                        let at = path_at(self.text, &p.path);
                        let place = self.place;
                        self.facts.paths.push(facts::PathUse { at, place, name });
                    }
                }
            }
            Expr::Unary(u) => self.unary(u),
            Expr::Assert(a) => self.assertion(a),
            Expr::AssertForall(a) => self.assert_forall(a),
            Expr::Assume(a) => self.within(Mode::Spec, |w| w.expr(&a.expr)),
            Expr::RevealHide(r) => self.reveal(r),
            Expr::View(v) => {
                let at = self.text.between(first(&v.expr), v.at_token.span);
                self.facts.views.push(Site {
                    at,
                    place: self.place,
                });
                self.mut_ref(&v.expr, "view");
                self.element_receiver(&v.expr);
                self.expr(&v.expr);
            }
            Expr::Final(f) => self.stated(&f.arg),
            Expr::Closure(c) => self.closure(c),
            Expr::Call(c) => self.call(c),
            Expr::MethodCall(m) => self.method_call(m),
            Expr::Macro(m) => {
                let at = self
                    .text
                    .between(m.mac.path.segments[0].ident.span(), delimiters(&m.mac).1);
                self.macro_use(&m.mac, at);
            }
            Expr::While(l) => self.while_(l),
            Expr::Loop(l) => self.loop_(l),
            Expr::ForLoop(l) => self.for_(l),
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
            Expr::Async(b) => {
                // A return inside is the block's own.
                let result = std::mem::replace(&mut self.result, Ty::Unknown);
                self.block(&b.block, None);
                self.result = result;
            }
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
            Expr::Assign(a) => self.assignment(a),
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
                let chain = chained(b);
                if !chain && !self.in_chain && method_operator(&b.op) {
                    self.element_receiver(&b.left);
                }
                agree::binary(self, b);
                let outer = std::mem::replace(&mut self.in_chain, chain);
                self.expr(&b.left);
                self.in_chain = outer;
                // `a && let P = x` binds for what follows.
                self.expr(&b.right);
            }
            _ => visit::visit_expr(self, e),
        }
    }
}

/// Operators that the macro turns into method calls of their left side in ghost code.
fn method_operator(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::Lt(_)
            | BinOp::Le(_)
            | BinOp::Gt(_)
            | BinOp::Ge(_)
            | BinOp::Add(_)
            | BinOp::Sub(_)
            | BinOp::Mul(_)
    )
}
