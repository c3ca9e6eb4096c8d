"""The open segment of a run: its content so far and what its state demands of it.

The properties of a state (`:content empty`, `:content json`, `:one-of`, `:max-chars`) are protocol
rules, judged at the first character at which no continuation can satisfy them. Content checkers
are given whole lines (and the rest at the end), so that what they find, and when, does not depend
on how the text arrived.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from verulaw_gate.codes import Severity
from verulaw_gate.findings import Finding
from verulaw_gate.monitor.model import ContentChecker, ContentSession, ViolationKind
from verulaw_gate.monitor.position import Position
from verulaw_gate.protocol.model import ContentKind, State
from verulaw_gate.spans import Span


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a content: a protocol violation (`kind`), or findings (kind None)."""

    kind: ViolationKind | None
    at: Position
    message: str = ""


class Segment:
    """One open state of the model's text. `begin` is where its marker begins, `content_at` where
    its content begins."""

    def __init__(
        self,
        state: State,
        begin: Position,
        content_at: Position,
        checkers: Sequence[ContentChecker],
        *,
        final: bool = False,
    ) -> None:
        self.state = state
        self.begin = begin
        self.content_at = content_at
        self.findings: list[Finding] = []
        self._text = io.StringIO()
        self._line = io.StringIO()
        self._rules = _rules(state, final)
        sessions = (checker.start(state) for checker in checkers)
        self._sessions: list[ContentSession] = [s for s in sessions if s is not None]

    @property
    def content(self) -> str:
        """The content so far."""
        return self._text.getvalue()

    def append(self, text: str, at: Position) -> Fault | None:
        """More content, which begins at `at`. The fault's place tells how much was accepted."""
        found = [
            (index, number, rule)
            for number, rule in enumerate(self._rules)
            if (index := rule.feed(text)) is not None
        ]
        if found:
            index, _, rule = min(found, key=lambda entry: entry[:2])
            accepted = text[:index]
            fault = self._check_lines(accepted, at)
            self._text.write(accepted)
            return fault or Fault(rule.kind, at.after(accepted), rule.message)
        fault = self._check_lines(text, at)
        if fault is None:
            self._text.write(text)
        return fault

    def finish(self, at: Position) -> Fault | None:
        """The content is complete; `at` is where it ends."""
        for rule in self._rules:
            if not rule.complete():
                return Fault(rule.kind, self.content_at, rule.message)
        if self.state.content is ContentKind.JSON:
            fault = self._json()
            if fault is not None:
                return fault
        rest = self._line.getvalue()
        if rest and self._report([f for s in self._sessions for f in s.feed(rest)]):
            return Fault(None, at)
        if self._report([f for s in self._sessions for f in s.finish()]):
            return Fault(None, at)
        return None

    def _check_lines(self, text: str, at: Position) -> Fault | None:
        if not self._sessions:
            return None
        start = 0
        end = text.find("\n") + 1
        while end:
            self._line.write(text[start:end])
            line = self._line.getvalue()
            self._line = io.StringIO()
            if self._report([f for s in self._sessions for f in s.feed(line)]):
                self._text.write(text[:end])
                return Fault(None, at.after(text[:end]))
            start, end = end, text.find("\n", end) + 1
        self._line.write(text[start:])
        return None

    def _report(self, findings: list[Finding]) -> bool:
        """Keep findings at their place in the whole trace; whether one of them rejects."""
        self.findings += [replace(f, span=self._shift(f.span)) for f in findings]
        return any(f.severity is Severity.ERROR for f in findings)

    def _shift(self, span: Span | None) -> Span | None:
        if span is None:
            return None
        base = self.content_at
        column = span.column + (base.column - 1 if span.line == 1 else 0)
        start, end = span.start + base.offset, span.end + base.offset
        return Span(start, end, span.line + base.line - 1, column)

    def _json(self) -> Fault | None:
        content = self.content
        try:
            json.loads(content, parse_constant=_no_constant)
        except json.JSONDecodeError as problem:
            at = self.content_at.after(content[: problem.pos])
            return Fault(ViolationKind.NOT_JSON, at, f"the content is not JSON: {problem.msg}")
        except (ValueError, RecursionError) as problem:
            return Fault(
                ViolationKind.NOT_JSON, self.content_at, f"the content is not JSON: {problem}"
            )
        return None


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is no JSON number")


def _rules(state: State, final: bool) -> list[Rule]:
    rules: list[Rule] = []
    if state.content is ContentKind.EMPTY:
        rules.append(Empty(final))
    if state.one_of:
        rules.append(OneOf(state.one_of))
    if state.max_chars is not None:
        rules.append(MaxChars(state.max_chars))
    return rules


class Empty:
    """Blank after strip. After a final state other text is text after termination."""

    def __init__(self, final: bool) -> None:
        self.kind = (
            ViolationKind.TEXT_AFTER_TERMINATION
            if final
            else ViolationKind.TEXT_BEFORE_FIRST_MARKER
        )
        self.message = (
            "text after the final state" if final else "text after a marker that takes none"
        )

    def feed(self, text: str) -> int | None:
        """The index of the first character that breaks the rule."""
        return first_nonblank(text)

    def complete(self) -> bool:
        """Whether a content that ends here meets the rule."""
        return True


class OneOf:
    """One of the listed contents after strip."""

    kind = ViolationKind.NOT_ONE_OF

    def __init__(self, options: tuple[str, ...]) -> None:
        self._options = options
        self._longest = max(map(len, options))
        self._seen = ""
        self._gap = ""
        self.message = f"the content is none of: {', '.join(options)}"

    def feed(self, text: str) -> int | None:
        """The index of the first character after which no listed content is possible."""
        for index, char in enumerate(text):
            if char.isspace():
                # Blanks count only between other characters, and only as far as an option goes.
                if self._seen and len(self._gap) <= self._longest:
                    self._gap += char
                continue
            grown = self._seen + self._gap + char
            if not any(option.startswith(grown) for option in self._options):
                return index
            self._seen, self._gap = grown, ""
        return None

    def complete(self) -> bool:
        """Whether the content, stripped, is in the list."""
        return self._seen in self._options


class MaxChars:
    """At most so many characters after strip."""

    kind = ViolationKind.TOO_LONG

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._seen = 0
        self.message = f"the content is longer than {limit} characters"

    def feed(self, text: str) -> int | None:
        """The index of the first non-blank character past the limit."""
        start = 0
        if self._seen == 0:
            first = first_nonblank(text)
            if first is None:
                return None
            start = first
        over = max(start + self._limit - self._seen, start)
        self._seen += len(text) - start
        if over >= len(text):
            return None
        index = first_nonblank(text[over:])
        return None if index is None else over + index

    def complete(self) -> bool:
        """Whether a content that ends here meets the rule."""
        return True


Rule = Empty | OneOf | MaxChars


def first_nonblank(text: str) -> int | None:
    """The index of the first character that is no white space."""
    rest = text.lstrip()
    return len(text) - len(rest) if rest else None
