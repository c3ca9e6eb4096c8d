"""The holes of a task file: the lines `//@ lemmas` and `//@ body`."""

from __future__ import annotations

from pathlib import Path

from verulaw_gate.errors import TaskError

LEMMAS = "lemmas"
BODY = "body"
HOLES: tuple[str, ...] = (LEMMAS, BODY)


def hole_of(line: str) -> str | None:
    """`lemmas` or `body` when the line is that hole, otherwise None."""
    text = line.strip()
    return next((name for name in HOLES if text == f"//@ {name}"), None)


def lines_of(text: str) -> list[str]:
    """Lines without their ends (LF or CRLF); a final line end does not open another line."""
    lines = text.replace("\r\n", "\n").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return lines


def find_holes(source: str, path: Path | str | None = None) -> dict[str, int]:
    """Line (from 1) of each hole. Raises TaskError when one is missing or there twice."""
    found: dict[str, int] = {}
    for number, line in enumerate(lines_of(source), 1):
        name = hole_of(line)
        if name is None:
            continue
        if name in found:
            raise TaskError(
                f"the hole '//@ {name}' is here a second time; the first is line {found[name]}",
                hint="keep one",
                path=path,
                line=number,
            )
        found[name] = number
    for name in HOLES:
        if name not in found:
            raise TaskError(
                f"the hole line '//@ {name}' is missing",
                hint=f"put a line '//@ {name}' where that part of a candidate goes",
                path=path,
                line=1,
            )
    return found
