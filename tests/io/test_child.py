"""Child processes: what they import, what they may take, and that they end with their parent."""

import os
import subprocess
import sys
import time
from pathlib import Path

import planted
import pytest

from rigview.io.child import Child, ChildError, ChildLimits, ask

REPOSITORY = Path(__file__).parents[2]

# What children do here, each by its name.


def repeat(parent, *words):
    """Send the arguments, then every message back."""
    parent.send(" ".join(words).encode("utf-8", "surrogatepass"))
    while True:
        parent.send(parent.receive())


def say_nothing(parent):
    """End without an answer."""


def print_between(parent):
    """Print to stdout, as libraries do, beside the answer."""
    sys.stdout.write("a library's remark")
    sys.stdout.flush()
    os.write(1, b"another")
    parent.send(b"the answer")


def take_memory(parent):
    """Take twice the memory that is allowed."""
    parent.send(bytes(2 << 30))


def compute(parent):
    """Compute without end."""
    while True:
        pass


def abort(parent):
    """Die as C code does."""
    os.abort()


def search_path(parent):
    """Send the module path and the file of rigview."""
    import json

    import rigview

    parent.send(json.dumps([sys.path, rigview.__file__]).encode())


def wait(parent):
    """Say who this is, and wait while nothing comes."""
    parent.send(str(os.getpid()).encode())
    time.sleep(600)


def wait_untold(parent):
    """Wait where the kernel does not tell of the parent's end."""
    import ctypes

    ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)
    wait(parent)


def wait_in_c(parent):
    """Wait in C code that lets no other thread of Python run."""
    import ctypes

    parent.send(str(os.getpid()).encode())
    ctypes.PyDLL(None).sleep(600)


@pytest.fixture
def here(monkeypatch):
    """The name of a function of this module as a child finds it."""
    monkeypatch.syspath_prepend(Path(__file__).parent)
    monkeypatch.syspath_prepend(Path(planted.__file__).parent)
    return lambda function: f"test_child:{function.__name__}"


def test_messages_of_any_size_go_both_ways(here):
    with Child(here(repeat), ["two words", "ä\udcff"]) as child:
        assert child.receive(30).decode("utf-8", "surrogatepass") == "two words ä\udcff"
        for message in (b"", b"a", bytes(range(256)) * 20_000):
            child.send(message)
            assert child.receive(30) == message


def test_what_a_library_prints_is_no_message(here):
    assert ask(here(print_between)) == b"the answer"


@pytest.mark.thorough(keep=2)
@pytest.mark.parametrize(
    ("function", "limits", "why"),
    [
        (say_nothing, ChildLimits(), "crash"),
        (abort, ChildLimits(), "crash"),
        (take_memory, ChildLimits(size=1 << 30), "memory"),
        (compute, ChildLimits(seconds=1), "time"),
    ],
)
def test_a_child_without_an_answer_says_why(here, function, limits, why):
    pytest.importorskip("resource", reason="limits are POSIX")
    with pytest.raises(ChildError) as told:
        ask(here(function), (), limits)
    assert told.value.why == why
    assert str(told.value).startswith("it ")


def test_what_is_waited_for_can_be_stopped(here):
    def stop():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask(here(wait), pulse=stop)


def alive(process):
    """Tell whether a process runs; one that has ended and was not asked for does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs Linux's /proc")
@pytest.mark.parametrize("function", [wait_in_c, wait_untold], ids=["by the kernel", "by the pipe"])
def test_a_child_ends_with_its_parent_however_that_ends(here, function):
    script = (
        "import sys\nfrom rigview.io.child import Child\n"
        f"child = Child({here(function)!r})\n"
        "print(child.receive(30).decode(), flush=True)\nsys.stdin.read()\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(REPOSITORY), *sys.path])}
    parent = subprocess.Popen(
        [sys.executable, "-c", script],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with parent:
        child = int(parent.stdout.readline())
        assert alive(child)
        parent.kill()
    deadline = time.monotonic() + 10
    while alive(child) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not alive(child)


def test_a_child_has_the_parents_path_without_the_working_directory(here, tmp_path, monkeypatch):
    import json

    monkeypatch.chdir(tmp_path)
    for place in ("", ".", str(tmp_path)):
        monkeypatch.syspath_prepend(place)
    path, file = json.loads(ask(here(search_path)))
    assert str(Path(__file__).parent) in path
    assert not {"", ".", str(tmp_path)} & set(path)
    assert Path(file) == REPOSITORY / "rigview" / "__init__.py"


def test_nothing_in_the_working_directory_runs_when_a_usd_is_opened(tmp_path):
    pytest.importorskip("pxr")
    from pxr import Usd, UsdGeom

    hostile = tmp_path / "hostile"
    hostile.mkdir()
    stage = Usd.Stage.CreateNew(str(hostile / "arm.usdc"))
    UsdGeom.Mesh.Define(stage, "/mesh")
    stage.Save()
    trap = planted.Planted(hostile)
    done = subprocess.run(
        [*planted.command(tmp_path / "bin"), "info", "arm.usdc"],
        cwd=hostile,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert trap.ran == []
    assert done.returncode in (0, 2), done.stderr
    assert "Traceback" not in done.stderr
