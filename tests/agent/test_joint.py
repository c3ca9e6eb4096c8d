"""The beginning of a marker that a correction appended is never left behind as content."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verulaw_gate.agent.joint import Joint
from verulaw_gate.agent.model import Message, Prompt, Role
from verulaw_gate.agent.scripted import ScriptedClient
from verulaw_gate.agent.turn import take_turn
from verulaw_gate.monitor import Monitor, default_prompt
from verulaw_gate.protocol import load_protocol

pytestmark = pytest.mark.anyio

MARKERS = ("[Lemma]", "[Body]", "[QED]", "[Action]", "[Action Input]")
PROMPT = Prompt("sys", (Message(Role.USER, "[Task]\nprove it"),))
PIECES = ["[", "[B", "Body]", "[Body]", "B", "ody]", "\n", "  ", "QED]", "x", "[[", "Lemma", "]"]


@given(
    st.sampled_from(["[", "\n[", "[Action", "\n[Action"]),
    st.lists(st.sampled_from(PIECES), max_size=8),
    st.integers(1, 9),
)
def test_what_is_fed_is_the_models_text_with_or_without_ours(append, pieces, chunk):
    """Whatever the chunks: all of the model's text, in order; before it the whole of what was
    appended when the two together begin with a marker, else its blanks."""
    text = "".join(pieces)
    joint = Joint(append, MARKERS)
    fed = [joint.feed(text[at : at + chunk]) for at in range(0, len(text), chunk)]
    fed.append(joint.close())
    together = append.lstrip() + text
    whole = any(together.startswith(marker) for marker in MARKERS)
    blanks = append[: len(append) - len(append.lstrip())]
    assert "".join(fed) == (append if whole else blanks) + text


@pytest.mark.parametrize("chunk", [1, 3, 100])
@pytest.mark.parametrize(
    "rest",
    ["Body]\n{ }\n[QED]\n", "[Body]\n{ }\n[QED]\n", "\n\n[Body]\n{ }\n[QED]\n",
     "proof fn b() { }\n[Body]\n{ }\n[QED]\n", "\nproof fn b() { }\n[Body]\n{ }\n[QED]\n"],
)  # fmt: skip
async def test_no_content_holds_the_half_of_a_marker(anyio_backend, rest, chunk):
    first = "[Lemma]\nproof fn a() { }\n[QED]\n"
    client = ScriptedClient([first, rest], chunk=chunk)
    monitor = Monitor(load_protocol("proof"))
    monitor.begin(default_prompt(monitor.protocol))
    turn = await take_turn(client, PROMPT, monitor)
    assert client.prompts[1].prefill == "[Lemma]\nproof fn a() { }\n["
    assert monitor.complete, monitor.violation
    assert all("[" not in step.content for step in monitor.steps)
    assert turn.text.count("[") == 3
    again = Monitor(load_protocol("proof"))
    again.begin(default_prompt(again.protocol))
    again.feed(turn.text)
    assert [s.content for s in again.finish().steps] == [s.content for s in monitor.steps]
