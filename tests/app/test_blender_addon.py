"""The add-on for Blender: what its zip holds, and what it does in a Blender without a window."""

import ast
import importlib.util
import io
import json
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import rigview
from rigview.app.blender_addon import packed
from rigview.cli import main

SAMPLES = Path(__file__).parents[2] / "samples"
# Opens a sample, checks it, selects what each finding names, fixes one rule, and tells of all as JSON.
SESSION = """
import json, sys
import bpy
import rigview_addon
rigview_addon.register()
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=sys.argv[1])
armature = next(one for one in bpy.data.objects if one.type == "ARMATURE")
bpy.context.view_layer.objects.active = armature
manager, told = bpy.context.window_manager, {}
bpy.ops.rigview.check()
told["found"] = [one.rule for one in manager.rigview_findings]
number = told["found"].index(sys.argv[2])
told["vertices"] = len(manager.rigview_findings[number].vertices.split(","))
bpy.ops.rigview.show(number=number)
told["mode"] = bpy.context.mode
bpy.ops.object.mode_set(mode="OBJECT")
mesh = bpy.context.view_layer.objects.active
told["selected"] = sum(one.select for one in mesh.data.vertices)
told["attributes"] = [one.name for one in mesh.data.attributes if "VERTEX" in one.name]
before = [[(g.group, g.weight) for g in v.groups] for v in mesh.data.vertices]
bpy.ops.rigview.fix(rules=sys.argv[2])
after = [[(g.group, g.weight) for g in v.groups] for v in mesh.data.vertices]
told["changed"] = sum(a != b for a, b in zip(before, after))
told["left"] = [one.rule for one in manager.rigview_findings]
rigview_addon.unregister()
print("TOLD", json.dumps(told))
"""


def test_the_zip_is_an_add_on_of_this_version(tmp_path, capsys):
    out = tmp_path / "addon.zip"
    assert main(["blender-addon", "-o", str(out)]) == 0
    assert "Install from Disk" in capsys.readouterr().out
    assert out.read_bytes() == packed()
    with zipfile.ZipFile(io.BytesIO(packed())) as package:
        manifest = tomllib.loads(package.read("blender_manifest.toml").decode())
        assert (manifest["id"], manifest["type"]) == ("rigview", "add-on")
        assert manifest["version"] == rigview.__version__
        names = set(package.namelist())
        assert names == {"blender_manifest.toml", "__init__.py", "exchange.py"}
        for name in names - {"blender_manifest.toml"}:
            ast.parse(package.read(name))


@pytest.fixture
def exchange():
    """Return the module of the add-on that needs no Blender."""
    path = Path(rigview.__file__).parents[1] / "resources" / "blender" / "exchange.py"
    spec = importlib.util.spec_from_file_location("exchange_of_addon", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def test_a_program_that_is_missing_or_fails_is_said_in_a_sentence(exchange, tmp_path):
    with pytest.raises(exchange.ExchangeError, match="no_such_program is not found"):
        exchange.program("no_such_program")
    with pytest.raises(exchange.ExchangeError, match=r"none\.glb"):
        exchange.run([sys.executable, "-m", "rigview", "info", str(tmp_path / "none.glb")])


def test_only_weights_and_names_are_taken(exchange):
    assert exchange.is_taken("WGT-STRAY")
    assert exchange.is_taken("HIE-NAMES")
    assert not exchange.is_taken("ORI-ROLL")


@pytest.mark.parametrize("rule", ["WGT-STRAY", "WGT-COUNT"])
def test_blender_selects_what_a_finding_names_and_takes_its_fix(tmp_path, rule):
    if importlib.util.find_spec("bpy") is None:
        pytest.skip("pip install bpy brings a Blender without a window")
    with zipfile.ZipFile(io.BytesIO(packed())) as package:
        package.extractall(tmp_path / "rigview_addon")
    program = tmp_path / "rigview"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rigview "$@"\n')
    program.chmod(0o755)
    script = tmp_path / "session.py"
    script.write_text(SESSION)
    done = subprocess.run(
        [sys.executable, str(script), str(SAMPLES / "broken" / f"{rule}.glb"), rule],
        env={
            "PATH": f"{tmp_path}:/usr/bin:/bin",
            "PYTHONPATH": ":".join([str(tmp_path), *sys.path]),
        },
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    line = next((one for one in done.stdout.splitlines() if one.startswith("TOLD ")), None)
    assert line is not None, done.stdout + done.stderr
    told = json.loads(line.removeprefix("TOLD "))
    assert rule in told["found"]
    assert told["mode"] == "EDIT_MESH"
    assert told["selected"] == told["vertices"] > 0
    assert told["attributes"] == []
    assert told["changed"] >= told["selected"]
    assert rule not in told["left"]
