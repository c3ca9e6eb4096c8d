"""`verulaw-gate calibrate`: measure every rule on recorded attempts with known Verus outcomes."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from verulaw_gate.cli.rule import SNIPPETS, snippets_of
from verulaw_gate.errors import UsageError

SUMMARY = """Run all rules over recorded attempts whose Verus outcome is known, and count: rejected
among Verus-accepted, rejected among Verus-failed, confirmed, exposure, false rejects by name."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line of `calibrate`."""
    add = parser.add_argument
    add("logs", nargs="+", metavar="LOG", help="attempt logs (JSON Lines); read as one corpus")
    add("--format", choices=("text", "json"), default="text")
    add("--name", metavar="NAME", help="name of the corpus (default: the logs' names)")
    add("--counts", metavar="FILE", help="also put the counts there, under the name")
    add("--snippets", type=Path, metavar="FOLDER", default=SNIPPETS, help="snippets to count for"
        " --docs (default: tests/verus_snippets)")  # fmt: skip
    add("--docs", metavar="FILE", help="also write docs/rules.md anew from the file of --counts")


def run(args: argparse.Namespace) -> int:
    """Measure, print, and write what was asked for. Exit code 1 when there is a false reject."""
    from verulaw_gate.experiment.calibrate import calibrate
    from verulaw_gate.gate import calibration, calibration_text, rule_page
    from verulaw_gate.gate.rules import rule_docs

    if args.docs and not args.counts:
        raise UsageError("--docs needs --counts", hint="name the file of counts to write it from")
    found = calibrate([Path(log) for log in args.logs], args.name)
    if args.counts:
        counts = Path(args.counts)
        sets = calibration.with_set(calibration.load(counts), found)
        _write(counts, calibration.dump(sets))
        if args.docs:
            page = rule_page.markdown(rule_docs(), sets, snippets_of(args.snippets))
            _write(Path(args.docs), page)
    if args.format == "json":
        json.dump(calibration.report_json(found), sys.stdout, indent=1, ensure_ascii=False)
        print()
    else:
        sys.stdout.write(calibration_text.render(found))
    return 1 if found.predictive.names else 0


def _write(path: Path, text: str) -> None:
    from verulaw_gate.tasks.files import write_text

    write_text(path, text, UsageError)
