"""The real Verus, one bounded process a call."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from verulaw_gate.errors import InputError
from verulaw_gate.verus.cancel import Cancel
from verulaw_gate.verus.diagnostics import Reading, read
from verulaw_gate.verus.environment import verus_environment
from verulaw_gate.verus.keys import source_sha256
from verulaw_gate.verus.limits import Limits
from verulaw_gate.verus.model import RECORDED_OPTIONS, Outcome, Verification, VerusOptions
from verulaw_gate.verus.process import Ended, run
from verulaw_gate.verus.target import target_proved
from verulaw_gate.verus.workdir import new_call_dir, placed, remove_dir

CANDIDATE = "candidate.rs"
"""The one file name, and so the one crate name: diagnostics and function paths are stable."""


@dataclass(frozen=True, slots=True)
class VerusVerifier:
    """A `Verifier` that runs `verus` on the source, written to a private directory as
    candidate.rs.

    `program` is the executable (`find.find_verus`), `version` what it says of itself. Safe from
    threads, from worker processes and, through `async_.averify`, from asyncio and trio.
    """

    program: Path
    limits: Limits = field(default_factory=Limits)
    version: str | None = None

    def verify(
        self,
        source: str,
        options: VerusOptions = RECORDED_OPTIONS,
        *,
        target: str | None = None,
        cancel: Cancel | None = None,
    ) -> Verification:
        """Run Verus on `source`.

        Raises VerusNotFound when the program cannot be started, RunCancelled when `cancel` is
        set, InputError for a source that has no UTF-8 form.
        """
        try:
            data = source.encode("utf-8")
        except UnicodeEncodeError:
            raise InputError(
                "the source has a lone surrogate and no UTF-8 form",
                hint="decode it from its bytes first",
            ) from None
        call = new_call_dir()
        try:
            work = call / "work"
            with placed():
                (work / CANDIDATE).write_bytes(data)
                env = verus_environment(call)
            ended = run(
                [str(self.program.absolute()), CANDIDATE, *options.args],
                call_dir=call,
                cwd=work,
                env=env,
                limits=self.limits,
                cancel=cancel,
            )
        finally:
            remove_dir(call)
        argv = ("verus", CANDIDATE, *options.args)
        return verification(
            ended, argv, source, options, target, limits=self.limits, version=self.version
        )


def verification(
    ended: Ended,
    argv: tuple[str, ...],
    source: str,
    options: VerusOptions,
    target: str | None,
    *,
    limits: Limits,
    version: str | None,
) -> Verification:
    """The result of a run that ended. A run that we stopped is what we stopped it for, whatever
    it had printed by then."""
    reading = read(argv, ended.exit_code, ended.stdout.bytes(), ended.stderr.bytes(), source=source)
    reading = _stopped(reading, ended, limits)
    cut = ended.stdout.cut + ended.stderr.cut
    detail = reading.detail
    if cut:
        detail = f"{detail}; {cut} bytes of output were cut".lstrip("; ")
    return Verification(
        outcome=reading.outcome,
        target_proved=target_proved(reading, argv, target=target, source=source),
        source_sha256=source_sha256(source),
        options=options,
        diagnostics=reading.diagnostics,
        verified=reading.verified,
        errors=reading.errors,
        front_end=reading.front_end,
        exit_code=ended.exit_code,
        stdout=ended.stdout.bytes().decode("utf-8", "replace"),
        stderr=ended.stderr.bytes().decode("utf-8", "replace"),
        argv=argv,
        version=reading.version or version,
        wall_s=ended.wall_s,
        cpu_s=ended.cpu_s,
        truncated=cut > 0,
        origin="verus",
        detail=detail,
    )


def _stopped(reading: Reading, ended: Ended, limits: Limits) -> Reading:
    told = {
        "timeout": (Outcome.TIMEOUT, f"stopped at the wall limit of {limits.wall_s:g} s"),
        "flood": (Outcome.CRASH, "stopped: more output than the limit allows"),
        "lost": (Outcome.CRASH, "the process that kept it was killed"),
    }.get(ended.reason)
    if told is None and ended.stdout.cut:
        # What was cut may have been a result, too.
        told = (Outcome.CRASH, "more on stdout than a result")
    if told is None:
        return reading
    # Counts of a run that was cut short are not counts.
    return Reading(told[0], diagnostics=reading.diagnostics, detail=told[1])
