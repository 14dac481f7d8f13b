"""The library: what `import rigview` gives, how it finds things by name and refuses what is none."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import is_dataclass, replace
from importlib import import_module
from pathlib import Path

import pytest
import rigs

import rigview

REPOSITORY = Path(__file__).parents[2]
SAMPLES = REPOSITORY / "samples"
SCRIPT = Path(__file__).with_name("library_script.py")


@pytest.fixture(scope="module")
def arm():
    return rigview.load(SAMPLES / "arm.glb")


def run(*arguments, cwd):
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.gl
def test_a_script_that_uses_every_public_name_runs(tmp_path):
    text = SCRIPT.read_text(encoding="utf-8")
    used = set(re.findall(r"rigview\.(\w+)", text))
    assert used == set(rigview.__all__)
    done = run(SCRIPT, SAMPLES, tmp_path, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("there is no joint nobody")


def test_mypy_finds_the_types_of_every_public_name(tmp_path):
    cache = REPOSITORY / ".mypy_cache" / "library"
    recipes = sorted((REPOSITORY / "resources" / "manual" / "recipes").glob("*.py"))
    asked = ("-m", "mypy", "--strict", "--scripts-are-modules", "--cache-dir", cache)
    done = run(*asked, SCRIPT, *recipes, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_typed_names_are_those_that_are_imported_late():
    tree = ast.parse((REPOSITORY / "rigview" / "__init__.py").read_text(encoding="utf-8"))
    (typed,) = (node for node in tree.body if isinstance(node, ast.If))
    stated = {one.asname: node.module for node in typed.body for one in node.names}
    assert stated == rigview._PUBLIC
    for name, module in stated.items():
        value = getattr(import_module(module), name)
        assert getattr(rigview, name) is (rigview.check if name == "check" else value)
        assert name in dir(rigview)


def test_the_package_of_the_rules_is_the_function_as_well(arm):
    import rigview.check.run as running

    assert running.run is rigview.check.run.run
    assert rigview.check(arm, rules="WGT-SUM").asked == ("WGT-SUM",)


def test_importing_rigview_loads_nothing_heavy(tmp_path):
    code = "import sys, rigview; print(sorted({'numpy', 'PIL', 'scipy'} & set(sys.modules)))"
    assert run("-c", code, cwd=tmp_path).stdout == "[]\n"


def reachable(value, seen):
    """Yield all values of rigview that are reached from one by the fields of dataclasses."""
    if id(value) in seen:
        return
    seen[id(value)] = value
    if is_dataclass(value):
        yield value
        for inner in vars(value).values():
            yield from reachable(inner, seen)
    elif isinstance(value, Mapping):
        yield from (one for inner in value.values() for one in reachable(inner, seen))
    elif isinstance(value, tuple | list):
        yield from (one for inner in value for one in reachable(inner, seen))


def test_every_public_value_has_a_short_text(arm):
    faulty = rigview.load(SAMPLES / "faulty_arm.glb")
    fixed, receipt = rigview.repair(faulty)
    public = [
        arm,
        rigview.load(SAMPLES / "biped.glb"),
        rigview.check(faulty),
        (fixed, receipt),
        rigview.diff(faulty, fixed),
        rigview.skin(arm),
        rigview.measure(arm, 0, "lbs", times=[0.0]),
        tuple(rigview.METHODS.values()),
    ]
    values = list(reachable(public, {}))
    assert len({type(value) for value in values}) > 30
    long = {type(value).__name__: len(repr(value)) for value in values if len(repr(value)) > 400}
    assert not long


def test_a_text_says_what_is_in_a_rig(arm):
    assert repr(arm) == f"Loaded('arm.glb', {arm.rig!r})"
    assert repr(arm.rig) == "Rig(glTF, 22 joints, 1 mesh, clips Bend, Twist, Fist)"


def test_joints_clips_and_meshes_are_found_by_name(arm):
    rig = arm.rig
    for joint in rig.joints:
        assert rig.joint(rig.nodes.label(joint)) == rig.joint(joint) == joint
    for number, clip in enumerate(rig.clips):
        assert rig.clip(clip.name) is rig.clip(number) is clip
    for number, mesh in enumerate(rig.meshes):
        assert rig.mesh(mesh.name) == rig.mesh(number) == number


def test_a_name_that_nothing_has_is_told_with_the_nearest_one(arm):
    rig = arm.rig
    known = {
        "joint": rig.nodes.label(rig.joints[-1]),
        "clip": rig.clips[1].name,
        "mesh": rig.meshes[0].name,
    }
    for kind, name in known.items():
        with pytest.raises(rigview.RigviewError) as told:
            getattr(rig, kind)(f"{name}x")
        assert isinstance(told.value, KeyError)
        assert str(told.value) == f"there is no {kind} {name}x; did you mean {name}?"


def test_a_number_that_nothing_has_is_told(arm):
    for find in (arm.rig.joint, arm.rig.clip, arm.rig.mesh):
        with pytest.raises(rigview.RigviewError, match="number 999"):
            find(999)


def test_a_name_that_several_have_is_told_with_their_numbers():
    rig = rigs.tidy()
    names = ("twin",) * len(rig.nodes)
    rig = replace(rig, nodes=replace(rig.nodes, names=names))
    with pytest.raises(rigview.RigviewError, match=r"joints are called twin: .* of \d"):
        rig.joint("twin")


WRONG = {
    "a path in place of a rig": (lambda _: rigview.check("hero.glb"), TypeError, "rigview.load"),
    "a Path in place of a rig": (lambda _: rigview.skin(Path("a")), TypeError, "rigview.load"),
    "a number as the path": (lambda _: rigview.load(5), TypeError, "path"),
    "a number to compare": (lambda arm: rigview.diff(arm, 5), TypeError, "b: a Rig"),
    "an unknown unit": (lambda _: rigview.load("a", unit="parsec"), ValueError, "parsec"),
    "an unknown axis": (lambda _: rigview.load("a", up="W"), ValueError, "X, Y, Z"),
    "an unknown override": (lambda _: rigview.load("a", units=1.0), TypeError, "unit"),
    "a text as the frame rate": (lambda _: rigview.load("a", fps="24"), TypeError, "fps"),
    "a number as the rules": (lambda arm: rigview.check(arm, rules=5), TypeError, "rules"),
    "a number among the rules": (lambda arm: rigview.check(arm, rules=[5]), TypeError, "rules"),
    "no rule": (lambda arm: rigview.check(arm, rules=[]), ValueError, "at least one"),
    "an unknown rule": (lambda arm: rigview.check(arm, rules="WGT-SUN"), KeyError, "WGT-SUM"),
    "an unknown rule to repair": (lambda arm: rigview.repair(arm, "WGT-SUN"), KeyError, "WGT-SUM"),
    "a rule of another type": (lambda arm: rigview.repair(arm, [5]), TypeError, "id of a rule"),
    "an unknown profile": (lambda arm: rigview.check(arm, "unityy"), KeyError, "unity"),
    "a number as the clip": (lambda arm: rigview.skin(arm, 1.5), TypeError, "clip"),
    "a text as the time": (lambda arm: rigview.skin(arm, 0, "1"), TypeError, "time"),
    "no number as the time": (lambda arm: rigview.skin(arm, 0, float("nan")), ValueError, "NaN"),
    "an unknown method": (lambda arm: rigview.skin(arm, 0, 0.0, "dqz"), KeyError, "dqs"),
    "a number as the method": (lambda arm: rigview.skin(arm, 0, 0.0, 5), TypeError, "method"),
    "an unknown option": (lambda arm: rigview.skin(arm, strenght=1.0), TypeError, "strength"),
    "an option beyond its range": (
        lambda arm: rigview.skin(arm, strength=2.0),
        ValueError,
        "0 to 1",
    ),
    "no method": (lambda arm: rigview.measure(arm, 0, []), ValueError, "at least one"),
    "an unknown setting": (lambda arm: rigview.shot(arm, sise=(8, 8)), TypeError, "size"),
    "a picture too small": (lambda arm: rigview.shot(arm, size=(1, 1)), ValueError, "pixels"),
    "a picture of no size": (lambda arm: rigview.shot(arm, size="big"), TypeError, "size"),
    "an unknown view": (lambda arm: rigview.shot(arm, view="left-ish"), ValueError, "front"),
    "an unknown shading": (lambda arm: rigview.shot(arm, shading="wool"), ValueError, "clay"),
    "no source": (lambda arm: rigview.save(arm, "a.glb", source=5), TypeError, "source"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_refused_with_what_is_wanted(arm, case):
    call, error, words = WRONG[case]
    with pytest.raises(error, match=words):
        call(arm)


def test_a_rig_without_skinned_mesh_cannot_be_measured(arm):
    bare = replace(arm.rig, node_meshes=(None,) * len(arm.rig.nodes))
    with pytest.raises(rigview.RigviewError, match="nothing to measure"):
        rigview.measure(bare)


def test_the_vertices_of_one_mesh_are_those_of_all_where_there_is_one(arm):
    whole, one = (
        rigview.skin(arm, "Bend", 0.5, "dqs"),
        rigview.skin(arm, "Bend", 0.5, "dqs", mesh=0),
    )
    assert (whole.positions == one.positions).all()
    assert (whole.normals == one.normals).all()


def test_a_glb_saved_with_its_source_keeps_it_byte_for_byte(arm, tmp_path):
    rigview.save(arm.rig, tmp_path / "copy.glb", source=arm)
    assert (tmp_path / "copy.glb").read_bytes() == arm.path.read_bytes()
    rigview.save(arm.rig, tmp_path / "anew.glb")
    assert rigview.diff(arm, rigview.load(tmp_path / "anew.glb")).same
