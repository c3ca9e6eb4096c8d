"""Which published verus_syn (Verus's parser) belongs to a Verus release."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

_RELEASE = re.compile(r"0\.(\d{4})\.(\d{2})\.(\d{2})\b")
_LOCKED = re.compile(r'name = "verus_syn"\nversion = "([^"]+)"')
_SECONDS = 180


def wanted(version: str) -> str | None:
    """The requirement that the newest verus_syn published on or before a release fulfils; None
    for a version that does not name its day."""
    day = _RELEASE.match(version)
    if day is None:
        return None
    # The published versions are named for their day: 0.0.0-2026-05-31-0205.
    return f">=0.0.0-2024-01-01-0000, <=0.0.0-{day[1]}-{day[2]}-{day[3]}-9999"


def newest(version: str) -> str | None:
    """That verus_syn version, as cargo resolves it; None where cargo or its registry is not there
    or has none."""
    requirement = wanted(version)
    if requirement is None:
        return None
    with tempfile.TemporaryDirectory(prefix="verulaw-pin-") as name:
        folder = Path(name)
        (folder / "src").mkdir()
        (folder / "src" / "lib.rs").write_text("")
        (folder / "Cargo.toml").write_text(
            '[package]\nname = "pin"\nversion = "0.0.0"\nedition = "2021"\n\n'
            f'[dependencies]\nverus_syn = "{requirement}"\n'
        )
        try:
            subprocess.run(
                ["cargo", "generate-lockfile"],
                cwd=folder,
                capture_output=True,
                timeout=_SECONDS,
                check=True,
            )
            found = _LOCKED.search((folder / "Cargo.lock").read_text(encoding="utf-8"))
        except (OSError, subprocess.SubprocessError):
            return None
    return found[1] if found else None
