"""The one table of rule codes. The family is a property of the code; so is what it claims."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Family(StrEnum):
    """What a rejection claims, in the order in which an attempt is counted once.

    protocol: conformance only. structure, syntax, static: *predictive*, Verus would refuse the
    file in its front end. integrity: not a proof of the task. trust: not a proof. known: the
    candidate already has a result.
    """

    PROTOCOL = "protocol"
    STRUCTURE = "structure"
    SYNTAX = "syntax"
    STATIC = "static"
    INTEGRITY = "integrity"
    TRUST = "trust"
    KNOWN = "known"


FAMILY_ORDER: tuple[Family, ...] = tuple(Family)
PREDICTIVE: frozenset[Family] = frozenset({Family.STRUCTURE, Family.SYNTAX, Family.STATIC})


class Severity(StrEnum):
    """`error` rejects; `warning` and `note` are told and never reject."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Code:
    """One row: `code` (VGnnn), `name` (kebab-case), family, default severity, one-line summary."""

    code: str
    name: str
    family: Family
    severity: Severity
    summary: str


def _rows() -> tuple[Code, ...]:
    error, warning = Severity.ERROR, Severity.WARNING
    table: tuple[tuple[Family, tuple[tuple[str, str, Severity, str], ...]], ...] = (
        (
            Family.PROTOCOL,
            (
                ("VG001", "text-before-first-marker", error, "text where a marker is due"),
                ("VG002", "unexpected-state", error, "a marker that is not legal here"),
                (
                    "VG003",
                    "environment-content-from-model",
                    error,
                    "the model wrote what the environment should answer",
                ),
                (
                    "VG004",
                    "model-content-from-environment",
                    error,
                    "the environment wrote a state of the model",
                ),
                ("VG005", "text-after-termination", error, "text after the final state"),
                ("VG006", "missing-termination", error, "the trace ends before a final state"),
                ("VG007", "too-long", error, "content longer than the state's :max-chars"),
                ("VG008", "not-one-of", error, "content that is none of the state's :one-of"),
                ("VG009", "not-utf8", error, "bytes that are not UTF-8"),
                ("VG010", "not-json", error, "content of a json state that is not JSON"),
            ),
        ),
        (
            Family.STRUCTURE,
            (
                (
                    "VG101",
                    "unbalanced-delimiters",
                    error,
                    "a bracket without its partner, on code tokens",
                ),
                ("VG102", "markdown-fence", error, "a Markdown code fence in the source"),
                ("VG104", "not-an-item", error, "a lemma section that is not made of items"),
                ("VG105", "empty-body", error, "a body section without a block"),
                ("VG107", "unterminated-literal", error, "a string or comment without its end"),
            ),
        ),
        (
            Family.SYNTAX,
            (("VG201", "does-not-parse", error, "Verus's own parser refuses the file"),),
        ),
        (
            Family.STATIC,
            (
                (
                    "VG251",
                    "loop-without-decreases",
                    error,
                    "an exec loop without a decreases clause",
                ),
                (
                    "VG252",
                    "recursion-without-decreases",
                    error,
                    "a recursive function without a decreases clause",
                ),
                (
                    "VG253",
                    "mut-ref-in-ensures",
                    error,
                    "a &mut parameter in ensures without old or final",
                ),
                ("VG254", "wrong-mode", error, "a call across modes that Verus refuses"),
                ("VG255", "ghost-type-in-exec", error, "int or nat in executable code"),
                ("VG256", "duplicate-name", error, "two names that collide in one scope"),
                ("VG257", "unresolved-name", error, "a name that exists nowhere"),
                ("VG258", "unsupported-in-exec", error, "a construct that Verus refuses"),
                ("VG259", "no-trigger", error, "a quantifier without a usable trigger"),
                ("VG260", "mismatched-types", error, "declared types that cannot agree"),
                ("VG261", "unknown-method", error, "a method that no type has"),
            ),
        ),
        (
            Family.INTEGRITY,
            (
                ("VG401", "block-escape", error, "a section that closes the block around it"),
                ("VG402", "target-missing", error, "the target is missing or there twice"),
                ("VG403", "specification-changed", error, "the fixed specification is changed"),
                (
                    "VG404",
                    "task-name-redefined",
                    error,
                    "an added item redefines a name that the task uses",
                ),
                ("VG405", "executable-code-changed", error, "the fixed executable code is changed"),
            ),
        ),
        (
            Family.TRUST,
            (
                ("VG301", "assume", error, "assume(..) in place of a proof"),
                ("VG302", "admit", error, "admit() in place of a proof"),
                ("VG303", "external-body", error, "a body that Verus does not look at"),
                ("VG304", "external", error, "code that Verus ignores"),
                ("VG305", "assume-specification", error, "a specification taken on trust"),
                ("VG306", "axiom", error, "an axiom or a proof without a body"),
                (
                    "VG307",
                    "panic-like-body",
                    error,
                    "a panic-like body under external or unverified code",
                ),
                ("VG308", "termination-opt-out", error, "termination is not checked"),
                ("VG309", "code-outside-verus", error, "code outside verus!{}"),
                ("VG310", "cfg-hides-code", error, "a cfg that can hide code from Verus"),
                (
                    "VG311",
                    "smuggling-macro",
                    error,
                    "a macro, include or extern that can smuggle code",
                ),
                ("VG312", "unsafe", error, "unsafe code"),
                ("VG313", "raised-rlimit", error, "a raised resource limit"),
                ("VG314", "invisible-characters", error, "invisible or bidirectional characters"),
                (
                    "VG315",
                    "contradictory-requires",
                    warning,
                    "a requires clause that no caller can meet",
                ),
            ),
        ),
        (
            Family.KNOWN,
            (("VG501", "known-result", error, "the same candidate already has a result"),),
        ),
    )
    return tuple(
        Code(code, name, family, severity, summary)
        for family, rows in table
        for code, name, severity, summary in rows
    )


CODES: dict[str, Code] = {row.code: row for row in _rows()}
BY_NAME: dict[str, Code] = {row.name: row for row in CODES.values()}


def family_of(code: str) -> Family:
    """The family of a code. Raises KeyError for a code that is not in the table."""
    return CODES[code].family
