"""The lint checks that need more than the form: markers in content, who may speak, what accepts."""

from __future__ import annotations

import pytest

from verulaw_gate.data import tasks_dir
from verulaw_gate.protocol import LINT_CODES, Level, lint


def codes(states: str, behavior: str, markers: str = "") -> list[tuple[str, str]]:
    text = f"(define p (:states {states}) {markers} (:behavior {behavior}))"
    return [(d.code, text[d.span.start : d.span.end]) for d in lint(text)]


def body(marker: str, kind: str = "verus-block", markers: str = "") -> list[str]:
    states = f'(a (:text "[Plan Step]") (:content {kind})) (z (:text "{marker}"))'
    return [code for code, place in codes(states, "(next a z)", markers) if place in ("z", "a")]


@pytest.mark.parametrize(
    "marker",
    ["}", "fn", "proof", "//", "invariant", "*", "ensures", "=>", "let x", "[x]", "assert", "{"],
)
def test_markers_that_code_holds_are_warned_of(marker: str) -> None:
    assert "P110" in body(marker)
    assert "P110" in body(marker, "verus-items")
    assert "P110" in body(marker, "verus-file")


@pytest.mark.parametrize("marker", ["[Lemma]", "[Body]", "[QED]", "[Give Up]"])
def test_titles_in_brackets_are_only_noted(marker: str) -> None:
    assert body(marker) == ["P120"]


@pytest.mark.parametrize("marker", ["### Body", "§body", "@@ body \\\\", "<|body|>"])
def test_markers_with_signs_that_no_token_has(marker: str) -> None:
    # `#`, `<`, `|`, `@` are tokens of Rust; `§` and a lone backslash are not.
    expected = marker.startswith(("§", "@@"))
    assert ("P110" not in body(marker)) == expected


def test_the_warning_names_the_shipped_task_that_holds_the_marker() -> None:
    text = (
        '(define p (:states (a (:text "[A B]") (:content verus-block)) (z (:text "use vstd")))'
        " (:behavior (next a z)))"
    )
    (warning,) = [d for d in lint(text) if d.code == "P110"]
    assert "/task.rs" in warning.message
    place = warning.message.split("shipped ")[1].split(" has")[0]
    assert "use vstd" in (tasks_dir() / place).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("marker", "kind", "warned"),
    [
        ("{", "json", True),
        ("null", "json", True),
        ("[Body]", "json", False),
        ("Answer", "text", True),
        ("Final Answer", "text", True),
        ("Answer:", "text", False),
        ("[Answer]", "text", False),
    ],
)
def test_markers_in_json_and_in_prose(marker: str, kind: str, warned: bool) -> None:
    marker = marker.replace('"', '\\"')
    assert ("P110" in body(marker, kind)) == warned


def test_contents_that_are_listed_or_empty_hold_no_marker() -> None:
    states = '(a (:text "[A]") (:content empty)) (b (:text "[B]") (:one-of "x")) '
    states += ' (z (:text "go") (:content empty))'
    assert codes(states, "(next a b)") == [("P107", "z")]


AB = '(a (:text "[A]")) (b (:text "[B]"))'


@pytest.mark.parametrize(
    ("states", "behavior", "expected"),
    [
        (AB, "(next a)", [("P107", "b")]),
        ('(a (:text "[A")) (b (:text "[AB]"))', "(next a b)", [("P109", "a")]),
        ('(a (:text "[A]")) (b (:text "[B]") (:flags :env-input))', "(next (until a b))",
         [("P115", "b")]),
        ('(a (:text "[A]")) (b (:text "[B]") (:flags :env-input))', "(next a b)", []),
        (AB, "(next (always a) (always b))", [("P119", "(next (always a) (always b))")]),
        ('(a (:text "[A]") (:one-of "long") (:max-chars 2)) (b (:text "[B]"))', "(next (or a b))",
         [("P118", "a")]),
        (AB, "(next (until_9 (until_9999 a b) b))",
         [("P114", "(until_9 (until_9999 a b) b)")]),
        (AB, "(next (until_9 a (until_99999 a b)))", [("P114", "(until_99999 a b)")]),
        (AB, "(next (always (until_99999 a b)))", [("P114", "(until_99999 a b)")]),
    ],
)  # fmt: skip
def test_what_the_automaton_tells(
    states: str, behavior: str, expected: list[tuple[str, str]]
) -> None:
    assert codes(states, behavior) == expected


def test_the_note_on_two_speakers_says_what_will_happen() -> None:
    text = (
        '(define p (:states (a (:text "[A]")) (b (:text "[B]") (:flags :env-input)))'
        " (:behavior (next (until a b))))"
    )
    (note,) = lint(text)
    assert note.level is Level.NOTE
    assert "[B] alone" in note.remedy
    assert "environment-content-from-model" in LINT_CODES["P115"].explanation


def test_every_code_is_explained() -> None:
    assert list(LINT_CODES) == [f"P1{n:02}" for n in range(1, len(LINT_CODES) + 1)]
    for row in LINT_CODES.values():
        assert row.explanation.endswith(".")


def test_prefix_of_several_markers_is_told_for_each() -> None:
    states = '(a (:text "-")) (b (:text "--")) (c (:text "---"))'
    found = [d for d in codes(states, "(next a b c)") if d[0] == "P109"]
    assert found == [("P109", "a"), ("P109", "a"), ("P109", "b")]
