"""`cargo verus` projects: verify a crate with a candidate file in place, in a copy."""

from __future__ import annotations

import os
import shutil
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from verulaw_gate.errors import InputError, ToolError
from verulaw_gate.verus.cancel import Cancel
from verulaw_gate.verus.environment import verus_environment
from verulaw_gate.verus.limits import Limits
from verulaw_gate.verus.model import RECORDED_OPTIONS, Verification, VerusOptions
from verulaw_gate.verus.process import run
from verulaw_gate.verus.verifier import verification
from verulaw_gate.verus.workdir import new_call_dir, remove_dir

_SKIPPED = shutil.ignore_patterns("target", ".git", ".hg", ".jj", ".venv", "node_modules")


@dataclass(frozen=True, slots=True)
class CargoVerusVerifier:
    """A `Verifier` that runs `cargo verus verify` on a copy of the crate of `manifest` in which
    `candidate` (a path inside the crate, such as src/lib.rs) holds the source.

    The copy holds the crate, its workspace and what they depend on by path, in the same places to
    one another; the user's tree is only read. `cargo` is the executable; `verus`, where given,
    goes first on PATH, since `cargo verus` starts the Verus that it finds.
    """

    manifest: Path
    candidate: Path
    cargo: Path | None = None
    verus: Path | None = None
    limits: Limits = field(default_factory=Limits)
    version: str | None = None

    def verify(
        self,
        source: str,
        options: VerusOptions = RECORDED_OPTIONS,
        *,
        target: str | None = None,
        cancel: Cancel | None = None,
    ) -> Verification:
        """Verify the crate with `source` as the candidate file.

        Raises InputError when the manifest or the candidate's place is not usable, ToolError when
        there is no cargo, VerusNotFound and RunCancelled as `VerusVerifier`.
        """
        program = self.cargo or _which("cargo")
        manifest = self.manifest.absolute()
        file = manifest.parent / self.candidate
        if not file.resolve().is_relative_to(manifest.parent.resolve()):
            raise InputError("the candidate file is outside the crate", path=file)
        folders = crate_folders(manifest)
        call = new_call_dir()
        try:
            root = call / "work"
            common = Path(os.path.commonpath([str(f) for f in folders]))
            for folder in folders:
                _copy(folder, root / folder.relative_to(common))
            here = root / manifest.relative_to(common)
            place = root / file.relative_to(common)
            place.parent.mkdir(parents=True, exist_ok=True)
            if place.is_symlink():
                place.unlink()  # never write through a link into the user's tree
            place.write_bytes(source.encode("utf-8"))
            env = verus_environment(call)
            env["CARGO_TARGET_DIR"] = str(call / "tmp" / "target")
            if self.verus is not None:
                env["PATH"] = f"{self.verus.absolute().parent}{os.pathsep}{env['PATH']}"
            ended = run(
                [
                    str(program.absolute()),
                    "verus",
                    "verify",
                    "--manifest-path",
                    str(here),
                    "--",
                    *options.args,
                ],
                call_dir=call,
                cwd=here.parent,
                env=env,
                limits=self.limits,
                cancel=cancel,
            )
        finally:
            remove_dir(call)
        argv = ("cargo", "verus", "verify", "--manifest-path", "Cargo.toml", "--", *options.args)
        return verification(
            ended, argv, source, options, target, limits=self.limits, version=self.version
        )


def _which(name: str) -> Path:
    found = shutil.which(name)
    if found is None:
        raise ToolError(f"no {name} on PATH", hint="install Rust (https://rustup.rs)")
    return Path(found)


def crate_folders(manifest: Path) -> tuple[Path, ...]:
    """The folders that a copy needs: the crate's (or its workspace's) and, transitively, those of
    path dependencies. A folder inside another of them is not named again.

    Raises InputError for a manifest that is missing or is not TOML.
    """
    start = _workspace(manifest) or manifest
    queue, seen = [start, manifest], set[Path]()
    folders: list[Path] = []
    while queue:
        current = queue.pop()
        if current in seen:
            continue
        seen.add(current)
        folders.append(current.parent)
        queue += [
            Path(os.path.normpath(current.parent / place)) / "Cargo.toml"
            for place in sorted(_path_dependencies(_read(current)))
        ]
    outer = [f for f in folders if not any(f != o and f.is_relative_to(o) for o in folders)]
    return tuple(sorted(set(outer)))


def _workspace(manifest: Path) -> Path | None:
    for folder in manifest.parent.parents:
        above = folder / "Cargo.toml"
        if above.is_file() and "workspace" in _read(above):
            return above
    return None


def _read(manifest: Path) -> dict[str, Any]:
    try:
        with open(manifest, "rb") as file:
            return tomllib.load(file)
    except OSError as problem:
        raise InputError(
            f"cannot be read: {problem.strerror}", hint="name a Cargo.toml", path=manifest
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise InputError(f"not TOML: {problem}", path=manifest) from None


def _path_dependencies(table: Any) -> set[str]:
    """Every `path` of a dependency table anywhere in a manifest (also target-specific ones,
    workspace dependencies and patches)."""
    found: set[str] = set()
    if not isinstance(table, dict):
        return found
    for key, value in table.items():
        if key.endswith("dependencies") and isinstance(value, dict):
            found |= {
                str(entry["path"])
                for entry in value.values()
                if isinstance(entry, dict) and "path" in entry
            }
        elif key == "patch" and isinstance(value, dict):
            for entries in value.values():
                found |= _path_dependencies({"dependencies": entries})
        elif isinstance(value, dict):
            found |= _path_dependencies(value)
    return found


def _copy(folder: Path, to: Path) -> None:
    try:
        shutil.copytree(folder, to, symlinks=True, ignore=_SKIPPED, dirs_exist_ok=True)
    except shutil.Error as problem:
        first = problem.args[0][0]
        raise InputError(f"cannot be copied: {first[2]}", path=first[0]) from None
