"""Names with wildcards: what the shells of Windows do not expand."""

from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from rigview.cli.wildcards import expanded, pattern


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of files that is the working directory."""
    for name in ("a.glb", "b.glb", "c.txt", "a[1].glb", "a1.glb", "in/d.glb", "in/deep/e.glb"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("*.glb", ["a.glb", "a1.glb", "a[1].glb", "b.glb"]),
        ("?.glb", ["a.glb", "b.glb"]),
        ("i*/*.glb", ["in/d.glb"]),
        ("in/**/*.glb", ["in/d.glb", "in/deep/e.glb"]),
        ("a[1].glb", ["a[1].glb"]),
        ("a[1]*.glb", ["a[1].glb"]),
        ("b[1].glb", ["b[1].glb"]),
        ("z*.glb", ["z*.glb"]),
        ("c.txt", ["c.txt"]),
    ],
)
@pytest.mark.parametrize("absolute", [False, True])
def test_a_name_means_what_is_there(folder, given, meant, absolute):
    base = folder if absolute else Path()
    assert expanded([base / given]) == [base / name for name in meant]


def test_a_file_that_is_called_so_is_meant_itself(folder):
    (folder / "*.glb").touch()
    assert expanded([Path("*.glb")]) == [Path("*.glb")]


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        (PureWindowsPath("C:\\rigs\\*.glb"), "rigs/*.glb"),
        (PureWindowsPath("\\\\?\\C:\\rigs\\hero.glb"), ""),
        (PureWindowsPath("\\\\server\\share\\h?ro.glb"), "h?ro.glb"),
        (PureWindowsPath("rigs\\a[1].glb"), ""),
        (PurePosixPath("/rigs/[a]*.glb"), "rigs/[[]a]*.glb"),
    ],
)
def test_drives_and_servers_are_no_part_of_a_pattern(path, wanted):
    assert pattern(path) == wanted


def test_check_takes_them(rigview, broken, tmp_path):
    for rule in ("WGT-ZERO", "ORI-PRIMARY"):
        (tmp_path / f"{rule}.glb").write_bytes(broken(rule).read_bytes())
    done = rigview("check", tmp_path / "*.glb", "--select", "WGT-ZERO", "--format", "json")
    assert {Path(report["file"]).name for report in done.json["files"]} == {
        "ORI-PRIMARY.glb",
        "WGT-ZERO.glb",
    }
