"""The rules, one small module a family. `RULES` is all of them, in the order of the table."""

from verulaw_gate.gate import protocol_findings
from verulaw_gate.gate.rule import Rule, RuleDoc
from verulaw_gate.gate.rules import (
    characters,
    executable,
    requires,
    sections,
    shadowing,
    specification,
    static,
    structure,
    trust_attributes,
    trust_items,
    trust_words,
)

RULES: tuple[Rule, ...] = (
    structure.RULE,
    sections.RULE,
    *static.RULES,
    specification.RULE,
    shadowing.RULE,
    executable.RULE,
    trust_words.RULE,
    trust_attributes.RULE,
    trust_items.RULE,
    characters.RULE,
    requires.RULE,
)

KNOWN_DOC = RuleDoc(
    "A candidate that is equal, up to comments and white space outside strings, to one that "
    "already has a result.",
    "The result is the same; sending it again costs a call and tells nothing.",
    "the same proof with another comment",
    "Change the proof.",
)


def rule_docs() -> dict[str, RuleDoc]:
    """The documentation of every code that can be reported, in the order of the codes."""
    found = dict(protocol_findings.DOCS)
    found.update({code: doc for rule in RULES for code, doc in rule.docs.items()})
    found["VG501"] = KNOWN_DOC
    return dict(sorted(found.items()))
