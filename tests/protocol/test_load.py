"""Finding and reading protocol files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from verulaw_gate.errors import InputError, ProtocolError, UsageError
from verulaw_gate.protocol import load_protocol, shipped

GOOD = '(define p (:states (a (:text "[A]"))) (:behavior (next a)))'


def test_by_name_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_protocol("proof").name == "proof"
    # A file that happens to have a shipped name is not what the name means.
    (tmp_path / "proof").write_text("nonsense")
    assert load_protocol("proof").name == "proof"


def test_by_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine.sexp"
    file.write_text(GOOD)
    monkeypatch.chdir(tmp_path)
    for given in (file, str(file), "mine.sexp", "./mine.sexp"):
        assert load_protocol(given).name == "p"
    file.write_bytes(b"\xef\xbb\xbf" + GOOD.replace(" ", "\r\n").encode())
    assert load_protocol(file).name == "p"


def test_bad_files_are_one_error_each(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no protocol 'nobody'") as caught:
        load_protocol("nobody")
    assert "proof-loop" in caught.value.hint
    with pytest.raises(InputError, match="cannot read"):
        load_protocol(tmp_path / "missing.sexp")
    with pytest.raises(InputError, match="cannot read"):
        load_protocol(tmp_path)
    file = tmp_path / "bad.sexp"
    file.write_bytes(b"; x\n\xff")
    with pytest.raises(InputError, match="not UTF-8") as caught_bytes:
        load_protocol(file)
    assert caught_bytes.value.line == 2
    file.write_bytes(b";" * 2_000_000)
    with pytest.raises(InputError, match="larger than"):
        load_protocol(file)
    file.write_bytes(b"")
    with pytest.raises(ProtocolError, match="no protocol in this file"):
        load_protocol(file)
    file.write_bytes(b"\x00")
    with pytest.raises(ProtocolError):
        load_protocol(file)


def test_importing_the_room_does_not_import_the_grammar_library() -> None:
    code = (
        "import sys, verulaw_gate.protocol, verulaw_gate.monitor\n"
        "heavy = {'lark', 'pydantic', 'rich', 'scipy', 'sqlalchemy', 'httpx'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_shipped_names_are_sorted() -> None:
    assert list(shipped()) == sorted(shipped())
