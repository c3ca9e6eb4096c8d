"""The documents name what there is."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from verulaw_gate.experiment.attempts import Attempt
from verulaw_gate.experiment.model import Budgets
from verulaw_gate.experiment.plan import ENDPOINTS
from verulaw_gate.record.events import Arm, ArmKind, Event
from verulaw_gate.verus.model import Outcome

DOCS = Path(__file__).parents[2] / "docs"


def test_every_event_is_in_the_export_format() -> None:
    text = (DOCS / "export-format.md").read_text()
    kinds = [model.model_fields["kind"].default for model in get_args(get_args(Event)[0])]
    assert len(kinds) > 15
    assert [kind for kind in kinds if f"`{kind}`" not in text] == []


def test_every_field_is_in_the_attempt_log() -> None:
    text = (DOCS / "attempt-log.md").read_text()
    fields = [field.alias or name for name, field in Attempt.model_fields.items()]
    assert [name for name in fields if f"`{name}`" not in text] == []
    assert [o for o in Outcome if f"`{o}`" not in text] == []


def test_every_arm_and_endpoint_is_in_the_experiments() -> None:
    text = (DOCS / "experiments.md").read_text()
    assert [k for k in ArmKind if k is not ArmKind.REPLAY and f"`{k}`" not in text] == []
    assert [f for f in Arm.model_fields if f not in ("name", "kind") and f not in text] == []
    assert [e for e in ENDPOINTS if e not in text] == []
    assert "generations" in Budgets.__dataclass_fields__
