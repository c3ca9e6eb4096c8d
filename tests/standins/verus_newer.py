#!/usr/bin/env python3
"""A stand-in for tests, not Verus: a made-up later version that no longer asks a loop for a
decreases clause, and refuses only a file that holds the word `refuse_me`. It answers in Verus's
format."""

import json
import sys

VERSION = {"version": "0.2031.02.03.standin", "platform": {"os": "linux"}, "toolchain": "none"}
arguments = sys.argv[1:]
if "--version" in arguments:
    print(json.dumps({"verus": VERSION}) if "--output-json" in arguments else "Version: standin")
    sys.exit(0)
path = next(a for a in arguments if a.endswith(".rs"))
with open(path) as file:
    lines = file.read().split("\n")
line = next((n for n, text in enumerate(lines, 1) if "refuse_me" in text), None)
results = {
    "encountered-error": line is not None,
    "encountered-vir-error": line is not None,
    "success": line is None,
}
if line is None:
    results |= {"verified": 1, "errors": 0, "is-verifying-entire-crate": True}
else:
    span = {
        "file_name": path, "byte_start": 0, "byte_end": 1, "line_start": line, "line_end": line,
        "column_start": 1, "column_end": 2, "is_primary": True, "text": [], "label": None,
    }  # fmt: skip
    message = "The Verus types 'nat' and 'int' can only be used in ghost code (stand-in)"
    row = {
        "$message_type": "diagnostic", "message": message, "code": None, "level": "error",
        "spans": [span], "children": [], "rendered": message,
    }  # fmt: skip
    print(json.dumps(row), file=sys.stderr)
print(json.dumps({"func-details": {}, "verification-results": results, "verus": VERSION}))
sys.exit(0 if line is None else 1)
