"""Reading the behaviour: s-expressions to formulas."""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches

from verulaw_gate.protocol.model import Formula, Next, Or, Ref, Repeat
from verulaw_gate.protocol.syntax import Atom, Items, Node
from verulaw_gate.spans import Span

Complain = Callable[[str, str, Span, str], None]

_BOUNDED = re.compile(r"until(?:_([0-9]{1,9}))?_([0-9]{1,9})\Z")
OPERATORS = ("next", "or", "until", "until_N", "until_M_N", "always")


class FormulaReader:
    """Reads formulas over the declared states; complaints go to `complain`."""

    def __init__(self, states: tuple[str, ...], complain: Complain) -> None:
        self.states = states
        self.complain = complain

    def formula(self, node: Node) -> Formula | None:
        """The formula of a node; None when it could not be read (the complaint is made)."""
        match node:
            case Atom(text=name):
                return self._ref(name, node.span)
            case Items(items=(Atom() as operator, *arguments)):
                return self._apply(operator, arguments, node.span)
        self.complain(
            "P101", "a state or a formula (OPERATOR ...) is due here", node.span, _operators()
        )
        return None

    def _ref(self, name: str, span: Span) -> Ref | None:
        if name in self.states:
            return Ref(name, span)
        near = get_close_matches(name, self.states, 1)
        remedy = f"did you mean {near[0]}?" if near else "declare it in (:states ...)"
        self.complain("P103", f"unknown state {name}", span, remedy)
        return None

    def _apply(self, operator: Atom, arguments: list[Node], span: Span) -> Formula | None:
        word = operator.text
        bounds = self._bounds(operator)
        if word not in ("next", "or", "until", "always") and bounds is None:
            near = get_close_matches(word, ("next", "or", "until", "always"), 1)
            remedy = f"did you mean {near[0]}?" if near else _operators()
            self.complain("P102", f"unknown operator {word}", operator.span, remedy)
            return None
        parts = [self.formula(argument) for argument in arguments]
        needed = {"next": None, "or": None, "always": 1}.get(word, 2)
        if len(parts) != needed if needed else not parts:
            takes = f"{needed} argument{'s' if needed != 1 else ''}" if needed else "at least one"
            self.complain("P117", f"{word} takes {takes}, not {len(parts)}", span, _shape(word))
            return None
        read = tuple(part for part in parts if part is not None)
        if len(read) < len(parts):
            return None
        if word == "next":
            return Next(read, span)
        if word == "or":
            return Or(read, span)
        low, high = bounds if bounds else (0, None)
        return Repeat(read[0], read[1] if len(read) > 1 else None, low, high, span)

    def _bounds(self, operator: Atom) -> tuple[int, int] | None:
        match = _BOUNDED.match(operator.text)
        if not match:
            return None
        low, high = int(match[1] or 0), int(match[2])
        if high == 0 or low > high:
            self.complain(
                "P113",
                f"{operator.text}: at least {low} and at most {high} times",
                operator.span,
                "write until_N with N of 1 or more, or until_M_N with M no more than N",
            )
            return (0, 1)
        return low, high


def _operators() -> str:
    return "operators: " + ", ".join(OPERATORS)


def _shape(word: str) -> str:
    return {
        "next": "(next f g ...)",
        "or": "(or f g ...)",
        "always": "(always f): zero or more f",
    }.get(word, f"({word} f g): f repeated, then g")
