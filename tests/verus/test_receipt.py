"""A receipt is only what a run that proved the whole file leaves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from verulaw_gate.errors import InputError
from verulaw_gate.verus.model import Outcome, Verification, VerusOptions
from verulaw_gate.verus.receipt import Receipt, of, of_exit, read

GOOD = Verification(
    outcome=Outcome.VERIFIED,
    target_proved=True,
    source_sha256="a" * 64,
    options=VerusOptions(),
    verified=2,
    errors=0,
    version="1",
)
PROOF = b"verus! { proof fn f() { } }\nfn main() {}\n"


def test_a_good_run_leaves_one() -> None:
    receipt = of(GOOD, "f")
    assert receipt is not None
    assert (receipt.evidence, receipt.verified, receipt.target) == ("results", 2, "f")
    assert receipt.problem() == ""


@pytest.mark.parametrize(
    "changes",
    [
        *({"outcome": o} for o in Outcome if o is not Outcome.VERIFIED),
        {"verified": 0},
        {"target_proved": False},
        {"options": VerusOptions(("--no-verify",))},
        {"options": VerusOptions(("--verify-function", "f"))},
        {"options": VerusOptions(("--verify-module=m",))},
    ],
    ids=str,
)
def test_any_other_run_leaves_none(changes: dict[str, object]) -> None:
    assert of(replace(GOOD, **changes)) is None


@pytest.mark.parametrize(
    "source",
    [
        b"fn main() {}\n",
        b"verus! { #[verifier::external_body] proof fn f() { } }\nfn main() {}\n",
        b"// verus! { proof fn f() { } }\nfn main() {}\n",
    ],
)
def test_exit_code_0_of_a_file_without_anything_to_prove_says_nothing(source: bytes) -> None:
    assert of_exit(source, (), 0, None) is None


def test_an_exit_code_is_weaker_evidence_and_says_so() -> None:
    receipt = of_exit(PROOF, ("--rlimit", "20"), 0, None)
    assert receipt is not None
    assert (receipt.evidence, receipt.verified) == ("exit-code", None)
    for code in (1, 2, -9):
        assert of_exit(PROOF, (), code, None) is None


@pytest.mark.parametrize(
    "line",
    ["x", "[]", "{}", '{"schema": "other"}', '{"schema": "verulaw-gate/receipt/1"}', "1"],
)
def test_what_is_no_receipt_is_one_error_with_its_line(line: str) -> None:
    receipt = of(GOOD)
    assert isinstance(receipt, Receipt)
    with pytest.raises(InputError) as caught:
        read(f"{receipt.to_json()}\n{line}\n", "r.jsonl")
    assert (caught.value.path, caught.value.line) == ("r.jsonl", 2)
