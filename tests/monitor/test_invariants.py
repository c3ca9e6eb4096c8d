"""The monitor's invariants, each a property."""

from __future__ import annotations

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from tests.monitor.worlds import WORLDS, WordChecker, cut, fed, fragments, naive, worlds
from verulaw_gate.monitor import CorrectionMode, Monitor, Speaker
from verulaw_gate.protocol import Protocol, parse_protocol

World = tuple[Protocol, str]


@given(worlds(), st.data())
def test_chunking_changes_nothing(world: World, data: st.DataObject) -> None:
    protocol, text = world
    whole = fed(protocol, [text]).finish()
    assert fed(protocol, data.draw(cut(text))).finish() == whole
    assert fed(protocol, list(text)).finish() == whole


@given(worlds())
def test_completed_steps_never_change(world: World) -> None:
    protocol, text = world
    monitor = Monitor(protocol, [WordChecker()])
    before: tuple[object, ...] = ()
    for char in text:
        monitor.feed(char)
        assert monitor.steps[: len(before)] == before
        before = monitor.steps
    assert monitor.finish().steps[: len(before)] == before


@given(worlds())
def test_steps_are_the_beginning_of_the_input(world: World) -> None:
    protocol, text = world
    verdict = fed(protocol, [text]).finish()
    at = 0
    for step in verdict.steps:
        assert not text[at : step.start].strip(), "only blank text stands between steps"
        marker = protocol.state(step.state).text
        assert text[step.start : step.content_start] == marker
        assert text[step.content_start : step.end] == step.content
        assert text[: step.start].count("\n") + 1 == step.line
        assert step.start - (text.rfind("\n", 0, step.start) + 1) + 1 == step.column
        at = step.end


@given(worlds())
def test_nothing_past_the_violation_is_in_a_step(world: World) -> None:
    protocol, text = world
    verdict = fed(protocol, [text]).finish()
    limit = verdict.accepted_end
    assert limit <= len(text)
    if verdict.violation:
        assert limit <= verdict.violation.offset <= len(text)
    for step in verdict.steps:
        assert step.end <= limit
    # What stands after the rejected line could be anything.
    if verdict.violation and verdict.violation.kind != "missing-termination":
        line_end = text.find("\n", verdict.violation.offset)
        if 0 <= line_end < len(text) and verdict.violation.kind in (
            "unexpected-state",
            "text-before-first-marker",
            "text-after-termination",
            "environment-content-from-model",
        ):
            assert fed(protocol, [text[: line_end + 1], "\n[anything]"]).finish() == verdict


@given(worlds())
def test_the_correction_is_viable(world: World) -> None:
    protocol, text = world
    monitor = fed(protocol, [text])
    monitor.finish()
    for mode in CorrectionMode:
        correction = monitor.correction(mode)
        if correction is None:
            assert not monitor.rejected
            continue
        assert text.startswith(correction.accepted)
        again = fed(protocol, [correction.accepted + correction.append])
        assert not again.rejected, "accepted text and correction break no rule"
        if mode is CorrectionMode.FORCED and correction.append:
            again.feed("\n")
            assert again.state in correction.legal_next


@given(worlds(), st.data())
def test_resuming_is_as_if_the_rest_had_never_been(world: World, data: st.DataObject) -> None:
    protocol, text = world
    more = data.draw(st.lists(fragments(protocol), max_size=4).map("".join))
    mode = data.draw(st.sampled_from(CorrectionMode))
    monitor = fed(protocol, [text])
    if data.draw(st.booleans()):
        monitor.finish()
    correction = monitor.correction(mode)
    if correction is None:
        return
    monitor.resume(correction)
    monitor.feed(more)
    again = fed(protocol, [correction.accepted + correction.append + more])
    fresh = again.finish()
    resumed = monitor.finish()
    assert monitor.correction() == again.correction()
    assert resumed.steps == fresh.steps
    assert resumed.complete == fresh.complete
    assert resumed.accepted_end == fresh.accepted_end
    assert (resumed.violation is None) == (fresh.violation is None)
    if resumed.violation and fresh.violation:
        assert resumed.violation.kind == fresh.violation.kind
        assert resumed.violation.offset == fresh.violation.offset
        assert resumed.violation.line == fresh.violation.line
        assert resumed.violation.column == fresh.violation.column


SIMPLE = tuple(p for p in WORLDS if p.name in ("proof", "bare", "react", "pass", "overlap"))


@given(worlds().filter(lambda world: world[0] in SIMPLE))
def test_agrees_with_a_naive_whole_text_monitor(world: World) -> None:
    protocol, text = world
    plain = naive(protocol, text)
    verdict = fed(protocol, [text], checked=False).finish()
    kind = verdict.violation.kind.value if verdict.violation else None
    offset = verdict.violation.offset if verdict.violation else None
    assert (kind, offset) == (plain.kind, plain.offset)
    assert tuple((s.state, s.content) for s in verdict.steps) == plain.steps


@given(worlds(), st.data())
def test_bytes_are_the_same_text(world: World, data: st.DataObject) -> None:
    protocol, text = world
    raw = text.encode("utf-8", "surrogatepass")
    if "\ud800" <= max(text, default="") <= "\udfff":
        return
    monitor = Monitor(protocol, [WordChecker()])
    places = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=6)))
    for a, b in zip([0, *places], [*places, len(raw)], strict=True):
        monitor.feed_bytes(raw[a:b])
    assert monitor.finish() == fed(protocol, [text]).finish()


@given(worlds(), st.data())
def test_a_bad_byte_is_the_first_violation_or_comes_too_late(
    world: World, data: st.DataObject
) -> None:
    protocol, text = world
    text = text.encode("utf-8", "ignore").decode()
    at = data.draw(st.integers(0, len(text)))
    bad = data.draw(st.sampled_from([b"\xff", b"\xc3(", b"\xed\xa0\x80", b"\xe2\x82", b"\xf0\x9f"]))
    raw = text[:at].encode() + bad + text[at:].encode()
    verdicts = []
    for size in (1, 3, len(raw) + 1):
        monitor = Monitor(protocol)
        for start in range(0, len(raw), size):
            monitor.feed_bytes(raw[start : start + size])
        verdicts.append(monitor.finish())
    assert verdicts[0] == verdicts[1] == verdicts[2]
    violation = verdicts[0].violation
    assert violation is not None
    if violation.kind == "not-utf8":
        assert violation.offset == at
    else:
        assert violation.offset <= at


@st.composite
def dialogues(draw: st.DrawFn) -> tuple[Protocol, list[tuple[str, str, str]]]:
    """Turns of all speakers: (speaker, state, text)."""
    protocol = draw(st.sampled_from(WORLDS))
    names = [state.name for state in protocol.states]
    env = [state.name for state in protocol.states if state.env_input] or names
    turns = []
    first = protocol.states[0].name
    if draw(st.booleans()):
        turns.append(("prompt", first, draw(fragments(protocol))))
    for _ in range(draw(st.integers(0, 5))):
        if draw(st.booleans()):
            text = "".join(draw(st.lists(fragments(protocol), max_size=4)))
            turns.append(("model", "", text))
        else:
            state = draw(st.sampled_from(env + names[:1]))
            turns.append(("environment", state, draw(fragments(protocol))))
    return protocol, turns


def play(protocol: Protocol, turns: list[tuple[str, str, str]], size: int) -> tuple[Monitor, str]:
    """Play a dialogue in chunks; the answer includes the text of the whole trace."""
    monitor = Monitor(protocol, [WordChecker()])
    trace = ""
    for speaker, state, text in turns:
        if speaker == "prompt":
            trace += monitor.begin([(state, text)])
        elif speaker == "environment":
            trace += monitor.feed_environment(state, text)
        else:
            for start in range(0, len(text), size):
                monitor.feed(text[start : start + size])
            monitor.end_turn()
            trace += text
    return monitor, trace


@given(dialogues())
def test_dialogues_do_not_depend_on_chunks_and_offsets_are_those_of_the_trace(
    dialogue: tuple[Protocol, list[tuple[str, str, str]]],
) -> None:
    protocol, turns = dialogue
    monitor, trace = play(protocol, turns, 10**6)
    verdict = monitor.finish()
    assert play(protocol, turns, 1)[0].finish() == verdict
    for step in verdict.steps:
        marker = protocol.state(step.state).text
        assert trace.startswith(marker, step.start)
        assert trace[step.content_start : step.end] == step.content
        assert trace[: step.start].count("\n") + 1 == step.line
        given_texts = [t for who, s, t in turns if who == step.speaker and s == step.state]
        if step.speaker is not Speaker.MODEL:
            assert step.content in given_texts
    names = [step.state for step in verdict.steps]
    assert monitor.automaton.viable(names) or verdict.violation


def peak_memory(monitor: Monitor, chunk: str, times: int) -> int:
    tracemalloc.start()
    for _ in range(times):
        monitor.feed(chunk)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def test_memory_is_flat_beyond_the_open_segment() -> None:
    protocol = parse_protocol(
        '(define p (:states (a (:text "[A]")) (b (:text "[B]"))) (:behavior (next a b)))'
    )
    # What was rejected is not kept, nor is the line it stands in.
    rejected = fed(protocol, ["no marker"], checked=False)
    assert rejected.rejected
    assert peak_memory(rejected, "[A]" * 1_000, 1_000) < 100_000
    # Near misses are counted up to a limit, and held-back text is no longer than a marker.
    full = fed(protocol, ["[A]\n"], checked=False)
    assert peak_memory(full, "[a]\n[B", 20_000) < 20_000 * 6 * 16
