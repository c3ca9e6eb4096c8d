"""Where a place of an assembled source stands in its trace."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from verulaw_gate.findings import Edit, Finding
from verulaw_gate.spans import LineIndex

if TYPE_CHECKING:
    from verulaw_gate.tasks.model import Piece


def to_trace(findings: Iterable[Finding], pieces: Iterable[Piece], trace: str) -> list[Finding]:
    """The findings with their spans moved to the trace. A finding about the fixed text loses its
    span: its place is not in the trace."""
    cut = tuple(pieces)
    lines = LineIndex(trace)
    moved = []
    for finding in findings:
        if finding.span is None:
            moved.append(finding)
            continue
        span = finding.span
        piece = next((p for p in cut if p.source_start <= span.start < p.source_end), None)
        if piece is None:
            # An empty place at the end of a section still belongs to it.
            piece = next((p for p in cut if span.start in (p.source_start, p.source_end)), None)
        if piece is None:
            moved.append(replace(finding, span=None, fix=()))
            continue
        start = _offset(piece, span.start, trace)
        end = _offset(piece, min(span.end, piece.source_end), trace)
        fix = tuple(
            Edit(_offset(piece, e.start, trace), _offset(piece, e.end, trace), e.text)
            for e in finding.fix
        )
        moved.append(replace(finding, span=lines.span(start, max(start, end)), fix=fix))
    return moved


def _offset(piece: Piece, place: int, trace: str) -> int:
    """The trace offset of a source offset: the source has LF where the trace may have CRLF."""
    wanted = place - piece.source_start
    at = piece.trace_start
    if trace.find("\r\n", at, at + 2 * wanted + 2) < 0:
        return at + wanted
    while wanted > 0 and at < len(trace):
        at += 2 if trace.startswith("\r\n", at) else 1
        wanted -= 1
    return at
