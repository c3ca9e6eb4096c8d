"""What a rule reads: one text, read once, and what it is held against."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from verulaw_gate.codes import CODES
from verulaw_gate.findings import Edit, Finding
from verulaw_gate.gate.items import Item, parse_items, walk
from verulaw_gate.gate.lexer import Tokens, lex
from verulaw_gate.spans import LineIndex

if TYPE_CHECKING:
    from verulaw_gate.gate.native_facts import Facts
    from verulaw_gate.tasks.model import Piece, Task


class View:
    """A text with its tokens and, when asked for, its lines and items."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: Tokens = lex(text)

    @cached_property
    def lines(self) -> LineIndex:
        """Offsets to lines and columns."""
        return LineIndex(self.text)

    @cached_property
    def readable(self) -> bool:
        """Whether items can be told apart: brackets balance, literals end, no fence between."""
        tokens = self.tokens
        return tokens.balanced and tokens.unterminated is None and "`" not in tokens.texts

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The items at file level, blocks with their children."""
        return parse_items(self.tokens)

    @cached_property
    def all_items(self) -> tuple[Item, ...]:
        """All items, outer before inner."""
        return tuple(walk(self.items))

    @cached_property
    def _item_starts(self) -> list[int]:
        return [item.first for item in self.all_items]

    def item_at(self, token: int) -> Item | None:
        """The innermost item that a token stands in."""
        for at in range(bisect_right(self._item_starts, token) - 1, -1, -1):
            if token <= self.all_items[at].last:
                return self.all_items[at]
        return None


class Context:
    """Everything that a rule may look at.

    `base` is the text that the candidate is held against: the earlier version of a file, or the
    task's file with its holes empty; None when there is none ("specification not compared").
    `task` and `pieces` are set when the candidate was assembled from a trace: the pieces are the
    stretches of `text` that the model wrote. `native` holds the facts of Verus's own parser, None
    when that layer did not run. `verus_version` is the version that the file is meant for.
    """

    def __init__(
        self,
        text: str,
        *,
        base: View | None = None,
        task: Task | None = None,
        pieces: Sequence[Piece] = (),
        native: Facts | None = None,
        verus_version: str = "",
    ) -> None:
        self.view = View(text)
        self.text = text
        self.tokens = self.view.tokens
        self.base = base
        self.task = task
        self.pieces = tuple(pieces)
        self.native = native
        self.verus_version = verus_version

    @property
    def lines(self) -> LineIndex:
        """Offsets to lines and columns."""
        return self.view.lines

    def at(
        self,
        code: str,
        first: int,
        last: int,
        message: str,
        hint: str = "",
        fix: Sequence[Edit] = (),
    ) -> Finding:
        """A finding about the tokens `first` to `last` (inclusive)."""
        tokens = self.tokens
        return self.over(code, tokens.starts[first], tokens.ends[last], message, hint, fix)

    def over(
        self,
        code: str,
        start: int,
        end: int,
        message: str,
        hint: str = "",
        fix: Sequence[Edit] = (),
    ) -> Finding:
        """A finding about the characters `[start, end)`."""
        span = self.lines.span(start, end)
        return Finding(code, message, span, CODES[code].severity, hint, tuple(fix))

    def whole(self, code: str, message: str, hint: str = "") -> Finding:
        """A finding about the text as a whole."""
        return Finding(code, message, None, CODES[code].severity, hint)
