"""Diagnostics as one line each: what a model needs to mend its proof, within a size budget."""

from __future__ import annotations

import re
from collections.abc import Sequence

from verulaw_gate.verus.model import Diagnostic

_LEVELS = {"error": 0, "warning": 1, "help": 2, "note": 3}
_BLANK = re.compile(r"\s+")


def one_line(diagnostic: Diagnostic) -> str:
    """The stable one-line form:

        error[E0308] 8:5 in `max_of_slice`: mismatched types (expected `u32`, found `u64`)

    Line and column are the primary span's; labels of the candidate's own spans follow in
    parentheses, each other place with its line.
    """
    code = f"[{diagnostic.code}]" if diagnostic.code else ""
    own = [s for s in diagnostic.spans if "/" not in s.file]
    primary = next((s for s in own if s.primary), own[0] if own else None)
    place = f" {primary.line}:{primary.column}" if primary is not None else ""
    function = f" in `{diagnostic.function}`" if diagnostic.function else ""
    labels = []
    for span in sorted(diagnostic.spans, key=lambda s: not s.primary):
        label = flat(span.label)
        if not label or label == flat(diagnostic.message):
            continue
        foreign = "/" in span.file
        at = (
            ""
            if span is primary
            else f" at {span.file}:{span.line}"
            if foreign
            else (f" at line {span.line}")
        )
        labels.append(label + at)
    told = f" ({'; '.join(labels)})" if labels else ""
    message = flat(diagnostic.message)
    return f"{diagnostic.level}{code}{place}{function}: {message}{told}"


def summary(diagnostics: Sequence[Diagnostic], *, max_chars: int = 2000) -> str:
    """The one-line forms within `max_chars` characters: errors before warnings before notes, and
    the shortest first among equals, so that a budget holds as many as it can. Repeats are one.
    What does not fit is counted in a last line. Same input, same output."""
    lines = [(rank(d), one_line(d)) for d in diagnostics]
    lines.sort(key=lambda item: (item[0], len(item[1])))
    unique = list(dict.fromkeys(text for _, text in lines))
    kept: list[str] = []
    used = 0
    for index, text in enumerate(unique):
        left = len(unique) - index - 1
        tail = len(f"\n... and {left} more") if left else 0
        if kept and used + 1 + len(text) + tail > max_chars:
            return _close(kept, len(unique) - len(kept), max_chars)
        if not kept and len(text) + tail > max_chars:
            room = max(0, max_chars - tail - 3)
            kept.append(text[:room] + "..." if room else "")
            return _close(kept, left, max_chars)
        kept.append(text)
        used += len(text) + (1 if index else 0)
    return "\n".join(kept)


def _close(kept: list[str], left: int, max_chars: int) -> str:
    text = "\n".join(kept)
    if left:
        text = f"{text}\n... and {left} more"
    return text[:max_chars]


def rank(diagnostic: Diagnostic) -> int:
    """0 for errors, then warnings, helps, notes and the rest."""
    return _LEVELS.get(diagnostic.level.split(":")[0], 4)


def flat(text: str) -> str:
    """The text as one line."""
    return _BLANK.sub(" ", text).strip()
