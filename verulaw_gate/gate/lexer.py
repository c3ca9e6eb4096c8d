"""Rust tokens, whole or in chunks: the one reading of a text that every rule shares.

The lexical grammar is that of the Rust Reference ("Tokens", "Comments", "Whitespace"), with
Verus's own operators. tree-sitter-rust is not used for this: its error recovery reads the inside
of an unterminated comment or string as code, and it cannot be fed in chunks without reading all
again. It is the second reading (`second_reading`) that a predictive finding has to survive, and
the oracle that tests hold this lexer against.

Any text lexes: what is no token of Rust (a backtick, a lone quote) is one punctuation character.
"""

from __future__ import annotations

import re
from enum import IntEnum


class Kind(IntEnum):
    """What a token is. Keywords are words; brackets are OPEN and CLOSE; `>` always stands alone,
    so that `>>` closes two generics or shifts, whichever it is."""

    WORD = 1
    NUMBER = 2
    STRING = 3
    CHAR = 4
    LIFETIME = 5
    PUNCT = 6
    OPEN = 7
    CLOSE = 8


PAIRS = {"(": ")", "[": "]", "{": "}"}

# A letter of an identifier: Python's \w knows no combining marks, XID_Continue does (those that
# letters of living scripts are composed with).
_W = r"[\w\u0300-\u036f\u0591-\u05bd\u064b-\u065f\u093c-\u094d\u3099\u309a]"
# Rust's white space is Pattern_White_Space; Python's \s is another set.
_WHITE = "\t\n\x0b\x0c\r \x85\u200e\u200f\u2028\u2029"
_CODE = re.compile(
    rf"[{_WHITE}]*(?:"
    rf"((?:r\#)?[^\W\d]{_W}*(?!{_W}|[\"'\#]))"  # 1 a word with nothing special behind it
    r"|(0[xob]\w*|\d\w*(?:\.(?!\.|[^\W\d])(?:\d\w*)?)?(?:(?<=[eE])[+-]\d\w*)?)"  # 2 number
    r'|((?:[bc]?"|[bc]?r\#*"))'  # 3 string opener
    r"|(b?'(?:\\u\{[0-9a-fA-F_]{0,12}\}|\\x[0-9a-fA-F]{0,2}|\\[^xu]|[^\\'\n\r\t])')"  # 4 char
    rf"|('(?:r\#)?[^\W\d]{_W}*)"  # 5 lifetime
    r"|(//[^\n]*|/\*)"  # 6 comment or the opener of one
    r"|([(\[{])"  # 7 opener
    r"|([)\]}])"  # 8 closer
    rf"|((?:r\#)?[^\W\d]{_W}*)"  # 9 a word before a quote or a hash
    r"|(<==>|=~~=|!~~=|&&&|\|\|\||===|!==|==>|<==|=~=|!~=|&&|\|\||==|!=|<=|=>|->|::|\.\.=|\.\.\."
    rf"|\.\.|\+=|-=|\*=|/=|%=|\^=|&=|\|=|[^{_WHITE}])"  # 10 operator or any character
    r")",
)
_ADJUST = (0, 1, 2, 3, 4, 5, 0, 7, 8, 1, 6)
_STRING_REST = re.compile(r'(?:[^"\\]+|\\.)*', re.DOTALL)
_BLOCK_EDGE = re.compile(r"/\*|\*/")
_SHEBANG = re.compile(rf"#!(?![{_WHITE}]*\[)[^\n]*")

# A token is settled once this many characters are known behind it: the longest operator has four.
_MARGIN = 3
# The longest character literal; a quote is a lone one when this much behind it makes none.
_LONGEST_CHAR = 20


class Tokens:
    """Code tokens of a text as parallel lists.

    `partner[i]` is the index of the matching bracket, -1 for other tokens and for brackets without
    one. `stray` lists unmatched brackets as (index, index of the opener it disagrees with or -1);
    `open` the openers still open. `comments` are offsets [start, end). `unterminated` is the
    start and kind ("string", "comment") of a literal without its end.
    """

    __slots__ = (
        "comments",
        "ends",
        "kinds",
        "open",
        "partner",
        "starts",
        "stray",
        "texts",
        "unterminated",
    )

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.kinds: list[int] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.partner: list[int] = []
        self.stray: list[tuple[int, int]] = []
        self.open: list[int] = []
        self.comments: list[tuple[int, int]] = []
        self.unterminated: tuple[int, str] | None = None

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def balanced(self) -> bool:
        """Every bracket has its partner."""
        return not self.stray and not self.open


def lex(text: str) -> Tokens:
    """All tokens of a text."""
    lexer = Lexer(file=True)
    lexer.feed(text)
    lexer.finish()
    return lexer.tokens


class Lexer:
    """An incremental lexer: any chunking gives the same tokens.

    `file`: the text is a whole file, so that a byte order mark and a `#!` line at its start are
    not code; it is then read at the end only.
    """

    def __init__(self, *, file: bool = False) -> None:
        self.tokens = Tokens()
        self._buffer = ""
        self._base = 0
        self._file = file
        # Inside a literal or comment: its start, what closes it, its parts so far.
        self._inside = ""
        self._start = 0
        self._depth = 0
        self._closer = ""
        self._parts: list[str] = []
        # How many brackets are open that want this closer.
        self._opened = {")": 0, "]": 0, "}": 0}

    def feed(self, text: str) -> None:
        """More text."""
        self._buffer += text
        self._run(final=False)

    def finish(self) -> None:
        """The text is complete."""
        self._run(final=True)
        if self._inside in ("string", "raw", "comment"):
            what = "comment" if self._inside == "comment" else "string"
            self.tokens.unterminated = (self._start, what)
        elif self._inside == "line":
            self.tokens.comments.append((self._start, self._base))
        self._inside = ""

    def _run(self, *, final: bool) -> None:
        at = 0
        while True:
            if self._inside:
                at = self._leave(at, final=final)
                if self._inside:
                    break
            at = self._code(at, final=final)
            if not self._inside:
                break
        self._base += at
        self._buffer = self._buffer[at:]

    def _code(self, at: int, *, final: bool) -> int:
        """Read code from `at` on, up to a literal that needs its end or what is settled."""
        text, base = self._buffer, self._base
        if self._file:
            if not final:
                return at
            at = self._preamble(text)
        tokens = self.tokens
        texts, kinds = tokens.texts, tokens.kinds
        starts, ends, partner = tokens.starts, tokens.ends, tokens.partner
        stack, opened = tokens.open, self._opened
        size = len(text)
        settled = size if final else size - _MARGIN
        foreign = not text.isascii()
        if foreign:
            from unicodedata import normalize
        for match in _CODE.finditer(text, at):
            group = match.lastindex
            if group is None:
                continue
            kind = _ADJUST[group]
            word = match[group]
            end = match.end()
            if end > settled and kind < 7 and not (kind == 6 and word in ";,`"):
                return end - len(word)
            if kind == 1 or kind == 6:
                if not final and self._unsettled(text, word, end):
                    return end - len(word)
                partner.append(-1)
            elif kind == 7:
                stack.append(len(texts))
                opened[PAIRS[word]] += 1
                partner.append(-1)
            elif kind == 8:
                self._close(word)
            elif kind == 0 or kind == 3:
                return self._enter(word, end)
            else:
                partner.append(-1)
            # Identifiers are equal when their normal forms are (Rust Reference, "Identifiers").
            texts.append(normalize("NFC", word) if foreign and kind in (1, 5) else word)
            kinds.append(kind)
            starts.append(base + end - len(word))
            ends.append(base + end)
            at = end
        return size if final else at

    def _unsettled(self, text: str, word: str, end: int) -> bool:
        """Whether more text could still make another token of this one."""
        if word == "'" or (word == "b" and text.startswith("'", end)):
            return len(text) - end < _LONGEST_CHAR
        return word in ("r", "br", "cr") and not text[end:].strip("#")

    def _preamble(self, text: str) -> int:
        self._file = False
        at = 1 if text.startswith("\ufeff") else 0
        match = _SHEBANG.match(text, at)
        return match.end() if match else at

    def _close(self, word: str) -> None:
        tokens = self.tokens
        here = len(tokens.texts)
        stack = tokens.open
        tokens.partner.append(-1)
        if not stack:
            tokens.stray.append((here, -1))
        elif PAIRS[tokens.texts[stack[-1]]] == word:
            there = stack.pop()
            self._opened[word] -= 1
            tokens.partner[there] = here
            tokens.partner[here] = there
        else:
            tokens.stray.append((here, stack[-1]))
            if not self._opened[word]:
                return
            # Give up the openers inside when an outer one fits: one slip, one finding.
            while (there := stack.pop()) >= 0:
                self._opened[PAIRS[tokens.texts[there]]] -= 1
                if PAIRS[tokens.texts[there]] == word:
                    break
            tokens.partner[there] = here
            tokens.partner[here] = there

    def _enter(self, word: str, end: int) -> int:
        """Step into a string or comment whose opener has just been read."""
        self._start = self._base + end - len(word)
        self._parts = [word]
        if word.startswith("//"):
            self._inside = "line"
        elif word == "/*":
            self._inside, self._depth = "comment", 1
        elif "r" in word:
            self._inside, self._closer = "raw", '"' + "#" * word.count("#")
        else:
            self._inside = "string"
        return end

    def _leave(self, at: int, *, final: bool) -> int:
        """Look for the end of the open literal or comment from `at` on. Keeps what it could not
        decide; drops what it has passed."""
        text = self._buffer
        if self._inside == "line":
            end = text.find("\n", at)
            if end < 0:
                return len(text)
            self._done_comment(end)
            return end
        if self._inside == "comment":
            return self._leave_comment(text, at)
        if self._inside == "raw":
            end = text.find(self._closer, at)
            stop = end + len(self._closer) if end >= 0 else len(text) - len(self._closer) + 1
            stop = max(stop, at)
            self._parts.append(text[at:stop])
            if end >= 0:
                self._done_string(stop)
            return stop
        match = _STRING_REST.match(text, at)
        stop = match.end() if match else at
        closed = stop < len(text) and text[stop] == '"'
        stop += closed
        self._parts.append(text[at:stop])
        if closed:
            self._done_string(stop)
        return stop

    def _leave_comment(self, text: str, at: int) -> int:
        for match in _BLOCK_EDGE.finditer(text, at):
            at = match.end()
            self._depth += 1 if match[0] == "/*" else -1
            if self._depth == 0:
                self._done_comment(at)
                return at
        # A `/` or `*` at the end may be half of an edge.
        return max(at, len(text) - (text[-1:] in ("/", "*")))

    def _done_comment(self, end: int) -> None:
        self.tokens.comments.append((self._start, self._base + end))
        self._inside = ""

    def _done_string(self, end: int) -> None:
        tokens = self.tokens
        tokens.texts.append("".join(self._parts))
        tokens.kinds.append(Kind.STRING)
        tokens.starts.append(self._start)
        tokens.ends.append(self._base + end)
        tokens.partner.append(-1)
        self._inside = ""
        self._parts = []
