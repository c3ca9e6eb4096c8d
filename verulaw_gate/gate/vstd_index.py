"""The index of vstd's names, made by `vstd_build` from the published crate and shipped."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_FILE = Path(__file__).with_name("vstd_index.json")


@dataclass(frozen=True, slots=True)
class VstdIndex:
    """`values`: the functions, constants and statics that vstd declares anywhere, public or not
    (absence is what counts). `names`: these, types, modules and macros. `words`: these and every
    other word of its code, for names that macros declare.
    `inline`: spec functions whose body takes the place of the call, or that are never chosen as
    triggers. `specified`: std functions with a specification, as `Type::method`, where `slice`,
    `array` and `str` stand for the primitive types."""

    version: str
    values: frozenset[str]
    names: frozenset[str]
    words: frozenset[str]
    inline: frozenset[str]
    specified: frozenset[str]


@lru_cache(maxsize=1)
def vstd_index() -> VstdIndex:
    """The shipped index."""
    raw = json.loads(_FILE.read_text(encoding="utf-8"))
    values = frozenset(raw["values"].split())
    names = values | frozenset(raw["others"].split())
    return VstdIndex(
        version=raw["vstd"],
        values=values,
        names=names,
        words=names | frozenset(raw["words"].split()),
        inline=frozenset(raw["inline"].split()),
        specified=frozenset(raw["specified"]),
    )
