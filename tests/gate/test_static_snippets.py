"""The snippets of tests/verus_snippets: what each static rule finds and what it leaves alone."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verulaw_gate.codes import CODES, Family
from verulaw_gate.gate import native
from verulaw_gate.gate.context import Context
from verulaw_gate.gate.rules.static import RULES

ENOUGH = 20
FOLDER = Path(__file__).parents[1] / "verus_snippets"
needs_native = pytest.mark.skipif(not native.available(), reason=native.reason() or "available")


def wrapped(source: str) -> str:
    """The snippet as a whole file (see the folder's README)."""
    if "verus!" in source:
        return source
    return "use vstd::prelude::*;\nverus! {\n" + source + "} // verus!\nfn main() {}\n"


def snippets() -> list[tuple[str, dict[str, str]]]:
    return [
        (path.stem, snippet)
        for path in sorted(FOLDER.glob("VG*.toml"))
        for snippet in tomllib.loads(path.read_text(encoding="utf-8"))["snippet"]
    ]


def findings(source: str):
    context = Context(source, native=native.analyse(source))
    return [finding for rule in RULES for finding in rule.run(context)]


@needs_native
@pytest.mark.parametrize(
    ("code", "snippet"), snippets(), ids=[f"{code}-{s['name']}" for code, s in snippets()]
)
def test_a_snippet_is_judged_as_it_says(code: str, snippet: dict[str, str]) -> None:
    found = findings(wrapped(snippet["source"]))
    if snippet["expect"] == "found":
        lines = [f.span.line for f in found if f.code == code and f.span]
        assert lines, f"{code} does not find it: {snippet['why']}"
        if "line" in snippet:
            assert snippet["line"] in lines
    else:
        assert snippet["expect"] == "silent"
        facts = native.analyse(wrapped(snippet["source"]))
        assert facts.analysed
        assert all(error["cfg"] for error in facts.errors)
        assert [(f.code, f.message) for f in found] == []


def test_every_code_of_the_rules_has_twenty_snippets_of_each_kind() -> None:
    counts = Counter((code, snippet["expect"]) for code, snippet in snippets())
    codes = {code for rule in RULES for code in rule.codes}
    assert set(counts) == {(code, expect) for code in codes for expect in ("found", "silent")}
    assert {key: n for key, n in counts.items() if n < ENOUGH} == {}


def test_no_snippet_is_there_twice() -> None:
    """Not even with other blanks: a copy would count as a second example."""
    sources = Counter((code, "".join(s["source"].split())) for code, s in snippets())
    assert [source for source, n in sources.items() if n > 1] == []


def test_names_of_snippets_are_unique_and_each_says_why() -> None:
    names = [(code, snippet["name"]) for code, snippet in snippets()]
    assert len(names) == len(set(names))
    for code, snippet in snippets():
        assert snippet["name"].strip(), (code, snippet["source"])
        assert snippet["why"].strip(), (code, snippet["name"])
        status = snippet["status"]
        assert status == "unconfirmed" or status.startswith("recorded: "), (code, snippet["name"])


@needs_native
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.codes[0])
def test_the_example_of_the_documentation_is_found(rule) -> None:
    for code, doc in rule.docs.items():
        example = wrapped(doc.example + "\n")
        assert code in {finding.code for finding in findings(example)}


def test_all_rules_are_predictive() -> None:
    families = {CODES[code].family for rule in RULES for code in rule.codes}
    assert families == {Family.SYNTAX, Family.STATIC}


@needs_native
@pytest.mark.parametrize(
    ("code", "snippet"),
    [(c, s) for c, s in snippets() if s["expect"] == "found" and c != "VG201"],
    ids=[f"{c}-{s['name']}" for c, s in snippets() if s["expect"] == "found" and c != "VG201"],
)
def test_a_fix_removes_the_finding(code: str, snippet: dict[str, str]) -> None:
    """Applying the edits of all findings leaves a file that parses and has fewer findings."""
    source = wrapped(snippet["source"])
    before = [f for f in findings(source) if f.code == code]
    edits = sorted({e for f in before for e in f.fix}, key=lambda e: (e.start, e.end))
    if not edits:
        return
    text, shift = source, 0
    for edit in edits:
        text = text[: edit.start + shift] + edit.text + text[edit.end + shift :]
        shift += len(edit.text) - (edit.end - edit.start)
    assert native.analyse(text).status == "ok"
    after = [f for f in findings(text) if f.code == code]
    assert len(after) < len(before)


WORDS = [re.findall(r"\w+|\s+|[^\w\s]", wrapped(s["source"])) for _, s in snippets()]
NAMES = sorted({word for words in WORDS for word in words if word[0].isalnum()})


@needs_native
@given(data=st.data())
def test_no_rule_ends_in_a_traceback_whatever_word_stands_where(data) -> None:
    """A snippet with other words in some places: the rules answer, whatever they answer."""
    words = list(data.draw(st.sampled_from(WORDS), label="snippet"))
    places = st.sampled_from([i for i, word in enumerate(words) if word[0].isalnum()])
    for place in data.draw(st.lists(places, min_size=1, max_size=3), label="places"):
        words[place] = data.draw(st.sampled_from(["", *NAMES]), label="word")
    findings("".join(words))
