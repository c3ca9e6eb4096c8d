"""The name of vstd that is nearest to one that does not exist."""

from __future__ import annotations

from functools import lru_cache

from verulaw_gate.gate.vstd_index import vstd_index


@lru_cache(maxsize=512)
def nearest_in_vstd(name: str, cutoff: float) -> str:
    """The name that was meant, as far as letters tell; empty if none is as close as `cutoff` (a
    ratio of difflib, 0 to 1). The search takes milliseconds and a model that was told of a name
    often writes it again: the last answers are kept."""
    from difflib import get_close_matches  # `check` starts faster without

    near = get_close_matches(name, sorted(vstd_index().names), 1, cutoff)
    return near[0] if near else ""
