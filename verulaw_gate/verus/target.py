"""Was the target itself proved? "0 verified" is exit code 0 and no proof."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from itertools import pairwise

from verulaw_gate.verus.diagnostics import Reading
from verulaw_gate.verus.functions import functions
from verulaw_gate.verus.model import Outcome

_SAYS_NOTHING = frozenset({Outcome.TIMEOUT, Outcome.CRASH, Outcome.TOOL_ERROR})


def target_proved(
    reading: Reading, argv: Sequence[str], *, target: str | None, source: str | None
) -> bool | None:
    """Whether `target` (a function's name) was verified by this run.

    True needs all of: the run verified, its count (where it was kept) is not 0, the run covered
    the target (the entire crate, or `--verify-function` names it), Verus lists it among its
    functions where it lists any, and in `source`, where that is known, it stands in `verus!{}`
    with a body that is not marked external. Verus lists `external_body` functions too, so the
    list alone is no proof. False where one of these is known to fail; None where the run cannot
    say (timeout, crash, tool-error, or a verified run whose target is not named).
    """
    if reading.outcome in _SAYS_NOTHING:
        return None
    if reading.outcome is not Outcome.VERIFIED or reading.verified == 0:
        return False
    if target is None:
        return None
    name = target.rsplit("::", 1)[-1].removeprefix("r#")
    if not _covered(argv, name, reading.entire_crate):
        return False
    listed = None
    if reading.functions is not None:
        listed = any(f.rsplit("::", 1)[-1] == name for f in reading.functions)
    checked = None if source is None else _checked(source, name)
    if listed is False or checked is False:
        return False
    return True if listed or checked else None


def _covered(argv: Sequence[str], name: str, entire_crate: bool | None) -> bool:
    wanted = [
        value.rsplit("::", 1)[-1] for flag, value in pairwise(argv) if flag == "--verify-function"
    ]
    wanted += [a.split("=", 1)[1] for a in argv if a.startswith("--verify-function=")]
    if wanted:
        return any(fnmatchcase(name, pattern) for pattern in wanted)
    return entire_crate is not False


def _checked(source: str, name: str) -> bool:
    places = [p for p in functions(source) if p.name == name]
    return bool(places) and all(p.inside_verus and p.has_body and not p.trusted for p in places)
