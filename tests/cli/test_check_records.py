"""Suppressions in comments and the baseline: what they hide, and what they must not."""

from __future__ import annotations

import json
import re
from pathlib import Path

ALLOW = "// verulaw-gate: allow(VG301) reviewed"


def allowed(cheat: str, where: str) -> str:
    line = "    assume(x + y > 0);\n"
    return {
        "same": cheat.replace(line, f"    assume(x + y > 0); {ALLOW}\n"),
        "before": cheat.replace(line, f"    {ALLOW}\n\n    // and a remark\n{line}"),
        "file": f"//! verulaw-gate: allow-file(assume)\n{cheat}",
    }[where]


def test_a_suppression_hides_its_finding(tmp_path: Path, gate, cheat: str) -> None:
    for where in ("same", "before", "file"):
        (tmp_path / "a.rs").write_text(allowed(cheat, where))
        done = gate("check", "--severity=trust=error", "a.rs")
        assert done.returncode == 0, where
        assert "1 finding hushed" in done.stdout
        assert "unused" not in done.stdout
        shown = gate("check", "--severity=trust=error", "--verbose", "a.rs").stdout
        assert "[hushed by comment]" in shown


def test_a_suppression_elsewhere_or_of_another_code_hides_nothing(
    tmp_path: Path, gate, cheat: str
) -> None:
    for text in (
        f"{ALLOW}\n{cheat}",
        f"{cheat}{ALLOW}\n",
        cheat.replace("assume(x", f'let s = "{ALLOW}"; assume(x'),
        allowed(cheat, "same").replace("VG301", "VG302"),
    ):
        (tmp_path / "a.rs").write_text(text)
        assert gate("check", "--severity=trust=error", "a.rs").returncode == 1


def test_unused_and_unintelligible_suppressions_are_reported(
    tmp_path: Path, gate, honest: str
) -> None:
    (tmp_path / "a.rs").write_text(
        f"{ALLOW}\n{honest}// verulaw-gate: allow(asume)\n// verulaw-gate: ignore VG301\n"
    )
    done = gate("check", "a.rs", "--format=json")
    assert done.returncode == 0
    notices = json.loads(done.stdout)["files"][0]["notices"]
    assert [(n["kind"], n["line"]) for n in sorted(notices, key=lambda n: n["line"])] == [
        ("unused-suppression", 1),
        ("bad-suppression", 18),
        ("bad-suppression", 19),
    ]
    assert "did you mean 'assume'?" in gate("check", "a.rs").stdout


def test_the_author_of_a_cheat_cannot_suppress_it(repository: Path, gate, git, cheat: str) -> None:
    path = repository / "proof.rs"
    for where in ("same", "before", "file"):
        path.write_text(allowed(cheat, where))
        done = gate("check", "--against", "HEAD", "proof.rs")
        assert done.returncode == 1, where
        assert "added by this change: it hides nothing" in done.stdout
    # What the base has is another matter: somebody has let it in. A second one is new again.
    path.write_text(allowed(cheat, "same"))
    git("commit", "-qam", "let in")
    more = allowed(cheat, "same").replace(
        "{\n    assume", f"{{\n    assume(x > y); {ALLOW}\n    assume"
    )
    path.write_text(more)
    assert gate("check", "--against", "HEAD", "proof.rs").returncode == 1


def test_a_suppression_does_not_move_to_another_function(
    repository: Path, gate, git, cheat: str
) -> None:
    twin = cheat.split("verus! {\n")[1].split("} // verus")[0].replace("sum_is", "twin_is")
    both = cheat.replace("} // verus", twin + "} // verus").replace("    assume(x + y > 0);\n", "")
    line = f"    assume(x + y > 0); {ALLOW}\n"
    first, second = (m.end() for m in re.finditer(r"\n\{\n", both))
    path = repository / "proof.rs"
    path.write_text(both[:first] + line + both[first:])
    git("commit", "-qam", "let in")
    assert gate("check", "--against", "HEAD", "proof.rs").returncode == 0
    path.write_text(both[:second] + line + both[second:])
    done = gate("check", "--against", "HEAD", "proof.rs")
    assert done.returncode == 1
    assert "it hides nothing" in done.stdout


def test_the_baseline_is_no_leave_for_what_a_change_adds(
    repository: Path, gate, git, cheat: str
) -> None:
    path = repository / "proof.rs"
    path.write_text(cheat)
    git("commit", "-qam", "as it is")
    gate("check", "--severity=trust=error", "--write-baseline", "known.json", "proof.rs")
    against = ("--baseline", "known.json", "--against", "HEAD", "proof.rs")
    assert gate("check", *against).returncode == 0
    line = "    assume(x + y > 0);\n"
    path.write_text(cheat.replace(line, line + line))
    assert gate("check", *against).returncode == 1
    # A new file, too, is added by the change, whatever the list says of its name.
    (repository / "new.rs").write_text(cheat)
    gate("check", "--severity=trust=error", "--write-baseline", "known.json", "new.rs")
    assert gate("check", *against[:-1], "new.rs").returncode == 1


def test_the_baseline_hides_what_it_knows_and_counts(repository: Path, gate, cheat: str) -> None:
    path = repository / "proof.rs"
    path.write_text(cheat)
    strict = ("--severity=trust=error", "proof.rs")
    assert gate("check", *strict).returncode == 1
    done = gate("check", "--write-baseline", "known.json", *strict)
    assert done.returncode == 0
    assert gate("check", "--baseline", "known.json", *strict).returncode == 0
    (repository / "pyproject.toml").write_text('[tool.verulaw-gate]\nbaseline = "known.json"\n')
    assert gate("check", *strict).returncode == 0
    # Moved code is still known; one more of the same is not.
    path.write_text("// a line above\n" + cheat)
    assert gate("check", *strict).returncode == 0
    line = "    assume(x + y > 0);\n"
    path.write_text(cheat.replace(line, line + line))
    done = gate("check", *strict)
    assert done.returncode == 1
    assert "1 error" in done.stdout
    assert "1 finding hushed" in done.stdout
    path.write_text(cheat.replace(line, ""))
    done = gate("check", *strict)
    assert done.returncode == 0
    assert "baseline entries that cover nothing: VG301 (1)" in done.stdout


def test_the_baseline_is_found_from_any_folder(repository: Path, gate, cheat: str) -> None:
    (repository / "sub").mkdir()
    (repository / "sub" / "a.rs").write_text(cheat)
    gate("check", "--severity=trust=error", "--write-baseline=known.json", "sub")
    strict = "--severity=trust=error"
    done = gate("check", strict, "--baseline=../known.json", "a.rs", cwd=repository / "sub")
    assert done.returncode == 0


def test_a_broken_baseline_is_one_error(repository: Path, gate) -> None:
    deep = "[" * 100_000
    for text in (
        deep,
        "",
        "[]",
        "{}",
        '{"schema": "other"}',
        '{"schema": "verulaw-gate/baseline/1"}',
    ):
        (repository / "known.json").write_text(text)
        done = gate("check", "--baseline=known.json", "proof.rs")
        assert done.returncode == 2
        assert done.stderr.startswith("verulaw-gate: error: known.json")


def test_what_could_not_speak_is_not_called_unused(tmp_path: Path, gate, honest: str) -> None:
    (tmp_path / "a.rs").write_text(f"{ALLOW}\n{honest}")
    assert "unused" in gate("check", "a.rs").stdout
    assert "unused" not in gate("check", "--ignore=VG301", "a.rs").stdout
    assert "unused" not in gate("check", "--select=VG1", "a.rs").stdout
