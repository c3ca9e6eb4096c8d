"""Keys: read from the environment only, and never shown."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from verulaw_gate.errors import UsageError

MASK = "[redacted]"
# What common keys and headers look like, for texts of others that may quote a key not ours.
_SHAPES = re.compile(
    r"(?i)\b(?:bearer\s+|x-api-key['\"]?\s*[:=]\s*['\"]?|api[_-]?key['\"]?\s*[:=]\s*['\"]?)"
    r"[^\s'\",;}]{6,}|\bsk-[A-Za-z0-9_\-]{8,}"
)


def key_from_environment(variable: str) -> str:
    """The key in an environment variable; empty when the variable is unset or blank.

    Raises UsageError for a value that no HTTP header can hold, without showing it.
    """
    value = os.environ.get(variable, "").strip() if variable else ""
    if value and not (value.isascii() and value.isprintable() and " " not in value):
        raise UsageError(
            f"the value of {variable} is not a key: it has blanks or characters outside ASCII",
            hint=f"set {variable} to the bare key",
        )
    return value


def redact(text: str, secrets: Sequence[str] = ()) -> str:
    """`text` without the secrets, and without anything that has the shape of a key."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, MASK)
    return _SHAPES.sub(MASK, text)
