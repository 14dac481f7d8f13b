"""Arms that rest in a T-pose or an A-pose: what is asked for, what turns, and what stays where it was."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rigs import with_nodes

from rigview.app.resting import RestPoseError, movement_words, rested
from rigview.check.applying.dryrun import dry_run
from rigview.check.applying.repair import repair, try_fix
from rigview.check.measures.facts import measured
from rigview.check.rule import PROFILES
from rigview.check.run import run
from rigview.core import quat
from rigview.core.clip import Clip
from rigview.core.mesh import Influences
from rigview.core.pose import model_from_nodes, sample
from rigview.io import load, save

SAMPLE = Path(__file__).parents[2] / "samples" / "biped.glb"
RULE = ["ORI-TPOSE"]


@pytest.fixture(scope="module")
def biped():
    """A body whose arms hang by 35°, and its clips."""
    return load(SAMPLE).rig


@pytest.fixture(scope="module")
def raised(biped):
    """The body with its arms bound and resting in a T-pose."""
    return rested(biped, "T", bind_anew=True).rig


@pytest.fixture(scope="module")
def lowered(biped):
    """The body with its arms bound and resting in an A-pose."""
    return rested(biped, "A", bind_anew=True).rig


def asked(pose):
    return replace(PROFILES["gltf"], rest_pose=pose)


def hanging(rig):
    """Return by how many degrees the upper arms hang below the line from left to right."""
    deformer = measured(rig).deformer
    (body,) = measured(rig).bodies
    heads, skeleton = deformer.rest_nodes[:, :3, 3], deformer.skeleton
    ends = [int(skeleton.joints[skeleton.primary[skeleton.places[arm]]]) for arm in body.arms]
    bones = heads[ends] - heads[list(body.arms)]
    return np.degrees(np.arcsin(-bones[:, 1] / np.linalg.norm(bones, axis=1)))


def model(rig, clip, times):
    return model_from_nodes(rig, sample(rig, clip, times))


def times_of(clip):
    return np.linspace(clip.start, clip.end, 23)


@pytest.mark.parametrize(("pose", "degrees"), [("T", 0.0), ("A", 45.0)])
@pytest.mark.parametrize("bind_anew", [False, True])
def test_arms_rest_as_is_asked(biped, lowered, pose, degrees, bind_anew):
    start = lowered if pose == "T" else biped
    made = rested(start, pose, bind_anew=bind_anew).rig
    assert hanging(made) == pytest.approx([degrees, degrees], abs=1e-3)


@pytest.mark.parametrize("bind_anew", [False, True])
def test_every_joint_is_where_it_was_in_every_clip(biped, bind_anew):
    made = rested(biped, "A", bind_anew=bind_anew).rig
    for old, new in zip(biped.clips, made.clips, strict=True):
        times = times_of(old)
        assert model(made, new, times) == pytest.approx(model(biped, old, times), abs=1e-9)


def test_a_clip_without_keys_of_an_arm_holds_it_where_it_rested(biped):
    arms = {n for b in measured(biped).bodies for arm in b.arms for n in biped.nodes.subtree(arm)}
    clip = biped.clips[0]
    still = Clip(clip.name, tuple(c for c in clip.channels if c.node not in arms))
    bare = replace(biped, clips=(still,))
    done = rested(bare, "A")
    assert done.keyed == 2
    assert done.movement.largest == 0.0
    assert dry_run(bare, replace(done.rig, clips=bare.clips), rest=False).largest > 0.1


def test_without_a_new_bind_nothing_moves_under_any_method_but_the_rest_pose(biped):
    done = rested(biped, "A")
    assert done.movement.exact
    assert done.rig.skins[0] is biped.skins[0]
    assert not dry_run(biped, done.rig).exact
    assert movement_words(biped, done.movement).startswith("nothing moves in ")


def test_what_a_new_bind_moves_is_said_with_vertex_clip_and_frame(biped):
    done = rested(biped, "A", bind_anew=True)
    part, vertex = done.movement.vertex
    influences = biped.primitive(part).influences
    assert np.count_nonzero(influences.weights[vertex]) > 1
    words = movement_words(biped, done.movement)
    assert f"vertex {vertex} of {biped.nodes.label(part.node)}" in words
    assert done.movement.clip in words
    assert 1e-5 < done.movement.largest / done.movement.size < 0.1


def test_the_mesh_rests_with_the_arms_and_is_bound_there(biped, lowered):
    posed = measured(rested(biped, "A").rig).deformer.rest_positions
    assert measured(lowered).deformer.rest_positions == pytest.approx(posed, abs=1e-9)
    assert run(lowered, select=["BND-REST"]).findings == ()


def rigid(rig):
    """Return a rig each of whose vertices follows its heaviest joint alone."""
    for mesh, shown in enumerate(rig.meshes):
        for number, primitive in enumerate(shown.primitives):
            heaviest = primitive.influences.heaviest[:, None]
            alone = Influences(heaviest, np.ones(heaviest.shape))
            rig = rig.with_primitive(mesh, number, replace(primitive, influences=alone))
    return rig


def test_of_a_rigid_skin_the_fix_is_exact_and_made_on_request(lowered):
    rig = rigid(lowered)
    (finding,) = run(rig, asked("T"), select=RULE).findings
    assert (finding.fix.kind, finding.fix.on_request) == ("exact", True)
    fixed, moved = try_fix(rig, finding)
    assert moved.exact
    assert moved.clips == len(rig.clips)
    assert run(fixed, asked("T"), select=RULE).findings == ()
    assert "ORI-TPOSE" not in {done.finding.rule for done in repair(rig, asked("T")).applied}


def test_of_a_blended_skin_the_fix_changes_the_shape(lowered):
    (finding,) = run(lowered, asked("T"), select=RULE).findings
    assert finding.fix.kind == "shape"
    assert not try_fix(lowered, finding)[1].exact


@pytest.mark.parametrize(
    ("rests", "wanted", "severities"),
    [("T", "T", []), ("T", "A", ["warning"]), ("A", "A", []), ("A", "T", ["warning"]),
     ("T", None, []), ("A", None, ["info"])],
)  # fmt: skip
def test_what_is_found_depends_on_what_is_asked(raised, lowered, rests, wanted, severities):
    report = run(raised if rests == "T" else lowered, asked(wanted), select=RULE)
    assert [report.severity(f) for f in report.findings] == severities
    # Unasked, an A-pose is a choice.
    assert len(report.notes) == len(severities) * (wanted is None)


def test_vrm_asks_for_a_t_pose(lowered):
    report = run(lowered, "vrm", select=RULE)
    assert [report.severity(f) for f in report.findings] == ["warning"]
    assert "T-pose" in report.findings[0].message


def test_arms_that_rest_elsewhere_than_bound_are_not_bound_anew(biped):
    off = rested(biped, "A").rig
    with pytest.raises(RestPoseError, match="away from the bind pose: fix BND-REST first"):
        rested(off, "T", bind_anew=True)
    (finding,) = run(off, asked("T"), select=RULE).findings
    assert finding.fix.kind == "none"


def test_what_is_in_the_pose_already_or_has_no_arms_is_refused(biped):
    with pytest.raises(RestPoseError, match=r"the arms cannot rest in an A-pose: .*already"):
        rested(rested(biped, "A").rig, "A")
    nameless = with_nodes(biped, names=tuple(f"j{i}" for i in range(len(biped.nodes))))
    with pytest.raises(RestPoseError, match="no joints are named like a body"):
        rested(nameless, "T")


def test_unequal_scale_above_an_arm_is_refused(biped):
    (body,) = measured(biped).bodies
    scales = biped.nodes.scales.copy()
    scales[biped.nodes.parents[body.arms[0]]] = (1.0, 1.0, 1.2)
    with pytest.raises(RestPoseError, match=r"unequal scale above .* would shear it"):
        rested(with_nodes(biped, scales=scales), "A")


def test_a_turned_arm_keeps_its_twist(biped):
    """The turn is the shortest one: it has no part about the bone that it makes."""
    made = rested(biped, "A").rig
    (body,) = measured(biped).bodies
    before, after = (measured(rig).deformer.rest_nodes for rig in (biped, made))
    for arm in body.arms:
        turn = quat.from_matrix(after[arm, :3, :3] @ before[arm, :3, :3].T)
        assert turn[:3] @ np.array([1.0, 0.0, 0.0]) == pytest.approx(0.0, abs=1e-6)


REAL = {
    "rigs/*/3d/ragdoll_physics/**/mannequiny.glb": "A",
    "rigs/*/3d/platformer/player/player.glb": "T",
    "rigs/saturday06*/**/rest_a_pose_t_position_rest.vrm": "T",
    "rigs/*/media/fbx/pab/walk.fbx": "T",
    "rigs/*/media/collada/pab/walk.dae": "T",
    "rigs/*/test_assets/USDZ/RiggedFigure/RiggedFigure.usdz": "T",
}


@pytest.mark.corpus
@pytest.mark.parametrize("pattern", REAL)
@pytest.mark.parametrize("bind_anew", [False, True])
def test_real_characters_are_saved_in_their_own_format(corpus, pattern, bind_anew, tmp_path):
    path = min(corpus.glob(pattern))
    loaded = load(path)
    done = rested(loaded.rig, REAL[pattern], bind_anew=bind_anew)
    out = tmp_path / f"copy{path.suffix}"
    save(loaded, done.rig, out)
    again = load(out).rig
    angle = 0.0 if REAL[pattern] == "T" else 45.0
    assert hanging(again) == pytest.approx([angle, angle], abs=1e-2)
    moved = dry_run(loaded.rig, again, rest=False)
    most = 0.02 if bind_anew else 1e-5
    assert moved.largest <= most * moved.size


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "pose"), [("maya_character_7500_binary.fbx", "A"), ("arnaud.fbx", "T")]
)
def test_an_fbx_clip_that_has_no_curve_of_an_arm_gets_a_key_that_holds_it(
    corpus, tmp_path, name, pose
):
    loaded, out = load(next(corpus.glob(f"rigs/*/**/{name}"))), tmp_path / "copy.fbx"
    done = rested(loaded.rig, pose)
    added = [
        {*after.properties} - {*before.properties}
        for before, after in zip(loaded.rig.clips, done.rig.clips, strict=True)
    ]
    assert all(added)
    save(loaded, done.rig, out)
    copy = load(out).rig
    assert hanging(copy) == pytest.approx([0.0 if pose == "T" else 45.0] * 2, abs=1e-2)
    moved = dry_run(loaded.rig, copy, rest=False)
    assert moved.largest <= 1e-5 * moved.size
