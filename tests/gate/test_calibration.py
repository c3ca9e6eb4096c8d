"""Counts, their intervals and their page; messages of Verus matched to codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verulaw_gate.codes import CODES, PREDICTIVE, Family
from verulaw_gate.errors import InputError
from verulaw_gate.gate import calibration, rule_page
from verulaw_gate.gate.calibration import Calibration, Predictive, RuleCounts, wilson
from verulaw_gate.gate.confirm import confirms, same_kind
from verulaw_gate.gate.exposure import EXPOSURE, exposed, exposed_in_trace
from verulaw_gate.gate.lexer import lex
from verulaw_gate.gate.rules import RULES, rule_docs
from verulaw_gate.protocol import load_protocol, parse_protocol
from verulaw_gate.report import statistics

pairs = st.integers(0, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@settings(deadline=None)  # the first call imports scipy
@given(pairs)
def test_the_interval_is_the_one_of_the_report(pair: tuple[int, int]) -> None:
    theirs = statistics.wilson(*pair)  # scipy's, computed another way
    ours = wilson(pair)
    if theirs is None:
        assert ours is None
    else:
        assert ours == pytest.approx((theirs.low, theirs.high), abs=1e-12)


counts = st.builds(
    RuleCounts,
    family=st.just("trust"),
    verified=pairs,
    proof_failure=pairs,
    front_end=pairs,
    failed=pairs,
    confirmed=pairs,
    warned=pairs,
    exposed=st.fixed_dictionaries(dict.fromkeys(("verified", "proof_failure", "front_end"), pairs)),
    verified_names=st.lists(st.text(max_size=5)).map(tuple),
)
sets = st.builds(
    Calibration,
    name=st.text(max_size=8),
    logs=st.lists(st.tuples(st.text(max_size=5), st.text(max_size=5), st.integers(0, 9))).map(
        tuple
    ),
    outcomes=st.dictionaries(st.sampled_from(["verified", "rlimit"]), st.integers(0, 9)),
    unscored=st.integers(0, 9),
    layers=st.dictionaries(st.sampled_from(["tokens", "native"]), pairs),
    versions=st.dictionaries(st.text(max_size=4), st.integers(0, 9), max_size=2),
    pinned=st.just("1"),
    predictive=st.builds(Predictive, verified=pairs, names=st.lists(st.text()).map(tuple)),
    rules=st.dictionaries(st.sampled_from(list(CODES)), counts, max_size=3),
)


@given(st.lists(sets, max_size=3))
def test_counts_come_back_as_they_were_written(tmp_path_factory, found: list[Calibration]) -> None:
    path = tmp_path_factory.mktemp("counts") / "counts.json"
    path.write_text(calibration.dump(found), encoding="utf-8")
    assert calibration.load(path) == tuple(found)
    assert calibration.dump(calibration.load(path)) == path.read_text(encoding="utf-8")


@given(sets)
def test_the_json_has_the_keys_that_are_promised(found: Calibration) -> None:
    document = json.loads(json.dumps(calibration.report_json(found)))
    assert set(document) == {"predictive", "rules"}
    assert set(document["predictive"]) == {"false_rejects", "foreseen"}
    assert set(document["predictive"]["false_rejects"]) == {"verified", "proof_failure"}
    assert set(document["predictive"]["foreseen"]) == {"front_end", "failed", "known"}


@given(st.lists(sets, max_size=2))
def test_a_page_can_be_made_of_any_counts(found: list[Calibration]) -> None:
    page = rule_page.markdown(rule_docs(), found, {"VG251": "three of them"})
    for code in CODES:
        assert f"### {code} " in page
    assert page.count("Snippets: three of them.") == 1


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": "x", "sets": []}', '{"sets": 1}'])
def test_another_file_is_no_file_of_counts(tmp_path: Path, text: str) -> None:
    path = tmp_path / "counts.json"
    path.write_text(text)
    with pytest.raises(InputError):
        calibration.load(path)
    assert calibration.load(tmp_path / "missing.json") == ()


def test_a_set_is_put_in_its_place() -> None:
    one, two = (Calibration(n, (), {}, 0, {}, {}, "1", Predictive(), {}) for n in ("one", "two"))
    new = Calibration("one", (("log", "hash", 1),), {}, 0, {}, {}, "1", Predictive(), {})
    assert calibration.with_set((one, two), new) == (new, two)
    assert calibration.with_set((two,), new) == (two, new)


@pytest.mark.parametrize(
    ("pair", "text"),
    [
        ((0, 0), "no data (n = 0)"),
        ((0, 227), "0/227 (at most 1.7 %)"),
        ((1, 10), "1/10 (10.0 %, 1.8-40.4 %)"),
        ((5, 5), "5/5 (100.0 %, 56.6-100.0 %)"),
    ],
)
def test_a_share_is_always_printed_with_its_n(pair: tuple[int, int], text: str) -> None:
    assert rule_page.percent(pair) == text


def test_every_code_of_a_rule_is_documented_and_has_an_exposure() -> None:
    docs = rule_docs()
    for rule in RULES:
        for code in rule.codes:
            assert code in docs
            assert code in EXPOSURE or code == "VG314" or code.startswith("VG0")
    for code in EXPOSURE:
        assert code in CODES


def test_an_example_is_exposed_to_its_own_rule() -> None:
    """Exposure may be generous but never misses: the rule's own example has the construct."""
    for code, doc in rule_docs().items():
        if CODES[code].family not in (Family.PROTOCOL, Family.KNOWN) and code != "VG314":
            assert exposed(code, doc.example, lex(doc.example)), code
    comment = "// \u202e"
    assert exposed("VG314", comment, lex(comment))


def test_a_protocol_code_is_exposed_only_where_a_state_has_what_it_asks_for() -> None:
    """No state of `proof` has a limit, a list of answers or JSON: those rules could not speak."""
    assert exposed_in_trace(load_protocol("proof")) == {"VG001", "VG002", "VG003", "VG005", "VG006"}
    text = """
    (define all
      (:states
        (a (:text "[A]") (:max-chars 9)) (b (:text "[B]") (:one-of "x" "y"))
        (c (:text "[C]") (:content json)))
      (:behavior (next a b c)))
    """
    assert {"VG007", "VG008", "VG010"} <= exposed_in_trace(parse_protocol(text))
    for code, row in CODES.items():
        if row.family is Family.PROTOCOL:
            assert not exposed(code, "fn f() {}", lex("fn f() {}"))


# Messages of the recorded Verus, and the code whose kind they are.
MESSAGES = [
    ("VG251", None, "loop must have a decreases clause"),
    ("VG252", None, "recursive function must have a decreases clause"),
    (
        "VG253",
        None,
        "to dereference a mutable reference parameter in a postcondition, disambiguate by wrapping"
        " it in either `old` or `final`",
    ),
    ("VG254", None, "cannot call function `crate::f` with mode spec"),
    (
        "VG255",
        None,
        "The Verus types 'nat' and 'int' can only be used in ghost code (e.g., in a 'spec' or"
        " 'proof' function, inside a 'proof' block, or when assigning to a 'ghost' variable)",
    ),
    ("VG256", None, "return value name collides with a parameter name"),
    ("VG257", "E0425", "cannot find function `nothing` in this scope"),
    ("VG258", "E0423", "expected function, found macro `assert`"),
    ("VG258", None, "panic is not supported (if you used Rust's `assert` macro, ...)"),
    ("VG259", None, "Could not automatically infer triggers for this quantifier."),
    ("VG260", "E0308", "mismatched types"),
    ("VG261", "E0599", "no method named `nothing` found for struct `Vec` in the current scope"),
    ("VG201", None, "expected one of `:` or `|`, found `)`"),
    ("VG201", None, "unexpected token, expected `;`"),
    ("VG102", None, "unknown start of token: `"),
    ("VG101", None, "this file contains an unclosed delimiter"),
]


@pytest.mark.parametrize(("code", "rustc", "message"), MESSAGES)
def test_a_message_is_of_the_kind_of_its_code(code: str, rustc: str | None, message: str) -> None:
    assert same_kind(code, rustc, message)
    assert confirms(code, 3, 5, [(rustc, message, 4)])
    assert not confirms(code, 3, 5, [(rustc, message, 6)])
    assert not confirms(code, 3, 5, [(rustc, message, None)])


@pytest.mark.parametrize("code", ["VG251", "VG253", "VG255", "VG256", "VG260", "VG261", "VG201"])
def test_a_message_of_another_kind_confirms_nothing(code: str) -> None:
    for other, rustc, message in MESSAGES:
        syntax = {Family.STRUCTURE, Family.SYNTAX}
        if other != code and not {CODES[other].family, CODES[code].family} <= syntax:
            assert not same_kind(code, rustc, message), (code, message)


@pytest.mark.parametrize("code", [c for c, row in CODES.items() if row.family not in PREDICTIVE])
def test_what_foretells_nothing_is_never_confirmed(code: str) -> None:
    assert not any(same_kind(code, rustc, message) for _, rustc, message in MESSAGES)


@pytest.mark.parametrize("data", [b"\xff", b"", b"{", b"[" * 20_000, b"1", b"{}", None])
def test_what_is_no_file_of_counts_is_told_with_its_remedy(
    tmp_path: Path, data: bytes | None
) -> None:
    path = tmp_path / "counts.json"
    if data is None:
        path.mkdir()
    else:
        path.write_bytes(data)
    with pytest.raises(InputError) as told:
        calibration.load(path)
    assert told.value.hint
    assert str(told.value.path) == str(path)
    assert calibration.load(tmp_path / "none.json") == ()
