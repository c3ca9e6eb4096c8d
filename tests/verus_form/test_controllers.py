"""The printed controllers: golden files, and the compiled ones against the Python automaton."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.verus_form.golden_files import GOLDEN, golden_files
from verulaw_gate.cli.main import main
from verulaw_gate.monitor import Monitor, ViolationKind
from verulaw_gate.protocol import (
    Automaton,
    ContentKind,
    Protocol,
    State,
    compile_protocol,
    load_protocol,
    parse_protocol,
    shipped,
)
from verulaw_gate.protocol.export_verus import controller_states, export_verus

SEQUENCES = 10_000

Ask = Callable[[Sequence[str]], list[str]]


def test_golden_files_are_what_the_generator_prints() -> None:
    for path, text in golden_files().items():
        assert path.is_file(), f"{path} is missing: python tests/verus_form/golden_files.py"
        assert path.read_text(encoding="utf-8") == text, f"{path} is out of date"
    assert {p.stem for p in GOLDEN.glob("*.rs")} == set(shipped())


def _along_edges(automaton: Automaton, rng: random.Random, length: int) -> list[str]:
    """A walk along legal edges, with an illegal marker thrown in half of the time."""
    q, names = automaton.start, []
    while len(names) < length:
        legal = automaton.legal_next(q)
        if not legal:
            break
        name = rng.choice(legal)
        names.append(name)
        after = automaton.step(q, name)
        assert after is not None
        q = after
    if rng.random() < 0.5:
        names.insert(rng.randint(0, len(names)), rng.choice(automaton.names))
    return names


def _sequences(automaton: Automaton, rng: random.Random) -> list[list[str]]:
    half = SEQUENCES // 2
    legal = [_along_edges(automaton, rng, rng.randint(0, 14)) for _ in range(half)]
    wild = [rng.choices(automaton.names, k=rng.randint(0, 8)) for _ in range(half)]
    return legal + wild


def _content(state: State) -> str:
    if state.one_of:
        return state.one_of[0]
    return {ContentKind.EMPTY: "", ContentKind.JSON: "{}"}.get(state.content, "x")


def _monitored(protocol: Protocol, names: Sequence[str]) -> tuple[int, bool, str]:
    """Accepted steps, whether the run may end there, legal markers: what the monitor says."""
    monitor = Monitor(protocol)
    for name in names:
        state = protocol.state(name)
        if state.env_input:
            monitor.feed_environment(name, _content(state))
        else:
            monitor.feed(f"{state.text} {_content(state)}\n")
    verdict = monitor.finish()
    violation = verdict.violation
    if violation is not None and violation.kind is not ViolationKind.MISSING_TERMINATION:
        assert len(verdict.steps) < len(names)
    legal = verdict.legal_next
    numbers = [str(i) for i, state in enumerate(protocol.states) if state.name in legal]
    return len(verdict.steps), verdict.complete, ",".join(numbers)


@pytest.mark.parametrize("name", shipped())
def test_the_compiled_controller_agrees_with_the_monitor(name: str, ask: Ask) -> None:
    protocol = load_protocol(name)
    automaton = compile_protocol(protocol)
    number = {state: i for i, state in enumerate(automaton.names)}
    sequences = _sequences(automaton, random.Random(f"controller {name}"))
    answers = ask([" ".join(["run", name, *(str(number[n]) for n in s)]) for s in sequences])
    whole = 0
    for names, answer in zip(sequences, answers, strict=True):
        length, _state, accepting, legal = answer.split(" ")
        assert (int(length), accepting == "true", legal) == _monitored(protocol, names), names
        whole += int(length) == len(names)
    # The sample must hold both kinds, or the comparison says little.
    assert 0.1 < whole / len(sequences) < 0.95


def test_names_that_are_no_identifiers_are_escaped() -> None:
    text = """
    (define odd
      (:states
        (Self (:text "[Self]")) (fn (:text "[fn]")) (a-b (:text "[a-b]")) (a_b (:text "[a_b]"))
        (start (:text "[\u202estart]")) (none (:text "[None]")))
      (:behavior (next Self (until fn a-b) a_b (always start) none)))
    """
    protocol = parse_protocol(text)
    states, markers = controller_states(protocol)
    for names in (states, markers):
        assert len(set(names)) == len(names)
        assert all(n.isidentifier() and n.isascii() and n != "Self" for n in names)
    assert states[0] == "Start"
    assert "\u202e" not in export_verus(protocol)


def test_large_tables_leave_out_what_verus_is_slow_at() -> None:
    text = """
    (define wide
      (:states (a (:text "[A]")) (b (:text "[B]")) (c (:text "[C]")))
      (:behavior (next (until_150_300 a b) c)))
    """
    printed = export_verus(parse_protocol(text))
    assert "theorem_can_finish" not in printed.split("use vstd")[1]
    assert "Left out for the size" in printed
    assert "lemma_prefix_closed" in printed


def test_the_wide_file_compiles_too(tmp_path: Path, ask: Ask) -> None:
    """The harness builds the golden files; odd names have to compile as well."""
    assert shutil.which("cargo")
    import os
    import subprocess

    from tests.verus_form.conftest import HARNESS, TARGET

    text = """
    (define odd
      (:states
        (Self (:text "[Self]")) (fn (:text "[fn]")) (a-b (:text "[a-b]")) (a_b (:text "[a_b]"))
        (start (:text "[start]")) (none (:text "[None]") (:flags :env-input)))
      (:behavior (next Self (until fn a-b) a_b (always start) none)))
    """
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "main.rs").write_text(export_verus(parse_protocol(text)))
    for part in ("Cargo.toml", "Cargo.lock"):
        shutil.copy(HARNESS / part, tmp_path / part)
    env = {**os.environ, "CARGO_TARGET_DIR": str(TARGET)}
    done = subprocess.run(
        ["cargo", "check", "--release", "--locked", "--quiet"],
        cwd=tmp_path, env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_the_verb_prints_the_golden_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["protocol", "export", "--format", "verus", "proof"]) == 0
    assert capsys.readouterr().out == (GOLDEN / "proof.rs").read_text(encoding="utf-8")
