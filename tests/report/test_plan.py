"""Plans: read, worded with their power, and never a traceback for a senseless one."""

from __future__ import annotations

import pytest

from verulaw_gate.report.contrasts import Primary
from verulaw_gate.report.plan import plan_lines, read_plan

TABLE = {
    "hypothesis": "gating lowers executions",
    "primary_endpoint": "executions",
    "baseline": "off",
    "arm": "on",
    "difference": -0.5,
    "sd": 1.0,
}


def test_a_plan_states_its_sample_size_and_the_power_of_its_tasks():
    lines = dict(plan_lines(read_plan(TABLE), 54))
    assert lines["primary comparison"] == "arm on against arm off"
    # G*Power: dz 0.5 needs 34 pairs for 80 %, and 54 pairs have 95.0 %.
    assert lines["power"].startswith("80.8 % with 34 tasks for a paired difference of -0.5")
    assert lines["planned tasks"] == "54: power 95.0 %"


def test_a_plan_without_a_difference_has_no_power():
    table = {k: v for k, v in TABLE.items() if k not in ("difference", "sd")}
    lines = dict(plan_lines(read_plan(table), 9))
    assert "power" not in lines
    assert "no power" in lines["sample size"]


@pytest.mark.parametrize(
    "change",
    [{"difference": 0.0}, {"difference": 1e-7}, {"alpha": 2.0}, {"power": 0.01}, {"sd": -1.0}],
)
def test_a_senseless_plan_says_that_no_power_can_be_computed(change):
    lines = dict(plan_lines(read_plan(TABLE | change), 9))
    assert lines["power"].startswith("none can be computed: ")


def test_a_single_task_has_no_paired_power():
    assert "planned tasks" not in dict(plan_lines(read_plan(TABLE), 1))


def test_the_primary_comparison_needs_two_arms():
    assert read_plan(TABLE).primary == Primary("off", "on", "executions")
    question = {"hypothesis": "x", "primary_endpoint": "protocol-rejection"}
    assert read_plan(question).primary is None
