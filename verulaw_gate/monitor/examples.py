"""Accepted and rejected examples beside a protocol, and whether they come out as filed.

`<folder>/accepted/*` must conform and be complete. `<folder>/rejected/*` must be violations; a file
named `KIND.ext` or `KIND--what-it-shows.ext` must be that kind of violation. Hidden files are
passed over, nothing else is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from verulaw_gate.errors import InputError
from verulaw_gate.monitor.dialogue import play, read_dialogue
from verulaw_gate.monitor.model import ContentChecker, Verdict, ViolationKind
from verulaw_gate.protocol.model import Protocol

_SUFFIXES = (".txt", ".jsonl")


@dataclass(frozen=True, slots=True)
class Example:
    """One example and its outcome. `expected` is `accepted`, `rejected` or a kind of violation;
    `found` is `accepted`, a kind of violation, or the code of a rejecting content finding."""

    path: Path
    expected: str
    found: str
    verdict: Verdict

    @property
    def passed(self) -> bool:
        """Whether the example came out as filed."""
        if self.expected == "rejected":
            return self.found != "accepted"
        return self.found == self.expected


def examples_dir(protocol_path: Path) -> Path:
    """Where the examples of a protocol file lie: `examples/<stem>` beside it."""
    return protocol_path.parent / "examples" / protocol_path.stem


def run_examples(
    protocol: Protocol, folder: Path, checkers: Sequence[ContentChecker] = ()
) -> tuple[Example, ...]:
    """Run all examples of a folder, sorted by path. Raises `InputError` when there are none, or for
    a file that is no example or names an unknown kind of violation."""
    found = []
    for path, expected in _listed(folder):
        verdict = play(protocol, read_dialogue(path, protocol), checkers).finish()
        found.append(Example(path, expected, _found(verdict), verdict))
    if not found:
        raise InputError(
            "no examples here",
            path=folder,
            hint="put traces (.txt or .jsonl) into accepted/ and rejected/ below it",
        )
    return tuple(found)


def _listed(folder: Path) -> Iterator[tuple[Path, str]]:
    for group in ("accepted", "rejected"):
        for path in sorted((folder / group).glob("[!.]*")):
            if path.suffix not in _SUFFIXES:
                raise InputError("not a trace", path=path, hint="name it .txt or .jsonl")
            yield path, _expected(path) if group == "rejected" else group


def _expected(path: Path) -> str:
    kinds = [kind.value for kind in ViolationKind]
    kind, more, _ = path.stem.partition("--")
    if kind in kinds:
        return kind
    if more:
        near = get_close_matches(kind, kinds, 1)
        raise InputError(
            f"no kind of violation: {kind!r}",
            path=path,
            hint=f"did you mean {near[0]}?" if near else f"kinds: {', '.join(kinds)}",
        )
    return "rejected"


def _found(verdict: Verdict) -> str:
    if verdict.violation is not None:
        return verdict.violation.kind.value
    rejecting = [f.code for f in verdict.findings if f.severity == "error"]
    return rejecting[0] if rejecting else "accepted"
