/// Nothing can follow [QED]: in a valid trace it can only be the last marker.
pub proof fn theorem_nothing_after_qed(steps: Seq<Marker>, k: int)
    requires
        valid_prefix(steps),
        0 <= k < steps.len(),
        steps[k] == Marker::Qed,
    ensures
        k == steps.len() - 1,
        forall|m: Marker| !valid_prefix(#[trigger] steps.push(m)),
{
    let upto = steps.take(k + 1);
    lemma_prefix_closed(steps, k + 1);
    lemma_entered_by(upto);
    assert(run(upto) == Some(State::Qed));
    if k + 1 < steps.len() {
        lemma_illegal_is_final(upto, steps[k + 1], steps.skip(k + 2));
        assert(upto.push(steps[k + 1]) + steps.skip(k + 2) =~= steps);
    }
    assert(upto =~= steps);
    assert forall|m: Marker| !valid_prefix(#[trigger] steps.push(m)) by {
        lemma_extend(steps, m);
    }
}
