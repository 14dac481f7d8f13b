"""A save that fails says so in one sentence and leaves every file as it was."""

import errno
import os
import tempfile
from pathlib import Path

import pytest
from values import bound, moved, snapshot

from rigview.io import Cancelled, SaveError, load, save
from rigview.io.files import save_bytes, save_together


def failing(function, count, error):
    """Return a function that fails at its `count`-th call."""
    calls = []

    def replacement(*arguments, **named):
        calls.append(arguments)
        if len(calls) == count:
            raise OSError(error, os.strerror(error))
        return function(*arguments, **named)

    return replacement


def saved(loaded, rig, out):
    """Save and return why it failed, if so."""
    try:
        save(loaded, rig, out)
    except SaveError as failure:
        return str(failure)
    return ""


@pytest.mark.parametrize("suffix", [".gltf", ".glb"])
@pytest.mark.parametrize(
    ("owner", "name", "error"),
    [
        (os, "fsync", errno.ENOSPC),
        (Path, "replace", errno.EACCES),
        (Path, "chmod", errno.EPERM),
        (Path, "mkdir", errno.EROFS),
        (tempfile, "mkstemp", errno.EACCES),
    ],
)
@pytest.mark.parametrize("call", [1, 2, 3, 4])
@pytest.mark.parametrize("existing", [False, True])
def test_a_failure_leaves_everything_as_it_was(
    suffix, owner, name, error, call, existing, textured, tmp_path, monkeypatch
):
    loaded = load(textured)
    folder = tmp_path / "out"
    folder.mkdir()
    out = folder / f"out{suffix}"
    if existing:
        save(loaded, moved(loaded.rig), out)
    before = snapshot(tmp_path)
    changed = bound(loaded.rig, 1.0)
    with monkeypatch.context() as patched:
        patched.setattr(owner, name, failing(getattr(owner, name), call, error))
        failure = saved(loaded, changed, out)
    if failure:  # else there were fewer calls
        assert failure.startswith(f"{out}: ")
        assert failure.isprintable()
        assert snapshot(tmp_path) == before


def test_without_links_a_failure_still_leaves_everything_as_it_was(textured, tmp_path, monkeypatch):
    loaded = load(textured)
    out = tmp_path / "out.gltf"
    save(loaded, moved(loaded.rig), out)
    before = snapshot(tmp_path)
    changed = bound(loaded.rig, 1.0)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "hardlink_to", failing(Path.hardlink_to, 1, errno.EPERM))
        patched.setattr(Path, "replace", failing(Path.replace, 2, errno.EACCES))
        with pytest.raises(SaveError):
            save(loaded, changed, out)
    assert snapshot(tmp_path) == before


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere"
)
def test_a_folder_that_cannot_be_written_to_is_said_so(textured, tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    loaded = load(textured)
    with pytest.raises(SaveError, match="permission denied"):
        save(loaded, loaded.rig, folder / "out.glb")
    assert not list(folder.iterdir())


def test_a_folder_that_is_not_there_is_said_so(textured, tmp_path):
    loaded = load(textured)
    for out in (tmp_path / "none" / "out.glb", tmp_path / "none" / "out.gltf"):
        with pytest.raises(SaveError, match="there is no such folder"):
            save(loaded, loaded.rig, out)
    assert not (tmp_path / "none").exists()


def test_a_folder_of_the_name_of_out_is_left_alone(textured, tmp_path):
    (tmp_path / "out.glb").mkdir()
    loaded = load(textured)
    with pytest.raises(SaveError, match=r"out\.glb: is a directory"):
        save(loaded, loaded.rig, tmp_path / "out.glb")
    assert {p.name for p in tmp_path.iterdir()} == {"source", "out.glb"}


def test_a_file_keeps_its_permissions_when_it_is_saved_again(textured, tmp_path):
    out = tmp_path / "out.glb"
    out.touch(mode=0o640)
    loaded = load(textured)
    save(loaded, loaded.rig, out)
    assert out.stat().st_mode & 0o777 == 0o640


def interrupted(parts):
    """Yield some parts, and be stopped."""
    yield from parts
    raise Cancelled


@pytest.mark.parametrize("existing", [False, True])
def test_work_that_is_stopped_while_its_result_is_written_leaves_nothing(existing, tmp_path):
    one, folder = tmp_path / "a.webp", tmp_path / "turn"
    if existing:
        one.write_bytes(b"before")
        folder.mkdir()
        (folder / "1.png").write_bytes(b"before")
    before = snapshot(tmp_path)
    with pytest.raises(Cancelled):
        save_bytes(one, interrupted([b"some", b"more"]))
    with pytest.raises(Cancelled):
        save_together(folder, interrupted([(folder / "1.png", b"x"), (folder / "2.png", b"y")]))
    assert snapshot(tmp_path) == before


def test_parts_are_written_one_after_the_other(tmp_path):
    save_bytes(tmp_path / "a", iter([b"some", b"", b"more"]))
    assert (tmp_path / "a").read_bytes() == b"somemore"
