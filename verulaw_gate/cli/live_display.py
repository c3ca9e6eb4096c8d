"""What a live run shows on a terminal: one line for each thing that happens, and a status line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from verulaw_gate.agent.text import visible

if TYPE_CHECKING:
    from verulaw_gate.experiment.live import Note
    from verulaw_gate.record import Store
    from verulaw_gate.record.events import EpisodeClosed, Key

_STYLES = {
    "generation": "bold",
    "stopped": "yellow",
    "cut": "red",
    "corrected": "yellow",
    "rejected": "red",
    "repaired": "yellow",
    "accepted": "green",
    "reused": "yellow",
    "verus": "bold",
    "silent-verus": "dim",
}


@contextmanager
def display() -> Iterator[Callable[[Note], None]]:
    """Yields what to call with each note; does nothing where standard error is no terminal.

    Text of the model is shown without control characters and never read as markup.
    """
    if not sys.stderr.isatty():
        yield lambda note: None
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(stderr=True, highlight=False)
    lock = Lock()
    received: dict[tuple[str, int], int] = {}
    with console.status("starting") as status:

        def show(note: Note) -> None:
            with lock:
                place = (note.task, note.sample)
                if note.kind == "text":
                    received[place] = received.get(place, 0) + len(note.text)
                    status.update(
                        Text(
                            f"{note.task}, attempt {note.generation}: {received[place]} characters"
                        )
                    )
                    return
                if note.kind == "answer":
                    return
                if note.kind == "generation":
                    received[place] = 0
                    line = f"{note.task} (sample {note.sample}): attempt {note.generation}"
                else:
                    line = f"    {note.kind} {visible(note.text)[:160]}"
                console.print(Text(line, style=_STYLES.get(note.kind, "")))

        yield show


def episode_line(task: str, sample: int, end: EpisodeClosed) -> str:
    """How an episode ended, in a line."""
    why = f" by {end.censored_by}" if end.censored_by else ""
    tokens = [t for t in (end.prompt_tokens, end.completion_tokens) if t is not None]
    counted = f", {sum(tokens)} tokens" if len(tokens) == 2 else ""
    return (
        f"{task} sample {sample}: {end.result}{why} after {end.generations} generations and "
        f"{end.executions} Verus results{counted}"
    )


def gave_up(end: EpisodeClosed) -> bool:
    """Whether the episode ended because the endpoint failed for good."""
    return end.censored_by == "model-error"


def reasons(store: Store, run: str, tasks: Iterable[str]) -> Iterator[tuple[Key, str]]:
    """Why the endpoint was given up, as stored with the last generation of each episode."""
    from verulaw_gate.record.events import MonitorVerdict

    for task in sorted(tasks):
        for stored in store.events(run, task=task):
            event = stored.event
            if isinstance(event, MonitorVerdict) and not event.ran and event.reason:
                yield stored.key, visible(event.reason)
