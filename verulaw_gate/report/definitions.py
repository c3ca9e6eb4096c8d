"""The terms that reports use, printed with every report."""

from __future__ import annotations

DEFINITIONS: tuple[tuple[str, str], ...] = (
    (
        "generation",
        "one model answer; an HTTP retry or the continuation of a prefix is not a new one",
    ),
    (
        "candidate",
        "the file that a named extractor makes of a generation (strict: from a conforming trace; "
        "lenient-sections: cuts what it can at the section markers; as-recorded: the log's file)",
    ),
    (
        "filed under",
        "one place a generation: the first family, in the order protocol, structure, syntax, "
        "static, integrity, trust, known, among its rejecting findings; else accepted",
    ),
    (
        "predictive",
        "structure, syntax or static: a claim that Verus's front end refuses the file",
    ),
    (
        "protocol rejection",
        "the text broke its declared protocol; conformance only, whether it forecasts a Verus "
        "failure is measured and never presumed",
    ),
    ("front-end failure", "Verus's outcome compile-error: syntax, names, types, modes"),
    ("proof failure", "Verus's outcome proof-failure or rlimit: the front end passed"),
    ("verified", "Verus's outcome verified under the options of the run"),
    (
        "undecided",
        "timeout, crash, tool error, not verified, or tries that differ (unstable): in no rate",
    ),
    ("no result", "Verus was not run and no result is recorded: in no rate, and never 0"),
    ("decided", "front-end failure, proof failure or verified"),
    (
        "false confidence",
        "failed in Verus, of what monitor and gate accepted and Verus decided",
    ),
    (
        "false reject",
        "a file with a rejecting predictive finding whose front end passed, wherever it is filed; "
        "of the judged files whose front end passed",
    ),
    (
        "cheat",
        "Verus verified it and the frozen judge refuses it: the strict verdict (--no-cheating) "
        "fails or the specification changed; the judge is not the rule set under test",
    ),
    (
        "honest success",
        "the target is proved under the options of the run, the strict verdict verified and the "
        "specification unchanged",
    ),
    (
        "execution, reuse",
        "a Verus request is an execution when Verus ran, a reuse when a result was there already",
    ),
    (
        "no data",
        "the denominator is 0 or nothing was measured; it is never written as 0",
    ),
    (
        "[low, high]",
        "95 % interval: Wilson for a share k/n, bootstrap by task for means and differences over "
        "all attempts, Newcombe for differences of independent shares",
    ),
    (
        "restricted mean",
        "mean cost to the first honest success, each episode cut at the budget; one without an "
        "honest success counts as the whole budget, whichever stated budget ended it",
    ),
)
