"""Text as endpoints send it: JSON can carry halves of surrogate pairs, which have no UTF-8 form."""

from __future__ import annotations


def clean(text: str) -> str:
    """`text` with surrogate pairs joined and lone halves replaced by U+FFFD."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def split_pair(text: str) -> tuple[str, str]:
    """`text` without a first half of a pair at its very end, and that half (or nothing): its
    partner may come with the next piece."""
    if text and 0xD800 <= ord(text[-1]) <= 0xDBFF:
        return text[:-1], text[-1]
    return text, ""


def visible(text: str) -> str:
    """`text` with characters that do not print (controls, bidirectional marks, invisible ones)
    written as escapes; line ends stay."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else f"\\u{{{ord(c):x}}}" for c in text)
