"""`verulaw-gate store`: look after the record store."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verulaw_gate.record import Store

SUMMARY = "Look after the record store: what is in it, upgrade, prune runs, back it up."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line of `store`."""
    verbs = parser.add_subparsers(dest="what", required=True, metavar="info|upgrade|prune|backup")
    one = verbs.add_parser("info", help="runs and sizes")
    two = verbs.add_parser("upgrade", help="bring an older schema up to date")
    three = verbs.add_parser("prune", help="delete runs, and the texts that no other run names")
    three.add_argument("run", nargs="+", help="whole names of runs")
    four = verbs.add_parser("backup", help="copy the store to a new file, also while it is used")
    four.add_argument("file", type=Path)
    for verb in (one, two, three, four):
        verb.add_argument("--store", metavar="URL|FILE", help="the record store")


def run(args: argparse.Namespace) -> int:
    """Do the sub-verb."""
    from verulaw_gate import config as settings
    from verulaw_gate.cli.checking.stores import store_url
    from verulaw_gate.errors import UsageError
    from verulaw_gate.record import Store, upkeep

    url = store_url(args.store, settings.load())
    if args.what == "info":
        with Store(url, read_only=True) as store:
            _info(store)
    elif args.what == "upgrade":
        with Store(url) as store:
            print(f"{store.shown} has the newest schema")
    elif args.what == "prune":
        with Store(url) as store:
            for name in args.run:
                # A prefix is enough to look at a run, not to delete one.
                if store.run(name).name != name:
                    raise UsageError(f"'{name}' is not the whole name", hint=store.run(name).name)
            for name in args.run:
                print(f"run {name}: {upkeep.delete_run(store, name)} events deleted")
            upkeep.shrink(store)
    else:
        with Store(url, read_only=True) as store:
            upkeep.backup(store, args.file)
            print(f"{store.shown} copied to {args.file}")
    return 0


def _info(store: Store) -> None:
    from verulaw_gate.record import upkeep

    sizes = upkeep.sizes(store)
    size = f", {sizes['bytes'] / 1e6:.1f} MB" if "bytes" in sizes else ""
    print(f"{store.shown}: {sizes['events']} events, {sizes['texts']} texts{size}")
    for info in store.runs():
        state = "complete" if info.closed is not None else "not complete"
        count = f", {info.closed.generations} generations" if info.closed else ""
        print(f"  {info.name}: {info.started.corpus}, {info.started.corpus_name}{count}, {state}")
    if not sizes["runs"]:
        print("  no runs yet")
