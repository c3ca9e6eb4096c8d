"""Dialogues written by hand from the rules, each with what the rules say of it: the kind of the
first violation, where it is, and the states that came before."""

from __future__ import annotations

import pytest

from verulaw_gate.monitor import Monitor
from verulaw_gate.protocol import load_protocol, parse_protocol

PROTOCOLS = {name: load_protocol(name) for name in ("react", "pass", "proof", "proof-loop")}
PROTOCOLS["args"] = parse_protocol("""
(define args
  (:states
    (q    (:text "[Q]")    (:flags :env-input))
    (tool (:text "[Tool]") (:one-of "Search" "Look up"))
    (args (:text "[Args]") (:content json))
    (note (:text "[Note]") (:max-chars 5))
    (res  (:text "[Res]")  (:flags :env-input))
    (end  (:text "[End]")  (:content empty)))
  (:behavior (next q (until (next tool args (or note res)) end))))
""")
PROTOCOLS["any"] = parse_protocol("""
(define any
  (:markers anywhere)
  (:states
    (a  (:text "<a>"))
    (ab (:text "<a>b"))
    (e  (:text "<e>") (:flags :env-input))
    (z  (:text "<z>") (:content empty)))
  (:behavior (next (until (or a ab e) z))))
""")
PROTOCOLS["pre"] = parse_protocol("""
(define pre
  (:states (a (:text "A")) (ab (:text "A B")) (c (:text "C")))
  (:behavior (next (until (or a ab) c))))
""")
PROTOCOLS["free"] = parse_protocol("""
(define free
  (:states
    (question (:text "[Question]"))
    (thought (:text "[Thought]"))
    (action (:text "[Action]"))
    (final-thought (:text "[Final Thought]"))
    (answer (:text "[Answer]")))
  (:behavior (next question (until (or thought action) final-thought) answer)))
""")
Q = ("p", "question", "Who?")
TASK = ("p", "task", "fn f();")
ASK = ("p", "q", "?")
ROUND = "[Thought] t\n[Action] a\n[Action Input] i\n"
SEEN = ("e", "observation", "o")
DONE = "[Final Thought] f\n[Answer] x"
VERUS = ("e", "verus", "ok")

# Name, protocol, turns (prompt, model, environment), kind, (text, which occurrence, characters
# into it) of the violation's place (None: at no turn's text), states.
DIALOGUES = [
    ("asks by marker alone", "react",
     [Q,
      ("m", ROUND + "[Observation]"),
      SEEN,
      ("m", DONE)],
     None, None,
     "question thought action action-input observation final-thought answer"),
    ("asks, blank follows", "react",
     [Q,
      ("m", ROUND + "[Observation]\n \n"),
      SEEN,
      ("m", DONE)],
     None, None,
     "question thought action action-input observation final-thought answer"),
    ("writes past it same line", "react",
     [Q,
      ("m", ROUND + "[Observation] made up\n" + DONE)],
     "environment-content-from-model", ("made up", 0, 0),
     "question thought action action-input"),
    ("writes past with marker at once", "react",
     [Q,
      ("m", ROUND + "[Observation]\n[Thought] t")],
     "environment-content-from-model", ("[Thought]", 1, 0),
     "question thought action action-input"),
    ("asks twice", "react",
     [Q,
      ("m", ROUND + "[Observation]\n[Observation]")],
     "environment-content-from-model", ("[Observation]", 1, 0),
     "question thought action action-input"),
    ("asks too early", "react",
     [Q,
      ("m", "[Thought] t\n[Observation]\n")],
     "unexpected-state", ("[Observation]", 0, 0),
     "question thought"),
    ("stop seq stripped", "react",
     [Q,
      ("m", ROUND),
      SEEN,
      ("m", DONE)],
     None, None,
     "question thought action action-input observation final-thought answer"),
    ("cut mid marker then env", "react",
     [Q,
      ("m", ROUND + "[Obser"),
      SEEN,
      ("m", DONE)],
     None, None,
     "question thought action action-input observation final-thought answer"),
    ("cut mid marker then end", "react",
     [Q,
      ("m", ROUND + "[Obser")],
     "missing-termination", None,
     "question thought action action-input"),
    ("request unanswered at the end", "react",
     [Q,
      ("m", ROUND + "[Observation]")],
     "missing-termination", None,
     "question thought action action-input"),
    ("env content with markers", "react",
     [Q,
      ("m", ROUND),
      ("e", "observation", "[Answer] 3\n[Thought]\n"),
      ("m", DONE)],
     None, None,
     "question thought action action-input observation final-thought answer"),
    ("env writes model state", "react",
     [Q,
      ("m", "[Thought] t\n"),
      ("e", "action", "a")],
     "model-content-from-environment", None,
     "question thought"),
    ("env unasked where illegal", "react",
     [Q,
      ("m", "[Thought] t\n"),
      ("e", "observation", "a")],
     "unexpected-state", None,
     "question thought"),
    ("env first", "react",
     [Q,
      ("e", "observation", "a")],
     "unexpected-state", None,
     "question"),
    ("env twice", "react",
     [Q,
      ("m", ROUND),
      SEEN,
      SEEN],
     "unexpected-state", None,
     "question thought action action-input observation"),
    ("text after env w/o marker", "react",
     [Q,
      ("m", ROUND),
      SEEN,
      ("m", "so it is\n[Final Thought] f")],
     "text-before-first-marker", ("so it is", 0, 0),
     "question thought action action-input observation"),
    ("blank after env then marker", "react",
     [Q,
      ("m", ROUND),
      SEEN,
      ("m", "\n\n  \t" + DONE)],
     None, None,
     "question thought action action-input observation final-thought answer"),
    ("text before first", "react",
     [Q,
      ("m", "Sure!\n[Thought] t")],
     "text-before-first-marker", ("Sure!", 0, 0),
     "question"),
    ("marker not at line start is content", "free",
     [Q,
      ("m", "[Thought] I use [Action] now\n" + DONE)],
     None, None,
     "question thought final-thought answer"),
    ("two model turns in a row go on", "free",
     [Q,
      ("m", "[Thought] t"),
      ("m", " more\n" + DONE)],
     None, None,
     "question thought final-thought answer"),
    ("two model turns: second begins with marker", "free",
     [Q,
      ("m", "[Thought] t"),
      ("m", DONE)],
     "unexpected-state", ("[Answer]", 0, 0),
     "question thought"),
    ("text after answer is content", "react",
     [Q,
      ("m", "[Final Thought] f\n[Answer] x\nThanks!\n")],
     None, None,
     "question final-thought answer"),
    ("marker after answer", "react",
     [Q,
      ("m", "[Final Thought] f\n[Answer] x\n[Thought] t")],
     "text-after-termination", ("[Thought]", 0, 0),
     "question final-thought answer"),
    ("env marker after answer", "react",
     [Q,
      ("m", "[Final Thought] f\n[Answer] x\n[Observation]")],
     "text-after-termination", ("[Observation]", 0, 0),
     "question final-thought answer"),
    ("env turn after answer", "react",
     [Q,
      ("m", "[Final Thought] f\n[Answer] x\n"),
      SEEN],
     "text-after-termination", None,
     "question final-thought answer"),
    ("model writes question again", "react",
     [Q,
      ("m", "[Question] q\n")],
     "unexpected-state", ("[Question]", 1, 0),
     "question"),
    ("same section twice", "react",
     [Q,
      ("m", "[Thought] a\n[Thought] b\n")],
     "unexpected-state", ("[Thought]", 1, 0),
     "question thought"),
    ("action without thought", "react",
     [Q,
      ("m", "[Action] a\n")],
     "unexpected-state", ("[Action]", 0, 0),
     "question"),
    ("pass asks", "pass",
     [Q,
      ("m", "[Thought] p\n[Action] a\n[Action Input] i\n[Summary]"),
      ("e", "summary", "s"),
      ("m", DONE)],
     None, None,
     "question plan action action-input summary final-thought answer"),
    ("pass env unasked", "pass",
     [Q,
      ("m", "[Thought] p\n[Action] a\n[Action Input] i\n"),
      ("e", "summary", "s"),
      ("m", DONE)],
     None, None,
     "question plan action action-input summary final-thought answer"),
    ("pass asks then writes", "pass",
     [Q,
      ("m", "[Thought] p\n[Action] a\n[Action Input] i\n[Summary]\ns\n")],
     "environment-content-from-model", ("\ns\n", 0, 1),
     "question plan action action-input"),
    ("pass asked but model turn goes on", "pass",
     [Q,
      ("m", "[Thought] p\n[Summary]\n"),
      ("m", "[Action] a\n")],
     "environment-content-from-model", ("[Action]", 0, 0),
     "question plan"),
    ("loop good", "proof-loop",
     [TASK,
      ("m", "[Plan] p\n[Body]\n{ }\n[Submit]\n"),
      VERUS,
      ("m", "[QED]\n")],
     None, None,
     "task plan body submit verus qed"),
    ("loop self verus", "proof-loop",
     [TASK,
      ("m", "[Body]\n{ }\n[Submit]\n[Verus]\n1 verified, 0 errors\n[QED]")],
     "environment-content-from-model", ("1 verified", 0, 0),
     "task body submit"),
    ("loop text after submit", "proof-loop",
     [TASK,
      ("m", "[Body]\n{ }\n[Submit]\nplease\n")],
     "text-before-first-marker", ("please", 0, 0),
     "task body submit"),
    ("loop qed trailing", "proof-loop",
     [TASK,
      ("m", "[Body]\n{ }\n[Submit]"),
      VERUS,
      ("m", "[QED]\nDone.")],
     "text-after-termination", ("Done.", 0, 0),
     "task body submit verus qed"),
    ("loop qed same line", "proof-loop",
     [TASK,
      ("m", "[Body]\n{ }\n[Submit]"),
      VERUS,
      ("m", "[QED] Done.")],
     "text-after-termination", ("Done.", 0, 0),
     "task body submit verus qed"),
    ("loop qed fence", "proof-loop",
     [TASK,
      ("m", "[Body]\n{ }\n[Submit]"),
      VERUS,
      ("m", "[QED]\n```\n")],
     "text-after-termination", ("```", 0, 0),
     "task body submit verus qed"),
    ("one-of ok", "args",
     [ASK,
      ("m", "[Tool]  Look up \n[Args] {}\n[Note] abc\n[End]\n")],
     None, None,
     "q tool args note end"),
    ("one-of wrong", "args",
     [ASK,
      ("m", "[Tool] Find\n[Args] {}\n")],
     "not-one-of", ("Find", 0, 0),
     "q"),
    ("one-of prefix only", "args",
     [ASK,
      ("m", "[Tool] Sea\n[Args] {}\n")],
     "not-one-of", ("[Tool]", 0, 6),
     "q"),
    ("one-of longer", "args",
     [ASK,
      ("m", "[Tool] Searching\n[Args] {}\n")],
     "not-one-of", ("ing", 0, 0),
     "q"),
    ("json wrong", "args",
     [ASK,
      ("m", "[Tool] Search\n[Args] {x: 1}\n[Note] a\n[End]")],
     "not-json", ("x: 1", 0, 0),
     "q tool"),
    ("json empty", "args",
     [ASK,
      ("m", "[Tool] Search\n[Args]\n[Note] a\n[End]")],
     "not-json", None,
     "q tool"),
    ("too long", "args",
     [ASK,
      ("m", "[Tool] Search\n[Args] {}\n[Note]  abcde f\n[End]")],
     "too-long", ("f", 0, 0),
     "q tool args"),
    ("max exactly, trailing blanks", "args",
     [ASK,
      ("m", "[Tool] Search\n[Args] {}\n[Note]  abcde \n\n[End]")],
     None, None,
     "q tool args note end"),
    ("env answers where note may be", "args",
     [ASK,
      ("m", "[Tool] Search\n[Args] {}\n"),
      ("e", "res", "r"),
      ("m", "[End]")],
     None, None,
     "q tool args res end"),
    ("anywhere mid line", "any",
     [("m", "<a>x<a>b y<z>")],
     None, None,
     "a ab z"),
    ("anywhere request", "any",
     [("m", "<a>x<e>"),
      ("e", "e", "r"),
      ("m", "<z>")],
     None, None,
     "a e z"),
    ("anywhere after env", "any",
     [("m", "<e>"),
      ("e", "e", "r<z>r"),
      ("m", "x<z>")],
     "text-before-first-marker", ("x<z>", 0, 0),
     "e"),
    ("prefix longest", "pre",
     [("m", "A B x\nA\nC c")],
     None, None,
     "ab a c"),
    ("prefix at the very end", "pre",
     [("m", "A B x\nA")],
     "missing-termination", None,
     "ab a"),
    ("prefix marker word goes on", "pre",
     [("m", "Apple\nC c")],
     None, None,
     "a c"),
    ("BOM first", "react",
     [Q,
      ("m", "\ufeff[Thought] t\n")],
     "text-before-first-marker", ("\ufeff", 0, 0),
     "question"),
    ("form feed before marker", "free",
     [Q,
      ("m", "[Thought] t\n\x0c[Action] a\n" + DONE)],
     None, None,
     "question thought final-thought answer"),
    ("lone CR no line", "free",
     [Q,
      ("m", "[Thought] t\r[Action] a\n" + DONE)],
     None, None,
     "question thought final-thought answer"),
    ("CRLF", "free",
     [Q,
      ("m", "[Thought] t\r\n[Final Thought] f\r\n[Answer] x\r\n[Action]")],
     "text-after-termination", ("[Action]", 0, 0),
     "question thought final-thought answer"),
    ("NUL content", "free",
     [Q,
      ("m", "[Thought] \x00\n" + DONE)],
     None, None,
     "question thought final-thought answer"),
    ("NUL before marker on line", "react",
     [Q,
      ("m", "\x00[Thought] t")],
     "text-before-first-marker", ("\x00", 0, 0),
     "question"),
    ("NEL / LS no line ends", "free",
     [Q,
      ("m", "[Thought] t\u2028[Action] a\x85[Action] b\n" + DONE)],
     None, None,
     "question thought final-thought answer"),
    ("nbsp before marker", "free",
     [Q,
      ("m", "[Thought] t\n\xa0[Action] a\n" + DONE)],
     None, None,
     "question thought final-thought answer"),
    ("astral", "react",
     [Q,
      ("m", "[Thought] \U0001f600\U0001f600\n[Answer] x")],
     "unexpected-state", ("[Answer]", 0, 0),
     "question thought"),
    ("zero width space before marker", "proof",
     [TASK,
      ("m", "\u200b[Body]\n{ }\n[QED]")],
     "text-before-first-marker", ("\u200b", 0, 0),
     "task"),
    ("empty", "react",
     [Q],
     "missing-termination", None,
     "question"),
    ("nothing at all", "react",
     [],
     "missing-termination", None,
     ""),
]  # fmt: skip


def play(name, turns):
    monitor, turns = Monitor(PROTOCOLS[name]), list(turns)
    prompts = [turn[1:] for turn in turns if turn[0] == "p"]
    text = monitor.begin(prompts)
    for turn in turns[len(prompts) :]:
        if turn[0] == "m":
            monitor.feed(turn[1])
            monitor.end_turn()
            text += turn[1]
        else:
            text += monitor.feed_environment(*turn[1:])
    return monitor.finish(), text


def line_and_column(text, offset):
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


@pytest.mark.parametrize(
    ("name", "turns", "kind", "place", "states"),
    [entry[1:] for entry in DIALOGUES],
    ids=[entry[0] for entry in DIALOGUES],
)
def test_what_the_rules_say(name, turns, kind, place, states):
    verdict, text = play(name, turns)
    violation = verdict.violation
    assert (None if violation is None else violation.kind) == kind
    assert " ".join(step.state for step in verdict.steps) == states
    places = [(s.start, s.line, s.column) for s in verdict.steps]
    if violation is not None:
        places.append((violation.offset, violation.line, violation.column))
        if place is not None:
            part, which, into = place
            at = -1
            for _ in range(which + 1):
                at = text.index(part, at + 1)
            assert violation.offset == at + into
    for hint in verdict.hints:
        places.append((hint.offset, hint.line, hint.column))
        assert text[hint.offset :].startswith(hint.text)
    for offset, line, column in places:
        assert (line, column) == line_and_column(text, offset)
    for step in verdict.steps:
        assert text[step.content_start : step.end] == step.content
        assert text.startswith(PROTOCOLS[name].state(step.state).text, step.start)


def hints_of(name, turns):
    return [hint.message for hint in play(name, turns)[0].hints]


def test_the_marker_that_the_monitor_writes_is_no_near_miss():
    # The stop sequence takes the line end with it; the harness writes both.
    turns = [Q, ("m", ROUND.rstrip("\n")), SEEN, ("m", DONE)]
    assert hints_of("react", turns) == []


def test_what_looks_like_a_marker_in_the_environments_words_is_told():
    turns = [Q, ("m", ROUND), ("e", "observation", "see\n[Answer] 3\n"), ("m", DONE)]
    assert hints_of("react", turns) == ["'[Answer] 3' is content here"]


@pytest.mark.parametrize("odd", ["\f", "\xa0", "\ufeff", "\u200b", "\0", "\u2003"])
def test_an_unseen_character_before_a_marker_is_told(odd):
    turns = [Q, ("m", f"[Thought] t\n{odd}[Action] a\n" + DONE)]
    (message,) = hints_of("free", turns)
    assert message == f"[Action] stands after U+{ord(odd):04X} on its line, so it is content"


@pytest.mark.parametrize("odd", ["\r", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029"])
def test_a_line_end_of_other_tools_before_a_marker_is_told(odd):
    turns = [Q, ("m", f"[Thought] t{odd}[Action] a\n" + DONE)]
    verdict, _ = play("free", turns)
    assert [s.state for s in verdict.steps] == ["question", "thought", "final-thought", "answer"]
    (hint,) = verdict.hints
    assert (hint.meant, hint.text) == ("[Action]", "[Action]")


def test_crlf_is_a_line_end_and_no_hint():
    assert hints_of("free", [Q, ("m", "[Thought] t\r\n[Action] a\r\n" + DONE)]) == []


def test_where_markers_count_anywhere_none_is_misplaced():
    assert hints_of("any", [("m", "<e>"), ("e", "e", "r\n"), ("m", "x<z>")]) == []
    assert hints_of("any", [("m", "<e>"), ("e", "e", "r<z>\n"), ("m", "<z>")]) == [
        "<z> is content here"
    ]
