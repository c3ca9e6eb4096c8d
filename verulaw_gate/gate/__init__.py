"""The gate: what is not worth a run of Verus, or no proof whatever Verus says."""

from verulaw_gate.gate.gate import Gate, fixed_text
from verulaw_gate.gate.known import normal_form, normal_hash
from verulaw_gate.gate.layers import PINNED_VERUS
from verulaw_gate.gate.model import Decision, GateResult, Layer, Repair, SourceKind
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc
from verulaw_gate.gate.rules import RULES, rule_docs

__all__ = [
    "PINNED_VERUS",
    "RULES",
    "Decision",
    "Gate",
    "GateResult",
    "Layer",
    "LayerName",
    "Repair",
    "Rule",
    "RuleDoc",
    "SourceKind",
    "fixed_text",
    "normal_form",
    "normal_hash",
    "rule_docs",
]
