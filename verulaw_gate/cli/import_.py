"""`verulaw-gate import`: read an exported run into a store."""

from __future__ import annotations

import argparse
from pathlib import Path

SUMMARY = "Read exported runs (verulaw-gate/run/1) into a store, each whole or not at all."

MAX_LINE = 256 * 1024 * 1024
"""Bytes of one line: the largest text of an attempt log, written in escapes."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line of `import`."""
    parser.add_argument("file", nargs="+", type=Path, help="files that `export` wrote")
    parser.add_argument("--store", metavar="URL|FILE", help="the record store")
    parser.add_argument("--run", metavar="NAME", help="another name for the run (one file)")


def run(args: argparse.Namespace) -> int:
    """Import."""
    from verulaw_gate import config as settings
    from verulaw_gate.cli.checking.stores import store_url
    from verulaw_gate.errors import LogError, UsageError
    from verulaw_gate.record import Store
    from verulaw_gate.record.transfer import import_run
    from verulaw_gate.tasks.files import read_lines

    if args.run and len(args.file) > 1:
        raise UsageError("--run names one run, and there are several files", hint="one at a time")
    with Store(store_url(args.store, settings.load())) as store:
        for path in args.file:
            lines = (line for _, line in read_lines(path, LogError, limit=MAX_LINE))
            done = import_run(store, lines, run=args.run, path=path)
            print(f"run {done.run}: {done.events} events, {done.texts} texts from {path}")
    return 0
