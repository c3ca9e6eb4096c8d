"""Tasks: load and check them, assemble candidate files, import them from elsewhere."""

from verulaw_gate.tasks.assemble import LENIENT_SECTIONS, STRICT, assemble, assemble_lenient
from verulaw_gate.tasks.check import check_task
from verulaw_gate.tasks.load import labelled_traces, load_suite, load_task
from verulaw_gate.tasks.model import Assembly, Label, LabelledTrace, Piece, Task, TaskKind
from verulaw_gate.tasks.recordings import Recording, RecordingKind, TraceRecordings, recordings

__all__ = [
    "LENIENT_SECTIONS",
    "STRICT",
    "Assembly",
    "Label",
    "LabelledTrace",
    "Piece",
    "Recording",
    "RecordingKind",
    "Task",
    "TaskKind",
    "TraceRecordings",
    "assemble",
    "assemble_lenient",
    "check_task",
    "labelled_traces",
    "load_suite",
    "load_task",
    "recordings",
]
