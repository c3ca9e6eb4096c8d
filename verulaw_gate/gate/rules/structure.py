"""VG101, VG102, VG107: faults of the text that no front end of Rust gets past."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import replace

from verulaw_gate.codes import Severity
from verulaw_gate.findings import Edit, Finding
from verulaw_gate.gate.context import Context
from verulaw_gate.gate.lexer import PAIRS
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc
from verulaw_gate.gate.second_reading import parses_cleanly

_FENCE = "write the code alone, without Markdown"
_OUTER_FENCE = re.compile(
    r"\s*(```+|~~~+)[ \t]*\w*[ \t]*\r?\n(?P<inside>.*?)(?:\r?\n)?[ \t]*\1[`~]*\s*", re.DOTALL
)


def _run(context: Context) -> Iterable[Finding]:
    found = [*fences(context), *_brackets(context), *_literals(context)]
    doubtful = {"VG101", "VG107"}
    if any(f.code in doubtful for f in found) and parses_cleanly(context.text):
        # Two readings that disagree are no ground for a rejection.
        return [replace(f, severity=Severity.WARNING) if f.code in doubtful else f for f in found]
    return found


def fences(context: Context) -> Iterable[Finding]:
    """Markdown fences among the code tokens. A backtick is no token of Rust."""
    texts, starts = context.tokens.texts, context.tokens.starts
    if "`" not in texts and "~" not in texts:
        return
    outer = _OUTER_FENCE.fullmatch(context.text)
    if outer is not None and not _fence_between(context, *outer.span("inside")):
        edits = (Edit(0, outer.start("inside"), ""), Edit(outer.end("inside"), outer.end(), "\n"))
        start = outer.start(1)
        yield context.over(
            "VG102", start, start + 3, "a Markdown fence around the whole text", _FENCE, edits
        )
        return
    at = 0
    while True:
        try:
            at = texts.index("`", at)
        except ValueError:
            return
        if texts[at : at + 3] == ["`"] * 3 and starts[at + 2] == starts[at] + 2:
            yield context.at("VG102", at, at + 2, "a Markdown fence in the code", _FENCE)
            at += 3
            while at < len(texts) and texts[at] == "`" and starts[at] == starts[at - 1] + 1:
                at += 1
        else:
            at += 1


def _fence_between(context: Context, start: int, end: int) -> bool:
    """Whether there are more fences inside: then the first and the last are no pair."""
    starts = context.tokens.starts
    first, last = bisect_left(starts, start), bisect_left(starts, end)
    return any(text in ("`", "~") for text in context.tokens.texts[first:last])


def _brackets(context: Context) -> Iterable[Finding]:
    tokens = context.tokens
    if tokens.balanced or tokens.unterminated:
        # Past an unterminated literal nothing was read: its brackets are not missing.
        return
    texts = tokens.texts
    for index, opener in tokens.stray:
        if opener < 0:
            message = f"`{texts[index]}` closes nothing"
            hint = "remove it, or add the opening bracket"
        else:
            line = context.lines.position(tokens.starts[opener])[0]
            wanted = PAIRS[texts[opener]]
            message = f"`{texts[index]}` where `{texts[opener]}` of line {line} wants `{wanted}`"
            hint = f"close `{texts[opener]}` of line {line} first"
        yield context.at("VG101", index, index, message, hint)
    for index in tokens.open:
        message = f"`{texts[index]}` is never closed"
        yield context.at("VG101", index, index, message, f"add `{PAIRS[texts[index]]}`")


def _literals(context: Context) -> Iterable[Finding]:
    if context.tokens.unterminated is None:
        return
    start, what = context.tokens.unterminated
    end = min(start + 2, len(context.text))
    closer = "`*/`" if what == "comment" else 'the closing `"`'
    yield context.over("VG107", start, end, f"a {what} without its end", f"add {closer}")


_CERTAIN = "rustc reads brackets and literals before anything else: it refuses the file here."
DOCS = {
    "VG101": RuleDoc(
        "A bracket without its partner, counted on code tokens: brackets in comments, strings, "
        "character literals and lifetimes do not count. tree-sitter-rust, asked as a second "
        "reading, must not find the file clean; where the two disagree it is a warning.",
        _CERTAIN,
        "fn f() { g(x; }",
        "Close what is open, remove what closes nothing.",
    ),
    "VG102": RuleDoc(
        "Three backticks among the code tokens, or a fence around the whole text.",
        "A backtick is no token of Rust: " + _CERTAIN,
        "```rust\nfn f() { }\n```",
        "Write the code alone.",
    ),
    "VG107": RuleDoc(
        "A string or a block comment that does not end.",
        _CERTAIN,
        "fn f() { /* what follows is lost }",
        "End the string or the comment.",
    ),
}

RULE = Rule(tuple(DOCS), LayerName.TOKENS, _run, DOCS)
