"""The cache: one run a key, whoever asks; nothing kept that another try may change."""

from __future__ import annotations

import concurrent.futures
import json
import multiprocessing
import pickle
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verus.conftest import candidate, standin
from verulaw_gate.errors import StoreError, ToolError
from verulaw_gate.record.cache import StoreCache
from verulaw_gate.verus.cache import CACHED, CachingVerifier, CountingVerifier, cache_key
from verulaw_gate.verus.cancel import Cancel
from verulaw_gate.verus.model import RECORDED_OPTIONS, STRICT_OPTIONS, Outcome, VerusOptions
from verulaw_gate.verus.process import RunCancelled
from verulaw_gate.verus.runs import Run, to_json

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def cache(tmp_path):
    with StoreCache(str(tmp_path / "store.sqlite")) as cache:
        yield cache


def caching(cache, **limits):
    return CachingVerifier(standin(**limits), cache, version="1")


def executions(ledger: Path) -> int:
    return len(ledger.read_text().split("\n")) - 1 if ledger.exists() else 0


@pytest.mark.parametrize("do", ["verified", "proof_failure", "compile_error"])
def test_a_definite_result_is_kept_and_is_the_same(cache, tmp_path, do):
    verifier, ledger = caching(cache), tmp_path / "ledger"
    source = candidate(do, ledger=str(ledger))
    ran = verifier.verify(source, target="f")
    kept = verifier.verify(source, target="f")
    assert (ran.origin, kept.origin) == ("verus", "cache")
    for name in type(ran).__slots__:
        if name != "origin":
            assert getattr(kept, name) == getattr(ran, name), name
    assert executions(ledger) == 1
    counts = verifier.counts
    assert (counts.executions, counts.hits, counts.shared, counts.unkept) == (1, 1, 0, 0)


@pytest.mark.parametrize(
    ("do", "limits", "outcome"),
    [
        ("hangs", {"wall_s": 0.2}, Outcome.TIMEOUT),
        ("half_json", {}, Outcome.CRASH),
        ("dies", {}, Outcome.CRASH),
    ],
)
def test_what_may_change_is_never_kept(cache, tmp_path, do, limits, outcome):
    ledger = tmp_path / "ledger"
    source = candidate(do, ledger=str(ledger), share=0.5, signal=9)
    verifier = caching(cache, **limits)
    for _ in range(2):
        result = verifier.verify(source)
        assert (result.outcome, result.origin) == (outcome, "verus")
    assert executions(ledger) == 2
    assert len(cache) == 0


def test_only_definite_outcomes_are_kept():
    assert set(Outcome) - CACHED == {
        Outcome.TIMEOUT,
        Outcome.CRASH,
        Outcome.TOOL_ERROR,
        Outcome.RLIMIT,
    }


def test_the_target_is_read_anew_from_a_kept_result(cache):
    verifier, source = caching(cache), candidate()
    assert verifier.verify(source, target="f").target_proved is True
    assert verifier.verify(source, target="g").target_proved is False
    assert verifier.verify(source).target_proved is None
    assert verifier.counts.executions == 1


@given(st.text(max_size=20), st.lists(st.sampled_from(["--a", "--b", "--rlimit=1"]), unique=True))
def test_every_part_of_the_key_counts(source, args):
    options = VerusOptions(tuple(args))
    key = cache_key(source, options, version="1", vstd_sha256=None)
    assert key == cache_key(source, options, version="1", vstd_sha256=None)
    others = [
        cache_key(source + " ", options, version="1", vstd_sha256=None),
        cache_key(source, VerusOptions((*args, "--c")), version="1", vstd_sha256=None),
        cache_key(source, options, version="2", vstd_sha256=None),
        cache_key(source, options, version="1", vstd_sha256="ab"),
    ]
    assert len({key, *others}) == 5


def test_strict_and_plain_results_are_two(cache):
    verifier = caching(cache)
    verifier.verify(candidate(), RECORDED_OPTIONS)
    verifier.verify(candidate(), STRICT_OPTIONS)
    assert verifier.counts.executions == 2


@pytest.mark.parametrize("do", ["exits_late", "hangs"])
def test_threads_that_ask_at_once_run_it_once(cache, tmp_path, do):
    """Also for a result that is not kept: it is one run, shared while it lasts."""
    ledger = tmp_path / "ledger"
    verifier = caching(cache, **({"wall_s": 1.0} if do == "hangs" else {}))
    source = candidate(do, ledger=str(ledger), seconds=0.5)
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(verifier.verify(source, target="f")))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert executions(ledger) == 1
    assert len({r.outcome for r in results}) == 1
    assert sorted(r.origin for r in results) == ["cache"] * 5 + ["verus"]
    counts = verifier.counts
    assert counts.executions + counts.hits + counts.shared == 6
    assert counts.executions == 1


ASKER = """
import sys
sys.path.insert(0, sys.argv[1])
from tests.verus.conftest import standin
from verulaw_gate.record.cache import StoreCache
from verulaw_gate.verus.cache import CachingVerifier
verifier = CachingVerifier(standin(), StoreCache(sys.argv[2]), version="1")
print(verifier.verify(sys.argv[3], target="f").origin)
"""


def ask_in_process(store, source):
    return subprocess.Popen(
        [sys.executable, "-c", ASKER, str(ROOT), str(store), source],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


def test_processes_that_ask_at_once_run_it_once(tmp_path):
    ledger, store = tmp_path / "ledger", tmp_path / "store.sqlite"
    source = candidate("exits_late", seconds=1.0, ledger=str(ledger))
    askers = [ask_in_process(store, source) for _ in range(3)]
    said = []
    for asker in askers:
        out, err = asker.communicate(timeout=120)
        assert asker.returncode == 0, err
        said.append(out.strip())
    assert sorted(said) == ["cache", "cache", "verus"]
    assert executions(ledger) == 1


def test_the_claim_of_a_killed_process_is_taken_over(tmp_path, cache):
    ledger, store = tmp_path / "ledger", tmp_path / "store.sqlite"
    source = candidate("exits_late", seconds=3600, ledger=str(ledger))
    asker = ask_in_process(store, source)
    deadline = time.monotonic() + 60
    while not executions(ledger) and time.monotonic() < deadline:
        time.sleep(0.02)
    asker.kill()
    asker.communicate()
    key = cache_key(source, RECORDED_OPTIONS, version="1", vstd_sha256=None)
    assert cache.claim(key, 60.0)


class TestClaims:
    def test_one_holds_it(self, cache):
        assert cache.claim("k", 60)
        assert not cache.claim("k", 60)
        assert cache.claim("other", 60)
        cache.release("k")
        assert cache.claim("k", 60)

    def test_a_claim_past_its_lease_is_taken_over_and_not_released_by_the_first(
        self, cache, tmp_path
    ):
        with StoreCache(str(tmp_path / "store.sqlite")) as other:
            assert cache.claim("k", -1)
            assert other.claim("k", 60)
            cache.release("k")
            assert not cache.claim("k", 60)

    def test_a_key_keeps_its_first_payload(self, cache):
        cache.put("k", "one")
        cache.put("k", "two")
        assert (cache.get("k"), cache.get("none")) == ("one", None)


def test_cancelling_the_leader_does_not_cancel_the_others(cache, tmp_path):
    ledger = tmp_path / "ledger"
    verifier, cancel, results = caching(cache), Cancel(), []
    source = candidate("exits_late", seconds=1.0, ledger=str(ledger))

    def leader():
        with pytest.raises(RunCancelled):
            verifier.verify(source, cancel=cancel)
        results.append("cancelled")

    threads = [threading.Thread(target=leader)]
    threads[0].start()
    while not executions(ledger):
        time.sleep(0.01)
    threads.append(threading.Thread(target=lambda: results.append(verifier.verify(source).outcome)))
    threads[1].start()
    time.sleep(0.1)
    cancel.cancel()
    for thread in threads:
        thread.join()
    assert sorted(results) == ["cancelled", "verified"]


def test_an_error_of_the_inner_verifier_frees_the_key(cache):
    class Failing:
        def verify(self, source, options, *, target=None, cancel=None):
            raise ToolError("no")

    verifier = CachingVerifier(Failing(), cache, version="1")
    for _ in range(2):
        with pytest.raises(ToolError):
            verifier.verify("x")
    assert CachingVerifier(standin(), cache, version="1").verify(candidate()).origin == "verus"


def test_a_result_survives_a_store_that_cannot_keep_it(cache, monkeypatch):
    def full(key, payload):
        raise StoreError("disk is full")

    monkeypatch.setattr(cache, "put", full)
    verifier = caching(cache)
    assert verifier.verify(candidate()).outcome is Outcome.VERIFIED
    assert verifier.counts.unkept == 1


@pytest.mark.parametrize("payload", ["", "{", "[]", "{}", "null", "[" * 9999, '{"argv": 1}'])
def test_a_payload_that_is_no_run_is_one_clear_error(cache, payload):
    cache.put(cache_key(candidate(), RECORDED_OPTIONS, version="1", vstd_sha256=None), payload)
    with pytest.raises(StoreError, match="damaged"):
        caching(cache).verify(candidate())


def test_what_reads_as_a_crash_today_is_run_again(cache, tmp_path):
    """Whatever was made of it when it was kept."""
    ledger = tmp_path / "ledger"
    source = candidate(ledger=str(ledger))
    key = cache_key(source, RECORDED_OPTIONS, version="1", vstd_sha256=None)
    cache.put(key, to_json(Run(("verus", "candidate.rs", "--output-json"), 0, "no JSON", ""), "x"))
    verifier = caching(cache)
    result = verifier.verify(source)
    assert (result.outcome, result.origin, executions(ledger)) == (Outcome.VERIFIED, "verus", 1)
    assert (verifier.counts.executions, verifier.counts.hits) == (1, 0)


def test_a_damaged_entry_is_one_clear_error(cache):
    from sqlalchemy import update

    from verulaw_gate.record.cache import results

    verifier = caching(cache)
    verifier.verify(candidate())
    with cache._engine.begin() as connection:
        connection.execute(update(results).values(payload=b"damaged"))
    with pytest.raises(StoreError, match="damaged"):
        verifier.verify(candidate())


def _ask(verifier, source):
    return verifier.verify(source, target="f").origin, verifier.counts.executions


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_worker_process_has_the_verifier_with_it(cache, tmp_path, method):
    """Pickled (spawn) or forked with open connections: the store is one, the counts are its own."""
    ledger = tmp_path / "ledger"
    verifier, source = caching(cache), candidate(ledger=str(ledger))
    assert verifier.verify(candidate("proof_failure")).origin == "verus"
    context = multiprocessing.get_context(method)
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        assert pool.submit(_ask, verifier, source).result() == ("verus", 1)
        assert pool.submit(_ask, verifier, source).result()[0] == "cache"
    assert _ask(verifier, source) == ("cache", 1)
    assert executions(ledger) == 1


def test_a_forked_child_leaves_the_connections_to_its_parent(cache, tmp_path):
    verifier, source = caching(cache), candidate(ledger=str(tmp_path / "ledger"))
    assert verifier.verify(candidate("proof_failure")).origin == "verus"
    assert cache.claim("ours", 60)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()

    def work():
        cache.release("ours")  # not the child's to give back
        queue.put((verifier.verify(source).origin, cache.claim("ours", 60)))

    worker = context.Process(target=work)
    worker.start()
    assert queue.get(timeout=60) == ("verus", False)
    worker.join()
    assert verifier.verify(source).origin == "cache"
    cache.release("ours")
    assert cache.claim("ours", 60)


def test_a_counting_verifier_is_pickled_with_what_it_asks():
    verifier = CountingVerifier(standin())
    assert verifier.verify(candidate()).outcome is Outcome.VERIFIED
    copy = pickle.loads(pickle.dumps(verifier))
    assert (copy.inner, copy.counts.executions) == (verifier.inner, 0)
    assert verifier.counts.executions == 1


def test_a_recording_and_a_kept_result_have_one_format(cache):
    verifier = caching(cache)
    verifier.verify(candidate())
    key = cache_key(candidate(), RECORDED_OPTIONS, version="1", vstd_sha256=None)
    payload = cache.get(key)
    assert payload is not None
    assert {
        "verus_version",
        "argv",
        "source_sha256",
        "exit_code",
        "stdout",
        "stderr",
        "wall_s",
    } <= (set(json.loads(payload)))
