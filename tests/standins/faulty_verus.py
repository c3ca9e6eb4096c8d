#!/usr/bin/env -S python3 -I -S
"""A stand-in for tests, not Verus: it proves nothing and does what the candidate file says.

The first line of the candidate is `// standin: {json}` with `do` (one of the functions below) and
its parameters. Without such a line it prints a verified result. Every call appends a line to the
file `ledger`, where one is given, so that tests can count executions.
"""

import json
import os
import signal
import sys
import time

VERSION = "0.2026.06.08.9a4284b"


def results(verified=1, errors=0, vir=False, success=None, functions=("candidate::f",)):
    failed = bool(errors) or vir
    table = {"encountered-error": failed, "encountered-vir-error": vir}
    table["success"] = not failed if success is None else success
    if not vir:
        table.update({"verified": verified, "errors": errors})
        table["is-verifying-entire-crate"] = True
    details = {f: {"obligation_proof_notes": [], "failed_proof_notes": []} for f in functions}
    value = {"func-details": details, "verification-results": table}
    value["verus"] = {"version": VERSION, "toolchain": "1.95.0-x86_64-unknown-linux-gnu"}
    return json.dumps(value, indent=2) + "\n"


def diagnostic(message, line=2):
    span = {"file_name": "candidate.rs", "line_start": line, "line_end": line}
    span.update({"column_start": 1, "column_end": 2, "is_primary": True, "text": []})
    span.update({"label": None, "expansion": None})
    value = {"$message_type": "diagnostic", "message": message, "code": None, "level": "error"}
    value.update({"spans": [span], "children": [], "rendered": f"error: {message}\n"})
    return json.dumps(value) + "\n"


def put(fd, text):
    data = text if isinstance(text, bytes) else text.encode()
    while data:
        data = data[os.write(fd, data) :]


def hang():
    while True:
        time.sleep(3600)


def verified(_):
    put(1, results())


def proof_failure(_):
    put(2, diagnostic("assertion failed"))
    put(1, results(0, 1))
    return 1


def compile_error(_):
    put(2, diagnostic("expected an expression"))
    put(
        1,
        results(0, 0, success=False).replace(
            '"encountered-error": false', '"encountered-error": true'
        ),
    )
    return 1


def hangs(given):
    if given.get("after_result"):
        put(1, results())
    hang()


def ignores_signals(_):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    hang()


def forks(given):
    """Children in every disguise: in the group, in a session of their own, twice forked, with an
    emptied environment. Then end with a result, or hang too."""
    for kind in given["children"]:
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            if kind in ("session", "daemon", "disguised"):
                os.setsid()
            if kind in ("daemon", "disguised") and os.fork():
                os._exit(0)
            if kind == "disguised":
                program = [sys.executable, "-I", "-S", "-c", "import time; time.sleep(3600)"]
                os.execve(sys.executable, [*program, "verus-standin-child"], {})
            hang()
    if given.get("hang"):
        hang()
    put(1, results())


def floods(given):
    block = b"x" * 65536
    fd = 2 if given.get("stderr") else 1
    left = given.get("bytes")
    if left is None:
        while True:
            put(fd, block)
    while left > 0:
        put(fd, block[: min(left, len(block))])
        left -= len(block)
    put(1, results())


def eats_memory(_):
    held = []
    while True:
        held.append(bytearray(16 << 20))


def dies(given):
    if given.get("after_result"):
        put(1, results())
    os.kill(os.getpid(), given["signal"])
    hang()


def half_json(given):
    text = results()
    put(1, text[: int(len(text) * given["share"])])
    return given.get("exit", 0)


def writes_outside(_):
    """Files above its directory, in HOME and in TMPDIR, some behind shut directories."""
    for place in ("..", os.environ["HOME"], os.environ["TMPDIR"], "."):
        shut = os.path.join(place, "shut")
        os.makedirs(os.path.join(shut, "deep"))
        with open(os.path.join(shut, "deep", "file"), "w") as file:
            file.write("left behind")
        os.symlink("/", os.path.join(place, "link-to-root"))
        os.chmod(shut, 0)
    put(1, results())


def writes_much(_):
    with open("big", "wb") as file:
        while True:
            file.write(b"x" * (1 << 20))


def exits_late(given):
    put(1, results())
    os.close(1)
    time.sleep(given["seconds"])


def prints(given):
    """Exactly these bytes (latin-1 in the request), then this exit code."""
    put(1, given.get("stdout", "").encode("latin-1"))
    put(2, given.get("stderr", "").encode("latin-1"))
    return given["exit"]


def shows_environment(_):
    descriptors = sorted(os.listdir("/proc/self/fd"))  # one of them is the listing itself
    for shown in (dict(os.environ), sys.stdin.read(), descriptors, os.getsid(0) == os.getpid()):
        put(2, json.dumps(shown) + "\n")
    put(1, results())


def main():
    if "--version" in sys.argv:
        if "--output-json" in sys.argv:
            put(1, json.dumps({"verus": {"version": VERSION, "toolchain": "1.95.0"}}))
        else:
            put(1, f"Verus\n  Version: {VERSION}\n  Toolchain: 1.95.0\n")
        return 0
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            first = file.readline()
    except OSError:
        put(2, f"error: couldn't read `{sys.argv[1]}`: No such file or directory (os error 2)\n")
        return 1
    given = json.loads(first.partition("standin:")[2]) if "standin:" in first else {}
    if "ledger" in given:
        fd = os.open(given["ledger"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        put(fd, f"{given.get('name', '')}\n")
        os.close(fd)
    time.sleep(given.get("delay", 0))
    doing = {f.__name__: f for f in DOINGS}[given.get("do", "verified")]
    return doing(given) or 0


DOINGS = (
    verified,
    proof_failure,
    compile_error,
    hangs,
    ignores_signals,
    forks,
    floods,
    eats_memory,
    dies,
    half_json,
    writes_outside,
    writes_much,
    exits_late,
    prints,
    shows_environment,
)

if __name__ == "__main__":
    sys.exit(main())
