"""One state a request (Crouse et al. 2023's eager enforcement): the lead, and whether to go on.

The model is asked for one state, with the common prefix of the legal markers already written; a
further marker that it writes is not taken. It pays with a request a state, each of which repeats
the prompt and the text so far.
"""

from __future__ import annotations

from verulaw_gate.agent.joint import Joint
from verulaw_gate.agent.model import Client
from verulaw_gate.errors import UsageError
from verulaw_gate.monitor.monitor import Monitor


def refuse_without_prefill(client: Client) -> None:
    """Raise UsageError for a client that cannot be asked for one state."""
    if not client.capabilities.prefill:
        raise UsageError(
            f"{client.name} cannot be asked for one state at a time: it does not continue a given "
            "beginning of its answer",
            hint="--prefill if it does, else --mode optimistic",
        )


def joint_for(monitor: Monitor, append: str) -> Joint | None:
    """For an appended text that is the mere beginning of a marker; None for all others."""
    markers = tuple(state.text for state in monitor.protocol.states)
    partial = append.strip()
    return None if not partial or partial in markers else Joint(append, markers)


def goes_on(monitor: Monitor, *, said: bool, cut_off: bool) -> bool:
    """Whether to ask the model for another state after a request in which it `said` something.

    Not after a rejection, at the token limit, where only the environment may speak, and not when
    the run is complete and the model has begun nothing more. A model that says nothing is not
    asked again.
    """
    monitor.end_turn()
    legal = monitor.legal_next
    mine = any(not monitor.protocol.state(name).env_input for name in legal)
    if monitor.rejected or monitor.requested is not None or cut_off or not mine:
        return False
    return monitor.over or (said and not monitor.complete)
