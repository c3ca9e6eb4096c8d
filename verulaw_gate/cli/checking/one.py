"""Check one file: read, gate, apply settings and suppressions. Never raises for a bad file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from verulaw_gate.cli.checking import fixes, suppress
from verulaw_gate.cli.checking.inputs import Text, decode, read_bytes
from verulaw_gate.cli.checking.kind import is_verus
from verulaw_gate.cli.checking.model import Base, BaseKind, Failure, FileReport, Notice, Shown, show
from verulaw_gate.codes import CODES, Family, Severity
from verulaw_gate.config import Config
from verulaw_gate.errors import UsageError, VerulawError
from verulaw_gate.findings import Edit, Finding
from verulaw_gate.gate.model import GateResult, Layer
from verulaw_gate.spans import LineIndex

if TYPE_CHECKING:
    from verulaw_gate.tasks.model import Task

_FOR_ANY_RUST = frozenset({Family.STRUCTURE})


@dataclass(frozen=True, slots=True)
class Options:
    """What holds for every file of a run. `protocol` set: the files are traces. `hashed`: the
    reports are to hold the hash of their file."""

    config: Config
    protocol: str | None = None
    task: Task | None = None
    fix: bool = False
    unsafe_fixes: bool = False
    hashed: bool = False


def check_file(path: str, base: Base | VerulawError, options: Options) -> FileReport:
    """The report on one file; with `options.fix`, after the file has been mended in place."""
    try:
        if isinstance(base, VerulawError):
            raise base
        data = read_bytes(path, options.config.limits.max_bytes)
        if options.protocol is not None and (fault := not_utf8(data)) is not None:
            return FileReport(path, base, (fault,))
        text = decode(data, path)
        report, fixed = check_text(text, path, base, options)
        if fixed is not None:
            fixes.write(path, data, text.encode(fixed))
        return report
    except UsageError:
        raise
    except VerulawError as error:
        where = f"{error.path}: " if error.path not in (None, path) else ""
        failure = Failure(
            where + error.message, error.hint, error.line, error.column, error.exit_code
        )
        return FileReport(path, failure=failure)


def not_utf8(data: bytes) -> Shown | None:
    """VG009 for the bytes of a trace that are not UTF-8; None when they are."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        index = LineIndex(before + "\ufffd")
        span = index.span(len(before), len(before) + 1)
        message = f"byte 0x{data[error.start]:02x} at offset {error.start} is not UTF-8"
        return show(Finding("VG009", message, span, hint="save the trace as UTF-8"), index)
    return None


def check_text(
    text: Text, path: str, base: Base, options: Options
) -> tuple[FileReport, str | None]:
    """The report on one text, and the mended text when fixes were asked for and changed it."""
    content = text.text
    messages: tuple[str, ...] = ()
    if options.fix or options.unsafe_fixes:
        content, messages = _mend(content, path, base, options)
    report = replace(_report(content, path, base, options), fixed=messages)
    if options.hashed:
        from verulaw_gate.verus.keys import source_sha256

        report = replace(report, sha256=source_sha256(text.encode(content)))
    return report, content if content != text.text else None


def _mend(content: str, path: str, base: Base, options: Options) -> tuple[str, tuple[str, ...]]:
    def found(text: str) -> Sequence[Finding]:
        result = _gate(text, base, options)
        kept = selected(_with_cut(result, text), path, options.config)
        hushed = {s.finding for s in _report(text, path, base, options).shown if s.hushed}
        return [f for f in kept if f not in hushed]

    return fixes.mend(content, found, unsafe=options.unsafe_fixes)


def _with_cut(result: GateResult, text: str) -> list[Finding]:
    """The findings; one about text after the end of a trace with the edit that cuts it off."""
    violation = result.verdict.violation if result.verdict is not None else None
    if violation is None or violation.kind != "text-after-termination":
        return list(result.findings)
    cut = (Edit(violation.offset, len(text), ""),)
    return [replace(f, fix=cut) if f.code == "VG005" else f for f in result.findings]


def _report(content: str, path: str, base: Base, options: Options) -> FileReport:
    result = _gate(content, base, options)
    findings = selected(result.findings, path, options.config)
    if options.protocol is None and options.task is None and not is_verus(content, base.text):
        findings = [f for f in findings if f.family in _FOR_ANY_RUST]
        if not findings:
            return FileReport(path, base, skipped="no Verus code in it")
    index = LineIndex(content)
    shown: tuple[Shown, ...] = tuple(show(f, index) for f in findings)
    notices: tuple[Notice, ...] = ()
    mute = _mute(result.layers, path, options.config)
    if options.protocol is None and "verulaw-gate" in content:
        shown, notices = _suppressed(content, base, shown, mute)
    return FileReport(
        path,
        base,
        shown,
        notices,
        layers=result.layers,
        verus_version=result.verus_version,
        mute=mute,
    )


def _gate(content: str, base: Base, options: Options) -> GateResult:
    from verulaw_gate.gate.gate import Gate

    if options.protocol is None:
        return Gate(options.task or _base_text(base), config=options.config).check_source(content)
    from verulaw_gate.protocol import load_protocol

    protocol = load_protocol(options.protocol)
    if options.task is not None:
        return Gate(options.task, config=options.config, protocol=protocol).check(content)
    from verulaw_gate.cli.checking.traces import check_trace

    return check_trace(content, protocol, options.config)


def _base_text(base: Base) -> str | None:
    # A new file is compared with a blank one: whatever it takes on trust is added by it.
    return "\n" if base.kind is BaseKind.NEW else base.text


def selected(findings: Sequence[Finding], path: str, config: Config) -> list[Finding]:
    """The findings that the settings leave for this file. The gate has applied `select`, `ignore`
    and `severity` to what rejects; what is left is per file, and codes that only warn."""
    ignored = config.ignored_in(path)
    return [_leveled(f, config) for f in findings if f.code not in ignored]


def _leveled(finding: Finding, config: Config) -> Finding:
    severity = config.severity.get(finding.code)
    if severity is None or CODES[finding.code].severity is Severity.ERROR:
        return finding
    return finding.with_severity(severity)


def _mute(layers: Sequence[Layer], path: str, config: Config) -> frozenset[str]:
    """The codes that cannot have spoken: whoever suppresses them may well be right to."""
    off = {code for code in CODES if not config.enabled(code)} | config.ignored_in(path)
    silent = {layer.name for layer in layers if not layer.ran}
    off |= {name.rsplit(" ", 1)[-1] for name in silent if " " in name}
    for family, layer in ((Family.SYNTAX, "native"), (Family.STATIC, "static")):
        if layer in silent or "native" in silent:
            off |= {code for code, row in CODES.items() if row.family is family}
    return frozenset(off)


def _suppressed(
    content: str, base: Base, shown: tuple[Shown, ...], mute: frozenset[str]
) -> tuple[tuple[Shown, ...], tuple[Notice, ...]]:
    from verulaw_gate.gate.context import View

    found, notices = suppress.suppressions(View(content))
    old = None
    if base.kind is not BaseKind.NONE:
        old = suppress.suppressions(View(base.text or ""))[0]
    shown, more = suppress.hush(shown, found, old, mute)
    return shown, (*notices, *more)
