"""The code table: complete, consistent, and what a rejection is counted under."""

import itertools
import re

from verulaw_gate.codes import BY_NAME, CODES, FAMILY_ORDER, PREDICTIVE, Family, Severity
from verulaw_gate.findings import Finding, counted_family

# The hundreds digit of a code is its family; 2 is shared: 201 is syntax, 25x and up static.
HUNDREDS = {"0": "protocol", "1": "structure", "3": "trust", "4": "integrity", "5": "known"}


def test_family_follows_from_the_number() -> None:
    for code, row in CODES.items():
        assert re.fullmatch(r"VG\d{3}", code)
        number = code[2:]
        if number[0] == "2":
            assert row.family is (Family.SYNTAX if number == "201" else Family.STATIC)
        else:
            assert row.family == HUNDREDS[number[0]]


def test_names_are_unique_and_kebab_case() -> None:
    assert len(BY_NAME) == len(CODES)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in BY_NAME)


def test_an_attempt_is_counted_once_under_the_first_family_that_rejects() -> None:
    one_of_each = {row.family: Finding(code, "x") for code, row in CODES.items()}
    for size in (1, 2, 3):
        for chosen in itertools.permutations(one_of_each.values(), size):
            expected = min((f.family for f in chosen), key=FAMILY_ORDER.index)
            assert counted_family(chosen) is expected


def test_warnings_do_not_count() -> None:
    warning = Finding("VG301", "x", severity=Severity.WARNING)
    assert counted_family([warning]) is None
    assert counted_family([warning, Finding("VG404", "y")]) is Family.INTEGRITY


def test_what_is_predictive() -> None:
    assert {Family.STRUCTURE, Family.SYNTAX, Family.STATIC} == PREDICTIVE
