"""Tools: what they answer, and that none writes what it does not declare."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from verulaw_gate.agent.audit import watched
from verulaw_gate.agent.schedule import Resources
from verulaw_gate.agent.tools import Calculator, SearchVstd, ToolBox, VerusTool, without_target
from verulaw_gate.agent.vstd_items import VstdItem, VstdItems, build, vstd_items, write
from verulaw_gate.errors import InputError, RecordedMiss, UsageError
from verulaw_gate.gate import Gate
from verulaw_gate.gate.context import View
from verulaw_gate.tasks import assemble_lenient, labelled_traces, load_suite, load_task
from verulaw_gate.verus import Outcome, RecordedVerifier, Verification, VerusVerifier

pytestmark = pytest.mark.anyio
SUITE = load_suite()
TASK = load_task("t01-max-of-slice")
TRACES = {trace.name: trace.text for trace in labelled_traces(TASK)}
RECORDED = RecordedVerifier.of([TASK])


class Seen:
    """A verifier that keeps what it was asked and answers always the same."""

    def __init__(self, outcome=Outcome.VERIFIED, proved=None):
        self.asked, self._outcome, self._proved = [], outcome, proved

    def verify(self, source, options, *, target=None):
        self.asked.append((source, target))
        return Verification(self._outcome, self._proved, "0" * 64, options, verified=1)


async def test_verus_on_a_whole_candidate(anyio_backend):
    tool = VerusTool(TASK, RECORDED)
    assert "accepts `max_of_slice`" in await tool.run(TRACES["reference"])
    said = await tool.run(TRACES["fail-no-witness"])
    assert "could not prove" in said
    assert "in your [Body], line" in said
    with pytest.raises(RecordedMiss):
        await tool.run("[Body]\n{ unseen }\n[QED]")
    with pytest.raises(InputError):
        await tool.run(" \n")


async def test_the_gate_speaks_first(anyio_backend):
    seen = Seen()
    tool = VerusTool(TASK, seen, gate=Gate(TASK).check_source)
    assert "assume" in await tool.run(TRACES["gate-assume-tail"])
    assert seen.asked == []


async def test_verus_on_lemmas_leaves_the_target_out(anyio_backend):
    seen = Seen()
    tool = VerusTool(TASK, seen)
    assert "the target is left out" in await tool.run("proof fn a() ensures true { }")
    ((source, target),) = seen.asked
    assert target is None
    assert "proof fn a()" in source
    assert "max_of_slice" not in source


def test_without_target_takes_out_the_target_and_nothing_else():
    """For every task: the target's function is gone, every other item is there as it was."""
    for task in SUITE:
        assembly = assemble_lenient(task, task.reference)
        cut = without_target(assembly, task.target)
        name = task.target.rsplit("::", 1)[-1]
        before = [i.key for i in View(assembly.source).all_items]
        after = [i.key for i in View(cut.source).all_items]
        gone = [key for key in before if key not in after]
        assert gone == [key for key in before if key[-1] == f"fn {name}"], task.id
        for piece in cut.pieces:
            stretch = slice(piece.source_start, piece.source_end)
            assert cut.source[stretch] == assembly.source[stretch]
    with pytest.raises(UsageError):
        without_target(assembly, "nosuch")


async def test_search(anyio_backend):
    tool = SearchVstd()
    said = await tool.run("Seq push len")
    assert said.startswith("vstd 0.0.0-2026-05-31-0205:")
    assert "vstd::seq::axiom_seq_push_len" in said
    assert "vstd::seq::Seq::push" in await tool.run("Seq::push")
    assert "nothing" in await tool.run("zzzzqqqq")
    with pytest.raises(InputError):
        await tool.run("::!")
    with pytest.raises(InputError) as caught:
        await SearchVstd(Path("/nowhere.json")).run("seq")
    assert "make one" in caught.value.hint


def test_an_index_of_another_vstd(tmp_path):
    folder = tmp_path / "vstd-9.9"
    (folder / "arithmetic").mkdir(parents=True)
    (folder / "vstd.rs").write_text("pub mod seq;\n")
    (folder / "seq.rs").write_text(
        "verus! {\n/// doc\npub struct Seq<A> { a: A }\nimpl<A> Seq<A> where A: Copy {\n"
        "    pub open spec fn push(self, a: A) -> Seq<A> { self }\n    fn hidden() { }\n}\n"
        "proof fn private_lemma() { }\n} // verus!\n"
    )
    (folder / "arithmetic" / "power.rs").write_text(
        "verus! {\npub proof fn lemma_pow(b: int) // why\n    requires b > 0,\n{ }\n}\n"
    )
    index = build(folder)
    assert index.version == "9.9"
    assert [(i.path, i.text) for i in index.items] == [
        ("vstd::arithmetic::power::lemma_pow", "pub proof fn lemma_pow(b: int) requires b > 0,"),
        ("vstd::seq::Seq", "pub struct Seq<A>"),
        ("vstd::seq::Seq::push", "pub open spec fn push(self, a: A) -> Seq<A>"),
    ]
    bare = {i.path: i.text for i in build(folder, contracts=False).items}
    assert bare["vstd::arithmetic::power::lemma_pow"] == "pub proof fn lemma_pow(b: int)"
    write(index, tmp_path / "index.json")
    assert vstd_items(tmp_path / "index.json") == index
    assert vstd_items(folder) == index
    with pytest.raises(InputError, match=r"no vstd\.rs"):
        build(tmp_path)


def test_search_orders_by_the_words_of_names_first():
    rows = [("a::push_len", "fn"), ("b::other", "push len"), ("c::push", "fn"), ("d::x", "y")]
    items = [VstdItem(f"vstd::{name}", "fn", text) for name, text in rows]
    found = VstdItems("1", tuple(items)).search("push len")
    assert [i.path for i in found] == ["vstd::a::push_len", "vstd::c::push", "vstd::b::other"]
    assert VstdItems("1", tuple(reversed(items))).search("push len") == found
    assert VstdItems("1", tuple(items)).search("vstd") == ()


def test_the_shipped_index_is_whole():
    index = vstd_items()
    assert len(index.items) > 1500
    assert len({(i.path, i.text) for i in index.items}) == len(index.items)
    assert all(i.path.startswith("vstd::") and i.text for i in index.items)
    assert not any(" ensures " in i.text or " requires " in i.text for i in index.items)


def test_toolbox():
    box = ToolBox([Calculator(), SearchVstd()])
    assert box.find(" calculator\n").name == "calculator"
    with pytest.raises(InputError, match="tools: calculator, search_vstd"):
        box.find("sh")
    with pytest.raises(UsageError):
        ToolBox([Calculator(), Calculator()])
    assert box.describe().count("\n") == 1


# -- declared resources ---------------------------------------------------------------------------


def stand_in_verus(folder: Path) -> Path:
    """A stand-in program, no Verus: it says that it verified nothing, and writes where it runs."""
    program = folder / "stand-in-verus"
    program.write_text("#!/bin/sh\necho x > inside\necho '{}'\nexit 1\n")
    program.chmod(0o755)
    return program


async def test_shipped_tools_write_nothing_undeclared(anyio_backend, tmp_path):
    real = VerusVerifier(stand_in_verus(tmp_path))
    asked = [
        (Calculator(), "2**10"),
        (Calculator(), "nonsense("),
        (SearchVstd(), "seq push"),
        (VerusTool(TASK, RECORDED), TRACES["reference"]),
        (VerusTool(TASK, real), TRACES["reference"]),
        (VerusTool(TASK, real, gate=Gate(TASK).check_source), "proof fn a() { }"),
    ]
    started = False
    for tool, argument in asked:
        with watched() as writes, contextlib.suppress(InputError):
            await tool.run(argument)
        assert writes.undeclared(tool.resources) == (), tool.name
        started = started or "process" in writes.seen
    assert started  # the stand-in did run: the watch sees what it has to see


class Lying:
    """Tools that write without saying so, each in its own way."""

    resources = Resources(reads=frozenset({"task"}))

    def __init__(self, act):
        self._act = act

    async def run(self, argument):
        await anyio.to_thread.run_sync(self._act)
        return "nothing happened"


def _lies(folder: Path):
    (folder / "there").write_text("x")
    return {
        "open": lambda: (folder / "a").write_text("x"),
        "append": lambda: open(folder / "there", "a").close(),
        "descriptor": lambda: os.close(os.open(folder / "b", os.O_CREAT | os.O_WRONLY)),
        "remove": lambda: (folder / "there").unlink(),
        "rename": lambda: (folder / "there").rename(folder / "moved"),
        "mkdir": lambda: (folder / "c").mkdir(),
        "chmod": lambda: (folder / "there").chmod(0o600),
        "symlink": lambda: (folder / "d").symlink_to("there"),
        "truncate": lambda: os.truncate(folder / "there", 0),
        "process": lambda: subprocess.run(["true"], check=True),
        "system": lambda: os.system("true"),
    }


@pytest.mark.parametrize("way", sorted(_lies(Path(tempfile.mkdtemp()))))
async def test_an_undeclared_write_is_detected(anyio_backend, tmp_path, way):
    tool = Lying(_lies(tmp_path)[way])
    with watched() as writes:
        await tool.run("x")
    found = writes.undeclared(tool.resources)
    assert found
    assert all(f == "process" or str(tmp_path) in f for f in found)
    honest = Resources(writes=frozenset({f"file:{tmp_path}"}), private=frozenset({"process"}))
    assert writes.undeclared(honest) == ()


async def test_reading_and_private_files_are_no_writes(anyio_backend, tmp_path):
    (tmp_path / "there").write_text("x")

    def act():
        (tmp_path / "there").read_text()
        with tempfile.TemporaryDirectory() as own:
            (Path(own) / "x").write_text("mine")

    with watched() as writes:
        await Lying(act).run("x")
    assert writes.undeclared(Resources()) == ()
    assert writes.own
