/// A correction keeps the accepted prefix: the first `k` markers of a trace followed by `m` still
/// begin with just these markers, and the whole is valid exactly when `m` is legal after them.
pub proof fn theorem_correction_keeps_prefix(steps: Seq<Marker>, k: int, m: Marker)
    requires
        0 <= k <= steps.len(),
        valid_prefix(steps.take(k)),
    ensures
        steps.take(k).push(m).take(k) == steps.take(k),
        valid_prefix(steps.take(k).push(m)) <==> step(run(steps.take(k))->0, m) is Some,
{
    hide(step);
    lemma_extend(steps.take(k), m);
    assert(steps.take(k).push(m).take(k) =~= steps.take(k));
}
