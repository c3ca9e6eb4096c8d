"""Where a continuation meets the beginning of a marker that was written for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class Joint:
    """Decides what becomes of the beginning of a marker that a correction appended.

    A model that goes on with it completes a marker. One that does not (it begins anew with a whole
    marker, or writes on in its section) leaves `[` or the like behind, which nobody meant as
    content: it is taken back, only the blanks before it stay. Text is held until that is clear,
    at most the length of a marker and the blanks before it. `kept`: how much of what was appended
    stands in the text.
    """

    append: str
    markers: Sequence[str]
    _held: str = field(default="", init=False)
    _open: bool = field(default=True, init=False)
    kept: int = field(default=0, init=False)

    def feed(self, text: str) -> str:
        """What is to be taken as the model's text now, ours included."""
        if not self._open:
            return text
        self._held += text
        begun = self.append.lstrip() + self._held
        if any(begun.startswith(marker) for marker in self.markers):
            return self._decide(self.append)
        anew = self._held.lstrip()
        if any(marker.startswith(part) for part in (begun, anew) for marker in self.markers):
            return ""
        return self._decide(self._blanks)

    def close(self) -> str:
        """The rest, when the model has stopped: a marker that is not whole by now never will be."""
        return self._decide(self._blanks) if self._open else ""

    @property
    def _blanks(self) -> str:
        return self.append[: len(self.append) - len(self.append.lstrip())]

    def _decide(self, ours: str) -> str:
        self._open = False
        self.kept = len(ours)
        return ours + self._held
