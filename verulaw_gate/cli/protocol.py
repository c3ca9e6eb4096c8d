"""`verulaw-gate protocol`: lint, show, test, trace or export a protocol."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verulaw_gate.monitor import ContentChecker
    from verulaw_gate.monitor.examples import Example

SUMMARY = """Lint, show, test, trace or export a protocol.

A protocol is a file (*.sexp) or the name of a shipped one."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line of `protocol`."""
    verbs = parser.add_subparsers(
        dest="what", required=True, metavar="list|lint|show|test|trace|export"
    )
    verbs.add_parser("list", help="the shipped protocols, one line each")
    one = verbs.add_parser("lint", help="everything that is wrong or surprising in protocol files")
    one.add_argument("protocols", nargs="+", metavar="PROTOCOL")
    one.add_argument("--format", choices=("human", "json"), default="human")
    one = verbs.add_parser("show", help="states, transitions and legal next states")
    one.add_argument("protocol", metavar="PROTOCOL")
    one.add_argument("--format", choices=("table", "mermaid", "json"), default="table")
    one = verbs.add_parser("test", help="run accepted and rejected example traces")
    one.add_argument("protocol", metavar="PROTOCOL")
    one.add_argument(
        "examples",
        nargs="?",
        type=Path,
        help="folder with accepted/ and rejected/ (default: examples/NAME beside the protocol)",
    )
    one.add_argument("--format", choices=("human", "json"), default="human")
    _content_flag(one)
    one = verbs.add_parser("trace", help="walk a trace: steps, the first violation, what is due")
    one.add_argument("protocol", metavar="PROTOCOL")
    one.add_argument("--trace", type=Path, required=True, metavar="FILE", help=".txt or .jsonl")
    one.add_argument(
        "--correction",
        choices=("prefix", "feedback", "forced"),
        default="prefix",
        help="the kind of correction to show",
    )
    one.add_argument("--format", choices=("human", "json"), default="human")
    _content_flag(one)
    one = verbs.add_parser("export", help="the protocol as a program that Verus can check")
    one.add_argument("protocol", metavar="PROTOCOL")
    one.add_argument("--format", choices=("verus",), default="verus")
    one.add_argument("--output", type=Path, metavar="FILE", help="write there, not to stdout")


def _content_flag(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--content", action="store_true", help="also run the gate's rules on the contents"
    )


def run(args: argparse.Namespace) -> int:
    """Do the sub-verb."""
    verbs = {
        "list": _list,
        "lint": _lint,
        "show": _show,
        "test": _test,
        "trace": _trace,
        "export": _export,
    }
    return verbs[args.what](args)


def _list(args: argparse.Namespace) -> int:
    from textwrap import shorten

    from verulaw_gate.protocol import load_protocol, shipped

    names = shipped()
    width = max(map(len, names), default=0)
    for name in names:
        summary = shorten(load_protocol(name).comment, 98 - width, placeholder=" ...")
        print(f"{name:<{width}}  {summary}")
    return 0


def _lint(args: argparse.Namespace) -> int:
    from verulaw_gate.protocol import Level, lint
    from verulaw_gate.protocol.load import locate, read_source

    found = []
    for given in args.protocols:
        path = str(locate(given))
        text = read_source(path)
        found += [(path, text, d) for d in lint(text, path)]
    errors = sum(d.level is Level.ERROR for _, _, d in found)
    if args.format == "json":
        _print_json([_as_data(path, text, d) for path, text, d in found])
    else:
        for path, text, diagnostic in found:
            print(_as_text(path, text, diagnostic), end="\n\n")
        files = len(args.protocols)
        print(
            f"{files} protocol{'s' if files != 1 else ''}: {errors} "
            f"error{'s' if errors != 1 else ''}, {len(found) - errors} other"
        )
    return 1 if errors else 0


def _as_text(path: str, text: str, diagnostic: object) -> str:
    from verulaw_gate.protocol import LINT_CODES, Diagnostic
    from verulaw_gate.protocol.diagnostics import caret

    assert isinstance(diagnostic, Diagnostic)
    d = diagnostic
    shown = "\n".join(f"    {line}" for line in caret(text, d.span).splitlines())
    return (
        f"{path}:{d.span.line}:{d.span.column}: {d.level.value} {d.code} {d.name}: {d.message}\n"
        f"{shown}\n  why: {LINT_CODES[d.code].explanation}\n  remedy: {d.remedy}"
    )


def _as_data(path: str, text: str, diagnostic: object) -> dict[str, object]:
    from verulaw_gate.protocol import LINT_CODES, Diagnostic

    assert isinstance(diagnostic, Diagnostic)
    d = diagnostic
    return {
        "path": path,
        "code": d.code,
        "name": d.name,
        "level": d.level.value,
        "message": d.message,
        "explanation": LINT_CODES[d.code].explanation,
        "remedy": d.remedy,
        "start": d.span.start,
        "end": d.span.end,
        "line": d.span.line,
        "column": d.span.column,
    }


def _show(args: argparse.Namespace) -> int:
    from verulaw_gate.protocol import load_protocol, show

    protocol = load_protocol(args.protocol)
    if args.format == "json":
        _print_json(show.data(protocol))
    else:
        print(show.mermaid(protocol) if args.format == "mermaid" else show.table(protocol), end="")
    return 0


def _test(args: argparse.Namespace) -> int:
    from verulaw_gate.monitor.examples import examples_dir, run_examples
    from verulaw_gate.protocol import load_protocol
    from verulaw_gate.protocol.load import locate

    protocol = load_protocol(args.protocol)
    folder = args.examples or examples_dir(locate(args.protocol))
    examples = run_examples(protocol, folder, _checkers(args))
    failed = [example for example in examples if not example.passed]
    if args.format == "json":
        _print_json([_example_data(example) for example in examples])
        return 1 if failed else 0
    for example in examples:
        sign = "ok  " if example.passed else "FAIL"
        place = example.path.relative_to(folder)
        said = "" if example.passed else f", not {example.expected}"
        print(f"{sign} {place}: {example.found}{said}")
        if not example.passed and example.verdict.violation:
            v = example.verdict.violation
            print(f"     line {v.line}, column {v.column}: {v.message}")
    print(f"{len(examples) - len(failed)}/{len(examples)} examples of {protocol.name} as filed")
    return 1 if failed else 0


def _example_data(example: Example) -> dict[str, object]:
    violation = example.verdict.violation
    return {
        "path": str(example.path),
        "expected": example.expected,
        "found": example.found,
        "passed": example.passed,
        "message": violation.message if violation else None,
        "steps": [step.state for step in example.verdict.steps],
    }


def _trace(args: argparse.Namespace) -> int:
    from verulaw_gate.cli import protocol_trace
    from verulaw_gate.monitor import CorrectionMode
    from verulaw_gate.monitor.dialogue import play, read_dialogue
    from verulaw_gate.protocol import load_protocol

    protocol = load_protocol(args.protocol)
    played = play(protocol, read_dialogue(args.trace, protocol), _checkers(args))
    verdict = played.finish()
    correction = played.monitor.correction(CorrectionMode(args.correction))
    if args.format == "json":
        _print_json(protocol_trace.as_data(protocol, verdict, correction))
    else:
        print(protocol_trace.as_text(protocol, played.shown, verdict, correction), end="")
    return 0 if verdict.ok else 1


def _export(args: argparse.Namespace) -> int:
    from verulaw_gate.protocol import load_protocol
    from verulaw_gate.protocol.export_verus import export_verus
    from verulaw_gate.tasks.files import write_text

    text = export_verus(load_protocol(args.protocol))
    if args.output is None:
        print(text, end="")
        return 0
    write_text(args.output, text)
    print(f"wrote {args.output}", file=sys.stderr)
    return 0


def _checkers(args: argparse.Namespace) -> tuple[ContentChecker, ...]:
    if not args.content:
        return ()
    from verulaw_gate.gate.streaming import VerusContent

    return (VerusContent(),)


def _print_json(value: object) -> None:
    import json

    print(json.dumps(value, indent=1, ensure_ascii=False))
