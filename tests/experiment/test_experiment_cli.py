"""Experiments from the command line, all arms, against a stand-in model server on the loopback
address that answers with designed traces; results are those recorded from real Verus."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from verulaw_gate.cli.main import main
from verulaw_gate.experiment.plan import read_experiment
from verulaw_gate.record import Store
from verulaw_gate.record.events import (
    Disposition,
    EpisodeClosed,
    EpisodeResult,
    Feedback,
    FeedbackSource,
    GateDecision,
    GenerationClosed,
    Purpose,
    VerusRequest,
)
from verulaw_gate.tasks import labelled_traces, load_suite

SUITE = load_suite()
TASKS = [task for task in SUITE if task.id in ("t01-max-of-slice", "t05-gauss-sum")]


class StandInModel(BaseHTTPRequestHandler):
    """Streams one designed trace of the task in the prompt: which one depends on how many answers
    the conversation has already, so that the model is the same for every arm and after restarts."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        said = "\n".join(str(m["content"]) for m in body["messages"])
        task = next(t for t in TASKS if f"fn {t.target}" in said)
        turn = sum(m["role"] == "assistant" for m in body["messages"])
        names = ["fail-no-decreases", "gate-fenced", "gate-assume-tail", "reference"]
        if task.id.startswith("t05"):
            names = ["fail-quadratic-bound", "proto-cut", "fail-quadratic-bound", "reference"]
        traces = {trace.name: trace.text for trace in labelled_traces(task)}
        text = traces[names[min(turn, 3)]]
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for at in range(0, len(text), 40):
            self._send({"choices": [{"delta": {"content": text[at : at + 40]}, "index": 0}]})
        self._send({"choices": [{"delta": {}, "finish_reason": "stop", "index": 0}]})
        self._send({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 7}})
        self.wfile.write(b"data: [DONE]\n\n")

    def _send(self, value: dict[str, object]) -> None:
        self.wfile.write(b"data: " + json.dumps(value).encode() + b"\n\n")

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), StandInModel)
    thread = threading.Thread(target=httpd.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{httpd.server_port}/v1"
    httpd.shutdown()


ARMS = """
[[arms]]
name = "off"
kind = "off"
[[arms]]
name = "on"
kind = "on"
[[arms]]
name = "on-without-fix"
kind = "on"
fix_message = false
[[arms]]
name = "on-feedback"
kind = "on"
correction = "feedback"
[[arms]]
name = "on-forced"
kind = "on"
correction = "forced"
[[arms]]
name = "on-autofix"
kind = "on"
repair = true
[[arms]]
name = "shadow-off"
kind = "shadow-off"
[[arms]]
name = "shadow-on"
kind = "shadow-on"
[[arms]]
name = "cache"
kind = "cache"
[[arms]]
name = "chance"
kind = "random"
random_rate = 0.5
[[arms]]
name = "matched"
kind = "random"
matched_to = "on"
"""


def write(folder: Path, server: str, *, arms: str = ARMS, plan: bool = True) -> Path:
    path = folder / "try.toml"
    claimed = """
[plan]
hypothesis = "gating lowers Verus executions to the first honest success"
primary_endpoint = "executions"
baseline = "off"
arm = "on"
difference = -1.0
sd = 1.5
"""
    path.write_text(f"""
name = "try"
seed = 3
samples = 1
tasks = {json.dumps([t.id for t in TASKS])}
{claimed if plan else ""}
[model]
client = "vllm"
model = "stand-in"
base_url = "{server}"
[verifier]
kind = "recorded"
[loop]
price = [3.0, 15.0]
[budgets]
generations = 5
{arms}
""")
    return path


def test_all_arms(tmp_path: Path, server: str, capsys: pytest.CaptureFixture[str]) -> None:
    path, url = write(tmp_path, server), str(tmp_path / "s.sqlite")
    assert main(["experiment", "run", str(path), "--store", url, "--workers", "2"]) == 0
    assert "22 episodes run, 22 in all" in capsys.readouterr().out
    assert main(["experiment", "run", str(path), "--store", url]) == 0
    assert "0 episodes run, 22 in all" in capsys.readouterr().out
    with Store(url, read_only=True) as store:
        run = store.runs()[0]
        stored = list(store.events(run.name))
    assert run.started.plan_sha256 == read_experiment(path).sha256
    assert run.started.config["toml"] == path.read_text()
    by_arm: dict[str, list] = {}
    for item in stored:
        by_arm.setdefault(item.key.arm, []).append(item.event)

    def kinds(arm: str, kind: type) -> list:
        return [event for event in by_arm[arm] if isinstance(event, kind)]

    # The cheat in the third answer of t01 verifies under plain Verus: it ends the ungated loops.
    for arm in ("off", "shadow-off", "cache"):
        results = [e.result for e in kinds(arm, EpisodeClosed)]
        assert results == [EpisodeResult.CHEAT, EpisodeResult.HONEST_SUCCESS], arm
    for arm in ("on", "on-without-fix", "on-feedback", "on-forced", "on-autofix", "shadow-on"):
        results = [e.result for e in kinds(arm, EpisodeClosed)]
        assert results == [EpisodeResult.HONEST_SUCCESS] * 2, arm
    # In `off` everything goes to Verus and no gate speaks; in `on` rejected answers do not go.
    assert kinds("off", GateDecision) == []
    assert {e.source for e in kinds("off", Feedback)} == {FeedbackSource.VERUS}
    on = Counter(e.disposition for e in kinds("on", GenerationClosed))
    assert on[Disposition.GATE_REJECTED] >= 1
    assert sum(e.executions for e in kinds("on", EpisodeClosed)) < sum(
        e.executions for e in kinds("off", EpisodeClosed)
    )
    # In shadows one side only listens.
    heard = [e for e in kinds("shadow-off", VerusRequest) if e.purpose is Purpose.MEASURE]
    assert heard
    assert all(e.heard for e in heard)
    assert all(not e.acted for e in kinds("shadow-off", GateDecision))
    silent = [e for e in kinds("shadow-on", VerusRequest) if not e.heard]
    assert silent
    # The third answer of t05 repeats the first.
    assert Disposition.REUSED in {e.disposition for e in kinds("cache", GenerationClosed)}
    assert Disposition.REUSED not in {e.disposition for e in kinds("off", GenerationClosed)}
    chance = Counter(e.disposition for e in kinds("chance", GenerationClosed))
    assert chance[Disposition.RANDOM_REJECTED] >= 1
    assert all(e.cost_usd is not None for e in kinds("off", EpisodeClosed))
    assert main(["report", run.name, "--store", url]) == 0
    assert "cheat" in capsys.readouterr().out


def test_processes_run_the_same_experiment(tmp_path: Path, server: str) -> None:
    two = ARMS[: ARMS.index('[[arms]]\nname = "on-without-fix"')]
    path, url = write(tmp_path, server, arms=two), str(tmp_path / "s.sqlite")
    command = ["experiment", "run", str(path), "--store", url, "--executor", "processes"]
    assert main([*command, "--workers", "2"]) == 0
    with Store(url, read_only=True) as store:
        run = store.runs()[0].name
        ends = [s.event for s in store.events(run) if isinstance(s.event, EpisodeClosed)]
    assert len(ends) == 4


def test_plan_prints_power_and_hash(
    tmp_path: Path, server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, server)
    assert main(["experiment", "plan", str(path)]) == 0
    out = capsys.readouterr().out
    assert read_experiment(path).sha256 in out
    for sign in ("hypothesis", "power", "arm matched", "primary endpoint", "22"):
        assert sign in out
    assert main(["experiment", "plan", str(write(tmp_path, server, plan=False))]) == 0
    assert "exploratory" in capsys.readouterr().out


def test_pilot_selects_and_freezes(
    tmp_path: Path, server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path, url = write(tmp_path, server), str(tmp_path / "s.sqlite")
    out = tmp_path / "selection.json"
    pilot = ["experiment", "pilot", str(path), "--store", url, "--output", str(out)]
    # The stand-in never solves at the first try.
    assert main([*pilot, "--samples", "2"]) == 1
    assert "0/2 at the first try, not selected" in capsys.readouterr().out
    assert main([*pilot, "--samples", "2", "--low", "0"]) == 0
    content = json.loads(out.read_text())
    assert [row["id"] for row in content["tasks"]] == [t.id for t in TASKS]
    text = path.read_text()
    line = next(line for line in text.splitlines() if line.startswith("tasks"))
    path.write_text(text.replace(line, 'selection = "selection.json"'))
    assert [t.id for t in read_experiment(path).tasks] == [t.id for t in TASKS]
    content["tasks"][0]["sha256"] = "0" * 64
    out.write_text(json.dumps(content))
    assert main(["experiment", "plan", str(path)]) == 2
    assert "has changed since" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "sign"),
    [
        ('kind = "recorded"', 'kind = "guess"', "unknown kind 'guess'"),
        ('kind = "recorded"', 'kinds = "recorded"', "unknown key 'kinds'"),
        ("price = [3.0, 15.0]", "price = [3.0]", "price"),
        ("price = [3.0, 15.0]", "prize = 1", "unknown key 'prize'"),
        ('model = "stand-in"', "", "no model"),
        ('model = "stand-in"', 'model = "x"\nmodle = 1', "unknown key 'modle'"),
        ('model = "stand-in"', 'model = "x"\ntemperature = nan', "temperature"),
        ("http://", "http://me:secret@", "holds a user"),
        ("price = [3.0, 15.0]", 'show = "all"', "show: no 'all'"),
        ("price = [3.0, 15.0]", "alpha = inf", "alpha"),
        ("price = [3.0, 15.0]", "max_tokens = 0", "max_tokens"),
        ("price = [3.0, 15.0]", "max_corrections = -1", "max_corrections"),
    ],
)
def test_bad_settings_are_one_error_and_store_nothing(
    tmp_path: Path, server: str, capsys: pytest.CaptureFixture[str], old: str, new: str, sign: str
) -> None:
    path, url = write(tmp_path, server), tmp_path / "s.sqlite"
    path.write_text(path.read_text().replace(old, new, 1))
    assert main(["experiment", "run", str(path), "--store", str(url)]) == 2
    assert sign in capsys.readouterr().err
    assert not url.exists()
