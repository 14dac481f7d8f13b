"""``rigview fix``: a repaired copy, and nothing else changed."""

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
import rigs
from two_heads import TWO_HEADS

from rigview.check.run import run
from rigview.core.pose import model_from_nodes, rest_pose
from rigview.io import load


def left(path):
    return [finding.rule for finding in run(load(path).rig).findings]


def test_all_exact_fixes_are_made_and_the_source_is_not_touched(rigview, broken, tmp_path):
    source, out = broken("ORI-PRIMARY"), tmp_path / "out.glb"
    before = source.read_bytes()
    done = rigview("fix", source, "-o", out)
    assert (done.status, done.err) == (0, "")
    assert "fixed ORI-PRIMARY Skin" in done.out
    assert done.out.splitlines()[-1] == f"wrote {out}"
    assert left(source) == ["ORI-PRIMARY"]
    assert left(out) == []
    assert source.read_bytes() == before


def test_a_dry_run_says_what_would_be_done_and_writes_nothing(rigview, broken, tmp_path):
    out = tmp_path / "out.glb"
    done = rigview("fix", broken("ORI-PRIMARY"), "-o", out, "--dry-run")
    assert done.status == 0
    assert "would fix ORI-PRIMARY" in done.out
    assert not out.exists()
    assert rigview("fix", broken("ORI-PRIMARY"), "--dry-run").out == done.out


@pytest.mark.parametrize("command", ["fix", "rom"])
@pytest.mark.parametrize(
    ("name", "words"),
    [("out.stl", "rigview writes .gltf, .glb, .vrm"), ("none/out.glb", "there is no such folder")],
)
def test_a_name_that_cannot_be_written_is_refused_before_the_work(
    rigview, broken, command, name, words, tmp_path
):
    done = rigview(command, broken("ORI-PRIMARY"), "-o", tmp_path / name)
    assert (done.status, done.out) == (2, "")
    assert words in done.err


def test_a_fix_that_changes_the_shape_is_made_only_when_named(rigview, broken, tmp_path):
    source = broken("WGT-SUM")
    exact, named = tmp_path / "exact.glb", tmp_path / "named.glb"
    rigview("fix", source, "-o", exact)
    assert left(exact) == ["WGT-SUM"]
    assert exact.read_bytes() == source.read_bytes()
    assert rigview("fix", source, "-o", named, "--rules", "wgt-sum").status == 0
    assert left(named) == []


def test_only_the_named_rules_are_fixed(rigview, broken, tmp_path):
    out = tmp_path / "out.glb"
    assert rigview("fix", broken("ORI-PRIMARY"), "-o", out, "--rules", "SCL-SKIN").status == 0
    assert left(out) == ["ORI-PRIMARY"]


def test_what_is_left_for_a_request_is_named(rigview, broken, tmp_path):
    for rule, words in (("WGT-SUM", "--rules WGT-SUM\n"), ("ORI-PRIMARY", "")):
        done = rigview("fix", broken(rule), "--dry-run")
        asked = [line for line in done.out.splitlines() if "on request" in line]
        assert [f"{line}\n".endswith(words) for line in asked] == [True] * bool(words)
    named = rigview("fix", broken("WGT-SUM"), "-o", tmp_path / "a.glb", "--rules", "WGT-SUM")
    assert "on request" not in named.out


def test_what_the_studio_configured_holds_for_fixes_too(rigview, broken, samples, tmp_path):
    for file, rule in (
        (broken("ORI-PRIMARY"), "ORI-PRIMARY"),
        (samples / "biped.glb", "WGT-COUNT"),
    ):
        copy = tmp_path / file.name
        copy.write_bytes(file.read_bytes())
        config = tmp_path / "rigview.toml"
        config.write_text('ignore = ["ORI-PRIMARY"]\n[limits]\nWGT-COUNT = 2\n')
        fix = ("fix", copy, "--dry-run")
        assert f"would fix {rule} " not in rigview(*fix).out
        assert f"would fix {rule} " in rigview(*fix, "--rules", rule).out
        config.write_text("")
        by_default = rigview(*fix, "--rules", rule).out
        assert (f"would fix {rule} " in by_default) == (rule == "ORI-PRIMARY")
        config.write_text("profile = 3\n")
        done = rigview(*fix)
        assert done.status == 2
        assert str(config) in done.err
        assert rigview(*fix, "--config", "none").status == 0


def test_a_sound_rig_is_copied_byte_for_byte(rigview, box, tmp_path):
    out = tmp_path / "copy.glb"
    assert rigview("fix", box, "-o", out, "--fail-on", "never").status == 0
    assert out.read_bytes() == box.read_bytes()


def test_the_file_itself_is_overwritten_only_on_demand(rigview, broken, tmp_path):
    path = tmp_path / "rig.glb"
    path.write_bytes(broken("ORI-PRIMARY").read_bytes())
    refused = rigview("fix", path, "-o", path)
    assert (refused.status, refused.out) == (2, "")
    assert "--in-place" in refused.err
    assert left(path) == ["ORI-PRIMARY"]
    assert rigview("fix", path, "-o", path, "--in-place").status == 0
    assert left(path) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "-o"),
        (["-o", "out.glb", "--rules", "NO-SUCH"], "NO-SUCH"),
        (["-o", "out.glb", "--profile", "gtlf"], "gtlf"),
        (["-o", "no/such/folder/out.glb"], "folder"),
        (["-o", "out.obj"], ".obj"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(rigview, broken, arguments, words):
    done = rigview("fix", broken("ORI-PRIMARY"), *arguments)
    assert done.status == 2
    assert words in done.err
    assert done.err.count("\n") == 1


@pytest.fixture
def siblings(broken, tmp_path):
    """Files of the skeleton of ORI-PRIMARY: without clips, and of the nodes and clips alone."""
    source = load(broken("ORI-PRIMARY"))
    still = tmp_path / "still.glb"
    still.write_bytes(_without_clips(broken("ORI-PRIMARY").read_bytes()))
    # Plain JSON of the clips: what an exporter of clips alone writes.
    rig = source.rig
    names = [n if n != "Tube" else "Locator" for n in rig.nodes.names]
    clip_file = tmp_path / "clip.gltf"
    text, blob = _clips_alone(rig, names)
    clip_file.write_text(json.dumps(text))
    (tmp_path / "clip.bin").write_bytes(blob)
    return still, clip_file


def _without_clips(glb):
    """Return a GLB without its animations: the JSON gets spaces for what it loses."""
    length = int.from_bytes(glb[12:16], "little")
    document = json.loads(glb[20 : 20 + length])
    del document["animations"]
    text = json.dumps(document, separators=(",", ":")).encode()
    assert len(text) < length
    return glb[:20] + text.ljust(length) + glb[20 + length :]


def _clips_alone(rig, names):
    """Return a glTF of the nodes, in another order, and of the rotations and translations keyed."""
    order = list(reversed(range(len(rig.nodes))))
    new_of_old = {old: new for new, old in enumerate(order)}
    nodes = []
    for old in order:
        node = {
            "name": names[old],
            "translation": rig.nodes.translations[old].tolist(),
            "rotation": rig.nodes.rotations[old].tolist(),
            "scale": rig.nodes.scales[old].tolist(),
        }
        if rig.nodes.children[old]:
            node["children"] = [new_of_old[c] for c in rig.nodes.children[old]]
        nodes.append(node)
    views, accessors, samplers, channels, blob = [], [], [], [], b""
    for channel in rig.clips[0].channels:
        # The same motion backwards is another clip.
        values = channel.sampler.values[::-1]
        for array, kind in ((channel.sampler.times, "SCALAR"), (values, f"VEC{values.shape[1]}")):
            data = array.astype("<f4")
            views.append({"buffer": 0, "byteOffset": len(blob), "byteLength": data.nbytes})
            accessors.append(
                {
                    "bufferView": len(views) - 1,
                    "componentType": 5126,
                    "count": len(data),
                    "type": kind,
                    "min": np.atleast_1d(data.min(axis=0)).tolist(),
                    "max": np.atleast_1d(data.max(axis=0)).tolist(),
                }
            )
            blob += data.tobytes()
        samplers.append({"input": len(accessors) - 2, "output": len(accessors) - 1})
        target = {"node": new_of_old[channel.node], "path": channel.path}
        channels.append({"sampler": len(samplers) - 1, "target": target})
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [new_of_old[r] for r in rig.roots]}],
        "nodes": nodes,
        "animations": [{"name": "Back", "samplers": samplers, "channels": channels}],
        "buffers": [{"uri": "clip.bin", "byteLength": len(blob)}],
        "bufferViews": views,
        "accessors": accessors,
    }
    return document, blob


def heads(rig):
    return np.stack([model_from_nodes(rig, pose)[:, :3, 3] for pose in rigs.poses(rig)])


def frames(rig):
    model = model_from_nodes(rig, rest_pose(rig))
    return {rig.nodes.names[n]: model[n] for n in range(len(rig.nodes))}


def test_siblings_get_the_same_rest_frames_and_move_as_before(rigview, broken, siblings, tmp_path):
    source, out = broken("ORI-PRIMARY"), tmp_path / "new" / "out.glb"
    out.parent.mkdir()
    another = tmp_path / "another.glb"
    shutil.copy(source, another)
    done = rigview("fix", source, "-o", out, "--also", *siblings, another)
    assert done.status == 0
    assert done.err == f"rigview: {siblings[1]}: joints only in it, left as they are: Locator\n"
    names = ["still.repaired.glb", "clip.repaired.gltf", "another.repaired.glb"]
    assert done.out.splitlines()[-4:] == [f"wrote {out.with_name(n)}" for n in ["out.glb", *names]]
    repaired = load(out).rig
    wanted, old = frames(repaired), frames(load(source).rig)
    for name, path in zip(names, (*siblings, another), strict=True):
        before, after = load(path).rig, load(out.with_name(name)).rig
        got = frames(after)
        for joint in repaired.joints:
            label = repaired.nodes.names[joint]
            np.testing.assert_allclose(got[label], wanted[label], atol=1e-6)
        assert any(not np.allclose(got[n], old[n], atol=1e-3) for n in got if n in old)
        assert np.abs(heads(after) - heads(before)).max() <= 1e-6
        if before.parts:
            assert max(rigs.largest_difference(before, after).values()) <= 1e-5
    assert heads(load(siblings[1]).rig).std(axis=0).max() > 0.1
    np.testing.assert_array_equal(
        load(out.with_name(names[2])).rig.skins[0].inverse_binds, repaired.skins[0].inverse_binds
    )


def test_a_dry_run_tells_what_siblings_would_get(rigview, broken, siblings, tmp_path):
    before = sorted(tmp_path.iterdir())
    done = rigview("fix", broken("ORI-PRIMARY"), "--dry-run", "--also", siblings[0])
    assert done.status == 0
    assert (
        f"would carry 1 new frame, 0 new names and 0 new parents over to {siblings[0]}" in done.out
    )
    assert sorted(tmp_path.iterdir()) == before


def test_new_names_reach_siblings(rigview, broken, tmp_path):
    source, other, out = broken("HIE-NAMES"), tmp_path / "other.glb", tmp_path / "out.glb"
    shutil.copy(source, other)
    assert rigview("fix", source, "-o", out, "--also", other).status == 0
    names = load(tmp_path / "other.repaired.glb").rig.nodes.names
    assert names == load(out).rig.nodes.names != load(source).rig.nodes.names


def test_a_sibling_of_another_skeleton_is_refused_and_nothing_is_written(
    rigview, broken, siblings, box, no_rig, tmp_path
):
    before = sorted(tmp_path.iterdir())
    for stranger, words in ((box, "not a file of the same skeleton: "), (no_rig, "no format")):
        out = tmp_path / "out.glb"
        done = rigview("fix", broken("ORI-PRIMARY"), "-o", out, "--also", siblings[0], stranger)
        assert (done.status, done.out) == (2, "")
        assert str(stranger) in done.err
        assert words in done.err
        assert done.err.count("\n") == 1
        assert sorted(tmp_path.iterdir()) == before


def test_siblings_do_not_overwrite_each_other_or_a_file_given(rigview, broken, siblings, tmp_path):
    source, still = broken("ORI-PRIMARY"), siblings[0]
    taken = rigview("fix", source, "-o", tmp_path / "still.repaired.glb", "--also", still)
    twice = rigview("fix", source, "-o", tmp_path / "out.glb", "--also", still, still)
    for done in (taken, twice):
        assert (done.status, done.out) == (2, "")
        assert "still.repaired.glb" in done.err
    assert not (tmp_path / "out.glb").exists()


def test_a_fix_that_siblings_cannot_follow_is_refused(rigview, broken, tmp_path):
    source, out = broken("BND-REST"), tmp_path / "out.glb"
    other = tmp_path / "other.glb"
    shutil.copy(source, other)
    done = rigview("fix", source, "-o", out, "--rules", "BND-REST", "--also", other)
    assert (done.status, done.out) == (2, "")
    assert "--also cannot follow: the fixes moved root itself" in done.err
    assert not out.exists()


@pytest.mark.corpus
def test_what_is_left_is_what_the_copy_of_another_format_shows(rigview, corpus, tmp_path):
    path = corpus / "rigs/ufbx+ufbx/data/maya_game_sausage_7500_binary_deform.fbx"
    out = tmp_path / "copy.glb"
    told = [
        line
        for arguments in ([path, "--dry-run"], [path, "-o", out])
        for line in rigview("fix", *arguments).out.splitlines()
        if "; left: " in line
    ]
    assert told[0] == told[1]
    assert told[1].split("; left: ")[1] in rigview("check", out).out
    before = rigview("check", path).out
    assert told[1].split("; left: ")[1] not in before


def test_stages_of_a_fix_are_told_to_a_terminal_only(rigview, broken, tmp_path, monkeypatch):
    from rigview.cli import progress

    monkeypatch.setattr(progress, "_WORTH_TELLING", 0.0)
    monkeypatch.setattr(progress, "_PAUSE", 0.0)
    ask = ("fix", broken("WGT-ZERO"), "-o", tmp_path / "out.glb")
    quiet = rigview(*ask)
    assert quiet.err == ""
    monkeypatch.setattr(type(sys.stderr), "isatty", lambda stream: stream is sys.stderr)
    told = rigview(*ask)
    assert told.out == quiet.out
    texts = [text.rpartition(" ")[0] for text in told.err.split("\r\033[K")[1:-1]]
    for stage in (
        "WGT-ZERO.glb: 0 fixes made, comparing vertices",
        "WGT-ZERO.glb: 1 fix made, Vertices without weights",
        "what is left: Vertices without weights",
    ):
        assert stage in texts
    assert told.err.endswith("\r\033[K")


@pytest.mark.parametrize("while_", ["dry_run", "save"])
def test_ctrl_c_ends_a_fix_in_one_sentence_and_writes_nothing(
    rigview, broken, tmp_path, monkeypatch, while_
):
    def stopped(*_given, **_named):
        raise KeyboardInterrupt

    module = {"dry_run": "rigview.check.applying.repair.dry_run", "save": "os.fsync"}[while_]
    monkeypatch.setattr(module, stopped)
    out = tmp_path / "out.glb"
    out.write_bytes(b"as it was")
    ended = rigview("fix", broken("WGT-ZERO"), "-o", out)
    assert (ended.status, ended.err) == (130, "rigview: stopped; no file is left half-written\n")
    assert [path.name for path in tmp_path.iterdir()] == ["out.glb"]
    assert out.read_bytes() == b"as it was"


@pytest.fixture
def fbx(tmp_path, monkeypatch):
    """A skinned arm as binary FBX, whose hand moves nothing."""
    monkeypatch.syspath_prepend(Path(__file__).parents[1] / "io")
    import fbx_arm

    path = tmp_path / "arm.fbx"
    path.write_bytes(fbx_arm.binary())
    return path


def test_a_repaired_fbx_is_that_fbx_amended(rigview, fbx, tmp_path):
    out = tmp_path / "arm_fixed.fbx"
    unnamed = rigview("fix", fbx)
    assert unnamed.status == 2
    assert "as in -o arm.repaired.fbx" in unnamed.err
    done = rigview("fix", fbx, "-o", out, "--rules", "HIE-MESH-XFORM,WGT-SORT")
    assert (done.status, "fixed HIE-MESH-XFORM" in done.out) == (0, True)
    # FBX has no order of influences.
    assert "on request" not in done.out
    assert out.read_bytes().startswith(b"Kaydara FBX Binary")
    assert "HIE-MESH-XFORM" not in left(out)
    again = rigview("fix", out, "-o", tmp_path / "again.fbx", "--rules", "HIE-MESH-XFORM")
    assert "0 fixes" in again.out
    assert (tmp_path / "again.fbx").read_bytes() == out.read_bytes()


def test_an_fbx_of_another_file_is_refused_before_anything_is_done(rigview, broken, tmp_path):
    out = tmp_path / "out.fbx"
    done = rigview("fix", broken("ORI-PRIMARY"), "-o", out)
    assert (done.status, done.out) == (2, "")
    assert "only written as an amended copy of the FBX file that was opened" in done.err
    assert not out.exists()


_BOTH = ("--rules", "HIE-NAMES,ANI-CONST")


def test_of_fixes_that_a_format_refuses_in_part_the_others_are_named_and_saved_on_request(
    rigview, tmp_path
):
    source, out = tmp_path / "heads.bvh", tmp_path / "out.bvh"
    source.write_text(TWO_HEADS)
    refused = rigview("fix", source, "-o", out, *_BOTH)
    assert refused.status == 2
    assert "--skip-refused saves the fixes of HIE-NAMES without the others" in refused.err
    assert not out.exists()
    done = rigview("fix", source, "-o", out, *_BOTH, "--skip-refused")
    assert done.status == 0
    assert "fixed HIE-NAMES" in done.out
    assert "fixed ANI-CONST" not in done.out
    assert "not saved ANI-CONST: Hips would have keys of its own" in done.out
    assert "on request" not in done.out
    assert out.read_text() == "Head_2".join(TWO_HEADS.rsplit("Head", 1))


def test_what_was_not_saved_is_part_of_the_json(rigview, tmp_path):
    source = tmp_path / "heads.bvh"
    source.write_text(TWO_HEADS)
    argv = ("fix", source, "-o", tmp_path / "out.bvh", *_BOTH, "--skip-refused", "--format", "json")
    (facts,) = json.loads(rigview(*argv).out)["files"]
    assert [fixed["rule"] for fixed in facts["fixed"]] == ["HIE-NAMES"]
    assert [refused["rule"] for refused in facts["refused"]] == ["ANI-CONST"]


def test_where_no_fix_can_be_saved_none_is_promised(rigview, tmp_path):
    source, out = tmp_path / "heads.bvh", tmp_path / "out.bvh"
    source.write_text(TWO_HEADS)
    refused = rigview("fix", source, "-o", out, "--rules", "ANI-CONST")
    assert refused.status == 2
    assert "skip-refused" not in refused.err
    done = rigview("fix", source, "-o", out, "--rules", "ANI-CONST", "--skip-refused")
    assert "0 fixes" in done.out
    assert out.read_text() == TWO_HEADS


def test_skipping_what_is_refused_changes_nothing_where_all_can_be_saved(rigview, broken, tmp_path):
    plain, skipping = tmp_path / "plain.glb", tmp_path / "skipping.glb"
    rigview("fix", broken("ORI-PRIMARY"), "-o", plain)
    done = rigview("fix", broken("ORI-PRIMARY"), "-o", skipping, "--skip-refused")
    assert "not saved" not in done.out
    assert skipping.read_bytes() == plain.read_bytes()


@pytest.mark.corpus
def test_what_a_format_cannot_state_is_said_to_be_found_still(rigview, corpus, tmp_path):
    """FBX has no order of joints and influences; a copy in glTF has, and nothing is said."""
    source = corpus / "rigs/guillaumeblanc+ozz-animation/media/fbx/pab/arnaud.fbx"
    own = rigview("fix", source, "-o", tmp_path / "own.fbx")
    assert "fixed HIE-ORDER" in own.out
    words = (
        "still found in the copy: HIE-ORDER, WGT-SORT; FBX states no order of joints and influences"
    )
    assert words in own.out
    facts = rigview("fix", source, "-o", tmp_path / "facts.fbx", "--json")
    assert json.loads(facts.out)["files"][0]["still_found"] == ["HIE-ORDER", "WGT-SORT"]
    other = rigview("fix", source, "-o", tmp_path / "other.glb")
    assert "fixed HIE-ORDER" in other.out
    assert "still found" not in other.out
