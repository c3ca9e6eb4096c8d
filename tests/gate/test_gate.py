"""The gate itself: decisions, settings, versions, layers, places, known results."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from verulaw_gate.codes import CODES, Family, Severity
from verulaw_gate.config import Config
from verulaw_gate.findings import Finding
from verulaw_gate.gate import (
    PINNED_VERUS,
    RULES,
    Decision,
    Gate,
    LayerName,
    Rule,
    RuleDoc,
    SourceKind,
    normal_hash,
    rule_docs,
)
from verulaw_gate.gate.native import available
from verulaw_gate.gate.places import to_trace
from verulaw_gate.protocol import load_protocol, parse_protocol
from verulaw_gate.spans import Span
from verulaw_gate.tasks import assemble_lenient, load_task
from verulaw_gate.tasks.model import Piece

TASK = load_task("t01-max-of-slice")
BASE = "use vstd::prelude::*;\nverus! {\nfn f() -> (r: u8) ensures r < 9 { 3 }\n}\n"
CHEAT = BASE.replace("{ 3 }", "{ assume(false); 3 }")


def codes(findings: tuple[Finding, ...]) -> list[str]:
    return [f.code for f in findings]


def test_a_task_takes_traces_and_files() -> None:
    gate = Gate(TASK)
    trace = gate.check(TASK.reference)
    assert trace.accepted
    assert trace.source_kind is SourceKind.RAW
    assert trace.verdict is not None
    assert trace.assembly is not None
    assert trace.source == trace.assembly.source
    assert gate.check_source(trace.source).accepted
    lenient = assemble_lenient(TASK, TASK.reference)
    assert gate.check_assembly(lenient).assembly == lenient


def test_with_a_base_a_cheat_is_an_error_and_without_a_warning() -> None:
    (found,) = Gate(BASE).check(CHEAT).findings
    assert (found.code, found.severity) == ("VG301", Severity.ERROR)
    result = Gate().check(CHEAT)
    assert [(f.code, f.severity) for f in result.findings] == [("VG301", Severity.WARNING)]
    assert result.accepted
    strict = Config(severity={"VG301": Severity.ERROR})
    assert Gate(config=strict).check(CHEAT).decision is Decision.REJECTED


def test_an_empty_base_is_a_base() -> None:
    assert Gate("").check(CHEAT).decision is Decision.REJECTED


def test_settings_select_ignore_and_weigh() -> None:
    assert Gate(BASE, config=Config(ignore=frozenset({"VG301"}))).check(CHEAT).findings == ()
    assert Gate(BASE, config=Config(select=frozenset({"VG302"}))).check(CHEAT).findings == ()
    note = Config(severity={"VG301": Severity.NOTE})
    result = Gate(BASE, config=note).check(CHEAT)
    assert result.accepted
    assert [f.severity for f in result.findings] == [Severity.NOTE]


def test_what_no_setting_can_do_is_send_a_trace_that_makes_no_candidate() -> None:
    gate = Gate(TASK, config=Config(ignore=frozenset({"VG006"})))
    result = gate.check("[Body]\n{ }\n")
    assert result.findings == ()
    assert result.source is None
    assert not result.accepted


def _rule(code: str, layer: LayerName = LayerName.TOKENS) -> Rule:
    doc = RuleDoc("a", "b", "c", "d")
    return Rule((code,), layer, lambda context: [context.at(code, 0, 0, "found")], {code: doc})


def test_rules_can_be_injected() -> None:
    assert codes(Gate(rules=[_rule("VG101")], native=False).check("fn").findings) == ["VG101"]
    assert Gate(rules=[], native=False).check("fn (").accepted


def test_syntax_and_static_findings_are_tied_to_the_pinned_version() -> None:
    rules = [_rule("VG201"), _rule("VG251"), _rule("VG101")]

    def severities(gate: Gate) -> dict[str, Severity]:
        return {f.code: f.severity for f in gate.check("fn").findings}

    error, warning = Severity.ERROR, Severity.WARNING
    pinned = Gate(rules=rules, native=False)
    assert severities(pinned) == {"VG101": error, "VG201": error, "VG251": error}
    assert pinned.check("fn").verus_version == PINNED_VERUS
    other = Gate(rules=rules, native=False, verus_version="0.2027.01.01.0000000")
    assert severities(other) == {"VG101": error, "VG201": warning, "VG251": warning}
    from_config = Gate(rules=rules, native=False, config=Config(verus_version="x"))
    assert severities(from_config) == severities(other)


def test_a_layer_that_did_not_run_is_said() -> None:
    layers = {layer.name: layer for layer in Gate(BASE, native=False).check(BASE).layers}
    assert layers["tokens"].ran
    assert not layers["native"].ran
    assert layers["native"].reason
    assert not layers["static"].ran
    with_native = {layer.name: layer for layer in Gate(BASE).check(BASE).layers}
    assert with_native["native"].ran == available()
    assert bool(with_native["native"].reason) != available()
    rejected = {layer.name: layer for layer in Gate(TASK).check("nothing").layers}
    assert not rejected["native"].ran


def test_a_native_rule_is_silent_without_its_layer() -> None:
    gate = Gate(rules=[_rule("VG201", LayerName.NATIVE)], native=False)
    assert gate.check("fn").findings == ()


def test_findings_of_a_trace_are_places_in_the_trace() -> None:
    body = TASK.reference.replace("    m\n}", "    assume(false);\n    m\n}")
    for text in (body, body.replace("\n", "\r\n"), "[Lemma]\nproof fn a() {}\n" + body):
        (found,) = Gate(TASK).check(text).findings
        assert found.span is not None
        assert text[found.span.start : found.span.end] == "assume(false)"
        line = text[: found.span.start].count("\n") + 1
        assert found.span.line == line
        assert found.span.column == 5


def test_a_clause_added_by_the_body_section_is_shown_there() -> None:
    text = TASK.reference.replace("[Body]\n", "[Body]\n    requires false,\n")
    (found,) = [f for f in Gate(TASK, native=False).check(text).findings if f.code == "VG403"]
    assert found.span is not None
    assert text[found.span.start : found.span.end] == "requires false,"
    assert "s@.len() > 0" in found.message


def test_a_finding_about_the_fixed_text_has_no_place_in_the_trace() -> None:
    inside = Finding("VG403", "m", Span(5, 6, 1, 6))
    outside = Finding("VG403", "m", Span(50, 60, 3, 1))
    pieces = (Piece("body", 4, 10, 100),)
    moved = to_trace([inside, outside, Finding("VG402", "m")], pieces, "x" * 120)
    assert [f.span for f in moved] == [Span(101, 102, 1, 102), None, None]


def test_a_whole_file_trace_is_held_against_its_task() -> None:
    gate = Gate(TASK, protocol=load_protocol("whole-file"), native=False)
    good = Gate(TASK).check(TASK.reference).source
    assert good is not None
    for text in (f"[File]\n{good}[QED]\n", f"[File]\n\n{good}\n\n[QED]\n".replace("\n", "\r\n")):
        result = gate.check(text)
        assert result.accepted, result.findings
        assert result.source == good
    bad = gate.check(f"[File]\n{good}[QED]\n".replace("    m\n}", "    admit();\n    m\n}"))
    (found,) = bad.findings
    assert found.code == "VG302"
    assert found.span is not None
    assert found.span.line == bad.source.count("\n", 0, bad.source.index("admit")) + 2
    weaker = gate.check(f"[File]\n{good}[QED]\n".replace("s@[i] <= m", "s@[i] <= s@[i]", 1))
    assert codes(weaker.findings) == ["VG403"]


def test_the_last_attempt_makes_the_candidate() -> None:
    protocol = parse_protocol(
        """(define attempts (:states
             (task (:text "[Task]") (:flags :env-input))
             (lemma (:text "[Lemma]") (:content verus-items))
             (body (:text "[Body]") (:content verus-block))
             (again (:text "[Again]") (:content empty))
             (qed (:text "[QED]") (:content empty)))
           (:behavior
             (next task (until (next (until lemma body) again) (until lemma body)) qed)))"""
    )
    first = "[Lemma]\nproof fn first() { }\n[Body]\n{ admit(); }\n[Again]\n"
    result = Gate(TASK, protocol=protocol).check(first + TASK.reference)
    assert result.accepted
    assert result.source == Gate(TASK).check(TASK.reference).source


def test_a_broken_trace_still_tells_of_its_sections() -> None:
    text = "[Lemma]\nproof fn a() { admit(); }\n[Lemma]\nFirst we need more:\n[QED]\n"
    result = Gate(TASK).check(text)
    assert {"VG002", "VG302", "VG104"} <= set(codes(result.findings))
    assert result.family is Family.PROTOCOL
    assert result.source is None


def test_a_violation_names_the_remedy() -> None:
    near = Gate(TASK).check(TASK.reference.replace("[Body]", "**[Body]**"))
    assert "[Body]" in near.findings[0].hint
    far = Gate(TASK).check("[QED]\n")
    assert "lemma, body" in far.findings[0].hint


def test_a_known_candidate_is_not_sent_again() -> None:
    reference = Gate(TASK).check(TASK.reference).source
    assert reference is not None
    seen = {normal_hash(reference): "verified"}
    gate = Gate(TASK, known=seen.get)
    again = gate.check(TASK.reference.replace("    m\n}", "    // the result\n    m\n\n}"))
    assert again.decision is Decision.REUSED
    assert again.family is Family.KNOWN
    assert codes(again.findings) == ["VG501"]
    assert "verified" in again.findings[0].message
    assert gate.check(TASK.reference.replace("i += 1;", "i = i + 1;")).accepted
    cheat = gate.check(TASK.reference.replace("    m\n}", "    assume(false);\n    m\n}"))
    assert cheat.decision is Decision.REJECTED
    off = Gate(TASK, known=seen.get, config=Config(ignore=frozenset({"VG501"})))
    assert off.check(TASK.reference).accepted


def test_same_input_same_output() -> None:
    for text in (TASK.reference, CHEAT, "nothing"):
        assert Gate(TASK).check(text) == Gate(TASK).check(text)


def test_every_code_is_documented_with_an_example_that_its_rule_finds() -> None:
    docs = rule_docs()
    assert set(docs) <= set(CODES)
    assert set(docs) >= {c for c, row in CODES.items() if row.family is not Family.STATIC}
    for code, doc in docs.items():
        assert all((doc.finds, doc.why, doc.example, doc.remedy, doc.versions)), code
    tokens = [rule for rule in RULES if rule.layer is LayerName.TOKENS]
    gate = Gate(rules=tokens, native=False)
    for rule in tokens:
        for code, doc in rule.docs.items():
            if code in ("VG104", "VG105", "VG314") or CODES[code].family is Family.INTEGRITY:
                continue  # about sections, a base, or a character that no example shows
            text = doc.example if code == "VG309" else f"verus! {{ {doc.example} }}"
            text = doc.example if code == "VG102" else text
            assert code in codes(gate.check(text).findings), code


@pytest.mark.parametrize("code", ["VG104", "VG105", "VG401"])
def test_examples_about_sections_are_found(code: str) -> None:
    example = rule_docs()[code].example
    text = example if "[Body]" in example else example + "\n[Body]\n{ }"
    text = text if text.endswith("[QED]") else text + "\n[QED]"
    found = codes(Gate(TASK, native=False).check(text + "\n").findings)
    assert code in found


def test_a_disagreement_of_two_readings_is_no_rejection(monkeypatch: pytest.MonkeyPatch) -> None:
    from verulaw_gate.gate.rules import structure

    monkeypatch.setattr(structure, "parses_cleanly", lambda text: True)
    result = Gate("", native=False).check("verus! { fn f() { ( } }")
    assert {f.severity for f in result.findings} == {Severity.WARNING}
    assert result.accepted


def test_what_verus_itself_parses_is_not_rejected_for_its_structure() -> None:
    result = Gate(rules=[_rule("VG104")]).check("fn f() { }")
    assert result.accepted == available()
    assert Gate(rules=[_rule("VG104")], native=False).check("fn f() { }").accepted is False


def test_results_can_be_replaced_but_not_changed() -> None:
    result = Gate(BASE).check(BASE)
    assert replace(result, source="x").source == "x"
    with pytest.raises(AttributeError):
        result.source = "x"  # type: ignore[misc]


def test_importing_the_gate_stays_light() -> None:
    code = "import sys, verulaw_gate.gate; print(' '.join(sys.modules))"
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    heavy = {"lark", "pydantic", "sqlalchemy", "httpx", "scipy", "rich", "tree_sitter", "anyio"}
    assert loaded & heavy == set()
