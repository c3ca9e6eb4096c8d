"""A receipt: Verus ran on exactly these bytes, and this is what it said.

A file has a receipt only by a run; `check --require-verified` asks for one, so that a commit
cannot slip by without any. Pure: no clock, no files.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from verulaw_gate.errors import InputError
from verulaw_gate.verus.functions import functions
from verulaw_gate.verus.keys import source_sha256
from verulaw_gate.verus.model import Outcome, Verification

SCHEMA = "verulaw-gate/receipt/1"

# Options with which Verus looks at less than the whole file, or proves nothing.
_PARTIAL = (
    "--no-verify",
    "--no-lifetime",
    "--verify-function",
    "--verify-module",
    "--verify-only-module",
    "--verify-root",
    "--help",
    "--version",
)


@dataclass(frozen=True, slots=True)
class Receipt:
    """`evidence` says how the verdict is known: `results`, from Verus's own counts; `exit-code`,
    from exit code 0 alone (a run whose output went past us), and then `verified` and `errors` are
    None. `options` are the arguments besides the file; `version` None: Verus did not say."""

    source_sha256: str
    options: tuple[str, ...]
    version: str | None
    target: str | None
    target_proved: bool | None
    outcome: Outcome
    verified: int | None
    errors: int | None
    evidence: str

    def problem(self) -> str:
        """Why this receipt is no sign that the whole file holds; empty when it is one."""
        if self.outcome is not Outcome.VERIFIED:
            return f"Verus said {self.outcome}"
        if self.verified == 0:
            return "Verus had nothing to prove in it"
        if self.target_proved is False:
            return f"the target {self.target or ''} was not proved".replace("  ", " ")
        partial = [o for o in self.options if o.partition("=")[0] in _PARTIAL]
        return f"the run was partial ({' '.join(partial)})" if partial else ""

    def to_json(self) -> str:
        """One line of JSON."""
        return json.dumps({"schema": SCHEMA, **asdict(self)})


def of(verification: Verification, target: str | None = None) -> Receipt | None:
    """The receipt of a run; None when Verus did not verify, or proved nothing."""
    receipt = Receipt(
        source_sha256=verification.source_sha256,
        options=verification.options.args,
        version=verification.version,
        target=target,
        target_proved=verification.target_proved,
        outcome=verification.outcome,
        verified=verification.verified,
        errors=verification.errors,
        evidence="results",
    )
    return None if receipt.problem() else receipt


def of_exit(
    source: bytes, options: Sequence[str], exit_code: int, version: str | None
) -> Receipt | None:
    """The receipt of a run of which only the exit code is known; None when that is not 0, when
    the options make it partial, or when the file has no function that Verus would prove: then
    exit code 0 says nothing."""
    receipt = Receipt(
        source_sha256=source_sha256(source),
        options=tuple(options),
        version=version,
        target=None,
        target_proved=None,
        outcome=Outcome.VERIFIED,
        verified=None,
        errors=None,
        evidence="exit-code",
    )
    if exit_code or receipt.problem():
        return None
    places = functions(source.decode("utf-8", "replace"))
    checked = any(p.inside_verus and p.has_body and not p.trusted for p in places)
    return receipt if checked else None


def read(text: str, path: str = "") -> tuple[Receipt, ...]:
    """The receipts in a file: one JSON object a line. Raises InputError with the line."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            found.append(_read_one(line, path, number))
    return tuple(found)


def _read_one(line: str, path: str, number: int) -> Receipt:
    hint = "a receipt is one line of JSON that `verulaw-gate verus --receipt FILE` wrote"
    try:
        table = json.loads(line)
        schema = table.pop("schema")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError("not a receipt", path=path, line=number, hint=hint) from error
    if schema != SCHEMA:
        raise InputError(
            f"a receipt of schema {schema!r}; this program reads {SCHEMA}", path=path, line=number
        )
    try:
        table["options"] = tuple(table["options"])
        table["outcome"] = Outcome(table["outcome"])
        return Receipt(**table)
    except (ValueError, KeyError, TypeError) as error:
        raise InputError("not a receipt", path=path, line=number, hint=hint) from error
