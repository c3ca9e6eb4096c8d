"""The parts of a loop: its header, its clauses, its body."""

from __future__ import annotations

from verulaw_gate.gate.heads import past
from verulaw_gate.gate.lexer import Kind, Tokens

CLAUSES = frozenset(
    {"invariant", "invariant_except_break", "invariant_ensures", "ensures", "decreases"}
)
KEYWORDS = frozenset({"while", "for", "loop"})
# After these an expression goes on, so that a brace opens a part of it and not the body.
_WANTS_MORE = (
    frozenset({"&&", "||", "&&&", "|||", "==>", "<==>", "<==", "=>"})
    | frozenset({"==", "!=", "===", "!==", "=~=", "!~=", "=~~=", "!~~=", "<=", "<"})
    | frozenset({"+", "-", "*", "/", "%", "^", "&", "|", "!", "=", ".", "::", "..", "..="})
)
_ENDS_PATTERN = frozenset({"&&", "||", "&&&", "|||", "==>", "<==>", ",", "=", "in"})


def parts(tokens: Tokens, keyword: int, stop: int) -> tuple[int, int]:
    """Where the clauses of the loop at `keyword` begin (where its body does, when it has none)
    and where its body does; `stop` when there is none before it.

    As in Verus's parser no expression of a header ends in a bare `{`: the first brace that no
    `if`, `match`, `else`, operator or pattern claims is the body.
    """
    texts = tokens.texts
    clauses = -1
    owed = 0
    pattern = texts[keyword] == "for"
    at = keyword + 1
    while at < stop:
        text = texts[at]
        if text == "{":
            before = texts[at - 1]
            claimed = (
                owed > 0
                or before in _WANTS_MORE
                or (pattern and tokens.kinds[at - 1] == Kind.WORD)
                or (before == "while" and at - 1 == keyword)
            )
            if not claimed:
                break
            owed = max(0, owed - 1)
        elif tokens.kinds[at] == Kind.WORD:
            if text in CLAUSES:
                clauses = at if clauses < 0 else clauses
                pattern = False
            elif text in ("let", "matches"):
                pattern = True
            elif text in ("if", "match") or (text == "else" and texts[at + 1 : at + 2] != ["if"]):
                owed += 1
        if text in _ENDS_PATTERN:
            pattern = False
        at = past(tokens.partner, at, stop) if tokens.kinds[at] == Kind.OPEN else at + 1
    return (at if clauses < 0 else clauses), at
