//! Where control ends, and chains of comparisons.

use verus_syn::visit::Visit;
use verus_syn::*;

/// Whether control certainly, or possibly, does not go on behind this expression.
pub(super) fn ends(e: &Expr) -> bool {
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

pub(super) fn block_ends(b: &Block) -> bool {
    b.stmts.iter().any(|s| match s {
        Stmt::Expr(e, _) => ends(e),
        Stmt::Macro(m) => panics(&m.mac),
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
