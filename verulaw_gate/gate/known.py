"""When two candidates are the same: equal up to comments and white space outside strings."""

from __future__ import annotations

from verulaw_gate.gate.lexer import Kind, Tokens, lex


def normal_form(source: str) -> str:
    """The code tokens of a source with one space between, two operator characters that touch
    kept together (`& &x` is not `&&x`). Equal normal forms are the same program to Verus."""
    return _joined(lex(source))


def normal_hash(source: str) -> str:
    """sha256 (hex) of the normal form: the key of known results."""
    return hash_of(lex(source))


def hash_of(tokens: Tokens) -> str:
    """`normal_hash` of a text that has been read already."""
    from hashlib import sha256  # OpenSSL: `check` starts faster without

    return sha256(_joined(tokens).encode("utf-8", "surrogatepass")).hexdigest()


def _joined(tokens: Tokens) -> str:
    parts: list[str] = []
    end = -1
    punct = False
    for text, kind, start, stop in zip(
        tokens.texts, tokens.kinds, tokens.starts, tokens.ends, strict=True
    ):
        operator = kind == Kind.PUNCT and text not in (",", ";")
        if not (operator and punct and start == end):
            parts.append(" ")
        parts.append(text)
        punct, end = operator, stop
    if tokens.unterminated is not None:
        # Nothing behind it was read: no source whose literals all end is the same.
        parts.append(f" <unterminated {tokens.unterminated[1]}>")
    return "".join(parts).removeprefix(" ")
