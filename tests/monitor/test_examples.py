"""The examples beside the shipped protocols come out as filed; so do the labelled traces."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from verulaw_gate.data import protocols_dir, tasks_dir
from verulaw_gate.errors import InputError
from verulaw_gate.monitor import ViolationKind, run_trace
from verulaw_gate.monitor.dialogue import Played, play, read_dialogue
from verulaw_gate.monitor.examples import examples_dir, run_examples
from verulaw_gate.protocol import compile_protocol, lint, load_protocol, shipped
from verulaw_gate.protocol.load import locate

PAPER = {"direct", "cot", "react", "rewoo", "reflexion", "pass", "pass-no-summary"}
OURS = {"proof", "proof-loop", "proof-pass", "whole-file"}


def test_all_agents_are_shipped() -> None:
    assert set(shipped()) == PAPER | OURS


@pytest.mark.parametrize("name", shipped())
def test_a_shipped_protocol_is_explained_and_has_no_lint_error(name: str) -> None:
    text = locate(name).read_text(encoding="utf-8")
    assert load_protocol(name).name == name
    assert len(load_protocol(name).comment) > 80
    assert {d.level.value for d in lint(text)} <= {"note"}


@pytest.mark.parametrize("name", shipped())
def test_shipped_examples_come_out_as_filed(name: str) -> None:
    examples = run_examples(load_protocol(name), examples_dir(locate(name)))
    assert [str(e.path) for e in examples if not e.passed] == []
    groups = {e.path.parent.name for e in examples}
    assert groups == {"accepted", "rejected"}
    # A rejected example says which violation it shows.
    assert all(e.expected in tuple(ViolationKind) for e in examples if e.expected != "accepted")


@pytest.mark.parametrize("name", ["react", "pass", "proof-loop"])
def test_dialogues_show_all_speakers(name: str) -> None:
    folder = examples_dir(locate(name))
    speakers = {
        json.loads(line)["speaker"]
        for path in folder.glob("*/*.jsonl")
        for line in path.read_text(encoding="utf-8").splitlines()
    }
    assert speakers == {"prompt", "model", "environment"}


# Sequences that show the shape of the paper's agents, by state names.
RUNS = {
    "direct": [["question", "answer"]],
    "cot": [["question", "thought", "answer"]],
    "react": [
        ["question", "final-thought", "answer"],
        ["question", *["thought", "action", "action-input", "observation"] * 3,
         "final-thought", "answer"],
    ],
    "rewoo": [["question", *["plan", "action-label", "action", "action-input"] * 2, "solver"]],
    "reflexion": [
        ["question", "thought", "action", "action-input", "observation", "final-thought",
         "proposed-answer", "evaluation", "reflection", "answer"],
    ],
    "pass": [["question", "plan", *["action", "action-input"] * 3, "summary", "plan", "summary",
              "final-thought", "answer"]],
    "proof-loop": [["task", *["plan", "lemma", "body", "submit", "verus"], "lemma", "body",
                    "submit", "verus", "give-up"]],
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(RUNS))
def test_the_paper_s_runs_are_accepted_and_no_proper_prefix_is(name: str) -> None:
    automaton = compile_protocol(load_protocol(name))
    for run in RUNS[name]:
        assert automaton.accepts(run)
        assert not any(automaton.accepts(run[:n]) for n in range(len(run)))
        assert not automaton.viable([*run, run[-1]])


# How the labels of the task suite read under `proof`.
LABELS = {
    "ok": None,
    "missing-body": "unexpected-state",
    "duplicate-body": "unexpected-state",
    "lemma-after-body": "unexpected-state",
    "truncated": "missing-termination",
}
HINTED = ("unknown-marker", "environment-state-from-model")


def labelled() -> list[tuple[Path, str]]:
    found = []
    for file in sorted(tasks_dir().glob("*/traces/labels.toml")):
        labels = tomllib.loads(file.read_text(encoding="utf-8"))
        found += [(file.parent / name, row["expect_protocol"]) for name, row in labels.items()]
    return found


def test_the_labelled_traces_come_out_as_labelled() -> None:
    proof, loop = load_protocol("proof"), load_protocol("proof-loop")
    traces = labelled()
    assert len(traces) > 200
    for path, label in traces:
        text = path.read_bytes().decode("utf-8")
        verdict = run_trace(proof, text)
        kind = verdict.violation.kind.value if verdict.violation else None
        if label in HINTED:
            named = [text.splitlines()[hint.line - 1] for hint in verdict.hints]
            assert any(line.startswith("[") for line in named), path
        else:
            assert kind == LABELS.get(label, label), path
        if label == "environment-state-from-model":
            after = run_trace(loop, text).violation
            assert after is not None
            assert after.kind.value in ("unexpected-state", "environment-content-from-model")
            assert text.splitlines()[after.line - 1].startswith("[Verus]"), path
    for reference in sorted(tasks_dir().glob("*/reference.txt")):
        assert run_trace(proof, reference.read_bytes().decode("utf-8")).ok


# -- the formats -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "JSON"),
        ("[]", "object with a text"),
        ('{"speaker": "model"}', "object with a text"),
        ('{"speaker": "oracle", "text": ""}', "unknown speaker"),
        ('{"speaker": "model", "state": "qed", "text": ""}', "none for the model"),
        ('{"speaker": "environment", "text": ""}', "a state is due"),
        ('{"speaker": "environment", "state": "nobody", "text": ""}', "no state 'nobody'"),
        ('{"speaker": "model", "text": "", "colour": 1}', "unknown key"),
        ("[" * 100_000, "JSON"),
    ],
)
def test_a_bad_line_is_one_error_with_its_place(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "trace.jsonl"
    file.write_text('{"speaker": "model", "text": "[A]"}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        read_dialogue(file, load_protocol("proof"))
    assert caught.value.line == 2


def test_missing_and_empty_examples_are_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no examples"):
        run_examples(load_protocol("proof"), tmp_path)
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(InputError, match="no turns"):
        read_dialogue(tmp_path / "empty.jsonl", load_protocol("proof"))
    with pytest.raises(InputError, match="cannot read"):
        read_dialogue(tmp_path / "nothing.txt", load_protocol("proof"))


def played_under_proof(file: Path) -> Played:
    proof = load_protocol("proof")
    return play(proof, read_dialogue(file, proof))


def test_a_byte_order_mark_is_not_text(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_bytes(b"\xef\xbb\xbf[Body]\n{}\n[QED]\n")
    assert played_under_proof(tmp_path / "t.txt").finish().ok
    (tmp_path / "t.jsonl").write_bytes(
        b'\xef\xbb\xbf{"speaker": "model", "text": "[Body]\\n{}\\n[QED]"}\n'
    )
    assert played_under_proof(tmp_path / "t.jsonl").finish().ok


def test_a_plain_text_counts_places_from_its_own_start(tmp_path: Path) -> None:
    file = tmp_path / "turn.txt"
    file.write_bytes(b"Hello\n[Body]\n")
    played = played_under_proof(file)
    violation = played.finish().violation
    assert violation is not None
    assert (violation.offset, violation.line, violation.column) == (0, 1, 1)
    assert played.shown == "Hello\n[Body]\n"


def test_bytes_that_are_no_text_are_a_violation_in_a_plain_text(tmp_path: Path) -> None:
    file = tmp_path / "turn.txt"
    file.write_bytes(b"[Body]\n{ \xff }\n[QED]\n")
    violation = played_under_proof(file).finish().violation
    assert violation is not None
    assert (violation.kind, violation.line, violation.column) == ("not-utf8", 2, 3)


def test_wrongly_filed_examples_fail(tmp_path: Path) -> None:
    for group, name in (
        ("accepted", "bad.txt"),
        ("rejected", "good.txt"),
        ("rejected", "unexpected-state--really-missing-termination.txt"),
        ("rejected", "any.txt"),
    ):
        folder = tmp_path / group
        folder.mkdir(exist_ok=True)
        good = "[Body]\n{ }\n[QED]\n"
        (folder / name).write_text(good if name == "good.txt" else "[Body]\n{ }\n")
    examples = run_examples(load_protocol("proof"), tmp_path)
    assert {e.path.name: e.passed for e in examples} == {
        "bad.txt": False,
        "good.txt": False,
        "unexpected-state--really-missing-termination.txt": False,
        "any.txt": True,
    }


def test_every_example_folder_belongs_to_a_protocol() -> None:
    folders = {path.name for path in (protocols_dir() / "examples").iterdir()}
    assert folders == set(shipped())


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("rejected/unexpectd-state--x.txt", "did you mean unexpected-state"),
        ("rejected/sharks--x.txt", "kinds: text-before-first-marker"),
        ("accepted/good.text", "name it .txt or .jsonl"),
    ],
)
def test_a_file_that_would_be_taken_for_less_is_an_error(tmp_path: Path, name: str, told: str):
    path = tmp_path / name
    path.parent.mkdir()
    path.write_text("Hello")
    (path.parent / ".DS_Store").write_text("")
    with pytest.raises(InputError) as caught:
        run_examples(load_protocol("proof"), tmp_path)
    assert told in str(caught.value.hint)
    assert str(caught.value.path) == str(path)
