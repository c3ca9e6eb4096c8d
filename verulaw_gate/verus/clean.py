"""Take the paths of this machine out of recorded output."""

from __future__ import annotations

import contextlib
import json
import os
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path

# Verus's own library, wherever it was built or lies: its place inside vstd is what counts.
_VSTD = re.compile(r"(?<![\w./-])/(?:[\w.+@~-]+/)*?(vstd/(?:\w+/)*\w+\.rs)")
_TEMPORARY = r"(?:/[\w.+@~-]+)*"  # where another process of ours may have had its directory
_CALL_DIR = r"/verulaw-gate-\d+/[\d-]+/\d+/(?:work|home|tmp)(/?)"


def machine_roots(verus: Path | None) -> tuple[Path, ...]:
    """The folders whose names tell of this machine: of Verus, of Rust, of the user."""
    roots = [Path(os.environ[name]) for name in ("RUSTUP_HOME", "CARGO_HOME") if name in os.environ]
    if verus is not None:
        roots += [verus.absolute().parent, verus.resolve().parent]
    with contextlib.suppress(RuntimeError):  # a user without a home has none to hide
        roots.append(Path.home())
    return tuple(r for r in dict.fromkeys(roots) if len(r.parts) > 1)


def without_machine_paths(text: str, roots: Iterable[Path] = ()) -> str:
    """`text` with the private directory of a call gone, files of vstd as `vstd/...`, and each of
    `roots` as `~`. Holds for plain text and for JSON."""
    here = tempfile.gettempdir()
    prefixes = [re.escape(f) for p in (here, os.path.realpath(here)) for f in _forms(p)]
    call_dir = f"(?:{'|'.join([*prefixes, _TEMPORARY])}){_CALL_DIR}"
    text = re.sub(call_dir, lambda m: "" if m[1] else ".", text)
    text = _VSTD.sub(r"\1", text)
    for root in sorted((str(r) for r in roots), key=len, reverse=True):
        for form in _forms(root):
            text = re.sub(re.escape(form) + r"(?![\w.-])", "~", text)
    return text


def _forms(path: str) -> tuple[str, ...]:
    """A path as plain text and as it may stand in JSON."""
    escaped = (json.dumps(path, ensure_ascii=ascii_only)[1:-1] for ascii_only in (False, True))
    return tuple(dict.fromkeys((path, *escaped)))
