"""`verulaw-gate replay`: put recorded attempts or designed traces through monitor and gate."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

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
    add("--verus", metavar="PATH", help="the verus program for --verifier verus")
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
    corpus = _corpus(args, _verifier(args))
    chosen = ReplaySettings(
        protocol=args.protocol,
        repair=not args.no_repair,
        times=not args.no_times,
        verifier=args.verifier,
        config=config,
    )
    with Store(args.store or config.store) as store, progress("replay") as report:
        done = replay(store, corpus, chosen, run=args.run, progress=report)
        where = store.url
    if done.new < done.total:
        print(f"{done.total - done.new} of {done.total} generations were there already")
    print(f"run {done.run}: {done.total} generations ({corpus.kind}) in {where}")
    print(f"next: verulaw-gate report {done.run}{f' --store {args.store}' if args.store else ''}")
    return 0


def _corpus(args: argparse.Namespace, verifier: Verifier | None) -> DesignedCorpus | RecordedCorpus:
    from verulaw_gate.experiment.corpora import DesignedCorpus, RecordedCorpus
    from verulaw_gate.tasks import load_suite

    tasks = load_suite(args.tasks)
    if args.designed:
        return DesignedCorpus(tasks, verifier)
    return RecordedCorpus(args.log, tasks, verifier)


def _verifier(args: argparse.Namespace) -> Verifier | None:
    if args.verifier == "recorded":
        if args.verus:
            raise UsageError("--verus needs --verifier verus", hint="add it")
        return None
    from verulaw_gate.verus.find import find_verus
    from verulaw_gate.verus.verifier import VerusVerifier

    found = find_verus(args.verus)
    return VerusVerifier(found.path, version=found.version.version)
