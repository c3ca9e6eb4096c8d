"""Reading protocol texts: total, exact about places, and open to the authors' files."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verulaw_gate.errors import ProtocolError
from verulaw_gate.protocol import Level, compile_protocol, lint, parse_protocol
from verulaw_gate.protocol.model import ContentKind, MarkerMode, Next, Ref, Repeat
from verulaw_gate.protocol.syntax import MAX_DEPTH, Atom, Items, Malformed, Node, Text, read

GOOD = """; a comment
(define good
  (:states
    (ask (:text "[Ask]"))
    (act (:text "[Act]") (:one-of "go" "stop"))
    (obs (:text "[Obs]") (:flags :env-input))
    (end (:text "[End]") (:content empty) (:max-chars 4)))
  (:behavior (next ask (until_2_5 (next act obs) end))))
"""

WORDS = st.sampled_from(
    ["(", ")", "define", "p", ":states", ":behavior", ":text", '"[A]"', "'[B]'", "next", "or",
     "until", "until_2", "until_3_1", "until_0", "always", "a", "b", ":flags", ":env-input", "#",
     ";", '"', "'", "\\", "\n", "\r\n", " ", ":one-of", ":max-chars", "7", ":content", "json",
     ":markers", "anywhere", ":output-constrs", "é", "\x00", "\ufeff", "(" * 30]
)  # fmt: skip


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A good text with some damage."""
    text = GOOD
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        to = min(len(text), at + draw(st.integers(0, 12)))
        text = text[:at] + draw(WORDS) + text[to:]
    return text


texts = st.one_of(st.text(), st.lists(WORDS, max_size=40).map(" ".join), damaged())


@given(texts)
def test_reading_is_total_and_places_are_in_the_text(text: str) -> None:
    found = lint(text)
    for diagnostic in found:
        span = diagnostic.span
        assert 0 <= span.start <= span.end <= len(text)
        assert text[: span.start].count("\n") + 1 == span.line
        assert span.start - (text.rfind("\n", 0, span.start) + 1) + 1 == span.column
        assert diagnostic.message
        assert diagnostic.remedy
    errors = [d for d in found if d.level is Level.ERROR]
    if any(d.code != "P114" for d in errors):
        with pytest.raises(ProtocolError) as caught:
            parse_protocol(text, "file.sexp")
        assert caught.value.path == "file.sexp"
        assert (caught.value.line, caught.value.column) in [
            (d.span.line, d.span.column) for d in errors
        ]
        return
    protocol = parse_protocol(text, "file.sexp")
    if not errors:
        automaton = compile_protocol(protocol)
        assert any(automaton.accepting(q) for q in range(automaton.size))


def bare(node: Node) -> object:
    if isinstance(node, Items):
        return tuple(map(bare, node.items))
    return (type(node).__name__, node.text)


def nodes() -> st.SearchStrategy[object]:
    atom = st.from_regex(r"[a-z:_\-0-9\[\]]{1,6}", fullmatch=True).map(lambda t: ("Atom", t))
    text = st.text(max_size=6).map(lambda t: ("Text", t))
    return st.recursive(atom | text, lambda inner: st.lists(inner, max_size=4).map(tuple))


def written(tree: object, gap: str) -> str:
    assert isinstance(tree, tuple)
    if len(tree) == 2 and isinstance(tree[0], str):
        kind, text = tree
        if kind == "Atom":
            return text
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return "(" + gap + gap.join(written(part, gap) for part in tree) + gap + ")"


@given(st.lists(nodes(), max_size=3), st.sampled_from([" ", "\n", " ; note ) \n", '\t# ( " \n']))
def test_what_is_written_is_read_back(trees: list[object], gap: str) -> None:
    text = gap.join(written(tree, gap) for tree in trees)
    assert [bare(node) for node in read(text)] == trees


def test_spans_are_the_text_of_the_node() -> None:
    def check(node: Node) -> None:
        part = GOOD[node.span.start : node.span.end]
        if isinstance(node, Atom):
            assert part == node.text
        elif isinstance(node, Text):
            assert part[1:-1] == node.text
        else:
            assert part[0] == "("
            assert part[-1] == ")"
            for item in node.items:
                check(item)

    for node in read(GOOD):
        check(node)


def test_everything_is_read() -> None:
    protocol = parse_protocol(GOOD)
    assert protocol.name == "good"
    assert protocol.comment == "a comment"
    assert protocol.markers is MarkerMode.LINE_START
    assert [s.name for s in protocol.states] == ["ask", "act", "obs", "end"]
    assert protocol.state("act").one_of == ("go", "stop")
    assert protocol.state("obs").env_input
    assert protocol.state("end").content is ContentKind.EMPTY
    assert protocol.state("end").max_chars == 4
    assert isinstance(protocol.behavior, Next)
    loop = protocol.behavior.items[1]
    assert isinstance(loop, Repeat)
    assert (loop.low, loop.high) == (2, 5)
    assert isinstance(loop.exit, Ref)
    with pytest.raises(KeyError):
        protocol.state("nobody")


# The authors' files: comments with #, bounds, quotes of both kinds, output constraints.
AUTHORS = """# defines the agent

(define their-agent

    (:states
        (question (:text "[Question]"))
        (Act-Inp (:text '[Action Input]') (:output-constrs "Search" 'Look Up' Finish))
        (observation (:text "[Observation]") (:flags :env-input)) # the tool
        (answer (:text [Answer])))

    (:behavior
        (next
            question
            (until_5
                (until_1_3 Act-Inp observation)
                (always answer))
            answer))

)
"""


def test_the_authors_syntax_loads_unchanged() -> None:
    protocol = parse_protocol(AUTHORS)
    assert protocol.state("Act-Inp").text == "[Action Input]"
    assert protocol.state("Act-Inp").one_of == ("Search", "Look Up", "Finish")
    assert protocol.state("answer").text == "[Answer]"
    automaton = compile_protocol(protocol)
    rounds = ["Act-Inp", "observation"] * 5
    assert automaton.accepts(["question", *rounds, "answer"])
    assert not automaton.viable(["question", *rounds, "Act-Inp"])
    assert not automaton.viable(["question", *["Act-Inp"] * 4])


def around(behavior: str, states: str = '(a (:text "[A]")) (b (:text "[B]"))') -> str:
    return f"(define p (:states {states}) (:behavior {behavior}))"


ONE = '(a (:text "[A]"))'


@pytest.mark.parametrize(
    ("code", "text", "place"),
    [
        ("P101", "(define p", "("),
        ("P101", "(define p))", ")"),
        ("P101", '(define p (:states (a (:text "[A)))', '"'),
        ("P101", "(define)", "(define)"),
        ("P101", around("(next a)", ONE).replace("define p", "define 7up"), "7up"),
        ("P101", around("(next a)") + " (define q)", "(define q)"),
        ("P101", "(" * (MAX_DEPTH + 1) + ")" * (MAX_DEPTH + 1), "("),
        ("P101", around("(next a)", f"{ONE} b"), "b"),
        ("P101", around("(next a (7))", ONE).replace("(7)", "(())"), "(())"),
        ("P102", around("(next a (untill a b))"), "untill"),
        ("P102", around("(next a (until_x a b))"), "until_x"),
        ("P103", around("(next a c)"), "c"),
        ("P104", around("(next a)", '(a (:text "[A]") (:colour red))'), ":colour"),
        ("P104", around("(next a)", '(a (:text "[A]") (:flags :fast))'), ":fast"),
        ("P105", around("(next a)", ONE + ' (a (:text "[C]"))'), "a"),
        ("P106", around("(next a)", ONE + ' (b (:text "[A]"))'), '(:text "[A]")'),
        ("P108", around("(or a b)"), "(or a b)"),
        ("P108", around("a"), "a"),
        ("P111", around("(next a)", '(a (:text "[A]") (:content empty) (:one-of "x"))'),
         "(next a)"),
        ("P112", around("(next a)", '(a (:text "[A]") (:flags :env-input) (:content json))'),
         "(:content json)"),
        ("P112", around("(next a)", '(a (:text "[A]") (:flags :env-input) (:one-of "x"))'),
         '(:one-of "x")'),
        ("P113", around("(next (until_0 a b))"), "until_0"),
        ("P113", around("(next (until_3_2 a b))"), "until_3_2"),
        ("P114", around("(next (until_9000 (until_9000 a b) b))"),
         "(until_9000 (until_9000 a b) b)"),
        ("P116", around("(next a)", "(a)"), "(a)"),
        ("P116", around("(next a)", '(a (:text ""))'), '(:text "")'),
        ("P116", around("(next a)", '(a (:text "x\ny"))'), '(:text "x\ny")'),
        ("P116", around("(next a)", '(a (:text "[A]") (:content poem))'), "(:content poem)"),
        ("P116", around("(next a)", '(a (:text "[A]") (:max-chars lots))'), "(:max-chars lots)"),
        ("P116", around("(next a)", '(a (:text "[A]") (:text "[B]"))'), ":text"),
        ("P116", around("(next a)", '(a (:text "[A]") (:one-of))'), "(:one-of)"),
        ("P117", around("(next a (until a))"), "(until a)"),
        ("P117", around("(next (or))"), "(or)"),
        ("P117", around("(next a) (next b)"), "(:behavior (next a) (next b))"),
    ],
)  # fmt: skip
def test_each_error_has_its_code_and_place(code: str, text: str, place: str) -> None:
    errors = [d for d in lint(text) if d.level is Level.ERROR]
    assert [d.code for d in errors] == [code]
    span = errors[0].span
    assert text[span.start : span.end].startswith(place)
    if code != "P114":
        with pytest.raises(ProtocolError, match=code) as caught:
            parse_protocol(text)
        assert caught.value.column == span.column
        assert re.fullmatch(r"[\t ]*\^+", caught.value.caret.splitlines()[-1])


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        (around("(next a (untill a b))"), "did you mean until?"),
        (around("(next alfa)", '(alpha (:text "[A]"))'), "did you mean alpha?"),
        (around("(next a)", '(a (:txt "[A]"))'), "did you mean :text?"),
    ],
)
def test_typos_are_answered_with_the_word_meant(text: str, remedy: str) -> None:
    assert remedy in [d.remedy for d in lint(text)]


def test_several_errors_are_all_told() -> None:
    text = around("(next c (untl a b) (until a))", ONE + ' (b (:text "[A]"))')
    assert [d.code for d in lint(text)] == ["P106", "P103", "P102", "P117"]


def test_a_string_may_hold_comment_signs_and_escapes() -> None:
    protocol = parse_protocol(around("(next a)", r"""(a (:text "# ; \"q\" \\"))"""))
    assert protocol.states[0].text == '# ; "q" \\'
    with pytest.raises(Malformed):
        read('"open')
