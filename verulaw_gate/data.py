"""Where the shipped data is: in an installed package or in a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def _folder(name: str) -> Path:
    installed = _PACKAGE / "_data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name


def protocols_dir() -> Path:
    """The folder of shipped protocols (`*.sexp`, `examples/`)."""
    return _folder("protocols")


def tasks_dir() -> Path:
    """The folder of shipped tasks, one folder a task."""
    return _folder("rust_tasks")


def corpora_dir() -> Path:
    """The folder of shipped recorded attempt logs (`*.jsonl`)."""
    return _PACKAGE / "corpora"
