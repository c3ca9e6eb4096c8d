"""Replay: put recorded or designed generations through monitor, gate and recorded results.

One process, one transaction a generation. A replay that was killed goes on where it was: the run
is found by its name, and what is stored is not done again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from verulaw_gate.config import DEFAULTS, Config
from verulaw_gate.experiment.closing import close
from verulaw_gate.experiment.corpora import ARM, DesignedCorpus, RecordedCorpus
from verulaw_gate.experiment.shadow import Shadow
from verulaw_gate.protocol import compile_protocol, load_protocol
from verulaw_gate.protocol.model import Protocol
from verulaw_gate.record.convert import layer_rows
from verulaw_gate.record.environment import environment
from verulaw_gate.record.events import (
    Arm,
    ArmKind,
    Budget,
    Event,
    Key,
    LayerRow,
    RunClosed,
    RunStarted,
)
from verulaw_gate.record.store import Store
from verulaw_gate.verus.model import RECORDED_OPTIONS

Progress = Callable[[int, int], None]
"""Called with (generations done, of how many)."""


@dataclass(frozen=True, slots=True)
class ReplaySettings:
    """How a replay judges. `protocol`: a shipped name or a file. `repair`: also judge the
    repaired text of what is rejected. `times`: measure gate seconds (without them two replays of
    the same input are the same byte for byte). `verifier`: `recorded` or `verus`, for the record
    only; the corpus has the verifier. `config`: rule settings."""

    protocol: str = "proof"
    repair: bool = True
    times: bool = True
    verifier: str = "recorded"
    config: Config = DEFAULTS

    def as_dict(self) -> dict[str, Any]:
        """What is stored with the run, and hashed."""
        rules = self.config
        return {
            "protocol": self.protocol,
            "repair": self.repair,
            "times": self.times,
            "verifier": self.verifier,
            "select": sorted(rules.select),
            "ignore": sorted(rules.ignore),
            "severity": {code: str(level) for code, level in sorted(rules.severity.items())},
            "verus_version": rules.verus_version,
        }


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a replay did: its run, how many generations are new, how many there are in all."""

    run: str
    new: int
    total: int


def sha256_json(value: object) -> str:
    """The sha256 of a value as canonical JSON."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def run_name(corpus: DesignedCorpus | RecordedCorpus, settings: ReplaySettings) -> str:
    """The default name of a replay: the same for the same input and settings."""
    digest = sha256_json([corpus.sha256, settings.as_dict()])
    return f"replay-{corpus.name}-{digest[:8]}"[:200]


def replay(
    store: Store,
    corpus: DesignedCorpus | RecordedCorpus,
    settings: ReplaySettings | None = None,
    *,
    run: str | None = None,
    progress: Progress | None = None,
) -> Replayed:
    """Replay a corpus into a store and close the run.

    Raises StoreError when the run exists with another corpus or settings, ProtocolError for a
    protocol that does not compile.
    """
    settings = settings or ReplaySettings()
    protocol = load_protocol(settings.protocol)
    shadow = Shadow(protocol, settings.config, settings.repair, settings.times)
    name = run or run_name(corpus, settings)
    store.start_run(name, _started(corpus, settings, protocol, shadow))
    done = store.keys(name)
    stored = sum(1 for key in done if key[3])
    new = 0
    left = _left(corpus, done)
    for key, subject in corpus.subjects(done):
        record = shadow.judge(subject)
        new += store.append(name, key, record.events, record.texts)
        if progress is not None:
            progress(stored + new, corpus.size)
        _close_loop(store, name, key, left)
    _close_rest(store, name, left)
    episodes = len(left) if isinstance(corpus, RecordedCorpus) else 0
    store.close_run(name, RunClosed(episodes=episodes, generations=corpus.size))
    return Replayed(name, new, corpus.size)


def _left(
    corpus: DesignedCorpus | RecordedCorpus, done: frozenset[tuple[str, str, int, int]]
) -> dict[tuple[str, int], set[int]]:
    """The attempts that are not stored, by loop; designed traces are no loops."""
    if isinstance(corpus, DesignedCorpus):
        return {}
    return {
        (task, sample): {n for n in numbers if (task, ARM, sample, n) not in done}
        for (task, sample), numbers in corpus.loops.items()
    }


def _close_loop(store: Store, run: str, key: Key, left: dict[tuple[str, int], set[int]]) -> None:
    open_ones = left.get((key.task, key.sample))
    if open_ones is None:
        return
    open_ones.discard(key.generation)
    if not open_ones:
        _close_episode(store, run, key.task, key.sample)


def _close_rest(store: Store, run: str, left: dict[tuple[str, int], set[int]]) -> None:
    """Loops whose last attempt was stored by a process that was killed before it closed them."""
    closed = {(task, sample) for task, _, sample, n in store.keys(run) if n == 0}
    for task, sample in sorted(left.keys() - closed):
        _close_episode(store, run, task, sample)


def _close_episode(store: Store, run: str, task: str, sample: int) -> None:
    generations: dict[int, list[Event]] = {}
    for stored in store.events(run, task=task, arm=ARM, sample=sample):
        if stored.key.generation:
            generations.setdefault(stored.key.generation, []).append(stored.event)
    end = close([generations[n] for n in sorted(generations)], Budget.LOG_ENDED)
    store.append(run, Key(task=task, arm=ARM, sample=sample), [end])


def _started(
    corpus: DesignedCorpus | RecordedCorpus,
    settings: ReplaySettings,
    protocol: Protocol,
    shadow: Shadow,
) -> RunStarted:
    layers, version = _layers(shadow)
    config = settings.as_dict()
    return RunStarted(
        corpus=corpus.kind,
        corpus_name=corpus.name,
        corpus_sha256=corpus.sha256,
        arms=(Arm(name=ARM, kind=ArmKind.REPLAY, repair=settings.repair),),
        config=config,
        config_sha256=sha256_json(config),
        protocol=protocol.name,
        protocol_sha256=protocol_sha256(protocol),
        extractors=corpus.extractors,
        options=RECORDED_OPTIONS.args,
        verus_version=version or None,
        layers=layers,
        environment=environment(verus_version=version or None),
        notes=corpus.notes,
    )


def protocol_sha256(protocol: Protocol) -> str:
    """The sha256 of what a protocol says: its states and behaviour, whatever the file's layout."""
    states = [
        (s.name, s.text, s.env_input, s.content.value, s.one_of, s.max_chars)
        for s in protocol.states
    ]
    automaton = compile_protocol(protocol)
    accepting = [q for q in range(automaton.size) if automaton.accepting(q)]
    behaviour = [list(automaton.edges()), accepting]
    return sha256_json([protocol.name, protocol.markers.value, states, behaviour])


def _layers(shadow: Shadow) -> tuple[tuple[LayerRow, ...], str]:
    result = shadow.gate(None, None).check_source("")
    return layer_rows(result), result.verus_version
