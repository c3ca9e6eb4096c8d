"""`verulaw-gate run` against a real local HTTP server that speaks as a chat endpoint."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import verulaw_gate
from verulaw_gate.agent.make import ModelSettings, from_table, make_client
from verulaw_gate.cli.main import main
from verulaw_gate.errors import UsageError
from verulaw_gate.record import Store
from verulaw_gate.record.events import EpisodeClosed, Generation
from verulaw_gate.report import build
from verulaw_gate.tasks import labelled_traces, load_task
from verulaw_gate.verus.pool import default_workers

ENV = {**os.environ, "PYTHONPATH": str(Path(verulaw_gate.__file__).parents[1])}
TASK = load_task("t01-max-of-slice")
TRACES = {trace.name: trace.text for trace in labelled_traces(TASK)}


class Model:
    """Answers in order (the last one for ever); `pause` seconds between pieces."""

    def __init__(self, answers, pause=0.0):
        self.answers, self.pause = list(answers), pause
        self.requests: list[dict] = []
        self.keys: list[str | None] = []
        self.cut = 0
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                length = int(self.headers["content-length"])
                model.requests.append(json.loads(self.rfile.read(length)))
                model.keys.append(self.headers.get("authorization"))
                number = min(len(model.requests), len(model.answers)) - 1
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.send_header("connection", "close")
                self.end_headers()
                try:
                    self.speak(model.answers[number])
                except (BrokenPipeError, ConnectionResetError):
                    model.cut += 1

            def speak(self, text):
                for at in range(0, len(text), 9):
                    self.say({"choices": [{"delta": {"content": text[at : at + 9]}}]})
                    time.sleep(model.pause)
                self.say({"choices": [{"delta": {}, "finish_reason": "stop"}]})
                usage = {"prompt_tokens": 100, "completion_tokens": 50}
                self.say({"choices": [], "usage": usage})
                self.wfile.write(b"data: [DONE]\n\n")

            def say(self, event):
                self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
                self.wfile.flush()

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def model():
    made = []

    def make(*answers, pause=0.0):
        made.append(Model(answers, pause))
        return made[-1]

    yield make
    for one in made:
        one.server.shutdown()
        one.server.server_close()


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return str(tmp_path / "runs.db")


def command(model, store, *more):
    return ["run", TASK.id, "--model", "tiny", "--base-url", model.url, "--verifier", "recorded",
            "--store", store, *more]  # fmt: skip


def ends(store, name=None):
    with Store(store) as opened:
        name = name or opened.runs()[-1].name
        events = list(opened.events(name))
    return [e.event for e in events if isinstance(e.event, EpisodeClosed)], events


def test_from_a_cheat_to_the_proof(model, store, capsys):
    chat = model(TRACES["gate-assume-tail"], TRACES["fail-no-witness"], TRACES["reference"])
    assert main(command(chat, store)) == 0
    out = capsys.readouterr().out
    assert "t01-max-of-slice sample 0: honest-success after 3 generations" in out
    assert "1 of 1 proved" in out
    (end,), events = ends(store)
    assert (end.generations, end.executions) == (3, 2)
    stopped = [e.event for e in events if isinstance(e.event, Generation)]
    assert stopped[0].stopped_early_at is not None
    assert stopped[2].completion_tokens == 50
    with Store(store) as opened:
        assert build(opened, opened.runs()[-1].name) is not None
    first = chat.requests[0]
    assert "[Lemma]" in first["messages"][0]["content"]
    assert "//@ body" in first["messages"][1]["content"]
    assert TRACES["reference"] not in json.dumps(first)
    assert "stop" not in first  # this kind does not say which stop sequence matched


@pytest.mark.parametrize("gate", ["off", "shadow-off", "shadow-on"])
def test_other_arms(model, store, capsys, gate):
    chat = model(TRACES["fail-no-witness"], TRACES["reference"])
    assert main(command(chat, store, "--gate", gate)) == 0
    assert "honest-success after 2 generations" in capsys.readouterr().out


def test_a_cheat_is_no_success_when_the_gate_is_off(model, store, capsys):
    chat = model(TRACES["gate-assume-tail"])
    assert main(command(chat, store, "--gate", "off")) == 1
    assert "cheat after 1 generations" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "why"),
    [(("--attempts", "2"), "generations"), (("--verus-calls", "1"), "executions"),
     (("--tokens", "140"), "tokens"),
     (("--money", "0.0001", "--price", "1", "1"), "money")],
)  # fmt: skip
def test_budgets_end_an_episode(model, store, more, why):
    chat = model(TRACES["fail-no-witness"])
    assert main(command(chat, store, *more)) == 1
    (end,), _ = ends(store)
    assert end.censored_by == why
    assert end.result == "censored"


def test_a_budget_below_the_first_prompt_asks_nothing(model, store):
    chat = model(TRACES["reference"])
    assert main(command(chat, store, "--tokens", "50")) == 1
    (end,), events = ends(store)
    assert (end.censored_by, end.generations, end.spent_tokens) == ("tokens", 0, None)
    assert chat.requests == []
    assert not [e for e in events if isinstance(e.event, Generation)]
    with Store(store) as opened:
        assert build(opened, opened.runs()[-1].name) is not None


def test_several_samples_at_once_are_all_there(model, store, capsys):
    chat = model(TRACES["reference"])
    assert main(command(chat, store, "--samples", "5", "--jobs", "3")) == 0
    closed, _ = ends(store)
    assert len(closed) == 5
    assert "5 of 5 proved" in capsys.readouterr().out


def test_a_key_goes_only_where_it_is_meant_to(model, store, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "not-for-you-123456")
    monkeypatch.setenv("OTHER_KEY", "for-you-123456")
    chat = model(TRACES["reference"])
    assert main(command(chat, store)) == 0
    assert main(command(chat, store, "--key-env", "OTHER_KEY")) == 0
    assert chat.keys == [None, "Bearer for-you-123456"]
    data = b"".join(p.read_bytes() for p in Path(store).parent.glob("runs*"))
    assert b"for-you-123456" not in data


NOT_NUMBERS = [
    (option, value)
    for option in ("--temperature", "--read-timeout", "--connect-timeout", "--alpha", "--seconds",
                   "--money", "--timeout")
    for value in ("nan", "inf", "-1")
] + [(option, value) for option in ("--max-corrections", "--attempts", "--tokens", "--samples",
                                    "--max-tokens", "--tries", "--jobs", "--verus-calls",
                                    "--feedback-tokens") for value in ("-1",)]  # fmt: skip


def test_bad_usage(model, store, capsys):
    chat = model("x")
    cases = [
        ["run", TASK.id],
        command(chat, store, "--money", "1"),
        command(chat, store, "--attempts", "0"),
        command(chat, store, "--gate", "off", "--autofix"),
        command(chat, store, "--jobs", "2", "--record", "x.jsonl"),
        command(chat, store, "--resume"),
        command(chat, store, "--protocol", "whole-file"),
        command(chat, store, "--protocol", "proof-loop"),
        command(chat, store, "--price", "1", "-1"),
        *(command(chat, store, option, value) for option, value in NOT_NUMBERS),
        command(chat, store, "--run", " "),
        command(chat, store, "--key-env", "NOT_SET_ANYWHERE"),
        command(chat, store, "--scores"),
        command(chat, store, "--client", "completions", "--scores", "--record", "x.jsonl"),
        command(chat, store, "--timeout", "3"),
        command(chat, store, "--example", TASK.id + "-not"),
        ["run", "nosuch", *command(chat, store)[2:]],
        ["run", TASK.id, *command(chat, store)[1:]],
        ["run", TASK.id, "--model", "m", "--base-url", "nonsense", "--verifier", "recorded"],
    ]
    for argv in cases:
        assert main(argv) == 2, argv
        err = capsys.readouterr().err
        assert "verulaw-gate: error:" in err
        assert "Traceback" not in err
    assert chat.requests == []


def test_an_endpoint_that_is_not_there(store, capsys):
    argv = ["run", TASK.id, "--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--verifier",
            "recorded", "--store", store, "--tries", "1"]  # fmt: skip
    assert main(argv) == 1
    out, err = capsys.readouterr()
    assert "model-error" in out
    assert "no connection to http://127.0.0.1:9/v1" in err


def test_record_and_hold_the_conversation_again(model, store, capsys, tmp_path):
    chat = model(TRACES["gate-assume-tail"], TRACES["reference"])
    talk = str(tmp_path / "talk.jsonl")
    assert main(command(chat, store, "--record", talk)) == 0
    again = ["run", TASK.id, "--conversation", talk, "--verifier", "recorded", "--store", store]
    assert main(again) == 0
    assert len(chat.requests) == 2
    # Against a changed gate the conversation goes another way, and that is said.
    assert main([*again, "--no-fix-message"]) == 3
    assert "the prompt is another one" in capsys.readouterr().err
    assert main([*again, "--attempts", "1"]) == 1
    assert "diverged: 1 recorded answers" in capsys.readouterr().out


def test_killed_and_resumed_counts_nothing_twice(model, store, tmp_path):
    """SIGKILL after each stored generation in turn; the resumed run has the very same events."""
    answers = [TRACES["gate-assume-tail"], TRACES["fail-no-witness"], TRACES["reference"]]
    whole = model(*answers)
    assert main(command(whole, store, "--run", "whole")) == 0
    slow = model(*answers, pause=0.01)
    argv = [sys.executable, "-m", "verulaw_gate", *command(slow, store, "--run", "cut")]
    kills = 0
    for _ in range(12):
        more = ["--resume"] if kills else []
        process = subprocess.Popen([*argv, *more], stdout=subprocess.DEVNULL, env=ENV)
        before = _generations(store)
        while process.poll() is None and _generations(store) <= before:
            time.sleep(0.02)
        if process.poll() is not None:
            break
        process.send_signal(signal.SIGKILL)
        process.wait()
        kills += 1
        # The model goes on where the conversation is: what was asked but not stored is asked again.
        del slow.requests[_generations(store) :]
    assert process.returncode == 0
    assert kills >= 1
    assert _shape(store, "cut") == _shape(store, "whole")


def _generations(store):
    with Store(store) as opened:
        if "cut" not in [info.name for info in opened.runs()]:
            return 0
        return sum(1 for key in opened.keys("cut") if key[3])


def _shape(store, name):
    with Store(store) as opened:
        return [
            (s.key, s.seq, s.event.kind, getattr(s.event, "text_sha256", None),
             getattr(s.event, "disposition", None), getattr(s.event, "outcome", None))
            for s in opened.events(name)
        ]  # fmt: skip


def test_interrupt_closes_the_stream(model, store):
    slow = model("[Body]\n" + "x" * 100_000, pause=0.05)
    argv = [sys.executable, "-m", "verulaw_gate", *command(slow, store)]
    process = subprocess.Popen(argv, stderr=subprocess.PIPE, text=True, env=ENV)
    while not slow.requests:
        time.sleep(0.05)
        assert process.poll() is None
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err.strip().endswith("interrupted")
    assert "Traceback" not in err
    for _ in range(100):
        if slow.cut:
            break
        time.sleep(0.05)
    assert slow.cut == 1


def test_progress_on_a_terminal_shows_no_control_characters(model, store):
    hostile = "[Body]\n\x1b]0;owned\x07{ [bold]x[/] }\n[QED]\n"
    chat = model(hostile, TRACES["gate-assume-tail"], TRACES["reference"])
    mine, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "verulaw_gate", *command(chat, store)],
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env={**ENV, "TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(theirs)
    seen = b""
    while True:
        try:
            data = os.read(mine, 65536)
        except OSError:
            break
        if not data:
            break
        seen += data
    assert process.wait() == 0
    os.close(mine)
    text = seen.decode("utf-8", "replace")
    assert "attempt 3" in text
    assert "rejected" in text
    assert "stopped" in text
    assert "\x1b]0;" not in text


def test_settings_from_a_table():
    assert from_table({"model": "m", "temperature": 1}) == ModelSettings("m", temperature=1)
    for table in ({}, {"model": ""}, {"model": 3}, {"model": "m", "modle": "x"},
                  {"model": "m", "usage": 1}, {"model": "m", "seed": 1.5},
                  {"model": "m", "read_timeout": True}, {"model": "m", "client": "gpt"},
                  {"model": "m", "temperature": float("nan")}, {"model": "m", "attempts": 0},
                  {"model": "m", "base_url": "http://me:secret@localhost/v1"},
                  {"model": "m", "base_url": "http://localhost/v1?key=secret"}):  # fmt: skip
        with pytest.raises(UsageError):
            from_table(table)
    with pytest.raises(UsageError, match="no client"):
        make_client(ModelSettings("m", client="gpt"))
    with pytest.raises(UsageError):
        make_client(ModelSettings("m", read_timeout=0))


def test_a_token_budget_holds_where_the_provider_counts_nothing(model, store):
    """Streams that are stopped have no count; the budget goes by the estimate."""
    chat = model(TRACES["gate-assume-tail"])
    assert main(command(chat, store, "--tokens", "3000", "--attempts", "50")) == 1
    (end,), _ = ends(store)
    assert end.censored_by == "tokens"
    assert end.completion_tokens is None
    assert end.spent_tokens >= 3000
    assert end.generations < 50


def test_an_agent_with_tools_from_the_command_line(model, store, capsys):
    act = "[Plan] p\n[Action] calculator\n[Action Input] 6*7\n[Summary]"
    chat = model(act, "It is 42.", TRACES["reference"])
    assert main(command(chat, store, "--protocol", "proof-pass")) == 0
    assert "honest-success after 1 generations and 1 Verus results" in capsys.readouterr().out
    _, events = ends(store)
    assert [e.event.chosen for e in events if e.event.kind == "action-group"] == ["summary"]
    with Store(store) as opened:
        assert build(opened, opened.runs()[-1].name) is not None


RESULTS = {"encountered-error": False, "encountered-vir-error": False, "success": True,
           "verified": 1, "errors": 0, "is-verifying-entire-crate": True}  # fmt: skip


def stand_in_verus(folder: Path, *, strictly: bool = False) -> Path:
    """A stand-in program, no Verus: it answers --version, and otherwise starts a child that
    sleeps, as Verus starts its solver (`strictly`: only for a strict verdict; else it says that
    all is verified)."""
    program = folder / "stand-in-verus"
    said = {"func-details": {f"candidate::{TASK.target}": {}}, "verification-results": RESULTS}
    answer = f"*--no-cheating*) ;; *) echo '{json.dumps(said)}'; exit 0;;" if strictly else ""
    program.write_text(
        "#!/bin/sh\n"
        f"case \"$*\" in *--version*) echo 'Version: 0.0.0.stand-in'; exit 0;; {answer} esac\n"
        f"sleep 300 & echo $! >> {folder}/pids\necho $$ >> {folder}/pids\nwait\n"
    )
    program.chmod(0o755)
    return program


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("strictly", [False, True], ids=["loop", "judge"])
def test_interrupt_ends_verus_and_its_children(model, store, tmp_path, jobs, strictly):
    chat = model(TRACES["reference"])
    program = stand_in_verus(tmp_path, strictly=strictly)
    argv = ["run", TASK.id, "--model", "tiny", "--base-url", chat.url, "--verus", str(program),
            "--store", store, "--samples", "2", "--jobs", jobs]  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-m", "verulaw_gate", *argv], stderr=subprocess.PIPE, text=True, env=ENV
    )
    pids = tmp_path / "pids"
    wanted = 2 * min(int(jobs), default_workers())
    while not pids.exists() or len(pids.read_text().split()) < wanted:
        time.sleep(0.05)
        assert process.poll() is None, process.stderr.read()
    started = [int(p) for p in pids.read_text().split()]
    assert all(alive(pid) for pid in started)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert not any(alive(pid) for pid in started)
    # Nothing of the interrupted generation is stored; it will be done again.
    with Store(store) as opened:
        assert all(not opened.keys(info.name) for info in opened.runs())
