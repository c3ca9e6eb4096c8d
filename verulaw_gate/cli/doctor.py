"""`verulaw-gate doctor`: say what is installed and used."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from dataclasses import asdict, dataclass
from importlib import metadata

from verulaw_gate import __version__
from verulaw_gate import config as settings
from verulaw_gate.config import DEFAULTS, Config
from verulaw_gate.errors import ToolError, VerulawError

SUMMARY = """Say what is installed and used: Python, tree-sitter, the native layer, Verus and z3,
the store, the settings. Always ends with exit code 0: what is missing is told."""

NOT_FOUND = "not found: set VERULAW_VERUS or put verus on PATH"


@dataclass(frozen=True, slots=True)
class Line:
    """One line: what it is about, what is there, whether that is all right, and the remedy."""

    name: str
    value: str
    ok: bool = True
    hint: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line of `doctor`."""
    add = parser.add_argument
    add("--format", choices=("human", "json"), default="human")
    add("--verus", metavar="PATH", help="look at this verus")
    add("--store", metavar="URL|FILE", help="look at this store")


def run(args: argparse.Namespace) -> int:
    """Look at everything and print it."""
    config, read = _settings()
    lines = [*_python(), *_layers(), *_verus(args.verus, config), _store(args.store, config), read]
    if args.format == "json":
        import json

        print(json.dumps([asdict(line) for line in lines], indent=1, ensure_ascii=False))
        return 0
    width = max(len(line.name) for line in lines)
    for line in lines:
        print(f"{line.name:<{width}}  {line.value}")
        if line.hint:
            print(f"{'':<{width}}  help: {line.hint}")
    return 0


def _python() -> list[Line]:
    return [
        Line("verulaw-gate", __version__),
        Line("Python", f"{platform.python_version()} ({sys.executable})"),
        Line("system", f"{platform.system()} {platform.release()} {platform.machine()}"),
    ]


def _layers() -> list[Line]:
    from verulaw_gate.gate import native

    lines = [
        Line("tree-sitter", _package("tree-sitter")),
        Line("tree-sitter-rust", _package("tree-sitter-rust")),
    ]
    found = native.versions()
    if found is None:
        hint = "VG201 and the static rules need it: install Rust (cargo) and this package again"
        lines.append(Line("native layer", f"not there: {native.reason()}", False, hint))
    else:
        value = f"verus_syn {found.verus_syn}, for Verus {found.verus}"
        lines.append(Line("native layer", value))
    return lines


def _package(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


def _verus(named: str | None, config: Config) -> list[Line]:
    from verulaw_gate.cli.real_verus import search_environment
    from verulaw_gate.verus.find import find_program, find_verus, find_z3

    env = search_environment()
    configured = config.resolve(config.verus) if config.verus else None
    try:
        path, found_by = find_program(named, configured=configured, environment=env)
    except VerulawError as problem:
        value = NOT_FOUND if problem.message == "no verus was found" else problem.message
        hint = "" if value == NOT_FOUND else problem.hint
        return [Line("Verus", value, False, hint), Line("z3", "not looked for without Verus")]
    try:
        install = find_verus(named, configured=configured, environment=env)
    except ToolError as problem:
        z3 = find_z3(path)
        said = f"{path} ({found_by}): {problem.message}"
        return [Line("Verus", said, False, problem.hint), _z3(z3.path, z3.found_by, z3.version)]
    version = install.version
    value = f"{version.version} at {install.path} ({found_by})"
    if version.toolchain:
        value += f", Rust {version.toolchain}"
    warnings = [w for w in install.warnings if not w.startswith("no z3")]
    lines = [Line("Verus", value, not warnings, "; ".join(warnings))]
    if install.vstd_sha256 is not None:
        lines.append(Line("vstd", f"sha256 {install.vstd_sha256}"))
    return [*lines, _z3(install.z3.path, install.z3.found_by, install.z3.version)]


def _z3(path: object, found_by: str, version: str | None) -> Line:
    if path is None:
        return Line("z3", found_by, False)
    if version is None:
        return Line("z3", f"{path} ({found_by})", False, "it does not tell its version")
    return Line("z3", f"{version} at {path} ({found_by})")


def _store(named: str | None, config: Config) -> Line:
    """Look at the store without making one."""
    from verulaw_gate.cli.checking.stores import store_url
    from verulaw_gate.record import Store
    from verulaw_gate.record.connect import default_store

    url = store_url(named, config) or default_store()
    if "://" not in url and not os.path.exists(url):
        folder = os.path.dirname(os.path.abspath(url))
        if not os.access(folder, os.W_OK):
            why = "cannot be written" if os.path.isdir(folder) else "is no folder"
            return Line("store", f"{url}: {folder} {why}", False, "name another with --store")
        return Line("store", f"{url} (not there yet: made when something is recorded)")
    try:
        with Store(url, read_only=True) as store:
            runs = len(store.runs())
            where = _without_password(store.url)
            return Line("store", f"{where} ({runs} {'run' if runs == 1 else 'runs'})")
    except VerulawError as problem:
        return Line("store", f"{problem}", False, problem.hint)


def _without_password(url: str) -> str:
    head, found, rest = url.partition("://")
    if not found or "@" not in rest:
        return url
    user, _, host = rest.rpartition("@")
    return f"{head}://{user.partition(':')[0]}@{host}"


def _settings() -> tuple[Config, Line]:
    try:
        config = settings.load()
    except VerulawError as problem:
        return DEFAULTS, Line("settings", str(problem), False, problem.hint)
    if config.path is None:
        return config, Line("settings", "defaults (no [tool.verulaw-gate] in a pyproject.toml)")
    changed = [
        name
        for name in Config.__dataclass_fields__
        if name != "path" and getattr(config, name) != getattr(DEFAULTS, name)
    ]
    value = ", ".join(name.replace("_", "-") for name in changed) or "nothing set"
    return config, Line("settings", f"{config.path} ({value})")
