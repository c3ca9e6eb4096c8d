"""`verulaw-gate run`: run tasks live against a model."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verulaw_gate.errors import UsageError

if TYPE_CHECKING:
    from verulaw_gate.agent.model import Client
    from verulaw_gate.config import Config
    from verulaw_gate.experiment.live_run import LivePlan
    from verulaw_gate.experiment.model import Budgets
    from verulaw_gate.record.events import Arm
    from verulaw_gate.verus.model import Verifier

SUMMARY = """Run tasks live against a model: prompt, stream under monitor and gate, stop at the
first certain rejection, correct, ask Verus, answer, until the target is proved or a budget ends.
Everything is stored; a run that was stopped goes on with --resume. Keys of endpoints come from
environment variables only."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line of `run`."""
    parser.add_argument("task", nargs="+", help="ids or folders of tasks, or `all`")
    _model_arguments(parser.add_argument_group("the model"))
    _loop_arguments(parser.add_argument_group("the loop"))
    _budget_arguments(parser.add_argument_group("budgets of one episode"))
    _verus_arguments(parser.add_argument_group("Verus and the record"))


def _model_arguments(group: Any) -> None:
    from verulaw_gate.agent.make import KINDS

    add = group.add_argument
    add("--model", metavar="NAME", help="the model, as the endpoint calls it")
    add("--client", choices=tuple(KINDS), default="openai",
        help="the kind of endpoint (default: openai: OpenAI-compatible chat)")  # fmt: skip
    add("--base-url", metavar="URL", help="where it is, up to /v1 (default: the kind's own)")
    add("--key-env", metavar="VARIABLE", help="the environment variable of the key (default:"
        " the kind's own at its own address, else none)")  # fmt: skip
    add("--prefill", action=argparse.BooleanOptionalAction, default=None,
        help="whether it continues a given beginning of its answer")  # fmt: skip
    add("--no-usage", action="store_true", help="do not ask for token counts in the stream")
    add(
        "--scores",
        action="store_true",
        help="it echoes a prompt with log-probabilities (--client completions), for --show score",
    )
    add("--temperature", type=float, metavar="T")
    add("--model-seed", type=int, metavar="N", help="a seed for endpoints that take one")
    add("--max-tokens", type=int, default=4096, metavar="N", help="of one request (4096)")
    add("--connect-timeout", type=float, default=10.0, metavar="S")
    add("--read-timeout", type=float, default=120.0, metavar="S", help="longest silence (120)")
    add("--tries", type=int, default=6, metavar="N", help="requests with retries (6)")
    add("--record", type=Path, metavar="FILE", help="record the conversation")
    add("--conversation", type=Path, metavar="FILE",
        help="hold a recorded conversation again instead of asking a model")  # fmt: skip


def _loop_arguments(group: Any) -> None:
    add = group.add_argument
    add("--gate", choices=("on", "off", "shadow-off", "shadow-on"), default="on",
        help="on: the gate acts; off: all to Verus; shadow: the gate only judges, or Verus only"
        " runs silently (default: on)")  # fmt: skip
    add("--protocol", default="proof", metavar="NAME|FILE", help="the protocol (default: proof)")
    add("--correction", choices=("prefix", "feedback", "forced"), default="prefix",
        help="how a protocol violation is answered; prefix and forced need a client that can"
        " prefill, else feedback is given (default: prefix)")  # fmt: skip
    add("--mode", choices=("optimistic", "eager"), default="optimistic",
        help="optimistic: check what arrives, cut and correct it; eager: ask for one state a"
        " request, the beginning of its marker written (needs a client that can prefill)"
        " (default: optimistic)")  # fmt: skip
    add("--autofix", action="store_true",
        help="apply the mechanical fixes of findings before the model is asked again")  # fmt: skip
    add("--no-early-stop", action="store_true", help="read every answer to its end")
    add("--no-fix-message", action="store_true", help="gate messages without their remedies")
    add("--extractor", choices=("lenient-sections", "strict"), default="lenient-sections",
        help="how a candidate is cut in arms that send everything")  # fmt: skip
    add("--example", action="append", default=[], metavar="TASK",
        help="a task whose reference is shown in the prompt (repeatable)")  # fmt: skip
    add("--feedback-tokens", type=int, default=800, metavar="N", help="budget of one answer (800)")
    add("--max-corrections", type=int, default=3, metavar="N", help="in one generation (3)")
    add("--show", choices=("score", "summary", "raw"), default="score",
        help="what an agent with tools sees of their results: chosen by log-probability where the"
        " client has them (else the summary), the summary, or the raw results")  # fmt: skip
    add("--alpha", type=float, default=0.6, metavar="A", help="of the length normalisation (0.6)")
    add("--samples", type=int, default=1, metavar="N", help="episodes of each task (1)")
    add("--seed", type=int, default=0, metavar="N", help="of all draws of the run (0)")
    add("--jobs", type=int, default=1, metavar="N", help="episodes at once (1)")


def _budget_arguments(group: Any) -> None:
    add = group.add_argument
    add("--attempts", type=int, default=5, metavar="N", help="generations (5)")
    add("--verus-calls", type=int, metavar="N")
    add("--tokens", type=int, metavar="N", help="of prompts and answers")
    add("--seconds", type=float, metavar="S", help="of model and Verus")
    add("--money", type=float, metavar="X", help="needs --price")
    add("--price", type=float, nargs=2, metavar=("IN", "OUT"),
        help="of a million prompt and answer tokens, in the currency of --money")  # fmt: skip


def _verus_arguments(group: Any) -> None:
    add = group.add_argument
    add("--verifier", choices=("verus", "recorded"), default="verus",
        help="the real verus (default), or the results recorded with the tasks")  # fmt: skip
    add("--verus", metavar="PATH", help="the verus executable")
    add("--timeout", type=float, metavar="SECONDS", help="wall-clock limit of one run of Verus")
    add("--cache", action="store_true",
        help="use results of earlier runs (they count as reuse, not as executions)")  # fmt: skip
    add("--tasks", type=Path, metavar="FOLDER", help="another folder of tasks")
    add("--store", metavar="URL|FILE", help="the record store (default: VERULAW_STORE, or"
        " verulaw.sqlite here)")  # fmt: skip
    add("--run", metavar="NAME", help="the run's name (default: a new one)")
    add("--resume", action="store_true", help="go on with the last run of these settings")


def run(args: argparse.Namespace) -> int:
    """Run, and say how each episode ended. 0 when all targets were proved honestly, else 1."""
    from verulaw_gate import config as settings
    from verulaw_gate.agent.eager import refuse_without_prefill
    from verulaw_gate.agent.recorded import RecordedClient
    from verulaw_gate.cli.live_display import display, episode_line, gave_up, reasons
    from verulaw_gate.experiment.live_run import name_for, run_live
    from verulaw_gate.record import Store
    from verulaw_gate.record.events import EpisodeResult

    # Retries show in the record; a library's log line on the terminal helps nobody.
    logging.getLogger("stamina").addHandler(logging.NullHandler())
    config = settings.load()
    url = args.store or config.store
    client = _client(args)
    if args.mode == "eager":
        refuse_without_prefill(client)
    plan = _plan(args, config, client)
    with (
        _verifier(args, config, url, plan) as (verifier, version),
        Store(url) as store,
        display() as watch,
    ):
        name = name_for(store, plan, args.run, resume=args.resume)
        ends = run_live(
            store,
            name,
            _with_version(plan, version),
            client,
            verifier,
            jobs=args.jobs,
            watch=watch,
        )
        where = store.url
        failed = {s.task.id for s, e in zip(plan.specs(), ends, strict=True) if gave_up(e)}
        why = {(key.task, key.sample): text for key, text in reasons(store, name, failed)}
    for spec, end in zip(plan.specs(), ends, strict=True):
        print(episode_line(spec.task.id, spec.sample, end))
        if gave_up(end) and (spec.task.id, spec.sample) in why:
            print(f"    {why[spec.task.id, spec.sample]}", file=sys.stderr)
    proved = sum(end.result is EpisodeResult.HONEST_SUCCESS for end in ends)
    print(f"run {name}: {proved} of {len(ends)} proved; in {where}")
    print(f"next: verulaw-gate report {name}{f' --store {args.store}' if args.store else ''}")
    if isinstance(client, RecordedClient) and client.unused:
        print(f"diverged: {client.unused} recorded answers were not asked for any more")
        return 1
    return 0 if proved == len(ends) else 1


def _client(args: argparse.Namespace) -> Client:
    from verulaw_gate.agent.make import ModelSettings, make_client
    from verulaw_gate.agent.recorded import RecordedClient, RecordingClient

    if args.jobs > 1 and (args.record or args.conversation):
        raise UsageError("a conversation has one order", hint="leave --jobs out")
    if args.conversation is not None:
        if args.model or args.base_url or args.record:
            raise UsageError(
                "--conversation takes the place of a model", hint="leave --model and --record out"
            )
        return RecordedClient(args.conversation)
    if not args.model:
        raise UsageError("no model", hint="--model NAME, and --base-url URL where it is")
    if args.scores and args.record:
        raise UsageError("scores are not recorded", hint="leave --scores or --record out")
    made = make_client(
        ModelSettings(
            model=args.model,
            client=args.client,
            base_url=args.base_url,
            key_env=args.key_env,
            prefill=args.prefill,
            usage=not args.no_usage,
            scores=args.scores,
            temperature=args.temperature,
            seed=args.model_seed,
            connect_timeout=args.connect_timeout,
            read_timeout=args.read_timeout,
            attempts=args.tries,
        )
    )
    return made if args.record is None else RecordingClient(made, args.record)


def _plan(args: argparse.Namespace, config: Config, client: Client) -> LivePlan:
    from verulaw_gate.agent.pass_loop import PassSettings, Show
    from verulaw_gate.experiment.live import LiveSettings, price_of
    from verulaw_gate.experiment.live_run import LivePlan
    from verulaw_gate.experiment.model import Budgets
    from verulaw_gate.protocol import load_protocol

    _numbers(args)
    if args.money is not None and args.price is None:
        raise UsageError("--money needs --price", hint="--price IN OUT, for a million tokens")
    try:
        price = price_of(*(args.price or (None, None)))
    except ValueError as problem:
        raise UsageError(f"--price: {problem}") from None
    budgets = Budgets(args.attempts, args.verus_calls, args.seconds, args.tokens, args.money)
    return LivePlan(
        tasks=_tasks(args),
        arm=_arm(args),
        budgets=budgets,
        settings=LiveSettings(
            protocol=load_protocol(args.protocol),
            max_tokens=args.max_tokens,
            feedback_tokens=args.feedback_tokens,
            max_corrections=args.max_corrections,
            config=config,
            price=price,
            examples=tuple(_load(args, name) for name in args.example),
            passing=PassSettings(show=Show(args.show), alpha=args.alpha),
        ),
        samples=args.samples,
        seed=args.seed,
        model=client.name,
        config=_stored(args, client, budgets),
    )


_STORED = (
    "protocol", "gate", "correction", "autofix", "no_early_stop", "no_fix_message", "extractor",
    "example", "feedback_tokens", "max_corrections", "samples", "seed", "attempts", "verus_calls",
    "tokens", "seconds", "money", "price", "show", "alpha", "verifier", "temperature",
    "model_seed", "max_tokens", "mode",
)  # fmt: skip


def _stored(args: argparse.Namespace, client: Client, budgets: Budgets) -> dict[str, Any]:
    from dataclasses import fields

    able = client.capabilities
    abilities = {
        "prefill": able.prefill,
        "stop": able.stop,
        "reports_stop": able.reports_stop,
        "score": able.score,
    }
    return {
        "client": client.name,
        "capabilities": abilities,
        "budgets": {f.name: getattr(budgets, f.name) for f in fields(budgets)},
        **{name: getattr(args, name) for name in _STORED},
    }


_ABOVE_0 = ("attempts", "verus_calls", "tokens", "seconds", "money", "samples", "max_tokens",
            "feedback_tokens")  # fmt: skip
_NOT_BELOW_0 = ("max_corrections", "alpha")


def _numbers(args: argparse.Namespace) -> None:
    for names, zero in ((_ABOVE_0, False), (_NOT_BELOW_0, True)):
        for name in names:
            value = getattr(args, name)
            if value is not None and not (0 < value < inf or (zero and value == 0)):
                what = "not below 0" if zero else "above 0"
                raise UsageError(f"--{name.replace('_', '-')} is a number {what}")


def _tasks(args: argparse.Namespace) -> tuple[Any, ...]:
    from verulaw_gate.tasks import load_suite

    if args.task == ["all"]:
        return load_suite(args.tasks)
    found = tuple(_load(args, name) for name in args.task)
    if len({task.id for task in found}) < len(found):
        raise UsageError("a task is named twice", hint="--samples N runs each task N times")
    return found


def _load(args: argparse.Namespace, name: str) -> Any:
    from verulaw_gate.tasks import load_task

    inside = None if args.tasks is None else args.tasks / name
    return load_task(inside if inside is not None and inside.is_dir() else name)


def _arm(args: argparse.Namespace) -> Arm:
    from verulaw_gate.monitor.model import CorrectionMode, Mode
    from verulaw_gate.record.events import Arm, ArmKind

    kind = ArmKind(args.gate)
    acts = kind in (ArmKind.ON, ArmKind.SHADOW_ON)
    if args.autofix and not acts:
        raise UsageError("--autofix is for arms that act on the gate", hint="--gate on")
    if args.mode == "eager" and not acts:
        raise UsageError("--mode eager is for arms that act on the monitor", hint="--gate on")
    return Arm(
        name=args.gate,
        kind=kind,
        extractor=args.extractor,
        correction=CorrectionMode(args.correction),
        fix_message=not args.no_fix_message,
        repair=args.autofix,
        cache=kind is ArmKind.ON,
        early_stop=kind is ArmKind.ON and not args.no_early_stop,
        mode=Mode(args.mode),
    )


@contextmanager
def _verifier(
    args: argparse.Namespace, config: Config, url: str | None, plan: LivePlan
) -> Iterator[tuple[Verifier, str | None]]:
    if args.verifier == "recorded":
        from verulaw_gate.verus import RecordedVerifier

        if args.verus or args.cache or args.timeout is not None:
            raise UsageError(
                "--verus, --cache and --timeout are for the real verus", hint="leave them out"
            )
        recorded = RecordedVerifier.of(plan.tasks)
        yield recorded, recorded.version
        return
    from verulaw_gate.cli.real_verifier import real_verifier

    args.no_cache = not args.cache
    with real_verifier(args, config, url) as real:
        yield real.verifier, real.install.version.version


def _with_version(plan: LivePlan, version: str | None) -> LivePlan:
    from dataclasses import replace

    return replace(plan, verus_version=version)
