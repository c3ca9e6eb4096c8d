"""`verulaw-gate experiment`: plan, pilot or run an experiment from one TOML file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from verulaw_gate.errors import UsageError

if TYPE_CHECKING:
    from verulaw_gate.experiment.plan import Experiment
    from verulaw_gate.experiment.runner import Ran

SUMMARY = """Plan, pilot or run an experiment: tasks x arms x samples from one TOML file, which is
stored with the run. A run that was killed goes on where it was."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line of `experiment`."""
    verbs = parser.add_subparsers(dest="what", required=True, metavar="plan|pilot|run")
    plan = verbs.add_parser("plan", help="hypothesis, arms, endpoint, sample size and power")
    pilot = verbs.add_parser("pilot", help="measure first-try rates and select tasks")
    run = verbs.add_parser("run", help="run what is not stored yet")
    for verb in (plan, pilot, run):
        verb.add_argument("file", type=Path, help="the experiment file (TOML)")
    for verb in (pilot, run):
        add = verb.add_argument
        add("--store", metavar="URL|FILE", help="the record store")
        add("--run", metavar="NAME", help="the run's name (default: from the file)")
        add("--executor", default="threads", metavar="threads|processes|dask://HOST:PORT")
        add("--workers", type=int, default=1, metavar="N", help="episodes at once (default: 1;"
            " a Dask cluster has its own number)")  # fmt: skip
    pilot.add_argument("--samples", type=int, default=5, metavar="N", help="answers a task (5)")
    pilot.add_argument("--low", type=float, default=0.2, help="lowest first-try rate (0.2)")
    pilot.add_argument("--high", type=float, default=0.7, help="highest first-try rate (0.7)")
    pilot.add_argument("--output", type=Path, required=True, metavar="FILE",
                       help="the selection, for `selection = ...` of a file")  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Do the sub-verb."""
    from verulaw_gate.experiment.plan import read_experiment

    experiment = read_experiment(args.file)
    if args.what == "plan":
        if experiment.model:
            # What the run would refuse is refused before it is registered.
            from verulaw_gate.experiment.workshop import live_workshop

            live_workshop(experiment)
        _print_plan(experiment)
        return 0
    if args.what == "pilot":
        return _pilot(args, experiment)
    done = _run(args, experiment)
    print(f"run {done.run}: {done.new} episodes run, {done.total} in all")
    print(f"next: verulaw-gate report {done.run}{f' --store {args.store}' if args.store else ''}")
    return 0


def _run(args: argparse.Namespace, experiment: Experiment) -> Ran:
    from verulaw_gate import config as settings
    from verulaw_gate.cli.checking.stores import store_url
    from verulaw_gate.cli.progress import progress
    from verulaw_gate.experiment.runner import run_experiment
    from verulaw_gate.experiment.workshop import live_workshop, make_verifier
    from verulaw_gate.record.connect import default_store

    workshop = live_workshop(experiment)
    # Before anything is stored: is there a verifier at all, and of which version?
    verifier = make_verifier(experiment.verifier, experiment.tasks, Path(workshop.folder))
    version = getattr(verifier, "version", None)
    wanted = experiment.verus_version
    if wanted is not None and version is not None and version != wanted:
        raise UsageError(
            f"the experiment is for Verus {wanted}, this is {version}",
            hint="use that Verus, or change verus_version before the run",
        )
    url = store_url(args.store, settings.load()) or default_store()
    with progress("episodes") as report:
        return run_experiment(
            experiment,
            url,
            workshop,
            run=args.run,
            executor=args.executor,
            workers=args.workers,
            verus_version=version,
            model=str(experiment.model.get("model")),
            progress=report,
        )


def _pilot(args: argparse.Namespace, experiment: Experiment) -> int:
    from verulaw_gate import config as settings
    from verulaw_gate.cli.checking.stores import store_url
    from verulaw_gate.experiment.pilot import first_tries, pilot_of
    from verulaw_gate.experiment.selection import write_selection
    from verulaw_gate.record import Store

    if args.samples < 1 or not 0 <= args.low <= args.high <= 1:
        raise UsageError(
            "--samples is at least 1, and 0 <= --low <= --high <= 1", hint="see --help"
        )
    if not args.output.parent.is_dir() or args.output.is_dir():
        # Before the model is asked and paid for.
        raise UsageError(
            "the selection can't be written there", hint="name a file in a folder that exists",
            path=args.output,
        )  # fmt: skip
    done = _run(args, pilot_of(experiment, args.samples))
    with Store(store_url(args.store, settings.load()), read_only=True) as store:
        tried = first_tries(store, done.run)
    tasks = {task.id: task for task in experiment.tasks}
    model = str(experiment.model.get("model"))
    chosen = write_selection(
        args.output, tried, tasks, low=args.low, high=args.high, run=done.run, model=model
    )
    for name, seen in tried.items():
        mark = "selected" if name in chosen else "not selected"
        print(f"{name}: {seen.honest}/{seen.scored} at the first try, {mark}")
    unscored = done.total - sum(seen.scored for seen in tried.values())
    if unscored:
        print(f"{unscored} of {done.total} answers have no verdict and are in no rate")
    print(f"{len(chosen)} of {len(tried)} tasks selected, written to {args.output}")
    return 0 if chosen else 1


def _print_plan(experiment: Experiment) -> None:
    from verulaw_gate.report.plan import plan_lines, read_plan

    budgets = experiment.as_config()["budgets"]
    rows = [
        ("experiment", experiment.name),
        ("plan's hash", f"sha256 {experiment.sha256}"),
        ("tasks", f"{len(experiment.tasks)}, sha256 {experiment.tasks_sha256}"),
        ("samples", f"{experiment.samples} of each task under each arm"),
        ("episodes", str(experiment.episodes)),
        ("order", f"arms mixed within each task, seed {experiment.seed}"),
        ("budgets", ", ".join(f"{k} {v}" for k, v in budgets.items() if v is not None)),
        ("protocol", experiment.protocol),
        ("model", str(experiment.model.get("model", "none stated"))),
        ("Verus", experiment.verus_version or "whichever is found; it is stored with the run"),
    ]
    for arm in experiment.arms:
        rows.append((f"arm {arm.name}", _arm(arm.model_dump(mode="json"))))
    if experiment.plan:
        rows.extend(plan_lines(read_plan(experiment.plan), len(experiment.tasks)))
    else:
        rows.append(("plan", "no [plan]: exploratory, the report gives intervals only"))
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"{name:<{width}}  {value}")


def _arm(arm: dict[str, object]) -> str:
    """The kind, and each setting: of those that are on or off only which are on."""
    parts = [str(arm["kind"])]
    for name, value in arm.items():
        if name in ("name", "kind") or value is None or value is False:
            continue
        parts.append(name if value is True else f"{name} {value}")
    return ", ".join(parts)
