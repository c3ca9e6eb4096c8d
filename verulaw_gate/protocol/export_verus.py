"""Print a protocol as a Verus file: a controller with its tables, machine code and theorems.

The text has the shape of `verus_form/proof_controller.rs`, which Verus has verified: the pieces in
`verus_text/` are its words, the tables are printed from the minimal automaton. A controller state
is an automaton state together with the marker that led to it, so that a state tells the last
marker (`entered_by`). What is printed is marked `unconfirmed`: the proofs keep the verified shape,
but this very text has not been run through Verus.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from importlib.resources import files

from verulaw_gate.protocol.automaton import Automaton, compile_protocol
from verulaw_gate.protocol.model import Formula, Next, Or, Protocol, Ref, Repeat

# Verus needs 4 s for 60 states x 12 markers and 32 s for 150 x 16, nearly all of it in
# lemma_toward: beyond this many table cells that lemma and what rests on it are left out.
MAX_CELLS_WITH_FINISH = 720
# The same limit for tables with few markers and many states: 60 states x 720 moves.
MAX_PAIRS = 43_200


@dataclass(frozen=True, slots=True)
class _Row:
    """One controller state: its name, the marker that leads to it (None: the initial state),
    whether a trace may end there, and the rows that markers lead to, in order of declaration."""

    name: str
    entered_by: str | None
    accepting: bool
    edges: tuple[tuple[str, int], ...]


def export_verus(protocol: Protocol) -> str:
    """The complete Verus file for `protocol`. The same protocol gives the same bytes.

    Raises ProtocolError when the protocol does not compile.
    """
    automaton = compile_protocol(protocol)
    markers = _marker_names(protocol)
    rows = _rows(protocol, automaton, markers)
    with_finish = _can_show_finish(rows, len(markers))
    parts = [
        _header(protocol, with_finish),
        "use vstd::prelude::*;\n\nverus! {\n",
        _bar("Section 1, specific: the tables"),
        _tables(protocol, markers, rows, with_finish),
        _bar(
            "Section 2: the machine code. `transition`, `initial_state`, `is_accepting` and\n"
            "`is_from_environment` repeat the tables (specific); the rest is generic."
        ),
        _machine(protocol, markers, rows),
        _bar(
            "Section 3, generic: the theory of any controller. `hide` keeps the tables out of "
            "proofs that do\nnot look at them, which matters for large tables."
        ),
        _piece("theory"),
        _piece("correction"),
        *([_piece("finish")] if with_finish else []),
        _bar("Section 4, specific: what this protocol guarantees, from tables"),
        _guarantees(protocol, markers, rows),
        "} // verus!\n\nfn main() {}\n",
    ]
    return "\n".join(parts)


def _can_show_finish(rows: list[_Row], markers: int) -> bool:
    moves = sum(len(row.edges) for row in rows)
    return len(rows) * markers <= MAX_CELLS_WITH_FINISH and len(rows) * moves <= MAX_PAIRS


def controller_states(protocol: Protocol) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The variant names of the printed enums: states in the order of printing, markers in the
    order of declaration."""
    markers = _marker_names(protocol)
    rows = _rows(protocol, compile_protocol(protocol), markers)
    return tuple(row.name for row in rows), tuple(markers.values())


def formula_text(formula: Formula) -> str:
    """A formula in the protocol language."""
    match formula:
        case Ref(name=name):
            return name
        case Next(items=items):
            return f"(next {' '.join(formula_text(item) for item in items)})"
        case Or(items=items):
            return f"(or {' '.join(formula_text(item) for item in items)})"
        case Repeat(loop=loop, exit=None):
            return f"(always {formula_text(loop)})"
        case Repeat(loop=loop, exit=leave, low=low, high=high):
            assert leave is not None
            bound = "" if high is None else f"_{high}" if low == 0 else f"_{low}_{high}"
            return f"(until{bound} {formula_text(loop)} {formula_text(leave)})"


def _variant(name: str) -> str:
    """An ASCII Rust identifier in UpperCamelCase for any state name."""
    spelled = "".join(c if c.isascii() else f"-u{ord(c):x}-" for c in name)
    words = [word for word in re.split(r"[^0-9A-Za-z]+", spelled) if word]
    variant = "".join(word[0].upper() + word[1:] for word in words) or "Unnamed"
    if variant[0].isdigit():
        variant = f"S{variant}"
    return "SelfState" if variant == "Self" else variant


def _unique(variant: str, taken: set[str]) -> str:
    chosen, n = variant, 2
    while chosen in taken:
        chosen, n = f"{variant}{n}", n + 1
    taken.add(chosen)
    return chosen


def _marker_names(protocol: Protocol) -> dict[str, str]:
    taken: set[str] = set()
    return {state.name: _unique(_variant(state.name), taken) for state in protocol.states}


def _rows(protocol: Protocol, automaton: Automaton, markers: dict[str, str]) -> list[_Row]:
    start: tuple[int, str | None] = (automaton.start, None)
    number: dict[tuple[int, str | None], int] = {start: 0}
    edges: list[tuple[tuple[str, int], ...]] = []
    queue = deque([start])
    while queue:
        here, _ = queue.popleft()
        out = []
        for name in automaton.legal_next(here):
            after = automaton.step(here, name)
            assert after is not None
            key = (after, name)
            if key not in number:
                number[key] = len(number)
                queue.append(key)
            out.append((name, number[key]))
        edges.append(tuple(out))
    taken = {"Start"}
    rows = []
    for (state, entered), out_edges in zip(number, edges, strict=True):
        name = "Start" if entered is None else _unique(markers[entered], taken)
        rows.append(_Row(name, entered, automaton.accepting(state), out_edges))
    return rows


def _distances(rows: list[_Row]) -> tuple[list[int], list[str | None]]:
    """How many markers the shortest way to an accepting row has, and its first marker."""
    far = len(rows) + 1
    distance = [0 if row.accepting else far for row in rows]
    toward: list[str | None] = [None] * len(rows)
    changed = True
    while changed:
        changed = False
        for at, row in enumerate(rows):
            for marker, after in row.edges:
                if distance[after] + 1 < distance[at]:
                    distance[at], toward[at] = distance[after] + 1, marker
                    changed = True
    return distance, toward


def _piece(name: str) -> str:
    return (files(__package__) / "verus_text" / f"{name}.rs").read_text(encoding="utf-8")


def _bar(title: str) -> str:
    rule = "// " + "-" * 93
    body = "\n".join(f"// {line}" for line in title.split("\n"))
    return f"{rule}\n{body}\n{rule}\n"


def _doc(text: str) -> str:
    """Text for a one-line doc comment: nothing invisible, no line end."""
    return "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in text)


def _header(protocol: Protocol, with_finish: bool) -> str:
    markers = ", ".join(
        f"{_doc(s.text)}{' (environment input)' if s.env_input else ''}" for s in protocol.states
    )
    lines = [
        f"Controller for the protocol `{_doc(protocol.name)}`",
        f"`{_doc(formula_text(protocol.behavior))}`",
        f"with markers {markers}.",
        "",
        "unconfirmed: printed from the protocol's minimal automaton in the shape of a controller",
        "that Verus has verified; this text itself has not been run through Verus.",
        "",
        "Section 1 (tables) is printed from the protocol.",
        "Section 2 (machine code) repeats the tables in four functions; the other two functions",
        "are the same for every protocol.",
        "Section 3 (theory) is the same for every protocol.",
        "Section 4 (theorems from tables) is about this protocol.",
    ]
    if not with_finish:
        lines += [
            "",
            "Left out for the size of the tables: `distance`, `toward`, `lemma_toward` and",
            "`theorem_can_finish`.",
        ]
    return "".join(f"//! {line}".rstrip() + "\n" for line in lines)


def _match(subject: str, arms: list[str], rest: str | None, indent: str = "    ") -> str:
    lines = [f"{indent}match {subject} {{", *(f"{indent}    {arm}," for arm in arms)]
    if rest is not None:
        lines.append(f"{indent}    _ => {rest},")
    return "\n".join([*lines, f"{indent}}}"])


def _tables(
    protocol: Protocol, markers: dict[str, str], rows: list[_Row], with_finish: bool
) -> str:
    derive = "#[derive(Clone, Copy, PartialEq, Eq, Debug)]\n"
    states = "".join(f"    {row.name},\n" for row in rows)
    names = "".join(f"    /// `{_doc(s.text)}`\n    {markers[s.name]},\n" for s in protocol.states)
    text = [
        "/// The states. `Start` is the initial state; every other state is named after the marker "
        "that\n/// leads to it. One line per state.\n"
        f"{derive}pub enum State {{\n{states}}}\n",
        f"/// The markers, with their text. One line per marker.\n{derive}"
        f"pub enum Marker {{\n{names}}}\n",
        "/// The state before the first marker.\n"
        "pub open spec fn initial() -> State {\n    State::Start\n}\n",
        "/// The states in which a trace may end.\n"
        f"pub open spec fn accepting(s: State) -> bool {{\n{_accepting(rows)}\n}}\n",
        "/// The markers that the environment writes; the model writes the others.\n"
        "pub open spec fn from_environment(m: Marker) -> bool {\n"
        f"{_from_environment(protocol, markers)}\n}}\n",
        "/// The state after marker `m` in state `s`; `None` is a violation. One line per legal "
        f"pair.\npub open spec fn step(s: State, m: Marker) -> Option<State> {{\n"
        f"{_step(markers, rows)}\n}}\n",
    ]
    if with_finish:
        distance, toward = _distances(rows)
        far = [f"State::{r.name} => {distance[i]}" for i, r in enumerate(rows)]
        near = [
            f"State::{r.name} => Marker::{markers[step]}"
            for r, step in zip(rows, toward, strict=True)
            if step is not None
        ]
        text += [
            "/// How many markers the shortest way to an accepting state has. One line per state.\n"
            f"pub open spec fn distance(s: State) -> nat {{\n{_match('s', far, None)}\n}}\n",
            "/// The first marker on a shortest way to an accepting state. One line per state that "
            "is not\n/// accepting.\n"
            f"pub open spec fn toward(s: State) -> Marker {{\n"
            f"{_match('s', near, 'arbitrary()')}\n}}\n",
        ]
    return "\n".join(text)


def _accepting(rows: list[_Row]) -> str:
    return _match("s", [f"State::{r.name} => true" for r in rows if r.accepting], "false")


def _from_environment(protocol: Protocol, markers: dict[str, str]) -> str:
    arms = [f"Marker::{markers[s.name]} => true" for s in protocol.states if s.env_input]
    return _match("m", arms, "false")


def _step(markers: dict[str, str], rows: list[_Row]) -> str:
    arms = [
        f"(State::{row.name}, Marker::{markers[marker]}) => Some(State::{rows[after].name})"
        for row in rows
        for marker, after in row.edges
    ]
    return _match("(s, m)", arms, "None")


def _machine(protocol: Protocol, markers: dict[str, str], rows: list[_Row]) -> str:
    return "\n".join(
        [
            "/// The initial state.\npub fn initial_state() -> (s: State)\n    ensures\n"
            "        s == initial(),\n{\n    State::Start\n}\n",
            "/// Whether a trace may end in `s`.\npub fn is_accepting(s: State) -> (r: bool)\n"
            f"    ensures\n        r == accepting(s),\n{{\n{_accepting(rows)}\n}}\n",
            "/// Whether the environment writes `m`.\n"
            "pub fn is_from_environment(m: Marker) -> (r: bool)\n"
            "    ensures\n        r == from_environment(m),\n"
            f"{{\n{_from_environment(protocol, markers)}\n}}\n",
            "/// One step of the controller; `None` is a violation.\n"
            "pub fn transition(s: State, m: Marker) -> (r: Option<State>)\n"
            f"    ensures\n        r == step(s, m),\n{{\n{_step(markers, rows)}\n}}\n",
            _piece("machine"),
        ]
    )


def _guarantees(protocol: Protocol, markers: dict[str, str], rows: list[_Row]) -> str:
    arms = [
        f"State::{row.name} => "
        + ("None" if row.entered_by is None else f"Some(Marker::{markers[row.entered_by]})")
        for row in rows
    ]
    text = [
        "/// The marker that leads to a state; `None` for the initial state. One line per state.\n"
        "pub open spec fn entered_by(s: State) -> Option<Marker> {\n"
        f"{_match('s', arms, None)}\n}}\n",
        _piece("entered_by"),
    ]
    taken: set[str] = set()
    for state in protocol.states:
        entered = [row for row in rows if row.entered_by == state.name]
        if len(entered) == 1 and not entered[0].edges:
            text.append(
                _piece("nothing_after")
                .replace("Marker::Qed", f"Marker::{markers[state.name]}")
                .replace("State::Qed", f"State::{entered[0].name}")
                .replace("after_qed", f"after_{_unique(_snake(markers[state.name]), taken)}")
                .replace("[QED]", _doc(state.text))
            )
    if _environment_writes_first(protocol, rows):
        text.append(_piece("environment_first"))
    return "\n".join(text)


def _snake(variant: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", variant).lower()


def _environment_writes_first(protocol: Protocol, rows: list[_Row]) -> bool:
    """Whether the environment writes the first marker of every trace and no other."""
    return all(
        protocol.state(marker).env_input == (at == 0)
        for at, row in enumerate(rows)
        for marker, _ in row.edges
    )
