"""Protocols: the language of agent behaviours, and the automaton of one.

The language is that of Crouse et al. 2023 ("Formally Specifying the High-Level Behavior of
LLM-Based Agents", arXiv 2310.08535) with the bounds of its authors' files.
"""

from verulaw_gate.protocol.automaton import Automaton, compile_protocol
from verulaw_gate.protocol.diagnostics import LINT_CODES, Diagnostic, Level
from verulaw_gate.protocol.lint import lint
from verulaw_gate.protocol.load import load_protocol, parse_protocol, shipped
from verulaw_gate.protocol.model import ContentKind, MarkerMode, Protocol, State

__all__ = [
    "LINT_CODES",
    "Automaton",
    "ContentKind",
    "Diagnostic",
    "Level",
    "MarkerMode",
    "Protocol",
    "State",
    "compile_protocol",
    "lint",
    "load_protocol",
    "parse_protocol",
    "shipped",
]
