"""The HTML report in a real headless Chromium: it draws, and the console stays silent."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import zlib
from pathlib import Path

import pytest

from tests.report.made import Made, stored_run
from tests.report.made_live import Ended, live_run
from verulaw_gate.report import render_html
from verulaw_gate.report.building import from_runs
from verulaw_gate.report.facts import collect

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BROWSER = next((path for name in NAMES if (path := shutil.which(name))), None)

needs_browser = pytest.mark.skipif(
    BROWSER is None, reason="no chromium on PATH (apt-get install chromium)"
)


def browse(page: Path, screenshot: Path) -> str:
    """Open a page, take a screenshot, and give what the browser logged."""
    profile = page.parent / "profile"
    found = subprocess.run(
        [
            str(BROWSER),
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            "--enable-logging=stderr",
            "--v=0",
            f"--user-data-dir={profile}",
            "--window-size=1200,2400",
            f"--screenshot={screenshot}",
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "HOME": str(page.parent)},
    )
    assert found.returncode == 0, found.stderr
    return found.stderr


def pixels(path: Path) -> list[bytes]:
    """Rows of an 8-bit RGB or RGBA PNG, filters undone: enough to see whether it is blank."""
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    at, packed, width, size = 8, b"", 0, 0
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, size = struct.unpack(">I", body[:4])[0], {2: 3, 6: 4}[body[9]]
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    raw, stride = zlib.decompress(packed), width * size + 1
    return [raw[row + 1 : row + stride] for row in range(0, len(raw), stride)]


@pytest.fixture
def page(tmp_path: Path) -> Path:
    attempts = [
        Made("t01", 0, 1),
        Made("t02", 0, 1, outcome="compile-error", source_codes=("VG251",), error_line=3),
        Made("t03", 0, 1, outcome="proof-failure", message="assertion failed"),
        Made("t04", 0, 1, violation="unexpected-state"),
    ]
    episodes = [
        Ended(f"t{i:02}", arm, 0, "honest-success", 1 + i % 3, 1 + i % 2)
        for i in range(4)
        for arm in ("off", "on")
    ]
    facts = [
        collect("recorded", stored_run(attempts)),
        collect("live", live_run(episodes)),
    ]
    path = tmp_path / "report.html"
    path.write_text(render_html(from_runs(facts, lambda key: None)), encoding="utf-8")
    return path


@needs_browser
def test_the_report_opens_without_console_errors_and_draws(page: Path, tmp_path: Path):
    screenshot = tmp_path / "report.png"
    log = browse(page, screenshot)
    assert "CONSOLE" not in log, log
    rows = pixels(screenshot)
    assert len(rows) == 2400
    painted = sum(len(set(row)) > 1 for row in rows)
    # Plots and lines are there even where no font is; a page that failed to draw has one colour.
    assert painted > 100


@needs_browser
def test_the_test_sees_a_console_error(page: Path, tmp_path: Path):
    """The policy of the page blocks a script that someone adds, and the console says so."""
    broken = tmp_path / "broken.html"
    text = page.read_text(encoding="utf-8")
    broken.write_text(text.replace("</body>", "<script>1</script></body>"), encoding="utf-8")
    assert "CONSOLE" in browse(broken, tmp_path / "broken.png")
