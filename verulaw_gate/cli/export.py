"""`verulaw-gate export`: write a run as JSON Lines."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

SUMMARY = "Write a run as JSON Lines (verulaw-gate/run/1): every event and every text it names."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line of `export`."""
    parser.add_argument("run", help="the run's name, or the beginning of it")
    parser.add_argument("--store", metavar="URL|FILE", help="the record store")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write there, not to stdout")


def run(args: argparse.Namespace) -> int:
    """Export."""
    from verulaw_gate import config as settings
    from verulaw_gate.cli.checking.stores import store_url
    from verulaw_gate.record import Store
    from verulaw_gate.record.transfer import export_lines
    from verulaw_gate.tasks.files import write_lines

    with Store(store_url(args.store, settings.load()), read_only=True) as store:
        lines = export_lines(store, args.run)
        if args.output is None:
            sys.stdout.writelines(lines)
            return 0
        write_lines(args.output, lines)
    print(f"run {args.run} written to {args.output}")
    return 0
