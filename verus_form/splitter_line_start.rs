//! Cuts model text at marker strings that stand at the start of a line.
//!
//! unconfirmed: written in the shape of splitter.rs, which Verus has verified and which this file
//! includes; this text itself has not been run through Verus.
//!
//! As in splitter.rs the text is scanned left to right, the longest marker that matches at a place
//! is taken, and the scan goes on behind it. But a marker counts only where nothing but blanks and
//! tabs stands between the start of its line and it. A line ends at LF (and so at CRLF).

use vstd::prelude::*;

pub mod splitter;

use splitter::*;

verus! {

/// Blanks and tabs may stand before a marker.
pub open spec fn is_blank(b: u8) -> bool {
    b == 32 || b == 9
}

/// Position `i` is the start of a line, or only blanks and tabs stand before it on its line.
pub open spec fn at_line_start(text: Seq<u8>, i: int) -> bool
    decreases i,
{
    if i <= 0 {
        i == 0
    } else {
        text[i - 1] == 10 || (is_blank(text[i - 1]) && at_line_start(text, i - 1))
    }
}

/// The longest marker that matches at `i`, if `i` is at the start of a line and any marker does.
pub open spec fn line_marker_at(text: Seq<u8>, markers: Seq<Vec<u8>>, i: int) -> Option<int> {
    if at_line_start(text, i) {
        marker_at(text, markers, i)
    } else {
        None
    }
}

/// The (marker, position) pairs of `text` from position `i` on, left to right, jumping past
/// each match.
pub open spec fn line_occurrences(text: Seq<u8>, markers: Seq<Vec<u8>>, i: int) -> Seq<(int, int)>
    decreases text.len() - i,
    when markers_wf(markers) && 0 <= i
{
    if i >= text.len() {
        Seq::empty()
    } else {
        match line_marker_at(text, markers, i) {
            None => line_occurrences(text, markers, i + 1),
            Some(m) => seq![(m, i)] + line_occurrences(text, markers, i + markers[m]@.len()),
        }
    }
}

/// Every occurrence is a real one: at the start of a line, a marker number in range, whose bytes
/// stand in the text at that position, and no longer marker stands there.
pub proof fn lemma_line_occurrences_are_real(text: Seq<u8>, markers: Seq<Vec<u8>>, i: int, k: int)
    requires
        markers_wf(markers),
        0 <= i,
        0 <= k < line_occurrences(text, markers, i).len(),
    ensures
        ({
            let o = line_occurrences(text, markers, i)[k];
            i <= o.1 && o.1 < end_of(markers, o) <= text.len() && is_longest_at(text, markers, o.1, o.0)
                && at_line_start(text, o.1)
        }),
    decreases text.len() - i,
{
    match line_marker_at(text, markers, i) {
        None => {
            lemma_line_occurrences_are_real(text, markers, i + 1, k);
        },
        Some(m) => {
            assert(is_longest_at(text, markers, i, m));
            if k > 0 {
                lemma_line_occurrences_are_real(text, markers, i + markers[m]@.len(), k - 1);
            }
        },
    }
}

/// Occurrences come in increasing positions and do not overlap: each ends where or before the
/// next begins.
pub proof fn lemma_line_occurrences_in_order(
    text: Seq<u8>,
    markers: Seq<Vec<u8>>,
    i: int,
    j: int,
    k: int,
)
    requires
        markers_wf(markers),
        0 <= i,
        0 <= j < k < line_occurrences(text, markers, i).len(),
    ensures
        ({
            let all = line_occurrences(text, markers, i);
            all[j].1 < end_of(markers, all[j]) <= all[k].1
        }),
    decreases text.len() - i,
{
    match line_marker_at(text, markers, i) {
        None => {
            lemma_line_occurrences_in_order(text, markers, i + 1, j, k);
        },
        Some(m) => {
            assert(is_longest_at(text, markers, i, m));
            let rest = i + markers[m]@.len();
            if j > 0 {
                lemma_line_occurrences_in_order(text, markers, rest, j - 1, k - 1);
            } else {
                lemma_line_occurrences_are_real(text, markers, rest, k - 1);
            }
        },
    }
}

/// No marker is missed: every place at the start of a line where a marker matches is inside an
/// occurrence.
pub proof fn lemma_no_line_marker_is_missed(
    text: Seq<u8>,
    markers: Seq<Vec<u8>>,
    i: int,
    p: int,
    m: int,
) -> (k: int)
    requires
        markers_wf(markers),
        0 <= i <= p,
        0 <= m < markers.len(),
        matches_at(text, markers[m]@, p),
        at_line_start(text, p),
    ensures
        0 <= k < line_occurrences(text, markers, i).len(),
        line_occurrences(text, markers, i)[k].1 <= p < end_of(
            markers,
            line_occurrences(text, markers, i)[k],
        ),
    decreases text.len() - i,
{
    lemma_match_is_seen(text, markers, p, m);
    match line_marker_at(text, markers, i) {
        None => {
            lemma_no_line_marker_is_missed(text, markers, i + 1, p, m)
        },
        Some(c) => {
            assert(is_longest_at(text, markers, i, c));
            let rest = i + markers[c]@.len();
            if p < rest {
                0
            } else {
                lemma_no_line_marker_is_missed(text, markers, rest, p, m) + 1
            }
        },
    }
}

/// Whether a position is at the start of a line is told by the text before it alone.
pub proof fn lemma_line_start_in_cut(text: Seq<u8>, cut: int, i: int)
    requires
        0 <= i <= cut <= text.len(),
    ensures
        at_line_start(text.take(cut), i) == at_line_start(text, i),
    decreases i,
{
    if i > 0 {
        assert(text.take(cut)[i - 1] == text[i - 1]);
        lemma_line_start_in_cut(text, cut, i - 1);
    }
}

/// A match in the first `cut` bytes is a match in the whole text, and a match in the whole text
/// that ends by `cut` is a match in the first `cut` bytes.
proof fn lemma_line_match_in_cut(text: Seq<u8>, marker: Seq<u8>, cut: int, i: int)
    requires
        0 <= cut <= text.len(),
    ensures
        matches_at(text.take(cut), marker, i) <==> matches_at(text, marker, i) && i + marker.len() <= cut,
{
    if 0 <= i && i + marker.len() <= cut {
        assert(text.take(cut).subrange(i, i + marker.len()) =~= text.subrange(i, i + marker.len()));
    }
}

/// Cutting the text where an occurrence begins keeps exactly the occurrences before it: the kept
/// text alone splits in the same way.
pub proof fn lemma_line_cut_keeps_occurrences(text: Seq<u8>, markers: Seq<Vec<u8>>, i: int, k: int)
    requires
        markers_wf(markers),
        0 <= i <= text.len(),
        0 <= k <= line_occurrences(text, markers, i).len(),
    ensures
        ({
            let all = line_occurrences(text, markers, i);
            line_occurrences(text.take(cut_point(text, all, k)), markers, i) == all.take(k)
        }),
    decreases text.len() - i,
{
    let all = line_occurrences(text, markers, i);
    let cut = cut_point(text, all, k);
    let kept = text.take(cut);
    if k == all.len() {
        assert(kept =~= text);
        assert(all.take(k) =~= all);
    } else {
        lemma_line_occurrences_are_real(text, markers, i, k);
        lemma_line_start_in_cut(text, cut, i);
        match line_marker_at(text, markers, i) {
            None => {
                lemma_line_cut_keeps_occurrences(text, markers, i + 1, k);
                lemma_line_occurrences_are_real(text, markers, i + 1, k);
                if line_marker_at(kept, markers, i) is Some {
                    let m = marker_at(kept, markers, i)->0;
                    assert(is_longest_at(kept, markers, i, m));
                    lemma_line_match_in_cut(text, markers[m]@, cut, i);
                    lemma_match_is_seen(text, markers, i, m);
                }
            },
            Some(m) => {
                let rest = line_occurrences(text, markers, i + markers[m]@.len());
                assert(is_longest_at(text, markers, i, m));
                if k == 0 {
                    assert(all.take(0) =~= Seq::<(int, int)>::empty());
                } else {
                    lemma_line_occurrences_in_order(text, markers, i, 0, k);
                    assert forall|n: int| 0 <= n < markers.len() implies (matches_at(
                        kept,
                        (#[trigger] markers[n])@,
                        i,
                    ) <==> matches_at(text, markers[n]@, i) && i + markers[n]@.len() <= cut) by {
                        lemma_line_match_in_cut(text, markers[n]@, cut, i);
                    }
                    assert(is_longest_at(kept, markers, i, m));
                    lemma_longest_is_unique(kept, markers, i, m);
                    lemma_line_cut_keeps_occurrences(text, markers, i + markers[m]@.len(), k - 1);
                    assert(all.take(k) =~= seq![(m, i)] + rest.take(k - 1));
                }
            },
        }
    }
}

/// Whether `to` is at the start of a line; `fresh` says it of `from`.
fn line_start_behind(text: &[u8], from: usize, to: usize, fresh: bool) -> (r: bool)
    requires
        from <= to <= text@.len(),
        fresh == at_line_start(text@, from as int),
    ensures
        r == at_line_start(text@, to as int),
{
    let mut now = fresh;
    let mut i: usize = from;
    while i < to
        invariant
            i <= to <= text@.len(),
            now == at_line_start(text@, i as int),
        decreases to - i,
    {
        let b = text[i];
        now = b == 10 || ((b == 32 || b == 9) && now);
        i = i + 1;
    }
    now
}

/// The longest marker that matches at `i`, if `i` is at the start of a line; `fresh` says whether
/// it is.
pub fn find_line_marker(text: &[u8], markers: &Vec<Vec<u8>>, i: usize, fresh: bool) -> (r: Option<
    usize,
>)
    requires
        markers_wf(markers@),
        i <= text@.len(),
        fresh == at_line_start(text@, i as int),
    ensures
        line_marker_at(text@, markers@, i as int) == match r {
            Some(m) => Some(m as int),
            None => None,
        },
        r is Some ==> is_longest_at(text@, markers@, i as int, r->0 as int),
{
    if fresh {
        find_marker(text, markers, i)
    } else {
        None
    }
}

/// All (marker, position) pairs of `text`, exactly as `line_occurrences` defines them.
pub fn split_at_lines(text: &[u8], markers: &Vec<Vec<u8>>) -> (pairs: Vec<(usize, usize)>)
    requires
        markers_wf(markers@),
    ensures
        as_int_pairs(pairs@) == line_occurrences(text@, markers@, 0),
{
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut i: usize = 0;
    let mut fresh = true;
    assert(as_int_pairs(pairs@) + line_occurrences(text@, markers@, 0) =~= line_occurrences(
        text@,
        markers@,
        0,
    ));
    while i < text.len()
        invariant
            markers_wf(markers@),
            i <= text@.len(),
            fresh == at_line_start(text@, i as int),
            as_int_pairs(pairs@) + line_occurrences(text@, markers@, i as int) == line_occurrences(
                text@,
                markers@,
                0,
            ),
        decreases text@.len() - i,
    {
        match find_line_marker(text, markers, i, fresh) {
            None => {
                fresh = line_start_behind(text, i, i + 1, fresh);
                i = i + 1;
            },
            Some(m) => {
                let ghost before = pairs@;
                let ghost rest = line_occurrences(text@, markers@, i + markers@[m as int]@.len());
                let behind = i + markers[m].len();
                pairs.push((m, i));
                assert(as_int_pairs(pairs@) + rest =~= as_int_pairs(before) + (seq![(m as int, i as int)] + rest));
                fresh = line_start_behind(text, i, behind, fresh);
                i = behind;
            },
        }
    }
    assert(as_int_pairs(pairs@) + line_occurrences(text@, markers@, i as int) =~= as_int_pairs(pairs@));
    pairs
}

} // verus!

fn main() {}
