"""A SIMULATION of optimistic and eager enforcement, with prompts and characters counted.

The model here is a script that knows a ReAct run by heart and, with a given probability a state,
writes a wrong marker instead. Its figures show how the counting works and how the two modes trade
prompts for rejected text; they say nothing about any real model.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from verulaw_gate.monitor import Mode
from verulaw_gate.monitor.modes import Effort, converse
from verulaw_gate.protocol import load_protocol

ROUNDS = 4
RUNS = 200
REACT = load_protocol("react")
CONTENT = "some sixty characters of text, as a step of an agent may have\n"
NAMES = [
    *["thought", "action", "action-input", "observation"] * ROUNDS,
    "final-thought",
    "answer",
]
WRONG = ("[Answer]", "[Action Input]", "[Thought]", "[Final Thought]")


class ScriptedModel:
    """Goes on with the run from wherever the prompt ends; errs with probability `rate` a state."""

    def __init__(self, rate: float, seed: int) -> None:
        self.rate = rate
        self.random = random.Random(seed)

    def __call__(self, prompt: str, stops: tuple[str, ...]) -> Iterable[str]:
        body = prompt.partition("\n")[2]
        done = sum(body.count("\n" + s.text + " ") for s in REACT.states)
        done += any(body.startswith(s.text + " ") for s in REACT.states)
        last = body.rsplit("\n", 1)[-1]
        text = ""
        if last:
            whole = [s.text for s in REACT.states if last.strip() == s.text]
            # The marker is there and its content is due, or only the beginning of a marker is.
            wanted = REACT.state(NAMES[min(done, len(NAMES) - 1)]).text
            text = f" {CONTENT}" if whole else self._marker(wanted, len(last)) + f" {CONTENT}"
            done += 1
        for name in NAMES[done:]:
            text += self._marker(REACT.state(name).text, 0) + f" {CONTENT}"
        stop = min((text.find(s) for s in stops if s in text), default=len(text))
        for at in range(0, stop, 4):
            yield text[at : min(at + 4, stop)]

    def _marker(self, right: str, begun: int) -> str:
        marker = self.random.choice(WRONG) if self.random.random() < self.rate else right
        return marker[begun:]


def total(mode: Mode, rate: float) -> tuple[Effort, int]:
    effort, complete = Effort(), 0
    for seed in range(RUNS):
        done = converse(
            REACT,
            [("question", "Which tower is taller?")],
            ScriptedModel(rate, seed),
            lambda state, text: f" {CONTENT}",
            mode=mode,
            max_prompts=200,
        )
        complete += done.verdict.ok
        for name in Effort.__slots__:
            setattr(effort, name, getattr(effort, name) + getattr(done.effort, name))
    return effort, complete


if __name__ == "__main__":
    print(f"SIMULATION: {RUNS} ReAct runs of {ROUNDS} rounds each, a scripted model, no real one")
    print("errors  mode        complete  prompts  prompt chars  written  dropped  corrections")
    for rate in (0.0, 0.02, 0.1, 0.3):
        for mode in Mode:
            effort, complete = total(mode, rate)
            print(
                f"{rate:>6.0%}  {mode.value:<10}  {complete:>4}/{RUNS}  "
                f"{effort.prompts / RUNS:>7.1f}  {effort.prompt_chars / RUNS:>12,.0f}  "
                f"{effort.written_chars / RUNS:>7,.0f}  {effort.dropped_chars / RUNS:>7,.0f}  "
                f"{effort.corrections / RUNS:>11.2f}"
            )
    print("figures are means a run; a prompt repeats the text so far, so its characters add up")
