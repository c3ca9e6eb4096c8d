"""Take the paths of this machine out of recorded output."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from pathlib import Path

# Verus's own library, wherever it was built or lies: its place inside vstd is what counts.
_VSTD = re.compile(r"(?<![\w./-])/(?:[\w.+@~-]+/)*?(vstd/(?:\w+/)*\w+\.rs)")
_CALL_DIR = re.compile(r"(?:/[\w.+@~-]+)*/verulaw-gate-\d+/[\d-]+/\d+/(?:work|home|tmp)(/?)")


def machine_roots(verus: Path | None) -> tuple[Path, ...]:
    """The folders whose names tell of this machine: of Verus, of Rust, of the user."""
    roots = [Path(os.environ[name]) for name in ("RUSTUP_HOME", "CARGO_HOME") if name in os.environ]
    if verus is not None:
        roots += [verus.absolute().parent, verus.resolve().parent]
    roots.append(Path.home())
    return tuple(r for r in dict.fromkeys(roots) if len(r.parts) > 1)


def without_machine_paths(text: str, roots: Iterable[Path] = ()) -> str:
    """`text` with the private directory of a call gone, files of vstd as `vstd/...`, and each of
    `roots` as `~`. Holds for plain text and for JSON."""
    text = _CALL_DIR.sub(lambda m: "" if m[1] else ".", text)
    text = _VSTD.sub(r"\1", text)
    for root in sorted((str(r) for r in roots), key=len, reverse=True):
        for form in dict.fromkeys((root, json.dumps(root)[1:-1])):
            text = re.sub(re.escape(form) + r"(?![\w.-])", "~", text)
    return text
