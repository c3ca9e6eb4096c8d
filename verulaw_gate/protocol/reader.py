"""From s-expressions to a `Protocol`: every declaration checked, every complaint collected."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import get_close_matches

from verulaw_gate.protocol.diagnostics import Diagnostic
from verulaw_gate.protocol.formula import FormulaReader
from verulaw_gate.protocol.model import ContentKind, Formula, MarkerMode, Next, Protocol, State
from verulaw_gate.protocol.syntax import Atom, Items, Malformed, Node, read
from verulaw_gate.spans import Span

_NAME = re.compile(r"[^\W\d][\w.+*/?!-]*\Z")
# Names the authors' files use and the one they stand for here.
_ALIASES = {":output-constrs": ":one-of"}
_STATE_PROPERTIES = (":text", ":flags", ":content", ":one-of", ":max-chars")
_PROTOCOL_PROPERTIES = (":states", ":behavior", ":markers")


@dataclass
class Reading:
    """The outcome of reading one text: the protocol, as far as it could be made, and all that was
    found wrong with its form."""

    protocol: Protocol | None = None
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def complain(self, code: str, message: str, span: Span, remedy: str) -> None:
        """Note one diagnostic."""
        self.diagnostics.append(Diagnostic(code, message, span, remedy))


def read_protocol(text: str, path: str) -> Reading:
    """Read a protocol text. Never raises for bad text: the complaints are in the answer."""
    reading = Reading()
    try:
        nodes = read(text)
    except Malformed as problem:
        reading.complain("P101", problem.message, problem.span, problem.remedy)
        return reading
    shape = "write exactly one (define NAME (:states ...) (:behavior ...))"
    if not nodes:
        reading.complain("P101", "no protocol in this file", Span(0, 0, 1, 1), shape)
        return reading
    if len(nodes) > 1:
        reading.complain("P101", "more than one protocol in this file", nodes[1].span, shape)
    _Reader(reading, path, _head_comment(text)).define(nodes[0], shape)
    return reading


def _head_comment(text: str) -> str:
    """The comment block at the top of the file, without its comment signs."""
    lines: list[str] = []
    for line in text.splitlines():
        stripped = line.strip()
        if not stripped.startswith((";", "#")):
            if stripped or lines:
                break
            continue
        lines.append(stripped.lstrip(";#").strip())
    return "\n".join(lines).strip()


class _Reader:
    def __init__(self, reading: Reading, path: str, comment: str) -> None:
        self.reading = reading
        self.path = path
        self.comment = comment
        self.states: dict[str, State] = {}
        self.markers_of: dict[str, str] = {}

    def define(self, node: Node, shape: str) -> None:
        complain = self.reading.complain
        match node:
            case Items(items=(Atom(text="define"), Atom() as name, *rest)):
                pass
            case _:
                complain("P101", "not a (define NAME ...)", node.span, shape)
                return
        if not _NAME.match(name.text):
            complain("P101", f"{name.text!r} is no name", name.span, _name_remedy())
        parts = self._parts(rest, _PROTOCOL_PROPERTIES)
        if ":states" in parts:
            for child in parts[":states"].items[1:]:
                self._state(child)
        else:
            complain("P101", "no (:states ...)", node.span, shape)
        mode = self._mode(parts.get(":markers"))
        if ":behavior" not in parts:
            complain("P101", "no (:behavior ...)", node.span, shape)
            return
        behavior = self._behavior(parts[":behavior"])
        if behavior is not None:
            self.reading.protocol = Protocol(
                name.text, tuple(self.states.values()), behavior, mode, self.path, self.comment
            )

    def _parts(self, nodes: list[Node], known: tuple[str, ...]) -> dict[str, Items]:
        """Properties `(:key ...)` by key. Unknown, repeated and formless ones are complaints."""
        parts: dict[str, Items] = {}
        for node in nodes:
            match node:
                case Items(items=(Atom(text=raw) as key, *_)) if raw.startswith(":"):
                    name = _ALIASES.get(raw, raw)
                    if name not in known:
                        near = get_close_matches(raw, known, 1)
                        remedy = f"did you mean {near[0]}?" if near else _known(known)
                        self.reading.complain("P104", f"unknown property {raw}", key.span, remedy)
                    elif name in parts:
                        self.reading.complain(
                            "P116", f"{raw} is given twice", key.span, "keep one of them"
                        )
                    else:
                        parts[name] = node
                case _:
                    self.reading.complain(
                        "P101", "a property (:key ...) is due here", node.span, _known(known)
                    )
        return parts

    def _mode(self, node: Items | None) -> MarkerMode:
        if node is None:
            return MarkerMode.LINE_START
        match node.items[1:]:
            case (Atom(text=word),) if word in tuple(MarkerMode):
                return MarkerMode(word)
        self.reading.complain(
            "P116", "no marker mode", node.span, "write (:markers line-start) or anywhere"
        )
        return MarkerMode.LINE_START

    def _behavior(self, node: Items) -> Formula | None:
        if len(node.items) != 2:
            self.reading.complain(
                "P117",
                f":behavior takes one formula, not {len(node.items) - 1}",
                node.span,
                "put the parts into one (next ...)",
            )
            return None
        formula = FormulaReader(tuple(self.states), self.reading.complain).formula(node.items[1])
        if formula is not None and not isinstance(formula, Next):
            self.reading.complain(
                "P108",
                "the top level of a behaviour is a next",
                node.items[1].span,
                "wrap it: (:behavior (next ...))",
            )
        return formula

    def _state(self, node: Node) -> None:
        match node:
            case Items(items=(Atom() as name, *rest)):
                pass
            case _:
                self.reading.complain(
                    "P101",
                    "a state (NAME (:text MARKER) ...) is due here",
                    node.span,
                    'for example (body (:text "[Body]"))',
                )
                return
        if not _NAME.match(name.text):
            self.reading.complain("P101", f"{name.text!r} is no name", name.span, _name_remedy())
        if name.text in self.states:
            self.reading.complain(
                "P105", f"state {name.text} is declared twice", name.span, "rename one of them"
            )
            return
        state = self._properties(name, node, self._parts(rest, _STATE_PROPERTIES))
        # Declared even when something is wrong with it: one fault, one complaint.
        self.states[name.text] = state

    def _properties(self, name: Atom, node: Items, parts: dict[str, Items]) -> State:
        marker = self._marker(name.text, node, parts.get(":text"))
        env = self._env_input(parts.get(":flags"))
        content = self._content(parts.get(":content"))
        one_of = self._one_of(parts.get(":one-of"))
        for key in (":content", ":one-of", ":max-chars"):
            if env and key in parts:
                self.reading.complain(
                    "P112",
                    f"{name.text} is environment input and has {key}",
                    parts[key].span,
                    f"remove {key}, or the :env-input flag",
                )
        return State(
            name.text,
            marker,
            env,
            content,
            one_of,
            self._max_chars(parts.get(":max-chars")),
            name.span,
        )

    def _marker(self, name: str, node: Items, part: Items | None) -> str:
        words = self._words(part) if part else []
        if part is None or len(words) != 1:
            self.reading.complain(
                "P116",
                f"state {name} needs one marker",
                part.span if part else node.span,
                f'write (:text "[{name.capitalize()}]")',
            )
            return ""
        # The authors strip markers; blanks at a line's start are skipped by the splitter anyway.
        marker = words[0].strip()
        if not marker or "\n" in marker or "\r" in marker:
            self.reading.complain(
                "P116", "a marker is non-blank text within one line", part.span, "shorten it"
            )
        elif marker in self.markers_of:
            self.reading.complain(
                "P106",
                f"marker {marker} already belongs to {self.markers_of[marker]}",
                part.span,
                "give each state its own marker",
            )
        self.markers_of.setdefault(marker, name)
        return marker

    def _env_input(self, part: Items | None) -> bool:
        flags = part.items[1:] if part else ()
        for flag in flags:
            if not (isinstance(flag, Atom) and flag.text == ":env-input"):
                self.reading.complain(
                    "P104", "unknown flag", flag.span, "the only flag is :env-input"
                )
        return bool(flags)

    def _content(self, part: Items | None) -> ContentKind:
        if part is None:
            return ContentKind.TEXT
        match part.items[1:]:
            case (Atom(text=word),) if word in tuple(ContentKind):
                return ContentKind(word)
        self.reading.complain(
            "P116", "no content kind", part.span, _known(tuple(k.value for k in ContentKind))
        )
        return ContentKind.TEXT

    def _one_of(self, part: Items | None) -> tuple[str, ...]:
        if part is None:
            return ()
        words = [word.strip() for word in self._words(part)]
        if not words:
            self.reading.complain(
                "P116", ":one-of without a content", part.span, "list the allowed contents"
            )
        return tuple(dict.fromkeys(words))

    def _max_chars(self, part: Items | None) -> int | None:
        if part is None:
            return None
        match part.items[1:]:
            case (Atom(text=word),) if re.fullmatch("[0-9]{1,12}", word):
                return int(word)
        self.reading.complain(
            "P116", ":max-chars takes one whole number", part.span, "for example (:max-chars 400)"
        )
        return None

    def _words(self, part: Items) -> list[str]:
        words = []
        for item in part.items[1:]:
            if isinstance(item, Items):
                self.reading.complain(
                    "P116", "a text is due here", item.span, 'put it in quotes: "..."'
                )
            else:
                words.append(item.text)
        return words


def _known(words: tuple[str, ...]) -> str:
    return "known: " + ", ".join(words)


def _name_remedy() -> str:
    return "a name begins with a letter or _ and goes on with letters, digits, _ . + -"
