"""Conflicting actions never overlap and keep their order; independent ones do run together."""

from __future__ import annotations

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verulaw_gate.agent.schedule import Resources, Status, run_group, waits_for
from verulaw_gate.errors import InputError

_names = st.frozensets(st.sampled_from("abc"), max_size=2)
_resources = st.builds(Resources, _names, _names)


@given(_resources, _resources)
def test_conflict_is_symmetric_and_readers_are_free(a, b):
    assert a.conflicts(b) == b.conflicts(a)
    if not a.writes and not b.writes:
        assert not a.conflicts(b)


@settings(max_examples=60, deadline=None)
@given(
    plan=st.lists(st.tuples(_resources, st.integers(0, 4), st.sampled_from("rft")), max_size=7),
    at_once=st.integers(1, 4),
)
def test_a_group(plan, at_once):
    """r returns, f fails, t would never end. Whatever the timing: every action has one outcome, in
    plan order; of two that conflict the earlier ends before the later starts; never more than
    `at_once` overlap."""

    def action(number, steps, how):
        async def run() -> str:
            for _ in range(steps):
                await anyio.sleep(0)
            if how == "f":
                raise InputError(f"no {number}")
            if how == "t":
                await anyio.sleep_forever()
            return f"result {number}"

        return run

    async def main():
        return await run_group(
            [(r, action(n, steps, how)) for n, (r, steps, how) in enumerate(plan)],
            at_once=at_once,
            seconds=0.01,
        )

    outcomes = anyio.run(main)
    assert len(outcomes) == len(plan)
    for number, ((_, _, how), outcome) in enumerate(zip(plan, outcomes, strict=True)):
        wanted = {"f": (Status.FAILED, f"no {number}"), "r": (Status.RETURNED, f"result {number}")}
        if how == "t":
            assert outcome.status is Status.TIMED_OUT
        elif outcome.status is not Status.TIMED_OUT:  # a loaded machine may be slow
            assert (outcome.status, outcome.text) == wanted[how]
    for j, earlier in enumerate(waits_for([r for r, _, _ in plan])):
        for i in earlier:
            assert outcomes[i].ended < outcomes[j].started
    marks = sorted([(o.started, 1) for o in outcomes] + [(o.ended, -1) for o in outcomes])
    running = 0
    for _, change in marks:
        running += change
        assert running <= at_once


@pytest.mark.anyio
async def test_independent_actions_run_at_once():
    """Each waits for the other: they can only both return when they overlap."""
    first, second = anyio.Event(), anyio.Event()

    async def one() -> str:
        first.set()
        await second.wait()
        return "one"

    async def two() -> str:
        await first.wait()
        second.set()
        return "two"

    reads = Resources(reads=frozenset("a"))
    outcomes = await run_group([(reads, one), (reads, two)], seconds=20)
    assert [o.text for o in outcomes] == ["one", "two"]


@pytest.mark.anyio
async def test_a_bug_is_not_a_result():
    async def broken() -> str:
        raise KeyError("bug")

    with pytest.raises(ExceptionGroup):
        await run_group([(Resources(), broken)])
