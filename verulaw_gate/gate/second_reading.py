"""The second reading: what tree-sitter-rust makes of the same text.

A predictive finding about brackets or literals must survive it. tree-sitter-rust keeps brackets
balanced inside a macro's tokens too, so a text that is truly unbalanced never parses without an
ERROR or MISSING node. The other way round says nothing: it has no `=~=` and gives ERROR nodes in
legal Verus code, so an ERROR node alone is never a finding.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Parser


@cache
def language() -> Language:
    """The Rust grammar."""
    import tree_sitter
    import tree_sitter_rust

    return tree_sitter.Language(tree_sitter_rust.language())


def parser() -> Parser:
    """A new parser; one is not shared between threads."""
    import tree_sitter

    return tree_sitter.Parser(language())


def parses_cleanly(text: str) -> bool:
    """Whether tree-sitter-rust reads the text without any ERROR or MISSING node."""
    # A lone surrogate has no UTF-8; what stands in its place changes no bracket.
    return not parser().parse(text.encode("utf-8", "replace")).root_node.has_error
