"""Was the target itself proved? "0 verified" is exit code 0 and no proof."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from verulaw_gate.verus.diagnostics import Reading
from verulaw_gate.verus.functions import FunctionPlace, functions
from verulaw_gate.verus.keys import normal_args
from verulaw_gate.verus.model import Outcome

_SAYS_NOTHING = frozenset({Outcome.TIMEOUT, Outcome.CRASH, Outcome.TOOL_ERROR})
_GENERICS = re.compile(r"<[^<>]*>")
# Verus lists what the crate uses of these, too; a target is never theirs.
_LIBRARIES = ("vstd::", "core::", "alloc::", "std::", "verus_builtin::")


def target_proved(
    reading: Reading, argv: Sequence[str], *, target: str | None, source: str | None
) -> bool | None:
    """Whether `target` (a function's name, or its path: `push`, `Stack::push`, `a::b::lemma`) was
    verified by this run.

    True needs all of: the run verified, its count (where it was kept) is not 0, the run covered
    the target (the entire crate, or `--verify-function` and the like name it), Verus lists it
    among its functions where it lists any, and in `source`, where that is known, it stands in
    `verus!{}` with a body that is not marked external. Verus lists `external_body` functions too,
    so the list alone is no proof. False where one of these is known to fail; None where the run
    cannot say: timeout, crash, tool-error, a verified run whose target is not named, a name that
    several functions have of which only some were proved, a function that only a macro makes.

    A path that is a function's whole path means that function; any other means all whose path
    ends in it. A method that a trait only declares is proved by its implementations.
    """
    if reading.outcome in _SAYS_NOTHING:
        return None
    if reading.outcome is not Outcome.VERIFIED or reading.verified == 0:
        return False
    if target is None:
        return None
    wanted = _parts(target)
    places = [] if source is None else _meant(functions(source), wanted)
    listed = None if reading.functions is None else _is_listed(reading.functions, wanted[-1])
    if listed is False:
        return False
    if not places:
        if not _covered(argv, wanted, (), reading.entire_crate):
            return False
        return listed if source is None else (None if listed else False)
    proved = {
        p.inside_verus
        and p.has_body
        and not p.trusted
        and _covered(argv, p.path, p.modules, reading.entire_crate)
        for p in places
    }
    return proved.pop() if len(proved) == 1 else None


def _parts(target: str) -> tuple[str, ...]:
    """The names of a path, without generic arguments and without the crate's usual names."""
    shown = target
    while (bare := _GENERICS.sub("", shown)) != shown:
        shown = bare
    names = [part.strip().removeprefix("r#") for part in shown.split("::")]
    while len(names) > 1 and names[0] in ("", "crate", "self", "candidate"):
        del names[0]
    return tuple(names)


def _meant(places: Sequence[FunctionPlace], wanted: tuple[str, ...]) -> list[FunctionPlace]:
    exact = [p for p in places if p.path == wanted]
    # A longer path begins with the name of the crate, which no source text tells.
    found = exact or [p for p in places if _ends(p.path, wanted) or _ends(wanted, p.path)]
    return [p for p in found if p.has_body] or found


def _ends(path: tuple[str, ...], end: tuple[str, ...]) -> bool:
    return path[-len(end) :] == end


def _is_listed(listed: Sequence[str], name: str) -> bool:
    return any(f.rsplit("::", 1)[-1] == name and not f.startswith(_LIBRARIES) for f in listed)


def _covered(
    argv: Sequence[str],
    path: tuple[str, ...],
    modules: tuple[str, ...],
    entire_crate: bool | None,
) -> bool:
    """Whether the options of the run let Verus prove the function with this path."""
    flags = dict.fromkeys(_narrowed(argv))
    patterns = [value for flag, value in flags if flag == "--verify-function"]
    if patterns:
        return any(_matches(path, pattern) for pattern in patterns)
    module = "::".join(modules)
    inside = [
        module == value or (flag == "--verify-module" and module.startswith(f"{value}::"))
        for flag, value in flags
        if flag != "--verify-root"
    ]
    inside += [not modules for flag, _ in flags if flag == "--verify-root"]
    return any(inside) if inside else entire_crate is not False


def _narrowed(argv: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The options that narrow a run to a part of the crate, each with its value."""
    args = normal_args(argv[1:])
    for flag, value in zip(args, (*args[1:], ""), strict=True):
        if flag in ("--verify-function", "--verify-module", "--verify-only-module"):
            yield flag, value
        elif flag == "--verify-root":
            yield flag, ""


def _matches(path: tuple[str, ...], pattern: str) -> bool:
    """Whether `--verify-function PATTERN` names the function: the end of its path, `*` for
    anything."""
    names = tuple(pattern.removeprefix("crate::").split("::"))
    shown = "::".join(path)
    return (
        _ends(path, names)
        or _ends(names, path)
        or ("*" in pattern and (fnmatchcase(shown, pattern) or fnmatchcase(path[-1], pattern)))
    )
