"""`verulaw-gate replay`: put recorded attempts or designed traces through monitor and gate."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from verulaw_gate.cli import real_verifier
from verulaw_gate.cli.checking.stores import store_url
from verulaw_gate.config import Config
from verulaw_gate.errors import UsageError

if TYPE_CHECKING:
    from verulaw_gate.experiment.corpora import DesignedCorpus, RecordedCorpus
    from verulaw_gate.verus.model import Verifier

SUMMARY = """Replay recorded attempts (attempt logs) or the designed traces of tasks in the shadow:
every verdict of monitor and gate is stored beside the recorded Verus outcome, none is acted on.
A replay that was killed goes on where it was."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line of `replay`."""
    add = parser.add_argument
    add("log", nargs="*", type=Path, help="attempt logs (verulaw-gate/attempt/1), one corpus")
    add("--designed", action="store_true", help="the labelled traces of tasks instead of logs")
    add("--tasks", type=Path, metavar="FOLDER", help="another folder of tasks")
    add("--protocol", default="proof", metavar="NAME|FILE", help="the protocol (default: proof)")
    add("--store", metavar="URL|FILE", help="the record store (default: VERULAW_STORE, or"
        " verulaw.sqlite here)")  # fmt: skip
    add("--run", metavar="NAME", help="the run's name (default: from the corpus and settings)")
    add("--verifier", choices=("recorded", "verus"), default="recorded",
        help="recorded results (default), or a real verus")  # fmt: skip
    real_verifier.add_arguments(parser)
    add("--no-repair", action="store_true", help="do not judge repaired texts as well")
    add("--no-times", action="store_true", help="do not measure gate time: the same input then"
        " gives the same store and report")  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Replay, and say where the run is."""
    from verulaw_gate import config as settings
    from verulaw_gate.cli.progress import progress
    from verulaw_gate.experiment.replay import ReplaySettings, replay
    from verulaw_gate.record import Store

    if bool(args.log) == args.designed:
        raise UsageError(
            "give attempt logs, or --designed", hint="verulaw-gate replay LOG, or replay --designed"
        )
    config = settings.load()
    chosen = ReplaySettings(
        protocol=args.protocol,
        repair=not args.no_repair,
        times=not args.no_times,
        verifier=args.verifier,
        config=config,
    )
    url = store_url(args.store, config)
    with (
        _verifier(args, config, url) as verifier,
        Store(url) as store,
        progress("replay") as report,
    ):
        corpus = _corpus(args, verifier)
        done = replay(store, corpus, chosen, run=args.run, progress=report)
        where = store.url
    if done.new < done.total:
        print(f"{done.total - done.new} of {done.total} generations were there already")
    print(f"run {done.run}: {done.total} generations ({corpus.kind}) in {where}")
    for note in corpus.notes:
        print(f"note: {note}")
    print(f"next: verulaw-gate report {done.run}{f' --store {args.store}' if args.store else ''}")
    return 0


def _corpus(args: argparse.Namespace, verifier: Verifier | None) -> DesignedCorpus | RecordedCorpus:
    from verulaw_gate.experiment.corpora import DesignedCorpus, RecordedCorpus
    from verulaw_gate.tasks import load_suite

    tasks = load_suite(args.tasks)
    if args.designed:
        return DesignedCorpus(tasks, verifier)
    return RecordedCorpus(args.log, tasks, verifier)


@contextmanager
def _verifier(
    args: argparse.Namespace, config: Config, store: str | None
) -> Iterator[Verifier | None]:
    """The real verifier, None for the recorded results of the corpus itself."""
    if args.verifier == "recorded":
        for name in ("verus", "timeout", "no_cache"):
            if getattr(args, name):
                option = "--" + name.replace("_", "-")
                raise UsageError(f"{option} needs --verifier verus", hint="add it")
        yield None
        return
    with real_verifier.real_verifier(args, config, store) as real:
        yield real.verifier
        print(real.counts_line())
