"""Agents: model clients, one model turn under the monitor, tools, PASS and its kin.

The clients speak to real endpoints or hold scripts and recordings; `take_turn` and `run_agent` keep
what they say to a protocol (Crouse et al. 2023, arXiv 2310.08535).
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verulaw_gate.agent.audit import watched
    from verulaw_gate.agent.environments import ReflexionEnvironment, RewooEnvironment
    from verulaw_gate.agent.explain import explain
    from verulaw_gate.agent.hybrids import Voted, hybrid, self_consistency
    from verulaw_gate.agent.make import ModelSettings, make_client
    from verulaw_gate.agent.metered import Meter, MeteredClient
    from verulaw_gate.agent.model import (
        Capabilities,
        Chunk,
        Client,
        Message,
        Price,
        Prompt,
        Role,
        Score,
        collect,
    )
    from verulaw_gate.agent.pass_loop import PassEnvironment, PassSettings, Show, ToolEnvironment
    from verulaw_gate.agent.prompting import task_prompt
    from verulaw_gate.agent.recorded import RecordedClient, RecordingClient
    from verulaw_gate.agent.runner import AgentRun, RunSettings, run_agent
    from verulaw_gate.agent.schedule import Resources
    from verulaw_gate.agent.scripted import Line, ScriptedClient
    from verulaw_gate.agent.tools import Calculator, SearchVstd, Tool, ToolBox, VerusTool
    from verulaw_gate.agent.turn import Turn, TurnSettings, take_turn

# Loaded on first use: whoever wants a tool does not pay for the HTTP clients.
_WHERE = {
    "AgentRun": "runner",
    "Calculator": "tools",
    "Capabilities": "model",
    "Chunk": "model",
    "Client": "model",
    "Line": "scripted",
    "Message": "model",
    "Meter": "metered",
    "MeteredClient": "metered",
    "ModelSettings": "make",
    "PassEnvironment": "pass_loop",
    "PassSettings": "pass_loop",
    "Price": "model",
    "Prompt": "model",
    "RecordedClient": "recorded",
    "RecordingClient": "recorded",
    "ReflexionEnvironment": "environments",
    "Resources": "schedule",
    "RewooEnvironment": "environments",
    "Role": "model",
    "RunSettings": "runner",
    "Score": "model",
    "ScriptedClient": "scripted",
    "SearchVstd": "tools",
    "Show": "pass_loop",
    "Tool": "tools",
    "ToolBox": "tools",
    "ToolEnvironment": "pass_loop",
    "Turn": "turn",
    "TurnSettings": "turn",
    "VerusTool": "tools",
    "Voted": "hybrids",
    "collect": "model",
    "explain": "explain",
    "hybrid": "hybrids",
    "make_client": "make",
    "run_agent": "runner",
    "self_consistency": "hybrids",
    "take_turn": "turn",
    "task_prompt": "prompting",
    "watched": "audit",
}


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_WHERE])


__all__ = [
    "AgentRun",
    "Calculator",
    "Capabilities",
    "Chunk",
    "Client",
    "Line",
    "Message",
    "Meter",
    "MeteredClient",
    "ModelSettings",
    "PassEnvironment",
    "PassSettings",
    "Price",
    "Prompt",
    "RecordedClient",
    "RecordingClient",
    "ReflexionEnvironment",
    "Resources",
    "RewooEnvironment",
    "Role",
    "RunSettings",
    "Score",
    "ScriptedClient",
    "SearchVstd",
    "Show",
    "Tool",
    "ToolBox",
    "ToolEnvironment",
    "Turn",
    "TurnSettings",
    "VerusTool",
    "Voted",
    "collect",
    "explain",
    "hybrid",
    "make_client",
    "run_agent",
    "self_consistency",
    "take_turn",
    "task_prompt",
    "watched",
]
