"""The async twins say what the synchronous calls say; a loop of someone else's uses the pieces."""

from __future__ import annotations

import random
import threading

import anyio
import pytest

from verulaw_gate import Gate, RecordedVerifier, aio, load_suite, load_task, run_trace
from verulaw_gate.agent.model import Chunk, Finish, FinishReason
from verulaw_gate.errors import RecordedMiss, UsageError
from verulaw_gate.protocol import load_protocol
from verulaw_gate.tasks import labelled_traces
from verulaw_gate.verus import Outcome, Verification

pytestmark = pytest.mark.anyio
SUITE = load_suite()


@pytest.fixture
def anyio_backend():
    return "asyncio"


async def pieces(text, size=5):
    for at in range(0, len(text), size):
        await anyio.sleep(0)
        yield text[at : at + size]


async def test_ten_lines_check_a_stream(anyio_backend):
    """docs/api.md, "Watch a stream"."""
    task = await aio.load_task("t01-max-of-slice")
    gate = aio.Gate(task, repair=True)
    watch = gate.watch(pieces(task.reference))
    seen = [step.state async for step in watch]
    assert seen == ["body", "qed"]
    assert watch.verdict.ok
    result = await gate.check(watch.text)
    verifier = aio.Verifier(RecordedVerifier.of([task]))
    verification = await verifier.verify(result.source, target=task.target)
    assert (verification.outcome, verification.target_proved) == (Outcome.VERIFIED, True)


async def test_twins_agree_with_the_synchronous_calls(anyio_backend):
    protocol = load_protocol("proof")
    for task in SUITE[:4]:
        gate, twin = Gate(task), aio.Gate(task)
        for trace in labelled_traces(task):
            assert await twin.check(trace.text) == gate.check(trace.text)
            assert await aio.run_trace(protocol, trace.text) == run_trace(protocol, trace.text)
            source = task.source
            assert await twin.check_source(source) == gate.check_source(source)
    assert await aio.load_suite() == SUITE
    assert await aio.load_task("t02") == load_task("t02")


async def test_watch_says_what_the_monitor_says_of_the_whole(anyio_backend):
    """Whatever the pieces: the steps of a conforming trace, and no step past a rejection."""
    rng = random.Random(5)
    for task in SUITE[:6]:
        gate = aio.Gate(task)
        checker = gate.inner.content_checker()
        for trace in labelled_traces(task):
            whole = run_trace(gate.inner.protocol, trace.text, checkers=[checker])
            watch = gate.watch(pieces(trace.text, rng.randint(1, 60)))
            steps = [step async for step in watch]
            assert tuple(steps) == whole.steps, trace.name
            assert watch.verdict.ok == whole.ok
            if whole.violation is not None:
                assert watch.verdict.violation.offset == whole.violation.offset
                assert watch.correction() is not None


async def test_the_stream_is_closed_at_the_first_rejection(anyio_backend):
    closed = []

    async def stream():
        try:
            for chunk in ["[QED]\n", *["chatter "] * 100]:
                yield Chunk(chunk)
        finally:
            closed.append(True)

    task = SUITE[0]
    watch = aio.Gate(task).watch(stream())
    assert [step async for step in watch] == []
    assert closed
    assert len(watch.text) < 30
    assert not watch.verdict.ok
    with pytest.raises(UsageError):
        [step async for step in watch]


async def test_an_environment_state_ends_the_watch(anyio_backend):
    gate = aio.Gate(SUITE[0], protocol=load_protocol("react"))
    text = "[Thought] t\n[Action] a\n[Action Input] i\n[Observation] mine\n"
    watch = gate.watch(pieces(text, 3), prompt=[("question", "q")])
    assert [s.state async for s in watch] == ["thought", "action", "action-input"]
    assert watch.requested == "observation"
    assert watch.verdict.violation is None


async def test_a_stop_sequence_of_a_clients_chunk_counts(anyio_backend):
    async def stream():
        yield Chunk("[Thought] t\n[Action] a\n[Action Input] x")
        yield Chunk(finish=Finish(FinishReason.STOP_SEQUENCE, "\n[Observation]"))

    gate = aio.Gate(load_task("t01"), protocol=load_protocol("react"))
    watch = gate.watch(stream(), prompt=[("question", "how?")])
    assert [step.state async for step in watch] == ["thought", "action", "action-input"]
    assert watch.requested == "observation"


async def test_errors_pass_and_the_loop_is_not_blocked(anyio_backend):
    with pytest.raises(RecordedMiss):
        await aio.Verifier(RecordedVerifier()).verify("fn main() {}")

    release = threading.Event()

    class Slow:
        def verify(self, source, options, *, target=None):
            assert release.wait(20)
            return Verification(Outcome.VERIFIED, True, "0" * 64, options)

    async with anyio.create_task_group() as group:
        group.start_soon(aio.Verifier(Slow()).verify, "x")
        await anyio.sleep(0)
        release.set()  # only reached when the verifier does not hold the loop


async def test_a_cancelled_task_ends_its_run(anyio_backend):
    stopped = []

    class Stoppable:
        def verify(self, source, options, *, target=None, cancel=None):
            while not cancel.cancelled:
                threading.Event().wait(0.001)
            stopped.append(True)
            raise RecordedMiss("stopped")

    with anyio.move_on_after(0.05) as scope:
        await aio.Verifier(Stoppable()).verify("x")
    assert scope.cancelled_caught
    assert stopped == [True]
