// why: variants of its own imported
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

enum Tree {
    Leaf,
    Node(Box<Tree>, Box<Tree>),
}

use Tree::*;

spec fn depth(t: Tree) -> nat
    decreases t,
{
    match t {
        Leaf => 0,
        Node(a, b) => 1 + depth(*a),
    }
}

} // verus!

fn main() {}
