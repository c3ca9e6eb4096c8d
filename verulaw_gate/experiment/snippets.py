"""The snippets of the static rules: small sources, each with what a rule and Verus should do.

One TOML file a code; the format is described in tests/verus_snippets/README.md.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from verulaw_gate.codes import CODES
from verulaw_gate.errors import InputError

_HEAD, _TAIL = "use vstd::prelude::*;\nverus! {\n", "} // verus!\nfn main() {}\n"


@dataclass(frozen=True, slots=True)
class Snippet:
    """One snippet. `file` is a file name for it, unique within its code; `source` the whole file
    that goes to Verus. `found`: the rule reports it and Verus's front end refuses it; else no rule
    does and the front end passes it. `recorded`: a recorded result of Verus stands behind that."""

    code: str
    name: str
    file: str
    found: bool
    source: str
    recorded: bool


def load_snippets(folder: Path) -> tuple[Snippet, ...]:
    """The snippets of a folder, sorted by code. Raises InputError with the file."""
    found: list[Snippet] = []
    for path in sorted(folder.glob("VG*.toml")):
        try:
            tables = tomllib.loads(path.read_text(encoding="utf-8"))["snippet"]
            if path.stem not in CODES:
                raise ValueError(f"no rule {path.stem}")
            taken: set[str] = set()
            for table in tables:
                found.append(_snippet(path.stem, table, taken))
        except (OSError, ValueError, KeyError, TypeError) as problem:
            raise InputError(
                f"not a file of snippets: {problem}",
                hint="see tests/verus_snippets/README.md",
                path=path,
            ) from problem
    return tuple(found)


def _snippet(code: str, table: dict[str, str], taken: set[str]) -> Snippet:
    if table["expect"] not in ("found", "silent"):
        raise ValueError(f"expect = {table['expect']!r} is neither found nor silent")
    source = table["source"]
    stem = re.sub(r"[^a-z0-9]+", "-", table["name"].lower()).strip("-") or "snippet"
    file, number = stem, 2
    while file in taken:
        file, number = f"{stem}-{number}", number + 1
    taken.add(file)
    whole = source if "verus!" in source else _HEAD + source + _TAIL
    recorded = table["status"] != "unconfirmed"
    return Snippet(code, table["name"], f"{file}.rs", table["expect"] == "found", whole, recorded)


def in_words(snippets: tuple[Snippet, ...]) -> dict[str, str]:
    """How many snippets each rule has, of which kind, and how many are confirmed; by code."""
    words: dict[str, str] = {}
    for code in sorted({snippet.code for snippet in snippets}):
        own = [snippet for snippet in snippets if snippet.code == code]
        found = sum(snippet.found for snippet in own)
        words[code] = (
            f"{found} that it must find, {len(own) - found} that it must leave alone;"
            f" {sum(s.recorded for s in own)}/{len(own)} with a recorded result of Verus,"
            " the others unconfirmed"
        )
    return words


def write_sources(snippets: tuple[Snippet, ...], into: Path) -> dict[Path, list[Path]]:
    """Write each snippet to a file, a folder a code; the files by folder. Raises InputError."""
    written: dict[Path, list[Path]] = {}
    for snippet in snippets:
        path = into / snippet.code / snippet.file
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(snippet.source, encoding="utf-8")
        except OSError as problem:
            raise InputError(f"cannot be written: {problem.strerror}", path=path) from None
        written.setdefault(path.parent, []).append(path)
    return written
