"""Replay: put recorded or designed generations through monitor, gate and recorded results.

One process, one transaction a generation. A replay that was killed goes on where it was: the run
is found by its name, and what is stored is not done again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
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
    shown = "".join(c if c.isprintable() else "-" for c in corpus.name[:150])
    return f"replay-{shown}-{digest[:8]}"


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
    loops = _Loops(store, name, corpus, done)
    for key, subject in corpus.subjects(done):
        record = shadow.judge(subject)
        ours = store.append(name, key, record.events, record.texts)
        new += ours
        loops.add(key, record.events if ours else None)
        if progress is not None:
            progress(stored + new, corpus.size)
    loops.close_rest()
    store.close_run(name, RunClosed(episodes=loops.count, generations=corpus.size))
    return Replayed(name, new, corpus.size)


_KEPT_LOOPS = 2000


class _Loops:
    """Closes a recorded loop as soon as its last attempt is stored.

    Totals come from the stored events. Those of loops that this process saw whole are kept in
    memory, a bounded number of loops at a time, and need not be read back.
    """

    def __init__(
        self,
        store: Store,
        run: str,
        corpus: DesignedCorpus | RecordedCorpus,
        done: frozenset[tuple[str, str, int, int]],
    ) -> None:
        self._store, self._run = store, run
        # Designed traces are no loops: they were written to show labels, one by one.
        loops = corpus.loops if isinstance(corpus, RecordedCorpus) else {}
        self._left = {
            (task, sample): {n for n in numbers if (task, ARM, sample, n) not in done}
            for (task, sample), numbers in loops.items()
        }
        self._whole = {loop for loop in loops if len(self._left[loop]) == len(loops[loop])}
        self._kept: dict[tuple[str, int], dict[int, Sequence[Event]]] = {}
        self.count = len(loops)

    def add(self, key: Key, events: Sequence[Event] | None) -> None:
        """An attempt is stored; `events` None: by another process, with its own times."""
        loop = (key.task, key.sample)
        if loop not in self._left:
            return
        if (
            events is not None
            and loop in self._whole
            and (loop in self._kept or len(self._kept) < _KEPT_LOOPS)
        ):
            self._kept.setdefault(loop, {})[key.generation] = events
        else:
            self._whole.discard(loop)
            self._kept.pop(loop, None)
        self._left[loop].discard(key.generation)
        if not self._left[loop]:
            self._close(loop)

    def close_rest(self) -> None:
        """Loops whose last attempt was stored by a process that was killed before closing it."""
        closed = {(task, sample) for task, _, sample, n in self._store.keys(self._run) if n == 0}
        for loop in sorted(self._left.keys() - closed):
            self._close(loop)

    def _close(self, loop: tuple[str, int]) -> None:
        task, sample = loop
        found = self._kept.pop(loop, None) if loop in self._whole else None
        generations = found if found is not None else self._read(task, sample)
        ordered = [generations[n] for n in sorted(generations)]
        end = close(ordered, Budget.LOG_ENDED, replayed=True)
        self._store.append(self._run, Key(task=task, arm=ARM, sample=sample), [end])

    def _read(self, task: str, sample: int) -> dict[int, Sequence[Event]]:
        generations: dict[int, list[Event]] = {}
        for stored in self._store.events(self._run, task=task, arm=ARM, sample=sample):
            if stored.key.generation:
                generations.setdefault(stored.key.generation, []).append(stored.event)
        return dict(generations)


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
