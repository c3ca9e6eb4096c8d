/// The environment writes the first marker and no other.
pub proof fn theorem_environment_writes_first(steps: Seq<Marker>, k: int)
    requires
        valid_prefix(steps),
        0 <= k < steps.len(),
    ensures
        from_environment(steps[k]) <==> k == 0,
{
    lemma_prefix_closed(steps, k + 1);
    lemma_prefix_closed(steps, k);
    lemma_entered_by(steps.take(k));
    assert(steps.take(k + 1).drop_last() =~= steps.take(k));
}
