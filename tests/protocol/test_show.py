"""Looking at a protocol: the table, the diagram and the data say what the automaton says."""

from __future__ import annotations

import re

import pytest

from verulaw_gate.protocol import compile_protocol, load_protocol, parse_protocol, shipped
from verulaw_gate.protocol.show import data, mermaid, table


@pytest.mark.parametrize("name", shipped())
def test_the_data_is_the_automaton(name: str) -> None:
    protocol = load_protocol(name)
    automaton = compile_protocol(protocol)
    shown = data(protocol)["automaton"]
    assert isinstance(shown, dict)
    assert [tuple(move) for move in shown["moves"]] == list(automaton.edges())
    assert shown["size"] == automaton.size
    assert [s["name"] for s in data(protocol)["states"]] == [  # type: ignore[attr-defined]
        s.name for s in protocol.states
    ]


@pytest.mark.parametrize("name", shipped())
def test_the_table_has_a_row_a_state_and_all_that_is_legal(name: str) -> None:
    protocol = load_protocol(name)
    automaton = compile_protocol(protocol)
    lines = table(protocol).splitlines()
    # The comment on top is prose: rows are looked for below it.
    lines = lines[next(n for n, line in enumerate(lines) if line.startswith("state ")) :]
    for state in protocol.states:
        (row,) = [line for line in lines if line.split()[:1] == [state.name]]
        assert state.text in row
        assert ("environment" in row) == state.env_input
    for q in range(min(automaton.size, 60)):
        (row,) = [line for line in lines if line.split()[:1] == [str(q)]]
        assert re.findall(r"([\w-]+) -> (\d+)", row) == [
            (n, str(automaton.step(q, n))) for n in automaton.legal_next(q)
        ]
        assert (row.split()[1] in ("final", "yes")) == automaton.accepting(q)
    assert ("more rows" in lines[-1]) == (automaton.size > 60)


@pytest.mark.parametrize("name", shipped())
def test_the_diagram_has_an_arrow_a_move(name: str) -> None:
    protocol = load_protocol(name)
    automaton = compile_protocol(protocol)
    lines = mermaid(protocol).splitlines()
    assert lines[0] == "stateDiagram-v2"
    moves = [re.match(r"    q(\d+) --> q(\d+) : ", line) for line in lines]
    found = [(int(m[1]), int(m[2])) for m in moves if m]
    assert found == [(q, target) for q, _, target in automaton.edges()]
    ends = [line for line in lines if line.endswith("--> [*]")]
    assert len(ends) == len(automaton.table.accepting)


def test_signs_of_mermaid_in_a_marker_are_escaped() -> None:
    protocol = parse_protocol(
        '(define p (:states (a (:text "#a: <\\"x\\">;"))) (:behavior (next a)))'
    )
    label = mermaid(protocol).splitlines()[2].split(" : ")[1]
    assert label == "#35;a#58; #60;#34;x#34;#62;#59;"
