"""VG104, VG105, VG401: what the sections of a trace hold, seen on the assembled file."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import TYPE_CHECKING

from verulaw_gate.findings import Finding
from verulaw_gate.gate.context import Context
from verulaw_gate.gate.lexer import Tokens
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc
from verulaw_gate.gate.sections import Problem, block_problems, items_problems

if TYPE_CHECKING:
    from verulaw_gate.tasks.model import Piece


_CHECKS = {"lemmas": items_problems, "body": block_problems}


def _run(context: Context) -> Iterable[Finding]:
    for piece in context.pieces:
        check = _CHECKS.get(piece.hole)
        if check is None:
            continue
        first, last = token_range(context.tokens, piece)
        for problem in check(context.tokens, first, last):
            yield _finding(context, problem, piece)


def _finding(context: Context, problem: Problem, piece: Piece) -> Finding:
    if problem.first < 0:
        return context.over(
            problem.code, piece.source_start, piece.source_start, problem.message, problem.hint
        )
    return context.at(problem.code, problem.first, problem.first, problem.message, problem.hint)


def token_range(tokens: Tokens, piece: Piece) -> tuple[int, int]:
    """The tokens `[first, last)` that begin inside a piece."""
    return (
        bisect_left(tokens.starts, piece.source_start),
        bisect_left(tokens.starts, piece.source_end),
    )


DOCS = {
    "VG104": RuleDoc(
        "A lemma section in which something stands that begins no item: prose, a statement, an "
        "assertion.",
        "Only items may stand between items: Verus's parser refuses the file.",
        "[Lemma]\nFirst we need a helper:\nproof fn helper() { }",
        "Write whole items (`proof fn`, `spec fn`, ..); put prose into comments.",
    ),
    "VG105": RuleDoc(
        "A body section without a block: empty, or comments only.",
        "The function is left without a body: Verus's parser refuses the file.",
        "[Body]\n// obvious\n[QED]",
        "Write the block, braces included.",
    ),
    "VG401": RuleDoc(
        "A section that closes a bracket that it did not open, or a body section with more code "
        "after its block.",
        "It leaves its place in the task: what it adds there is not what was asked for, and can "
        "change what the rest means. Such a file may well pass Verus.",
        "[Body]\n{ }\n}\nverus! {\n[QED]",
        "A body section is one block; lemmas go into lemma sections before it.",
    ),
}

RULE = Rule(tuple(DOCS), LayerName.TOKENS, _run, DOCS)
