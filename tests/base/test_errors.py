"""Errors keep their place and hint, across pickling too (workers send them home)."""

import inspect
import pickle

import pytest

from verulaw_gate import errors
from verulaw_gate.errors import ToolError, VerulawError

KINDS = [
    kind
    for _, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, VerulawError)
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_pickle_round_trip(kind: type[VerulawError]) -> None:
    error = kind("no such state", hint="add it", path="a.sexp", line=3, column=7)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert str(again) == str(error) == "a.sexp:3:7: no such state"
    assert (again.hint, again.line, again.column) == ("add it", 3, 7)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_exit_code_tells_usage_from_tools(kind: type[VerulawError]) -> None:
    assert kind.exit_code == (3 if issubclass(kind, ToolError) else 2)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_tree_in_the_docstring_names_every_kind(kind: type[VerulawError]) -> None:
    assert errors.__doc__ is not None
    assert kind.__name__ in errors.__doc__
