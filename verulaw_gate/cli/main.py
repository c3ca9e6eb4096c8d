"""The program: find the verb, run it, turn errors into one message and an exit code.

Each verb is a module of this room with `SUMMARY: str`, `add_arguments(parser)` and
`run(args) -> int`. Only the module of the verb that was asked for is imported: `check` has to
start within the budget, and importing the report or the store would spend it.
"""

from __future__ import annotations

import argparse
import errno
import importlib
import io
import os
import signal
import sys

from verulaw_gate import __version__
from verulaw_gate.errors import UsageError, VerulawError

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})

# verb -> (module, one line of help); the only list of verbs.
VERBS: dict[str, tuple[str, str]] = {
    "check": ("check", "gate Verus files, Rust files with verus!{}, or traces"),
    "verus": ("verus", "gate a file, then run the real verus on it"),
    "run": ("run", "run tasks live against a model"),
    "replay": ("replay", "replay recorded attempts through monitor and gate"),
    "record": ("record", "record real Verus results for tasks or logs"),
    "report": ("report", "print the report of a run"),
    "experiment": ("experiment", "plan or run an experiment from a TOML file"),
    "export": ("export", "write a run as JSON Lines"),
    "import": ("import_", "read an exported run into a store"),
    "store": ("store", "look after the record store"),
    "protocol": ("protocol", "lint, show, test, trace or export a protocol"),
    "task": ("task", "list, show, check or import tasks"),
    "rule": ("rule", "explain a rule code"),
    "calibrate": ("calibrate", "measure every rule on recorded attempts"),
    "recalibrate": ("recalibrate", "measure every rule against another Verus"),
    "doctor": ("doctor", "say what is installed and used"),
    "demo": ("demo", "replay the shipped corpora and print the report"),
}


def _available() -> dict[str, tuple[str, str]]:
    from importlib.util import find_spec

    return {v: m for v, m in VERBS.items() if find_spec(f"verulaw_gate.cli.{m[0]}")}


def _usage() -> str:
    rows = [f"  {verb:<12} {summary}" for verb, (_, summary) in _available().items()]
    return "\n".join(
        [
            "usage: verulaw-gate [--version] VERB [ARGUMENTS]",
            "",
            "A protocol monitor and gate in front of the Verus verifier.",
            "",
            *rows,
            "",
            "`verulaw-gate VERB --help` explains a verb. Exit codes: 0 fine, 1 findings or failed",
            "verification, 2 bad usage or configuration, 3 a tool failed, 130 interrupted.",
        ]
    )


def _nearest(verb: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(verb, list(_available()), n=1)
    return f"did you mean '{near[0]}'?" if near else "see verulaw-gate --help"


def dispatch(argv: list[str]) -> int:
    """Run one command line and return its exit code. Raises what the verb raises."""
    if not argv or argv[0] in ("-h", "--help", "help"):
        print(_usage())
        return 0 if argv else 2
    if argv[0] in ("-V", "--version"):
        print(f"verulaw-gate {__version__}")
        return 0
    verb = argv[0]
    entry = VERBS.get(verb)
    if entry is None:
        print(f"verulaw-gate: no verb '{verb}'; {_nearest(verb)}", file=sys.stderr)
        return 2
    module = importlib.import_module(f"verulaw_gate.cli.{entry[0]}")
    parser = argparse.ArgumentParser(
        prog=f"verulaw-gate {verb}",
        description=module.SUMMARY,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_arguments(parser)
    code: int = module.run(parser.parse_args(argv[1:]))
    return code


def main(argv: list[str] | None = None) -> int:
    """Entry point of the `verulaw-gate` program."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal may not know every letter of a proof: escapes then, not a traceback.
        sys.stdout.reconfigure(errors="backslashreplace")
    if argv is None:
        argv = sys.argv[1:]
        if os.path.basename(sys.argv[0]) == "verus":
            # A link to this program under the name of verus: every argument is one of verus.
            argv = ["verus", "--", *argv]
    try:
        code = dispatch(_standing_somewhere(argv))
        sys.stdout.flush()
        return code
    except VerulawError as error:
        print(f"verulaw-gate: error: {error}", file=sys.stderr)
        if error.hint:
            print(f"  help: {error.hint}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("verulaw-gate: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader went away (`| head`): no message, and no second error from the flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 2
    except OSError as error:
        if error.errno not in _FULL:
            return _bug()
        # What is left in the buffer cannot be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"verulaw-gate: error: cannot write: {error.strerror}", file=sys.stderr)
        return 2
    except Exception:  # noqa: BLE001  the one broad except: a bug gets its traceback and exit 3
        return _bug()


def _standing_somewhere(argv: list[str]) -> list[str]:
    """The arguments, once it is sure that there is a folder that relative paths start from."""
    try:
        os.getcwd()
    except FileNotFoundError as error:
        raise UsageError(
            "the current folder is gone", hint="change to one that is there"
        ) from error
    return argv


def _bug() -> int:
    import traceback

    traceback.print_exc()
    print("verulaw-gate: this is a bug; please report it with the traceback", file=sys.stderr)
    return 3


if __name__ == "__main__":
    sys.exit(main())
