"""VG001 to VG010: what the monitor found, as findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verulaw_gate.codes import BY_NAME
from verulaw_gate.findings import Finding
from verulaw_gate.gate.rule import RuleDoc
from verulaw_gate.spans import Span

if TYPE_CHECKING:
    from verulaw_gate.monitor.model import Verdict


def violation_finding(verdict: Verdict, trace_length: int) -> Finding | None:
    """The one finding of a verdict's violation, None without one. A hint of the monitor at or
    before the place (a near miss of a marker) is the remedy."""
    violation = verdict.violation
    if violation is None:
        return None
    code = BY_NAME[violation.kind.value].code
    start = min(violation.offset, trace_length)
    span = Span(start, min(start + 1, trace_length), violation.line, violation.column)
    legal = ", ".join(violation.legal_next) or "nothing"
    near = [hint for hint in verdict.hints if hint.offset <= violation.offset]
    remedy = near[-1].message if near else f"legal here: {legal}"
    return Finding(code, violation.message, span, hint=remedy)


_WHY = "The trace leaves the protocol. That says nothing about its proof: it is counted apart."
DOCS = {
    "VG001": RuleDoc(
        "Text where a marker is due.",
        _WHY,
        "Here is the proof.\n[Body]\n{ }\n[QED]",
        "Begin with a marker.",
    ),
    "VG002": RuleDoc(
        "A marker of a state that is not legal at this point.",
        _WHY,
        "[Body]\n{ }\n[Body]\n{ }\n[QED]",
        "Use one of the states that the message names.",
    ),
    "VG003": RuleDoc(
        "Text that the model wrote past the marker of an environment state. The marker alone is "
        "its request for an answer and is fine.",
        _WHY,
        "[Verus]\nverification results:: 1 verified, 0 errors",
        "Stop after the marker.",
    ),
    "VG004": RuleDoc(
        "A turn of the environment in a state that belongs to the model.",
        _WHY,
        "an environment turn in the state `body`",
        "Feed environment turns in env-input states only.",
    ),
    "VG005": RuleDoc(
        "Anything but blanks after a final state.",
        _WHY,
        "[QED]\nThis completes the proof.",
        "Stop after the last marker.",
    ),
    "VG006": RuleDoc(
        "The trace ends where the protocol does not allow it to end.",
        _WHY,
        "[Body]\n{ }",
        "Go on to a final state.",
    ),
    "VG007": RuleDoc(
        "A content longer than the `:max-chars` of its state.",
        _WHY,
        "a [Thought] of 5,000 characters in a state with `:max-chars 500`",
        "Write less.",
    ),
    "VG008": RuleDoc(
        "A content that is none of the state's `:one-of`.",
        _WHY,
        "[Action] Find in a state with `:one-of Search Lookup`",
        "Use one of the allowed contents.",
    ),
    "VG009": RuleDoc("Bytes that are not UTF-8.", _WHY, "the byte 0xff", "Send UTF-8."),
    "VG010": RuleDoc(
        "Content of a state with `:content json` that is not JSON.",
        _WHY,
        "[Arguments] {x: 1}",
        "Write JSON.",
    ),
}
