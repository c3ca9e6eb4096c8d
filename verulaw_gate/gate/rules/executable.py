"""VG405: in an annotate task the executable code stays as it was given."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest

from verulaw_gate.findings import Finding
from verulaw_gate.gate.context import Context
from verulaw_gate.gate.erase import executable
from verulaw_gate.gate.lexer import Tokens, lex
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc
from verulaw_gate.gate.show import shown

_HINT = "add only proof: invariants, assertions, proof blocks, ghost variables"


def _run(context: Context) -> Iterable[Finding]:
    task = context.task
    if task is None or task.exec_body is None or not context.view.readable:
        return
    name = task.target.rsplit("::", 1)[-1]
    bodies = [
        item.body
        for item in context.view.all_items
        if item.kind == "fn" and item.name == name and item.in_verus and item.body
    ]
    if len(bodies) != 1:
        # No target or two: VG402 says so.
        return
    first, last = bodies[0]
    given = lex(task.exec_body)
    wanted = executable(given, 0, len(given))
    found = executable(context.tokens, first, last + 1)
    for n, (old, new) in enumerate(zip_longest(wanted, found)):
        was = given.texts[old] if old is not None else None
        now = context.tokens.texts[new] if new is not None else None
        if was == now:
            continue
        here = new if new is not None else last
        yield context.at(
            "VG405",
            here,
            here,
            f"the executable code was `{_near(given, wanted, n)}` here and is "
            f"`{_near(context.tokens, found, n)}`",
            _HINT,
        )
        return


def _near(tokens: Tokens, kept: list[int], n: int) -> str:
    """The code around the first difference."""
    part = tuple(tokens.texts[at] for at in kept[max(0, n - 3) : n + 5])
    return shown(part, 80)


DOCS = {
    "VG405": RuleDoc(
        "In a task of kind annotate: executable code of the target that is not, token for token, "
        "the given one once all proof is erased.",
        "The task is to prove the given code; other code may be easier to prove.",
        "`while i < n / 2` turned into `while i < 0`",
        "Put the given code back and add only proof.",
    )
}

RULE = Rule(tuple(DOCS), LayerName.TOKENS, _run, DOCS)
