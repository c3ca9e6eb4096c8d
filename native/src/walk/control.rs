//! Where control ends, and chains of comparisons.

use std::collections::HashSet;

use verus_syn::visit::{self, Visit};
use verus_syn::*;

/// Whether control certainly, or possibly, does not go on behind this expression.
pub(super) fn ends(e: &Expr) -> bool {
    match e {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Macro(m) => panics(&m.mac),
        Expr::Block(b) => block_ends(&b.block),
        Expr::Unsafe(b) => block_ends(&b.block),
        Expr::If(i) => {
            ends(&i.cond)
                || (block_ends(&i.then_branch)
                    && i.else_branch.as_ref().is_some_and(|(_, e)| ends(e)))
        }
        Expr::Match(m) => ends(&m.expr) || m.arms.iter().all(|a| ends(&a.body)),
        // Whether a break leaves it is not looked at: silence is the safe side.
        Expr::Loop(_) => !has_break(e),
        Expr::While(l) => ends(&l.cond),
        Expr::Call(c) => never_returns(c) || ends(&c.func) || c.args.iter().any(ends),
        _ => part_ends(e),
    }
}

/// Whether a part that is always computed first never comes to its end.
fn part_ends(e: &Expr) -> bool {
    match e {
        Expr::MethodCall(m) => ends(&m.receiver) || m.args.iter().any(ends),
        Expr::Assign(a) => ends(&a.right) || ends(&a.left),
        Expr::Binary(b) => {
            let lazy = matches!(b.op, BinOp::And(_) | BinOp::Or(_) | BinOp::Imply(_));
            ends(&b.left) || (!lazy && ends(&b.right))
        }
        Expr::Unary(u) => {
            matches!(u.op, UnOp::Not(_) | UnOp::Neg(_) | UnOp::Deref(_)) && ends(&u.expr)
        }
        Expr::Cast(c) => ends(&c.expr),
        Expr::Field(f) => ends(&f.base),
        Expr::Group(g) => ends(&g.expr),
        Expr::Index(i) => ends(&i.expr) || ends(&i.index),
        Expr::Let(l) => ends(&l.expr),
        Expr::Paren(p) => ends(&p.expr),
        Expr::Reference(r) => ends(&r.expr),
        Expr::Try(t) => ends(&t.expr),
        Expr::Array(a) => a.elems.iter().any(ends),
        Expr::Tuple(t) => t.elems.iter().any(ends),
        Expr::Struct(s) => s.fields.iter().any(|f| ends(&f.expr)),
        _ => false,
    }
}

/// Functions of std and vstd that never return, by the last part of their path.
fn never_returns(c: &ExprCall) -> bool {
    match &*c.func {
        Expr::Path(p) => p.path.segments.last().is_some_and(|s| {
            matches!(
                s.ident.to_string().as_str(),
                "unreached" | "panic" | "abort" | "exit"
            )
        }),
        _ => false,
    }
}

/// Whether the value of a `let` is never computed to its end.
pub(super) fn let_ends(local: &Local) -> bool {
    local.init.as_ref().is_some_and(|init| ends(&init.expr))
}

/// Whether a function or method of one of these names is called inside.
pub(super) fn calls_any(stmt: &Stmt, names: &HashSet<String>) -> bool {
    struct Finder<'n>(&'n HashSet<String>, bool);
    impl<'ast> Visit<'ast> for Finder<'_> {
        fn visit_expr_path(&mut self, p: &'ast ExprPath) {
            let last = p.path.segments.last();
            self.1 |= last.is_some_and(|s| self.0.contains(&s.ident.to_string()));
        }
        fn visit_expr_method_call(&mut self, m: &'ast ExprMethodCall) {
            self.1 |= self.0.contains(&m.method.to_string());
            visit::visit_expr_method_call(self, m);
        }
    }
    let mut finder = Finder(names, false);
    finder.visit_stmt(stmt);
    finder.1
}

pub(super) fn block_ends(b: &Block) -> bool {
    b.stmts.iter().any(|s| match s {
        Stmt::Expr(e, _) => ends(e),
        Stmt::Macro(m) => panics(&m.mac),
        Stmt::Local(local) => let_ends(local),
        _ => false,
    })
}

pub(super) fn has_break(e: &Expr) -> bool {
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

pub(super) fn panics(mac: &Macro) -> bool {
    mac.path.segments.last().is_some_and(|s| {
        matches!(
            s.ident.to_string().as_str(),
            "panic" | "unreachable" | "todo" | "unimplemented"
        )
    })
}

/// `a <= b < c`: the macro makes a ghost expression of it, wherever it stands.
pub(super) fn chained(b: &ExprBinary) -> bool {
    let links = |op: &BinOp| {
        matches!(
            op,
            BinOp::Le(_) | BinOp::Lt(_) | BinOp::Ge(_) | BinOp::Gt(_) | BinOp::Eq(_)
        )
    };
    links(&b.op) && matches!(&*b.left, Expr::Binary(inner) if links(&inner.op))
}
