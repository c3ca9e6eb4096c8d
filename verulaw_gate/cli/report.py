"""`verulaw-gate report`: the report of a run, or two runs compared."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from verulaw_gate.errors import UsageError

SUMMARY = "Print the report of a run, or compare two runs paired by task and sample."

FORMATS = ("terminal", "markdown", "json", "html")
_BY_SUFFIX = {".md": "markdown", ".json": "json", ".html": "html", ".htm": "html"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the verb."""
    parser.add_argument("run", nargs="+", metavar="RUN", help="one run, or two to compare")
    parser.add_argument("--store", metavar="URL", help="the record store (a path or a URL)")
    parser.add_argument(
        "--format",
        choices=FORMATS,
        help="default: by the suffix of --output, otherwise terminal",
    )
    parser.add_argument(
        "--output", "-o", type=Path, metavar="PATH", help="write to a file instead of the terminal"
    )


def run(args: argparse.Namespace) -> int:
    """Build the report, render it, write it. Raises VerulawError on bad input."""
    if len(args.run) > 2:
        raise UsageError("report takes one run, or two to compare", hint="name at most two runs")
    chosen = args.format
    if chosen is None:
        suffix = "" if args.output is None else args.output.suffix.lower()
        chosen = _BY_SUFFIX.get(suffix, "terminal")
    from verulaw_gate import config as settings
    from verulaw_gate import report
    from verulaw_gate.record import Store

    with Store(args.store or settings.load().store, read_only=True) as store:
        found = (
            report.compare(store, args.run[0], args.run[1])
            if len(args.run) == 2
            else report.build(store, args.run[0])
        )
    text = report.RENDERERS[chosen](found)
    if args.output is None:
        sys.stdout.write(text)
        return 0
    from verulaw_gate.tasks.files import write_lines

    hint = "name a file in a folder that exists, can be written and has space"
    write_lines(args.output, [text], UsageError, hint=hint)
    return 0
