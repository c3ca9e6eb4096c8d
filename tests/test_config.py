"""Settings: what is read, what is refused, and that a misspelt key is never silent."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verulaw_gate import config
from verulaw_gate.codes import BY_NAME, CODES, Family, Severity
from verulaw_gate.config import Config, codes_of, load, parse, read
from verulaw_gate.errors import ConfigError


def write(folder: Path, body: str) -> Path:
    path = folder / "pyproject.toml"
    path.write_text(body, encoding="utf-8")
    return path


def test_every_key_is_read(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """
[project]
name = "x"

[tool.verulaw-gate]
select = ["trust", "VG1"]
ignore = ["external-body"]
protocol = "proof"
verus = "tools/verus"
verus-version = "0.2026.06.08"
audit = 0.05
store = "runs.db"
baseline = "baseline.json"

[tool.verulaw-gate.per-file-ignores]
"vendor/*" = ["VG3"]

[tool.verulaw-gate.severity]
assume = "warning"

[tool.verulaw-gate.limits]
max-bytes = 1000
verus-seconds = 2.5
""",
    )
    settings = read(path)
    trust = {c for c, row in CODES.items() if row.family is Family.TRUST}
    assert settings.select == trust | {"VG101", "VG102", "VG104", "VG105", "VG107"}
    assert settings.ignore == {"VG303"}
    assert settings.protocol == "proof"
    assert settings.resolve(settings.verus or "") == tmp_path / "tools" / "verus"
    assert settings.verus_version == "0.2026.06.08"
    assert settings.audit == 0.05
    assert settings.store == "runs.db"
    assert settings.baseline == "baseline.json"
    assert settings.severity == {"VG301": Severity.WARNING}
    assert settings.limits.max_bytes == 1000
    assert settings.limits.verus_seconds == 2.5
    assert settings.ignored_in(tmp_path / "vendor" / "a.rs") == trust
    assert settings.ignored_in(tmp_path / "src" / "vendor.rs") == frozenset()
    assert settings.enabled("VG301")
    assert not settings.enabled("VG303")
    assert not settings.enabled("VG401")


@pytest.mark.parametrize(
    ("body", "line", "message", "hint"),
    [
        ('ignroe = ["VG301"]', 3, "unknown key 'ignroe'", "did you mean 'ignore'?"),
        ("verus_version = '1'", 3, "unknown key 'verus_version'", "'verus-version'"),
        ("limits = {max-byte = 3}", 3, "unknown key 'limits.max-byte'", "'max-bytes'"),
        ('select = ["VG999"]', 3, "no rule 'VG999'", "did you mean"),
        ('\nselect = ["asume"]', 4, "no rule 'asume'", "'assume'"),
        ('severity = {assume = "eror"}', 3, "'eror' is not a severity", "'error'"),
        ('select = "VG301"', 3, "select: expected a list", "VG301"),
        ("select = [1]", 3, "select: expected a list", "VG301"),
        ("audit = 2", 3, "audit: expected a number from 0 to 1", ""),
        ("audit = nan", 3, "audit: expected a number", ""),
        ("audit = true", 3, "audit: expected a number", ""),
        ("verus = 3", 3, "verus: expected a string", ""),
        ('per-file-ignores = ["x"]', 3, "per-file-ignores: expected a table", ""),
        ("limits.max-bytes = 0", 3, "limits.max-bytes: expected a number", ""),
    ],
)
def test_wrong_settings_name_the_place_and_the_remedy(
    tmp_path: Path, body: str, line: int, message: str, hint: str
) -> None:
    path = write(tmp_path, f"# a comment\n[tool.verulaw-gate]\n{body}\n")
    with pytest.raises(ConfigError) as caught:
        read(path)
    assert message in caught.value.message
    assert hint in caught.value.hint
    assert caught.value.path == str(path)
    assert caught.value.line == line


@given(st.text(min_size=1, max_size=12).filter(lambda k: k not in config.KEYS))
def test_any_unknown_key_is_an_error(key: str) -> None:
    with pytest.raises(ConfigError, match="unknown key"):
        parse({key: 1})


def test_not_toml_says_where(tmp_path: Path) -> None:
    path = write(tmp_path, "[tool.verulaw-gate]\nselect = [\n")
    with pytest.raises(ConfigError) as caught:
        load(tmp_path)
    assert caught.value.path == str(path)
    assert "not TOML" in caught.value.message


def test_the_nearest_table_wins_and_foreign_files_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path, "[tool.verulaw-gate]\nprotocol = 'outer'\n")
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    write(inner, "[project]\nname = 'x'  # verulaw-gate\n")
    assert load(inner).protocol == "outer"
    write(tmp_path / "a", "[tool.verulaw-gate]\nprotocol = 'inner'\n")
    assert load(inner).protocol == "inner"
    assert load(inner / "missing.rs").protocol == "inner"


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    settings = Config()
    assert all(settings.enabled(code) for code in CODES)
    assert settings.audit == 0.0


@given(st.sampled_from([*CODES, *BY_NAME, *Family, "ALL", "VG", "VG1", "VG25"]))
def test_a_selector_means_at_least_one_code_and_only_codes(name: str) -> None:
    found = codes_of([name])
    assert found
    assert found <= set(CODES)


def test_reading_settings_needs_no_heavy_library(tmp_path: Path) -> None:
    write(tmp_path, "[tool.verulaw-gate]\nselect = ['VG3']\n")
    program = (
        "import sys; from pathlib import Path; from verulaw_gate.config import load;"
        f"load(Path({str(tmp_path)!r}));"
        "print([m for m in ('pydantic','sqlalchemy','httpx','scipy','rich','lark')"
        " if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
