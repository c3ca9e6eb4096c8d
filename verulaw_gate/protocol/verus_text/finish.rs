/// The table `toward` does what it says: a state at distance 0 is accepting, and from any other
/// state its marker is legal and leads nearer.
proof fn lemma_toward(s: State)
    ensures
        distance(s) == 0 ==> accepting(s),
        distance(s) > 0 ==> step(s, toward(s)) is Some && distance(step(s, toward(s))->0) < distance(s),
{
}

/// There is no dead end: every valid prefix can be completed. (Print this, `lemma_toward` and the
/// tables `distance` and `toward` only for an automaton without dead states.)
pub proof fn theorem_can_finish(steps: Seq<Marker>) -> (more: Seq<Marker>)
    requires
        valid_prefix(steps),
    ensures
        complete(steps + more),
        more.len() <= distance(run(steps)->0),
    decreases distance(run(steps)->0),
{
    hide(step);
    hide(toward);
    hide(distance);
    let s = run(steps)->0;
    lemma_toward(s);
    if distance(s) == 0 {
        assert(steps + Seq::<Marker>::empty() =~= steps);
        Seq::empty()
    } else {
        lemma_extend(steps, toward(s));
        let more = theorem_can_finish(steps.push(toward(s)));
        assert(steps.push(toward(s)) + more =~= steps + (seq![toward(s)] + more));
        seq![toward(s)] + more
    }
}
