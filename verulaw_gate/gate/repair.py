"""Repair before rejection: mend the wrapping of an answer, never its proof text.

Each step mends one thing and has the text judged anew; what comes out counts only if it is
accepted. The raw decision stays with the result: tables file that one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from verulaw_gate.gate.model import Decision, GateResult, Repair, SourceKind
from verulaw_gate.monitor.hints import shape
from verulaw_gate.monitor.model import Hint, Verdict, ViolationKind
from verulaw_gate.protocol.model import ContentKind, Protocol

_MOST_STEPS = 12
_OUTER = re.compile(
    r"\s*(?P<fence>```+|~~~+)[ \t]*\w*[ \t]*\r?\n(?P<inside>.*?)\r?\n?[ \t]*(?P=fence)\s*",
    re.DOTALL,
)


def repaired(
    check: Callable[[str], GateResult], protocol: Protocol, text: str, raw: GateResult
) -> GateResult:
    """`raw`, or what the mended text gives when that is accepted."""
    result, repairs = raw, list[Repair]()
    for _ in range(_MOST_STEPS):
        step = _mend(protocol, text, result)
        if step is None:
            return raw
        text, repair = step
        repairs.append(repair)
        result = check(text)
        if result.decision is not Decision.REJECTED:
            return replace(result, source_kind=SourceKind.REPAIRED, repairs=tuple(repairs), raw=raw)
    return raw


def _mend(protocol: Protocol, text: str, result: GateResult) -> tuple[str, Repair] | None:
    """The next thing to mend, or None when nothing is left that is safe."""
    verdict = result.verdict
    if verdict is None:
        return None
    return (
        _whole_fence(protocol, text)
        or _near_markers(protocol, text, verdict)
        or _prose_before(protocol, text, verdict)
        or _text_after(text, verdict)
        or _section_fence(text, verdict)
        or _termination(protocol, text, verdict)
    )


def _whole_fence(protocol: Protocol, text: str) -> tuple[str, Repair] | None:
    match = _OUTER.fullmatch(text)
    if match is None:
        return None
    inside = match["inside"]
    # A fence with a marker in it is the answer's; one without may be a section's.
    if not any(_marker_lines(inside, state.text) for state in protocol.states):
        return None
    return inside + "\n", Repair("VG102", "removed the Markdown fence around the answer")


def _near_markers(protocol: Protocol, text: str, verdict: Verdict) -> tuple[str, Repair] | None:
    markers = {state.text for state in protocol.states if not state.env_input}
    for hint in verdict.hints:
        if hint.meant in markers and _is_the_line(text, hint):
            start, end = _line_of(text, hint.offset)
            return (
                text[:start] + str(hint.meant) + text[end:],
                Repair("VG001", f"read {hint.text!r} as the marker {hint.meant}"),
            )
    return None


def _is_the_line(text: str, hint: Hint) -> bool:
    """Whether the line holds nothing but the near miss of a marker."""
    start, end = _line_of(text, hint.offset)
    line = text[start:end].strip()
    return line != hint.meant and shape(line) == shape(hint.meant or "")


def _line_of(text: str, offset: int) -> tuple[int, int]:
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    end = len(text) if end < 0 else end
    return start, end - (text[start:end].endswith("\r"))


def _prose_before(protocol: Protocol, text: str, verdict: Verdict) -> tuple[str, Repair] | None:
    violation = verdict.violation
    if (
        violation is None
        or violation.kind is not ViolationKind.TEXT_BEFORE_FIRST_MARKER
        or verdict.steps
    ):
        return None
    places = [p for state in protocol.states for p in _marker_lines(text, state.text)]
    after = [place for place in places if place > violation.offset]
    if not after:
        return None
    return text[min(after) :], Repair("VG001", "removed the text before the first marker")


def _marker_lines(text: str, marker: str) -> list[int]:
    return [m.start() for m in re.finditer(rf"(?m)^[ \t]*{re.escape(marker)}", text)]


def _text_after(text: str, verdict: Verdict) -> tuple[str, Repair] | None:
    violation = verdict.violation
    if violation is None or violation.kind is not ViolationKind.TEXT_AFTER_TERMINATION:
        return None
    return (
        text[: violation.offset].rstrip() + "\n",
        Repair("VG005", "cut the text after the end of the run"),
    )


def _section_fence(text: str, verdict: Verdict) -> tuple[str, Repair] | None:
    for step in verdict.steps:
        match = _OUTER.fullmatch(step.content)
        if match is not None:
            start = step.content_start
            return (
                f"{text[:start]}\n{match['inside']}\n{text[start + len(step.content) :]}",
                Repair("VG102", f"removed the Markdown fence around a {step.state} section"),
            )
    return None


def _termination(protocol: Protocol, text: str, verdict: Verdict) -> tuple[str, Repair] | None:
    violation = verdict.violation
    if violation is None or violation.kind is not ViolationKind.MISSING_TERMINATION:
        return None
    from verulaw_gate.monitor import run_trace

    due = [protocol.state(name) for name in violation.legal_next]
    final = [s for s in due if not s.env_input and s.content is ContentKind.EMPTY]
    if len(final) != 1:
        return None
    mended = f"{text.rstrip()}\n{final[0].text}\n"
    if not run_trace(protocol, mended).complete:
        return None
    return mended, Repair("VG006", f"added the {final[0].text} that was due")
