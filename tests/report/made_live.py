"""Live runs made up for tests: arms, episodes, corrections."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from tests.report.made import Made, generation_events, started
from verulaw_gate.record import events as ev


@dataclass(frozen=True)
class Ended:
    """One episode as a test describes it."""

    task: str
    arm: str
    sample: int
    result: str
    generations: int
    executions: int
    by: str | None = None


def arms(*names: str) -> tuple[ev.Arm, ...]:
    return tuple(ev.Arm(name=name, kind=name) for name in names)


def live_run(
    episodes: list[Ended],
    names: tuple[str, ...] = ("off", "on"),
    generations: int = 5,
    extra: list[ev.Stored] | None = None,
    **changes: object,
) -> list[ev.Stored]:
    """A whole live run; each generation of an episode has the events of a plain attempt."""
    config = {"budgets": {"generations": generations}} | dict(changes.pop("config", {}))
    first = started("live", arms=arms(*names), config=config, **changes)
    rows = [ev.Stored(key=ev.Key(), seq=0, event=first), *(extra or [])]
    count = 0
    for end in episodes:
        for number in range(1, end.generations + 1):
            count += 1
            made = Made(end.task, end.sample, number, source=f"s{number}", outcome="proof-failure")
            key = ev.Key(task=end.task, arm=end.arm, sample=end.sample, generation=number)
            rows += [
                ev.Stored(key=key, seq=at, event=event)
                for at, event in enumerate(generation_events(made))
            ]
        closed = ev.EpisodeClosed(
            result=end.result,
            censored_by=end.by,
            generations=end.generations,
            executions=end.executions,
            compile_retries=1,
            proof_retries=max(0, end.executions - 1),
            completion_tokens=100 * end.generations,
            verus_seconds=2.0 * end.executions,
            gate_seconds=0.01,
        )
        key = ev.Key(task=end.task, arm=end.arm, sample=end.sample)
        rows.append(ev.Stored(key=key, seq=0, event=closed))
    end_run = ev.RunClosed(episodes=len(episodes), generations=count)
    rows.append(ev.Stored(key=ev.Key(), seq=1, event=end_run))
    return rows


@st.composite
def ended(draw: st.DrawFn, task: str, arm: str, sample: int, unjudged: bool) -> Ended:
    results = ["honest-success", "honest-success", "cheat", "censored"]
    result = draw(st.sampled_from([*results, "unjudged"] if unjudged else results))
    generations = 5 if result == "censored" else draw(st.integers(1, 5))
    executions = draw(st.integers(0 if result == "censored" else 1, generations))
    by = "generations" if result == "censored" else None
    return Ended(task, arm, sample, result, generations, executions, by)


@st.composite
def live_episodes(draw: st.DrawFn, unjudged: bool = False) -> list[Ended]:
    """Two arms, up to five tasks, up to two samples, each there or not."""
    found = []
    for task in ("t01", "t02", "t03", "t04", "t05"):
        for arm in ("off", "on"):
            for sample in range(draw(st.integers(0, 2))):
                found.append(draw(ended(task, arm, sample, unjudged)))
    return found
