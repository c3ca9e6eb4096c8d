"""Other Verus versions against which the static rules were measured.

The rules speak of the pinned version. On any other they only warn, until `verulaw-gate
recalibrate` has measured them there: then those that still hold reject, and those that no longer
do are not run.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from verulaw_gate.codes import CODES
from verulaw_gate.errors import InputError

SCHEMA = "verulaw-gate/verus-versions/1"
SHIPPED = Path(__file__).with_name("verus_versions.json")


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured of one version. `off`: codes that do not hold there, and why. `speaks`:
    how many of the measured files each rule rejects there; a rule that rejects none was not put to
    the test and only warns. `verus_syn`: the parser to pin for it, empty where not known."""

    version: str
    off: Mapping[str, str]
    speaks: Mapping[str, int]
    verus_syn: str = ""

    def holds(self, code: str) -> bool:
        """Whether a rule was put to the test on this version and was never wrong."""
        return code not in self.off and self.speaks.get(code, 0) > 0


@cache
def measured(version: str) -> Measured | None:
    """What was measured of a version; None when nothing was."""
    return next((one for one in load() if one.version == version), None)


def load(path: Path = SHIPPED) -> tuple[Measured, ...]:
    """The versions in a file; none when it is not there. Raises InputError for another file."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["schema"] != SCHEMA:
            raise KeyError("schema")
        found = tuple(Measured(**one) for one in document["versions"])
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            "not a file of measured versions",
            path=path,
            hint="`verulaw-gate recalibrate` writes it",
        ) from error
    for one in found:
        unknown = sorted((set(one.off) | set(one.speaks)) - set(CODES))
        if unknown:
            raise InputError(f"no such rule: {', '.join(unknown)}", path=path)
    return found


def with_version(found: tuple[Measured, ...], new: Measured) -> tuple[Measured, ...]:
    """The versions with `new` in the place of an earlier measurement of it, sorted."""
    kept = [one for one in found if one.version != new.version]
    return tuple(sorted([*kept, new], key=lambda one: one.version))


def dump(found: tuple[Measured, ...]) -> str:
    """The file, byte for byte the same for the same measurements."""
    document = {"schema": SCHEMA, "versions": [asdict(one) for one in found]}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
