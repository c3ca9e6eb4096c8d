"""The functions of a source text: where they are, and whether Verus proves anything of them.

A scanner over tokens, not a parser: the inside of `verus!{}` is no Rust, and the answer is needed
for files that do not parse. Comments, strings, chars and raw identifiers never mislead it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from verulaw_gate.spans import LineIndex

_TOKEN = re.compile(
    r"""
    \s*+(?:
    (?P<plain>(?:r\#)?[^\W\d]\w*+(?!["'\#]))
  | (?P<line>//[^\n]*)
  | (?P<block>/\*)
  | (?P<raw>\b(?:b|c)?r(?P<hashes>\#*)")
  | (?P<string>(?:\b[bc])?"(?:[^"\\]|\\.)*(?:"|\\?\Z))
  | (?P<char>\bb?'(?:[^'\\\n]|\\[^\n]{1,10}?)'|'(?:[^'\\\n]|\\(?:u\{[0-9a-fA-F_]+\}|x..|[^\n]))')
  | (?P<life>'[A-Za-z_]\w*)
  | (?P<word>(?:r\#)?[^\W\d]\w*)
  | (?P<number>\d\w*)
  | (?P<mark>[^\s\w])
    )
    """,
    re.VERBOSE | re.DOTALL,
)
_BLOCK_EDGE = re.compile(r"/\*|\*/")
_OPEN, _CLOSE = "{([", "})]"
# Words that begin an item: behind one of them a function before it is over.
_ITEM = frozenset(
    {"fn", "struct", "enum", "impl", "trait", "mod", "const", "static", "use", "type", "pub"}
    | {"extern", "macro_rules"}
)
# Words that do so only before one of these: they are no keywords of Rust.
_ITEM_PAIRS = {
    "broadcast": frozenset({"use", "proof", "axiom", "group"}),
    "global": frozenset({"size_of", "layout"}),
}
_NAMED = frozenset({"impl", "mod", "trait"})  # their names are part of their functions' paths
_MACROS = frozenset({"verus", "verus_", "verus_proof_macro_exprs"})
# Every text that means more than a word in a header.
_STEPS = _ITEM | frozenset(_ITEM_PAIRS) | _MACROS | frozenset("#;" + _OPEN + _CLOSE)
_TRUSTED = frozenset({"external_body", "external", "external_fn_specification"})
_VERIFIER = frozenset({"verifier", "verus_verify", "verus_spec"})


@dataclass(frozen=True, slots=True)
class FunctionPlace:
    """One `fn`. Lines from 1. `inside_verus`: within a `verus!{}` (or the like) or under a
    verifier attribute. `has_body`: a block follows the signature. `trusted`: it, or what encloses
    it, is marked so that Verus does not check the body (external_body, external, ...). `modules`
    are the modules around it, `owner` the type of its `impl`, its trait or the function around
    it ("" at the top of a module)."""

    name: str
    mode: str
    first_line: int
    last_line: int
    inside_verus: bool
    has_body: bool
    trusted: bool
    modules: tuple[str, ...] = ()
    owner: str = ""

    @property
    def path(self) -> tuple[str, ...]:
        """Modules, owner where there is one, name."""
        return (*self.modules, *([self.owner] if self.owner else ()), self.name)


@dataclass(slots=True)
class _Scope:
    verus: bool
    trusted: bool
    modules: tuple[str, ...] = ()
    owner: str = ""


def _tokens(source: str) -> tuple[list[str], list[int]]:
    """The words and marks of the code, and where each begins."""
    texts: list[str] = []
    starts: list[int] = []
    position, size = 0, len(source)
    while position < size:
        for match in _TOKEN.finditer(source, position):
            kind = match.lastgroup
            if kind == "plain" or kind == "mark" or kind == "word":
                texts.append(match[kind])
                starts.append(match.start(kind))
            elif kind == "block":
                position = _block_end(source, match.end())
                break
            elif kind == "raw":
                end = match.end()
                close = source.find('"' + match["hashes"], end)
                position = size if close < 0 else close + 1 + len(match["hashes"])
                break
        else:
            break
    return texts, starts


def _block_end(source: str, position: int) -> int:
    depth = 1
    while depth:
        edge = _BLOCK_EDGE.search(source, position)
        if edge is None:
            return len(source)
        depth += 1 if edge[0] == "/*" else -1
        position = edge.end()
    return position


def functions(source: str) -> tuple[FunctionPlace, ...]:
    """The functions of `source` in order of their first line. Never fails: an unbalanced file
    gives what can be seen of it."""
    return _Scanner(source).run()


class _Scanner:
    """One pass with a stack of open brackets; each open bracket knows what encloses it."""

    def __init__(self, source: str) -> None:
        self.texts, self.starts = _tokens(source)
        self.lines = LineIndex(source)
        self.found: list[FunctionPlace] = []
        self.open: list[tuple[int, int]] = []  # (index into found, depth of the item)
        self.scopes: list[_Scope] = [_Scope(verus=False, trusted=False)]
        self.attributes: set[str] = set()
        self.header: set[str] = set()  # words since the last item boundary: `proof`, `impl`, ...
        self.item = 0  # index of the `impl`, `mod` or `trait` in it
        self.macro = False

    def run(self) -> tuple[FunctionPlace, ...]:
        index = 0
        while index < len(self.texts):
            index = self._step(index)
        last = self._line(-1) if self.texts else 1
        while self.open:
            self._close_function(last)
        return tuple(self.found)

    def _step(self, index: int) -> int:
        text = self.texts[index]
        if text not in _STEPS:
            self.header.add(text)
            return index + 1
        if text == "#" and self._text(index + 1) in ("[", "!"):
            return self._attribute(index)
        if text in _ITEM or self._text(index + 1) in _ITEM_PAIRS.get(text, ()):
            self._end_before()
        if text in _NAMED and not self.header & _NAMED:
            self.item = index
        if text == "fn" and self._is_name(index + 1):
            self._function(index)
            return index + 2
        if text in _MACROS and self._text(index + 1) == "!":
            self.macro = True
        elif text in _OPEN:
            self._push(index)
        elif text in _CLOSE:
            self._pop(text, self._line(index))
        elif text == ";":
            self._semicolon(self._line(index))
        else:
            self.header.add(text)
        return index + 1

    def _text(self, index: int) -> str:
        return self.texts[index] if index < len(self.texts) else ""

    def _line(self, index: int) -> int:
        return self.lines.position(self.starts[index])[0]

    def _is_name(self, index: int) -> bool:
        text = self._text(index)
        return bool(text) and (text[0].isalpha() or text[0] == "_")

    def _attribute(self, index: int) -> int:
        """Collect the words of `#[...]` (an inner `#![...]` marks what encloses it)."""
        inner = self._text(index + 1) == "!"
        index += 3 if inner else 2
        depth, words = 1, set()
        while index < len(self.texts) and depth:
            text = self.texts[index]
            depth += (text in _OPEN) - (text in _CLOSE)
            words.add(text)
            index += 1
        if not inner:
            self.attributes |= words
        elif _marks_trust(words):
            self.scopes[-1].trusted = True
            if self.open and self.open[-1][1] == len(self.scopes) - 1:
                place = self.open[-1][0]
                self.found[place] = replace(self.found[place], trusted=True)
        return index

    def _function(self, index: int) -> None:
        scope = self.scopes[-1]
        modes = self.header & {"spec", "proof", "exec", "axiom"}
        mode = next(iter(sorted(modes)), "exec")
        name = self._text(index + 1).removeprefix("r#")
        trusted = scope.trusted or mode == "axiom" or _marks_trust(self.attributes)
        verus = scope.verus or bool(self.attributes & _VERIFIER)
        line = self._line(index)
        self.open.append((len(self.found), len(self.scopes)))
        self.found.append(
            FunctionPlace(
                name,
                mode,
                line,
                line,
                verus,
                has_body=False,
                trusted=trusted,
                modules=scope.modules,
                owner=scope.owner,
            )
        )
        self.attributes, self.header = set(), set()

    def _push(self, index: int) -> None:
        text, above = self.texts[index], self.scopes[-1]
        item = text == "{" and bool(self.header & _NAMED)
        marked = item and _marks_trust(self.attributes)
        modules, owner = above.modules, above.owner
        if text == "{" and self.open and self.open[-1][1] == len(self.scopes):
            place = self.open[-1][0]
            self.found[place] = replace(self.found[place], has_body=True)
            owner = self.found[place].name
        elif item:
            modules, owner = self._named(index, above)
        self.scopes.append(
            _Scope(above.verus or self.macro, above.trusted or marked, modules, owner)
        )
        self.macro = False
        if text == "{":
            self.attributes, self.header = set(), set()

    def _named(self, index: int, above: _Scope) -> tuple[tuple[str, ...], str]:
        """Modules and owner inside the block of an `impl`, `mod` or `trait` that opens here."""
        words = self.texts[self.item : index]
        if words[0] == "mod":
            return (*above.modules, *words[1:2]), ""
        if words[0] == "trait":
            return above.modules, words[1] if len(words) > 1 else ""
        return above.modules, _self_type(words[1:])

    def _pop(self, text: str, line: int) -> None:
        while self.open and self.open[-1][1] >= len(self.scopes):
            place = self.found[self.open[-1][0]]
            self._close_function(place.last_line if place.has_body else line)
        if len(self.scopes) > 1:
            self.scopes.pop()
        if text != "}":
            return
        if self.open and self.open[-1][1] == len(self.scopes):
            index = self.open[-1][0]
            self.found[index] = replace(self.found[index], last_line=line)
        self.header = set()

    def _semicolon(self, line: int) -> None:
        """A `;` straight behind the signature or its clauses says that there is no body (a block
        in a clause looked like one); behind other words it ends another item."""
        if self.open and self.open[-1][1] == len(self.scopes):
            index = self.open[-1][0]
            if self.found[index].has_body and self.header - {","}:
                self._close_function(self.found[index].last_line)
            else:
                self.found[index] = replace(self.found[index], has_body=False)
                self._close_function(line)
        self.attributes, self.header = set(), set()

    def _end_before(self) -> None:
        """A new item at the depth of an open function ends that function where its last block
        ended (`const fn` and `fn` in a type are not items there: nothing has been closed yet)."""
        while self.open and self.open[-1][1] == len(self.scopes):
            place = self.found[self.open[-1][0]]
            if not place.has_body:
                return
            self._close_function(place.last_line)

    def _close_function(self, line: int) -> None:
        place, _ = self.open.pop()
        if self.found[place].last_line < line:
            self.found[place] = replace(self.found[place], last_line=line)


def _marks_trust(words: set[str]) -> bool:
    return bool(words & _TRUSTED) and "verifier" in words


def _self_type(words: list[str]) -> str:
    """The name of the type in an `impl`'s header: `impl<T> a::Tr<T> for b::S<T> where ...` is S."""
    depth, name = 0, ""
    for before, word in pairwise(["", *words]):
        if word == "<":
            depth += 1
        elif word == ">":
            depth -= before not in ("-", "=")
        elif depth == 0 and word == "where":
            break
        elif depth == 0 and word == "for":
            name = ""
        elif depth == 0 and (word[0].isalpha() or word[0] == "_") and word not in ("dyn", "mut"):
            name = word
    return name.removeprefix("r#")


def function_at(places: tuple[FunctionPlace, ...], line: int) -> str | None:
    """The innermost function whose lines hold `line`, None where there is none."""
    holding = [p for p in places if p.first_line <= line <= p.last_line]
    return holding[-1].name if holding else None
