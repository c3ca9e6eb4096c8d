"""The experiment file: one TOML file that says everything, stored with the run.

name = "does-gating-lower-retries"
seed = 7                     # of the order of arms and of all draws
samples = 3                  # loops of each task under each arm
tasks = ["t01-max-of-slice"] # ids or folders; or "all"; or selection = "pilot.json"
protocol = "proof"           # a shipped name, or a file beside this one
verus_version = "..."        # optional: the version that results must be of

[plan]                       # what is claimed before the run; see `experiment plan`
hypothesis = "..."
primary_endpoint = "executions"   # or generations, solved, protocol-rejection
baseline = "off"
arm = "on"
difference = -1.0            # per task, in the endpoint's unit
sd = 1.5

[model]                      # how the model is asked; this and the next two: see workshop.py
[verifier]                   # kind = "verus" or "recorded"
[budgets]
generations = 5

[[arms]]
name = "off"
kind = "off"
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from math import inf, isfinite
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from verulaw_gate.errors import ConfigError
from verulaw_gate.experiment.model import Budgets
from verulaw_gate.experiment.selection import read_selection, task_sha256
from verulaw_gate.monitor.model import Mode
from verulaw_gate.record.events import Arm, ArmKind
from verulaw_gate.tasks.assemble import LENIENT_SECTIONS, STRICT
from verulaw_gate.tasks.files import read_text, read_toml
from verulaw_gate.tasks.load import load_suite, load_task
from verulaw_gate.tasks.model import Task

_KEYS = {
    "name", "seed", "samples", "tasks", "selection", "protocol", "verus_version", "plan", "model",
    "verifier", "loop", "budgets", "arms",
}  # fmt: skip
_PLAN_KEYS = {
    "hypothesis", "primary_endpoint", "baseline", "arm", "difference", "sd", "alpha", "power",
}  # fmt: skip
MAX_SAMPLES = 10_000
ENDPOINTS = ("executions", "generations", "solved", "protocol-rejection")
EXTRACTORS = (LENIENT_SECTIONS, STRICT)


@dataclass(frozen=True, slots=True)
class Experiment:
    """A checked experiment file. `toml` is its text, `sha256` that of its bytes: the plan's hash.
    `tasks_sha256` freezes the tasks: their ids, files, targets and fixed code."""

    name: str
    toml: str
    sha256: str
    seed: int
    samples: int
    tasks: tuple[Task, ...]
    tasks_sha256: str
    protocol: str
    arms: tuple[Arm, ...]
    budgets: Budgets
    plan: Mapping[str, Any]
    model: Mapping[str, Any]
    verifier: Mapping[str, Any]
    loop: Mapping[str, Any]
    verus_version: str | None = None
    path: Path | None = None
    selection: Mapping[str, Any] = field(default_factory=dict)

    @property
    def episodes(self) -> int:
        """How many episodes the whole run has."""
        return len(self.tasks) * len(self.arms) * self.samples

    def as_config(self) -> dict[str, Any]:
        """What is stored with the run, besides the arms."""
        return {
            "toml": self.toml,
            "plan": dict(self.plan),
            "tasks": [task.id for task in self.tasks],
            "tasks_sha256": self.tasks_sha256,
            "samples": self.samples,
            "seed": self.seed,
            "protocol": self.protocol,
            "budgets": {f.name: getattr(self.budgets, f.name) for f in fields(Budgets)},
            "model": dict(self.model),
            "verifier": dict(self.verifier),
            "loop": dict(self.loop),
            "selection": dict(self.selection),
        }


def read_experiment(path: Path) -> Experiment:
    """Read and check an experiment file.

    Raises ConfigError (path, line where it is known, hint) for TOML that does not parse, an
    unknown key, a value of the wrong kind, arms or a plan that make no sense; TaskError for tasks
    that do not load or are not those of the selection.
    """
    text = read_text(path, ConfigError)
    table = read_toml(text, ConfigError, path)
    try:
        return _checked(table, text, path)
    except ConfigError as problem:
        if problem.path is None:
            problem.path = str(path)
            problem.line = problem.line or _line(text, problem.message)
        raise


def _checked(table: dict[str, Any], text: str, path: Path) -> Experiment:
    _no_others(table, _KEYS, "")
    arms = _arms(table.get("arms"))
    tasks, selection = _tasks(table, path)
    samples, seed = table.get("samples", 1), table.get("seed", 0)
    if type(samples) is not int or not 1 <= samples <= MAX_SAMPLES:
        raise ConfigError(
            f"'samples' is not a whole number from 1 to {MAX_SAMPLES:,}",
            hint="loops of each task and arm",
        )
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise ConfigError("'seed' is not a whole number", hint="any will do; it is stored")
    name = table.get("name", path.stem)
    if not isinstance(name, str) or not re.fullmatch(r"[\w.+-]{1,150}", name):
        raise ConfigError("'name' is not a name", hint="letters, digits, . + - _")
    protocol, version = table.get("protocol", "proof"), table.get("verus_version")
    for key, value in (("protocol", protocol), ("verus_version", version)):
        if value is not None and not isinstance(value, str):
            raise ConfigError(f"'{key}' is not a text", hint="see docs/experiments.md")
    beside = path.parent / str(protocol)
    return Experiment(
        name=name,
        toml=text,
        sha256=hashlib.sha256(text.encode("utf-8")).hexdigest(),
        seed=seed,
        samples=samples,
        tasks=tasks,
        tasks_sha256=tasks_sha256(tasks),
        protocol=str(beside) if beside.is_file() else str(protocol),
        arms=arms,
        budgets=_budgets(table.get("budgets", {})),
        plan=_plan(table.get("plan", {}), arms),
        model=_table(table, "model"),
        verifier=_table(table, "verifier"),
        loop=_table(table, "loop"),
        verus_version=version,
        path=path,
        selection=selection,
    )


def tasks_sha256(tasks: tuple[Task, ...]) -> str:
    """One hash over everything of the tasks that a model or the judge sees."""
    return hashlib.sha256("".join(task_sha256(task) for task in tasks).encode()).hexdigest()


def _tasks(table: Mapping[str, Any], path: Path) -> tuple[tuple[Task, ...], Mapping[str, Any]]:
    named, selection = table.get("tasks"), table.get("selection")
    if (named is None) == (selection is None):
        raise ConfigError(
            "give 'tasks' or 'selection'", hint='tasks = "all", a list of ids, or a pilot\'s file'
        )
    if selection is not None:
        return read_selection(path.parent / str(selection))
    if named == "all":
        return load_suite(), {}
    if not isinstance(named, list) or not named or not all(isinstance(n, str) for n in named):
        raise ConfigError("'tasks' is not a list of tasks", hint='ids or folders, or "all"')
    found = []
    for name in named:
        beside = path.parent / name
        found.append(load_task(beside if (beside / "task.toml").is_file() else name))
    doubles = {t.id for t in found if sum(o.id == t.id for o in found) > 1}
    if doubles:
        raise ConfigError(f"the task '{min(doubles)}' is there twice", hint="name each once")
    return tuple(found), {}


def _arms(value: Any) -> tuple[Arm, ...]:
    if not isinstance(value, list) or not value:
        raise ConfigError("no [[arms]]", hint="an experiment needs at least one arm")
    arms: list[Arm] = []
    for row in value:
        try:
            arms.append(Arm.model_validate(row))
        except ValidationError as problem:
            first = problem.errors()[0]
            where = ".".join(str(p) for p in first["loc"])
            raise ConfigError(
                f"[[arms]] {row.get('name', '') if isinstance(row, dict) else ''}: "
                f"'{where}': {first['msg']}",
                hint=f"keys: {', '.join(Arm.model_fields)}; kinds: {', '.join(ArmKind)}",
            ) from None
    names = [arm.name for arm in arms]
    for arm in arms:
        _sound(arm, names)
    return tuple(arms)


def _sound(arm: Arm, names: list[str]) -> None:
    def no(what: str, hint: str) -> ConfigError:
        return ConfigError(f"arm '{arm.name}': {what}", hint=hint)

    if not arm.name or names.count(arm.name) > 1:
        raise no("the name is empty or there twice", "give each arm a name of its own")
    if arm.kind is ArmKind.REPLAY:
        raise no("a replay is no arm of an experiment", "use verulaw-gate replay")
    if arm.extractor not in EXTRACTORS:
        raise no(f"unknown extractor '{arm.extractor}'", f"one of {', '.join(EXTRACTORS)}")
    random = arm.kind is ArmKind.RANDOM
    if random and (arm.random_rate is None) == (arm.matched_to is None):
        raise no("give random_rate or matched_to", "a rate from 0 to 1, or the arm to copy")
    if not random and (arm.random_rate is not None or arm.matched_to is not None):
        raise no('random_rate and matched_to are for kind = "random"', "leave them out")
    if arm.matched_to is not None and (arm.matched_to not in names or arm.matched_to == arm.name):
        raise no(f"matched_to: no arm '{arm.matched_to}'", "name another arm of this file")
    if arm.early_stop and arm.kind is not ArmKind.ON:
        raise no('early_stop is for kind = "on"', "other arms read every answer whole")
    acts = arm.kind in (ArmKind.ON, ArmKind.SHADOW_ON)
    if arm.repair and not acts:
        raise no("repair is for arms that act on the gate", "kind on or shadow-on")
    if arm.mode is Mode.EAGER and not acts:
        raise no("mode eager is for arms that act on the monitor", "kind on or shadow-on")


def _budgets(value: Any) -> Budgets:
    if not isinstance(value, dict):
        raise ConfigError("'budgets' is not a table", hint="[budgets]")
    known = {f.name for f in fields(Budgets)}
    _no_others(value, known, "budgets")
    for name, limit in value.items():
        whole = name in ("generations", "executions", "tokens")
        kind = int if whole else (int, float)
        if isinstance(limit, bool) or not isinstance(limit, kind) or not 0 < limit < inf:
            raise ConfigError(f"budgets: '{name}' is not a positive number", hint="say how much")
    return Budgets(**value)


def _plan(value: Any, arms: tuple[Arm, ...]) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ConfigError("'plan' is not a table", hint="[plan]")
    if not value:
        return {}
    _no_others(value, _PLAN_KEYS, "plan")
    if not str(value.get("hypothesis", "")).strip():
        raise ConfigError("plan: no hypothesis", hint="say in a sentence what is expected")
    endpoint = value.get("primary_endpoint")
    if endpoint is None:
        raise ConfigError("plan: no primary_endpoint", hint=f"one of {', '.join(ENDPOINTS)}")
    if endpoint not in ENDPOINTS:
        raise ConfigError(
            f"plan: unknown primary_endpoint '{endpoint}'", hint=f"one of {', '.join(ENDPOINTS)}"
        )
    names = {arm.name for arm in arms}
    for key in ("baseline", "arm"):
        named = value.get(key)
        if (named is None) != (endpoint == "protocol-rejection") or (
            named is not None and named not in names
        ):
            raise ConfigError(
                f"plan: '{key}' is {named!r}",
                hint=f"one of the arms: {', '.join(sorted(names))} (none for protocol-rejection)",
            )
    if endpoint != "protocol-rejection" and value["baseline"] == value["arm"]:
        raise ConfigError("plan: baseline and arm are the same", hint="compare two arms")
    for key in ("difference", "sd", "alpha", "power"):
        number = value.get(key)
        if number is None:
            continue
        if isinstance(number, bool) or not isinstance(number, int | float) or not isfinite(number):
            raise ConfigError(f"plan: '{key}' is not a number", hint="see docs/experiments.md")
        if key in ("alpha", "power") and not 0 < number < 1:
            raise ConfigError(f"plan: '{key}' is not between 0 and 1", hint="0.05 and 0.8, say")
    if (value.get("difference") is None) != (value.get("sd") is None):
        raise ConfigError("plan: give difference and sd together", hint="power needs both")
    if value.get("sd") is not None and value["sd"] <= 0:
        raise ConfigError("plan: 'sd' is not above 0", hint="of the task's mean differences")
    return value


def _table(table: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = table.get(name, {})
    if not isinstance(value, dict):
        raise ConfigError(f"'{name}' is not a table", hint=f"[{name}]")
    return value


def _no_others(table: Mapping[str, Any], known: set[str], where: str) -> None:
    from difflib import get_close_matches

    for key in table:
        if key not in known:
            near = get_close_matches(key, known, 1)
            raise ConfigError(
                f"{where + ': ' if where else ''}unknown key '{key}'",
                hint=f"did you mean '{near[0]}'?" if near else f"known: {', '.join(sorted(known))}",
            )


def _line(text: str, message: str) -> int | None:
    """The line that a message is about: the first that begins with a quoted key of it."""
    for key in re.findall(r"'([^']+)'", message):
        found = re.search(rf'(?m)^\s*(?:\[+)?{re.escape(key)}\b|=\s*"{re.escape(key)}"', text)
        if found is not None:
            return text.count("\n", 0, found.end()) + 1
    return None
