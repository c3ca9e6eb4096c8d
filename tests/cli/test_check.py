"""`verulaw-gate check`: what is looked at, what counts, and how it is said."""

from __future__ import annotations

import json
import os
import shutil
import stat
from pathlib import Path

import pytest

from verulaw_gate.cli.checking import fixes
from verulaw_gate.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
BROKEN = "use vstd::prelude::*;\nverus! {\nproof fn f() {\n"


def codes(done) -> list[str]:
    document = json.loads(done.stdout)
    return [f["code"] for file in document["files"] for f in file["findings"]]


def test_a_clean_file_is_accepted_and_nothing_more_is_claimed(tmp_path: Path, gate, honest) -> None:
    (tmp_path / "a.rs").write_text(honest)
    done = gate("check", "a.rs", process=True)
    assert done.returncode == 0
    assert "1 file checked: 0 errors, 0 warnings" in done.stdout
    assert "specification not compared" in done.stdout
    assert "Verus itself was not run" in done.stdout


@pytest.mark.parametrize("form", ["human", "json", "github", "sarif"])
@pytest.mark.parametrize("which", ["honest", "cheat", "broken"])
def test_no_output_ever_says_verified(
    repository: Path, gate, honest: str, cheat: str, form: str, which: str
) -> None:
    text = {"honest": honest, "cheat": cheat, "broken": BROKEN}[which]
    (repository / "proof.rs").write_text(text)
    for base in ([], ["--against", "HEAD"]):
        done = gate("check", *base, "--format", form, "proof.rs")
        assert "verified" not in (done.stdout + done.stderr).lower()
        assert done.returncode == (which == "broken" or (which == "cheat" and bool(base)))


def test_without_a_base_a_cheat_warns_with_a_base_it_rejects(
    repository: Path, gate, cheat: str
) -> None:
    (repository / "proof.rs").write_text(cheat)
    done = gate("check", "proof.rs")
    assert done.returncode == 0
    assert "proof.rs:12:5: warning: VG301 assume" in done.stdout
    assert gate("check", "--severity", "trust=error", "proof.rs").returncode == 1
    done = gate("check", "--against", "HEAD", "proof.rs")
    assert done.returncode == 1
    assert "proof.rs:12:5: error: VG301 assume" in done.stdout
    assert "specification not compared" not in done.stdout


def test_the_human_output_shows_the_line_and_a_caret(repository: Path, gate, cheat: str) -> None:
    (repository / "proof.rs").write_text(cheat)
    lines = gate("check", "proof.rs").stdout.split("\n")
    assert lines[1] == "   12 |     assume(x + y > 0);"
    assert lines[2] == "      |     ^^^^^^^^^^^^^^^^^"
    assert lines[3].startswith("      = help: ")


def test_what_the_base_has_does_not_count(repository: Path, gate, git, cheat: str) -> None:
    (repository / "proof.rs").write_text(cheat)
    git("commit", "-qam", "with an assume")
    (repository / "proof.rs").write_text("// moved down\n\n" + cheat)
    assert gate("check", "--against", "HEAD", "proof.rs").returncode == 0
    assert gate("check", "--against", "HEAD~1", "proof.rs").returncode == 1


def test_a_changed_specification_is_found_against_revision_and_file(
    repository: Path, gate, honest: str
) -> None:
    (repository / "base.rs").write_text(honest)
    (repository / "proof.rs").write_text(honest.replace("x + y > 0,", "x + y > 0 || true,"))
    for base in ("HEAD", "base.rs"):
        done = gate("check", "--against", base, "--format", "json", "proof.rs")
        assert done.returncode == 1
        assert codes(done) == ["VG403"]


def test_a_new_file_is_compared_with_nothing_so_its_cheats_are_added(
    repository: Path, gate, honest: str, cheat: str
) -> None:
    (repository / "new.rs").write_text(cheat)
    (repository / "fine.rs").write_text(honest)
    done = gate("check", "--against", "HEAD", "new.rs", "fine.rs", "--format=json")
    assert done.returncode == 1
    assert codes(done) == ["VG301"]
    assert [f["specification_compared"] for f in json.loads(done.stdout)["files"]] == [False] * 2


def test_before_the_first_commit_every_file_is_new(tmp_path: Path, gate, git, cheat: str) -> None:
    git("init", "-q")
    (tmp_path / "a.rs").write_text(cheat)
    assert gate("check", "--against", "HEAD", "a.rs").returncode == 1


@pytest.mark.parametrize(
    "name", ["sp ace.rs", "uml\u00e4ut.rs", "new\nline.rs", "-dash.rs", "a:b.rs"]
)
def test_any_file_name_is_found_in_the_revision(
    repository: Path, gate, git, honest: str, cheat: str, name: str
) -> None:
    folder = repository / "in here"
    folder.mkdir()
    (folder / name).write_text(honest)
    git("add", "-A")
    git("commit", "-qm", "odd names")
    (folder / name).write_text(cheat)
    done = gate("check", "--against", "HEAD", "--format=json", "./" + name, cwd=folder)
    assert done.returncode == 1
    assert codes(done) == ["VG301"]


def test_inside_a_git_hook_the_files_own_repository_is_asked(
    repository: Path, gate, cheat: str
) -> None:
    (repository / "proof.rs").write_text(cheat)
    env = {"GIT_DIR": "/nowhere/.git", "GIT_INDEX_FILE": "/nowhere/index"}
    assert gate("check", "--against", "HEAD", "proof.rs", **env).returncode == 1


def test_standard_input(repository: Path, gate, honest: str, cheat: str) -> None:
    assert gate("check", "-", stdin=honest).returncode == 0
    done = gate("check", "-", stdin=BROKEN)
    assert done.returncode == 1
    assert "<stdin>:3:14: error: VG101" in done.stdout
    done = gate("check", "-", "--against", "HEAD", "--stdin-filename", "proof.rs", stdin=cheat)
    assert done.returncode == 1
    assert "proof.rs:12:5: error: VG301" in done.stdout
    assert gate("check", "-", "--against", "proof.rs", stdin=cheat).returncode == 1
    assert gate("check", "-", "--against", "HEAD", stdin=cheat).returncode == 2


def test_folders_are_walked_in_order_without_build_and_hidden_ones(tmp_path: Path, gate) -> None:
    for name in ("b/z.rs", "b/a.rs", "target/x.rs", ".git/y.rs", "a.rs", "b/notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(BROKEN)
    done = gate("check", ".", "b/a.rs", "--format=json")
    paths = [f["path"] for f in json.loads(done.stdout)["files"]]
    assert paths == ["a.rs", "b/a.rs", "b/z.rs"]


def test_a_pipe_in_a_folder_is_passed_over_and_a_dead_link_is_not(tmp_path: Path, gate) -> None:
    (tmp_path / "dead.rs").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe.rs")
    done = gate("check", ".")
    assert done.returncode == 2
    assert "dead.rs: error: cannot be read" in done.stdout
    assert "pipe.rs" not in done.stdout


def test_a_file_counts_once_however_it_is_spelled(repository: Path, gate) -> None:
    done = gate("check", "./proof.rs", "proof.rs", ".", "./")
    assert "1 file checked" in done.stdout


def test_a_file_named_like_a_revision_is_no_base_by_stealth(
    repository: Path, gate, git, cheat: str
) -> None:
    git("branch", "-M", "trunk")
    (repository / "proof.rs").write_text(cheat)
    (repository / "trunk").write_text(cheat)
    done = gate("check", "--against", "trunk", "proof.rs")
    assert done.returncode == 2
    assert "'trunk' is a file and a revision" in done.stderr
    assert gate("check", "--against", "./trunk", "proof.rs").returncode == 0
    assert gate("check", "--against", "refs/heads/trunk", "proof.rs").returncode == 1


def test_a_repository_that_has_lost_its_commit_is_no_new_one(
    repository: Path, gate, honest: str
) -> None:
    for folder in (repository / ".git" / "objects").iterdir():
        shutil.rmtree(folder)
    (repository / "proof.rs").write_text(honest.replace("x + y > 0,", "x + y > 0 || true,"))
    done = gate("check", "--against", "HEAD", "proof.rs")
    assert done.returncode == 3
    assert "the commit of HEAD cannot be read" in done.stderr


@pytest.mark.parametrize("between", ["", "text\n"])
def test_two_fences_are_not_one(tmp_path: Path, gate, between: str) -> None:
    text = f"```rust\nfn a() {{}}\n```\n{between}```rust\nfn b() {{}}\n```\n"
    (tmp_path / "a.rs").write_text(text)
    done = gate("check", "--fix", "a.rs")
    assert done.returncode == 1
    assert done.stdout.count("VG102") == 4
    assert (tmp_path / "a.rs").read_text() == text


def test_settings_nested_too_deep_are_one_error(repository: Path, gate) -> None:
    (repository / "pyproject.toml").write_text("a = " + "[" * 100_000 + " # verulaw-gate")
    done = gate("check", "proof.rs")
    assert done.returncode == 2
    assert "nested too deep" in done.stderr


def test_fix_leaves_a_file_alone_that_somebody_else_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "a.rs"
    path.write_text("theirs")
    with pytest.raises(InputError, match="changed while it was mended"):
        fixes.write(str(path), b"as it was read", b"ours")
    assert path.read_text() == "theirs"
    assert list(tmp_path.iterdir()) == [path]


def test_plain_rust_is_not_our_business_but_a_broken_file_is(tmp_path: Path, gate, honest) -> None:
    (tmp_path / "plain.rs").write_text("pub unsafe fn f() {}\n")
    (tmp_path / "broken.rs").write_text("fn main() {\n")
    done = gate("check", "plain.rs")
    assert (done.returncode, "1 file without Verus code" in done.stdout) == (0, True)
    assert gate("check", "broken.rs").returncode == 1
    # Code that was Verus code in the base cannot hide by ceasing to be.
    (tmp_path / "base.rs").write_text(honest)
    done = gate("check", "--against", "base.rs", "plain.rs")
    assert done.returncode == 1


def test_any_number_of_workers_gives_the_same_bytes(tmp_path: Path, gate, honest, cheat) -> None:
    for number in range(60):
        text = (honest, cheat, BROKEN)[number % 3]
        (tmp_path / f"f{number:02}.rs").write_text(text)
    for form in ("human", "json", "github", "sarif"):
        outputs = {
            gate("check", ".", "--format", form, *jobs).stdout
            for jobs in ([], ["--jobs=1"], ["--jobs=2"], ["--jobs=7"])
        }
        assert len(outputs) == 1


BAD = {
    "missing": None,
    "not-utf8": b"fn main() {\n  \xff }\n",
    "empty": b"",
    "blank": b" \n\t\n",
    "too-large": b"// a comment\n" * 4_000_000,
}


@pytest.mark.parametrize("kind", BAD)
def test_a_file_that_cannot_be_checked_is_one_clear_error_and_the_rest_is_checked(
    tmp_path: Path, gate, kind: str
) -> None:
    data = BAD[kind]
    if data is not None:
        (tmp_path / "bad.rs").write_bytes(data)
    (tmp_path / "broken.rs").write_text(BROKEN)
    done = gate("check", "bad.rs", "broken.rs")
    assert done.returncode == 2
    errors = [line for line in done.stdout.split("\n") if "bad.rs" in line]
    assert len(errors) == 1
    assert errors[0].startswith("bad.rs")
    assert ": error: " in errors[0]
    assert "VG101" in done.stdout
    assert "1 file could not be checked" in done.stdout
    for form in ("json", "github", "sarif"):
        assert gate("check", "bad.rs", "--format", form).returncode == 2


def test_not_utf8_says_where(tmp_path: Path, gate) -> None:
    (tmp_path / "bad.rs").write_bytes("fn é() {\n é \xff }\n".encode("latin-1"))
    done = gate("check", "bad.rs")
    assert "bad.rs:1:4: error: not UTF-8: byte 0xe9 at offset 3" in done.stdout


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_without_permission(tmp_path: Path, gate, honest: str) -> None:
    path = tmp_path / "secret.rs"
    path.write_text(honest)
    path.chmod(0)
    done = gate("check", "secret.rs")
    assert (done.returncode, "cannot be read" in done.stdout) == (2, True)


@pytest.mark.parametrize(
    "data",
    [
        b"\x00" * 40,
        b"verus! {\x00}\n",
        b"\xef\xbb\xbfuse vstd::prelude::*;\nverus! {}\nfn main() {}\n",
        b"use vstd::prelude::*;\r\nverus! {\r\n}\r\nfn main() {}\r\n",
        b"verus! " + b"{" * 20000,
        b"verus! { /*" + b"/*" * 20000,
        b"verus! {" + b"(" * 3000 + b")" * 3000 + b"}",
        "verus! { \u202e \u200b }".encode(),
        b'verus! { "',
        b"\r\r\r verus",
    ],
    ids=["nuls", "nul", "bom", "crlf", "deep", "comments", "nested", "bidi", "string", "cr"],
)
def test_odd_texts_never_crash(tmp_path: Path, gate, data: bytes) -> None:
    (tmp_path / "odd.rs").write_bytes(data)
    for form in ("human", "json", "sarif"):
        done = gate("check", "odd.rs", "--format", form)
        assert done.returncode in (0, 1, 2)
        assert done.stderr == ""


def test_crlf_offsets_are_those_of_the_file(repository: Path, gate, cheat: str) -> None:
    (repository / "proof.rs").write_bytes(cheat.replace("\n", "\r\n").encode())
    done = gate("check", "--against", "HEAD", "--format=json", "proof.rs")
    (finding,) = json.loads(done.stdout)["files"][0]["findings"]
    assert (finding["line"], finding["column"]) == (12, 5)
    data = (repository / "proof.rs").read_bytes().decode()
    assert data[finding["start"] : finding["end"]].startswith("assume(")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["nothing-here"], "cannot be read"),
        (["--against", "no-such-rev", "proof.rs"], "neither a file nor a revision"),
        (["--against", "--all", "proof.rs"], ""),
        (["--against", ".", "proof.rs"], "is a folder"),
        (["--select", "VG999", "proof.rs"], "no rule 'VG999'"),
        (["--ignore", "asume", "proof.rs"], "did you mean 'assume'?"),
        (["--severity", "assume=bad", "proof.rs"], "not a severity"),
        (["--severity", "assume", "proof.rs"], "CODE=LEVEL"),
        (["--jobs", "0", "proof.rs"], "--jobs"),
        (["--baseline", "none.json", "proof.rs"], "baseline cannot be read"),
        (["--protocol", "no-such-protocol", "proof.rs"], ""),
        (["--task", "no-such-task", "proof.rs"], ""),
        (["--fix", "-"], ""),
        (["empty-folder"], "without *.rs files"),
        (["--format", "xml", "proof.rs"], "invalid choice"),
        (["--receipt", "r.jsonl", "proof.rs"], "--receipt needs --require-verified"),
        (["--config", "none.toml", "proof.rs"], "cannot be read"),
        (["--output", "/nowhere/out", "proof.rs"], "cannot be written"),
    ],
)
def test_bad_usage_is_one_message_and_exit_code_2(
    repository: Path, gate, arguments: list[str], text: str
) -> None:
    (repository / "empty-folder").mkdir()
    done = gate("check", *arguments, stdin="```\nfn main() {}\n```\n")
    assert done.returncode == 2
    assert text in done.stdout + done.stderr


def test_settings_apply_to_the_files_beside_them(repository: Path, gate, cheat: str) -> None:
    sub = repository / "vendored"
    sub.mkdir()
    (sub / "a.rs").write_text(cheat)
    (repository / "proof.rs").write_text(cheat)
    settings = '[tool.verulaw-gate.severity]\ntrust = "error"\n'
    (repository / "pyproject.toml").write_text(settings)
    assert gate("check", "proof.rs").returncode == 1
    assert gate("check", "vendored/a.rs").returncode == 1
    more = '[tool.verulaw-gate.per-file-ignores]\n"vendored/*" = ["VG301"]\n'
    (repository / "pyproject.toml").write_text(settings + more)
    assert gate("check", "proof.rs").returncode == 1
    assert gate("check", "vendored/a.rs").returncode == 0
    assert gate("check", "a.rs", cwd=sub).returncode == 0
    (sub / "pyproject.toml").write_text("[tool.verulaw-gate]\nseverity = {assume = 'note'}\n")
    done = gate("check", "vendored/a.rs", "proof.rs")
    assert "vendored/a.rs:12:5: note: VG301" in done.stdout
    assert "proof.rs:12:5: error: VG301" in done.stdout
    (sub / "pyproject.toml").write_text("[tool.verulaw-gate]\nselct = ['VG1']\n")
    done = gate("check", "vendored/a.rs")
    assert done.returncode == 2
    assert "pyproject.toml:2: unknown key 'selct'" in done.stderr
    assert "did you mean 'select'?" in done.stderr


def test_select_and_ignore(repository: Path, gate, cheat: str) -> None:
    (repository / "proof.rs").write_text(cheat)
    assert gate("check", "--against=HEAD", "--ignore=VG3", "proof.rs").returncode == 0
    assert gate("check", "--against=HEAD", "--select=VG1,VG4", "proof.rs").returncode == 0
    assert gate("check", "--against=HEAD", "--select=trust", "proof.rs").returncode == 1


# Fixes


FENCED = "```rust\nuse vstd::prelude::*;\nverus! {\n}\nfn main() {}\n```\n"


def test_fix_takes_an_outer_fence_away_and_keeps_mode_and_line_ends(tmp_path: Path, gate) -> None:
    path = tmp_path / "a.rs"
    path.write_bytes(FENCED.replace("\n", "\r\n").encode())
    path.chmod(0o640)
    (tmp_path / "link.rs").symlink_to("a.rs")
    assert gate("check", "link.rs").returncode == 1
    done = gate("check", "--fix", "link.rs")
    assert done.returncode == 0
    assert "fixed: VG102 markdown-fence" in done.stdout
    assert (tmp_path / "link.rs").is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert path.read_bytes().startswith(b"use vstd::prelude::*;\r\nverus! {\r\n}\r\nfn main() {}")
    before = path.read_bytes()
    assert "fixed" not in gate("check", "--fix", "a.rs").stdout
    assert path.read_bytes() == before


def test_fix_touches_nothing_else(repository: Path, gate, cheat: str) -> None:
    for name, text in (("proof.rs", cheat), ("broken.rs", BROKEN)):
        (repository / name).write_text(text)
        gate("check", "--against=HEAD", "--fix", "--unsafe-fixes", name)
        if name == "proof.rs":
            assert (repository / name).read_text() == text


def test_fix_leaves_no_draft_behind_when_the_folder_is_gone_wrong(tmp_path: Path, gate) -> None:
    (tmp_path / "a.rs").write_text(FENCED)
    gate("check", "--fix", "a.rs")
    assert sorted(p.name for p in tmp_path.iterdir() if p.suffix != ".sqlite") == ["a.rs"]


def test_unsafe_fixes_make_the_edits_that_findings_suggest(tmp_path: Path, gate) -> None:
    (tmp_path / "a.rs").write_text(BROKEN)
    before = json.loads(gate("check", "--format=json", "a.rs").stdout)["files"][0]["findings"]
    edits = [f["fix"] for f in before if f["fix"]]
    gate("check", "--fix", "a.rs")
    assert (tmp_path / "a.rs").read_text() == BROKEN
    gate("check", "--unsafe-fixes", "a.rs")
    assert ((tmp_path / "a.rs").read_text() != BROKEN) == bool(edits)


# Traces


GOOD_TRACE = "[Body]\n{\n}\n[QED]\n"


def test_traces_by_protocol(tmp_path: Path, gate) -> None:
    (tmp_path / "good.txt").write_text(GOOD_TRACE)
    (tmp_path / "bad.txt").write_text("Sure!\n" + GOOD_TRACE)
    (tmp_path / "after.txt").write_text(GOOD_TRACE + "This completes the proof.\n")
    done = gate("check", "--protocol=proof", ".", "--format=json")
    assert done.returncode == 1
    found = {
        f["path"]: [x["code"] for x in f["findings"]] for f in json.loads(done.stdout)["files"]
    }
    assert found == {"after.txt": ["VG005"], "bad.txt": ["VG001"], "good.txt": []}
    done = gate("check", "--protocol=proof", "bad.txt")
    assert "bad.txt:1:1: error: VG001" in done.stdout
    assert "    1 | Sure!" in done.stdout


@pytest.mark.parametrize(
    ("protocol", "place"),
    [
        (b"(define proof\n  (:states))\n", "mine.sexp:"),
        (b"; \xff\n", "mine.sexp:1: not UTF-8"),
        (b"", "mine.sexp:1:1: no protocol"),
        (None, "mine.sexp: cannot read the protocol"),
    ],
)
def test_a_protocol_that_cannot_be_used_is_told_once_at_its_own_place(
    tmp_path: Path, gate, protocol: bytes | None, place: str
) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(GOOD_TRACE)
    if protocol is not None:
        (tmp_path / "mine.sexp").write_bytes(protocol)
    done = gate("check", "--protocol=mine.sexp", "a.txt", "b.txt")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("error:") == 1
    assert place in done.stderr
    assert ".txt" not in done.stderr


def test_text_after_the_end_of_a_trace_is_cut_by_fix(tmp_path: Path, gate) -> None:
    (tmp_path / "after.txt").write_text(GOOD_TRACE + "This completes the proof.\n")
    done = gate("check", "--protocol=proof", "--fix", "after.txt")
    assert done.returncode == 0
    assert "fixed: VG005 text-after-termination" in done.stdout
    assert (tmp_path / "after.txt").read_text() == GOOD_TRACE


def test_a_trace_with_its_task_is_compared(tmp_path: Path, gate) -> None:
    body = (ROOT / "rust_tasks" / "t01-max-of-slice" / "reference.txt").read_text()
    (tmp_path / "r.txt").write_text(body)
    done = gate("check", "--protocol=proof", "--task=t01-max-of-slice", "r.txt")
    assert (done.returncode, "specification not compared" in done.stdout) == (0, False)
    (tmp_path / "r.txt").write_text(body.replace("{\n", "{\n    assume(false);\n", 1))
    done = gate("check", "--protocol=proof", "--task=t01-max-of-slice", "r.txt")
    assert done.returncode == 1
    assert "r.txt:3:5: error: VG301" in done.stdout


def test_a_trace_without_a_task_says_what_did_not_run(tmp_path: Path, gate) -> None:
    (tmp_path / "good.txt").write_text(GOOD_TRACE)
    done = gate("check", "--protocol=proof", "good.txt")
    assert "specification not compared" in done.stdout
    assert "not run: native (a trace without a task" in done.stdout


def test_a_trace_is_not_compared_with_a_file(tmp_path: Path, gate) -> None:
    (tmp_path / "good.txt").write_text(GOOD_TRACE)
    done = gate("check", "--protocol=proof", "--against=good.txt", "good.txt")
    assert done.returncode == 2
    assert "give --task" in done.stderr


def test_a_file_is_compared_with_its_task(tmp_path: Path, gate) -> None:
    from verulaw_gate.monitor import run_trace
    from verulaw_gate.protocol import load_protocol
    from verulaw_gate.tasks import assemble, load_task

    task = load_task("t01-max-of-slice")
    steps = run_trace(load_protocol("proof"), task.reference, prompt=(("task", ""),)).steps
    path = tmp_path / "answer.rs"
    path.write_text(assemble(task, steps).source)
    done = gate("check", "--task=t01-max-of-slice", "answer.rs")
    assert (done.returncode, "specification not compared" in done.stdout) == (0, False)
    path.write_text(path.read_text().replace("s@.len() > 0,", "s@.len() > 1,", 1))
    assert codes(gate("check", "--task=t01-max-of-slice", "--format=json", "answer.rs")) == [
        "VG403"
    ]


def test_a_file_name_that_is_no_text_comes_out_in_every_format(tmp_path: Path, gate) -> None:
    name = os.fsdecode(b"odd\xff.rs")
    (tmp_path / name).write_text(BROKEN)
    for form in ("human", "github"):
        assert name in gate("check", "--format", form, name).stdout
    for form in ("json", "sarif"):
        text = gate("check", "--format", form, name).stdout
        text.encode("utf-8")  # valid as it stands
        assert "VG101" in text
        json.loads(text)
    assert gate("check", "--write-baseline=known.json", name).returncode == 0
    assert gate("check", "--baseline=known.json", name).returncode == 0


def test_a_trace_that_is_not_utf8_is_a_finding(tmp_path: Path, gate) -> None:
    (tmp_path / "t.txt").write_bytes("[Body]\né ".encode() + b"\xff\n[QED]\n")
    done = gate("check", "--protocol=proof", "t.txt")
    assert done.returncode == 1
    assert "t.txt:2:3: error: VG009 not-utf8: byte 0xff at offset 10" in done.stdout


@pytest.mark.parametrize("data", ["[Body]\n{\x00}\n[QED]\n", GOOD_TRACE.replace("\n", "\r\n")])
def test_odd_traces(tmp_path: Path, gate, data: str) -> None:
    (tmp_path / "t.txt").write_bytes(data.encode())
    done = gate("check", "--protocol=proof", "t.txt")
    assert "\0" in data or done.returncode == 0
    assert done.stderr == ""


def test_the_protocol_of_the_settings_is_for_files_named_like_traces(
    tmp_path: Path, gate, honest: str
) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.verulaw-gate]\nprotocol = 'proof'\n")
    (tmp_path / "a.rs").write_text(honest)
    (tmp_path / "t.txt").write_text("Sure!\n" + GOOD_TRACE)
    done = gate("check", "a.rs", "t.txt", "--format=json")
    assert codes(done) == ["VG001"]
