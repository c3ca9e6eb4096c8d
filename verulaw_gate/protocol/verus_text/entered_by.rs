/// The state tells the last marker of the trace.
pub proof fn lemma_entered_by(steps: Seq<Marker>)
    requires
        valid_prefix(steps),
    ensures
        entered_by(run(steps)->0) == if steps.len() == 0 {
            None
        } else {
            Some(steps.last())
        },
{
}
