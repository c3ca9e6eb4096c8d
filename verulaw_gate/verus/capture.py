"""Output of a command with its middle cut out where it is too long."""

from __future__ import annotations


class Capture:
    """Keeps the first and the last half of `limit` bytes. Memory is bounded by about 1.5 times
    the limit; the text says where and how much was cut."""

    def __init__(self, limit: int) -> None:
        self._half = max(1, limit // 2)
        self._head = bytearray()
        self._tail = bytearray()
        self.total = 0

    def add(self, data: bytes) -> None:
        """Add what was read."""
        self.total += len(data)
        room = self._half - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if data:
            self._tail += data
            if len(self._tail) > 2 * self._half:
                del self._tail[: -self._half]

    @property
    def cut(self) -> int:
        """How many bytes are not kept."""
        return max(0, self.total - 2 * self._half)

    def bytes(self) -> bytes:
        """What is kept, with a line at the cut that says how much is missing."""
        if not self.cut:
            return bytes(self._head + self._tail)
        note = f"\n[... {self.cut} bytes cut here ...]\n".encode()
        return bytes(self._head) + note + bytes(self._tail[-self._half :])
