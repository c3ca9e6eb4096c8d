"""The order of an experiment's episodes and the seed of each: the same after any restart."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence

from verulaw_gate.experiment.model import EpisodeSpec
from verulaw_gate.experiment.plan import Experiment
from verulaw_gate.record.events import Arm


def episode_seed(seed: int, task: str, arm: str, sample: int) -> int:
    """The seed of one episode, from its place alone: 48 bits."""
    text = f"{seed}\0{task}\0{arm}\0{sample}"
    return int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest()[:6], "big")


def schedule(experiment: Experiment, arms: Sequence[Arm]) -> list[EpisodeSpec]:
    """All episodes of some arms, task by task; within a task, arms and samples in an order drawn
    from the run's seed, so that no arm has all the early or all the late hours."""
    order: list[EpisodeSpec] = []
    for task in experiment.tasks:
        mine = [
            EpisodeSpec(
                task=task,
                arm=arm,
                sample=sample,
                seed=episode_seed(experiment.seed, task.id, arm.name, sample),
                budgets=experiment.budgets,
            )
            for arm in arms
            for sample in range(experiment.samples)
        ]
        random.Random(f"{experiment.seed}/{task.id}").shuffle(mine)
        order.extend(mine)
    return order


def phases(arms: Sequence[Arm]) -> tuple[tuple[Arm, ...], tuple[Arm, ...]]:
    """The arms that may begin at once, and those that copy the rate of one of them."""
    first = tuple(arm for arm in arms if arm.matched_to is None)
    return first, tuple(arm for arm in arms if arm.matched_to is not None)


def settled(arm: Arm, rate: float) -> Arm:
    """A copying arm with the rate that was observed."""
    return arm.model_copy(update={"random_rate": rate})
