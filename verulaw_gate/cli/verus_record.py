"""What is kept of a call of verus through the gate: the call, a receipt, and the audit.

Keeping must never change what the caller sees of verus: a store that cannot be written is one
warning on standard error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from verulaw_gate import __version__
from verulaw_gate.cli import real_verus
from verulaw_gate.cli.checking.model import FileReport
from verulaw_gate.cli.checking.stores import store_url
from verulaw_gate.cli.verus_arguments import only_file
from verulaw_gate.codes import Severity
from verulaw_gate.config import Config
from verulaw_gate.errors import VerulawError
from verulaw_gate.findings import counted_family

if TYPE_CHECKING:
    from verulaw_gate.record.calls import Action, Audit
    from verulaw_gate.verus.receipt import Receipt

_JSON = ("--output-json", "--error-format=json")


@dataclass(frozen=True, slots=True)
class Seen:
    """What the gate saw: `source` is empty and `report` None where it could not read the file."""

    path: str
    arguments: tuple[str, ...]
    source: bytes
    report: FileReport | None
    gate_s: float
    config: Config

    @property
    def options(self) -> tuple[str, ...]:
        """The arguments besides the file."""
        return tuple(a for a in self.arguments if a != self.path)


def load() -> None:
    """Import what recording needs: done while verus runs, so that it costs the caller nothing."""
    import verulaw_gate.record.calls
    import verulaw_gate.verus.receipt  # noqa: F401


def rejected(seen: Seen) -> None:
    """Keep a rejected call. The `audit` share of these is given to verus all the same, out of
    sight: the caller has had its answer, the outcome tells whether that was right."""
    from verulaw_gate.record.calls import Action

    program: Path | None = None
    audit: Audit | None = None
    if chosen_for_audit(seen.source, seen.config.audit):
        try:
            program = real_verus.find(
                seen.config.resolve(seen.config.verus) if seen.config.verus else None
            )
            audit = _audit(seen, program)
        except VerulawError as error:
            _warn(f"the audit was not made: {error}")
    _keep(seen, Action.REJECTED, program, None, None, audit, ())


def passed(
    seen: Seen, program: Path, exit_code: int, wall_s: float, receipt_file: str | None
) -> None:
    """Keep a call that went to verus, and the receipt of a good one."""
    from verulaw_gate.record.calls import Action
    from verulaw_gate.verus import receipt

    action = Action.UNGATED if seen.report is None else Action.PASSED
    made = None
    if seen.report is not None:
        made = receipt.of_exit(seen.source, seen.options, exit_code, None)
        made = made if _unchanged(seen) and only_file(seen.arguments, seen.path) else None
    if receipt_file is not None:
        _write_receipt(receipt_file, made)
    _keep(seen, action, program, exit_code, wall_s, None, [made] if made else [])


def _unchanged(seen: Seen) -> bool:
    """Whether the file still is what was gated: verus read it after us."""
    try:
        return Path(seen.path).read_bytes() == seen.source
    except OSError:
        return False


def chosen_for_audit(source: bytes, share: float) -> bool:
    """Whether a rejected file is one of the audited share. By its hash: the same file, the same
    answer, on any machine."""
    if share <= 0:
        return False
    from verulaw_gate.verus.keys import source_sha256

    return int(source_sha256(source)[:13], 16) < share * 16**13


def _audit(seen: Seen, program: Path) -> Audit:
    from verulaw_gate.record.calls import Audit
    from verulaw_gate.verus import diagnostics, process, workdir
    from verulaw_gate.verus.environment import verus_environment
    from verulaw_gate.verus.limits import Limits
    from verulaw_gate.verus.model import Outcome

    arguments = seen.arguments
    if not any(a.startswith("--error-format") for a in arguments):
        arguments += (_JSON[1],)
    if _JSON[0] not in arguments:
        arguments += (_JSON[0],)
    call = workdir.new_call_dir()
    try:
        ended = process.run(
            [str(program), *arguments],
            call_dir=call,
            cwd=Path.cwd(),
            env=verus_environment(call),
            limits=Limits(wall_s=seen.config.limits.verus_seconds),
        )
    finally:
        workdir.remove_dir(call)
    reading = diagnostics.read(
        ("verus", *arguments), ended.exit_code, ended.stdout.bytes(), ended.stderr.bytes()
    )
    stopped = {"timeout": Outcome.TIMEOUT}.get(ended.reason)
    return Audit(
        outcome=stopped or reading.outcome,
        front_end=reading.front_end,
        exit_code=ended.exit_code,
        wall_s=ended.wall_s,
        options=tuple(a for a in arguments if a != seen.path),
    )


def _keep(
    seen: Seen,
    action: Action,
    program: Path | None,
    exit_code: int | None,
    wall_s: float | None,
    audit: Audit | None,
    receipts: Iterable[Receipt],
) -> None:
    from verulaw_gate.record.calls import Call, CallLog
    from verulaw_gate.verus.keys import source_sha256

    findings = [s.finding for s in seen.report.counted] if seen.report else []
    rejecting = [f for f in findings if f.severity is Severity.ERROR]
    base = seen.report.base if seen.report else None
    call = Call(
        at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        path=os.path.abspath(seen.path),
        source_sha256=source_sha256(seen.source),
        options=seen.options,
        base=f"{base.kind} {base.name}".strip() if base else "",
        action=action,
        family=counted_family(findings),
        predictive=any(f.predictive for f in rejecting),
        findings=tuple((f.code, f.severity) for f in findings),
        not_run=tuple(x.name for x in seen.report.layers if not x.ran) if seen.report else (),
        gate_version=__version__,
        verus_version=seen.report.verus_version if seen.report else "",
        verus=str(program) if program else None,
        exit_code=exit_code,
        gate_s=seen.gate_s,
        wall_s=wall_s,
        audit_share=seen.config.audit,
        audit=audit,
    )
    try:
        with CallLog(store_url(None, seen.config)) as log:
            log.add(call)
            log.add_receipts(list(receipts))
    except VerulawError as error:
        _warn(f"this call was not recorded: {error}")


def _write_receipt(path: str, receipt: Receipt | None) -> None:
    if receipt is None:
        _warn("no receipt: the run did not succeed on the whole file as it stands")
        return
    try:
        with open(path, "a", encoding="utf-8") as file:
            file.write(receipt.to_json() + "\n")
    except OSError as error:
        _warn(f"the receipt was not written: {path}: {error.strerror}")


def _warn(message: str) -> None:
    print(f"verulaw-gate: warning: {message}", file=sys.stderr)
