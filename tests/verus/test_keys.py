"""Keys of results: the order of flags is no part of them, everything else is."""

from __future__ import annotations

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from verulaw_gate.verus.keys import normal_args, options_key, result_key, source_sha256
from verulaw_gate.verus.model import RECORDED_OPTIONS, STRICT_OPTIONS, VerusOptions

FLAGS = st.sampled_from(
    [("--no-cheating",), ("--rlimit", "10"), ("--rlimit=20",), ("--output-json",), ("-V", "a")]
)


@given(st.permutations(["--output-json", "--error-format=json", "--no-cheating"]))
def test_the_order_of_flags_does_not_count(args):
    assert options_key(VerusOptions(tuple(args))) == options_key(STRICT_OPTIONS)


@given(st.lists(FLAGS, max_size=5), st.randoms())
def test_flags_keep_their_values_and_repeats_their_order(units, dice):
    by_flag: dict = {}
    for unit in units:
        by_flag.setdefault(unit[0].partition("=")[0], []).append(unit)
    shuffled: list = []
    queues = {flag: list(group) for flag, group in by_flag.items()}
    while queues:  # any interleaving that keeps the order of each flag's repeats
        flag = dice.choice(sorted(queues))
        shuffled.append(queues[flag].pop(0))
        if not queues[flag]:
            del queues[flag]
    flat = [part for unit in units for part in unit]
    assert normal_args([p for u in shuffled for p in u]) == normal_args(flat)


def test_what_is_and_what_is_not_one_set_of_options():
    def same(a, b):
        return normal_args(a.split()) == normal_args(b.split())

    assert same("--rlimit 10", "--rlimit=10")
    assert not same("--rlimit 10", "--rlimit 20")
    assert not same("--rlimit 10 --x 20", "--rlimit 20 --x 10")
    assert not same("-V a -V b", "-V b -V a")
    assert options_key(RECORDED_OPTIONS) != options_key(STRICT_OPTIONS)


def test_the_source_key_is_the_sha256_of_its_bytes():
    text = "fn é() {}\r\n"
    assert source_sha256(text) == hashlib.sha256(text.encode()).hexdigest()
    assert source_sha256(text.encode()) == source_sha256(text)
    assert result_key(text, RECORDED_OPTIONS) != result_key(text + "\n", RECORDED_OPTIONS)
