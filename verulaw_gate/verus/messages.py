"""What Verus says on stderr: rustc's diagnostics, as JSON lines or as text."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from verulaw_gate.verus.model import Diagnostic, DiagnosticSpan

_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_HEADER = re.compile(r"^(error|warning|note|help)(?:\[([A-Z]\d{4})\])?: (.*)$")
_ARROW = re.compile(r"^\s*--> (.+):(\d+):(\d+)$")
# rustc's closing lines speak of the other diagnostics, not of the source.
_CLOSING = re.compile(
    r"^(aborting due to (\d+ )?previous errors?|For more information about|"
    r"Some errors have detailed explanations|\d+ warnings? emitted)"
)
_JSON_MARK = '{"$message_type"'


@dataclass(frozen=True, slots=True)
class Messages:
    """The diagnostics in order, and the lines of stderr that are none of them."""

    diagnostics: tuple[Diagnostic, ...]
    other: tuple[str, ...]

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The diagnostics of level error."""
        return tuple(d for d in self.diagnostics if d.level.startswith("error"))


def read_messages(stderr: str) -> Messages:
    """Read a whole stderr. Never fails: what is no diagnostic is kept as text.

    A JSON diagnostic may stand behind other text on its line (threads write to one stderr); one
    that does not parse is text.
    """
    diagnostics: list[Diagnostic] = []
    other: list[str] = []
    for line in stderr.split("\n"):
        rest = line.rstrip("\r")
        if _JSON_MARK not in rest:
            other.append(rest)
            continue
        _json_line(rest, diagnostics, other)
    if not diagnostics:
        return _text_messages(other)
    return Messages(tuple(diagnostics), tuple(o for o in other if o.strip()))


def _json_line(line: str, diagnostics: list[Diagnostic], other: list[str]) -> None:
    decoder = json.JSONDecoder()
    while (at := line.find(_JSON_MARK)) >= 0:
        if line[:at].strip():
            other.append(line[:at])
        try:
            value, end = decoder.raw_decode(line, at)
        except (ValueError, RecursionError):
            other.append(line[at:])
            return
        line = line[end:]
        diagnostic = _from_json(value)
        if diagnostic is not None:
            diagnostics.append(diagnostic)
    if line.strip():
        other.append(line)


def _from_json(value: Any) -> Diagnostic | None:
    """The typed form; None for rustc's closing lines."""
    message = str(value.get("message", ""))
    level = str(value.get("level", ""))
    if level == "failure-note" or _CLOSING.match(message):
        return None
    code = value.get("code")
    return Diagnostic(
        level=level,
        message=message,
        code=str(code["code"]) if isinstance(code, dict) and "code" in code else None,
        spans=tuple(
            # An empty file has no line: rustc then says line 0, which is no place.
            span
            for span in map(_span, _rows(value.get("spans")))
            if span.line > 0
        ),
        rendered=str(value.get("rendered") or ""),
        notes=tuple(
            f"{c.get('level', 'note')}: {c.get('message', '')}"
            for c in _rows(value.get("children"))
        ),
    )


def _span(raw: dict[str, Any]) -> DiagnosticSpan:
    place = raw
    # A span inside the macros of the standard library names rustc's own sources: the place that
    # the author can mend is where the macro was called.
    while str(place.get("file_name", "")).startswith("/rustc/"):
        expansion = place.get("expansion")
        if not isinstance(expansion, dict) or not isinstance(expansion.get("span"), dict):
            break
        place = expansion["span"]
    return DiagnosticSpan(
        file=str(place.get("file_name", "")),
        line=_number(place.get("line_start")),
        column=_number(place.get("column_start")),
        end_line=_number(place.get("line_end")),
        end_column=_number(place.get("column_end")),
        primary=bool(raw.get("is_primary")),
        label=str(raw.get("label") or ""),
        text="\n".join(str(t.get("text", "")) for t in _rows(place.get("text"))),
    )


def _rows(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; none for anything that is no list."""
    return [v for v in value if isinstance(v, dict)] if isinstance(value, list) else []


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _text_messages(lines: list[str]) -> Messages:
    """rustc's plain rendering: a header line, then `--> file:line:column` for its first span."""
    diagnostics: list[Diagnostic] = []
    other: list[str] = []
    block: list[str] = []

    def close() -> None:
        if not block:
            return
        header = _HEADER.match(block[0])
        assert header is not None
        if not _CLOSING.match(header[3]):
            place = next((m for m in map(_ARROW.match, block) if m), None)
            spans: tuple[DiagnosticSpan, ...] = ()
            if place is not None:
                line, column = int(place[2]), int(place[3])
                spans = (DiagnosticSpan(place[1], line, column, line, column, primary=True),)
            text = "\n".join(block).rstrip("\n") + "\n"
            diagnostics.append(Diagnostic(header[1], header[3], header[2], spans, rendered=text))
        block.clear()

    for raw in lines:
        line = _ANSI.sub("", raw)
        header = _HEADER.match(line)
        nested = header is not None and header[1] in ("note", "help") and _is_open(block)
        if header is not None and not nested:
            close()
            block.append(line)
        elif block and line.strip():
            block.append(line)
        elif block:
            close()
        elif line.strip():
            other.append(line)
    close()
    return Messages(tuple(diagnostics), tuple(other))


def _is_open(block: list[str]) -> bool:
    # `help:` straight under a diagnostic's lines belongs to it; after a blank line it is its own.
    return bool(block)
