"""What can go wrong with a model endpoint, each kind with its remedy.

ClientError
├── ClientUnreachable    no connection: name, port, TLS, proxy
├── ClientTimeout        connected, but no answer in time
├── ClientCut            the stream ended before the answer did
├── ClientAuth           401, 403
├── ClientNotFound       404: no such model or path
├── ClientBusy           429: rate limit or quota
├── ClientServerFault    5xx, or the server reports a fault inside the stream
├── ClientRefused        any other 4xx: the request itself is refused
├── ClientFormat         an answer that is not in the endpoint's format
├── BudgetEnded          what is left of a budget does not cover the request: not asked
├── ClientExhausted      a scripted or recorded client has nothing more to say
└── ClientDiverged       a recorded conversation no longer fits
"""

from __future__ import annotations

from verulaw_gate.errors import ClientError


class ClientUnreachable(ClientError):
    """No connection could be made: name, port, TLS or proxy."""


class ClientTimeout(ClientError):
    """The endpoint accepted the request and then said nothing for too long."""


class ClientCut(ClientError):
    """The stream ended before the answer did."""


class ClientAuth(ClientError):
    """The endpoint refuses the key, or wants one (401, 403)."""


class ClientNotFound(ClientError):
    """The endpoint does not know the path or the model (404)."""


class ClientBusy(ClientError):
    """Rate limit or quota (429). `retry_after` is what the endpoint asks for, in seconds."""

    retry_after: float | None = None


class ClientServerFault(ClientError):
    """The endpoint failed (5xx, or an error event in the stream). `retry_after` in seconds."""

    retry_after: float | None = None


class ClientRefused(ClientError):
    """The endpoint refuses the request as it is (400, 413, 422, ...): no use in a retry."""


class ClientFormat(ClientError):
    """The endpoint answered with something that is not its format."""


class BudgetEnded(ClientError):
    """What is left of the budget does not cover the request: it was not made."""


class ClientExhausted(ClientError):
    """A scripted or recorded client was asked more often than it has answers."""


class ClientDiverged(ClientError):
    """A recorded conversation no longer fits: the prompt is another one, or more text is wanted
    than was recorded. `exchange` (from 0) and `offset` (characters into the prompt) say where."""

    exchange: int = 0
    offset: int = 0


TRANSIENT = (ClientUnreachable, ClientTimeout, ClientCut, ClientBusy, ClientServerFault)
"""What another try may mend."""
