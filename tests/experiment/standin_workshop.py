"""Stand-ins for a model and for Verus, for tests of the runner only. Nothing here is Verus: the
stand-in verifier says what a seeded draw says. Also a program that runs an experiment with them,
so that tests can kill it:

    python standin_workshop.py EXPERIMENT.toml STORE EXECUTOR WORKERS
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from verulaw_gate.experiment.episode import Tools
from verulaw_gate.experiment.model import EpisodeSpec, GenerationRecord, TextOf
from verulaw_gate.experiment.plan import read_experiment
from verulaw_gate.experiment.runner import run_experiment
from verulaw_gate.experiment.verify import Question, ask
from verulaw_gate.record import sha256_of
from verulaw_gate.record.convert import candidate_event
from verulaw_gate.record.events import (
    ArmKind,
    Disposition,
    Feedback,
    FeedbackSource,
    Generation,
    GenerationClosed,
)
from verulaw_gate.tasks import assemble_lenient
from verulaw_gate.verus.model import (
    RECORDED_OPTIONS,
    Outcome,
    Verification,
    VerusOptions,
)

PAUSE_S = 0.004


class StandInVerifier:
    """Verified when the source says so in a comment; else a failure by a draw on its hash."""

    def verify(
        self, source: str, options: VerusOptions = RECORDED_OPTIONS, *, target: str | None = None
    ) -> Verification:
        digest = sha256_of(source)
        good = "// stand-in: good" in source or "// stand-in: cheat" in source
        strict_no = options.strict and "// stand-in: cheat" in source
        outcome = Outcome.VERIFIED if good and not strict_no else Outcome.PROOF_FAILURE
        if not good and int(digest[0], 16) < 8:
            outcome = Outcome.COMPILE_ERROR
        return Verification(
            outcome=outcome,
            target_proved=outcome is Outcome.VERIFIED,
            source_sha256=digest,
            options=options,
            wall_s=1.0,
            version="stand-in",
        )


@dataclass
class StandInStepper:
    """Answers that depend on the episode's seed, its history and nothing else."""

    pause: float

    def __call__(
        self, spec: EpisodeSpec, history: Sequence[GenerationRecord], text_of: TextOf
    ) -> GenerationRecord:
        number = len(history) + 1
        for record in history:
            told = next(e for e in record.events if isinstance(e, Generation))
            assert told.text_sha256 is not None
            assert text_of(told.text_sha256), "a stored text is lost"
        time.sleep(self.pause)
        draw = random.Random(f"{spec.seed}/{number}")
        mark = draw.choice(["good", "cheat", "bad", "bad", "bad"])
        text = spec.task.reference.replace(
            "[QED]", f"// stand-in: {mark}\n// {spec.arm.name} {spec.sample} {number}\n[QED]"
        )
        events: list = [
            Generation(
                text_sha256=sha256_of(text),
                chars=len(text),
                seconds=0.5,
                prompt_tokens=10,
                completion_tokens=20,
            )
        ]
        texts = {sha256_of(text): text}
        rate = {ArmKind.ON: 0.3, ArmKind.RANDOM: spec.arm.random_rate or 0.0}.get(spec.arm.kind, 0)
        if draw.random() < rate:
            kind = spec.arm.kind
            told = Disposition.GATE_REJECTED if kind is ArmKind.ON else Disposition.RANDOM_REJECTED
            source = FeedbackSource.GATE if kind is ArmKind.ON else FeedbackSource.RANDOM
            events += [Feedback(source=source, chars=2), GenerationClosed(disposition=told)]
            return GenerationRecord(tuple(events), texts)
        made = assemble_lenient(spec.task, text)
        texts[sha256_of(made.source)] = made.source
        events.append(candidate_event(made.source, extractor=made.extractor))
        question = Question(
            made.source, RECORDED_OPTIONS, spec.task.target, heard=True, extractor=made.extractor
        )
        events += ask(StandInVerifier(), question).events
        events.append(GenerationClosed(disposition=Disposition.EXECUTED))
        return GenerationRecord(tuple(events), texts)


@dataclass(frozen=True)
class StandInWorkshop:
    """Opens the stand-ins. `pause`: seconds that each answer takes."""

    pause: float = PAUSE_S
    key: str = "stand-in"

    def open(self) -> Tools:
        return Tools(StandInStepper(self.pause), StandInVerifier())


if __name__ == "__main__":
    # Import by name, so that worker processes find the same classes.
    import standin_workshop

    file, store, executor, workers = sys.argv[1:5]
    done = run_experiment(
        read_experiment(Path(file)),
        store,
        standin_workshop.StandInWorkshop(),
        run="killed",
        executor=executor,
        workers=int(workers),
    )
    print(done)
