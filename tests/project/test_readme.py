"""The README is true: its commands run, its output is what they print, its code runs."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
STANDIN = ROOT / "tests" / "standins" / "faulty_verus.py"


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def _commands() -> list[tuple[str, list[str]]]:
    """(command, expected output lines) of every console block, in order."""
    found: list[tuple[str, list[str]]] = []
    for block in _blocks("console"):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


class _Model(BaseHTTPRequestHandler):
    """A stand-in for a model endpoint: it answers every chat with the task's reference trace."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        trace = (ROOT / "rust_tasks/t01-max-of-slice/reference.txt").read_text(encoding="utf-8")
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for at in range(0, len(trace), 40):
            delta = {"choices": [{"index": 0, "delta": {"content": trace[at : at + 40]}}]}
            self.wfile.write(f"data: {json.dumps(delta)}\n\n".encode())
        last = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
        self.wfile.write(f"data: {json.dumps(last)}\n\ndata: [DONE]\n\n".encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def model_port() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as a reader of the README has it: the checkout's data, and one proof file."""
    folder = tmp_path_factory.mktemp("readme")
    for name in ("rust_tasks", "protocols", "Makefile", "pyproject.toml", "native"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "corpora").symlink_to(ROOT / "verulaw_gate" / "corpora")
    (folder / "proof.rs").write_text(
        "use vstd::prelude::*;\nverus! {\nproof fn f() ensures 1 + 1 == 2 {}\n}\nfn main() {}\n"
    )
    standin = folder / "verus-stand-in"
    standin.write_text(f'#!/bin/sh\nexec {sys.executable} {STANDIN} "$@"\n')
    standin.chmod(standin.stat().st_mode | stat.S_IXUSR)
    return folder


def _run(command: str, place: Path, port: int) -> subprocess.CompletedProcess[str]:
    command = command.replace("/opt/verus/verus", str(place / "verus-stand-in"))
    command = command.replace("127.0.0.1:8000", f"127.0.0.1:{port}")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "COLUMNS": "100"}
    return subprocess.run(
        command, shell=True, cwd=place, env=env, capture_output=True, text=True,
        check=False, timeout=300,
    )  # fmt: skip


def _stands_in_order(expected: list[str], printed: list[str]) -> str | None:
    """The first expected line that is missing; `...` stands for any lines."""
    at, free = 0, False
    for line in expected:
        if line == "...":
            free = True
            continue
        here = printed.index(line, at) if line in printed[at:] else -1
        if here < 0 or (not free and here != at):
            return line
        at, free = here + 1, False
    return None if free or at == len(printed) else f"(and then: {printed[at]})"


# The trace breaks its protocol, the proof assumes, and what stands in for Verus proves no target.
EXIT_CODES = {
    "verulaw-gate check": 1,
    "verulaw-gate protocol trace": 1,
    "VERULAW_VERUS=/opt/verus/verus verulaw-gate run": 1,
}


def test_every_command_runs_and_prints_what_the_readme_shows(place: Path, model_port: int) -> None:
    commands = _commands()
    assert len(commands) >= 10
    for command, expected in commands:
        if command.startswith("make "):
            # Both targets are run by CI on a clean clone; here they have to exist.
            done = _run(f"make -n {command.removeprefix('make ')}", place, model_port)
            assert done.returncode == 0, done.stderr
            continue
        done = _run(command, place, model_port)
        code = next((c for start, c in EXIT_CODES.items() if command.startswith(start)), 0)
        assert done.returncode == code, (command, done.stdout, done.stderr)
        missing = _stands_in_order(expected, done.stdout.splitlines())
        assert missing is None, f"{command}\nnot printed there: {missing}\n{done.stdout[-3000:]}"


def test_python_blocks_run(place: Path) -> None:
    blocks = _blocks("python")
    assert len(blocks) == 2
    outputs = []
    for block in blocks:
        assert len([line for line in block.splitlines() if line.strip()]) <= 15
        done = subprocess.run(
            [sys.executable, "-c", block], cwd=place, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout)
    assert outputs[0].splitlines() == ["accepted []", "verified True"]
    assert outputs[1].splitlines()[-1] == "VG301 False"


def test_the_pre_commit_block_names_hooks_that_exist() -> None:
    (block,) = _blocks("yaml")
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    names = re.findall(r"- id: (\S+)", block)
    assert names
    for name in names:
        assert f"- id: {name}\n" in hooks


def test_every_verb_is_named() -> None:
    from verulaw_gate.cli.main import VERBS

    for verb in VERBS:
        assert f"`{verb}`" in README or f"verulaw-gate {verb}" in README, verb


@pytest.mark.parametrize("path", re.findall(r"`((?:docs|protocols)/[\w./-]+)`", README))
def test_the_files_it_names_exist(path: str) -> None:
    assert (ROOT / path).exists()


def test_make_is_there() -> None:
    assert shutil.which("make")
