"""The index of vstd's names and the command that builds it."""

from __future__ import annotations

from pathlib import Path

import pytest

from verulaw_gate.errors import InputError, UsageError
from verulaw_gate.gate.vstd_build import build, main
from verulaw_gate.gate.vstd_index import vstd_index

VSTD = """
verus! {
// fn in_a_comment() {}
pub open spec fn visible(x: int) -> bool { true }
#[verifier::inline]
pub open spec fn short(x: int) -> bool { true }
pub struct Thing { pub field: u64 }
pub assume_specification<T, A: Allocator>[ Vec::<T, A>::push ](v: &mut Vec<T, A>, x: T);
pub assume_specification<T>[ <[T]>::len ](s: &[T]) -> usize;
pub assume_specification[ str::len ](s: &str) -> usize;
}
macro_rules! make { ($name:ident) => { pub fn $name() {} } }
make!(made_by_a_macro);
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "vstd-1.2.3"
    home.mkdir()
    (home / "vstd.rs").write_text(VSTD, encoding="utf-8")
    return home


def test_build_reads_declarations_specifications_and_words(folder: Path) -> None:
    index = build(folder)
    values = str(index["values"]).split()
    assert index["vstd"] == "1.2.3"
    assert "visible" in values
    assert "short" in values
    assert "in_a_comment" not in values
    assert str(index["inline"]).split() == ["short"]
    assert {"Thing", "make"} <= set(str(index["others"]).split())
    assert "made_by_a_macro" in str(index["words"]).split()
    assert index["specified"] == ["Vec::push", "slice::len", "str::len"]


def test_build_is_deterministic_and_written_as_json(folder: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    main([str(folder), str(one)])
    main([str(folder), str(two)])
    assert one.read_bytes() == two.read_bytes()


def test_a_folder_that_is_not_vstd_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not the source of vstd"):
        build(tmp_path)
    with pytest.raises(UsageError):
        main([])


def test_the_shipped_index_knows_what_everybody_uses() -> None:
    index = vstd_index()
    assert index.version == "0.0.0-2026-05-31-0205"
    assert {"subrange", "lemma_fundamental_div_mod", "old", "arbitrary"} <= index.words
    assert "lemma_usize_shr_is_div" in index.words
    assert "lemma_usize_shr_is_div" not in index.values
    assert {"Vec::push", "slice::len", "str::len", "Option::unwrap"} <= index.specified
    assert "String::as_bytes" not in index.specified
    assert "take" in index.inline
