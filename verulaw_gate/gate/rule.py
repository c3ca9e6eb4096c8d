"""What a rule is: its codes, the layer it needs, its documentation, and one function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from verulaw_gate.findings import Finding

if TYPE_CHECKING:
    from verulaw_gate.gate.context import Context


class LayerName(StrEnum):
    """tokens: always there. native: Verus's own parser (an optional extension). static: rules
    about certain front-end failures, tied to one Verus version."""

    TOKENS = "tokens"
    NATIVE = "native"
    STATIC = "static"


@dataclass(frozen=True, slots=True)
class RuleDoc:
    """The documentation of one code: what it finds, why that matters, an example that it finds,
    the remedy, and the Verus versions it speaks of ("any" for what no version changes)."""

    finds: str
    why: str
    example: str
    remedy: str
    versions: str = "any"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule module. `run` is pure: it reads the context and returns findings whose spans are
    places in `context.text`. Severities are the gate's business: a rule states the code's own.
    """

    codes: tuple[str, ...]
    layer: LayerName
    run: Callable[[Context], Iterable[Finding]]
    docs: Mapping[str, RuleDoc]
