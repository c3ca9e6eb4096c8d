"""Outcomes: every recorded transcript of real Verus, and what was damaged or contradicts itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verulaw_gate.verus.diagnostics import classify, read
from verulaw_gate.verus.model import Outcome
from verulaw_gate.verus.target import target_proved

TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts").glob("*.json"))
BY_NAME = {p.stem: json.loads(p.read_text(encoding="utf-8")) for p in TRANSCRIPTS}
RUNS = [(name, run) for name, data in BY_NAME.items() for run in data["runs"]]
ARGV = ("verus", "candidate.rs", "--output-json", "--error-format=json")


def json_values():
    leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
    return st.recursive(
        leaves, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=5
    )


def first_span() -> dict:
    return json.loads(first("borrow-error")["stderr"].split("\n")[0])["spans"][0]


def source_of(name: str) -> str | None:
    path = Path(__file__).parent / "transcripts" / f"{name}.rs"
    return path.read_bytes().decode("utf-8", "replace") if path.exists() else None


def first(name: str) -> dict:
    return BY_NAME[name]["runs"][0]


@pytest.mark.parametrize(
    ("name", "run"), RUNS, ids=[f"{n}-{i % 3}" for i, (n, _) in enumerate(RUNS)]
)
def test_every_transcript_is_classified_as_its_label_says(name, run):
    """With both JSON options, with one, and plain: the outcome is the same."""
    outcome = classify(run["argv"], run["exit_code"], run["stdout"], run["stderr"])
    assert outcome == BY_NAME[name]["expected"]


def test_all_transcripts_are_there():
    assert len(TRANSCRIPTS) >= 48
    assert {d["expected"] for d in BY_NAME.values()} >= set(Outcome) - {
        Outcome.TIMEOUT,
        Outcome.CRASH,
    }


@pytest.mark.parametrize(("name", "run"), RUNS, ids=lambda v: v if isinstance(v, str) else "")
def test_bytes_and_text_are_read_alike(name, run):
    out, err = run["stdout"].encode(), run["stderr"].encode()
    assert read(run["argv"], run["exit_code"], out, err) == read(
        run["argv"], run["exit_code"], run["stdout"], run["stderr"]
    )


class TestDiagnostics:
    def test_spans_code_and_function(self):
        reading = read_first("borrow-error")
        (only,) = reading.diagnostics
        assert (only.level, only.code, only.line, only.function) == ("error", "E0382", 7, "f")
        assert only.message == "use of moved value: `v`"
        assert [(s.line, s.primary) for s in only.spans] == [(6, False), (7, True), (5, False)]
        assert only.spans[1].text == "    v"
        assert only.notes[0].startswith("help: consider cloning")

    def test_closing_lines_of_rustc_are_no_diagnostics(self):
        for name, run in RUNS:
            for diagnostic in read(
                run["argv"], run["exit_code"], run["stdout"], run["stderr"]
            ).diagnostics:
                assert "aborting due to" not in diagnostic.message, name
                assert "For more information" not in diagnostic.message, name

    def test_the_function_is_the_one_that_failed(self):
        got = [(d.line, d.function) for d in read_first("two-failures").diagnostics]
        assert got == [(6, "one"), (12, "two")]

    def test_a_macro_of_the_library_is_placed_where_it_was_called(self):
        (only,) = read_first("todo-macro").diagnostics
        assert (only.spans[0].file, only.line, only.function) == ("todo-macro.rs", 8, "f")

    def test_a_span_in_vstd_is_kept_and_the_call_is_the_place(self):
        (only,) = read_first("index-bounds").diagnostics
        assert only.spans[0].file == "vstd/std_specs/vec.rs"
        assert (only.line, only.function) == (6, "first")

    @pytest.mark.parametrize("name", sorted(BY_NAME))
    def test_text_form_has_the_same_messages_and_lines_as_json(self, name):
        """rustc's plain rendering, read by another way, is an oracle for the JSON reader."""
        json_run, _, plain = BY_NAME[name]["runs"]
        both = [
            [
                (d.level, d.code, d.message.split("\n")[0].strip(), d.line)
                for d in read(r["argv"], r["exit_code"], r["stdout"], r["stderr"]).diagnostics
                if d.level == "error"  # notes may be timed differently from run to run
            ]
            for r in (json_run, plain)
        ]
        assert [d[:3] for d in both[0]] == [d[:3] for d in both[1]]
        for ours, theirs in zip(*both, strict=True):
            assert theirs[3] in (ours[3], None)


def read_first(name):
    run = first(name)
    return read(run["argv"], run["exit_code"], run["stdout"], run["stderr"], source=source_of(name))


class TestDamage:
    """Truth beats speed: what is not whole or contradicts itself is a crash, never verified."""

    @given(name=st.sampled_from(["verified", "postcondition", "type-mismatch"]), data=st.data())
    def test_half_a_json_is_a_crash(self, name, data):
        run = first(name)
        cut = data.draw(st.integers(1, len(run["stdout"].rstrip()) - 1))
        outcome = classify(run["argv"], run["exit_code"], run["stdout"][:cut], run["stderr"])
        assert outcome is Outcome.CRASH

    @given(name=st.sampled_from(sorted(BY_NAME)), code=st.integers(-15, 140))
    def test_no_exit_code_but_zero_is_ever_verified(self, name, code):
        run = first(name)
        outcome = classify(run["argv"], code, run["stdout"], run["stderr"])
        if run["exit_code"] != code:
            agreed = {Outcome.CRASH, Outcome.TOOL_ERROR}
            assert outcome in agreed
            if BY_NAME[name]["expected"] != "tool-error":
                assert outcome is Outcome.CRASH

    @given(st.text(max_size=60).filter(lambda t: "verification-results" not in t))
    def test_text_around_the_object_changes_nothing(self, text):
        run = first("verified")
        for stdout in (run["stdout"] + text, f"{text}\n{run['stdout']}"):
            if text.strip().startswith("{"):
                continue
            outcome = classify(run["argv"], 0, stdout, run["stderr"])
            assert outcome is Outcome.VERIFIED

    def test_two_results_are_a_crash(self):
        good, bad = first("verified"), first("postcondition")
        for stdout in (good["stdout"] * 2, good["stdout"] + bad["stdout"]):
            assert classify(ARGV, 0, stdout, "") is Outcome.CRASH
            assert classify(ARGV, 1, stdout, "") is Outcome.CRASH

    def test_exit_0_with_errors_in_json(self):
        bad = first("postcondition")
        assert classify(ARGV, 0, bad["stdout"], bad["stderr"]) is Outcome.CRASH
        assert classify(ARGV, 0, bad["stdout"], "") is Outcome.CRASH

    def test_exit_0_and_success_with_errors_on_stderr(self):
        good, bad = first("verified"), first("postcondition")
        assert classify(ARGV, 0, good["stdout"], bad["stderr"]) is Outcome.CRASH

    def test_exit_1_with_no_failure_in_json(self):
        assert classify(ARGV, 1, first("verified")["stdout"], "") is Outcome.CRASH

    def test_exit_1_with_nothing_at_all(self):
        assert classify(ARGV, 1, "", "") is Outcome.CRASH
        assert classify(ARGV, 0, "", "") is Outcome.CRASH
        assert classify(ARGV[:2], 0, "", "") is Outcome.CRASH
        assert classify(ARGV[:2], 1, "", "") is Outcome.CRASH

    @pytest.mark.parametrize("count", [None, -1, 1.0, True, "1", [1]])
    def test_counts_of_the_wrong_kind(self, count):
        value = json.loads(first("verified")["stdout"])
        value["verification-results"]["verified"] = count
        assert classify(ARGV, 0, json.dumps(value), "") is Outcome.CRASH

    @given(st.sampled_from(["postcondition", "borrow-error", "rlimit"]), st.data())
    def test_interleaved_stderr_keeps_the_outcome(self, name, data):
        """Text of another thread before and behind each line of stderr."""
        run = first(name)
        noise = data.draw(st.text(st.characters(exclude_characters="\n\r{"), max_size=20))
        lines = [f"{noise}{line}{noise}" for line in run["stderr"].split("\n")]
        outcome = classify(run["argv"], run["exit_code"], run["stdout"], "\n".join(lines))
        assert outcome == BY_NAME[name]["expected"]

    @given(st.sampled_from(["postcondition", "two-failures"]), st.data())
    def test_a_damaged_diagnostic_never_makes_a_failure_something_milder(self, name, data):
        run = first(name)
        cut = data.draw(st.integers(0, len(run["stderr"])))
        outcome = classify(run["argv"], 1, run["stdout"], run["stderr"][:cut])
        assert outcome is Outcome.PROOF_FAILURE

    def test_bytes_that_are_no_utf8(self):
        good = first("verified")["stdout"].encode()
        named = good.replace(b"verified::max2", b"verified::\xff\xfe")
        assert classify(ARGV, 0, named, b"\xff\xfe noise") is Outcome.VERIFIED
        assert classify(ARGV, 0, b"\xff\xfe" + good[:50], b"") is Outcome.CRASH

    @given(st.binary(max_size=300), st.binary(max_size=300), st.integers(-20, 140))
    def test_any_bytes_have_an_outcome_and_it_is_not_verified(self, out, err, code):
        assert classify(ARGV, code, out, err) is not Outcome.VERIFIED

    @given(json_values(), st.sampled_from(["message", "code", "spans", "children", "level"]))
    def test_a_diagnostic_with_any_value_in_any_field_is_read(self, value, field):
        diagnostic = json.loads(first("borrow-error")["stderr"].split("\n")[0])
        diagnostic[field] = value
        span = {**first_span(), "text": value, "line_start": value, "expansion": value}
        for spans in (value, [span], [span, value]):
            changed = {**diagnostic, "spans": spans} if field != "spans" else diagnostic
            stderr = json.dumps(changed)
            good = first("verified")["stdout"]
            assert classify(ARGV, 1, good, stderr) is Outcome.CRASH

    def test_many_beginnings_of_objects_do_not_take_for_ever(self):
        for text in ("\n", " ", "{\n", '{"a":\n', '{"a":[\n', '"verification-results"\n{\n'):
            assert classify(ARGV, 0, text * 200_000, "") is Outcome.CRASH

    def test_a_panic_is_a_crash_with_or_without_results(self):
        panic = "thread 'rustc' (12) panicked at rust_verify/src/x.rs:3:5:\nunwrap on None\n"
        assert classify(ARGV, 101, "", panic) is Outcome.CRASH
        bad = first("postcondition")
        assert classify(ARGV, 1, bad["stdout"], bad["stderr"] + panic) is Outcome.CRASH

    def test_a_candidate_cannot_talk_its_way_into_another_outcome(self):
        """`compile_error!` prints what the candidate wants, with a place in its file."""
        run = first("type-mismatch")
        for text in (
            "could not execute z3 process",
            "thread 'rustc' panicked at x",
            "Resource limit (rlimit) exceeded",
            "Unrecognized option: 'x'",
        ):
            stderr = run["stderr"].replace("mismatched types", text)
            assert classify(run["argv"], 1, run["stdout"], stderr) is Outcome.COMPILE_ERROR

    def test_a_failed_proof_beside_an_exceeded_rlimit_is_a_failed_proof(self):
        limit, bad = first("rlimit"), first("postcondition")
        value = json.loads(limit["stdout"])
        value["verification-results"]["errors"] = 2
        both = classify(limit["argv"], 1, json.dumps(value), limit["stderr"] + bad["stderr"])
        assert both is Outcome.PROOF_FAILURE


class TestTool:
    @pytest.mark.parametrize(
        ("code", "stderr"),
        [
            (127, "verus: error while loading shared libraries: librustc_driver.so"),
            (1, "verus: required rust toolchain 1.95.0-x86_64-unknown-linux-gnu not found"),
            (1, "error: toolchain '1.95.0-x86_64-unknown-linux-gnu' is not installed"),
            (126, ""),
        ],
    )
    def test_a_verus_that_cannot_work(self, code, stderr):
        assert classify(ARGV, code, "", stderr) is Outcome.TOOL_ERROR

    @pytest.mark.parametrize("flag", ["--version", "--help"])
    def test_nothing_asked_is_nothing_verified(self, flag):
        out = '{"verus": {"version": "0.2026.06.08.9a4284b"}}\n'
        argv = ("verus", flag, "--output-json")
        assert classify(argv, 0, out, "") is Outcome.NOT_VERIFIED

    def test_a_signal_is_a_crash(self):
        good = first("verified")
        assert classify(ARGV, -9, good["stdout"], "") is Outcome.CRASH
        assert classify(ARGV, None, good["stdout"], "") is Outcome.CRASH


class TestCargo:
    ARGV = ("cargo", "verus", "verify", "--", "--output-json")

    def test_crates_are_summed_and_one_failure_fails(self):
        good, bad = first("verified")["stdout"], first("postcondition")
        both = read(self.ARGV, 0, good + good, "")
        assert (both.outcome, both.verified, both.errors) == (Outcome.VERIFIED, 4, 0)
        out = good + bad["stdout"]
        assert classify(self.ARGV, 101, out, bad["stderr"]) is Outcome.PROOF_FAILURE
        assert classify(self.ARGV, 0, out, "") is Outcome.CRASH

    def test_cargo_itself_failing_is_a_tool_error(self):
        said = "error: manifest path `no/Cargo.toml` does not exist\n"
        assert classify(self.ARGV, 101, "", said) is Outcome.TOOL_ERROR


class TestTwoResults:
    """More than one result on stdout, whatever stands between them, is none: never the first."""

    OK = json.dumps({"verification-results": {"encountered-error": False,
        "encountered-vir-error": False, "success": True, "verified": 1, "errors": 0}})  # fmt: skip
    FAILED = OK.replace("true", "false").replace('"errors": 0', '"errors": 1')

    @pytest.mark.parametrize("second", [OK, FAILED, FAILED[:-1], FAILED[20:]])
    @pytest.mark.parametrize("between", ["", " ", "\n", "\r\n", "text ", "text\n  ", "[", '"', "{"])
    @pytest.mark.parametrize("exit_code", [0, 1])
    def test_json(self, second, between, exit_code):
        both = [self.OK + between + second, second + between + self.OK]
        if '"verification-results"' not in second:
            both = [self.OK + between + self.OK]
        for out in both:
            assert classify(ARGV, exit_code, out, "") is Outcome.CRASH

    def test_one_result_among_other_text(self):
        for out in (f"{self.OK} text", f"text\n{self.OK}\n{{ text }}", f"{self.OK}{{}}"):
            assert classify(ARGV, 0, out, "") is Outcome.VERIFIED, out

    def test_a_name_twice_in_one_object(self):
        out = self.OK.replace('"errors": 0', '"errors": 1, "errors": 0')
        assert classify(ARGV, 0, out, "") is Outcome.CRASH

    def test_plain(self):
        ok, failed = (f"verification results:: 1 verified, {n} errors\n" for n in (0, 1))
        assert classify(["verus", "candidate.rs"], 0, ok, "") is Outcome.VERIFIED
        assert classify(["verus", "candidate.rs"], 0, ok + failed, "") is Outcome.CRASH
        cargo = ["cargo", "verus", "verify"]
        assert classify(cargo, 0, ok + ok, "") is Outcome.VERIFIED
        assert classify(cargo, 0, ok + failed, "") is Outcome.CRASH
        assert classify(cargo, 1, ok + failed, "error: no\n") is Outcome.PROOF_FAILURE

    @pytest.mark.parametrize("count", ["verified", "errors"])
    def test_one_count_without_the_other(self, count):
        for text, exit_code in ((self.OK, 0), (self.FAILED, 1)):
            value = json.loads(text)
            del value["verification-results"][count]
            said = first("borrow-error")["stderr"]
            assert classify(ARGV, exit_code, json.dumps(value), said) is Outcome.CRASH

    def test_half_a_plain_summary(self):
        line = "verification results:: 1 verified, 1 errors\n"
        said = "error: postcondition not satisfied\n"
        for end in range(1, len(line) - 2):
            assert classify(["verus", "candidate.rs"], 1, line[:end], said) is Outcome.CRASH, end


@pytest.mark.parametrize(
    ("name", "run"),
    [(n, r) for n, r in RUNS if BY_NAME[n]["expected"] != "verified"],
    ids=lambda v: v if isinstance(v, str) else "",
)
@settings(max_examples=20)
@given(data=st.data())
def test_no_damage_makes_a_failed_run_verified(name, run, data):
    """A slice lost, said twice or put in, another exit code, another run's stderr."""
    out, err, code = run["stdout"], run["stderr"], run["exit_code"]
    kind = data.draw(st.sampled_from(["lost", "twice", "put in", "code", "stderr"]))
    if kind == "code":
        code = data.draw(st.sampled_from([0, 1, 2, 101, 126, 127, 128, -6, -9, None]))
    elif kind == "stderr":
        err = data.draw(st.sampled_from([r["stderr"] for _, r in RUNS]))
    else:
        a, b = sorted(data.draw(st.integers(0, len(out))) for _ in range(2))
        middle = {"lost": "", "twice": out[a:b] * 2}.get(kind)
        if middle is None:
            odd = data.draw(
                st.sampled_from(["{", "}", '"', "\n", "null", "0", "\0", "[", ",", '"x":{'])
            )
            middle = odd + out[a:b]
        out = out[:a] + middle + out[b:]
    assert classify(run["argv"], code, out, err) is not Outcome.VERIFIED


class TestTarget:
    @pytest.mark.parametrize(
        ("name", "target", "proved"),
        [
            ("verified", "max2", True),
            ("verified", "double", True),
            ("verified", "verified::double", True),
            ("verified", "main", False),
            ("verified", "no_such", False),
            ("verified", None, None),
            ("assume-verifies", "bigger", True),
            ("external-body-verifies", "bigger", False),
            ("outside-verus", "bigger", False),
            ("no-verify", "bigger", False),
            ("verify-function", "good", True),
            ("verify-function", "one", False),
            ("two-failures", "good", False),
            ("rlimit", "hard", False),
            ("type-mismatch", "f", False),
            ("missing-z3", "max2", None),
            ("unknown-option", "max2", None),
        ],
    )
    def test_transcripts(self, name, target, proved):
        argv = first(name)["argv"]
        got = target_proved(read_first(name), argv, target=target, source=source_of(name))
        assert got is proved

    def test_zero_verified_is_verified_and_no_proof(self):
        for name in ("outside-verus", "external-body-verifies"):
            reading = read_first(name)
            assert reading.outcome is Outcome.VERIFIED
            assert "0 verified" in reading.detail
            assert target_proved(reading, ARGV, target=None, source=None) is False

    def test_a_trusted_target_beside_a_proved_function_is_not_proved(self):
        """Verus lists external_body functions too: the list alone is no proof."""
        value = json.loads(first("verified")["stdout"])
        reading = read(ARGV, 0, json.dumps(value), "")
        source = source_of("verified")
        assert source is not None
        cheat = source.replace("proof fn double", "#[verifier::external_body]\nproof fn double")
        assert cheat != source
        assert target_proved(reading, ARGV, target="double", source=source) is True
        assert target_proved(reading, ARGV, target="double", source=cheat) is False
        assert target_proved(reading, ARGV, target="max2", source=cheat) is True

    def test_a_target_that_was_compiled_away_is_not_proved(self):
        reading = read(ARGV, 0, first("verified")["stdout"], "")
        source = "verus! { #[cfg(any())] fn gone() {} fn double() {} }"
        assert target_proved(reading, ARGV, target="gone", source=source) is False
