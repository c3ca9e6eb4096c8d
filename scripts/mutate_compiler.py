"""Break the protocol compiler in one place at a time, and see that its tests notice.

For every mutant (a comparison turned, an operator swapped, a number changed, a statement dropped)
of nfa.py, minimise.py and automaton.py the tests of the automaton run on a copy of the package.
Prints which test caught each; exit code 1 when one survives that is not in `EQUIVALENT`, the list
of changes that alter no answer.
"""

from __future__ import annotations

import argparse
import ast
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOM = Path("verulaw_gate/protocol")
FILES = ("nfa.py", "minimise.py", "automaton.py")
TESTS = ("tests/protocol/test_automaton.py", "tests/protocol/test_lint.py")
CPU_SECONDS = 45

COMPARE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
BINARY: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.BitAnd: ast.BitOr,
}

# (file, mutated line, mutation) -> why no answer can change.
EQUIVALENT: dict[tuple[str, str, str], str] = {
    ("nfa.py", "MAX_POSITIONS = 20_000", "change number"): "the limit itself, not an answer",
    ("nfa.py", "super().__init__(message)", "drop statement"): "only how the error prints itself",
    (
        "minimise.py",
        "numbers = {start: 0}",
        "change number",
    ): "nothing leads back to the first place, so its subset is never looked up again",
    (
        "minimise.py",
        "block_of = [0] * len(table.rows)",
        "change number",
    ): "every entry is set below",
    (
        "minimise.py",
        "blocks[number] -= inside",
        "drop statement",
    ): "the old block stays a splitter with too many members: more work, the same partition",
    ("automaton.py", "@lru_cache(maxsize=128)", "change number"): "how many are kept",
    ("minimise.py", "MAX_WORK = 2_000_000", "change number"): "the limit itself, not an answer",
}


@dataclass(frozen=True)
class Mutant:
    """One changed module."""

    file: str
    line: int
    text: str
    what: str
    source: str


def mutants(file: str) -> Iterator[Mutant]:
    """All mutants of a file, in order of place."""
    source = (ROOT / ROOM / file).read_text(encoding="utf-8")
    lines = source.splitlines()
    for number, node in enumerate(ast.walk(ast.parse(source))):
        for what in _changes(node):
            tree = ast.parse(source)
            # The same walk gives the same order: the n-th node is the one to change.
            changed = _apply(tree, number, what)
            if changed is not None:
                line = getattr(node, "lineno", 1)
                yield Mutant(file, line, lines[line - 1].strip(), what, ast.unparse(changed))


def _changes(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARE:
        yield "turn comparison"
    elif isinstance(node, ast.BinOp) and type(node.op) in BINARY:
        yield "swap operator"
    elif isinstance(node, ast.BoolOp):
        yield "swap and/or"
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield "change number"
    elif _can_be_dropped(node):
        yield "drop statement"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "drop not"


def _can_be_dropped(node: ast.AST) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    if isinstance(node, ast.Assign):
        return isinstance(node.targets[0], ast.Subscript)
    return isinstance(node, ast.AugAssign | ast.Continue)


def _apply(tree: ast.Module, number: int, what: str) -> ast.Module | None:
    target = next(node for n, node in enumerate(ast.walk(tree)) if n == number)
    if what == "turn comparison":
        assert isinstance(target, ast.Compare)
        target.ops[0] = COMPARE[type(target.ops[0])]()
    elif what == "swap operator":
        assert isinstance(target, ast.BinOp)
        target.op = BINARY[type(target.op)]()
    elif what == "swap and/or":
        assert isinstance(target, ast.BoolOp)
        target.op = ast.Or() if isinstance(target.op, ast.And) else ast.And()
    elif what == "change number":
        assert isinstance(target, ast.Constant)
        target.value += 1
    elif what == "drop not":
        assert isinstance(target, ast.UnaryOp)
        return _replaced(tree, target, target.operand)
    else:
        return _replaced(tree, target, ast.Pass())
    return ast.fix_missing_locations(tree)


def _replaced(tree: ast.Module, old: ast.AST, new: ast.AST) -> ast.Module:
    class Swap(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return new if node is old else super().generic_visit(node)

    changed = Swap().visit(tree)
    assert isinstance(changed, ast.Module)
    return ast.fix_missing_locations(changed)


def caught_by(mutant: Mutant, copy: Path) -> str | None:
    """The test that failed (or that the time was up); None when all passed."""
    place = copy / ROOM / mutant.file
    good = place.read_text(encoding="utf-8")
    place.write_text(mutant.source, encoding="utf-8")
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider",
             "-p", "_hypothesis_pytestplugin", "--hypothesis-seed=0", *TESTS],
            cwd=copy,
            # Only the plugin that is needed: starting costs more than most mutants live.
            env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            capture_output=True,
            text=True,
            # A mutant may run for ever; CPU time, because the machine may be busy.
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS)),
        )  # fmt: skip
    finally:
        place.write_text(good, encoding="utf-8")
    if done.returncode == 0:
        return None
    if done.returncode < 0:
        return f"no end within {CPU_SECONDS} s of CPU time"
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0].split(" - ")[0].split("::")[-1] if failed else "the tests did not start"


def main() -> int:
    """Run all mutants."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", metavar="FILE", help="FILE or FILE:LINE of " + ", ".join(FILES))
    args = parser.parse_args()
    survivors, caught, same = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for part in ("verulaw_gate", "protocols", "rust_tasks", "tests"):
            ignore = shutil.ignore_patterns("__pycache__", "corpora", "*.so")
            shutil.copytree(ROOT / part, copy / part, ignore=ignore)
        shutil.copy(ROOT / "pyproject.toml", copy)
        untouched = Mutant(FILES[0], 0, "", "", (ROOT / ROOM / FILES[0]).read_text("utf-8"))
        problem = caught_by(untouched, copy)
        if problem is not None:
            print(f"the tests fail without any change: {problem}")
            return 2
        for file in FILES:
            for mutant in mutants(file):
                if args.only not in (None, file, f"{file}:{mutant.line}"):
                    continue
                where = f"{mutant.file}:{mutant.line}: {mutant.what}: {mutant.text}"
                why = EQUIVALENT.get((mutant.file, mutant.text, mutant.what))
                if why is not None:
                    same += 1
                    print(f"same      {where}  ({why})", flush=True)
                    continue
                test = caught_by(mutant, copy)
                if test is None:
                    survivors.append(where)
                else:
                    caught += 1
                print(
                    f"{'SURVIVED' if test is None else 'caught  '}  {where}  [{test}]", flush=True
                )
    print(f"{caught} caught, {len(survivors)} survived, {same} change no answer")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
