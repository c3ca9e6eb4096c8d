"""Tokens as text for a message, and what changed between two runs of tokens."""

from __future__ import annotations

from collections.abc import Sequence

_LIMIT = 160
# Tokens kept on each side of a change.
_AROUND = 4
_NO_SPACE_BEFORE = frozenset({",", ";", ")", "]", ".", "?", ":", "::", "@"})
_NO_SPACE_AFTER = frozenset({"", "(", "[", ".", "::", "#", "!"})
_PREFIX = frozenset({"&", "-", "*"})
_BINDERS = frozenset({"forall", "exists", "choose", "(", ",", "=", "", "&&", "==>", "move"})
_SPACED_WORDS = frozenset(
    ["if", "match", "else", "in", "as", "is", "return", "let", "while", "forall", "exists"]
)


def shown(texts: Sequence[str], limit: int = _LIMIT) -> str:
    """Tokens as one line, spaced as Rust is written, cut at `limit` characters."""
    out: list[str] = []
    before, earlier = "", ""
    generic = 0
    bar_open = closed = False
    for text in texts:
        glue = text in _NO_SPACE_BEFORE or before in _NO_SPACE_AFTER
        if before in _PREFIX and not _ends_operand(earlier):
            glue = True
        if text in ("(", "[") and _ends_operand(before) and before not in _SPACED_WORDS:
            glue = True
        opens = before in ("::", "impl") or earlier == "fn" or before[:1].isupper()
        if text == "<" and opens:
            generic += 1
            glue = True
        elif before == "<" and generic:
            glue = True
        elif text == ">" and generic:
            generic -= 1
            glue = closed = True
        elif before == ">" and text in (">", "=") and not closed:
            # The lexer takes `>=` and `>>` apart; see `Kind`.
            glue = True
        elif text == "|":
            if bar_open:
                bar_open, glue = False, True
            elif before in _BINDERS:
                bar_open, glue = True, before in ("forall", "exists", "choose", "(", "")
        elif before == "|" and bar_open:
            glue = True
        closed = closed and text == ">"
        out.append(text if glue else f" {text}")
        before, earlier = text, before
    line = "".join(out)
    return line if len(line) <= limit else line[: limit - 3] + "..."


def _ends_operand(text: str) -> bool:
    last = text[-1:]
    if text in ("->", "=>"):
        return False
    return last.isalnum() or last in ("_", ")", "]", "}", "@", '"', "'", ">")


def changed(what: str, was: Sequence[str], now: Sequence[str]) -> str:
    """A sentence on what changed, old and new; long runs are cut to where they differ."""
    if not was:
        return f"{what} is added: `{shown(now)}`"
    if not now:
        return f"{what} is removed; it was `{shown(was)}`"
    start = 0
    while start < min(len(was), len(now)) and was[start] == now[start]:
        start += 1
    end = 0
    while end < min(len(was), len(now)) - start and was[-1 - end] == now[-1 - end]:
        end += 1
    return f"{what} was `{_window(was, start, end)}` and is `{_window(now, start, end)}`"


def _window(texts: Sequence[str], start: int, end: int) -> str:
    """The tokens between the common beginning and the common end, with some of both."""
    if len(shown(texts)) < _LIMIT // 2:
        return shown(texts)
    first = max(0, start - _AROUND)
    last = min(len(texts), len(texts) - end + _AROUND)
    head = "... " if first else ""
    tail = " ..." if last < len(texts) else ""
    return head + shown(texts[first:last]) + tail
