"""Reading text, lines, JSON and TOML: one clear error for whatever can't be read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from verulaw_gate.errors import LogError, TaskError
from verulaw_gate.tasks.files import (
    read_json,
    read_lines,
    read_text,
    read_toml,
    write_lines,
    write_text,
)

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(VALUES, st.booleans())
def test_json_says_what_json_says(value: object, escaped: bool) -> None:
    text = json.dumps(value, ensure_ascii=escaped)
    assert read_json(text, TaskError, hint="") == value


UNREADABLE = {
    "{": "not JSON",
    "[" * 100_000 + "]" * 100_000: "nested too deep",
    '{"a": ' + "1" * 5000 + "}": "too many digits",
    '{"a": ["\\udc80"]}': "half of a surrogate pair",
    '{"\\ud83d": 1}': "half of a surrogate pair",
}


@pytest.mark.parametrize("text", UNREADABLE, ids=UNREADABLE.values())
def test_json_that_cannot_be_read_is_one_error_at_its_place(text: str) -> None:
    with pytest.raises(LogError, match=UNREADABLE[text]) as told:
        read_json(text, LogError, hint="do so", path=Path("x"), line=7)
    assert (told.value.path, told.value.line, told.value.hint) == ("x", 7, "do so")


def test_a_pair_is_a_character_and_a_half_is_kept_where_it_may_be() -> None:
    assert read_json('"\\ud83d\\ude00"', LogError, hint="") == "\U0001f600"
    assert read_json('"\\udc80"', LogError, hint="", half_pairs=True) == "\udc80"


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("a = 1\nb = [", "not TOML"),
        ("a = " + "[" * 50_000, "nested too deep|not TOML"),
        ("a = " + "1" * 5000, "too many digits"),
    ],
)
def test_toml_that_cannot_be_read_is_one_error(text: str, sign: str) -> None:
    with pytest.raises(TaskError, match=sign):
        read_toml(text, TaskError, Path("x.toml"))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.text(alphabet="ab \n\r\u2028\ufeff\0é", max_size=30))
def test_lines_are_those_between_line_feeds(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x"
    path.write_bytes(text.encode())
    found = list(read_lines(path, LogError, limit=1000))
    parts = text.removeprefix("\ufeff").split("\n")
    wanted = [(n, line) for n, line in enumerate(parts, 1) if line.strip()]
    assert [(n, line.removesuffix("\n")) for n, line in found] == wanted


def test_files_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    bad = tmp_path / "bad"
    bad.write_bytes(b"ok\n\xff\n")
    long = tmp_path / "long"
    long.write_text("ok\n" + "x" * 20)
    for path, line, sign in (
        (tmp_path / "none", None, "no such file"),
        (tmp_path, None, "is a directory"),
        (bad, 2, "not UTF-8"),
        (long, 2, "more than 10 bytes"),
    ):
        with pytest.raises(LogError, match=sign) as told:
            list(read_lines(path, LogError, limit=10))
        assert (told.value.path, told.value.line) == (str(path), line)
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(TaskError):
            read_text(path, TaskError)
    for path in (tmp_path, tmp_path / "none" / "x", bad / "x"):
        with pytest.raises(TaskError, match="cannot be written"):
            write_text(path, "x", TaskError)


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    """Whatever ends the writing: the old text stands whole, and no draft is left beside it."""
    path = tmp_path / "report.md"
    path.write_text("old\n", encoding="utf-8")
    path.chmod(0o640)

    def lines(problem: Exception) -> Iterator[str]:
        yield "half of the new"
        raise problem

    for problem in (OSError(28, "No space left on device"), ValueError("a bug")):
        with pytest.raises((TaskError, ValueError)):
            write_lines(path, lines(problem), TaskError)
        assert path.read_text(encoding="utf-8") == "old\n"
        assert [p.name for p in tmp_path.iterdir()] == ["report.md"]
    write_lines(path, ["new\n"])
    assert path.read_text(encoding="utf-8") == "new\n"
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_link_or_a_device_is_written_in_place(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old", encoding="utf-8")
    link.symlink_to(real)
    write_lines(link, ["new"])
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8") == "new"
    write_lines(Path("/dev/null"), ["gone"])
    assert Path("/dev/null").is_char_device()
