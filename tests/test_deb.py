"""The Debian package: built by its script, installed by apt in a fresh Debian, used and removed."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough

REPOSITORY = Path(__file__).parents[1]
SUITE = "bookworm"
MIRROR = "http://deb.debian.org/debian"
# What the programs of the fresh system see, instead of what ours have.
ENVIRONMENT = {
    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LANG": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive",
    **{name: os.environ[name] for name in ("http_proxy", "https_proxy") if name in os.environ},
}


def run(*command, environment=ENVIRONMENT):
    """Run a program to its end, and return what it did."""
    words = [str(word) for word in command]
    return subprocess.run(words, check=False, capture_output=True, text=True, env=environment)


@pytest.fixture(scope="module")
def package():
    """The package, as its script builds it now."""
    built = run("bash", REPOSITORY / ".ci" / "deb.sh", environment=dict(os.environ))
    assert built.returncode == 0, built.stderr[-2000:]
    return REPOSITORY / built.stdout.split()[-1]


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    """A Debian with nothing but what a minimal one has, and a rig in it."""
    if os.geteuid() != 0:
        pytest.skip("chroot needs root")
    if shutil.which("debootstrap") is None or shutil.which("dpkg-deb") is None:
        pytest.skip("debootstrap or dpkg-deb is not installed")
    root = tmp_path_factory.mktemp("debian") / "root"
    made = run("debootstrap", "--variant=minbase", SUITE, root, MIRROR)
    if made.returncode != 0:
        pytest.skip(f"debootstrap: {made.stdout.strip().splitlines()[-1]}")
    shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
    shutil.copy(REPOSITORY / "samples" / "arm.glb", root / "root" / "arm.glb")
    shutil.copy(REPOSITORY / "samples" / "faulty_arm.glb", root / "root" / "faulty.glb")
    yield root
    shutil.rmtree(root)


@pytest.fixture(scope="module")
def installed(fresh, package):
    """The fresh Debian with the package."""
    shutil.copy(package, fresh / "root" / "rigview.deb")
    for words in (
        ("update",),
        ("install", "--yes", "--no-install-recommends", "/root/rigview.deb"),
    ):
        done = run("chroot", fresh, "apt-get", *words)
        assert done.returncode == 0, done.stderr[-2000:]
    return fresh


def test_apt_installs_it_where_there_is_no_python(installed):
    assert not (installed / "usr/bin/python3").exists()
    said = run("chroot", installed, "rigview", "--version")
    assert (said.returncode, said.stdout.split()[0]) == (0, "rigview"), said.stderr


def test_it_checks_and_draws(installed):
    sound = run("chroot", installed, "rigview", "check", "/root/arm.glb")
    assert sound.returncode == 0, sound.stdout + sound.stderr
    faulty = run("chroot", installed, "rigview", "check", "/root/faulty.glb")
    assert faulty.returncode == 1, faulty.stdout + faulty.stderr
    drawn = run("chroot", installed, "rigview", "shot", "/root/arm.glb", "-o", "/root/arm.png")
    assert drawn.returncode == 0, drawn.stderr
    assert (installed / "root/arm.png").read_bytes().startswith(b"\x89PNG")


def test_its_window_stays_open(installed):
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed")
    # Its abstract socket is reached from the other root as well.
    read, write = os.pipe()
    screen = subprocess.Popen(
        ["Xvfb", "-ac", "-nolisten", "tcp", "-displayfd", str(write)],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as told:
        display = told.readline().strip()
    window = subprocess.Popen(
        ["chroot", installed, "rigview", "/root/arm.glb"],
        env={**ENVIRONMENT, "DISPLAY": f":{display}", "QT_DEBUG_PLUGINS": "0"},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        time.sleep(15.0)
        ended = window.poll()
    finally:
        window.terminate()
        _, errors = window.communicate(timeout=30.0)
        screen.terminate()
        screen.wait()
    assert ended is None, errors
    assert "Traceback" not in errors


def test_desktops_find_it(installed):
    entry = (installed / "usr/share/applications/rigview.desktop").read_text()
    program = next(line for line in entry.splitlines() if line.startswith("Exec=")).split("=")[1]
    assert run("chroot", installed, "which", program.split()[0]).returncode == 0
    icon = next(line for line in entry.splitlines() if line.startswith("Icon=")).split("=")[1]
    assert list(installed.glob(f"usr/share/icons/hicolor/*/apps/{icon}.*"))


def test_removing_it_leaves_nothing(installed):
    """The last test here: the others need it installed."""
    owned = run("chroot", installed, "dpkg", "-L", "rigview").stdout.split("\n")
    gone = run("chroot", installed, "apt-get", "remove", "--yes", "rigview")
    assert gone.returncode == 0, gone.stderr
    left = [name for name in owned if "rigview" in name and (installed / name[1:]).exists()]
    assert left == []
