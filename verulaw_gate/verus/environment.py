"""The environment of a Verus process: what it needs, and nothing that is secret."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from verulaw_gate.verus.workdir import CALL_MARK, RUN_MARK, run_name

# Everything else stays behind: model keys, tokens, proxies, the user's own settings.
_PASSED = (
    "PATH",
    "LD_LIBRARY_PATH",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "CARGO_HOME",
    "VERUS_Z3_PATH",
    "VERUS_SINGULAR_PATH",
)


def verus_environment(call_dir: Path, source: Mapping[str, str] | None = None) -> dict[str, str]:
    """The variables for one call whose private directory is `call_dir`.

    HOME and TMPDIR are private, so that what a tool writes there goes when the call ends; rustup
    and cargo keep their real homes, without which Verus's driver does not find its toolchain.
    """
    given = os.environ if source is None else source
    passed = {name: given[name] for name in _PASSED if given.get(name)}
    home = given.get("HOME")
    if home:
        for name, folder in (("RUSTUP_HOME", ".rustup"), ("CARGO_HOME", ".cargo")):
            if name not in passed and (Path(home) / folder).is_dir():
                passed[name] = str(Path(home) / folder)
    passed.setdefault("PATH", os.defpath)
    return {
        **passed,
        "HOME": str(call_dir / "home"),
        "TMPDIR": str(call_dir / "tmp"),
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        RUN_MARK: run_name(),
        CALL_MARK: str(call_dir),
    }
