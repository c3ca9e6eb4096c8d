"""Which layers of rules can run on a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verulaw_gate.gate.native_facts import Facts

# The Verus release that syntax and static rules speak of.
PINNED_VERUS = "0.2026.06.08.9a4284b"


@dataclass(frozen=True, slots=True)
class NativeReading:
    """What the native layer returned: facts, or the reason why there are none."""

    facts: Facts | None
    reason: str = ""


def native_reading(source: str, *, wanted: bool = True) -> NativeReading:
    """Read a file with Verus's own parser, where that is installed and wanted."""
    if not wanted:
        return NativeReading(None, "switched off")
    from verulaw_gate.gate import native

    if not native.available():
        return NativeReading(None, native.reason())
    if not source.isascii():
        from unicodedata import is_normalized

        if not is_normalized("NFC", source):
            # The parser keeps identifiers as they are spelled: `größe` could be two names to it.
            return NativeReading(None, "the text is not in Unicode normal form C")
    facts = native.analyse(source)
    if facts.status == "unanalysed":
        return NativeReading(None, facts.reason)
    return NativeReading(facts)
