"""Eager against optimistic in the live loop: the same proof, and what each read for it."""

from __future__ import annotations

import json

import pytest

from tests.experiment_live.test_run import (  # noqa: F401 (fixtures)
    TRACES,
    command,
    ends,
    model,
    store,
)
from verulaw_gate.cli.main import main
from verulaw_gate.errors import ConfigError
from verulaw_gate.experiment.plan import read_experiment
from verulaw_gate.record import Store
from verulaw_gate.record.events import Generation, MonitorVerdict
from verulaw_gate.report import build

REFERENCE = TRACES["reference"]
BODY = REFERENCE[REFERENCE.index("[Body]") : REFERENCE.index("[QED]")]


def only(events, kind):
    return [e.event for e in events if isinstance(e.event, kind)]


def run(chat, store, mode, *more):  # noqa: F811
    argv = command(chat, store, "--prefill", "--mode", mode, *more)
    return main([*argv, "--attempts", "1", "--run", mode])


def test_both_modes_prove_it_and_their_effort_is_counted(model, store, capsys):  # noqa: F811
    whole = model(BODY + "[QED]\n")
    assert run(whole, store, "optimistic") == 0
    # Eagerly the beginning of the marker is there; what follows the body was not asked for.
    piecewise = model(BODY[1:] + "[QED]\n")
    assert run(piecewise, store, "eager") == 0
    (optimistic,) = only(ends(store, "optimistic")[1], Generation)
    (eager,) = only(ends(store, "eager")[1], Generation)
    assert (optimistic.prompts, optimistic.lead_chars) == (1, 0)
    assert optimistic.answer_chars == optimistic.chars == len(BODY + "[QED]\n")
    # One state was left to the model: [Lemma] or [Body]. [QED] is all that can follow.
    assert (eager.prompts, eager.lead_chars) == (1, len("[[QED]"))
    assert eager.chars == len(BODY + "[QED]")
    # Reading stopped at the marker that nobody asked for, at the latest with its chunk.
    assert len(BODY[1:]) < eager.answer_chars <= len(BODY[1:] + "[QED]\n")
    assert eager.prompt_chars == optimistic.prompt_chars + 1
    with Store(store) as opened:
        for mode, figures in (("optimistic", optimistic), ("eager", eager)):
            (section, *_) = build(opened, mode).sections
            cells = next(t for t in section.tables if t.key == "effort").row("on").cells
            assert cells[:3] == ("on", mode, 1)
            assert [c.value for c in cells[3:]] == [
                figures.prompts,
                figures.prompts,
                figures.prompt_chars,
                figures.answer_chars,
                figures.lead_chars,
            ]
    capsys.readouterr()
    assert main(["report", "eager", "--store", store, "--format", "markdown"]) == 0
    assert "Prompts and characters" in capsys.readouterr().out


def test_a_lemma_more_is_a_prompt_more(model, store):  # noqa: F811
    lemma = "Lemma]\nproof fn extra() { }\n"
    chat = model(lemma + "[Body]", BODY[1:])
    assert run(chat, store, "eager") == 1  # there is no recorded result for it
    (made,) = only(ends(store)[1], Generation)
    assert made.prompts == len(chat.requests) == 2
    prefilled = {"role": "assistant", "content": "[Lemma]\nproof fn extra() { }\n["}
    assert chat.requests[1]["messages"][-1] == prefilled
    (verdict,) = only(ends(store)[1], MonitorVerdict)
    assert list(verdict.steps) == ["lemma", "body", "qed"]


@pytest.mark.parametrize("more", [["--mode", "eager"], ["--mode", "eager", "--gate", "off"]])
def test_where_it_cannot_be_it_is_one_error(model, store, capsys, more):  # noqa: F811
    # A chat endpoint that cannot go on from a given beginning; an arm without enforcement.
    chat = model("x")
    assert main(command(chat, store, *more)) == 2
    err = capsys.readouterr().err
    assert err.count("error:") == 1
    assert "Traceback" not in err
    assert chat.requests == []


def test_an_arm_of_an_experiment_may_be_eager_where_it_acts(tmp_path):
    text = """
name = "x"
tasks = ["t01-max-of-slice"]
protocol = "proof"
[[arms]]
name = "eager"
kind = "KIND"
mode = "eager"
[budgets]
generations = 2
[model]
client = "completions"
model = "m"
base_url = "http://127.0.0.1:1/v1"
"""
    path = tmp_path / "e.toml"
    path.write_text(text.replace("KIND", "on"))
    (arm,) = read_experiment(path).arms
    assert json.loads(arm.model_dump_json())["mode"] == "eager"
    path.write_text(text.replace("KIND", "off"))
    with pytest.raises(ConfigError, match="mode eager"):
        read_experiment(path)
