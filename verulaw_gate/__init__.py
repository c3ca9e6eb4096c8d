"""verulaw_gate: hold an LLM's proof text to a protocol, and gate its Verus calls."""

__version__ = "0.1.0"
