//! Vectors whose element type nothing has fixed yet. rustc reads a body from top to bottom: a
//! method call on an element (and ghost comparisons are method calls) needs the type at once.

use verus_syn::*;

use super::Walker;

impl Walker<'_> {
    /// `v` in `v[i]` or `v@[i]`, if it is such a vector.
    fn fresh_element(&self, e: &Expr) -> Option<usize> {
        let Expr::Index(index) = bare(e) else {
            return None;
        };
        self.fresh_vector(&index.expr)
    }

    fn fresh_vector(&self, e: &Expr) -> Option<usize> {
        let path = match bare(e) {
            Expr::View(v) => bare(&v.expr),
            other => other,
        };
        let Expr::Path(p) = path else { return None };
        let name = p.path.get_ident()?.to_string();
        let at = self.locals.iter().rposition(|l| l.name == name)?;
        self.locals[at].fresh.map(|_| at)
    }

    /// The element is the receiver of a method (also of `@`) in ghost code.
    pub(super) fn element_receiver(&mut self, e: &Expr) {
        if !self.ghost() || self.place.unsure {
            return;
        }
        if let Some(at) = self.fresh_element(e) {
            if let Some(place) = self.locals[at].fresh.take() {
                self.refused(place, "untyped vector");
            }
        }
    }

    /// Any other mention may give the vector its type.
    pub(super) fn mentioned(&mut self, name: &str) {
        if let Some(local) = self.locals.iter_mut().rev().find(|l| l.name == name) {
            local.fresh = None;
        }
    }

    /// `v.len()` and `v@.len()` in ghost code say nothing about the elements.
    pub(super) fn only_length(&self, m: &ExprMethodCall) -> bool {
        self.ghost()
            && m.method == "len"
            && m.args.is_empty()
            && self.fresh_vector(&m.receiver).is_some()
    }
}

fn bare(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(p) => bare(&p.expr),
        other => other,
    }
}
