"""Run the properties of the reader, the splitter and the monitor for a long time.

`make fuzz`, or `python scripts/fuzz.py --minutes 20`. Prints the executions of each property and
every finding; exit code 1 when there was one. Not part of CI: a short run is (the test suite).
"""

from __future__ import annotations

import argparse
import functools
import random
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from hypothesis import HealthCheck, Phase, seed, settings

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# The tests take their settings from the profile that is loaded when they are imported.
settings.register_profile(
    "long",
    max_examples=1_000,
    deadline=None,
    database=None,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("long")

from tests.monitor import test_invariants, test_splitter  # noqa: E402
from tests.protocol import test_automaton, test_reader  # noqa: E402

PROPERTIES: tuple[Callable[..., None], ...] = (
    test_reader.test_reading_is_total_and_places_are_in_the_text,
    test_reader.test_what_is_written_is_read_back,
    test_splitter.test_any_chunking_gives_the_leftmost_longest_markers,
    test_splitter.test_what_was_said_is_never_taken_back,
    test_invariants.test_chunking_changes_nothing,
    test_invariants.test_completed_steps_never_change,
    test_invariants.test_steps_are_the_beginning_of_the_input,
    test_invariants.test_nothing_past_the_violation_is_in_a_step,
    test_invariants.test_the_correction_is_viable,
    test_invariants.test_resuming_is_as_if_the_rest_had_never_been,
    test_invariants.test_agrees_with_a_naive_whole_text_monitor,
    test_invariants.test_bytes_are_the_same_text,
    test_invariants.test_a_bad_byte_is_the_first_violation_or_comes_too_late,
    test_invariants.test_dialogues_do_not_depend_on_chunks_and_offsets_are_those_of_the_trace,
    test_automaton.test_agrees_with_the_reference_meaning,
    test_automaton.test_agrees_with_re,
    test_automaton.test_reading_the_text_gives_the_same_automaton,
    test_automaton.test_equal_languages_have_equal_tables,
)


def counted(test: Callable[..., None], counts: dict[str, int]) -> Callable[..., None]:
    """The property with its executions counted under its name."""
    inner = test.hypothesis.inner_test  # type: ignore[attr-defined]

    @functools.wraps(inner)
    def counting(*args: object, **kwargs: object) -> None:
        counts[test.__name__] += 1
        inner(*args, **kwargs)

    test.hypothesis.inner_test = counting  # type: ignore[attr-defined]
    return test


def main() -> int:
    """Fuzz until the time is up."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=None, help="repeat an earlier run")
    args = parser.parse_args()
    start = args.seed if args.seed is not None else random.SystemRandom().randrange(10**9)
    counts = dict.fromkeys((test.__name__ for test in PROPERTIES), 0)
    tests = [counted(test, counts) for test in PROPERTIES]
    findings: dict[str, str] = {}
    begun = time.monotonic()
    rounds = 0
    print(f"seed {start}", flush=True)
    while time.monotonic() - begun < args.minutes * 60:
        for test in tests:
            if test.__name__ in findings or time.monotonic() - begun >= args.minutes * 60:
                continue
            try:
                seed(start + rounds)(test)()
            except Exception:  # noqa: BLE001  whatever a property raises is the finding
                findings[test.__name__] = traceback.format_exc()
                print(f"FINDING in {test.__name__}\n{findings[test.__name__]}", flush=True)
        rounds += 1
    minutes = (time.monotonic() - begun) / 60
    for name, count in counts.items():
        print(f"{count:>10,}  {name}")
    total = sum(counts.values())
    print(f"{total:>10,}  executions in {minutes:.1f} minutes; {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
