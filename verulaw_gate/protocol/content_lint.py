"""Can a marker occur inside the content it should delimit?

A marker that content can hold would cut the content. Three tests: the lexical rules of the
content (Rust tokens, JSON tokens, prose), where markers count, and what the shipped tasks hold.
"""

from __future__ import annotations

import re
from functools import cache

from verulaw_gate.data import tasks_dir
from verulaw_gate.protocol.diagnostics import Diagnostic
from verulaw_gate.protocol.model import ContentKind, MarkerMode, Protocol, State
from verulaw_gate.spans import Span

_VERUS = (ContentKind.VERUS_ITEMS, ContentKind.VERUS_BLOCK, ContentKind.VERUS_FILE)
# One Rust token: a comment sign, an identifier, a number, a literal, or punctuation.
_RUST_TOKEN = re.compile(
    r"""\s+ | //.* | /\* | \*/ | r?\#*"(?:[^"\\]|\\.)*"\#* | '(?:[^'\\]|\\.)' | '?[^\W\d]\w*
    | \d\w* | [-+*/%^!&|=<>@.,;:\#$?~(){}\[\]]""",
    re.VERBOSE,
)
_JSON_TOKEN = re.compile(
    r"""\s+ | "(?:[^"\\]|\\.)*" | -?\d+(?:\.\d+)?(?:[eE][-+]?\d+)? | true | false | null
    | [{}\[\]:,]""",
    re.VERBOSE,
)
# The shape that code does not take on a line of its own: [Capitalised Words].
_TITLE = re.compile(r"\[[A-Z][A-Za-z]*(?: [A-Za-z]+)*\]\Z")
_PROSE_SAFE = re.compile(r"[^\w\s]")


def marker_in_content(protocol: Protocol) -> list[Diagnostic]:
    """P110 for markers likely inside content, P120 for those that merely can be."""
    found = []
    possible: list[str] = []
    writers = [s for s in protocol.states if not s.env_input and not s.one_of]
    for marked in protocol.states:
        reason = next(filter(None, (_likely(protocol, marked, w) for w in writers)), "")
        if reason:
            found.append(
                Diagnostic(
                    "P110",
                    f"marker {marked.text} of {marked.name} {reason}",
                    _span(marked),
                    "use a marker that the content cannot hold, such as "
                    f"[{marked.name.replace('-', ' ').title()}]",
                )
            )
        elif any(w.content in _VERUS for w in writers) and _lexes(_RUST_TOKEN, marked.text):
            possible.append(marked.text)
    if possible:
        found.append(_note(protocol, possible))
    return found


def _note(protocol: Protocol, markers: list[str]) -> Diagnostic:
    where = (
        "beginning a line of code, of a block comment or of a string"
        if protocol.markers is MarkerMode.LINE_START
        else "anywhere in code, comments and strings"
    )
    texts = len(_task_texts())
    seen = f"; none of the {texts} shipped task files has one there" if texts else ""
    return Diagnostic(
        "P120",
        f"Rust's token rules allow {', '.join(markers)} {where}{seen}",
        _span(protocol.states[0]),
        "nothing to mend; a proof that needs such a line would be cut there",
    )


def _likely(protocol: Protocol, marked: State, writer: State) -> str:
    """Why the marker is likely inside the content of `writer`; empty when it is not."""
    text = marked.text
    line_start = protocol.markers is MarkerMode.LINE_START
    if writer.content in _VERUS:
        place = _attested(text, line_start)
        if place:
            return f"occurs in code: the shipped {place} has it where a marker counts"
        if _lexes(_RUST_TOKEN, text) and not _TITLE.match(text):
            return (
                f"reads as ordinary Rust, so the {writer.content} content of {writer.name} "
                "can hold it"
            )
    elif writer.content is ContentKind.JSON:
        if _lexes(_JSON_TOKEN, text):
            return f"reads as JSON, so the content of {writer.name} can hold it"
    elif writer.content is ContentKind.TEXT and not _PROSE_SAFE.search(text):
        return f"is plain words, so the text of {writer.name} can hold it"
    return ""


def _lexes(token: re.Pattern[str], text: str) -> bool:
    at = 0
    while at < len(text):
        match = token.match(text, at)
        if match is None or match.end() == at:
            return False
        at = match.end()
    return True


def _attested(marker: str, line_start: bool) -> str:
    """The shipped task file that holds the marker where it counts; empty when none does."""
    lead = r"(?m)^[ \t]*" if line_start else ""
    pattern = re.compile(lead + re.escape(marker))
    return next((name for name, text in _task_texts() if pattern.search(text)), "")


@cache
def _task_texts() -> tuple[tuple[str, str], ...]:
    """Name and code of the shipped task files; the proof protocol's own marker lines are cut."""
    found = []
    for path in sorted(tasks_dir().glob("*/*")):
        if path.suffix not in (".rs", ".txt"):
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        if path.suffix == ".txt":
            text = re.sub(r"(?m)^\[(?:Lemma|Body|QED)\]", "", text)
        found.append((f"{path.parent.name}/{path.name}", text))
    return tuple(found)


def _span(state: State) -> Span:
    return state.span if state.span is not None else Span(0, 0, 1, 1)
