"""Calls of Verus through the gate, and receipts: two tables of the record store.

These are no runs: nobody planned them and they have no task or arm. A call is a fact of daily
use (`verulaw-gate verus`), a receipt the proof that Verus ran on some bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from sqlalchemy import select

from verulaw_gate.errors import StoreError
from verulaw_gate.record.connect import told
from verulaw_gate.record.opened import Opened
from verulaw_gate.record.schema import calls, events, receipts
from verulaw_gate.verus.keys import source_sha256
from verulaw_gate.verus.receipt import Receipt
from verulaw_gate.verus.receipt import read as read_receipts


class Action(StrEnum):
    """passed: accepted and given to Verus. rejected: not given to it. ungated: given to it, but
    the gate could not read the file."""

    PASSED = "passed"
    REJECTED = "rejected"
    UNGATED = "ungated"


@dataclass(frozen=True, slots=True)
class Audit:
    """What Verus said of a rejected file that was sent to it all the same. `outcome` as in
    `verus.model.Outcome`; a predictive rejection of a file that verified, or of which only the
    proof failed, was a false reject."""

    outcome: str
    front_end: str | None
    exit_code: int | None
    wall_s: float | None
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """One call. `at`: UTC, ISO 8601. `findings`: pairs of code and severity. `family`: under which
    a rejection counts, None for none. `predictive`: whether any rejecting finding foretells a
    front-end failure. `exit_code`: of Verus, negative for a signal, None when it was not run for
    the caller. `audit_share`: the share of rejected files that were audited at the time. Times in
    wall-clock seconds, None when not measured."""

    at: str
    path: str
    source_sha256: str
    options: tuple[str, ...]
    base: str
    action: Action
    family: str | None
    predictive: bool
    findings: tuple[tuple[str, str], ...]
    not_run: tuple[str, ...]
    gate_version: str
    verus_version: str
    verus: str | None
    exit_code: int | None
    gate_s: float | None
    wall_s: float | None
    audit_share: float
    audit: Audit | None = None


class CallLog(Opened):
    """The two tables of calls and receipts. Raises StoreError as `record.Store` does."""

    def add(self, call: Call) -> None:
        """Store one call."""
        with told(self.url), self._engine.begin() as connection:
            payload = json.dumps({"v": 1, **asdict(call)})
            connection.execute(calls.insert().values(payload=payload))

    def calls(self) -> Iterator[Call]:
        """All calls, in the order in which they were stored."""
        with told(self.url), self._reading() as connection:
            for payload in connection.execute(
                select(calls.c.payload).order_by(calls.c.id)
            ).scalars():
                yield _call(payload, self.url)

    def add_receipts(self, new: Sequence[Receipt]) -> None:
        """Store receipts; one that is there already stays as it is."""
        rows = [
            {"digest": source_sha256(text), "source_sha256": receipt.source_sha256, "payload": text}
            for receipt in new
            for text in [receipt.to_json()]
        ]
        if rows:
            with told(self.url), self._engine.begin() as connection:
                connection.execute(self.insert_or_ignore(receipts), rows)

    def receipts(self, sha256: str) -> tuple[Receipt, ...]:
        """The receipts for the source of a hash: those that were stored as such, then those of
        runs in which Verus verified it."""
        with told(self.url), self._reading() as connection:
            query = (
                select(receipts.c.payload)
                .where(receipts.c.source_sha256 == sha256)
                .order_by(receipts.c.id)
            )
            found = connection.execute(query).scalars().all()
            runs = connection.execute(
                select(events.c.payload)
                .where(events.c.kind == "verification", events.c.payload.contains(sha256))
                .order_by(events.c.id)
            ).scalars()
            ran = [receipt for text in runs if (receipt := _of_run(text, sha256)) is not None]
        return (*(r for text in found for r in read_receipts(text, self.url)), *ran)


def _of_run(payload: str, sha256: str) -> Receipt | None:
    """The receipt that a stored verification is: Verus ran now (nothing recorded elsewhere was
    used), and it verified."""
    # Here only: reading events is not needed to record a call, and costs its start.
    from verulaw_gate.record.events import VerificationDone

    done = VerificationDone.model_validate_json(payload)
    if done.source_sha256 != sha256 or done.origin != "verus" or done.unstable:
        return None
    receipt = Receipt(
        source_sha256=sha256,
        options=done.options,
        version=done.version,
        target=None,
        target_proved=done.target_proved,
        outcome=done.outcome,
        verified=done.verified,
        errors=done.errors,
        evidence="results",
    )
    return None if receipt.problem() else receipt


def _call(payload: str, where: str) -> Call:
    try:
        table = json.loads(payload)
        if table.pop("v") != 1:
            raise ValueError("another version")
        audit = table["audit"]
        if audit is not None:
            table["audit"] = Audit(**{**audit, "options": tuple(audit["options"])})
        table["action"] = Action(table["action"])
        table["findings"] = tuple((code, severity) for code, severity in table["findings"])
        for key in ("options", "not_run"):
            table[key] = tuple(table[key])
        return Call(**table)
    except (ValueError, KeyError, TypeError) as problem:
        raise StoreError(
            "a recorded call can't be read",
            hint="a newer verulaw-gate may have written it",
            path=where,
        ) from problem
