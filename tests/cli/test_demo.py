"""The demo's own errors; that it runs and what it prints is tested with the README."""

from pathlib import Path

import pytest

from verulaw_gate.cli.main import main


def test_an_output_folder_that_is_a_file_is_one_clear_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").write_text("not a folder", encoding="utf-8")
    assert main(["demo", "--out", str(tmp_path / "out")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert str(tmp_path / "out") in err
    assert "--out" in err
    assert (tmp_path / "out").read_text(encoding="utf-8") == "not a folder"


def test_a_verus_path_without_the_real_verifier_is_refused(tmp_path: Path) -> None:
    assert main(["demo", "--out", str(tmp_path / "out"), "--verus", "/opt/verus/verus"]) == 2
