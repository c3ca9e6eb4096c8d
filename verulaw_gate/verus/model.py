"""What a verification is: options, outcome, diagnostics, result."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING
from typing import Protocol as TypingProtocol

if TYPE_CHECKING:
    from verulaw_gate.verus.cancel import Cancel


class Outcome(StrEnum):
    """The closed set of outcomes of one run of Verus (see `diagnostics.classify`)."""

    VERIFIED = "verified"
    PROOF_FAILURE = "proof-failure"
    COMPILE_ERROR = "compile-error"
    RLIMIT = "rlimit"
    NOT_VERIFIED = "not-verified"
    TIMEOUT = "timeout"
    CRASH = "crash"
    TOOL_ERROR = "tool-error"


@dataclass(frozen=True, slots=True)
class VerusOptions:
    """The arguments besides the file. They are part of every key: a result under other options
    is another result."""

    args: tuple[str, ...] = ("--output-json", "--error-format=json")

    @property
    def strict(self) -> bool:
        """Whether Verus itself refuses assume, admit, external_body, assume_specification."""
        return "--no-cheating" in self.args


RECORDED_OPTIONS = VerusOptions()
STRICT_OPTIONS = VerusOptions(("--output-json", "--error-format=json", "--no-cheating"))


@dataclass(frozen=True, slots=True)
class DiagnosticSpan:
    """One place of a diagnostic. Lines and columns from 1."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    primary: bool
    label: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One diagnostic of rustc or Verus. `function` is the function it belongs to, where known;
    `notes` are the notes and helps under it, each as `level: message`."""

    level: str
    message: str
    code: str | None = None
    spans: tuple[DiagnosticSpan, ...] = ()
    function: str | None = None
    rendered: str = ""
    notes: tuple[str, ...] = ()

    @property
    def line(self) -> int | None:
        """The line of the primary span."""
        return next((s.line for s in self.spans if s.primary), None)


@dataclass(frozen=True, slots=True)
class Verification:
    """One result. A figure that was not measured is None and stays out of every rate.

    `target_proved` is True only if the target itself was verified, False if it was not, None when
    the result cannot say ("0 verified" is exit 0 and no proof). Times in seconds. `origin` says
    where the result comes from: "verus" (a real run), "recorded", "cache". `detail` says in one
    line why an outcome is what it is where the outcome alone does not (crash, tool-error, timeout,
    output that was cut).
    """

    outcome: Outcome
    target_proved: bool | None
    source_sha256: str
    options: VerusOptions
    diagnostics: tuple[Diagnostic, ...] = ()
    verified: int | None = None
    errors: int | None = None
    front_end: str | None = None
    exit_code: int | None = None
    stdout: str = ""
    stderr: str = ""
    argv: tuple[str, ...] = ()
    version: str | None = None
    wall_s: float | None = None
    cpu_s: float | None = None
    truncated: bool = False
    origin: str = "verus"
    detail: str = ""


class Verifier(TypingProtocol):
    """Anything that can say what Verus says of a source."""

    def verify(
        self, source: str, options: VerusOptions = RECORDED_OPTIONS, *, target: str | None = None
    ) -> Verification:
        """The result for `source`. Never guesses: raises ToolError where there is none."""


class CancellableVerifier(TypingProtocol):
    """A `Verifier` that can be stopped while it works. All of this room's are."""

    def verify(
        self,
        source: str,
        options: VerusOptions = RECORDED_OPTIONS,
        *,
        target: str | None = None,
        cancel: Cancel | None = None,
    ) -> Verification:
        """The result for `source`. Raises RunCancelled once `cancel` is set."""
