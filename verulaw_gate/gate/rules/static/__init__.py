"""Rules over the facts of the native layer: what Verus's front end refuses for certain.

All of them are predictive: a file that they reject and Verus accepts, or whose proof merely
fails, is a bug of the rule. So each stays silent wherever it would have to guess: behind `cfg`,
inside macros, in bodies with items of their own, for names that imports or macros may give
another meaning.
"""

from __future__ import annotations

from verulaw_gate.gate.rule import Rule
from verulaw_gate.gate.rules.static import (
    vg201_syntax,
    vg251_loop_decreases,
    vg252_recursion,
    vg253_mut_ref,
    vg254_mode,
    vg255_ghost_type,
    vg256_duplicate,
    vg257_unresolved,
    vg258_unsupported,
    vg259_trigger,
    vg260_types,
    vg261_method,
)

RULES: tuple[Rule, ...] = (
    vg201_syntax.RULE,
    vg251_loop_decreases.RULE,
    vg252_recursion.RULE,
    vg253_mut_ref.RULE,
    vg254_mode.RULE,
    vg255_ghost_type.RULE,
    vg256_duplicate.RULE,
    vg257_unresolved.RULE,
    vg258_unsupported.RULE,
    vg259_trigger.RULE,
    vg260_types.RULE,
    vg261_method.RULE,
)
