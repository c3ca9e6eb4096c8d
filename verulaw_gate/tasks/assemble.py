"""Put a candidate file together from a task and the sections of a trace.

Bytes matter: recorded results are keyed by the sha256 of the assembled source. Line ends are
normalised to LF; a section loses the newlines at its two ends and nothing else. Strict: it takes
the place of the hole's line, and lemma sections are joined by one blank line. Lenient: it takes
the place of the hole, whose indentation stays, and lemma sections are joined by a line end.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from verulaw_gate.errors import InputError
from verulaw_gate.monitor.model import Step
from verulaw_gate.tasks.holes import BODY, LEMMAS, hole_of, lines_of
from verulaw_gate.tasks.model import Assembly, Piece, Task

STRICT = "strict"
LENIENT_SECTIONS = "lenient-sections"

_LENIENT_MARKER = re.compile(r"^\[(Lemma|Body|QED)\]", re.MULTILINE)
_NEWLINES = re.compile(r"(?:\r?\n)*")


@dataclass(frozen=True, slots=True)
class Section:
    """The content of one section: normalised text and the offset of its first kept character in
    the trace."""

    text: str
    start: int


def section(content: str, start: int) -> Section:
    """The section of a content that begins at trace offset `start`."""
    lead = _NEWLINES.match(content)
    skipped = lead.end() if lead else 0
    return Section(content[skipped:].replace("\r\n", "\n").strip("\n"), start + skipped)


def assemble(task: Task, steps: Sequence[Step]) -> Assembly:
    """The candidate of a conforming trace: extractor `strict`.

    Uses the steps of the states `lemma` and `body`; others are passed over. Raises InputError
    when there is not exactly one `body`: of a trace with several attempts, give the steps of one.
    """
    cut = [(s.state, section(s.content, s.content_start)) for s in steps]
    lemmas = [part for state, part in cut if state == "lemma"]
    bodies = [part for state, part in cut if state == "body"]
    if len(bodies) != 1:
        raise InputError(
            f"a candidate needs one body section, the trace has {len(bodies)}",
            hint="assemble only traces that the monitor found complete",
        )
    return _fill(task.source, {LEMMAS: lemmas, BODY: bodies}, STRICT, joint="\n\n")


def assemble_lenient(task: Task, text: str) -> Assembly:
    """What a harness without a protocol would send: extractor `lenient-sections`.

    Split at lines that begin with [Lemma], [Body] or [QED]; every [Lemma] section in order goes
    to the lemma hole, the first [Body] section to the body hole; without a [Body] the whole text
    as it stands goes there (and the lemmas to theirs all the same).
    """
    marks = list(_LENIENT_MARKER.finditer(text))
    ends = [m.start() for m in marks[1:]] + [len(text)] * bool(marks)
    cut = [
        (m.group(1), section(text[m.end() : end], m.end()))
        for m, end in zip(marks, ends, strict=True)
    ]
    lemmas = [part for name, part in cut if name == "Lemma"]
    bodies = [part for name, part in cut if name == "Body"]
    body = bodies[0] if bodies else Section(text.replace("\r\n", "\n"), 0)
    return _fill(task.source, {LEMMAS: lemmas, BODY: [body]}, LENIENT_SECTIONS, joint="\n")


@lru_cache(maxsize=256)
def _template(source: str) -> tuple[tuple[str | None, str], ...]:
    """The lines of a task file: (None, line), or (hole, its indentation)."""
    lines = []
    for line in lines_of(source):
        hole = hole_of(line)
        lines.append((hole, line if hole is None else line[: line.index("/")]))
    return tuple(lines)


def _fill(
    source: str, sections: Mapping[str, Sequence[Section]], extractor: str, *, joint: str
) -> Assembly:
    out: list[str] = []
    pieces: list[Piece] = []
    at = 0
    for hole, line in _template(source):
        text = line
        if hole is not None:
            indent = line if extractor == LENIENT_SECTIONS else ""
            place = at + len(indent)
            for part in sections[hole]:
                pieces.append(Piece(hole, place, place + len(part.text), part.start))
                place += len(part.text) + len(joint)
            text = indent + joint.join(part.text for part in sections[hole])
        out.append(text)
        at += len(text) + 1
    return Assembly("\n".join(out) + "\n", extractor, tuple(pieces))
