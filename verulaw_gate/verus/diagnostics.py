"""What a run of Verus was: one pure function from exit code and output to an outcome.

Facts that it stands on, read off real runs (Verus 0.2026.06.08.9a4284b):
- exit code 0 is success, 1 every ordinary failure, 128 without JSON when z3 cannot be started;
- `--output-json` prints one object on stdout, also on front-end errors; after an error of Verus's
  own front end (VIR) the counts are absent, after one of rustc they are both 0;
- `--error-format=json` prints one diagnostic a line on stderr, rustc's format;
- an exceeded rlimit counts as an error and is told from a failed proof by its message only.

Where exit code and JSON disagree, or the JSON is not whole, the outcome is `crash`: never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from verulaw_gate.verus.functions import function_at, functions
from verulaw_gate.verus.messages import Messages, read_messages
from verulaw_gate.verus.model import Diagnostic, Outcome
from verulaw_gate.verus.results import Results, half_summary, objects, summaries

_PANIC = re.compile(
    r"thread '[^'\n]*'(?: \(\d+\))? panicked at|internal compiler error|"
    r"has overflowed its stack|memory allocation of \d+ bytes failed"
)
_RLIMIT = re.compile(r"Resource limit \(rlimit\) exceeded")
# The tool could not do its work; none of these is said of a source text.
_TOOL = re.compile(
    r"Unrecognized option: |Option '[^']*' (?:given more than once|does not take)|"
    r"Argument to option '[^']*' missing|could not execute z3 process|z3 needs to be in the PATH|"
    r"[Ee]xpected z3 version|required rust toolchain|toolchain '[^']*' is not installed|"
    r"error while loading shared libraries|couldn't read `[^`]*`: No such file or directory|"
    r"couldn't read `[^`]*`: Permission denied|No space left on device|"
    r"can't find crate for `(?:vstd|verus_builtin|verus_builtin_macros|std|core)`|"
    r"multiple input filenames provided|no input filename given|could not find `Cargo\.toml`|"
    r"no such (?:sub)?command: |failed to parse manifest|failed to (?:get|download|load source)|"
    r"manifest path `[^`]*` does not exist"
)
_NOTHING_ASKED = frozenset({"--version", "--help", "-h", "-V"})


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything that can be read off one run. Counts are None where Verus gave none."""

    outcome: Outcome
    diagnostics: tuple[Diagnostic, ...] = ()
    verified: int | None = None
    errors: int | None = None
    front_end: str | None = None
    functions: tuple[str, ...] | None = None
    entire_crate: bool | None = None
    version: str | None = None
    detail: str = ""


def classify(
    argv: Sequence[str], exit_code: int | None, stdout: str | bytes, stderr: str | bytes
) -> Outcome:
    """The outcome of one run of Verus.

    `argv` is the command line with the program first, `exit_code` is negative for a signal (as in
    `subprocess`) and None where there was none. Bytes that are no UTF-8 are read with replacement
    characters. Pure: no clock, no files. A run that was stopped for its time is the runner's to
    name (`timeout`); here it is a `crash`.
    """
    return read(argv, exit_code, stdout, stderr).outcome


def read(
    argv: Sequence[str],
    exit_code: int | None,
    stdout: str | bytes,
    stderr: str | bytes,
    *,
    source: str | None = None,
) -> Reading:
    """`classify` with all that was read on the way. With `source`, diagnostics name the function
    they belong to."""
    out, err = _text(stdout), _text(stderr)
    messages = read_messages(err)
    found, broken = objects(out)
    results, why = _one(found, broken, cargo=_is_cargo(argv))
    if why or exit_code is None or exit_code < 0:
        reading = Reading(Outcome.CRASH, detail=why or _signal(exit_code))
    elif results is not None:
        reading = _with_results(argv, exit_code, results, messages)
    else:
        reading = _without_results(argv, exit_code, out, messages)
    return replace(reading, diagnostics=_placed(messages.diagnostics, source))


def _text(output: str | bytes) -> str:
    return output.decode("utf-8", "replace") if isinstance(output, bytes) else output


def _is_cargo(argv: Sequence[str]) -> bool:
    return bool(argv) and PurePosixPath(argv[0]).name.startswith("cargo")


def _signal(exit_code: int | None) -> str:
    return "no exit code" if exit_code is None else f"ended by signal {-exit_code}"


def _said(pattern: re.Pattern[str], messages: Messages) -> str:
    """The line of stderr that says it, or "". Text that a candidate can write (a diagnostic with
    a place in its source, `compile_error!`) says nothing of the tool."""
    lines = [*messages.other]
    lines += [
        f"{d.level}: {d.message}"
        for d in messages.diagnostics
        if not d.spans or d.code == "E0463" or d.level != "error"
    ]
    line = next((text for text in lines if pattern.search(text)), "")
    return re.sub(r"\x1b\[[0-9;]*m", "", line).strip()[:200]


def _one(found: list[Results], broken: bool, *, cargo: bool) -> tuple[Results | None, str]:
    """The results of the run, or why they cannot be told. `cargo verus` prints one object a
    crate: their sum is the run's, and a failure of one is a failure of the run."""
    if broken:
        return None, "the JSON on stdout is not whole"
    if not found:
        return None, ""
    if len(found) == 1:
        return found[0], ""
    if not cargo:
        return None, f"{len(found)} results on stdout where one is due"
    counts = [f for f in found if f.verified is not None]
    return (
        Results(
            encountered_error=any(f.encountered_error for f in found),
            encountered_vir_error=any(f.encountered_vir_error for f in found),
            success=all(f.success is not False for f in found),
            verified=sum(f.verified or 0 for f in counts) if counts else None,
            errors=sum(f.errors or 0 for f in counts) if counts else None,
            entire_crate=all(f.entire_crate is not False for f in found),
            functions=tuple(sorted({n for f in found for n in f.functions or ()})),
            version=found[-1].version,
        ),
        "",
    )


def _with_results(
    argv: Sequence[str], exit_code: int, results: Results, messages: Messages
) -> Reading:
    base = Reading(
        Outcome.CRASH,
        verified=results.verified,
        errors=results.errors,
        functions=results.functions,
        entire_crate=results.entire_crate,
        version=results.version,
    )
    if panic := _said(_PANIC, messages):
        return replace(base, detail=panic)
    if exit_code == 0:
        return _success(argv, base, results, messages)
    if exit_code != 1 and not (exit_code == 101 and _is_cargo(argv)):
        if exit_code in (126, 127, 128) and (said := _said(_TOOL, messages)):
            return replace(base, outcome=Outcome.TOOL_ERROR, detail=said)
        return replace(base, detail=f"exit code {exit_code}, which is not one of Verus's")
    if not results.failed:
        return replace(base, detail="exit code 1, but the JSON tells of no failure")
    if results.encountered_vir_error:
        return replace(base, outcome=Outcome.COMPILE_ERROR, front_end="vir")
    if results.errors:
        return replace(base, outcome=_failed_proof(results.errors, messages))
    if said := _said(_TOOL, messages):
        return replace(base, outcome=Outcome.TOOL_ERROR, detail=said)
    if not messages.errors:
        return replace(base, detail="failed without saying why")
    return replace(base, outcome=Outcome.COMPILE_ERROR, front_end="rustc")


def _success(argv: Sequence[str], base: Reading, results: Results, messages: Messages) -> Reading:
    if results.failed:
        return replace(base, detail="exit code 0, but the JSON tells of a failure")
    if messages.errors:
        return replace(base, detail="exit code 0 and success, but there are errors on stderr")
    if results.verified is None or results.errors is None:
        return replace(base, detail="exit code 0, but the JSON has no counts")
    if "--no-verify" in argv:
        return replace(base, outcome=Outcome.NOT_VERIFIED, detail="--no-verify: nothing is proved")
    detail = "" if results.verified else "0 verified: nothing was proved"
    return replace(base, outcome=Outcome.VERIFIED, detail=detail)


def _failed_proof(errors: int, messages: Messages) -> Outcome:
    """An exceeded rlimit is the outcome only where nothing else failed: a definite failure tells
    more. A diagnostic that came damaged counts as unknown, so it cannot make an rlimit."""
    exceeded = [d for d in messages.errors if _RLIMIT.search(d.message)]
    if exceeded and len(exceeded) == len(messages.errors) and errors <= len(exceeded):
        return Outcome.RLIMIT
    return Outcome.PROOF_FAILURE


def _without_results(argv: Sequence[str], exit_code: int, out: str, messages: Messages) -> Reading:
    crash = Reading(Outcome.CRASH)
    if panic := _said(_PANIC, messages):
        return replace(crash, detail=panic)
    if exit_code != 0 and (said := _said(_TOOL, messages)):
        return replace(crash, outcome=Outcome.TOOL_ERROR, detail=said)
    if exit_code in (126, 127):
        return replace(crash, outcome=Outcome.TOOL_ERROR, detail=f"exit code {exit_code}")
    if exit_code == 0 and _NOTHING_ASKED & set(argv[1:]):
        return replace(crash, outcome=Outcome.NOT_VERIFIED, detail="nothing was to be verified")
    if "--output-json" in argv:
        return replace(crash, detail=f"exit code {exit_code} and no JSON on stdout")
    if half_summary(out):
        return replace(crash, detail="the summary on stdout is not whole")
    return _plain(argv, exit_code, summaries(out), messages)


def _plain(
    argv: Sequence[str],
    exit_code: int,
    counts: list[tuple[int, int]],
    messages: Messages,
) -> Reading:
    """A run without `--output-json`: the summary line is all there is (one a crate)."""
    if len(counts) > 1 and not _is_cargo(argv):
        return Reading(Outcome.CRASH, detail=f"{len(counts)} results on stdout where one is due")
    verified, errors = map(sum, zip(*counts, strict=True)) if counts else (None, None)
    base = Reading(Outcome.CRASH, verified=verified, errors=errors)
    if exit_code == 0:
        if errors or messages.errors:
            return replace(base, detail="exit code 0, but there are errors")
        if "--no-verify" in argv:
            detail = "--no-verify: nothing is proved"
            return replace(base, outcome=Outcome.NOT_VERIFIED, detail=detail)
        if not counts:
            return replace(base, detail="exit code 0 and no results on stdout")
        detail = "" if verified else "0 verified: nothing was proved"
        return replace(base, outcome=Outcome.VERIFIED, detail=detail)
    if exit_code != 1 and not (exit_code == 101 and _is_cargo(argv)):
        return replace(base, detail=f"exit code {exit_code}, which is not one of Verus's")
    if errors:
        return replace(base, outcome=_failed_proof(errors, messages))
    if not messages.errors:
        return replace(base, detail="failed without saying why")
    return replace(base, outcome=Outcome.COMPILE_ERROR)


def _placed(diagnostics: tuple[Diagnostic, ...], source: str | None) -> tuple[Diagnostic, ...]:
    if source is None or not diagnostics:
        return diagnostics
    places = functions(source)

    def own(diagnostic: Diagnostic) -> Diagnostic:
        # Spans of vstd and of rustc's library stand in other files.
        spans = [s for s in diagnostic.spans if "/" not in s.file]
        spans.sort(key=lambda s: not s.primary)
        return replace(diagnostic, function=function_at(places, spans[0].line) if spans else None)

    return tuple(own(d) for d in diagnostics)
