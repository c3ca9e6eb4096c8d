"""`verulaw-gate check`: gate Verus files, Rust files with verus!{}, or traces. Runs no Verus."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from verulaw_gate import config as settings
from verulaw_gate.cli.checking import pool
from verulaw_gate.cli.checking.inputs import STDIN, TRACE_SUFFIXES, collect
from verulaw_gate.cli.checking.model import NO_BASE, Base, BaseKind, FileReport
from verulaw_gate.cli.checking.one import Options
from verulaw_gate.cli.checking.summary import exit_code
from verulaw_gate.config import Config
from verulaw_gate.errors import UsageError, VerulawError

if TYPE_CHECKING:
    from verulaw_gate.tasks.model import Task

SUMMARY = """Gate files before Verus sees them. Acceptance is a prefilter: it says nothing about
meaning, and Verus is not run."""

FORMATS = ("human", "json", "github", "sarif")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line of `check`."""
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE", help="files, folders, or - for standard input")
    add("--against", metavar="REV|FILE", help="what the files are compared with: each file's"
        " version in a git revision, or one base file")  # fmt: skip
    add("--protocol", metavar="NAME|FILE", help="the files are traces of this protocol")
    add("--task", metavar="ID|FOLDER", help="the task that the files are answers to")
    add("--format", choices=FORMATS, default="human", help="form of the output")
    add("--output", metavar="FILE", help="write the output there")
    add("--select", action="append", default=[], metavar="CODES", help="only these rules"
        " (codes, beginnings of codes, names, families; with commas)")  # fmt: skip
    add("--ignore", action="append", default=[], metavar="CODES", help="not these rules")
    add("--severity", action="append", default=[], metavar="CODE=LEVEL",
        help="error, warning or note for a rule")  # fmt: skip
    add("--fix", action="store_true", help="mend what is safe: an outer Markdown fence, text after"
        " the end of a trace")  # fmt: skip
    add("--unsafe-fixes", action="store_true", help="also make the edits that findings suggest")
    add("--baseline", metavar="FILE", help="known findings that do not count")
    add("--write-baseline", metavar="FILE", help="write all findings there and exit")
    add("--require-verified", action="store_true", help="demand a receipt of a Verus run on"
        " exactly this file")  # fmt: skip
    add("--receipt", action="append", default=[], metavar="FILE", help="a file of receipts, instead"
        " of those in the store")  # fmt: skip
    add("--store", metavar="URL|FILE", help="the store that holds the receipts")
    add("--config", metavar="FILE", help="a pyproject.toml, instead of the nearest one")
    add("--stdin-filename", metavar="NAME", help="the name of what standard input holds")
    add("--jobs", type=int, metavar="N", help="at most N worker processes")
    add("--verbose", action="store_true", help="show hushed findings and skipped files too")


def run(args: argparse.Namespace) -> int:
    """Check, print, and say with the exit code how it went."""
    if args.jobs is not None and args.jobs < 1:
        raise UsageError("--jobs: at least 1")
    if args.receipt and not args.require_verified:
        raise UsageError("--receipt needs --require-verified", hint="add it")
    here = _with_arguments(
        settings.read(Path(args.config)) if args.config else settings.load(), args
    )
    paths = collect(args.files, traces=args.protocol is not None)
    configs = _configs(paths, here, args)
    protocols = {path: _protocol(path, configs[path], args) for path in paths}
    _readable(protocols.values())
    task = _task(args.task)
    options = {
        path: Options(
            configs[path], protocols[path], task, args.fix, args.unsafe_fixes, args.require_verified
        )
        for path in paths
    }
    reports = pool.check_all(paths, _bases(paths, args, here), options, args.jobs)
    if args.stdin_filename:
        reports = tuple(
            replace(r, path=args.stdin_filename) if r.path == STDIN else r for r in reports
        )
    reports = tuple(replace(r, path="<stdin>") if r.path == STDIN else r for r in reports)
    if args.write_baseline:
        return _write_baseline(Path(args.write_baseline), reports)
    known = args.baseline or (str(here.resolve(here.baseline)) if here.baseline else None)
    if known:
        from verulaw_gate.cli.checking import baseline

        reports = baseline.hush(reports, baseline.load(Path(known)), Path(known).absolute().parent)
    if args.require_verified:
        from verulaw_gate.cli.checking import receipts

        reports = receipts.require(reports, args.receipt, args.store, here)
    _print(_render(reports, args), args.output)
    return exit_code(reports)


def _protocol(path: str, config: Config, args: argparse.Namespace) -> str | None:
    """The protocol of a trace: the one that was named, or that of the settings for a file with
    the name of a trace. None: the file is no trace. Raises UsageError with --against."""
    found: str | None = args.protocol or (
        config.protocol if path.endswith(TRACE_SUFFIXES) else None
    )
    if found is not None and args.against is not None:
        raise UsageError(
            "--against is for files", hint="a trace is compared with its task: give --task"
        )
    return found


def _readable(protocols: Iterable[str | None]) -> None:
    """Raises the error of a protocol that can't be used, once and with its own place: it is no
    fault of the files that are checked by it."""
    for name in dict.fromkeys(protocols):
        if name is not None:
            from verulaw_gate.protocol import load_protocol

            load_protocol(name)


def _with_arguments(config: Config, args: argparse.Namespace) -> Config:
    changes: dict[str, object] = {}
    if args.select:
        changes["select"] = settings.codes_of(_split(args.select), where="--select")
    if args.ignore:
        more = settings.codes_of(_split(args.ignore), where="--ignore")
        changes["ignore"] = config.ignore | more
    if args.severity:
        severity = dict(config.severity)
        for item in _split(args.severity):
            name, equals, level = item.partition("=")
            if not equals:
                raise UsageError(f"--severity: '{item}' is not CODE=LEVEL")
            codes = settings.codes_of([name], where="--severity")
            severity.update(dict.fromkeys(codes, settings.severity_of(level)))
        changes["severity"] = severity
    return replace(config, **changes) if changes else config  # type: ignore[arg-type]


def _split(values: list[str]) -> list[str]:
    return [part.strip() for value in values for part in value.split(",") if part.strip()]


def _configs(paths: tuple[str, ...], here: Config, args: argparse.Namespace) -> dict[str, Config]:
    """The settings of each file: those nearest to it, unless a file of settings was named."""
    if args.config:
        return dict.fromkeys(paths, here)
    by_folder: dict[Path, Config] = {}
    found: dict[str, Config] = {}
    for path in paths:
        if path == STDIN:
            found[path] = here
            continue
        folder = Path(path).absolute().parent
        if folder not in by_folder:
            by_folder[folder] = _with_arguments(settings.load(folder), args)
        found[path] = by_folder[folder]
    return found


def _task(name: str | None) -> Task | None:
    if name is None:
        return None
    from verulaw_gate.tasks import load_task

    return load_task(name)


def _bases(
    paths: tuple[str, ...], args: argparse.Namespace, config: Config
) -> Mapping[str, Base | VerulawError]:
    if args.task:
        if args.against:
            raise UsageError("--task and --against: one base is enough")
        return {path: Base(BaseKind.TASK, args.task) for path in paths}
    if args.against is None:
        return dict.fromkeys(paths, NO_BASE)
    from verulaw_gate.cli.checking.bases import bases

    names = {path: args.stdin_filename if path == STDIN else path for path in paths}
    named = [name or STDIN for name in names.values()]
    found = bases(named, args.against, config.limits.max_bytes)
    return {path: found[name or STDIN] for path, name in names.items()}


def _write_baseline(path: Path, reports: tuple[FileReport, ...]) -> int:
    from verulaw_gate.cli.checking import baseline
    from verulaw_gate.tasks.files import write_text

    text = baseline.dump(reports, path.absolute().parent)
    write_text(path, text, UsageError)
    number = sum(not s.hushed for r in reports for s in r.shown)
    _print(f"{path}: {number} findings of {len(reports)} files written\n", None)
    return max((r.failure.exit_code for r in reports if r.failure), default=0)


def _render(reports: tuple[FileReport, ...], args: argparse.Namespace) -> str:
    if args.format == "json":
        from verulaw_gate.cli.checking import json_output

        return json_output.render(reports)
    if args.format == "github":
        from verulaw_gate.cli.checking import github

        return github.render(reports)
    if args.format == "sarif":
        from verulaw_gate.cli.checking import sarif

        return sarif.render(reports)
    from verulaw_gate.cli.checking import human

    return human.render(reports, verbose=args.verbose)


def _print(text: str, output: str | None) -> None:
    if output is None:
        # File names may hold bytes that are no text; they come out as they went in.
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
        sys.stdout.buffer.flush()
        return
    from verulaw_gate.tasks.files import write_lines

    write_lines(Path(output), [text], UsageError, errors="surrogateescape")
