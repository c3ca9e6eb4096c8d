"""The examples of docs/api.md run as they stand there."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import inspect
import io
import json
import re
from pathlib import Path

import pytest

from verulaw_gate.agent import ScriptedClient
from verulaw_gate.tasks import load_task

pytestmark = pytest.mark.anyio
DOCS = Path(__file__).parents[2] / "docs" / "api.md"
EXAMPLES = re.findall(r"^## (.+?)$|```python\n(.*?)```", DOCS.read_text(), re.M | re.S)
TASK = load_task("t01-max-of-slice")


def examples():
    title = ""
    for heading, code in EXAMPLES:
        title = heading or title
        if code:
            yield pytest.param(title, code, id=f"{title} {len(code)}")


@pytest.fixture
def anyio_backend():
    return "asyncio"


async def _stream():
    for at in range(0, len(TASK.reference), 7):
        yield TASK.reference[at : at + 7]


async def _endpoint(reader, writer):
    with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(re.search(rb"content-length: (\d+)", head.lower()).group(1))
        await reader.readexactly(length)
        events = [
            {"choices": [{"delta": {"content": "[Body]\n{ }\n[QED]\n"}}]},
            {"choices": [{"delta": {}, "finish_reason": "stop"}]},
        ]
        body = "".join(f"data: {json.dumps(e)}\n\n" for e in events) + "data: [DONE]\n\n"
        head_out = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
        writer.write((head_out + body).encode())
        await writer.drain()
    writer.close()


@pytest.mark.parametrize(("title", "code"), list(examples()))
async def test_example(anyio_backend, title, code):
    lines = [
        "[Thought] t\n[Action] calculator\n[Action Input] 6*7\n[Summary]",
        "It is 42.",
        "[Final Thought] f\n[Answer] 42",
    ]
    if "turn under" in title:
        lines = [TASK.reference]
    server = await asyncio.start_server(_endpoint, "127.0.0.1", 0)
    async with server:
        from verulaw_gate import Gate

        names = {
            "text": TASK.reference,
            "stream": _stream(),
            "source": Gate(TASK).check(TASK.reference).source,
            "client": ScriptedClient(lines),
            "url": f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1",
        }
        out = io.StringIO()
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        with contextlib.redirect_stdout(out):
            # The examples are ours, from the repository.
            made = eval(compile(code, title, "exec", flags=flags), names)
            if inspect.isawaitable(made):
                await made
    said = out.getvalue()
    wanted = {
        "Check a whole answer": "fn max_of_slice",
        "Watch a stream": "body",
        "Ask Verus": "verified True",
        "A model client": "[QED]",
        "One turn under the monitor": "[Body]",
        "An agent with tools": "42" if "run_agent" in code else str(2**32 // 7),
    }[title]
    assert wanted in said


def test_examples_are_short():
    for _, code in EXAMPLES:
        assert len([x for x in code.splitlines() if x.strip()]) <= 12
