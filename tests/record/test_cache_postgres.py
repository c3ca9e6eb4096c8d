"""The cache of results on a real PostgreSQL server, which scripts/with_postgres.sh starts."""

from __future__ import annotations

import os
import threading
import uuid

import pytest

from verulaw_gate.record.cache import StoreCache

URL = os.environ.get("VERULAW_POSTGRES", "")

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.skipif(
        not URL,
        reason="no PostgreSQL server: VERULAW_POSTGRES is not set (use scripts/with_postgres.sh)",
    ),
]


@pytest.fixture
def key():
    return uuid.uuid4().hex


def test_payloads_and_claims(key):
    with StoreCache(URL) as one, StoreCache(URL) as two:
        assert one.get(key) is None
        assert one.claim(key, 60)
        assert not two.claim(key, 60)
        one.put(key, "é\x00\n")
        two.put(key, "another")
        assert two.get(key) == "é\x00\n"
        one.release(key)
        assert two.claim(key, -1)
        assert one.claim(key, 60)  # past its lease
        two.release(key)
        assert not two.claim(key, 60)


def test_of_many_at_once_one_holds_it(key):
    caches = [StoreCache(URL) for _ in range(6)]
    start, got = threading.Barrier(len(caches)), []

    def ask(cache):
        start.wait()
        got.append(cache.claim(key, 60))

    threads = [threading.Thread(target=ask, args=(cache,)) for cache in caches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got) == [False] * 5 + [True]
    for cache in caches:
        cache.close()


def test_tables_are_made_once_by_many_at_once():
    caches = []
    threads = [threading.Thread(target=lambda: caches.append(StoreCache(URL))) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(caches) == 5
    for cache in caches:
        cache.close()
