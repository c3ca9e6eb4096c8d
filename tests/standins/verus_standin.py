#!/usr/bin/env python3
"""A stand-in for tests, not Verus: says what it was called with and then does as it is told.

STANDIN_LOG names a file that gets one JSON line a call: arguments, pid, what its streams are.
STANDIN_EXIT: exit code. STANDIN_DIE: number of a signal to end itself with. STANDIN_WAIT: write
"ready" to stdout and wait for a signal, which is named on stdout; then exit with 40 + its number.
STANDIN_OUT, STANDIN_ERR: files whose contents it prints on stdout and stderr.
"""

import json
import os
import signal
import sys
import time

streams = [[os.fstat(fd).st_dev, os.fstat(fd).st_ino] for fd in (0, 1, 2)]
if "STANDIN_LOG" in os.environ:
    with open(os.environ["STANDIN_LOG"], "a") as log:
        call = {"argv": sys.argv[1:], "pid": os.getpid(), "ppid": os.getppid(), "streams": streams}
        log.write(json.dumps(call) + "\n")
for name, stream in (("STANDIN_OUT", sys.stdout), ("STANDIN_ERR", sys.stderr)):
    if name in os.environ:
        with open(os.environ[name]) as text:
            stream.write(text.read())
        stream.flush()
if "STANDIN_ECHO" in os.environ:
    sys.stdout.write(sys.stdin.read())
    sys.stderr.write("standin: done\n")
    sys.stdout.flush()
if "STANDIN_WAIT" in os.environ:

    def told(number, _frame):
        print(signal.Signals(number).name, flush=True)
        sys.exit(40 + number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1):
        signal.signal(number, told)
    print("ready", flush=True)
    time.sleep(60)
if "STANDIN_DIE" in os.environ:
    number = int(os.environ["STANDIN_DIE"])
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
sys.exit(int(os.environ.get("STANDIN_EXIT", "0")))
