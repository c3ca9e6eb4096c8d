"""Results that are kept: the same source under the same Verus and options runs once."""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol as TypingProtocol

from verulaw_gate.errors import StoreError
from verulaw_gate.verus.cancel import Cancel
from verulaw_gate.verus.keys import options_key, source_sha256
from verulaw_gate.verus.model import (
    RECORDED_OPTIONS,
    CancellableVerifier,
    Outcome,
    Verification,
    VerusOptions,
)
from verulaw_gate.verus.process import RunCancelled
from verulaw_gate.verus.runs import from_json, run_of, to_json

CACHED = frozenset(
    {Outcome.VERIFIED, Outcome.PROOF_FAILURE, Outcome.COMPILE_ERROR, Outcome.NOT_VERIFIED}
)
"""What is kept. Never what another try may change: timeout, crash, tool-error, rlimit."""

_POLL_S = (0.01, 0.5)


class ResultCache(TypingProtocol):
    """Where results are kept; shared by threads, processes and, with a server, machines.

    A claim says "I am running this": of all askers of one key at most one holds it. A claim of a
    process that is gone, or past its lease, may be taken over.
    """

    def get(self, key: str) -> str | None:
        """The payload of a key, None where there is none."""

    def put(self, key: str, payload: str) -> None:
        """Keep a payload. A key that has one keeps it."""

    def claim(self, key: str, lease_s: float) -> bool:
        """Whether the key is now ours to run, for at most `lease_s` seconds."""

    def release(self, key: str) -> None:
        """Give our claim back."""


@dataclass(frozen=True, slots=True)
class CacheCounts:
    """`executions`: runs of the inner verifier. `hits`: answers from the cache. `shared`: answers
    of a run that another asker in this process had begun. A request is exactly one of them,
    unless it was cancelled or failed. `unkept`: results that the cache could not keep."""

    executions: int = 0
    hits: int = 0
    shared: int = 0
    unkept: int = 0


def cache_key(source: str, options: VerusOptions, *, version: str, vstd_sha256: str | None) -> str:
    """The key of a result: source bytes, options, Verus version, hash of vstd where known."""
    parts = [source_sha256(source), options_key(options), version, vstd_sha256 or ""]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


class CachingVerifier:
    """A `Verifier` in front of another that keeps definite results.

    `lease_s` is the longest that one run can take, in seconds. Results from here have the origin
    "cache" and the times of the run that made them. It may be pickled where its two parts may: the
    copy counts from zero.
    """

    def __init__(
        self,
        inner: CancellableVerifier,
        cache: ResultCache,
        *,
        version: str,
        vstd_sha256: str | None = None,
        lease_s: float = 600.0,
    ) -> None:
        self.inner = inner
        self.cache = cache
        self.version = version
        self.vstd_sha256 = vstd_sha256
        self.lease_s = lease_s
        self._lock = threading.Lock()
        self._flights: dict[tuple[str, str | None], Future[Verification]] = {}
        self._counts = CacheCounts()

    def __reduce__(self) -> tuple[object, ...]:
        build = partial(
            CachingVerifier,
            version=self.version,
            vstd_sha256=self.vstd_sha256,
            lease_s=self.lease_s,
        )
        return (build, (self.inner, self.cache))

    @property
    def counts(self) -> CacheCounts:
        """What the requests so far have become."""
        with self._lock:
            return self._counts

    def verify(
        self,
        source: str,
        options: VerusOptions = RECORDED_OPTIONS,
        *,
        target: str | None = None,
        cancel: Cancel | None = None,
    ) -> Verification:
        """The kept result, or a run. Raises what the inner verifier and the cache raise."""
        key = cache_key(source, options, version=self.version, vstd_sha256=self.vstd_sha256)
        while True:
            with self._lock:
                flight = self._flights.get((key, target))
                leading = flight is None
                if flight is None:
                    flight = self._flights[key, target] = Future()
            if leading:
                return self._lead(flight, key, source, options, target, cancel)
            shared = self._follow(flight, cancel)
            if shared is not None:
                self._count("shared")
                return replace(shared, origin="cache")

    def _lead(
        self,
        flight: Future[Verification],
        key: str,
        source: str,
        options: VerusOptions,
        target: str | None,
        cancel: Cancel | None,
    ) -> Verification:
        try:
            result = self._get_or_run(key, source, options, target, cancel)
        except BaseException:
            # Followers ask for themselves: our cancellation or error is not theirs.
            flight.cancel()
            raise
        else:
            flight.set_result(result)
            return result
        finally:
            with self._lock:
                del self._flights[key, target]

    def _follow(self, flight: Future[Verification], cancel: Cancel | None) -> Verification | None:
        done = threading.Event()
        flight.add_done_callback(lambda _: done.set())
        while not done.wait(_POLL_S[1] if cancel is not None else None):
            if cancel is not None and cancel.cancelled:
                raise RunCancelled("cancelled while another asker ran the same source")
        return None if flight.cancelled() else flight.result()

    def _get_or_run(
        self,
        key: str,
        source: str,
        options: VerusOptions,
        target: str | None,
        cancel: Cancel | None,
    ) -> Verification:
        pause = _POLL_S[0]
        while True:
            kept = self._kept(key, source, options, target)
            if kept is not None:
                return kept
            if self.cache.claim(key, self.lease_s):
                break
            if cancel is not None and cancel.cancelled:
                raise RunCancelled("cancelled while another process ran the same source")
            time.sleep(pause)
            pause = min(2 * pause, _POLL_S[1])
        try:
            # Whoever held the claim before may have finished between our look and our claim.
            kept = self._kept(key, source, options, target)
            if kept is not None:
                return kept
            result = self.inner.verify(source, options, target=target, cancel=cancel)
            self._count("executions")
            if result.outcome in CACHED and not result.truncated:
                self._keep(key, result)
            return result
        finally:
            # A claim that cannot be given back ends with its lease; the result matters more.
            with contextlib.suppress(StoreError):
                self.cache.release(key)

    def _kept(
        self, key: str, source: str, options: VerusOptions, target: str | None
    ) -> Verification | None:
        payload = self.cache.get(key)
        if payload is None:
            return None
        try:
            run = from_json(json.loads(payload))
        except (ValueError, KeyError, TypeError, RecursionError):
            raise StoreError(
                f"the kept result {key} is damaged",
                hint="run with --no-cache, or name another store",
            ) from None
        result = run.result(
            source=source,
            sha256=source_sha256(source),
            options=options,
            target=target,
            origin="cache",
        )
        if result.outcome not in CACHED:
            # An earlier version read more into these bytes than they say.
            return None
        self._count("hits")
        return result

    def _keep(self, key: str, result: Verification) -> None:
        try:
            self.cache.put(key, to_json(run_of(result), result.source_sha256))
        except StoreError:
            # A full disk must not lose the result of a run.
            self._count("unkept")

    def _count(self, name: str) -> None:
        with self._lock:
            counts = self._counts
            self._counts = replace(counts, **{name: getattr(counts, name) + 1})


class CountingVerifier:
    """A `Verifier` in front of another that keeps nothing and counts its executions: what
    `--no-cache` uses, so that the figures of both have one form."""

    def __init__(self, inner: CancellableVerifier) -> None:
        self.inner = inner
        self._lock = threading.Lock()
        self._executions = 0

    def __reduce__(self) -> tuple[object, ...]:
        return (CountingVerifier, (self.inner,))

    @property
    def counts(self) -> CacheCounts:
        """What the requests so far have become."""
        with self._lock:
            return CacheCounts(executions=self._executions)

    def verify(
        self,
        source: str,
        options: VerusOptions = RECORDED_OPTIONS,
        *,
        target: str | None = None,
        cancel: Cancel | None = None,
    ) -> Verification:
        """A run of the inner verifier."""
        result = self.inner.verify(source, options, target=target, cancel=cancel)
        with self._lock:
            self._executions += 1
        return result
