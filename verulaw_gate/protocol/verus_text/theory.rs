/// The state after a whole trace, or `None` once a marker was illegal.
pub open spec fn run(steps: Seq<Marker>) -> Option<State>
    decreases steps.len(),
{
    if steps.len() == 0 {
        Some(initial())
    } else {
        match run(steps.drop_last()) {
            None => None,
            Some(s) => step(s, steps.last()),
        }
    }
}

/// No marker of `steps` violates the protocol.
pub open spec fn valid_prefix(steps: Seq<Marker>) -> bool {
    run(steps) is Some
}

/// `steps` is valid and may end here.
pub open spec fn complete(steps: Seq<Marker>) -> bool {
    run(steps) is Some && accepting(run(steps)->0)
}

/// Every prefix of a valid prefix is valid.
pub proof fn lemma_prefix_closed(steps: Seq<Marker>, k: int)
    requires
        valid_prefix(steps),
        0 <= k <= steps.len(),
    ensures
        valid_prefix(steps.take(k)),
    decreases steps.len(),
{
    hide(step);
    if k == steps.len() {
        assert(steps.take(k) =~= steps);
    } else {
        lemma_prefix_closed(steps.drop_last(), k);
        assert(steps.drop_last().take(k) =~= steps.take(k));
    }
}

/// One more marker after a valid prefix leads exactly where `step` says.
pub proof fn lemma_extend(steps: Seq<Marker>, m: Marker)
    requires
        valid_prefix(steps),
    ensures
        run(steps.push(m)) == step(run(steps)->0, m),
{
    hide(step);
    assert(steps.push(m).drop_last() =~= steps);
}

/// After an illegal marker nothing that follows can repair the trace.
pub proof fn lemma_illegal_is_final(steps: Seq<Marker>, m: Marker, more: Seq<Marker>)
    requires
        valid_prefix(steps),
        step(run(steps)->0, m) is None,
    ensures
        !valid_prefix(steps.push(m) + more),
{
    hide(step);
    let whole = steps.push(m) + more;
    let n = steps.len() as int + 1;
    lemma_extend(steps, m);
    if valid_prefix(whole) {
        lemma_prefix_closed(whole, n);
        assert(whole.take(n) =~= steps.push(m));
    }
}

/// If the marker after the first `k` is illegal, then no prefix longer than `k` is valid.
pub proof fn lemma_stop_is_longest(steps: Seq<Marker>, k: int)
    requires
        0 <= k < steps.len(),
        valid_prefix(steps.take(k)),
        step(run(steps.take(k))->0, steps[k]) is None,
    ensures
        forall|j: int| k < j <= steps.len() ==> !valid_prefix(#[trigger] steps.take(j)),
{
    hide(step);
    assert forall|j: int| k < j <= steps.len() implies !valid_prefix(#[trigger] steps.take(j)) by {
        lemma_illegal_is_final(steps.take(k), steps[k], steps.subrange(k + 1, j));
        assert(steps.take(k).push(steps[k]) + steps.subrange(k + 1, j) =~= steps.take(j));
    }
}
