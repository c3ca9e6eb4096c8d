"""What runs an episode in any process: threads, worker processes and Dask workers use the same.

A workshop is sent by value and opened once in each process; the store is opened there too.
Nothing else crosses: the episode finds its history in the store and leaves its events there.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Protocol as TypingProtocol

from verulaw_gate.experiment.episode import Tools, run_episode
from verulaw_gate.experiment.model import EpisodeSpec
from verulaw_gate.record.events import EpisodeClosed
from verulaw_gate.record.store import Store


class Workshop(TypingProtocol):
    """Makes the tools of an episode in whatever process it finds itself. Picklable."""

    @property
    def key(self) -> str:
        """Equal for workshops whose tools are the same."""

    def open(self) -> Tools:
        """The tools; called once in each process. Raises VerulawError when something is missing
        there (a key, the verus program)."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One episode to be run, with all that a process needs to run it."""

    store_url: str
    run: str
    spec: EpisodeSpec
    workshop: Workshop


_lock = threading.Lock()
_tools: dict[str, Tools] = {}
_stores: dict[str, Store] = {}
_stop = threading.Event()


def run_unit(unit: Unit) -> EpisodeClosed:
    """Run one episode in this process."""
    with _lock:
        if unit.workshop.key not in _tools:
            _tools[unit.workshop.key] = unit.workshop.open()
        if unit.store_url not in _stores:
            _stores[unit.store_url] = Store(unit.store_url)
        tools, store = _tools[unit.workshop.key], _stores[unit.store_url]
    return run_episode(store, unit.run, unit.spec, tools, _stop.is_set)


def stop() -> None:
    """Let the episodes of this process stop after their current generation."""
    _stop.set()


def forget() -> None:
    """Close what this process has opened, and be ready for another run."""
    _stop.clear()
    with _lock:
        for tools in _tools.values():
            tools.close()
        for store in _stores.values():
            store.close()
        _stores.clear()
        _tools.clear()
