"""Builds the index of vstd's public names from the sources of the published crate.

    python -m verulaw_gate.gate.vstd_build VSTD_FOLDER [FOLDER ..] OUTPUT.json

Further folders (verus_builtin, verus_builtin_macros of the same date) add their names: the prelude
exports them, too. The index answers "does this name exist anywhere", so its lists are generous:
`values` holds what fn, const and static declare, public or not; `others` types, modules and
macros; `words` every other word of the code, because macros declare names that only their calls
mention. The folder is the crate as cargo unpacks it; its name carries the version
(`vstd-0.0.0-2026-05-31-0205`).
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from verulaw_gate.errors import InputError, UsageError

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_VALUE = re.compile(r"\b(?:fn|const|static)\s+(?:r#)?(\w+)")
_OTHER = re.compile(r"\b(?:struct|enum|union|trait|type|mod|macro_rules!)\s+(?:r#)?(\w+)")
_RENAMED = re.compile(r"\bas\s+(\w+)\s*[;,}]")
_REEXPORT = re.compile(r"\bpub\s+use\s+([^;]+);")
_INLINE = re.compile(
    r"#\[verifier(?:::|\()\s*(?:inline|no_auto_trigger)\b[^\]]*\]"
    r"(?:\s*#\[[^\]]*\])*\s*(?:pub\s*(?:\([^)]*\)\s*)?)?[\w\s()]*?\bfn\s+(\w+)"
)
_WORD = re.compile(r"\w+")
_STRING = re.compile(r'"(?:[^"\\\\]|\\\\.)*"')


def build(folder: Path, more: tuple[Path, ...] = ()) -> dict[str, object]:
    """The index as plain data. Raises InputError when the folder is not vstd's source."""
    sources = sorted(folder.rglob("*.rs"))
    sources += [path for other in more for path in sorted(other.rglob("*.rs"))]
    if not (folder / "vstd.rs").is_file():
        raise InputError(
            "this is not the source of vstd (no vstd.rs)",
            path=folder,
            hint="give the folder that cargo unpacks, e.g. ~/.cargo/registry/src/*/vstd-0.0.0-..",
        )
    values: set[str] = set()
    others: set[str] = set()
    words: set[str] = set()
    inline: set[str] = set()
    specified: set[str] = set()
    for path in sources:
        text = _COMMENT.sub(" ", path.read_text(encoding="utf-8"))
        values.update(_VALUE.findall(text))
        values.update(_RENAMED.findall(text))
        others.update(_OTHER.findall(text))
        for reexport in _REEXPORT.findall(text):
            others.update(_WORD.findall(reexport))
        words.update(_WORD.findall(_STRING.sub(" ", text)))
        inline.update(_INLINE.findall(text))
        specified.update(_specified(text))
    return {
        "vstd": folder.name.removeprefix("vstd-"),
        "values": " ".join(sorted(values)),
        "others": " ".join(sorted(others - values)),
        "words": " ".join(sorted(w for w in words - values - others if not w[0].isdigit())),
        "inline": " ".join(sorted(inline)),
        "specified": sorted(specified),
    }


def _specified(text: str) -> set[str]:
    """`Type::method` of the std functions with a specification; types without arguments."""
    found: set[str] = set()
    for match in re.finditer(r"assume_specification\b", text):
        path = _bracketed(text, match.end())
        if path is None:
            continue
        path = re.sub(r"\s+", "", _without_generics(path))
        path = path.replace("<[T]>", "slice").replace("<[T;N]>", "array")
        parts = [part for part in path.strip("<>").split("::") if part]
        if len(parts) >= 2:
            found.add(f"{parts[-2].strip('<>[]')}::{parts[-1]}")
    return found


def _bracketed(text: str, at: int) -> str | None:
    """The path between the square brackets behind the generics of assume_specification."""
    depth = 0
    while at < len(text):
        char = text[at]
        if char == "<":
            depth += 1
        elif char == ">" and text[at - 1] not in "-=":
            depth -= 1
        elif char == "[" and depth == 0:
            end, square = at, 0
            while end < len(text):
                square += (text[end] == "[") - (text[end] == "]")
                if square == 0:
                    return text[at + 1 : end]
                end += 1
            return None
        elif char in ";{" and depth == 0:
            return None
        at += 1
    return None


def _without_generics(path: str) -> str:
    """`Vec::<T, A>::push` -> `Vec::::push`, and `<Vec<T, A>>::is_empty` -> `Vec::is_empty`."""
    path = path.strip()
    outer = re.match(r"^<\s*([\w$]+)\s*(<.*>)?\s*>\s*::", path, re.DOTALL)
    if outer:
        path = f"{outer.group(1)}::{path[outer.end() :]}"
    previous = ""
    while previous != path:
        previous = path
        path = re.sub(r"::\s*<[^<>]*>", "", path)
    return path


def main(arguments: list[str]) -> None:
    """Write the index. Raises UsageError for fewer than two arguments."""
    if len(arguments) < 2:
        raise UsageError(
            "expected VSTD_FOLDER [FOLDER ..] OUTPUT.json",
            hint="python -m verulaw_gate.gate.vstd_build VSTD_FOLDER OUTPUT.json",
        )
    folder, *more = (Path(argument) for argument in arguments[:-1])
    index = build(folder, tuple(more))
    text = json.dumps(index, indent=1, ensure_ascii=True) + "\n"
    Path(arguments[-1]).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
