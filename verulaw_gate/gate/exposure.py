"""Exposure: does the construct that a rule looks at occur in a file at all?

"0 false rejects of 227" says little of a rule whose construct occurs in three of the files. The
test is on code tokens and generous: it holds for every file in which the rule could have spoken.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

from verulaw_gate.codes import CODES, Family
from verulaw_gate.gate.lexer import Kind, Tokens
from verulaw_gate.protocol.model import ContentKind, Protocol

_LOOPS = frozenset({"while", "loop"})
_PANICS = frozenset({"unimplemented", "todo", "panic", "unreachable", "loop", "abort"})
_EXEC_MACROS = frozenset(
    [
        "println",
        "print",
        "eprintln",
        "eprint",
        "format",
        "panic",
        "todo",
        "unimplemented",
        "unreachable",
        "assert",
        "assert_eq",
        "assert_ne",
        "debug_assert",
        "write",
        "writeln",
        "vec",
        "matches",
    ]
)


def _words(*names: str) -> Callable[[Tokens], bool]:
    wanted = frozenset(names)
    return lambda tokens: not wanted.isdisjoint(tokens.texts)


def _any(tokens: Tokens) -> bool:
    return len(tokens) > 0


def _brackets(tokens: Tokens) -> bool:
    return any(kind in (Kind.OPEN, Kind.CLOSE) for kind in tokens.kinds)


def _literals(tokens: Tokens) -> bool:
    return bool(tokens.comments) or tokens.unterminated is not None or Kind.STRING in tokens.kinds


def _fences(tokens: Tokens) -> bool:
    return "`" in tokens.texts or "~" in tokens.texts


def _mutable_reference_and_ensures(tokens: Tokens) -> bool:
    texts = tokens.texts
    return "ensures" in texts and any(a == "&" and b == "mut" for a, b in itertools.pairwise(texts))


def _named_result(tokens: Tokens) -> bool:
    texts = tokens.texts
    return any(a == "->" and b == "(" for a, b in itertools.pairwise(texts))


def _method_call(tokens: Tokens) -> bool:
    kinds, texts = tokens.kinds, tokens.texts
    return any(
        texts[i] == "." and kinds[i + 1] == Kind.WORD and texts[i + 2] in ("(", "::")
        for i in range(len(texts) - 2)
    )


def _macro_call(tokens: Tokens) -> bool:
    texts = tokens.texts
    return any(b == "!" and a in _EXEC_MACROS for a, b in itertools.pairwise(texts))


def _call(tokens: Tokens) -> bool:
    kinds, texts = tokens.kinds, tokens.texts
    return any(kinds[i] == Kind.WORD and texts[i + 1] == "(" for i in range(len(texts) - 1))


EXPOSURE: dict[str, Callable[[Tokens], bool]] = {
    "VG101": _brackets,
    "VG102": _fences,
    "VG104": _any,
    "VG105": _any,
    "VG107": _literals,
    "VG201": _any,
    "VG251": _words(*_LOOPS),
    "VG252": _call,
    "VG253": _mutable_reference_and_ensures,
    "VG254": _words("spec", "proof"),
    "VG255": _words("int", "nat"),
    "VG256": _named_result,
    "VG257": _call,
    "VG258": _macro_call,
    "VG259": _words("forall", "exists", "choose"),
    "VG260": _words("let", "fn"),
    "VG261": _method_call,
    "VG301": _words("assume", "assume_", "assume_new"),
    "VG302": _words("admit"),
    "VG303": _words("external_body"),
    "VG304": _words("external", "external_fn_specification", "external_type_specification"),
    "VG305": _words("assume_specification", "external_fn_specification"),
    "VG306": _words("axiom", "proof", "broadcast"),
    "VG307": _words(*_PANICS),
    "VG308": _words("exec_allows_no_decreases_clause", "assume_termination", "decreases"),
    "VG309": _any,
    "VG310": _words("cfg", "cfg_attr"),
    "VG311": _words(
        "macro_rules", "include", "include_str", "include_bytes", "extern", "macro", "asm"
    ),
    "VG312": _words("unsafe"),
    "VG313": _words("rlimit", "spinoff_prover"),
    "VG315": _words("requires"),
    "VG401": _any,
    "VG402": _any,
    "VG403": _any,
    "VG404": _any,
    "VG405": _any,
    "VG501": _any,
}


def exposed(code: str, text: str, tokens: Tokens) -> bool:
    """Whether the construct of a code occurs in a file, given with its tokens. Protocol codes look
    at traces, not files: `exposed_in_trace` says which could have spoken."""
    if CODES[code].family is Family.PROTOCOL:
        return False
    if code == "VG314":  # comments and strings count too
        return not text.isascii()
    return EXPOSURE.get(code, _any)(tokens)


def exposed_in_trace(protocol: Protocol) -> frozenset[str]:
    """The protocol codes that could have spoken of a recorded model turn under `protocol`.

    Three ask for a property that some state must have. A record holds decoded text of the model
    alone, so bytes that are not UTF-8 and turns of the environment cannot occur in it.
    """
    states = protocol.states
    silent = {"VG004", "VG009"}
    if not any(state.max_chars is not None for state in states):
        silent.add("VG007")
    if not any(state.one_of for state in states):
        silent.add("VG008")
    if not any(state.content is ContentKind.JSON for state in states):
        silent.add("VG010")
    family = (code for code, row in CODES.items() if row.family is Family.PROTOCOL)
    return frozenset(family) - silent
