"""What is said of a protocol text: the table of P codes, and one diagnostic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from verulaw_gate.errors import ProtocolError
from verulaw_gate.spans import LineIndex, Span


class Level(StrEnum):
    """`error`: the protocol does not load. `warning`: it loads and probably surprises. `note`:
    worth knowing, nothing to mend."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class LintCode:
    """One row of the table: code, kebab-case name, level, and why it matters."""

    code: str
    name: str
    level: Level
    explanation: str


_ROWS = (
    ("P101", "syntax", Level.ERROR, "The file is not one well-formed `(define NAME ...)`."),
    ("P102", "unknown-operator", Level.ERROR, "A formula begins with a word that is no operator."),
    ("P103", "unknown-state", Level.ERROR, "The behaviour names a state that is not declared."),
    ("P104", "unknown-property", Level.ERROR, "A property that the language does not have."),
    ("P105", "duplicate-state", Level.ERROR, "Two states of one name cannot be told apart."),
    (
        "P106",
        "duplicate-marker",
        Level.ERROR,
        "Two states with one marker cannot be told apart in a text.",
    ),
    ("P107", "unused-state", Level.WARNING, "A state that no legal run can visit."),
    (
        "P108",
        "top-level-not-next",
        Level.ERROR,
        "The paper requires the top level of a behaviour to be a `next`.",
    ),
    (
        "P109",
        "marker-is-prefix",
        Level.NOTE,
        "One marker begins another. It is allowed, and the longest match wins; a stream has to "
        "be held back until the two can be told apart.",
    ),
    (
        "P110",
        "marker-in-content",
        Level.WARNING,
        "Text of the declared content can contain the marker where a marker counts. The monitor "
        "would cut the content there.",
    ),
    (
        "P111",
        "nothing-accepts",
        Level.ERROR,
        "No run with at least one state is ever complete, so every trace would be rejected.",
    ),
    (
        "P112",
        "environment-content",
        Level.ERROR,
        "Content rules bind the model. The environment's text is taken as it comes, so a content "
        "kind or list on an :env-input state would be ignored.",
    ),
    ("P113", "bad-bound", Level.ERROR, "A bound of 0, or a lower bound above the upper one."),
    (
        "P114",
        "bounds-blow-up",
        Level.ERROR,
        "The automaton of these bounds is larger than the documented limit.",
    ),
    (
        "P115",
        "both-may-speak",
        Level.NOTE,
        "Both the model and the environment may speak next. The model asks for the environment "
        "by writing its marker alone; blank text may follow, any other text is "
        "environment-content-from-model. If the model's turn ends without a marker, the harness "
        "decides who speaks.",
    ),
    ("P116", "bad-value", Level.ERROR, "A property value of the wrong kind, or given twice."),
    ("P117", "wrong-arity", Level.ERROR, "An operator with the wrong number of arguments."),
    (
        "P118",
        "impossible-content",
        Level.WARNING,
        "No content can satisfy the properties of the state at once, so no run can pass it.",
    ),
    (
        "P119",
        "empty-run-accepted",
        Level.WARNING,
        "A trace without any state is complete, so an empty answer passes.",
    ),
    (
        "P120",
        "marker-lexes-as-code",
        Level.NOTE,
        "The marker is a legal sequence of tokens of the content, or may stand in a comment or "
        "string there. It is unlikely, and the monitor would cut the content at such a line.",
    ),
)

LINT_CODES: dict[str, LintCode] = {row[0]: LintCode(*row) for row in _ROWS}


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One statement about one place of a protocol text, with the remedy."""

    code: str
    message: str
    span: Span
    remedy: str

    @property
    def name(self) -> str:
        """The kebab-case name of the code."""
        return LINT_CODES[self.code].name

    @property
    def level(self) -> Level:
        """The level of the code."""
        return LINT_CODES[self.code].level


def first_error(diagnostics: Sequence[Diagnostic]) -> Diagnostic | None:
    """The first diagnostic, by place, that keeps the protocol from loading."""
    errors = [d for d in diagnostics if d.level is Level.ERROR]
    return min(errors, key=lambda d: (d.span.start, d.code), default=None)


def caret(text: str, span: Span) -> str:
    """The line of a span and, under it, carets below the span (as far as it is on that line)."""
    index = LineIndex(text)
    line = index.line_text(span.line)
    lead = "".join("\t" if ch == "\t" else " " for ch in line[: span.column - 1])
    width = max(1, min(span.end - span.start, len(line) - span.column + 1))
    return f"{line}\n{lead}{'^' * width}"


def to_error(text: str, diagnostic: Diagnostic, path: str) -> ProtocolError:
    """The diagnostic as the exception that loading raises; the caret line is part of it."""
    shown = caret(text, diagnostic.span)
    error = ProtocolError(
        f"{diagnostic.message} [{diagnostic.code} {diagnostic.name}]\n{shown}",
        hint=diagnostic.remedy,
        path=path,
        line=diagnostic.span.line,
        column=diagnostic.span.column,
    )
    error.caret = shown
    return error
