"""Public items of vstd with their signatures, to be searched by name and type words.

The shipped index is made from the published crate:

    python -m verulaw_gate.agent.vstd_items VSTD_FOLDER OUTPUT.json

It holds names, kinds and types of the public items (vstd is the Verus project's, under the MIT
licence). An index that is made from the folder of an installed vstd when it is wanted has the
contracts as well.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from verulaw_gate.errors import InputError, UsageError
from verulaw_gate.gate.context import View

SHIPPED = Path(__file__).with_name("vstd_items.json")
MAX_SIGNATURE = 400
_CLAUSES = frozenset(
    ("requires", "ensures", "recommends", "decreases", "returns", "opens_invariants", "no_unwind")
)


@dataclass(frozen=True, slots=True)
class VstdItem:
    """One item. `path` as it is imported (`vstd::seq::Seq::push`); `text` is its header in one
    line (with its contract in an index of a folder), cut at `MAX_SIGNATURE` characters."""

    path: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class VstdItems:
    """An index and the vstd that it is of."""

    version: str
    items: tuple[VstdItem, ...]

    def search(self, query: str, *, limit: int = 12) -> tuple[VstdItem, ...]:
        """The items that fit a query best. Words of names count most (whole over part), then
        words of the signature; each further word of the query narrows the order, not the set.
        Ties by path. A query without a word finds nothing."""
        words = [w.lower() for w in re.findall(r"[A-Za-z0-9_]+", query) if w.lower() != "vstd"]
        if not words:
            return ()
        scored = []
        for item in self.items:
            points = _points(item, words)
            if points > 0:
                scored.append((-points, len(item.path), item.path, item.text, item))
        return tuple(entry[-1] for entry in sorted(scored, key=lambda e: e[:4])[:limit])


def _points(item: VstdItem, words: list[str]) -> int:
    name = item.path.lower().rsplit("::", 1)[-1]
    path = item.path.lower().split("::")
    parts = set(name.split("_")) | {name}
    text = set(re.findall(r"[a-z0-9_]+", item.text.lower()))
    points = 0
    for word in words:
        if word == name:
            points += 12
        elif word in parts:
            points += 8
        elif word in path:
            points += 5
        elif len(word) > 2 and word in name:
            points += 4
        elif word in text:
            points += 3
        elif len(word) > 3 and any(word in t for t in text):
            points += 1
        else:
            points -= 2
    return points


@lru_cache(maxsize=4)
def vstd_items(path: Path | None = None) -> VstdItems:
    """The shipped index, or that of another file (made by this module) or source folder.

    Raises InputError when it cannot be read as one.
    """
    if path is not None and path.is_dir():
        return build(path)
    source = path or SHIPPED
    try:
        raw = json.loads(source.read_text(encoding="utf-8"))
        items = tuple(VstdItem(str(p), str(k), str(t)) for p, k, t in raw["items"])
        return VstdItems(str(raw["vstd"]), items)
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise InputError(
            f"not an index of vstd: {problem}",
            hint="make one: python -m verulaw_gate.agent.vstd_items VSTD_FOLDER OUTPUT.json",
            path=source,
        ) from None


def build(folder: Path, *, contracts: bool = True) -> VstdItems:
    """The index of a vstd source folder, with `requires`, `ensures` and the rest of the headers
    unless `contracts` is off. Raises InputError when the folder is none."""
    if not (folder / "vstd.rs").is_file():
        raise InputError(
            "this is not the source of vstd (no vstd.rs)",
            path=folder,
            hint="give the folder that cargo unpacks, or vstd/ of a Verus release",
        )
    found: dict[tuple[str, str], VstdItem] = {}
    for file in sorted(folder.rglob("*.rs")):
        module = _module(file.relative_to(folder))
        if module is None:
            continue
        view = View(file.read_text(encoding="utf-8"))
        for item in view.all_items:
            if item.kind not in ("fn", "struct", "enum", "trait") or not item.name:
                continue
            stop = item.body[0] if item.body else item.last + 1
            head = view.tokens.texts[item.head : stop]
            if not contracts:
                stop = next((n for n in range(item.keyword, stop) if _clause(view, n)), stop)
            if "pub" not in head[:1] and item.container != "trait":
                continue
            header = view.text[view.tokens.starts[item.head] : view.tokens.ends[stop - 1]]
            within = [_type_name(p) for p in item.path if not p.startswith("verus")]
            path = "::".join(["vstd", *module, *(w for w in within if w), item.name])
            text = _one_line(header)
            found.setdefault((path, text), VstdItem(path, item.kind, text))
    version = folder.name.removeprefix("vstd-")
    return VstdItems(version, tuple(found[key] for key in sorted(found)))


def _clause(view: View, at: int) -> bool:
    """Whether a contract begins at a token of a header."""
    return view.tokens.texts[at] in _CLAUSES


def _module(path: Path) -> list[str] | None:
    parts = [*path.parts[:-1], path.stem]
    if parts[0] in ("contrib", "build") or "state_machine_internal" in parts:
        return None
    return [] if parts == ["vstd"] else parts


def _type_name(label: str) -> str:
    """The name in the label of a block: `Seq` of `impl<A> Seq<A> where A: Copy`."""
    label = label.partition(" where ")[0]
    while (bare := re.sub(r"<[^<>]*>", " ", label)) != label:
        label = bare
    names = re.findall(r"\w+", label)
    return names[-1] if names else ""


def _one_line(header: str) -> str:
    flat = " ".join(re.sub(r"//[^\n]*|/\*.*?\*/", " ", header, flags=re.DOTALL).split())
    return flat if len(flat) <= MAX_SIGNATURE else flat[: MAX_SIGNATURE - 1] + "…"


def write(index: VstdItems, out: Path) -> None:
    """Store an index."""
    raw = {"vstd": index.version, "items": [[i.path, i.kind, i.text] for i in index.items]}
    out.write_text(json.dumps(raw, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


def main(argv: list[str]) -> None:
    """`python -m verulaw_gate.agent.vstd_items VSTD_FOLDER OUTPUT.json`."""
    if len(argv) != 2:
        raise UsageError("give the folder of vstd and the file to write")
    write(build(Path(argv[0]), contracts=False), Path(argv[1]))


if __name__ == "__main__":
    main(sys.argv[1:])
