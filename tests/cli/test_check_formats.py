"""Output formats: each says what the others say, in its own rules."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verulaw_gate.cli.checking import github, human, sarif
from verulaw_gate.cli.checking.model import Base, BaseKind, Failure, FileReport, Notice, show
from verulaw_gate.codes import CODES, Severity
from verulaw_gate.findings import Edit, Finding
from verulaw_gate.spans import LineIndex

SCHEMA = json.loads((Path(__file__).parent / "data" / "sarif-schema-2.1.0.json").read_text())
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)

texts = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=60
) | st.sampled_from(["a\tb\n\u202eevil\r\nlast", "x" * 500, "漢字 assume(false)", "a\x1b[31mred"])


@st.composite
def reports(draw: st.DrawFn) -> FileReport:
    text = draw(texts)
    index = LineIndex(text)
    shown = []
    for _ in range(draw(st.integers(0, 3))):
        code = draw(st.sampled_from(list(CODES)))
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, len(text)))
        span = draw(st.sampled_from([None, index.span(start, end)]))
        fix = (Edit(start, end, draw(texts)),) if draw(st.booleans()) else ()
        finding = Finding(
            code, draw(texts), span, draw(st.sampled_from(list(Severity))), draw(texts), fix
        )
        shown.append(show(finding, index))
    failure = draw(st.sampled_from([None, Failure("broken", "a hint", 3, 4), Failure("gone")]))
    return FileReport(
        draw(st.sampled_from(["a.rs", "dir with space/ü:,.rs", "<stdin>", "../up.rs", "a%b.rs"])),
        draw(st.sampled_from([Base(BaseKind.NONE), Base(BaseKind.REVISION, "HEAD", "x")])),
        tuple(shown),
        (Notice("unused-suppression", draw(texts), draw(st.integers(0, 9))),),
        failure=failure,
        receipt=draw(st.sampled_from([None, "", "none for this file"])),
    )


@given(st.lists(reports(), max_size=3))
def test_sarif_holds_to_the_schema(found: list[FileReport]) -> None:
    document = json.loads(sarif.render(found))
    VALIDATOR.validate(document)
    (run,) = document["runs"]
    assert len(run["results"]) == sum(len(r.shown) for r in found)
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    prints = (
        [(r["ruleId"], r["partialFingerprints"]["verulawGate/v1"]) for r in run["results"]]
        if len(found) == 1
        else []
    )
    assert len(prints) == len(set(prints))


def test_the_schema_is_one_that_can_fail() -> None:
    document = json.loads(sarif.render([]))
    document["runs"][0]["tool"]["driver"]["colour"] = "red"
    assert list(VALIDATOR.iter_errors(document))


@given(st.lists(reports(), max_size=3))
def test_github_commands_are_one_line_each_and_can_be_read_back(found: list[FileReport]) -> None:
    lines = github.render(found).split("\n")
    commands = [line for line in lines if line.startswith("::")]
    assert len(commands) == sum(
        len(r.counted) + len(r.notices) + (r.failure is not None) + bool(r.receipt) for r in found
    )
    for command in commands:
        match = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", command, re.DOTALL)
        assert match is not None
        for pair in match[2].split(","):
            assert re.fullmatch(r"(file|line|col|endLine|endColumn|title)=.*", pair, re.DOTALL)
        assert "\r" not in command


@given(reports())
def test_the_caret_stands_under_the_place_and_nothing_moves_the_cursor(report: FileReport) -> None:
    for shown in report.shown:
        if shown.line:
            source, caret = human.excerpt(shown)
            assert caret.strip("^ ") == ""
            assert caret.count("^") >= 1
            for char in source:
                assert char.isprintable() or char == " " or ord(char) > 127
            assert not re.search("[\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069\u200b-\u200f]", source)


@pytest.mark.parametrize(
    ("line", "start", "end", "caret"),
    [
        ("    assume(false);", 4, 17, "    ^^^^^^^^^^^^^"),
        ("\tassume(x)", 1, 7, "    ^^^^^^"),
        ("漢字 assume", 3, 9, "     ^^^^^^"),
        ("a\u202eb", 2, 3, "         ^"),
        ("", 0, 0, "^"),
    ],
)
def test_carets(line: str, start: int, end: int, caret: str) -> None:
    index = LineIndex(line)
    shown = show(Finding("VG301", "m", index.span(start, end)), index)
    assert human.excerpt(shown)[1] == caret


def test_a_long_line_is_cut_around_the_place() -> None:
    line = "x" * 300 + "assume(false)" + "y" * 300
    index = LineIndex(line)
    shown = show(Finding("VG301", "m", index.span(300, 313)), index)
    source, caret = human.excerpt(shown)
    assert len(source) < 140
    assert source[caret.index("^") :].startswith("assume(false)")
    assert caret.count("^") == len("assume(false)")
