"""Which store is meant: the command line, then VERULAW_STORE, then the settings."""

from __future__ import annotations

import os

from verulaw_gate.config import Config


def store_url(named: str | None, config: Config) -> str | None:
    """The store's path or URL; None: the default of the record room. A file in the settings is
    relative to the settings."""
    if named or os.environ.get("VERULAW_STORE"):
        return named or os.environ["VERULAW_STORE"]
    if not config.store or "://" in config.store:
        return config.store
    return str(config.resolve(config.store))
