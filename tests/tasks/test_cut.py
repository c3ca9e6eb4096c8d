"""Holes cut into files, and importers: every imported task can be filled again."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest

from verulaw_gate.errors import TaskError, UsageError
from verulaw_gate.tasks import assemble_lenient, labelled_traces, load_suite, load_task
from verulaw_gate.tasks.cut import cut_function
from verulaw_gate.tasks.importers import import_tasks
from verulaw_gate.tasks.tokens import read_tokens

SUITE = load_suite()


def words(text: str) -> list[str]:
    return [token.text for token in read_tokens(text) or []]


@pytest.mark.parametrize("task", SUITE, ids=lambda t: t.id)
def test_cutting_a_whole_file_gives_the_task_back(task: object) -> None:
    """Fill the holes with the reference, cut the target out again: the same fixed tokens, with
    what were lemmas now fixed, and the same body fills the file again."""
    source = assemble_lenient(task, task.reference).source
    cut = cut_function(source, task.target)
    body = task.reference.split("[Body]")[1].split("[QED]")[0]
    again = assemble_lenient(
        type(task)(**{**{f: getattr(task, f) for f in task.__slots__}, "source": cut.source}),
        f"[Body]{body}[QED]\n",
    ).source
    assert words(again) == words(source)
    assert cut.proof == (task.kind.value == "proof")


def test_braces_in_the_specification_are_not_the_body() -> None:
    source = """use vstd::prelude::*;
verus! {
/// doc { of the target
#[verifier::loop_isolation(false)]
pub fn f(x: Option<u8>) -> (r: u8)
    ensures
        match x { Some(y) => r == y, None => { r == 0 } },
        if r > 1 { true } else { r < 2 },
{ /* } */ '{'; "}"; 1 }
fn g() {}
}
"""
    cut = cut_function(source, "f")
    assert "//@ body\nfn g() {}" in cut.source
    assert cut.source.index("//@ lemmas") < cut.source.index("#[verifier")
    assert "if r > 1 { true } else { r < 2 }" in cut.source
    assert "'{'" not in cut.source


@pytest.mark.parametrize(
    ("source", "target", "sign"),
    [
        ("fn f() {}", "f", "no verus"),
        ("verus!{ fn f(); }", "f", "no body"),
        ("verus!{ fn f() {} }", "g", "0 times"),
        ("verus!{ mod a { fn f() {} } mod b { fn f() {} } }", "f", "2 times"),
        ("verus!{ /* ", "f", "left open"),
    ],
)
def test_what_can_not_be_cut(source: str, target: str, sign: str) -> None:
    with pytest.raises(TaskError, match=sign):
        cut_function(source, target)


def row(**changes: object) -> dict[str, object]:
    base = {
        "id": "VT0001",
        "language": "verus",
        "source": "own",
        "source-id": "1",
        "vc-description": "Return one.",
        "vc-preamble": "use vstd::prelude::*;\n\nverus! {",
        "vc-helpers": "",
        "vc-spec": "fn one() -> (r: u8)\n    ensures\n        r == 1,",
        "vc-code": "{\n    assume(false);\n    0\n}",
        "vc-postamble": "}\nfn main() {}",
        "qa-score": 1,
    }
    return {**base, **changes}


ROWS = [
    row(),
    row(id="VT0002", **{"vc-helpers": "spec fn given() -> int { 1 }"}),
    row(id="VT0003", language="dafny"),
    row(id="VT0004", **{"vc-code": "assume(false)"}),
    row(id="VT0005", **{"vc-spec": "requires true"}),
    row(id="VT0006", **{"vc-preamble": "//@ body"}),
    row(),
    row(id=""),
]


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_vericoding_rows(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"bench.{kind}"
    if kind == "jsonl":
        path.write_text("".join(json.dumps(r) + "\n" for r in ROWS))
    else:
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, ROWS[0].keys())
            writer.writeheader()
            writer.writerows(ROWS)
    done = import_tasks(path, tmp_path / "tasks")
    assert [p.name for p in done.imported] == ["VT0001", "VT0002"]
    reasons = [p.message for p in done.problems]
    assert len(reasons) == 6
    for sign, reason in zip(
        ["dafny", "no block", "no function", "second time", "already", "no id"],
        reasons,
        strict=True,
    ):
        assert sign in reason
    assert all(p.path == str(path) and p.line for p in done.problems)
    task = load_task(done.imported[1])
    assert task.target == "one"
    filled = assemble_lenient(task, "[Lemma]\nproof fn l() {}\n[Body]\n{ 1 }\n[QED]\n").source
    assert words(filled) == words(
        "use vstd::prelude::*; verus! { spec fn given() -> int { 1 } proof fn l() {}"
        " fn one() -> (r: u8) ensures r == 1, { 1 } } fn main() {}"
    )
    assert sorted(p.name for p in (tmp_path / "tasks").iterdir()) == ["VT0001", "VT0002"]


def test_a_verus_file(tmp_path: Path) -> None:
    source = assemble_lenient(SUITE[0], SUITE[0].reference).source
    path = tmp_path / "mine.rs"
    path.write_text(source)
    done = import_tasks(path, tmp_path / "t", target=SUITE[0].target)
    task = load_task(done.imported[0])
    assert task.id == f"mine-{SUITE[0].target}"
    with pytest.raises(UsageError, match="--target"):
        import_tasks(path, tmp_path / "t")
    with pytest.raises(UsageError, match="no kind"):
        import_tasks(tmp_path / "x.txt", tmp_path / "t")


@pytest.mark.parametrize(
    ("spoil", "sign", "line"),
    [
        (
            lambda d: (d / "task.rs").write_text("verus!{\n//@ lemmas\nfn max_of_slice(){}\n}"),
            "'//@ body' is missing",
            1,
        ),
        (
            lambda d: (d / "task.rs").write_text("//@ body\n//@ lemmas\n//@ body\nfn max_of_slice"),
            "second time",
            3,
        ),
        (lambda d: (d / "task.rs").unlink(), "no such file", None),
        (lambda d: (d / "task.rs").write_bytes(b"\n\xff"), "not UTF-8", 2),
        (
            lambda d: (d / "reference.txt").write_text("[Body]\n{}\n[Body]\n{}\n[QED]\n"),
            "reference does not assemble",
            3,
        ),
        (lambda d: (d / "reference.txt").unlink(), "no such file", None),
        (lambda d: (d / "task.toml").write_text("id = \n"), "not TOML", 1),
        (lambda d: _edit(d / "task.toml", 'kind = "exec"', 'kind = "guess"'), "unknown kind", 6),
        (lambda d: _edit(d / "task.toml", "title", "titel"), "unknown field 'titel'", 2),
        (lambda d: _edit(d / "task.toml", "max_of_slice", "min_of"), "no function of task.rs", 7),
        (lambda d: _edit(d / "task.toml", "t01-max", "t99-max"), "is not the folder's name", 1),
        (lambda d: (d / "traces" / "gate-fenced.txt").unlink(), "no such trace", 31),
        (lambda d: (d / "traces" / "more.txt").write_text(""), "without a label", None),
        (lambda d: _edit(d / "traces" / "labels.toml", '"assume"', '"asume"'), "asume", 37),
        (lambda d: _edit(d / "task.rs", "s@.len() > 0", "s@.len() > 1"), "source_sha256", None),
        (lambda d: (d / "verus" / "ghost.json").write_text("{}"), "missing", 1),
        (
            lambda d: shutil.copy(d / "verus" / "reference.json", d / "verus" / "new.json"),
            "no such trace",
            1,
        ),
        (
            lambda d: shutil.copy(d / "verus/reference.json", d / "verus_lenient/reference.json"),
            "extractor",
            1,
        ),
        (
            lambda d: shutil.copy(d / "verus/reference.json", d / "verus/proto-chatty.json"),
            "does not assemble",
            1,
        ),
    ],
)
def test_each_fault_is_one_clear_error(
    tmp_path: Path, spoil: object, sign: str, line: int | None
) -> None:
    from verulaw_gate.tasks import check_task

    folder = tmp_path / SUITE[0].id
    shutil.copytree(SUITE[0].path, folder)
    assert check_task(folder) == []
    spoil(folder)
    problems = check_task(folder)
    assert problems
    assert sign in problems[0].message
    assert problems[0].hint
    assert problems[0].path
    assert problems[0].path.startswith(str(folder))
    if line is not None:
        assert problems[0].line == line


def _edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_names_and_prefixes() -> None:
    assert load_task("t01").id == "t01-max-of-slice"
    assert len(labelled_traces(load_task("t01-max-of-slice"))) == 10
    with pytest.raises(TaskError, match="fits several"):
        load_task("t0")
    with pytest.raises(TaskError, match="no task 'zz'"):
        load_task("zz")
    with pytest.raises(TaskError):
        load_suite(Path(__file__).parent)
