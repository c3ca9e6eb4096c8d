"""A protocol in words: what the model is told of the format, made from the protocol alone."""

from __future__ import annotations

from verulaw_gate.protocol import ContentKind, MarkerMode, Protocol, State, compile_protocol
from verulaw_gate.protocol.model import Formula, Next, Or, Ref

_CONTENT = {
    ContentKind.TEXT: "free text",
    ContentKind.EMPTY: "nothing follows it",
    ContentKind.VERUS_ITEMS: "complete Verus items (proof fn, spec fn, ...), plain code",
    ContentKind.VERUS_BLOCK: "one block of Verus code from `{` to its `}`, plain code",
    ContentKind.VERUS_FILE: "a complete Verus file, plain code",
    ContentKind.JSON: "one JSON value",
}


def explain(protocol: Protocol) -> str:
    """The format, its sections, their order and what may follow what. Deterministic."""
    where = (
        "alone at the start of a line, exactly as written"
        if protocol.markers is MarkerMode.LINE_START
        else "exactly as written"
    )
    lines = [
        f"Your answer is made of sections. Each section begins with its marker, {where}. "
        "Write nothing before the first marker and nothing after the last section. "
        "Do not use Markdown: no code fences, no headings, no emphasis around markers.",
        "",
        "Sections:",
        *(f"- {_section(state)}" for state in protocol.states),
        "",
        f"Order: {_words(protocol, protocol.behavior)}.",
        "",
        "What may come next:",
        *_table(protocol),
    ]
    return "\n".join(lines)


def _section(state: State) -> str:
    if state.env_input:
        return (
            f"{state.text} is given to you. Never write its content: where it is due, write the "
            "marker alone and stop."
        )
    text = f"{state.text} {_CONTENT[state.content]}"
    if state.one_of:
        text += "; one of: " + ", ".join(state.one_of)
    if state.max_chars is not None:
        text += f"; at most {state.max_chars} characters"
    return text + "."


def _words(protocol: Protocol, formula: Formula) -> str:
    if isinstance(formula, Ref):
        return protocol.state(formula.name).text
    if isinstance(formula, Next):
        return ", then ".join(_grouped(protocol, item) for item in formula.items)
    if isinstance(formula, Or):
        return "either " + " or ".join(_grouped(protocol, item) for item in formula.items)
    loop = _grouped(protocol, formula.loop)
    if formula.high is None:
        times = "any number of times" if formula.low == 0 else f"at least {formula.low} times"
    elif formula.low == 0:
        times = f"at most {formula.high} times"
    elif formula.low == formula.high:
        times = f"exactly {formula.low} times"
    else:
        times = f"{formula.low} to {formula.high} times"
    if formula.exit is None:
        return f"{times} {loop}"
    return f"{times} {loop}, then {_grouped(protocol, formula.exit)}"


def _grouped(protocol: Protocol, formula: Formula) -> str:
    text = _words(protocol, formula)
    return text if isinstance(formula, Ref) else f"({text})"


def _table(protocol: Protocol) -> list[str]:
    """One line for each state that has a successor; where it depends on the way, all of them."""
    automaton = compile_protocol(protocol)
    follows: dict[str, set[str]] = {}
    ends: set[str] = set()
    for _, name, target in automaton.edges():
        follows.setdefault(name, set()).update(automaton.legal_next(target))
        if automaton.accepting(target):
            ends.add(name)
    lines = []
    for state in protocol.states:
        if state.name not in follows:
            continue
        markers = [s.text for s in protocol.states if s.name in follows[state.name]]
        if state.name in ends:
            markers.append("the end of the answer")
        lines.append(f"- after {state.text}: {' or '.join(markers)}")
    return lines
