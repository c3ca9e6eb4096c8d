"""Removing a directory tree, whatever a command made of it."""

from __future__ import annotations

import os
import resource

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verulaw_gate.verus import workdir
from verulaw_gate.verus._proctree import remove

NAMES = st.sampled_from([b"a", b"b", b"\xff\xfe", b"line\nbreak", b"..x", b" "])
TREES = st.recursive(
    st.sampled_from(["file", "link", "fifo", "shut"]),
    lambda inside: st.dictionaries(NAMES, inside, max_size=3),
    max_leaves=12,
)


def make(tree, place: bytes, outside) -> None:
    if isinstance(tree, dict):
        os.mkdir(place)
        for name, below in tree.items():
            make(below, os.path.join(place, name), outside)
    elif tree == "shut":
        os.mkdir(place)
        os.close(os.open(os.path.join(place, b"f"), os.O_CREAT))
        os.chmod(place, 0)
    elif tree == "link":
        os.symlink(outside, place)
    elif tree == "fifo":
        os.mkfifo(place)
    else:
        os.close(os.open(place, os.O_CREAT))


@given(TREES)
def test_nothing_of_any_tree_is_left_and_nothing_outside_is_touched(tree):
    base = workdir.new_call_dir()
    outside, inside = base / "outside", base / "inside"
    outside.mkdir()
    (outside / "kept").write_text("kept")
    inside.mkdir()
    make(tree, os.path.join(os.fsencode(inside), b"top"), outside)
    remove(str(inside))
    assert not os.path.lexists(inside)
    assert (outside / "kept").read_text() == "kept"
    remove(str(base))
    assert not base.exists()


def deep(path, levels: int) -> None:
    """A chain of directories, longer than any path may be."""
    here = os.open(path, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("d" * 10, dir_fd=here)
        os.close(os.open("file", os.O_CREAT, dir_fd=here))
        below = os.open("d" * 10, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)


@pytest.mark.parametrize("descriptors", [None, 20])
def test_depth_costs_neither_stack_nor_descriptors_nor_paths(tmp_path, descriptors):
    top = tmp_path / "top"
    top.mkdir()
    deep(top, 1200)
    opened = len(os.listdir("/proc/self/fd"))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        if descriptors is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(map(int, fds())) + descriptors, hard))
        remove(str(top))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert not top.exists()
    assert len(os.listdir("/proc/self/fd")) == opened


def fds() -> list[str]:
    return os.listdir("/proc/self/fd")


def test_a_dead_run_with_a_deep_tree_does_not_stop_the_next_start(tmp_path):
    base = tmp_path / "base"
    run = base / f"4194303-1-{workdir.run_name().rsplit('-', 1)[1]}"
    run.mkdir(parents=True)
    deep(run, 1200)
    assert workdir.sweep(base) == 1
    assert not run.exists()


def test_a_link_or_a_file_in_its_place_is_not_followed(tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("kept")
    (tmp_path / "link").symlink_to(kept)
    remove(str(tmp_path / "link"))
    assert not (tmp_path / "link").is_symlink()
    remove(str(tmp_path / "nothing"))
    assert (kept / "file").read_text() == "kept"
