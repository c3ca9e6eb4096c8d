"""`verulaw-gate recalibrate`: which rules hold on another Verus, by snippets and logs run there."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from verulaw_gate.errors import UsageError

if TYPE_CHECKING:
    from verulaw_gate.experiment.recalibrate import Behaviour, Judged

SUMMARY = """Run the rules' snippets, and attempt logs, through another Verus. Writes the recordings
and, for the logs, the counts of all rules into a folder named for its version; says which rules no
longer hold; enters the version among those that the static rules are measured on, with the rules
that do not hold as "not run"; builds the index of vstd's names anew; names the verus_syn to pin.
What was recorded already is kept, so a run that was stopped goes on. See docs/maintainers.md."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line of `recalibrate`."""
    from verulaw_gate.cli import real_verifier
    from verulaw_gate.gate import versions

    add = parser.add_argument
    real_verifier.add_arguments(parser)
    add("--snippets", type=Path, metavar="FOLDER", default=Path("tests/verus_snippets"),
        help="folder of snippets (default: tests/verus_snippets)")  # fmt: skip
    add("--log", type=Path, action="append", default=[], metavar="LOG", help="an attempt log")
    add("--into", type=Path, default=Path("recalibration"), metavar="FOLDER",
        help="where everything is written (default: recalibration)")  # fmt: skip
    add("--versions", type=Path, default=versions.SHIPPED, metavar="FILE",
        help="the file of measured versions (default: the package's own)")  # fmt: skip
    add("--vstd", type=Path, action="append", default=[], metavar="FOLDER", help="the source of"
        " vstd (default: beside verus); more: of crates that its prelude exports")  # fmt: skip
    add("--jobs", type=int, metavar="N", help="runs of Verus at once (default: processor cores)")
    add("--store", metavar="URL|FILE", help="the store whose cache is used")


def run(args: argparse.Namespace) -> int:
    """Run, judge, write, say. Exit code 1 when a rule does not hold."""
    from verulaw_gate import config as settings
    from verulaw_gate.cli import real_verus, verus_pin
    from verulaw_gate.experiment import recalibrate
    from verulaw_gate.experiment.snippets import load_snippets, write_sources
    from verulaw_gate.gate import versions
    from verulaw_gate.verus.find import find_verus
    from verulaw_gate.verus.recording import write_whole

    config = settings.load()
    configured = config.resolve(config.verus) if config.verus else None
    install = find_verus(
        args.verus, configured=configured, environment=real_verus.search_environment()
    )
    version = install.version.version
    into: Path = args.into / version
    if not args.snippets.is_dir() and not args.log:
        raise UsageError(f"no folder {args.snippets}, and no --log", hint="there is nothing to run")
    snippets = load_snippets(args.snippets) if args.snippets.is_dir() else ()
    for folder, paths in write_sources(snippets, into / "snippets").items():
        _record(args, paths, folder)
    _record(args, args.log, into)
    files: list[Judged] = list(recalibrate.recorded(into / "snippets"))
    surprises = recalibrate.surprises(snippets, files)
    ran = len(files)
    logs = [into / log.name for log in args.log]
    for log in logs:
        files += recalibrate.attempts(log)
    found = recalibrate.behaviours(files)
    pin = verus_pin.newest(version)
    entry = recalibrate.measured(version, found, pin or "")
    known = versions.with_version(versions.load(args.versions), entry)
    write_whole(args.versions, versions.dump(known))
    versions.measured.cache_clear()
    print(f"Verus {version}: {len(files)} files with a result of {install.path}")
    print(f"snippets that do what they say: {ran - len(surprises)}/{ran}")
    for line in surprises:
        print(f"  {line}")
    _print_rules(found)
    for code, why in entry.off.items():
        print(f"not run on this version from now on: {code}: {why}")
    print(f"measured versions: {args.versions}")
    _counts(logs, into)
    _vstd(args.vstd, install.path, into)
    _pin(pin, version, verus_pin.wanted(version))
    return 1 if any(rule.wrong for rule in found.values()) else 0


def _record(args: argparse.Namespace, what: list[Path], into: Path) -> None:
    """Run what has no result of this Verus yet, with the `record` verb."""
    from verulaw_gate.cli import record

    if not what:
        return
    parser = argparse.ArgumentParser()
    record.add_arguments(parser)
    namespace = parser.parse_args(["--into", os.fspath(into), "--", *map(os.fspath, what)])
    for name in ("verus", "timeout", "no_cache", "jobs", "store"):
        setattr(namespace, name, getattr(args, name))
    record.run(namespace)


def _print_rules(found: Mapping[str, Behaviour]) -> None:
    for code, rule in found.items():
        print(
            f"  {code}: rejects {rule.rejects} files, confirmed by line and kind"
            f" {rule.confirmed}/{rule.rejects}, wrong {len(rule.wrong)}"
        )
        for name in rule.wrong:
            print(f"    passes the front end: {name}")


def _counts(logs: list[Path], into: Path) -> None:
    from verulaw_gate.experiment.calibrate import calibrate
    from verulaw_gate.gate import calibration
    from verulaw_gate.verus.recording import write_whole

    if logs:
        path = into / "calibration.json"
        write_whole(path, calibration.dump([calibrate([log]) for log in logs]))
        print(f"counts: {path}")


def _vstd(named: list[Path], verus: Path, into: Path) -> None:
    from verulaw_gate.gate import vstd_build
    from verulaw_gate.verus.recording import write_whole

    beside = verus.resolve().parent
    places = named[:1] or [beside / "vstd", beside.parent / "vstd"]
    source = next((p for p in places if (p / "vstd.rs").is_file()), None)
    if source is None and not named:
        print("index of vstd: not built, its source is not beside verus; give --vstd FOLDER")
        return
    import json

    index = vstd_build.build(source or places[0], tuple(named[1:]))
    path = into / "vstd_index.json"
    write_whole(path, json.dumps(index, indent=1) + "\n")
    print(f"index of vstd: {path} (put it in place of verulaw_gate/gate/vstd_index.json)")


def _pin(pin: str | None, version: str, wanted: str | None) -> None:
    if pin is not None:
        print(f'verus_syn for Verus {version}: verus_syn = "={pin}" (native/Cargo.toml)')
    elif wanted is not None:
        print(
            f"verus_syn for Verus {version}: the newest published with {wanted}"
            " (cargo could not be asked)"
        )
    else:
        print(f"verus_syn for Verus {version}: the version does not name its day")
