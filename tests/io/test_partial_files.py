"""What a killed writer leaves behind, and what becomes of it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rigview.io import SaveError, load, save
from rigview.io.files import save_bytes, save_together

REPOSITORY = Path(__file__).parents[2]
WRITER = """
import sys, time
from pathlib import Path
from rigview.io.files import save_bytes, save_together

def parts(folder):
    yield folder / "a", b"first"
    print("ready", flush=True)
    time.sleep(600)

folder = Path(sys.argv[1])
if sys.argv[2] == "one":
    save_bytes(folder / "a", (data for _, data in parts(folder)))
else:
    save_together(folder, parts(folder))
"""
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills by a signal")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def writer(tmp_path):
    """Starts a process that is writing to the folder, and ends it."""
    started = []

    def start(kind):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path), kind],
            env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        assert process.stdout.readline() == "ready\n"
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.mark.parametrize("kind", ["one", "several"])
def test_what_a_killed_writer_left_goes_at_the_next_write_beside_it(writer, tmp_path, kind):
    process = writer(kind)
    process.kill()
    process.wait()
    assert len(names(tmp_path)) == 2
    save_bytes(tmp_path / "b", b"second")
    assert names(tmp_path) == ["b"]


@pytest.mark.parametrize("kind", ["one", "several"])
def test_what_a_writer_is_at_stays(writer, tmp_path, kind):
    writer(kind)
    before = names(tmp_path)
    assert len(before) == 2
    save_bytes(tmp_path / "b", b"second")
    save_together(tmp_path, [(tmp_path / "c", b"third"), (tmp_path / "d", b"fourth")])
    assert names(tmp_path) == [*before, "b", "c", "d"]


def test_two_writers_of_one_process_leave_each_other_alone(tmp_path):
    def inner():
        yield b"outer"
        save_bytes(tmp_path / "inner", b"inner")

    save_bytes(tmp_path / "outer", inner())
    assert {n: (tmp_path / n).read_bytes() for n in names(tmp_path)} == {
        "inner": b"inner",
        "outer": b"outer",
    }


def test_files_of_other_names_and_kinds_stay(tmp_path):
    os.mkfifo(tmp_path / ".rigview-unfinished-abc.lock")
    (tmp_path / ".rigview-unfinished-def.lock").symlink_to("other")
    kept = ["other", ".rigview-settings", ".rigview-unfinished-ghi-jkl.tmp"]
    for name in kept:
        (tmp_path / name).write_text("kept")
    before = names(tmp_path)
    save_bytes(tmp_path / "a", b"a")
    assert names(tmp_path) == sorted([*before, "a"])


def test_many_files_together_need_few_handles(tmp_path):
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (128, hard))
    try:
        save_together(tmp_path, [(tmp_path / f"{n}", b"x") for n in range(300)])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert len(names(tmp_path)) == 300


def test_the_folder_is_synced_after_the_file_has_its_name(tmp_path, monkeypatch):
    synced = []
    sync = os.fsync

    def noting(handle):
        place = Path(f"/proc/self/fd/{handle}").readlink()
        synced.append((place.name, (tmp_path / "a").exists()))
        sync(handle)

    if not Path("/proc/self/fd").exists():
        pytest.skip("needs Linux's /proc")
    monkeypatch.setattr(os, "fsync", noting)
    save_bytes(tmp_path / "a", b"a")
    assert synced[-1] == (tmp_path.name, True)
    assert [there for _, there in synced] == [False, True]


def test_links_that_lead_round_are_told(samples, tmp_path):
    loop = tmp_path / "loop.glb"
    loop.symlink_to("loop.glb")
    loaded = load(samples / "box.glb")
    for write in (lambda: save(loaded, loaded.rig, loop), lambda: save_bytes(loop, b"")):
        with pytest.raises(SaveError, match="too many levels of symbolic links"):
            write()
    assert loop.is_symlink()
