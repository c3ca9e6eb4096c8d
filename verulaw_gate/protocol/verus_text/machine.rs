/// One step that the caller knows to be legal.
pub fn transition_legal(s: State, m: Marker) -> (t: State)
    requires
        step(s, m) is Some,
    ensures
        step(s, m) == Some(t),
{
    transition(s, m).unwrap()
}

/// The longest valid prefix of a trace: its length and the state it ends in.
pub fn longest_valid_prefix(steps: &[Marker]) -> (r: (usize, State))
    ensures
        r.0 <= steps@.len(),
        run(steps@.take(r.0 as int)) == Some(r.1),
        forall|j: int| r.0 < j <= steps@.len() ==> !valid_prefix(#[trigger] steps@.take(j)),
{
    hide(step);
    let mut s = initial_state();
    let mut k: usize = 0;
    while k < steps.len()
        invariant
            k <= steps@.len(),
            run(steps@.take(k as int)) == Some(s),
        decreases steps@.len() - k,
    {
        proof {
            lemma_extend(steps@.take(k as int), steps@[k as int]);
            assert(steps@.take(k as int).push(steps@[k as int]) =~= steps@.take(k + 1));
        }
        match transition(s, steps[k]) {
            Some(t) => {
                s = t;
                k = k + 1;
            },
            None => {
                proof {
                    lemma_stop_is_longest(steps@, k as int);
                }
                return (k, s);
            },
        }
    }
    (k, s)
}
