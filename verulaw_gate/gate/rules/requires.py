"""VG315: a requires clause that no caller can meet (a warning)."""

from __future__ import annotations

from collections.abc import Iterable

from verulaw_gate.findings import Finding
from verulaw_gate.gate.context import Context, View
from verulaw_gate.gate.headers import CLAUSES
from verulaw_gate.gate.hits import Hit, added
from verulaw_gate.gate.items import Item
from verulaw_gate.gate.lexer import Kind, Tokens
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc
from verulaw_gate.gate.show import shown

_STRICT = frozenset({"<", ">", "!="})
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
# What cannot hold together with a comparison of the same two sides.
_AGAINST = {
    "<": frozenset({">", ">=", "=="}),
    ">": frozenset({"<", "<=", "=="}),
    "<=": frozenset({">"}),
    ">=": frozenset({"<"}),
    "==": frozenset({"<", ">", "!="}),
    "!=": frozenset({"=="}),
}
Texts = tuple[str, ...]
Comparison = tuple[Texts, str, Texts]


def hits(view: View) -> list[Hit]:
    """Functions whose requires clause contradicts itself, as far as its letters show."""
    found = []
    for item in view.all_items:
        if item.kind != "fn" or "requires" not in view.tokens.texts[item.head : item.last + 1]:
            continue
        clauses = requires_of(view.tokens, item)
        reason = contradiction([texts for _, texts in clauses])
        if reason:
            first = clauses[0][0]
            found.append(
                Hit(
                    "VG315",
                    first - 1,
                    first,
                    f"no caller of `{item.name}` can meet its requires: {reason}",
                    "a lemma that nothing can call proves nothing; state what really holds",
                )
            )
    return found


def requires_of(tokens: Tokens, item: Item) -> list[tuple[int, Texts]]:
    """The requires clauses of a function, conjunctions taken apart: first token and texts."""
    stop = item.body[0] if item.body else item.last + 1
    found: list[tuple[int, Texts]] = []
    inside = False
    start = at = item.keyword
    while at < stop:
        text = tokens.texts[at]
        if tokens.kinds[at] == Kind.WORD and text in CLAUSES:
            if inside and start < at:
                found.append((start, tuple(tokens.texts[start:at])))
            inside, start = text == "requires", at + 1
        elif inside and text in (",", "&&", "&&&"):
            if start < at:
                found.append((start, tuple(tokens.texts[start:at])))
            start = at + 1
        elif inside and text in (
            "==>",
            "<==>",
            "||",
            "|||",
            "|",
            "forall",
            "exists",
            "if",
            "match",
        ):
            # Not a plain conjunction: leave this clause alone.
            start = stop + 1
            while at < stop and not (tokens.texts[at] == "," or tokens.texts[at] in CLAUSES):
                at = _past(tokens, at)
            start = at + 1
            if at >= stop or tokens.texts[at] in CLAUSES:
                continue
        at = _past(tokens, at)
    if inside and start < stop:
        found.append((start, tuple(tokens.texts[start:stop])))
    return found


def _past(tokens: Tokens, at: int) -> int:
    there = tokens.partner[at]
    return there + 1 if tokens.kinds[at] == Kind.OPEN and there > at else at + 1


def contradiction(clauses: list[Texts]) -> str:
    """Why the clauses cannot all hold, as far as their letters show; empty when they may."""
    plain = [_bare(clause) for clause in clauses]
    comparisons: list[tuple[Comparison, Texts]] = []
    for clause in plain:
        if clause == ("false",) or clause == ("!", "true"):
            return f"`{shown(clause)}`"
        if ("!", *clause) in plain or ("!", "(", *clause, ")") in plain:
            return f"`{shown(clause)}` and its negation"
        comparisons += [(c, clause) for c in _comparisons(clause)]
    for (left, op, right), clause in comparisons:
        if (left == right and op in _STRICT) or _numbers_disagree(left, op, right):
            return f"`{shown(clause)}`"
        for (left2, op2, right2), other in comparisons:
            if (left2, right2) == (right, left):
                left2, op2, right2 = right2, _TURNED[op2], left2
            if (left2, right2) == (left, right) and op2 in _AGAINST[op]:
                return f"`{shown(clause)}` and `{shown(other)}`"
    return ""


def _bare(clause: Texts) -> Texts:
    """The clause without brackets around the whole."""
    while len(clause) > 2 and clause[0] == "(" and clause[-1] == ")":
        depth = 0
        for at, text in enumerate(clause):
            depth += (text == "(") - (text == ")")
            if depth == 0 and at < len(clause) - 1:
                return clause
        clause = clause[1:-1]
    return clause


def _comparisons(clause: Texts) -> list[Comparison]:
    """The links of a chain of comparisons: `0 <= i < n` has two. Empty for anything else."""
    parts: list[Texts] = []
    ops: list[str] = []
    part: list[str] = []
    depth = at = 0
    while at < len(clause):
        text = clause[at]
        depth += (text in "([{") - (text in ")]}")
        if text == ">" and clause[at + 1 : at + 2] == ("=",):
            text = ">="
        if depth == 0 and text in _TURNED:
            parts.append(tuple(part))
            ops.append(text)
            part = []
            at += 1 if len(text) == 2 and text[0] == ">" else 0
        elif depth == 0 and text in ("&", "is", "matches", "::"):
            # `::<T>` and the like: the angle brackets are no comparison.
            return []
        else:
            part.append(clause[at])
        at += 1
    parts.append(tuple(part))
    if not ops or not all(parts):
        return []
    return list(zip(parts[:-1], ops, parts[1:], strict=True))


def _numbers_disagree(left: Texts, op: str, right: Texts) -> bool:
    if len(left) != 1 or len(right) != 1:
        return False
    try:
        a, b = int(left[0].replace("_", "")), int(right[0].replace("_", ""))
    except ValueError:
        return False
    holds = {"<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b, "==": a == b, "!=": a != b}
    return not holds[op]


def _run(context: Context) -> Iterable[Finding]:
    return added(context, hits)


DOCS = {
    "VG315": RuleDoc(
        "A requires clause that is `false`, or that contradicts itself by its letters: `x && !x`, "
        "`a < b, b < a`, `1 == 2`. Reported as a warning: Verus is right to accept the lemma.",
        "A lemma that nothing can call proves nothing; it is often a mistake, and sometimes dust "
        "in the eyes.",
        "proof fn strong(n: nat) requires n < 0 && n > 0 ensures false { }",
        "State what really holds.",
    )
}

RULE = Rule(tuple(DOCS), LayerName.TOKENS, _run, DOCS)
