"""The neutral model of a protocol: what the reader makes and the compiler consumes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from verulaw_gate.spans import Span


class ContentKind(StrEnum):
    """What the content of a state should be; checked by content checkers, not by the automaton."""

    TEXT = "text"
    EMPTY = "empty"
    VERUS_ITEMS = "verus-items"
    VERUS_BLOCK = "verus-block"
    VERUS_FILE = "verus-file"
    JSON = "json"


class MarkerMode(StrEnum):
    """Where a marker counts: only at the start of a line (after blanks and tabs), or anywhere."""

    LINE_START = "line-start"
    ANYWHERE = "anywhere"


@dataclass(frozen=True, slots=True)
class State:
    """One state. `text` is its marker. `env_input`: the environment writes it, not the model."""

    name: str
    text: str
    env_input: bool = False
    content: ContentKind = ContentKind.TEXT
    one_of: tuple[str, ...] = ()
    max_chars: int | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Ref:
    """A formula: the one-element sequence of a state."""

    name: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Next:
    """A formula: concatenation."""

    items: tuple[Formula, ...]
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Or:
    """A formula: union."""

    items: tuple[Formula, ...]
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Repeat:
    """A formula: `loop` at least `low` and at most `high` (None: any number of) times, then
    `exit` (None for `always`). `until`, `until_N`, `until_M_N` and `always` all read as this."""

    loop: Formula
    exit: Formula | None
    low: int = 0
    high: int | None = None
    span: Span | None = None


Formula = Ref | Next | Or | Repeat


@dataclass(frozen=True, slots=True)
class Protocol:
    """A protocol: states in the order of declaration, and the behaviour over their names."""

    name: str
    states: tuple[State, ...]
    behavior: Formula
    markers: MarkerMode = MarkerMode.LINE_START
    path: str = "<string>"
    comment: str = ""

    def state(self, name: str) -> State:
        """The state of a name. Raises KeyError when there is none."""
        for state in self.states:
            if state.name == name:
                return state
        raise KeyError(name)
