"""The layers hold: import contracts, and what a command loads before it needs it."""

import base64
import json
import os
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]

# One triangle on two joints, its buffer inside: positions, joints, weights, inverse binds.
VERTICES = bytes(36) + bytes([0, 1, 0, 0] * 3) + struct.pack("<4f", 0.75, 0.25, 0.0, 0.0) * 3
SKINNED_TRIANGLE = json.dumps(
    {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 2]}],
        "nodes": [
            {"children": [1], "name": "low"},
            {"translation": [0, 1, 0], "name": "high"},
            {"mesh": 0, "skin": 0, "name": "Body"},
        ],
        "meshes": [
            {"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}}]}
        ],
        "skins": [{"joints": [0, 1]}],
        "accessors": [
            {
                "bufferView": 0,
                "componentType": 5126,
                "count": 3,
                "type": "VEC3",
                "min": [0, 0, 0],
                "max": [0, 0, 0],
            },
            {"bufferView": 1, "componentType": 5121, "count": 3, "type": "VEC4"},
            {"bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC4"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 36},
            {"buffer": 0, "byteOffset": 36, "byteLength": 12},
            {"buffer": 0, "byteOffset": 48, "byteLength": 48},
        ],
        "buffers": [
            {
                "byteLength": 96,
                "uri": "data:application/octet-stream;base64,"
                + base64.b64encode(VERTICES).decode(),
            }
        ],
    }
)


def python(*arguments, **environment):
    """Run a Python process in the repository and return what it says."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_import_contracts_are_kept(tmp_path):
    done = python(
        "-c",
        "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


def loaded_by(code):
    """Return the top-level modules that a piece of code loads, and its exit status."""
    done = python(
        "-c",
        f"import sys, json\nstatus = 0\ntry:\n    {code}\n"
        "except SystemExit as end:\n    status = end.code\n"
        "print()\nprint(json.dumps([status, sorted({m.split('.')[0] for m in sys.modules})]))",
    )
    assert done.returncode == 0, done.stderr
    status, modules = json.loads(done.stdout.splitlines()[-1])
    return set(modules), status


DRAWING = {"PySide6", "shiboken6", "pyqtgraph", "qtawesome", "OpenGL"}


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_to_say_what_it_is_the_command_loads_next_to_nothing(argument):
    modules, status = loaded_by(f"from rigview.cli import main; main([{argument!r}])")
    assert not status
    assert not modules & (DRAWING | {"numpy", "PIL"})


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "{file}"],
        ["check", "{file}", "--format", "json", "--profile", "thesis", "--fail-on", "never"],
        ["info", "{file}"],
        ["fix", "{file}", "-o", "{out}.gltf"],
        ["bake", "{file}", "-o", "{out}.npz", "--method", "compensated"],
    ],
    ids=lambda arguments: " ".join(arguments[:1] + arguments[2:3]),
)
def test_commands_that_draw_nothing_load_neither_qt_nor_opengl(arguments, tmp_path):
    file = tmp_path / "rig.gltf"
    file.write_text(SKINNED_TRIANGLE)
    given = [a.format(file=file, out=tmp_path / "out") for a in arguments]
    modules, status = loaded_by(f"from rigview.cli import main; status = main({given!r})")
    assert status == 0
    assert not modules & DRAWING


@pytest.mark.parametrize("package", ["core", "check", "io", "render", "assets", "cli"])
def test_no_package_but_ui_loads_qt(package):
    folder = REPOSITORY / "rigview" / package
    names = (
        sorted(
            ".".join(path.relative_to(REPOSITORY).with_suffix("").parts)
            for path in folder.rglob("*.py")
        )
        if folder.is_dir()
        else [f"rigview.{package}"]
    )
    modules, _ = loaded_by(f"import importlib; [importlib.import_module(n) for n in {names!r}]")
    assert "numpy" in modules or package in ("assets", "cli")
    assert not modules & DRAWING


def test_the_top_level_holds_what_was_agreed_and_nothing_else():
    git = shutil.which("git")
    if git is None or not (REPOSITORY / ".git").exists():
        pytest.skip("without git and a checkout it is not known what belongs to it")
    asked = subprocess.run(
        [git, "-c", f"safe.directory={REPOSITORY}", "ls-files", "-z"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    if asked.returncode:
        pytest.skip(f"git does not tell what belongs to the checkout: {asked.stderr.strip()}")
    top = {Path(name).parts[0] for name in asked.stdout.split("\0") if name}
    files = {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md"}
    folders = {"rigview", "resources", "shaders", "tests", "samples"}
    assert {name for name in top if not name.startswith(".")} == files | folders


def test_one_module_starts_all_child_processes():
    import ast

    starts = {"subprocess", "multiprocessing", "concurrent.futures.process", "pty"}
    found = {}
    for path in sorted((REPOSITORY / "rigview").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            named = {
                name for name in names if name in starts or name.endswith("ProcessPoolExecutor")
            }
            if isinstance(node, ast.Attribute) and node.attr in {
                "fork",
                "system",
                "popen",
                "QProcess",
            }:
                named.add(node.attr)
            if named:
                found.setdefault(path.relative_to(REPOSITORY).as_posix(), set()).update(named)
    assert found == {"rigview/io/child.py": {"subprocess"}}


def test_public_classes_have_names_of_their_own():
    import ast

    places = {}
    for path in sorted((REPOSITORY / "rigview").rglob("*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(path.relative_to(REPOSITORY).as_posix())
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_no_module_has_more_than_470_lines():
    lengths = {
        path.relative_to(REPOSITORY).as_posix(): len(path.read_text().splitlines())
        for path in (REPOSITORY / "rigview").rglob("*.py")
    }
    assert {name: lines for name, lines in lengths.items() if lines > 470} == {}


def test_files_that_the_source_names_are_there():
    """A docstring that sends the reader to a test, benchmark or sample names one that exists."""
    named = re.compile(r"\b(?:tests|samples|shaders|resources)/[\w/-]+\.(?:py|glsl|json|md|glb)\b")
    missing = {
        f"{path.relative_to(REPOSITORY)}: {name}"
        for path in sorted((REPOSITORY / "rigview").rglob("*.py"))
        for name in named.findall(path.read_text(encoding="utf-8"))
        if not (REPOSITORY / name).exists()
    }
    assert not missing
