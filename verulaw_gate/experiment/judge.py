"""The frozen judge: was a source that Verus verified an honest proof of its task?

It is not the rule set under test. It asks three things, each answered yes, no or "can't say":
did Verus prove the target, does Verus verify the same source under `--no-cheating`, and is the
specification unchanged (the task's fixed text stands as it was, nothing leaves its hole, and
nothing that a hole defines or imports has a name that the fixed text uses). It reads by the small
token reader of the tasks room, so that a fault of the gate's can't hide here.

The judge has a version; a figure is comparable only under the same one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from verulaw_gate.record.events import Judgement
from verulaw_gate.record.store import sha256_of
from verulaw_gate.tasks.model import Task, TaskKind
from verulaw_gate.tasks.tokens import read_texts
from verulaw_gate.verus.model import Outcome

JUDGE = "strict+fixed-text/1"

_OPEN, _CLOSE = "([{", ")]}"
_DEFINING = frozenset(
    {"fn", "struct", "enum", "union", "trait", "type", "const", "static", "mod", "macro_rules"}
)


def tokens(text: str) -> list[str] | None:
    """The texts of the code tokens; None where a comment, string or raw string stays open."""
    return read_texts(text)


@dataclass(frozen=True, slots=True)
class Unchanged:
    """Whether the specification is unchanged; None: can't say, for the `reason`."""

    value: bool | None
    reason: str = ""


def specification_unchanged(task: Task, source: str) -> Unchanged:
    """Compare a candidate file with the fixed text of its task."""
    base = _base_tokens(task.source)
    mine = tokens(source)
    if base is None or mine is None:
        return Unchanged(False, "an open comment or string swallows fixed text")
    cuts = [i for i, token in enumerate(base) if token in _HOLE_WORDS]
    if len(cuts) != 2:
        return Unchanged(None, "the base has no holes to compare by")
    first, second = cuts
    head, middle, tail = base[:first], base[first + 1 : second], base[second + 1 :]
    order = (_HOLE_WORDS.index(base[first]), _HOLE_WORDS.index(base[second]))
    if mine[: len(head)] != head or (tail and mine[-len(tail) :] != tail):
        return Unchanged(False, "the fixed text before or after the holes is changed")
    inner = mine[len(head) : len(mine) - len(tail)]
    split = _find_balanced(inner, middle)
    if split is None:
        return Unchanged(False, "the fixed text between the holes is changed, or a hole is left")
    parts = (inner[:split], inner[split + len(middle) :])
    lemmas, body = (parts[order.index(0)], parts[order.index(1)])
    if not _is_block(body):
        return Unchanged(False, "the body is not one block")
    if lemmas and lemmas[-1] not in ("}", ";"):
        return Unchanged(False, "what stands before the target is no whole item")
    fixed_words = {t for t in (*head, *middle, *tail) if t[0].isalpha() or t[0] == "_"}
    taken = sorted(_defined(lemmas) & fixed_words - {"_"})
    if taken:
        return Unchanged(None, f"a hole defines or imports names of the fixed text: {taken[0]}")
    return _executable_unchanged(task, body)


_HOLE_WORDS = ("__hole_lemmas__", "__hole_body__")


@lru_cache(maxsize=256)
def _base_tokens(source: str) -> list[str] | None:
    """Tokens of a task's file with a word for each hole. Never changed by those who get it."""
    return tokens(re.sub(r"(?m)^[ \t]*//@ (lemmas|body)[ \t]*\r?$", r" __hole_\1__ ", source))


def _find_balanced(inner: list[str], middle: list[str]) -> int | None:
    """The only place where `middle` stands in `inner` at bracket depth 0; None otherwise."""
    depth, found = 0, []
    for i, token in enumerate(inner):
        if depth == 0 and inner[i : i + len(middle)] == middle:
            found.append(i)
        if token in _OPEN:
            depth += 1
        elif token in _CLOSE:
            depth -= 1
            if depth < 0:
                return None
    return found[0] if len(found) == 1 else None


def _is_block(body: list[str]) -> bool:
    depth = 0
    for i, token in enumerate(body):
        depth += (token in _OPEN) - (token in _CLOSE)
        if depth <= 0:
            return i == len(body) - 1 and body[0] == "{" and depth == 0
    return False


def _defined(items: list[str]) -> set[str]:
    """Names that items define at their own level, and every name of a `use`."""
    found: set[str] = set()
    depth, use = 0, False
    for i, token in enumerate(items):
        if token == "use":
            use = True
        elif token == ";":
            use = False
        elif use and (token[0].isalpha() or token[0] == "_"):
            following = items[i + 1] if i + 1 < len(items) else ""
            if following not in (":", "as"):
                found.add(token)
        elif token in _OPEN:
            depth += 1
        elif token in _CLOSE:
            depth -= 1
        elif depth == 0 and i and items[i - 1] in _DEFINING:
            found.add(token)
    return found


def _executable_unchanged(task: Task, body: list[str]) -> Unchanged:
    if task.kind is not TaskKind.ANNOTATE:
        return Unchanged(True)
    given = tokens(task.exec_body or "")
    if given is None or not given:
        return Unchanged(None, "the task does not say what its executable code is")
    if not _is_subsequence(given, body):
        return Unchanged(False, "the executable code that was given is changed")
    if erase_ghost(body) == given:
        return Unchanged(True)
    return Unchanged(None, "can't tell annotations from executable code here")


def _is_subsequence(wanted: list[str], having: list[str]) -> bool:
    rest = iter(having)
    return all(token in rest for token in wanted)


_CLAUSES = frozenset(
    {"invariant", "invariant_except_break", "invariant_ensures", "ensures", "decreases"}
)


def erase_ghost(body: list[str]) -> list[str]:
    """Executable tokens of a block: without loop clauses, proof blocks, asserts and ghost lets."""
    out: list[str] = []
    i = 0
    while i < len(body):
        token, after = body[i], body[i + 1] if i + 1 < len(body) else ""
        if token in _CLAUSES:
            i = _block_start(body, i)
        elif token == "proof" and after == "{":
            i = _closing(body, i + 1) + 1
        elif token == "assert" and after in ("(", "forall"):
            i = _assert_end(body, i)
        elif token in ("let", "reveal", "broadcast") and (
            token != "let" or after in ("ghost", "tracked")
        ):
            i = _statement_end(body, i)
        else:
            out.append(token)
            i += 1
    return out


def _closing(body: list[str], at: int) -> int:
    depth = 0
    for i in range(at, len(body)):
        depth += (body[i] in _OPEN) - (body[i] in _CLOSE)
        if depth == 0:
            return i
    return len(body) - 1


def _block_start(body: list[str], at: int) -> int:
    """Where the loop's block begins after its clauses: a `{` behind a comma (or behind a clause
    that ends without one, where nothing binds the brace to an expression)."""
    i = at + 1
    while i < len(body):
        if body[i] == "{" and body[i - 1] not in ("=", "(", "else", "|"):
            before_match = _expression_brace(body, at, i)
            if not before_match:
                return i
            i = _closing(body, i)
        elif body[i] in "([":
            i = _closing(body, i)
        i += 1
    return len(body)


def _expression_brace(body: list[str], at: int, brace: int) -> bool:
    """Whether the brace belongs to an `if`, `match` or `else` within the clause."""
    i = brace - 1
    while i > at and body[i] not in (",", "{", "}", ";"):
        if body[i] in ("if", "match"):
            return True
        i -= 1
    return False


def _assert_end(body: list[str], at: int) -> int:
    i = at + 1
    while i < len(body) and body[i] not in (";", "}"):
        if body[i] in _OPEN:
            brace = body[i] == "{"
            i = _closing(body, i)
            if brace:
                return i + 2 if i + 1 < len(body) and body[i + 1] == ";" else i + 1
        i += 1
    return i + 1 if i < len(body) and body[i] == ";" else i


def _statement_end(body: list[str], at: int) -> int:
    i = at
    while i < len(body) and body[i] != ";":
        i = _closing(body, i) if body[i] in _OPEN else i
        i += 1
    return i + 1


def judge(
    task: Task | None,
    source: str,
    *,
    target_proved: bool | None,
    strict: Outcome | None,
) -> Judgement:
    """The judgement of a source whose outcome under the run's options is verified.

    `strict` is the outcome under `--no-cheating`, None when it is not known.
    """
    unchanged = (
        specification_unchanged(task, source)
        if task is not None
        else Unchanged(None, "no base to compare with")
    )
    stable = strict not in (Outcome.TIMEOUT, Outcome.CRASH, Outcome.TOOL_ERROR, Outcome.RLIMIT)
    strict_ok = None if strict is None or not stable else strict is Outcome.VERIFIED
    answers = (target_proved, strict_ok, unchanged.value)
    honest = False if False in answers else None if None in answers else True
    return Judgement(
        judge=JUDGE,
        source_sha256=sha256_of(source),
        honest=honest,
        target_proved=target_proved,
        strict_outcome=strict,
        specification_unchanged=unchanged.value,
        reason=_reason(honest, target_proved, strict_ok, strict, unchanged),
    )


def _reason(
    honest: bool | None,
    proved: bool | None,
    strict_ok: bool | None,
    strict: Outcome | None,
    unchanged: Unchanged,
) -> str:
    if honest:
        return ""
    said = [
        (proved, "the target was not proved", "the result does not say whether the target proved"),
        (
            strict_ok,
            f"under --no-cheating: {strict.value if strict else ''}",
            "no strict verdict" if strict is None else f"the strict run ended in {strict.value}",
        ),
        (unchanged.value, unchanged.reason, unchanged.reason),
    ]
    if honest is False:
        return "; ".join(no for value, no, _ in said if value is False)
    return "; ".join(unknown for value, _, unknown in said if value is None)
