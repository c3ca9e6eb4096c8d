"""Find Verus and z3, and read what they say of themselves."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from verulaw_gate.errors import ToolError, VerusNotFound

CALIBRATED_VERSIONS = ("0.2026.06.08.9a4284b",)
"""The Verus versions against which the predictive rules were measured."""

_KNOWN_PLACES = (
    "~/verus/verus",
    "~/verus/verus-x86-linux/verus",
    "~/.local/share/verus/verus",
    "~/verus/source/target-verus/release/verus",
    "~/.cargo/bin/verus",
    "/opt/verus/verus",
    "/usr/local/bin/verus",
    "/usr/local/verus/verus",
)
_HINT = "set VERULAW_VERUS or put verus on PATH"
_ANSWER_S = 30.0  # what a loaded machine needs to print a version, many times over


@dataclass(frozen=True, slots=True)
class VerusVersion:
    """What `verus --version` says. `toolchain` is the Rust toolchain that it needs."""

    version: str
    toolchain: str = ""
    commit: str = ""


@dataclass(frozen=True, slots=True)
class Z3:
    """The z3 that Verus would start: where, how it was found, its version (None: unreadable)."""

    path: Path | None
    found_by: str
    version: str | None = None


@dataclass(frozen=True, slots=True)
class VerusInstall:
    """A Verus that can be started. `found_by` names the step of the search that found it;
    `vstd_sha256` is the hash of its compiled standard library where it lies beside it."""

    path: Path
    found_by: str
    version: VerusVersion
    z3: Z3
    vstd_sha256: str | None = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a user should know before trusting rules or results of this Verus."""
        told = []
        if self.version.version not in CALIBRATED_VERSIONS:
            told.append(
                f"the rules were calibrated for Verus {', '.join(CALIBRATED_VERSIONS)}, "
                f"this is {self.version.version}: syntax and static rules only warn"
            )
        if self.z3.path is None:
            told.append(
                "no z3: set VERUS_Z3_PATH, or put z3 beside verus or on PATH; without it every "
                "proof ends as tool-error"
            )
        return tuple(told)


def find_program(
    explicit: str | Path | None = None,
    *,
    configured: str | Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> tuple[Path, str]:
    """The verus executable and what named it: `--verus`, VERULAW_VERUS, the configuration, PATH,
    then known places. A place that was named and is no executable is an error, never passed over.

    Raises VerusNotFound.
    """
    env = os.environ if environment is None else environment
    named = (
        ("--verus", explicit),
        ("VERULAW_VERUS", env.get("VERULAW_VERUS")),
        ("the configuration", configured),
    )
    for name, place in named:
        if place:
            return _executable(_at_home(Path(place), name), name), name
    for folder in env.get("PATH", os.defpath).split(os.pathsep):
        path = Path(folder or ".", "verus")
        if _runs(path) and not is_gate(path):
            return path, "PATH"
    home = env.get("HOME", "")
    for place in _KNOWN_PLACES:
        path = Path(place.replace("~", home, 1)) if home else Path(place)
        if "~" not in str(path) and _runs(path):
            return path, "a known place"
    raise VerusNotFound("no verus was found", hint=_HINT)


def is_gate(path: Path) -> bool:
    """Whether a program is this package under the name of verus (`cli.verus.main_as_verus`), by
    its start script: what it says would be the gate's word, not Verus's."""
    try:
        with open(os.path.realpath(path), "rb") as file:
            head = file.read(4096)
    except OSError:
        return False
    return head.startswith(b"#!") and b"verulaw_gate" in head


def _runs(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _at_home(path: Path, name: str) -> Path:
    try:
        return path.expanduser()
    except RuntimeError:
        raise VerusNotFound(f"{name} names {path}: there is no such home", hint=_HINT) from None


def _executable(path: Path, name: str) -> Path:
    if path.is_dir() and _runs(path / "verus"):
        path = path / "verus"
    if not path.exists() and "/" not in str(path):
        found = shutil.which(str(path))
        path = Path(found) if found else path
    if not _runs(path):
        what = "is a directory" if path.is_dir() else "is no executable file"
        what = what if path.exists() else "does not exist"
        raise VerusNotFound(f"{name} names {path}, which {what}", hint=_HINT)
    if is_gate(path):
        raise VerusNotFound(
            f"{name} names {path}, which is the gate itself",
            hint="name the real verus executable",
        )
    return path


def find_verus(
    explicit: str | Path | None = None,
    *,
    configured: str | Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> VerusInstall:
    """Find Verus and z3 and read their versions.

    Raises VerusNotFound when there is none, ToolError when what was found does not answer like
    Verus.
    """
    path, found_by = find_program(explicit, configured=configured, environment=environment)
    return VerusInstall(
        path=path,
        found_by=found_by,
        version=read_version(path),
        z3=find_z3(path, environment=environment),
        vstd_sha256=vstd_hash(path),
    )


def read_version(path: Path) -> VerusVersion:
    """`verus --version`, in its JSON form and else its text form. Raises ToolError when neither
    can be read or no answer comes."""
    code, out, err = ask(path, "--version", "--output-json")
    version = parse_version(out)
    if version is None:
        code, out, err = ask(path, "--version")
        version = parse_version(out)
    if version is None:
        said = _shown((err or out).strip().split("\n")[0])
        raise ToolError(
            f"{path} --version does not answer like Verus (exit code {code}): {said}",
            hint="is it the verus executable, and is its Rust toolchain installed?",
        )
    return version


def _shown(text: str) -> str:
    """Text of an unknown program, such that it does nothing to a terminal."""
    return "".join(c if c.isprintable() else "?" for c in text)[:200]


def parse_version(output: str) -> VerusVersion | None:
    """Read either form of `verus --version`; None when it is neither."""
    start = output.find("{")
    if start >= 0:
        try:
            value = json.JSONDecoder().raw_decode(output, start)[0]
        except (ValueError, RecursionError):
            value = None
        table = value.get("verus") if isinstance(value, dict) else None
        if isinstance(table, dict):
            version, toolchain, commit = (
                word if isinstance(word := table.get(name), str) and _is_word(word) else ""
                for name in ("version", "toolchain", "commit")
            )
            if version:
                return VerusVersion(version, toolchain, commit)
    text = re.search(r"^\s*Version: (\S+)", output, re.MULTILINE)
    if text is None or not _is_word(text[1]):
        return None
    needs = re.search(r"^\s*Toolchain: (\S+)", output, re.MULTILINE)
    return VerusVersion(text[1], needs[1] if needs and _is_word(needs[1]) else "")


def _is_word(text: str) -> bool:
    return bool(re.fullmatch(r"[!-~]{1,100}", text))


def find_z3(verus: Path, *, environment: Mapping[str, str] | None = None) -> Z3:
    """The z3 that this Verus would start: VERUS_Z3_PATH, beside the executable, PATH. One that does
    not answer has no version; whether Verus can use it, a run tells."""
    env = os.environ if environment is None else environment
    named = env.get("VERUS_Z3_PATH")
    beside = verus.resolve().parent / "z3"
    on_path = shutil.which("z3", path=env.get("PATH", os.defpath))
    if named:
        path = Path(named)
        if not _runs(path):
            return Z3(None, f"VERUS_Z3_PATH names {named}, which is no executable file")
        found_by = "VERUS_Z3_PATH"
    elif _runs(beside):
        path, found_by = beside, "beside verus"
    elif on_path is not None:
        path, found_by = Path(on_path), "PATH"
    else:
        return Z3(None, "not found: set VERUS_Z3_PATH, or put z3 beside verus or on PATH")
    try:
        _, out, _ = ask(path, "--version")
    except ToolError:
        return Z3(path, found_by)
    version = re.search(r"Z3 version ([!-~]{1,100})", out)
    return Z3(path, found_by, version[1] if version else None)


def ask(program: Path, *args: str) -> tuple[int | None, str, str]:
    """Run a program for what it prints: (exit code, stdout, stderr). Bounded like every run.

    Raises VerusNotFound when it cannot be started, ToolError when it does not end in time.
    """
    # Imported here: `find_program` alone is on the way of every `verulaw-gate verus`.
    from verulaw_gate.verus.environment import verus_environment
    from verulaw_gate.verus.limits import MIB, Limits
    from verulaw_gate.verus.process import run
    from verulaw_gate.verus.workdir import new_call_dir, remove_dir

    call = new_call_dir()
    try:
        ended = run(
            [str(program.absolute()), *args],
            call_dir=call,
            cwd=call / "work",
            env=verus_environment(call),
            limits=Limits(wall_s=_ANSWER_S, output_bytes=MIB),
        )
    finally:
        remove_dir(call)
    if ended.reason == "timeout":
        raise ToolError(
            f"`{program} {' '.join(args)}` did not end within {_ANSWER_S:g} s",
            hint="is it the verus executable? try it by hand",
        )
    out, err = (c.bytes().decode("utf-8", "replace") for c in (ended.stdout, ended.stderr))
    return ended.exit_code, out, err


def vstd_hash(verus: Path) -> str | None:
    """SHA-256 of the compiled standard library beside the executable, None where there is none:
    a rebuilt vstd under one version number is another Verus."""
    library = verus.resolve().parent / "vstd.vir"
    try:
        info = library.stat()
    except OSError:
        return None
    return _file_hash(str(library), info.st_mtime_ns, info.st_size)


@lru_cache(maxsize=8)
def _file_hash(path: str, mtime_ns: int, size: int) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
