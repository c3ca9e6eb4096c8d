"""`verulaw-gate rule`: what a rule finds, why, an example, the remedy, its measured counts."""

from __future__ import annotations

import argparse
import sys
from difflib import get_close_matches
from pathlib import Path

from verulaw_gate.codes import BY_NAME, CODES
from verulaw_gate.errors import UsageError

SNIPPETS = Path("tests/verus_snippets")
SUMMARY = "Explain one rule, by code or name, or list all of them."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line of `rule`."""
    parser.add_argument("code", nargs="?", metavar="CODE", help="VG301, or a name: assume")
    parser.add_argument("--markdown", action="store_true", help="all rules, as docs/rules.md")
    parser.add_argument("--snippets", type=Path, metavar="FOLDER", default=SNIPPETS,
        help="snippets to count for --markdown (default: tests/verus_snippets)")  # fmt: skip
    parser.add_argument("--counts", metavar="FILE", help="measured counts, instead of the shipped")


def run(args: argparse.Namespace) -> int:
    """Print it."""
    from verulaw_gate.gate import calibration, rule_page
    from verulaw_gate.gate.rules import rule_docs

    if args.code is None and not args.markdown:
        print(rule_page.listing(), end="")
        return 0
    code = None if args.markdown else _code(args.code)
    path = Path(args.counts) if args.counts else calibration.SHIPPED
    if args.counts and not path.exists():
        raise UsageError("--counts: no such file", path=path)
    sets = calibration.load(path)
    docs = rule_docs()
    if code is None:
        sys.stdout.write(rule_page.markdown(docs, sets, snippets_of(args.snippets)))
    else:
        sys.stdout.write(rule_page.terminal(code, docs.get(code), sets))
    return 0


def snippets_of(folder: Path) -> dict[str, str]:
    """What there is to say of the snippets in a folder, by code; nothing where there is none."""
    from verulaw_gate.experiment.snippets import in_words, load_snippets

    return in_words(load_snippets(folder)) if folder.is_dir() else {}


def _code(name: str) -> str:
    if name.upper() in CODES:
        return name.upper()
    if name in BY_NAME:
        return BY_NAME[name].code
    near = get_close_matches(name, [*CODES, *BY_NAME], n=1, cutoff=0.5)
    hint = f"did you mean '{near[0]}'?" if near else "`verulaw-gate rule` lists all codes"
    raise UsageError(f"no rule '{name}'", hint=hint)
