"""The exception tree. Every error carries one clear message and a remedy.

    VerulawError                 something the user can mend; never a bug
    ├── UsageError               bad command line or arguments            (exit code 2)
    │   └── ConfigError          bad configuration                        (exit code 2)
    ├── InputError               a file or text that cannot be used       (exit code 2)
    │   ├── ProtocolError        a protocol that does not parse or compile
    │   ├── TaskError            a task folder that does not hold together
    │   └── LogError             an attempt log or export that does not hold together
    ├── StoreError               the record store                         (exit code 2)
    └── ToolError                an outside tool or service failed        (exit code 3)
        ├── VerusNotFound        no usable verus
        ├── RecordedMiss         no recorded result for this source and options
        └── ClientError          a model endpoint

An error that is not a `VerulawError` is a bug: the program prints the traceback and exits
with 3.
"""

from __future__ import annotations

from pathlib import Path


class VerulawError(Exception):
    """Base of all errors that a user can mend.

    `hint` names the remedy; `path`, `line` and `column` (from 1) name the place, where known.
    """

    exit_code = 2

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        path: Path | str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.path = None if path is None else str(path)
        self.line = line
        self.column = column

    @property
    def place(self) -> str:
        """`path:line:column`, as far as it is known; empty when nothing is."""
        parts = [self.path] if self.path else []
        if self.line is not None:
            parts.append(str(self.line))
            if self.column is not None:
                parts.append(str(self.column))
        return ":".join(parts)

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword-only arguments get lost by the default pickling; workers send errors home.
        return (_rebuild, (type(self), self.args, self.__dict__.copy()))


def _rebuild(
    kind: type[VerulawError], args: tuple[object, ...], state: dict[str, object]
) -> VerulawError:
    error = kind.__new__(kind)
    Exception.__init__(error, *args)
    error.__dict__.update(state)
    return error


class UsageError(VerulawError):
    """The command line or the arguments of a call make no sense."""


class ConfigError(UsageError):
    """The configuration has an unknown key or a value of the wrong kind."""


class InputError(VerulawError):
    """A file or text that cannot be used: unreadable, not UTF-8, not of the stated format."""


class ProtocolError(InputError):
    """A protocol that does not parse or compile. `caret` shows the place in its line."""

    caret: str = ""


class TaskError(InputError):
    """A task folder that does not hold together."""


class LogError(InputError):
    """An attempt log or an export that does not hold together."""


class StoreError(VerulawError):
    """The record store cannot be used: not ours, of a newer schema, not writable."""


class ToolError(VerulawError):
    """A tool or service outside this package failed."""

    exit_code = 3


class VerusNotFound(ToolError):
    """No usable `verus` executable."""


class RecordedMiss(ToolError):
    """There is no recorded result for this source under these options."""


class ClientError(ToolError):
    """A model endpoint failed or answered with something that is not its format. `requests` is
    how many HTTP requests were made until then, retries included."""

    requests: int = 1
