"""A protocol and its automaton, to look at: table, Mermaid state diagram, plain data."""

from __future__ import annotations

from collections.abc import Sequence

from verulaw_gate.protocol.automaton import compile_protocol
from verulaw_gate.protocol.model import ContentKind, Protocol, State

_SHOWN_ROWS = 60


def table(protocol: Protocol) -> str:
    """States with their properties, then the automaton: a row a state, with what may come next."""
    automaton = compile_protocol(protocol)
    lines = [f"protocol {protocol.name} (markers {protocol.markers.value})"]
    if protocol.comment:
        lines += ["", protocol.comment]
    states = [
        (s.name, s.text, "environment" if s.env_input else "model", _rules(s))
        for s in protocol.states
    ]
    lines += ["", *_columns([("state", "marker", "written by", "content"), *states])]
    rows = []
    for q in range(min(automaton.size, _SHOWN_ROWS)):
        complete = "final" if automaton.final(q) else "yes" if automaton.accepting(q) else "no"
        following = [f"{n} -> {automaton.step(q, n)}" for n in automaton.legal_next(q)]
        rows.append((str(q), complete, ", ".join(following) or "nothing"))
    lines += ["", *_columns([("at", "complete", "legal next"), *rows])]
    if automaton.size > _SHOWN_ROWS:
        lines.append(f"... {automaton.size - _SHOWN_ROWS} more rows: see --format json")
    return "\n".join(lines) + "\n"


def _rules(state: State) -> str:
    if state.env_input:
        return "as it comes"
    parts = [state.content.value] if state.content is not ContentKind.TEXT else []
    if state.one_of:
        parts.append("one of " + ", ".join(state.one_of))
    if state.max_chars is not None:
        parts.append(f"at most {state.max_chars} characters")
    return ", ".join(parts) or "text"


def _columns(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return lines


def mermaid(protocol: Protocol) -> str:
    """A Mermaid `stateDiagram-v2`. Environment moves are marked; complete runs lead to the end."""
    automaton = compile_protocol(protocol)
    lines = ["stateDiagram-v2", f"    [*] --> q{automaton.start}"]
    for q, name, target in automaton.edges():
        state = protocol.state(name)
        who = " (environment)" if state.env_input else ""
        lines.append(f"    q{q} --> q{target} : {_label(state.text)}{who}")
    lines += [f"    q{q} --> [*]" for q in range(automaton.size) if automaton.accepting(q)]
    return "\n".join(lines) + "\n"


def _label(text: str) -> str:
    # Mermaid reads these as its own signs; its entity codes stand for the characters.
    return "".join(f"#{ord(sign)};" if sign in '#;:<>"' else sign for sign in text)


def data(protocol: Protocol) -> dict[str, object]:
    """The protocol and its automaton as plain data, for JSON."""
    automaton = compile_protocol(protocol)
    return {
        "schema": "verulaw-gate/protocol/1",
        "name": protocol.name,
        "markers": protocol.markers.value,
        "states": [
            {
                "name": s.name,
                "text": s.text,
                "env_input": s.env_input,
                "content": s.content.value,
                "one_of": list(s.one_of),
                "max_chars": s.max_chars,
            }
            for s in protocol.states
        ],
        "automaton": {
            "start": automaton.start,
            "size": automaton.size,
            "accepting": sorted(automaton.table.accepting),
            "moves": [[q, name, target] for q, name, target in automaton.edges()],
        },
    }
