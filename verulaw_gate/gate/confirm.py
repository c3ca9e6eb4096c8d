"""Does a Verus diagnostic say what a finding said? By kind of message and by line.

A rejection that Verus also refuses may still be right for the wrong reason. `confirms` holds only
when a diagnostic of the same kind points into the lines of the finding. The messages are those of
rustc and of Verus 0.2026.06.08 (its recorded outputs; the texts stand in rust_verify/src and
builtin_macros of its source).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from verulaw_gate.codes import CODES, PREDICTIVE

# What a parser says, rustc's lexer included. Only messages without an error code are looked at:
# E0308's "expected `u64`" is about types.
_SYNTAX = re.compile(
    r"^expected|^unexpected|^unknown start of token|^unterminated|unclosed delimiter"
    r"|closing delimiter|^prefix .* is unknown|^cannot parse|^This block looks like|^missing"
    r"|^invalid suffix|^found|^mismatched closing|^this file contains",
    re.IGNORECASE,
)

_KINDS: dict[str, tuple[frozenset[str] | None, re.Pattern[str]]] = {
    # code -> (error codes of rustc, None: no code), pattern of the message
    "VG251": (None, re.compile(r"^loop must have a decreases clause")),
    "VG252": (None, re.compile(r"recursive function must have a decreases clause")),
    "VG253": (None, re.compile(r"mutable reference parameter in a postcondition")),
    "VG254": (
        None,
        re.compile(
            r"^cannot call function .* with mode|expression has mode|^cannot .* mode|proof code"
            r"|spec code|only allowed in|with mode (spec|proof|exec)"
        ),
    ),
    "VG255": (None, re.compile(r"Verus types 'nat' and 'int' can only be used in ghost code")),
    "VG256": (
        frozenset({"E0428", "E0415", "E0416", "E0124"}),
        re.compile(r"collides|defined multiple times|bound more than once|duplicate"),
    ),
    "VG257": (
        frozenset({"E0425", "E0432", "E0433", "E0412", "E0405", "E0423", "E0531"}),
        re.compile(r"cannot find|unresolved|failed to resolve|expected function"),
    ),
    "VG258": (
        frozenset({"E0423", "E0425", "E0601", "E0433", "E0432"}),
        re.compile(
            r"not supported|not allowed|unsupported|expected function, found macro|invalid suffix"
            r"|unrecognized|cannot find (attribute|macro)|`main` function not found|trigger"
            r"|proof blocks inside spec code|cannot return from|cannot find|must be|disallowed"
        ),
    ),
    "VG259": (None, re.compile(r"Could not automatically infer triggers|trigger")),
    "VG260": (
        frozenset({"E0308", "E0277", "E0369", "E0605", "E0606", "E0604", "E0614", "E0600"}),
        re.compile(r""),
    ),
    "VG261": (
        frozenset({"E0599"}),
        re.compile(r"no method named|no (function|associated)|^`.*` is not supported"),
    ),
}

Row = tuple[str | None, str, int | None]
"""One diagnostic: rustc's code (None: none), message, line (None: no place)."""


def same_kind(code: str, rustc_code: str | None, message: str) -> bool:
    """Whether a diagnostic is of the kind that a rule foretells. Always False for rules that
    foretell nothing (protocol, integrity, trust, known)."""
    if CODES[code].family not in PREDICTIVE:
        return False
    if code not in _KINDS:
        return rustc_code in (None, "E0765", "E0758") and bool(_SYNTAX.search(message))
    codes, pattern = _KINDS[code]
    if rustc_code is None:
        return bool(pattern.search(message)) and code != "VG260"
    return codes is not None and rustc_code in codes and bool(pattern.search(message))


def confirms(code: str, first_line: int, last_line: int, diagnostics: Iterable[Row]) -> bool:
    """Whether one of the diagnostics is of the kind of `code` and points into the lines
    `first_line` to `last_line` (from 1, inclusive) of the finding."""
    return any(
        line is not None and first_line <= line <= last_line and same_kind(code, rustc, message)
        for rustc, message, line in diagnostics
    )
