"""`verulaw-gate demo`: replay the shipped corpora in the shadow and print the report."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from verulaw_gate.cli import real_verifier
from verulaw_gate.errors import UsageError

if TYPE_CHECKING:
    from verulaw_gate.experiment.corpora import DesignedCorpus, RecordedCorpus
    from verulaw_gate.verus.model import Verifier

SUMMARY = """Replay the shipped corpora, the labelled traces of the task suite and the recorded
attempts, through monitor and gate, with the results recorded from real Verus, and print the report.
With --verifier verus a real Verus is run instead."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line of `demo`."""
    add = parser.add_argument
    add("--out", type=Path, default=Path("verulaw-out"), metavar="FOLDER",
        help="where the store and the reports go (default: verulaw-out)")  # fmt: skip
    add("--verifier", choices=("recorded", "verus"), default="recorded",
        help="recorded results (default), or a real verus")  # fmt: skip
    real_verifier.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Replay both corpora, print the report, write it as Markdown, JSON and HTML."""
    from verulaw_gate import report
    from verulaw_gate.cli.progress import progress
    from verulaw_gate.experiment.replay import ReplaySettings, replay
    from verulaw_gate.record import Store
    from verulaw_gate.tasks.files import write_text

    store_file = _fresh(args.out)
    settings = ReplaySettings(verifier=args.verifier)
    runs = []
    with _verifier(args, store_file) as verifier, Store(str(store_file)) as store:
        for title, corpus in _corpora(verifier):
            with progress(f"demo: {title}") as shown:
                runs.append(replay(store, corpus, settings, progress=shown).run)
    with Store(str(store_file), read_only=True) as store:
        found = report.build(store, runs)
    sys.stdout.write(report.RENDERERS["terminal"](found))
    print()
    for name, suffix in (("markdown", "md"), ("json", "json"), ("html", "html")):
        path = args.out / f"report.{suffix}"
        write_text(path, report.RENDERERS[name](found))
        print(f"{name} report: {path}")
    print(f"store: {store_file}")
    return 0


@contextmanager
def _verifier(args: argparse.Namespace, store_file: Path) -> Iterator[Verifier | None]:
    """A real Verus where it is asked for, otherwise None: the recorded results."""
    if args.verifier == "recorded":
        if args.verus:
            raise UsageError("--verus needs --verifier verus", hint="add it")
        yield None
        return
    from verulaw_gate import config

    with real_verifier.real_verifier(args, config.load(), str(store_file)) as real:
        yield real.verifier


def _corpora(verifier: Verifier | None) -> list[tuple[str, DesignedCorpus | RecordedCorpus]]:
    from verulaw_gate.data import corpora_dir
    from verulaw_gate.experiment.corpora import DesignedCorpus, RecordedCorpus
    from verulaw_gate.tasks import load_suite

    tasks = load_suite()
    logs = sorted(corpora_dir().glob("*.jsonl"))
    return [
        ("task traces", DesignedCorpus(tasks, verifier)),
        ("recorded attempts", RecordedCorpus(logs, tasks, verifier)),
    ]


def _fresh(folder: Path) -> Path:
    """The demo's own store, empty: a demo shows what this version says, not an earlier one."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("demo.sqlite", "demo.sqlite-wal", "demo.sqlite-shm"):
            (folder / name).unlink(missing_ok=True)
    except OSError as problem:
        raise UsageError(
            f"can't use the output folder: {problem.strerror}",
            hint="name a folder that can be written with --out",
            path=folder,
        ) from None
    return folder / "demo.sqlite"
