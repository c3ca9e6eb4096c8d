"""The workshop of a live experiment: a model client, a verifier and the stepper, in any process.

Settings come from the experiment file:

    [model]            # agent/make.py: client, model, base_url, key_env, temperature, ...
    [verifier]
    kind = "verus"     # or "recorded": results recorded beside tasks and in `logs`
    path = "..."       # of verus; default as everywhere
    timeout = 300.0    # seconds of one run
    logs = []          # attempt logs, for kind = "recorded"
    [loop]
    max_tokens = 4096
    feedback_tokens = 800
    max_corrections = 3
    price = [3.0, 15.0]  # of a million prompt and answer tokens
    examples = []        # tasks whose references are shown first
    show = "score"       # an agent with tools sees: score, summary or raw (agent/pass_loop.py)
    alpha = 0.6          # of the length normalisation of scores
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verulaw_gate import config as settings
from verulaw_gate.agent.eager import refuse_without_prefill
from verulaw_gate.agent.pass_loop import PassSettings, Show
from verulaw_gate.errors import ConfigError, ToolError
from verulaw_gate.experiment.attempts import scan_log
from verulaw_gate.experiment.corpora import add_results
from verulaw_gate.experiment.episode import Tools
from verulaw_gate.experiment.live import LiveSettings, LiveStepper, price_of
from verulaw_gate.experiment.plan import Experiment
from verulaw_gate.monitor.model import Mode
from verulaw_gate.protocol import load_protocol
from verulaw_gate.tasks.load import load_task
from verulaw_gate.tasks.model import Task
from verulaw_gate.verus.model import Verifier
from verulaw_gate.verus.recorded import RecordedVerifier

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

# Whole numbers, and the least of each.
_LOOP = {"max_tokens": 1, "feedback_tokens": 1, "max_corrections": 0}
_VERIFIER_KEYS = {"kind", "path", "timeout", "logs"}


@dataclass(frozen=True, slots=True)
class LiveWorkshop:
    """Everything by value, so that it can be sent to another process or machine. Keys of
    endpoints are not in it: each process reads them from its environment. `eager`: some arm asks
    for one state a request, which not every client can do."""

    key: str
    protocol: str
    model: Mapping[str, Any]
    verifier: Mapping[str, Any]
    loop: Mapping[str, Any]
    tasks: tuple[Task, ...]
    folder: str
    eager: bool = False

    def open(self) -> Tools:
        """Client, portal and verifier for this process. Raises UsageError, VerusNotFound."""
        from verulaw_gate.agent.make import from_table, make_client

        client = make_client(from_table(self.model))
        if self.eager:
            refuse_without_prefill(client)
        verifier = make_verifier(self.verifier, self.tasks, Path(self.folder))
        portal = _portal()
        stepper = LiveStepper(client, verifier, self.settings(), portal)

        def close() -> None:
            portal.call(client.aclose)
            portal.call(portal.stop)

        return Tools(stepper, verifier, close=close)

    def settings(self) -> LiveSettings:
        """How the loop speaks. Raises ConfigError for a [loop] that makes no sense."""
        known = {*_LOOP, "price", "examples", "show", "alpha"}
        for name, value in self.loop.items():
            if name not in known:
                raise ConfigError(
                    f"[loop]: unknown key '{name}'", hint=f"known: {', '.join(sorted(known))}"
                )
            if name in _LOOP and (type(value) is not int or value < _LOOP[name]):
                raise ConfigError(
                    f"[loop]: '{name}' is not a whole number from {_LOOP[name]} up",
                    hint="see its default",
                )
        try:
            price = price_of(*self.loop.get("price", (None, None)))
        except (TypeError, ValueError) as problem:
            raise ConfigError(f"[loop]: price: {problem}", hint="price = [IN, OUT]") from None
        examples = tuple(load_task(name) for name in self.loop.get("examples", ()))
        plain = {name: self.loop[name] for name in _LOOP if name in self.loop}
        return LiveSettings(
            load_protocol(self.protocol),
            price=price,
            examples=examples,
            passing=_passing(self.loop),
            **plain,
        )


def live_workshop(experiment: Experiment) -> LiveWorkshop:
    """The workshop of an experiment file; checks its settings by making them once.

    Raises ConfigError or UsageError for settings that make no sense.
    """
    from verulaw_gate.agent.make import from_table

    from_table(experiment.model)
    shop = LiveWorkshop(
        key=experiment.sha256,
        protocol=experiment.protocol,
        model=experiment.model,
        verifier=experiment.verifier,
        loop=experiment.loop,
        tasks=experiment.tasks,
        folder=str((experiment.path or Path("x")).resolve().parent),
        eager=any(arm.mode is Mode.EAGER for arm in experiment.arms),
    )
    shop.settings()
    _checked_verifier(experiment.verifier)
    return shop


def make_verifier(table: Mapping[str, Any], tasks: tuple[Task, ...], folder: Path) -> Verifier:
    """The verifier that a [verifier] table names. Raises VerusNotFound where there is none."""
    _checked_verifier(table)
    if table.get("kind", "verus") == "recorded":
        recorded = RecordedVerifier.of(tasks=tasks)
        paths = [folder / str(log) for log in table.get("logs", ())]
        if paths:
            add_results(recorded, scan_log(paths))
        return recorded
    from verulaw_gate.verus.find import find_verus
    from verulaw_gate.verus.limits import Limits
    from verulaw_gate.verus.slots import BoundedVerifier
    from verulaw_gate.verus.verifier import VerusVerifier

    # No cache: whether an arm reuses results is the arm's own setting, and is counted.
    config = settings.load()
    configured = config.resolve(config.verus) if config.verus else None
    found = find_verus(table.get("path"), configured=configured)
    limits = Limits(wall_s=float(table.get("timeout", 300.0)))
    program = VerusVerifier(found.path, limits=limits, version=found.version.version)
    # Episodes wait for models: there may be many more at once than Verus runs that the cores bear.
    return BoundedVerifier(program)


def _checked_verifier(table: Mapping[str, Any]) -> None:
    for name in table:
        if name not in _VERIFIER_KEYS:
            raise ConfigError(
                f"[verifier]: unknown key '{name}'",
                hint=f"known: {', '.join(sorted(_VERIFIER_KEYS))}",
            )
    if table.get("kind", "verus") not in ("verus", "recorded"):
        raise ConfigError(f"[verifier]: unknown kind '{table['kind']}'", hint="verus or recorded")
    timeout = table.get("timeout", 300.0)
    if not isinstance(timeout, int | float) or isinstance(timeout, bool) or timeout <= 0:
        raise ConfigError("[verifier]: 'timeout' is not above 0", hint="seconds of one run")


def _passing(loop: Mapping[str, Any]) -> PassSettings:
    show, alpha = loop.get("show", "score"), loop.get("alpha", 0.6)
    if show not in list(Show):
        raise ConfigError(f"[loop]: show: no '{show}'", hint=f"one of: {', '.join(Show)}")
    number = isinstance(alpha, int | float) and not isinstance(alpha, bool)
    if not number or not 0 <= alpha < inf:
        raise ConfigError("[loop]: alpha is a number not below 0", hint="0.6 is the default")
    return PassSettings(show=Show(show), alpha=float(alpha))


def _portal() -> BlockingPortal:
    """An event loop in a daemon thread: it must not keep a worker process from ending."""
    import anyio
    from anyio.from_thread import BlockingPortal

    ready = threading.Event()
    made: list[BlockingPortal] = []

    async def serve() -> None:
        async with BlockingPortal() as portal:
            made.append(portal)
            ready.set()
            await portal.sleep_until_stopped()

    threading.Thread(target=anyio.run, args=(serve,), daemon=True, name="model-clients").start()
    if not ready.wait(30):
        raise ToolError("the event loop for model clients did not start", hint="try again")
    return made[0]
