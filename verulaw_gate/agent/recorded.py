"""Record a conversation with a model, and hold it again against changed code.

A file of JSON Lines: first `{"schema": "verulaw-gate/conversation/1", "client": NAME, ...}`, then
one line for each answer, in order: prompt, stop sequences, text, how it ended. On replay the
prompts must come out as they were; where one does not, or where more of an answer is wanted than
was recorded, that is a divergence: an error that says where, never an answer made up.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verulaw_gate.agent import errors
from verulaw_gate.agent.errors import ClientDiverged
from verulaw_gate.agent.model import (
    Answer,
    Capabilities,
    Chunk,
    Client,
    Finish,
    FinishReason,
    Message,
    Prompt,
    Role,
    Score,
    Usage,
)
from verulaw_gate.errors import ClientError, LogError, UsageError

SCHEMA = "verulaw-gate/conversation/1"
_AROUND = 30
_KINDS: dict[str, type[ClientError]] = {kind.__name__: kind for kind in errors.TRANSIENT}


@dataclass(frozen=True, slots=True)
class Exchange:
    """One recorded answer. `finish` None: our side stopped the stream before the answer ended, or
    the endpoint failed (`error`: the kind and message)."""

    prompt: Prompt
    stop: tuple[str, ...]
    text: str
    usage: Usage
    finish: Finish | None
    error: tuple[str, str] | None = None


class RecordingClient:
    """Passes everything on to another client and appends each answer to a file.

    Raises LogError when the file exists already (a recording is one conversation) or cannot be
    written.
    """

    def __init__(self, inner: Client, path: Path) -> None:
        self._inner, self._path = inner, path
        able = inner.capabilities
        head = {
            "schema": SCHEMA,
            "client": inner.name,
            "prefill": able.prefill,
            "stop": able.stop,
            "reports_stop": able.reports_stop,
        }
        try:
            with path.open("x", encoding="utf-8") as out:
                out.write(json.dumps(head) + "\n")
        except FileExistsError:
            raise LogError("there is a recording already", hint="name another", path=path) from None
        except OSError as problem:
            raise LogError(f"cannot write: {problem.strerror}", path=path) from None

    @property
    def name(self) -> str:
        """The name of the client inside."""
        return self._inner.name

    @property
    def capabilities(self) -> Capabilities:
        """Those of the client inside, without scores: they are not recorded."""
        able = self._inner.capabilities
        return Capabilities(able.prefill, able.logprobs, able.stop, able.reports_stop, score=False)

    async def stream(
        self, prompt: Prompt, *, stop: Sequence[str] = (), max_tokens: int = 4096
    ) -> AsyncGenerator[Chunk, None]:
        """The answer of the client inside, written down when it ends or is closed."""
        answer = Answer()
        failed: tuple[str, str] | None = None
        try:
            async with aclosing(
                self._inner.stream(prompt, stop=stop, max_tokens=max_tokens)
            ) as chunks:
                async for chunk in chunks:
                    answer.add(chunk)
                    yield chunk
        except ClientError as error:
            failed = (type(error).__name__, error.message)
            raise
        finally:
            usage, finish = answer.usage, answer.finish
            self._write(Exchange(prompt, tuple(stop), answer.text, usage, finish, failed))

    def _write(self, exchange: Exchange) -> None:
        try:
            with self._path.open("a", encoding="utf-8") as out:
                out.write(json.dumps(_to_json(exchange), ensure_ascii=False) + "\n")
        except OSError as problem:
            raise LogError(f"cannot write: {problem.strerror}", path=self._path) from None

    async def score(self, prompt: Prompt, text: str) -> Score:
        """Not recorded, so not offered."""
        raise UsageError(f"{self.name} is being recorded: scores are not", hint="choose by setting")

    async def aclose(self) -> None:
        """Close the client inside."""
        await self._inner.aclose()


class RecordedClient:
    """Holds a recorded conversation again. Raises LogError for a file that is no recording."""

    def __init__(self, path: Path, *, chunk: int = 16) -> None:
        self._path, self._chunk = path, chunk
        self._name, self._capabilities, self._exchanges = read_conversation(path)
        self._next = 0

    @property
    def name(self) -> str:
        """The recorded client's name, marked as recorded."""
        return f"recorded:{self._name}"

    @property
    def capabilities(self) -> Capabilities:
        """Those of the client that was recorded."""
        return self._capabilities

    @property
    def unused(self) -> int:
        """How many recorded answers were not asked for: more than 0 at the end of a run means
        that it ended earlier than the recorded one."""
        return len(self._exchanges) - self._next

    async def stream(
        self, prompt: Prompt, *, stop: Sequence[str] = (), max_tokens: int = 4096
    ) -> AsyncGenerator[Chunk, None]:
        """The next recorded answer. Raises ClientDiverged when the prompt is another one, and
        after the text of an answer that was stopped while it was recorded; the recorded error
        where the endpoint had failed."""
        number = self._next
        if number >= len(self._exchanges):
            raise self._diverged(number, 0, f"only {number} answers were recorded")
        exchange = self._exchanges[number]
        self._compare(number, exchange, prompt, tuple(stop))
        self._next += 1
        for at in range(0, len(exchange.text), self._chunk):
            yield Chunk(exchange.text[at : at + self._chunk])
        if exchange.error is not None:
            kind, message = exchange.error
            raise _KINDS.get(kind, ClientError)(message, hint="as recorded")
        if exchange.finish is None:
            raise self._diverged(
                number,
                len(exchange.text),
                f"more is wanted than the {len(exchange.text)} characters that were recorded "
                "before the stream was stopped",
            )
        yield Chunk(usage=exchange.usage, finish=exchange.finish)

    def _compare(self, number: int, old: Exchange, prompt: Prompt, stop: tuple[str, ...]) -> None:
        then, now = _flat(old.prompt), _flat(prompt)
        if then != now:
            at = next(
                (i for i, (a, b) in enumerate(zip(then, now, strict=False)) if a != b),
                min(len(then), len(now)),
            )
            low = max(0, at - _AROUND)
            raise self._diverged(
                number,
                at,
                f"the prompt is another one from character {at} on: recorded "
                f"{then[low : at + _AROUND]!r}, now {now[low : at + _AROUND]!r}",
            )
        if old.stop != stop:
            raise self._diverged(
                number, 0, f"the stop sequences are others: recorded {old.stop}, now {stop}"
            )

    def _diverged(self, number: int, offset: int, what: str) -> ClientDiverged:
        error = ClientDiverged(
            f"answer {number + 1} of the recording: {what}",
            hint="what changed since then speaks differently from here on; a live run is needed",
            path=self._path,
        )
        error.exchange, error.offset = number, offset
        return error

    async def score(self, prompt: Prompt, text: str) -> Score:
        """Not recorded."""
        raise UsageError(f"{self.name} has no scores", hint="choose by setting")

    async def aclose(self) -> None:
        """Nothing to let go of."""


def read_conversation(path: Path) -> tuple[str, Capabilities, tuple[Exchange, ...]]:
    """Name, capabilities and answers of a recording. Raises LogError with the line."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as problem:
        raise LogError(
            f"cannot read: {problem.strerror}", path=path, hint="check its path and permissions"
        ) from None
    except UnicodeDecodeError:
        raise LogError("not UTF-8", hint="is this a recording?", path=path) from None
    exchanges: list[Exchange] = []
    name, able = "", Capabilities()
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        try:
            data = json.loads(line)
            if number == 1:
                if data["schema"] != SCHEMA:
                    raise ValueError(f"schema is {data['schema']!r}, not {SCHEMA}")
                name = str(data["client"])
                able = Capabilities(
                    prefill=bool(data["prefill"]),
                    stop=bool(data["stop"]),
                    reports_stop=bool(data["reports_stop"]),
                )
            else:
                exchanges.append(_from_json(data))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
            raise LogError(
                f"not a recorded conversation: {problem}",
                hint="make one with `verulaw-gate run --record FILE`",
                path=path,
                line=number,
            ) from None
    if not name:
        raise LogError("an empty recording", hint="was the run killed at once?", path=path)
    return name, able, tuple(exchanges)


def _flat(prompt: Prompt) -> str:
    parts = [f"<system>{prompt.system}"]
    parts += [f"<{m.role}>{m.content}" for m in prompt.messages]
    return "\n".join([*parts, f"<prefill>{prompt.prefill}"])


def _to_json(exchange: Exchange) -> dict[str, object]:
    finish = exchange.finish
    return {
        "system": exchange.prompt.system,
        "messages": [[str(m.role), m.content] for m in exchange.prompt.messages],
        "prefill": exchange.prompt.prefill,
        "stop": list(exchange.stop),
        "text": exchange.text,
        "prompt_tokens": exchange.usage.prompt_tokens,
        "completion_tokens": exchange.usage.completion_tokens,
        "finish": None if finish is None else [str(finish.reason), finish.stop],
        "error": None if exchange.error is None else list(exchange.error),
    }


def _from_json(data: dict[str, Any]) -> Exchange:
    messages = tuple(Message(Role(role), str(content)) for role, content in data["messages"])
    ended, error = data["finish"], data.get("error")
    return Exchange(
        Prompt(str(data["system"]), messages, str(data["prefill"])),
        tuple(str(s) for s in data["stop"]),
        str(data["text"]),
        Usage(data["prompt_tokens"], data["completion_tokens"]),
        None if ended is None else Finish(FinishReason(ended[0]), ended[1]),
        None if error is None else (str(error[0]), str(error[1])),
    )
