"""`verulaw-gate protocol` from outside: output, exit codes, errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from verulaw_gate.cli.main import main
from verulaw_gate.protocol import shipped

BAD = '(define p\n  (:states (a (:text "[A]")))\n  (:behavior (next a b)))\n'
TRACE = "[Body]\n{\n}\n[Body]\n{\n}\n[QED]\n"


def verb(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    code = main(["protocol", *argv])
    out, err = capsys.readouterr()
    return code, out, err


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = verb(capsys, "list")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == list(shipped())
    assert all(len(line) <= 100 for line in out.splitlines())


def test_lint_of_all_shipped_is_clean(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = verb(capsys, "lint", *shipped())
    assert code == 0
    assert out.splitlines()[-1].startswith(f"{len(shipped())} protocols: 0 errors")


def test_lint_shows_the_place_and_the_remedy(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "bad.sexp"
    file.write_text(BAD)
    code, out, _ = verb(capsys, "lint", str(file))
    assert code == 1
    lines = out.splitlines()
    assert lines[0] == f"{file}:3:22: error P103 unknown-state: unknown state b"
    assert lines[1] == "      (:behavior (next a b)))"
    assert lines[2].index("^") == lines[1].index("b)))")
    assert lines[4] == "  remedy: declare it in (:states ...)"
    code, out, _ = verb(capsys, "lint", str(file), "--format", "json")
    assert code == 1
    (row,) = json.loads(out)
    assert (row["code"], row["line"], row["column"], row["level"]) == ("P103", 3, 22, "error")
    assert BAD[row["start"] : row["end"]] == "b"
    assert row["explanation"]
    assert row["remedy"]


def test_a_bad_protocol_is_one_error_everywhere(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "bad.sexp"
    file.write_text(BAD)
    trace = tmp_path / "t.txt"
    trace.write_text(TRACE)
    for argv in (
        ("show", str(file)),
        ("test", str(file)),
        ("trace", str(file), "--trace", str(trace)),
        ("export", str(file)),
    ):
        code, out, err = verb(capsys, *argv)
        assert (code, out) == (2, "")
        assert err.count("error:") == 1
        assert f"{file}:3:22" in err
        assert "^" in err
        assert "Traceback" not in err


def test_show(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = verb(capsys, "show", "proof")
    assert code == 0
    assert "lemma -> 1, body -> 2" in out
    code, out, _ = verb(capsys, "show", "proof", "--format", "json")
    assert json.loads(out)["name"] == "proof"
    code, out, _ = verb(capsys, "show", "proof", "--format", "mermaid")
    assert out.startswith("stateDiagram-v2\n")
    assert code == 0


@pytest.mark.parametrize("name", shipped())
def test_the_shipped_examples_also_pass_with_the_gates_content_rules(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    code, out, _ = verb(capsys, "test", name)
    assert code == 0, out
    # Contents of accepted examples are sound; a rejected one may be caught by its content first.
    _, out, _ = verb(capsys, "test", name, "--content", "--format", "json")
    accepted = [row for row in json.loads(out) if row["expected"] == "accepted"]
    assert accepted
    assert [row["path"] for row in accepted if not row["passed"]] == []


def test_a_users_own_examples(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    protocol = tmp_path / "mine.sexp"
    protocol.write_text('(define p (:states (a (:text "[A]"))) (:behavior (next a)))')
    code, _, err = verb(capsys, "test", str(protocol))
    assert code == 2
    assert "no examples here" in err
    folder = tmp_path / "examples" / "mine" / "accepted"
    folder.mkdir(parents=True)
    (folder / "good.txt").write_text("[A] x")
    (folder / "wrong.txt").write_text("x")
    code, out, _ = verb(capsys, "test", str(protocol))
    assert code == 1
    assert "ok   accepted/good.txt: accepted" in out
    assert "FAIL accepted/wrong.txt: text-before-first-marker, not accepted" in out
    assert "1/2 examples of p as filed" in out


def test_trace(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "t.txt"
    file.write_text(TRACE)
    code, out, _ = verb(capsys, "trace", "proof", "--trace", str(file))
    assert code == 1
    lines = out.splitlines()
    at = lines.index("violation: unexpected-state at line 4, column 1")
    assert lines[at + 1 : at + 3] == ["    [Body]", "    ^"]
    assert "  legal here: [QED]" in lines
    assert "  the model goes on after '[QED]'" in lines
    for mode in ("feedback", "forced"):
        code, out, _ = verb(capsys, "trace", "proof", "--trace", str(file), "--correction", mode)
        assert f"correction ({mode})" in out
    code, out, _ = verb(capsys, "trace", "proof", "--trace", str(file), "--format", "json")
    told = json.loads(out)
    assert told["violation"]["kind"] == "unexpected-state"
    assert told["correction"]["append"] == "[QED]"
    file.write_text("[Body]\n{\n}\n[QED]\n")
    code, out, _ = verb(capsys, "trace", "proof", "--trace", str(file))
    assert code == 0
    assert "conforms and is complete" in out


def test_trace_with_content_rules_shows_the_finding(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "t.txt"
    file.write_text("[Body]\n{\n    assume(false);\n}\n[QED]\n")
    code, out, _ = verb(capsys, "trace", "proof", "--trace", str(file), "--content")
    assert code == 1
    assert "VG301 assume" in out
    assert "at line 3, column 5" in out


def test_export(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = verb(capsys, "export", "proof")
    assert code == 0
    assert "verus!" in out
    file = tmp_path / "proof.rs"
    assert verb(capsys, "export", "proof", "--output", str(file))[0] == 0
    assert file.read_text(encoding="utf-8") == out
    code, _, err = verb(capsys, "export", "proof", "--output", str(tmp_path / "no" / "where.rs"))
    assert code == 2
    assert "cannot be written" in err


@pytest.mark.parametrize("argv", [[], ["dance"], ["show"], ["trace", "proof"]])
def test_bad_usage_is_2(capsys: pytest.CaptureFixture[str], argv: list[str]) -> None:
    assert verb(capsys, *argv)[0] == 2
