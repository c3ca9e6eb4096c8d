"""The settings: `[tool.verulaw-gate]` of the nearest pyproject.toml, as one frozen value.

An unknown key, an unknown rule or a value of the wrong kind is a `ConfigError` that names the
nearest known name: a misspelt `ignroe` must not silently switch a check off or on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from verulaw_gate.codes import BY_NAME, CODES, Family, Severity
from verulaw_gate.errors import ConfigError

TABLE = "verulaw-gate"


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds. `max_bytes`: a larger input file is refused, not read on (bytes). `verus_seconds`:
    wall clock for one run of Verus that this program bounds itself (seconds)."""

    max_bytes: int = 4_000_000
    verus_seconds: float = 300.0


@dataclass(frozen=True, slots=True)
class Config:
    """All settings. `path` is the file that they were read from (None: the defaults).

    `select`/`ignore`: codes in force; empty `select` means all. `per_file_ignores`: pairs of a
    glob (relative to the folder of `path`) and codes. `severity`: overrides by code. `audit`: the
    share, 0 to 1, of rejected files that `verulaw-gate verus` sends to Verus all the same.
    `verus` is a path, `verus_version` the version that static and syntax rules are to be read
    against; `store` a file or database URL; `baseline` a file of known findings.
    """

    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()
    per_file_ignores: tuple[tuple[str, frozenset[str]], ...] = ()
    severity: Mapping[str, Severity] = field(default_factory=dict)
    limits: Limits = Limits()
    protocol: str | None = None
    verus: str | None = None
    verus_version: str | None = None
    audit: float = 0.0
    store: str | None = None
    baseline: str | None = None
    path: Path | None = None

    @property
    def folder(self) -> Path:
        """The folder that relative paths and globs in the settings mean."""
        return self.path.parent if self.path else Path.cwd()

    def resolve(self, value: str) -> Path:
        """A path setting, relative to the settings' folder."""
        return self.folder / Path(value).expanduser()

    def enabled(self, code: str) -> bool:
        """Whether a code is selected and not ignored (per-file settings aside)."""
        return (not self.select or code in self.select) and code not in self.ignore

    def ignored_in(self, path: str | Path) -> frozenset[str]:
        """The codes that `per-file-ignores` switches off for one file."""
        if not self.per_file_ignores:
            return frozenset()
        from fnmatch import fnmatchcase

        full = Path(path).absolute()
        try:
            name = full.relative_to(self.folder.absolute()).as_posix()
        except ValueError:
            name = full.as_posix()
        codes: set[str] = set()
        for pattern, ignored in self.per_file_ignores:
            if fnmatchcase(name, pattern) or fnmatchcase(full.name, pattern):
                codes |= ignored
        return frozenset(codes)


DEFAULTS = Config()


def codes_of(names: list[str] | tuple[str, ...], *, where: str = "select") -> frozenset[str]:
    """The codes that a list of selectors means. A selector is a code (`VG301`), the beginning of
    one (`VG3`), a rule's name (`assume`), a family (`trust`) or `ALL`.

    Raises ConfigError for one that selects nothing.
    """
    found: set[str] = set()
    for name in names:
        if name == "ALL":
            found |= set(CODES)
        elif name in BY_NAME:
            found.add(BY_NAME[name].code)
        elif name in set(Family):
            found |= {code for code, row in CODES.items() if row.family == name}
        else:
            hits = {code for code in CODES if name.startswith("VG") and code.startswith(name)}
            if not hits:
                raise ConfigError(
                    f"{where}: no rule '{name}'",
                    hint=_nearest(name, [*CODES, *BY_NAME, *Family])
                    or "`verulaw-gate rule` lists all codes",
                )
            found |= hits
    return frozenset(found)


def find_pyproject(start: Path) -> Path | None:
    """The nearest pyproject.toml with a `[tool.verulaw-gate]` table, from `start` upwards."""
    folder = start if start.is_dir() else start.parent
    for place in (folder, *folder.parents):
        path = place / "pyproject.toml"
        # A cheap look first: most pyproject files are not ours and need no parsing.
        if path.is_file() and _mentions(path) and _table(path) is not None:
            return path
    return None


def load(start: Path | None = None) -> Config:
    """The settings for a file or folder (default: the working folder)."""
    path = find_pyproject((start or Path.cwd()).absolute())
    return DEFAULTS if path is None else read(path)


def read(path: Path) -> Config:
    """The settings in one pyproject.toml. Raises ConfigError."""
    return parse(_table(path) or {}, path)


def parse(table: Mapping[str, Any], path: Path | None = None) -> Config:
    """Settings from the contents of the table. Raises ConfigError."""
    try:
        return replace(_parse(table), path=path)
    except ConfigError as error:
        if path is not None:
            error.path = str(path)
            error.line = _line_of(path, error.args[0])
        raise


def _parse(table: Mapping[str, Any]) -> Config:
    _known(table, KEYS, "")
    values: dict[str, Any] = {}
    for key in ("select", "ignore"):
        if key in table:
            values[key] = codes_of(_strings(table[key], key), where=key)
    if "per-file-ignores" in table:
        pairs = _mapping(table["per-file-ignores"], "per-file-ignores")
        values["per_file_ignores"] = tuple(
            (glob, codes_of(_strings(names, "per-file-ignores"), where="per-file-ignores"))
            for glob, names in pairs.items()
        )
    if "severity" in table:
        severities: dict[str, Severity] = {}
        for name, value in _mapping(table["severity"], "severity").items():
            level = severity_of(value)
            severities.update(dict.fromkeys(codes_of([name], where="severity"), level))
        values["severity"] = severities
    if "limits" in table:
        values["limits"] = _limits(_mapping(table["limits"], "limits"))
    for key in ("protocol", "verus", "verus-version", "store", "baseline"):
        if key in table:
            values[key.replace("-", "_")] = _string(table[key], key)
    if "audit" in table:
        values["audit"] = _number(table["audit"], "audit", 0.0, 1.0)
    return Config(**values)


KEYS = (
    "select",
    "ignore",
    "per-file-ignores",
    "severity",
    "limits",
    "protocol",
    "verus",
    "verus-version",
    "audit",
    "store",
    "baseline",
)
LIMIT_KEYS = ("max-bytes", "verus-seconds")


def severity_of(value: object) -> Severity:
    """A severity by its name. Raises ConfigError."""
    if isinstance(value, str) and value in set(Severity):
        return Severity(value)
    near = _nearest(str(value), list(Severity))
    raise ConfigError(
        f"severity: '{value}' is not a severity", hint=near or "one of error, warning, note"
    )


def _limits(table: Mapping[str, Any]) -> Limits:
    _known(table, LIMIT_KEYS, "limits.")
    limits = Limits()
    if "max-bytes" in table:
        size = _number(table["max-bytes"], "limits.max-bytes", 1, 2**40)
        limits = replace(limits, max_bytes=int(size))
    if "verus-seconds" in table:
        seconds = _number(table["verus-seconds"], "limits.verus-seconds", 0.001, 1e7)
        limits = replace(limits, verus_seconds=seconds)
    return limits


def _known(table: Mapping[str, Any], known: tuple[str, ...], prefix: str) -> None:
    for key in table:
        if key not in known:
            raise ConfigError(
                f"unknown key '{prefix}{key}'",
                hint=_nearest(key, list(known)) or f"known keys: {', '.join(known)}",
            )


def _nearest(name: str, known: list[str]) -> str:
    from difflib import get_close_matches

    folded = {k.lower(): k for k in known}
    near = get_close_matches(name.lower().replace("_", "-"), list(folded), n=1, cutoff=0.5)
    return f"did you mean '{folded[near[0]]}'?" if near else ""


def _string(value: object, key: str) -> str:
    if not isinstance(value, str) or not value:
        raise ConfigError(f"{key}: expected a string", hint=f'for example {key} = "..."')
    return value


def _strings(value: object, key: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ConfigError(f"{key}: expected a list of strings", hint='for example ["VG301"]')
    return value


def _mapping(value: object, key: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ConfigError(f"{key}: expected a table", hint=f"write [tool.{TABLE}.{key}]")
    return value


def _number(value: object, key: str, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        raise ConfigError(f"{key}: expected a number from {low:g} to {high:g}", hint="")
    return value


def _mentions(path: Path) -> bool:
    try:
        return TABLE.encode() in path.read_bytes()
    except OSError:
        return False


def _table(path: Path) -> Mapping[str, Any] | None:
    import tomllib

    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise ConfigError("not UTF-8", path=path, hint="pyproject.toml is UTF-8") from error
    except OSError as error:
        raise ConfigError(
            f"cannot be read: {error.strerror}", path=path, hint="check its path and permissions"
        ) from error
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        raise ConfigError(
            f"not TOML: {re.sub(r' *[(]at .*[)]$', '', str(error))}",
            path=path,
            line=int(place[1]) if place else None,
            column=int(place[2]) if place else None,
        ) from error
    except RecursionError as error:
        raise ConfigError("nested too deep", path=path) from error
    tool = document.get("tool", {})
    table = tool.get(TABLE) if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"tool.{TABLE}: expected a table", path=path)
    return table


def _line_of(path: Path, message: str) -> int | None:
    """The line that a message is about: where its quoted name or key stands after our table's
    header. The TOML reader keeps no places, so this is a search, and None when it finds none."""
    quoted = re.search(r"'([^']+)'", message)
    words = [quoted[1].removeprefix("limits.")] if quoted else []
    words.append(message.split(":", 1)[0].removeprefix("limits."))
    lines = path.read_text(encoding="utf-8").split("\n")
    start = next((n for n, line in enumerate(lines) if TABLE in line), 0)
    for word in words:
        # the bare text, not part of a longer key
        pattern = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
        for number, line in enumerate(lines[start:], start + 1):
            if pattern.search(line.split(" #", 1)[0]):
                return number
    return None
