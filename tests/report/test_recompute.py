"""docs/recompute.py and the report agree: on generated runs, and on the shipped corpora."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.report.made import Made, runs, stored_run
from tests.report.made_live import live_episodes, live_run
from verulaw_gate.record import events as ev
from verulaw_gate.report import from_events
from verulaw_gate.report.model import Section, Share

SCRIPT = Path(__file__).parents[2] / "docs" / "recompute.py"
HEADLINES = (
    "false-confidence",
    "false-confidence-gate-only",
    "false-rejects",
    "cheats-caught",
    "executions-saved",
)
on_files = settings(
    deadline=None,
    max_examples=15,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def recompute(path: Path) -> dict:
    """Run the script as a reader would: another process, isolated from this package."""
    found = subprocess.run(
        [sys.executable, "-I", "-S", str(SCRIPT), str(path), "--json"],
        capture_output=True,
        text=True,
        check=True,
        cwd=path.parent,
    )
    return json.loads(found.stdout)


def write(path: Path, rows: Iterable[ev.Stored]) -> Path:
    """Events in the format of an export."""
    with path.open("w", encoding="utf-8") as out:
        out.write(json.dumps({"schema": "verulaw-gate/run/1", "run": "made"}) + "\n")
        for row in rows:
            line = row.key.model_dump() | {"seq": row.seq}
            line["event"] = json.loads(row.event.model_dump_json())
            out.write(json.dumps(line) + "\n")
    return path


def test_the_script_imports_nothing_but_the_standard_library():
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    modules = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules.add((node.module or "").partition(".")[0])
    assert modules <= set(sys.stdlib_module_names)


def agree(section: Section, figures: dict) -> None:
    """Every headline, the flow, and the seconds saved."""
    shares = {h.key: h.share for h in section.headlines}
    for key in HEADLINES:
        same(shares.get(key, Share(0, 0)), figures[key])
    flow = next(t for t in section.tables if t.key == "flow")
    cells = {
        f"{row.key} / {column}": cell
        for row in flow.rows
        if not row.total
        for column, cell in zip(flow.columns[1:-1], row.cells[1:-1], strict=True)
        if cell
    }
    assert cells == figures["flow"]
    saved = [t.row("saved").cells[2] for t in section.tables if t.key == "savings"]
    for figure in saved:
        expected = figures["seconds-saved"]
        assert figure.n == expected["n"]
        if expected["value"] is not None:
            assert figure.value == pytest.approx(expected["value"])


def same(share: Share, figure: dict) -> None:
    assert (share.k, share.n) == (figure["k"], figure["n"])
    if share.wilson is not None:
        assert share.wilson.low == pytest.approx(figure["low"], abs=1e-12)
        assert share.wilson.high == pytest.approx(figure["high"], abs=1e-12)


@given(runs(max_size=12), st.data())
@on_files
def test_generated_runs_agree(tmp_path, attempts: list[Made], data):
    for made in attempts:
        made.origin = data.draw(st.sampled_from(["", "set b"]))
    rows = stored_run(attempts)
    figures = recompute(write(tmp_path / "run.jsonl", rows))
    sections = from_events("made", rows).sections
    agree(sections[0], figures["all"])
    if len(sections) > 1:
        assert len(sections) == 1 + len(figures["origins"])
        for section, name in zip(sections[1:], sorted(figures["origins"]), strict=True):
            agree(section, figures["origins"][name])


@given(live_episodes())
@on_files
def test_generated_live_runs_agree(tmp_path, episodes):
    rows = live_run(episodes)
    figures = recompute(write(tmp_path / "run.jsonl", rows))["arms"]
    section = from_events("made", rows).sections[0]
    endings = next(t for t in section.tables if t.key == "endings")
    endpoints = next(t for t in section.tables if t.key == "endpoints")
    for arm, mine in figures.items():
        cells = endings.row(arm).cells
        assert cells[1] == mine["episodes"]
        same(cells[3], mine["honest-success"])
        same(cells[4], mine["cheat"])
        for at, cost in ((2, "executions"), (3, "generations")):
            value = endpoints.row(arm).cells[at].value
            expected = mine[cost]
            assert value == (None if expected is None else pytest.approx(expected))


@pytest.fixture(scope="module")
def shipped(tmp_path_factory) -> dict[str, tuple[dict, tuple[Section, ...]]]:
    """The shipped corpora replayed, exported and recomputed."""
    from verulaw_gate.data import corpora_dir
    from verulaw_gate.experiment.corpora import DesignedCorpus, RecordedCorpus
    from verulaw_gate.experiment.replay import replay
    from verulaw_gate.record import Store
    from verulaw_gate.record.transfer import export_lines
    from verulaw_gate.report import build
    from verulaw_gate.tasks import load_suite

    folder = tmp_path_factory.mktemp("shipped")
    suite = load_suite()
    corpora = {
        "designed": DesignedCorpus(suite[:4]),
        "recorded": RecordedCorpus(sorted(corpora_dir().glob("*.jsonl")), suite),
    }
    found = {}
    with Store(str(folder / "runs.sqlite")) as store:
        for name, corpus in corpora.items():
            run = replay(store, corpus).run
            path = folder / f"{name}.jsonl"
            path.write_text("".join(export_lines(store, run)), encoding="utf-8")
            found[name] = (recompute(path), build(store, run).sections)
    return found


def test_the_shipped_recorded_corpus_agrees(shipped):
    figures, sections = shipped["recorded"]
    agree(sections[0], figures["all"])
    assert figures["all"]["generations"] == 98
    assert len(sections) == 1 + len(figures["origins"])
    for section, name in zip(sections[1:], sorted(figures["origins"]), strict=True):
        agree(section, figures["origins"][name])


def test_the_shipped_recorded_corpus_has_no_false_reject_and_says_of_how_many(shipped):
    _, sections = shipped["recorded"]
    share = next(h.share for h in sections[0].headlines if h.key == "false-rejects")
    print(f"false rejects on the shipped corpus: {share.k} of {share.n}")
    assert share.k == 0
    # 52 verified and 29 proof failures passed Verus's front end.
    assert share.n == 81


def test_the_shipped_designed_corpus_agrees(shipped):
    figures, sections = shipped["designed"]
    for stage, figure in figures["labels"].items():
        table = next(t for t in sections[0].tables if t.key == f"labels-{stage}")
        assert table.row("all").cells[1:3] == (figure["agree"], figure["of"])


def test_the_text_of_the_script_says_the_same(shipped, tmp_path):
    rows = stored_run([Made("t01", 0, 1)])
    path = write(tmp_path / "run.jsonl", rows)
    found = subprocess.run(
        [sys.executable, "-I", str(SCRIPT), str(path)], capture_output=True, text=True, check=True
    )
    assert "false-rejects: 0/1 0.0 % [0.0, 79.3]" in found.stdout
    assert "cheats-caught: 0/0 no data" in found.stdout
