"""`verulaw-gate task`: list, show, check or import tasks."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from verulaw_gate.errors import TaskError, VerulawError

SUMMARY = "List, show, check or import proof tasks."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line of `task`."""
    verbs = parser.add_subparsers(dest="what", required=True, metavar="list|show|check|import")
    one = verbs.add_parser("list", help="one line a task")
    one.add_argument("--tasks", metavar="FOLDER", help="another folder of tasks")
    one.add_argument("--format", choices=("human", "json"), default="human")
    one = verbs.add_parser("show", help="everything about one task")
    one.add_argument("task", help="an id, the beginning of one, or a folder")
    one.add_argument("--reference", action="store_true", help="also the reference trace")
    one = verbs.add_parser("check", help="check that task folders hold together")
    one.add_argument("tasks", nargs="*", help="ids or folders (default: all shipped tasks)")
    one = verbs.add_parser("import", help="make tasks from elsewhere")
    one.add_argument("source", type=Path, help="a vericoding benchmark (.jsonl, .csv) or a Verus"
                     " file (.rs)")  # fmt: skip
    one.add_argument("--into", type=Path, required=True, metavar="FOLDER", help="where they go")
    one.add_argument("--target", metavar="FN", help="for a Verus file: the function to prove")
    one.add_argument("--id", metavar="ID", help="for a Verus file: the id of the task")


def run(args: argparse.Namespace) -> int:
    """Do the sub-verb."""
    return {"list": _list, "show": _show, "check": _check, "import": _import}[args.what](args)


def _list(args: argparse.Namespace) -> int:
    from verulaw_gate.tasks import labelled_traces, load_suite

    suite = load_suite(args.tasks)
    rows = [
        {
            "id": task.id,
            "difficulty": task.difficulty,
            "kind": task.kind.value,
            "traces": len(labelled_traces(task)),
            "title": task.title,
        }
        for task in suite
    ]
    if args.format == "json":
        import json

        print(json.dumps(rows, indent=1, ensure_ascii=False))
        return 0
    width = max(len(str(row["id"])) for row in rows)
    print(f"{'task':<{width}}  {'difficulty':<10}  {'kind':<8}  traces  title")
    for row in rows:
        print(
            f"{row['id']:<{width}}  {row['difficulty']:<10}  {row['kind']:<8}  "
            f"{row['traces']:>6}  {row['title']}"
        )
    traces = sum(int(str(row["traces"])) for row in rows)
    print(f"{len(rows)} tasks, {traces} traces (references included)")
    return 0


def _show(args: argparse.Namespace) -> int:
    from verulaw_gate.tasks import labelled_traces, load_task, recordings

    task = load_task(args.task)
    print(f"{task.id}: {task.title}")
    print(f"{task.difficulty}, {task.kind.value}, target {task.target}")
    if task.topics:
        print(f"topics: {', '.join(task.topics)}")
    if task.origin:
        print(f"origin: {task.origin}")
    print(f"\n{task.statement}\n\n{task.source}", end="")
    if task.exec_body is not None:
        print(f"\nexec_body.rs:\n{task.exec_body}", end="")
    if args.reference and task.reference:
        print(f"\nreference:\n{task.reference}", end="")
    traces, recorded = labelled_traces(task), recordings(task)
    if traces:
        print("\ntrace: protocol label, gate label, Verus label; recorded Verus exit codes")
    for trace in traces:
        label, found = trace.label, recorded.get(trace.name)
        said = [
            f"{one.kind.value} {one.exit_code}"
            for one in ((found.plain, found.strict, found.lenient) if found else ())
            if one is not None
        ]
        shown = ", ".join(said) or "not recorded"
        print(f"  {trace.name}: {label.protocol}, {label.gate}, {label.verus}; {shown}")
    return 0


def _check(args: argparse.Namespace) -> int:
    from verulaw_gate.data import tasks_dir
    from verulaw_gate.tasks.check import check_task
    from verulaw_gate.tasks.load import task_folders

    targets: list[str | Path] = list(args.tasks) or list(task_folders(tasks_dir()))
    if not targets:
        raise TaskError("no task here", hint="name a task folder", path=tasks_dir())
    wrong = 0
    for target in _expanded(targets):
        problems = check_task(target)
        wrong += bool(problems)
        for problem in problems:
            _tell(problem)
    checked = len(_expanded(targets))
    print(f"{checked - wrong} of {checked} tasks hold together")
    return 1 if wrong else 0


def _expanded(targets: list[str | Path]) -> list[str | Path]:
    """A folder of tasks stands for all the tasks in it."""
    from verulaw_gate.tasks.load import task_folders

    out: list[str | Path] = []
    for target in targets:
        path = Path(target)
        inner = task_folders(path) if path.is_dir() and not (path / "task.toml").exists() else []
        out.extend(inner or [target])
    return out


def _tell(problem: VerulawError) -> None:
    print(problem, file=sys.stderr)
    if problem.hint:
        print(f"  help: {problem.hint}", file=sys.stderr)


def _import(args: argparse.Namespace) -> int:
    from verulaw_gate.tasks.importers import import_tasks

    done = import_tasks(args.source, args.into, target=args.target, id_=args.id)
    for problem in done.problems:
        _tell(problem)
    total = len(done.imported) + len(done.problems)
    print(f"{len(done.imported)} of {total} tasks imported into {args.into}")
    return 0 if done.imported else 1
