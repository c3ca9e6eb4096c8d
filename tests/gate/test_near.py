"""The nearest name of vstd is what difflib says, however often it is asked."""

from __future__ import annotations

from difflib import get_close_matches

import pytest

from verulaw_gate.gate.near import nearest_in_vstd
from verulaw_gate.gate.vstd_index import vstd_index


@pytest.mark.parametrize("name", ["lemma_mul_is_comutative", "sum_of_all", "push_bck", "x"])
@pytest.mark.parametrize("cutoff", [0.75, 0.85])
def test_as_difflib_says(name: str, cutoff: float) -> None:
    near = get_close_matches(name, sorted(vstd_index().names), 1, cutoff)
    for _ in range(2):
        assert nearest_in_vstd(name, cutoff) == (near[0] if near else "")


def test_the_cutoff_counts() -> None:
    found = {nearest_in_vstd("lemma_mul_is_comutative", cutoff) for cutoff in (0.75, 1.0)}
    assert len(found) == 2
    assert "" in found
