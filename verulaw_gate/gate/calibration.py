"""Measured counts of the rules: how often each rejects files of which Verus's verdict is known.

`calibrate` (in the experiment room) makes the counts; this module holds, writes and reads them.
Counts of different logs are never added up: one log may hold the attempts of another again.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from verulaw_gate.errors import InputError
from verulaw_gate.tasks.files import read_json, read_text

SCHEMA = "verulaw-gate/calibration/1"
SHIPPED = Path(__file__).with_name("calibration.json")
_WRITER = "name a file that `verulaw-gate calibrate --counts` wrote"
_Z = 1.959963984540054  # the 97.5 % point of the normal distribution

Pair = tuple[int, int]
"""k of n."""


def wilson(pair: Pair) -> tuple[float, float] | None:
    """The Wilson 95 % score interval of k of n; None when n is 0 (there is no data)."""
    k, n = pair
    if n == 0:
        return None
    share, square = k / n, _Z * _Z / n
    middle = (share + square / 2) / (1 + square)
    half = _Z / (1 + square) * math.sqrt(share * (1 - share) / n + square / (4 * n))
    low = 0.0 if k == 0 else max(0.0, middle - half)
    high = 1.0 if k == n else min(1.0, middle + half)
    return low, high


@dataclass(frozen=True, slots=True)
class RuleCounts:
    """One rule over one log. The n of each pair counts the attempts of that outcome on which the
    rule ran; where its layer did not run an attempt is in no n.

    `verified`, `proof_failure` (an exceeded rlimit included), `front_end`, `failed` (all that
    Verus refused): attempts that the rule rejects. `confirmed`: of the attempts that it rejects,
    those in which a diagnostic of Verus of the same kind points into the lines of the finding.
    `warned`: attempts in which it only warns. `exposed`: attempts in which the construct that it
    looks at occurs at all, by outcome. `verified_names`, `proof_failure_names`: the attempts that
    it rejects though Verus's front end passes.
    """

    family: str
    verified: Pair = (0, 0)
    proof_failure: Pair = (0, 0)
    front_end: Pair = (0, 0)
    failed: Pair = (0, 0)
    confirmed: Pair = (0, 0)
    warned: Pair = (0, 0)
    exposed: Mapping[str, Pair] = field(default_factory=dict)
    verified_names: tuple[str, ...] = ()
    proof_failure_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Predictive:
    """All predictive rules together, each attempt once. `verified` and `proof_failure` are false
    rejects. `front_end` and `failed` are the failing attempts that were foreseen, `known` the
    attempts (of all) that repeat an earlier one at the same task, whatever other rules say of
    them; `failed_or_known` the failing attempts that are foreseen or known."""

    verified: Pair = (0, 0)
    proof_failure: Pair = (0, 0)
    front_end: Pair = (0, 0)
    failed: Pair = (0, 0)
    known: Pair = (0, 0)
    failed_or_known: Pair = (0, 0)
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Calibration:
    """All counts over one set of logs. `logs`: file name, sha256 and attempts of each.
    `outcomes`: attempts by Verus's outcome. `unscored`: attempts without a usable result or
    without a source; they are in no n. `layers`: of the scored attempts, how many each layer ran
    on. `versions`: Verus versions of the results; `pinned` the version the rules speak of."""

    name: str
    logs: tuple[tuple[str, str, int], ...]
    outcomes: Mapping[str, int]
    unscored: int
    layers: Mapping[str, Pair]
    versions: Mapping[str, int]
    pinned: str
    predictive: Predictive
    rules: Mapping[str, RuleCounts]

    @property
    def scored(self) -> int:
        """Attempts with a result and a source."""
        return sum(self.outcomes.values())


def report_json(calibration: Calibration) -> dict[str, Any]:
    """The object of `calibrate --format json`."""
    found = calibration.predictive
    return {
        "predictive": {
            "false_rejects": {
                "verified": list(found.verified),
                "proof_failure": list(found.proof_failure),
            },
            "foreseen": {
                "front_end": list(found.front_end),
                "failed": list(found.failed),
                "known": list(found.known),
            },
        },
        "rules": {code: _rule_json(counts) for code, counts in calibration.rules.items()},
    }


def _rule_json(counts: RuleCounts) -> dict[str, Any]:
    table = asdict(counts)
    table["intervals"] = {
        key: wilson(getattr(counts, key))
        for key in ("verified", "proof_failure", "front_end", "failed", "confirmed")
    }
    return table


def dump(sets: Sequence[Calibration]) -> str:
    """The file of counts, byte for byte the same for the same counts."""
    document = {"schema": SCHEMA, "sets": [asdict(one) for one in sets]}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def load(path: Path = SHIPPED) -> tuple[Calibration, ...]:
    """The counts in a file; none when the file is not there. Raises InputError for another one."""
    if not path.exists():
        return ()
    document: Any = read_json(read_text(path), InputError, hint=_WRITER, path=path)
    try:
        if document["schema"] != SCHEMA:
            raise KeyError(document["schema"])
        return tuple(_calibration(one) for one in document["sets"])
    except (KeyError, TypeError) as error:
        raise InputError("not a file of counts", path=path, hint=_WRITER) from error


def with_set(sets: Sequence[Calibration], new: Calibration) -> tuple[Calibration, ...]:
    """The sets with `new` in the place of the one of its name, or at the end."""
    if any(one.name == new.name for one in sets):
        return tuple(new if one.name == new.name else one for one in sets)
    return (*sets, new)


def _calibration(table: dict[str, Any]) -> Calibration:
    predictive = Predictive(**{k: _tuple(v) for k, v in table["predictive"].items()})
    rules = {code: _counts(counts) for code, counts in table["rules"].items()}
    known = {f.name for f in fields(Calibration)}
    plain = {k: v for k, v in table.items() if k in known}
    return replace(
        Calibration(**{**plain, "predictive": predictive, "rules": rules}),
        logs=tuple(_tuple(log) for log in table["logs"]),
        layers={name: _tuple(pair) for name, pair in table["layers"].items()},
    )


def _counts(table: dict[str, Any]) -> RuleCounts:
    exposed = {outcome: _tuple(pair) for outcome, pair in table["exposed"].items()}
    plain = {k: _tuple(v) for k, v in table.items() if k != "exposed"}
    return RuleCounts(**{**plain, "exposed": exposed})


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
