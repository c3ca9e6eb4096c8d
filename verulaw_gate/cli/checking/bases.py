"""What each file is compared with: `--against REV|FILE`, a task, or nothing."""

from __future__ import annotations

import os
from collections.abc import Sequence

from verulaw_gate.cli.checking import git
from verulaw_gate.cli.checking.inputs import STDIN, decode, read_text
from verulaw_gate.cli.checking.model import NO_BASE, Base, BaseKind
from verulaw_gate.errors import InputError, UsageError, VerulawError


def bases(
    paths: Sequence[str], against: str | None, max_bytes: int
) -> dict[str, Base | VerulawError]:
    """The base of every path. `against` is the path of a file (the base of all of them), or else
    a revision (each file against its version there; a file that is not there is new).

    Raises UsageError: an unknown revision, a name that a file and a revision have, a file outside
    any repository, standard input against a revision. Raises InputError for a base file that
    cannot be read; a version in the revision that cannot be read is the error of that one file,
    and its value here.
    """
    if against is None:
        return dict.fromkeys(paths, NO_BASE)
    if os.path.isdir(against):
        raise UsageError(f"--against: '{against}' is a folder", hint="name a file or a revision")
    if os.path.exists(against):
        _refuse_both(against)
        base = Base(BaseKind.FILE, against, read_text(against, max_bytes).text)
        return dict.fromkeys(paths, base)
    return at_revision(paths, against)


def _refuse_both(against: str) -> None:
    """A change may bring a file of the name of a branch, and with it a base to its liking."""
    root = git.inside(against)
    plain = not against.endswith(".rs") and not against.startswith((".", "/"))
    if plain and root is not None and git.knows(root[0], against):
        raise UsageError(
            f"--against: '{against}' is a file and a revision",
            hint=f"write ./{against} for the file, or the full name (refs/heads/{against})",
        )


def at_revision(paths: Sequence[str], revision: str) -> dict[str, Base | VerulawError]:
    """The base of every path at a revision: see `bases`."""
    grouped: dict[str, dict[str, str]] = {}
    for path in paths:
        if path == STDIN:
            raise UsageError(
                "--against a revision needs a file name",
                hint="give --stdin-filename, or a base file to compare standard input with",
            )
        place = git.inside(path)
        if place is None:
            hint = "give --against the path of a base file"
            if not os.path.exists(path):
                hint = f"there is no {path} either"
            raise UsageError(
                f"--against: '{revision}' is no file, and {path} is in no git repository",
                hint=hint,
            )
        grouped.setdefault(place[0], {})[path] = place[1]
    found: dict[str, Base | VerulawError] = {}
    for root, names in grouped.items():
        commit = git.commit_of(root, revision)
        contents = git.blobs(root, commit, list(names.values())) if commit else {}
        for path, name in names.items():
            data = contents.get(name)
            # An empty file then is like no file: nothing of it could be changed.
            if data is None or not data.strip():
                found[path] = Base(BaseKind.NEW, revision, "")
            else:
                try:
                    text = decode(data, f"{revision}:{name}").text
                    found[path] = Base(BaseKind.REVISION, revision, text)
                except InputError as error:
                    found[path] = error
    return found
