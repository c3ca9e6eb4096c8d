"""The arguments of verus: which of them is the file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

# Options of verus and rustc whose value is the next argument, when no `=` joins it.
_VALUED = frozenset(
    """
    --verify-module --verify-only-module --verify-function --num-threads --rlimit --log-dir
    --multiple-errors --smt-option --import --export --extern --cfg --check-cfg --crate-type
    --crate-name --edition --emit --print --out-dir --explain --target --cap-lints --error-format
    --json --color --diagnostic-width --remap-path-prefix --sysroot --codegen --env-set
    --allow --warn --deny --forbid --force-warn
    -V -L -l -C -A -W -D -F -Z -o
    """.split()  # noqa: SIM905  a list of fifty strings reads worse
)


def free(arguments: Sequence[str]) -> Iterator[str]:
    """The arguments that are no options and no values of options."""
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            yield from rest
        elif argument in _VALUED:
            next(rest, None)
        elif argument == "-" or not argument.startswith("-"):
            yield argument


def file_among(arguments: Sequence[str]) -> str | None:
    """The source file among the arguments of verus; None when there is none (`--version`, a
    crate on standard input). Only the file itself is gated, not what its `mod name;` name."""
    candidates = list(free(arguments))
    named = next((a for a in candidates if a.endswith(".rs")), None)
    return named or next((a for a in candidates if os.path.isfile(a)), None)


def only_file(arguments: Sequence[str], path: str) -> bool:
    """Whether verus can have read nothing but this file: a receipt is about what verus read."""
    return list(free(arguments)) == [path]
