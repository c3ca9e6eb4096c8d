"""The few questions that are put to git: where a repository is, and a file at a revision."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from verulaw_gate.errors import ToolError, UsageError

# A hook runs with these set for its own repository; we ask about the repository of the file.
_HOOK_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")


def _run(folder: str, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    env = {k: v for k, v in os.environ.items() if k not in _HOOK_VARIABLES}
    try:
        return subprocess.run(
            ["git", "-C", folder, *arguments], input=stdin, capture_output=True, env=env
        )
    except FileNotFoundError as error:
        raise ToolError("git is not there", hint="put git on PATH, or name a base file") from error


@cache
def toplevel(folder: str) -> str | None:
    """The root of the repository that a folder is in; None outside any.

    Raises ToolError when git refuses to say (a repository of another owner, a broken one).
    """
    done = _run(folder, "rev-parse", "--show-toplevel")
    if done.returncode == 0:
        return os.fsdecode(done.stdout.removesuffix(b"\n"))
    message = done.stderr.decode("utf-8", "replace").strip()
    if "not a git repository" in message or "must be run in a work tree" in message:
        return None
    raise ToolError(f"git: {message.splitlines()[0] if message else 'failed'}", path=folder)


def knows(root: str, revision: str) -> bool:
    """Whether a name is one of a commit."""
    return _commit(root, revision).returncode == 0


def _commit(root: str, revision: str) -> subprocess.CompletedProcess[bytes]:
    name = revision + "^{commit}"
    return _run(root, "rev-parse", "--verify", "--quiet", "--end-of-options", name)


def commit_of(root: str, revision: str) -> str | None:
    """The full name of the commit that a revision means. None for HEAD before the first commit:
    then nothing is there yet and every file is new.

    Raises UsageError for a revision that git does not know, ToolError for a HEAD whose commit is
    not there.
    """
    done = _commit(root, revision)
    if done.returncode == 0:
        return done.stdout.decode("ascii").strip()
    if revision in ("HEAD", "@"):
        if _run(root, "rev-parse", "--verify", "--quiet", "HEAD").returncode == 0:
            raise ToolError("git: the commit of HEAD cannot be read", path=root, hint="git fsck")
        return None
    raise UsageError(
        f"--against: '{revision}' is neither a file nor a revision of {root}",
        hint="give a commit, branch or tag, or the path of a base file",
    )


def inside(path: str) -> tuple[str, str] | None:
    """The repository root of a file and the file's path in it; None outside any repository."""
    real = Path(os.path.realpath(path))
    folder = real.parent
    while not folder.is_dir():
        folder = folder.parent
    root = toplevel(str(folder))
    if root is None:
        return None
    return root, real.relative_to(os.path.realpath(root)).as_posix()


def blobs(root: str, commit: str, paths: Sequence[str]) -> dict[str, bytes | None]:
    """The contents of files at a commit, None for a path that it does not have. One process for
    all of them."""
    lined = [p for p in paths if "\n" not in p]
    names = "".join(f"{commit}:{p}\n" for p in lined)
    done = _run(root, "cat-file", "--batch", stdin=os.fsencode(names))
    if done.returncode:
        message = done.stderr.decode("utf-8", "replace").strip()
        raise ToolError(f"git cat-file: {message}", path=root)
    found: dict[str, bytes | None] = {}
    data, at = done.stdout, 0
    for path in lined:
        end = data.index(b"\n", at)
        header = data[at:end]
        at = end + 1
        found[path] = None
        kind, _, size = header.rpartition(b" ")
        if size.isdigit():  # else "... missing"
            if kind.endswith(b" blob"):
                found[path] = data[at : at + int(size)]
            at += int(size) + 1
    for path in paths:
        if path not in found:  # a line feed in the name: the batch form cannot say it
            done = _run(root, "cat-file", "blob", f"{commit}:{path}")
            found[path] = done.stdout if done.returncode == 0 else None
    return found
