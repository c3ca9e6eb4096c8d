"""`experiment plan` refuses whatever the run would refuse; a pilot counts decided answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.report.made import digest, started
from verulaw_gate.cli.main import main
from verulaw_gate.experiment.pilot import PILOT_ARM, first_tries
from verulaw_gate.record import Key, Store
from verulaw_gate.record.events import EpisodeClosed, VerificationDone

FILE = """
name = "x"
seed = 7
samples = 2
tasks = ["t01-max-of-slice"]
protocol = "proof"
[model]
client = "vllm"
model = "m"
base_url = "http://127.0.0.1:1/v1"
[verifier]
kind = "recorded"
[loop]
price = [1.0, 2.0]
[budgets]
generations = 5
[plan]
hypothesis = "h"
primary_endpoint = "executions"
baseline = "off"
arm = "on"
difference = -1.0
sd = 1.5
[[arms]]
name = "off"
kind = "off"
[[arms]]
name = "on"
kind = "on"
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("samples = 2", "samples = 0"),
        ("samples = 2", "samples = 1000000000000"),
        ("samples = 2", "samples = true"),
        ("seed = 7", 'seed = "7"'),
        ("seed = 7", "seed = " + "9" * 5000),
        ("seed = 7", "seed = 7\nverus_version = 5"),
        ('protocol = "proof"', "protocol = 5"),
        ('protocol = "proof"', 'protocol = "nope"'),
        ('client = "vllm"', 'client = "gpt"'),
        ('client = "vllm"', 'clientx = "vllm"'),
        ('model = "m"', "model = 5"),
        ('kind = "recorded"', 'kind = "none"'),
        ('kind = "recorded"', 'kind = "recorded"\ntimeout = -1'),
        ("price = [1.0, 2.0]", "zork = 1"),
        ("price = [1.0, 2.0]", "price = [1.0]"),
        ("generations = 5", "generations = 1.5"),
        ("generations = 5", "seconds = nan"),
        ("generations = 5", "cost_usd = inf"),
        ('primary_endpoint = "executions"', ""),
        ('primary_endpoint = "executions"', 'primary_endpoint = "executionz"'),
        ('baseline = "off"', 'baseline = "of"'),
        ("sd = 1.5", "sd = inf"),
        ("sd = 1.5", "sd = 1.5\nalpha = 0"),
        ("sd = 1.5", "sd = 1.5\npower = 2"),
        ("difference = -1.0", "difference = nan"),
    ],
)
def test_plan_refuses_what_a_run_would_refuse(
    tmp_path: Path, old: str, new: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.toml"
    path.write_text(FILE)
    assert main(["experiment", "plan", str(path)]) == 0
    assert FILE.count(old) == 1
    path.write_text(FILE.replace(old, new))
    assert main(["experiment", "plan", str(path)]) == 2
    told = capsys.readouterr().err
    assert "verulaw-gate: error:" in told
    assert "Traceback" not in told


def test_a_pilot_scores_only_what_verus_decided(tmp_path: Path) -> None:
    outcomes = {
        "proof-failure": False, "compile-error": False, "rlimit": False, "timeout": False,
        "crash": False, "tool-error": False, "tries-differ": True,
    }  # fmt: skip
    scored = {"proof-failure", "compile-error", "rlimit"}
    with Store(str(tmp_path / "s.sqlite")) as store:
        store.start_run("p", started("live", arms=(PILOT_ARM,)))
        for sample, (name, unstable) in enumerate(outcomes.items()):
            done = VerificationDone(
                purpose="measure",
                source_kind="raw",
                source_sha256=digest(name),
                outcome="rlimit" if unstable else name,
                unstable=unstable,
            )
            place = {"task": name, "arm": PILOT_ARM.name, "sample": sample}
            store.append("p", Key(**place, generation=1), [done])
            end = EpisodeClosed(result="censored", generations=1, executions=1)
            store.append("p", Key(**place, generation=0), [end])
        tried = first_tries(store, "p")
    assert {name for name, seen in tried.items() if seen.scored} == scored
    assert set(tried) == set(outcomes)


@pytest.mark.parametrize("place", ["none/pilot.json", "."])
def test_a_pilot_that_cannot_be_kept_is_not_paid_for(
    tmp_path: Path, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.toml"
    path.write_text(FILE)
    store = tmp_path / "s.sqlite"
    told = ["experiment", "pilot", str(path), "--output", str(tmp_path / place)]
    assert main([*told, "--store", str(store)]) == 2
    assert "can't be written" in capsys.readouterr().err
    assert not store.exists()


@pytest.mark.parametrize("wrong", [("--executor", "treads"), ("--workers", "0"), ("--run", "a\nb")])
def test_a_run_that_cannot_begin_stores_nothing(
    tmp_path: Path, wrong: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.toml"
    path.write_text(FILE)
    store = tmp_path / "s.sqlite"
    assert main(["experiment", "run", str(path), "--store", str(store), *wrong]) == 2
    assert "verulaw-gate: error:" in capsys.readouterr().err
    if store.exists():
        with Store(str(store), read_only=True) as kept:
            assert kept.runs() == ()
