"""`verulaw-gate verus`: gate a file, then run the real verus on it, as if it had been called.

Also the program `verus` itself (`main_as_verus`), for agents that call verus by its name: put a
folder with a link to the start script `verulaw-verus`, named `verus`, in front on PATH.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from verulaw_gate import config as settings
from verulaw_gate.cli import child, real_verus
from verulaw_gate.cli.checking import bases, git, inputs, rustc_output
from verulaw_gate.cli.checking.model import NO_BASE, Base, BaseKind, FileReport
from verulaw_gate.cli.checking.one import Options, check_text
from verulaw_gate.cli.verus_arguments import file_among
from verulaw_gate.config import Config
from verulaw_gate.errors import InputError, ToolError, UsageError, VerulawError

SUMMARY = """Gate FILE, then run the real verus on it with the same arguments, streams and exit
code. A rejected file is reported in rustc's form, and verus does not run.

  verulaw-gate verus [--against REV|FILE] [--receipt FILE] FILE [ARGUMENTS OF VERUS]
  verulaw-gate verus --manifest-path Cargo.toml [--as PLACE] FILE [ARGUMENTS OF VERUS]

The base is --against (or VERULAW_AGAINST), else the file at git HEAD, else none.
--calls, alone: what the recorded calls say, false rejects among audited ones above all.
--receipt adds the receipt of a successful run to a file; the store has it in any case.
--manifest-path runs `cargo verus verify` on a copy of that crate with FILE in its place (or in
that of --as); the crate itself is only read.
VERULAW_BYPASS=1 switches the gate off. `verulaw-gate verus -- --help` asks verus itself."""


_OWN = ("--against", "--receipt", "--manifest-path", "--as")


@dataclass(frozen=True, slots=True)
class _Request:
    """One call. `arguments` are those of verus, the file among them."""

    arguments: tuple[str, ...]
    against: str | None
    receipt: str | None = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line of `verus`: all of it, unread. It is the command line of another program,
    and argparse must not take `-h` or an unknown option out of it."""
    parser.prefix_chars = ""
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENTS")


def main_as_verus() -> int:
    """Entry point of the program under the name `verus`: every argument is one of verus."""
    from verulaw_gate.cli.main import main

    return main(["verus", "--", *sys.argv[1:]])


def run(args: argparse.Namespace) -> int:
    """The verb. Its own options come first; the rest is for verus."""
    rest: list[str] = list(args.arguments)
    if not rest or rest[0] in ("-h", "--help"):
        print(SUMMARY)
        return 0 if rest else 2
    if rest == ["--calls"]:
        return _calls()
    own: dict[str, str] = {}
    while rest and rest[0].partition("=")[0] in _OWN:
        name, equals, value = rest.pop(0).partition("=")
        if not equals:
            if not rest:
                raise UsageError(f"{name} needs a value")
            value = rest.pop(0)
        own[name] = value
    if rest[:1] == ["--"]:
        rest.pop(0)
    against = own.get("--against") or os.environ.get("VERULAW_AGAINST") or None
    request = _Request(tuple(rest), against, own.get("--receipt"))
    if "--manifest-path" in own:
        return _serve_crate(request, Path(own["--manifest-path"]), own.get("--as"))
    if "--as" in own:
        raise UsageError("--as needs --manifest-path")
    return _serve(request)


def _calls() -> int:
    from verulaw_gate.cli.checking.stores import store_url
    from verulaw_gate.record.calls import CallLog
    from verulaw_gate.record.calls_summary import render, summarise

    with CallLog(store_url(None, settings.load()), read_only=True) as log:
        print(render(summarise(log.calls())), end="")
    return 0


def _serve(request: _Request) -> int:
    path = file_among(request.arguments)
    if os.environ.get("VERULAW_BYPASS", "0") not in ("", "0") or path is None:
        # Not gated, or nothing to gate (`--version`): verus takes the place of this process.
        return _become_verus(request, settings.load())
    config = settings.load(Path(path).absolute().parent)
    started = time.perf_counter()
    source, report = _gate(path, request.against, config)
    gate_s = time.perf_counter() - started
    from verulaw_gate.cli import verus_record as record

    seen = record.Seen(path, request.arguments, source, report, gate_s, config)
    if report is not None and report.errors:
        _say(path, source, report, request)
        record.rejected(seen)
        return 1
    program = real_verus.find(_configured(config))
    begun = time.monotonic()
    code = child.run([str(program), *request.arguments], real_verus.environment(), record.load)
    record.passed(seen, program, code, time.monotonic() - begun, request.receipt)
    return child.leave(code)


def _serve_crate(request: _Request, manifest: Path, place: str | None) -> int:
    """Gate the file, then verify its crate in a copy. No call or receipt is kept: what Verus says
    of a crate is not said of one file."""
    from verulaw_gate.cli import verus_crate

    path = file_among(request.arguments)
    if path is None:
        raise UsageError("no file among the arguments", hint="name the .rs file to be gated")
    if request.receipt is not None:
        raise UsageError("a crate has no receipt", hint="leave --receipt out")
    place_in_crate = verus_crate.place_in_crate(Path(path), manifest, place)
    config = settings.load(Path(path).absolute().parent)
    source = inputs.read_bytes(path, config.limits.max_bytes)
    inputs.decode(source, path)
    against = request.against
    replaced = manifest.parent / place_in_crate
    if against is None and place is not None and replaced.is_file():
        against = str(replaced)  # the draft is measured by the file that it stands for
    _, report = _gate(path, against, config)
    if report is not None and report.errors:
        _say(path, source, report, request)
        return 1
    rest = [a for a in request.arguments if a != path]
    return verus_crate.run(source.decode("utf-8"), place_in_crate, manifest, rest, config)


def _say(path: str, source: bytes, report: FileReport, request: _Request) -> None:
    """Say in rustc's form why the file was rejected."""
    text = source.decode("utf-8").removeprefix("\ufeff")
    form = rustc_output.error_format(request.arguments)
    sys.stderr.write(rustc_output.render(path, text, report.counted, form))
    sys.stderr.flush()


def _configured(config: Config) -> Path | None:
    return config.resolve(config.verus) if config.verus else None


def _become_verus(request: _Request, config: Config) -> int:
    program = str(real_verus.find(_configured(config)))
    sys.stdout.flush()
    try:
        os.execve(program, [program, *request.arguments], real_verus.environment())
    except OSError as error:
        raise ToolError(f"cannot be run: {error.strerror}", path=program) from error


def _gate(path: str, against: str | None, config: Config) -> tuple[bytes, FileReport | None]:
    """The bytes of the file and the report; None where the gate cannot read it: then verus is to
    say so, in its own words (of a file that is too large it has nothing to say, so we do)."""
    try:
        source = inputs.read_bytes(path, config.limits.max_bytes)
        text = inputs.decode(source, path)
    except InputError as error:
        if os.path.exists(path):
            print(f"verulaw-gate: warning: not gated: {error}", file=sys.stderr)
        return b"", None
    base = _base(path, against, config)
    try:
        return source, check_text(text, path, base, Options(config))[0]
    except InputError:
        return source, None


def _base(path: str, against: str | None, config: Config) -> Base:
    if against is not None:
        base = bases.bases([path], against, config.limits.max_bytes)[path]
        if isinstance(base, VerulawError):
            raise base
        return base
    try:
        if git.inside(path) is None:
            return NO_BASE
        base = bases.at_revision([path], "HEAD")[path]
    except ToolError as error:
        if error.path is not None:  # a repository that git will not read: said, never passed over
            print(f"verulaw-gate: warning: no base: {error}", file=sys.stderr)
        return NO_BASE  # no git: no base, as outside any repository
    # A file that HEAD does not have is a draft: no base, not "all of it is new".
    if isinstance(base, VerulawError) or base.kind is BaseKind.NEW:
        return NO_BASE
    return base
