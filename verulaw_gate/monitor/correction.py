"""How to go on after a violation: valid-state prefixing, feedback, or a forced marker.

Valid-state prefixing is that of Crouse et al. 2023, section 2.2.3: the accepted text, then the
longest common prefix of the markers that may come next, the environment's included.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from verulaw_gate.errors import UsageError
from verulaw_gate.findings import Finding
from verulaw_gate.monitor.model import Correction, CorrectionMode, Violation
from verulaw_gate.protocol.automaton import Automaton
from verulaw_gate.protocol.model import MarkerMode, Protocol


@dataclass(frozen=True, slots=True)
class Situation:
    """Where a run stands when it has to be corrected.

    `accepted` is the accepted text of the model's turn; `line_blank` whether a marker may follow
    it as it is; `rolled_back` whether it ends with the marker of a step whose content was taken
    back; `requested` the environment state that the model asked for.
    """

    protocol: Protocol
    automaton: Automaton
    q: int
    legal_next: tuple[str, ...]
    requested: str | None
    accepted: str
    line_blank: bool
    rolled_back: bool
    violation: Violation | None
    findings: tuple[Finding, ...]


def correct(situation: Situation, mode: CorrectionMode, forced: str | None) -> Correction:
    """The correction of a situation.

    Raises `UsageError` when `forced` names a state that is not a legal one of the model.
    """
    hand_over = _hand_over(situation)
    append = ""
    feedback = ""
    if mode is CorrectionMode.FEEDBACK:
        feedback = _feedback(situation, hand_over)
    elif hand_over is None and not situation.rolled_back and situation.legal_next:
        text = _markers(situation)
        if mode is CorrectionMode.FORCED:
            append = _separated(situation, text[_forced_state(situation, forced)])
        else:
            append = _separated(situation, common_prefix(list(text.values())))
    return Correction(mode, situation.accepted, append, hand_over, situation.legal_next, feedback)


def common_prefix(words: Sequence[str]) -> str:
    """The longest text that all words begin with."""
    least, most = min(words), max(words)
    same = next((n for n, (a, b) in enumerate(zip(least, most, strict=False)) if a != b), None)
    return least if same is None else least[:same]


def _markers(situation: Situation) -> dict[str, str]:
    return {name: situation.protocol.state(name).text for name in situation.legal_next}


def _hand_over(situation: Situation) -> str | None:
    """The environment state that is due: the one asked for, or the only kind that may come."""
    if situation.requested is not None:
        return situation.requested
    legal = situation.legal_next
    if situation.rolled_back or not legal:
        return None
    return legal[0] if all(situation.protocol.state(n).env_input for n in legal) else None


def _forced_state(situation: Situation, forced: str | None) -> str:
    usable = [n for n in situation.legal_next if not situation.protocol.state(n).env_input]
    if forced is not None:
        if forced not in usable:
            raise UsageError(
                f"{forced!r} cannot be forced here", hint=f"legal: {', '.join(usable)}"
            )
        return forced
    distances = situation.automaton.distances()

    def to_completion(name: str) -> int:
        target = situation.automaton.step(situation.q, name)
        distance = None if target is None else distances[target]
        return len(distances) if distance is None else distance

    # The first of the nearest, so that a run which is forced again and again ends.
    return min(usable, key=to_completion)


def _separated(situation: Situation, text: str) -> str:
    """The text with the line end in front of it that it needs to count as a marker's beginning."""
    if not text:
        return ""
    if situation.protocol.markers is MarkerMode.LINE_START:
        needed = not situation.line_blank
    else:
        needed = _crosses(situation, text)
    return "\n" + text if needed else text


def _crosses(situation: Situation, text: str) -> bool:
    """Whether the end of the accepted text and the appended one could form a marker together."""
    return any(
        situation.accepted.endswith(head) and (text.startswith(tail) or tail.startswith(text))
        for state in situation.protocol.states
        for head, tail in ((state.text[:n], state.text[n:]) for n in range(1, len(state.text)))
    )


def _feedback(situation: Situation, hand_over: str | None) -> str:
    if situation.violation is not None:
        lines = [
            f"Protocol violation at line {situation.violation.line}: {situation.violation.message}."
        ]
    else:
        lines = [
            f"Rejected ({finding.code} {finding.name}): {finding.message}"
            + (f" Remedy: {finding.hint}" if finding.hint else "")
            for finding in situation.findings
        ]
    markers = list(_markers(situation).values())
    if situation.rolled_back:
        lines.append("Write the content of this section again.")
    elif hand_over is not None:
        lines.append(f"Wait for {situation.protocol.state(hand_over).text}.")
    elif markers:
        lines.append(f"Go on with: {' or '.join(markers)}.")
    else:
        lines.append("The answer is complete; write nothing more.")
    lines.append("What came before it was accepted; do not repeat it.")
    return "\n".join(lines)
