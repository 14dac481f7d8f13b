"""Siblings: the new frames and names reach every file of the skeleton, and nothing of it moves."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import given, settings
from hypothesis import strategies as st
from tidy import ARM, ARMATURE, BODY, CHEST, HAND, HEAD, HIPS, SPINE

from rigview.check.applying.dryrun import dry_run
from rigview.check.applying.propagate import SAME_REST, propagate
from rigview.check.applying.reframing import reframing
from rigview.check.applying.repair import repair
from rigview.check.rig_edits.reframe import FrameTurn, reframe, with_node
from rigview.check.rig_edits.reorient import reorient
from rigview.check.rig_edits.reparent import reparent
from rigview.check.rule import PROFILES, Refused
from rigview.core import affine, quat
from rigview.core.clip import Channel, Clip
from rigview.core.motion.clips_by_name import borrow_clips
from rigview.core.nodes import Nodes
from rigview.core.placement import scaled, to_y_up
from rigview.core.placement import turned as whole_turned
from rigview.core.pose import model_from_nodes, rest_pose, sample
from rigview.core.rig import Rig
from rigview.core.sampler import Sampler
from rigview.io import load


def rest_by_name(rig):
    model = model_from_nodes(rig, rest_pose(rig))
    return {rig.nodes.names[joint]: model[joint] for joint in rig.joints}


def frames(rig):
    """Return ``(T, N, 4, 4)`` the frames of the nodes, at rest and in all clips."""
    return np.stack([model_from_nodes(rig, pose) for pose in rigs.poses(rig)])


def heads(rig):
    """Return ``(T, N, 3)`` where the nodes are, at rest and in all clips."""
    return frames(rig)[..., :3, 3]


def clips_only(rig, order):
    """Return the rig without meshes and skins, its nodes listed in another order."""
    new_of_old = {old: new for new, old in enumerate(order)}
    nodes = rig.nodes
    clips = tuple(
        replace(c, channels=tuple(replace(ch, node=new_of_old[ch.node]) for ch in c.channels))
        for c in rig.clips
    )
    none = (None,) * len(nodes)
    shuffled = Nodes(
        tuple(nodes.names[n] for n in order),
        tuple(tuple(new_of_old[c] for c in nodes.children[n]) for n in order),
        nodes.translations[order],
        nodes.rotations[order],
        nodes.scales[order],
    )
    return Rig(shuffled, none, none, tuple(new_of_old[r] for r in rig.roots), clips=clips)


def waving():
    """Return the tidy character with another clip, whose keys have tangents."""
    rig = rigs.tidy()
    rng = np.random.default_rng(3)
    rotations = rig.nodes.rotations[CHEST] + 0.2 * rng.normal(size=(4, 3, 4))
    moves = rig.nodes.translations[HAND] + 0.2 * rng.normal(size=(4, 3, 3))
    times = np.array([0.0, 0.3, 0.7, 1.5])
    channels = (
        Channel(CHEST, "rotation", Sampler(times, rotations, "CUBICSPLINE")),
        Channel(HAND, "translation", Sampler(times, moves, "CUBICSPLINE")),
    )
    return replace(rig, clips=(Clip("Other", channels),))


def turned(rig):
    """Return the rig with new frames for three joints, two of them parent and child."""
    axis = np.array([[1.0, 2.0, 0.5], [0.0, 1.0, 0.0], [1.0, 0.0, -1.0]])
    turns = quat.from_axis_angle(axis / np.linalg.norm(axis, axis=1)[:, None], [0.4, 1.2, 2.5])
    return reframe(rig, {n: FrameTurn(q) for n, q in zip((CHEST, ARM, HEAD), turns, strict=True)})


@settings(max_examples=15)
@given(
    rig=rigs.rigs(
        vertices=12,
        joints=st.integers(3, 6),
        influences=3,
        clips=st.integers(1, 2),
        helpers=st.booleans(),
    ),
    data=st.data(),
)
def test_turns_and_scales_found_from_two_rests_are_those_that_were_made(rig, data):
    chosen = data.draw(st.sets(st.sampled_from(rig.joints), min_size=1))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    turns = {
        n: FrameTurn(rigs.random_turn(rng), float(rng.uniform(0.5, 2.0))) for n in sorted(chosen)
    }
    bare = replace(rig, clips=())
    change = reframing(bare, reframe(bare, turns))
    assert set(change.turns) == chosen
    carried = propagate(change, rig)
    for a, b in zip(frames(carried.rig), frames(reframe(rig, turns)), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9 * np.abs(b).max())
    assert max(rigs.largest_difference(rig, carried.rig).values()) <= 1e-9


def test_a_file_of_clips_alone_follows_whatever_the_order_of_its_nodes():
    rig = rigs.tidy()
    sibling = clips_only(waving(), [HAND, BODY, ARM, ARMATURE, HEAD, CHEST, SPINE, HIPS])
    carried = propagate(reframing(rig, turned(rig)), sibling)
    assert carried.turned == 3
    assert np.abs(heads(carried.rig) - heads(sibling)).max() <= 1e-12
    wanted, got = rest_by_name(turned(rig)), rest_by_name(carried.rig)
    for name, frame in wanted.items():
        np.testing.assert_allclose(got[name], frame, atol=1e-12)
    assert not np.allclose(got["arm"], rest_by_name(sibling)["arm"])


def test_a_carried_clip_plays_on_the_repaired_rig_as_it_did_on_the_old_one():
    rig, other = rigs.tidy(), waving()
    repaired = turned(rig)
    carried = propagate(reframing(rig, repaired), other)
    borrowed = replace(repaired, clips=carried.rig.clips)
    lent = replace(rig, clips=other.clips)
    assert max(rigs.largest_difference(lent, borrowed).values()) <= 1e-12
    # And without the new frames it does not: the test can fail.
    assert max(rigs.largest_difference(lent, replace(repaired, clips=other.clips)).values()) > 1e-3


@pytest.mark.parametrize("name", ["broken/ORI-PRIMARY", "faulty_arm", "broken/SCL-INHERIT"])
def test_repaired_samples_and_their_siblings_rest_alike(samples, name):
    rig = load(samples / f"{name}.glb").rig
    repaired = repair(rig).rig
    last = Clip("Backwards", tuple(_backwards(c) for c in rig.clips[0].channels))
    sibling = replace(rig, clips=(last,))
    carried = propagate(reframing(rig, repaired), sibling)
    assert carried.turned > 0
    wanted, got = rest_by_name(repaired), rest_by_name(carried.rig)
    for joint, frame in got.items():
        np.testing.assert_allclose(frame, wanted[joint], rtol=1e-9, atol=1e-9)
    assert max(rigs.largest_difference(sibling, carried.rig).values()) <= 1e-9


def _backwards(channel):
    sampler = channel.sampler
    return replace(
        channel, sampler=Sampler(sampler.times, sampler.values[::-1], sampler.interpolation)
    )


def test_joints_of_one_name_are_told_apart_by_where_they_rest(samples):
    rig = load(samples / "broken" / "HIE-NAMES.glb").rig
    repaired = repair(rig).rig
    assert len(set(repaired.nodes.names)) > len(set(rig.nodes.names))
    order = list(reversed(range(len(rig.nodes))))
    carried = propagate(reframing(rig, repaired), clips_only(rig, order))
    assert carried.rig.nodes.names == tuple(repaired.nodes.names[n] for n in order)
    assert carried.renamed == 1


def test_exchanged_names_are_exchanged_at_once():
    rig = rigs.tidy()
    names = list(rig.nodes.names)
    names[HEAD], names[HAND] = names[HAND], names[HEAD]
    carried = propagate(reframing(rig, rigs.with_nodes(rig, names=tuple(names))), waving())
    assert carried.rig.nodes.names == tuple(names)
    assert carried.rig.clips is not rig.clips


def test_what_has_no_namesake_is_listed():
    rig = rigs.tidy()
    sibling = rigs.with_nodes(rig, names=(*rig.nodes.names[:HAND], "claw", "Body"))
    carried = propagate(reframing(rig, turned(rig)), sibling)
    assert (carried.missing, carried.extra) == (("hand",), ("claw",))
    assert np.abs(heads(carried.rig) - heads(sibling)).max() <= 1e-12


def moved_arm(rig, by):
    translations = rigs.with_row(rig.nodes.translations, ARM, rig.nodes.translations[ARM] + by)
    return rigs.with_nodes(rig, translations=translations)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda rig: rigs.with_nodes(rig, names=("x",) * len(rig.nodes)), "it has no joint"),
        (lambda rig: moved_arm(rig, 0.1), "arm rests differently"),
        (turned, "chest rests differently"),
        (lambda rig: rigs.under(rig, scale=2.0), "rests differently"),
    ],
)
def test_a_file_of_another_skeleton_is_refused(spoil, words):
    rig = rigs.tidy()
    change = reframing(rig, turned(rig))
    with pytest.raises(Refused, match=words):
        propagate(change, spoil(rig))
    assert propagate(change, moved_arm(rig, 0.1 * SAME_REST)).turned == 3


def test_a_name_that_is_taken_is_refused():
    rig = rigs.tidy()
    change = reframing(
        rig,
        rigs.with_nodes(rig, names=("Armature", "pelvis", *rig.nodes.names[SPINE:])),
    )
    taken = rigs.with_nodes(rig, names=(*rig.nodes.names[:BODY], "pelvis"))
    with pytest.raises(Refused, match="already named pelvis"):
        propagate(change, taken)


def test_a_joint_that_would_shear_is_refused():
    rig = rigs.tidy()
    scales = rigs.with_row(rig.nodes.scales, ARM, [1.0, 1.0 + 0.5 * SAME_REST, 1.0])
    with pytest.raises(Refused, match="unequal scale"):
        propagate(reframing(rig, turned(rig)), rigs.with_nodes(rig, scales=scales))


def test_a_pose_is_no_reframing():
    rig = rigs.tidy()
    with pytest.raises(Refused, match="moved arm"):
        reframing(rig, moved_arm(rig, 0.1))
    with pytest.raises(Refused, match=r"moved|posed"):
        reframing(rig, rigs.with_nodes(rig, rotations=sample(rig, rig.clips[0], 0.5).rotations))
    # Nothing hangs below the hand, so that no place tells that it was turned.
    turn = quat.multiply(rig.nodes.rotations[HAND], quat.from_axis_angle([1.0, 0.0, 0.0], 0.3))
    posed = rigs.with_nodes(rig, rotations=rigs.with_row(rig.nodes.rotations, HAND, turn))
    with pytest.raises(Refused, match="posed hand"):
        reframing(rig, posed)


def test_a_new_bind_alone_is_nothing_to_carry():
    rig = rigs.tidy()
    skin = rig.skins[0]
    binds = skin.inverse_binds.copy()
    binds[2, :3, 3] += 0.1
    assert not reframing(rig, rig.with_skin(0, replace(skin, inverse_binds=binds))).changed


def test_a_repair_that_leaves_all_frames_alone_leaves_siblings_alone():
    rig = rigs.tidy()
    change = reframing(rig, repair(rig).rig)
    assert not change.changed
    carried = propagate(change, waving())
    assert (carried.turned, carried.renamed, carried.missing, carried.extra) == (0, 0, (), ())


def wobbling(rig):
    """Return the rig with one clip that turns and moves every joint; a stretch is stated too."""
    rng = np.random.default_rng(5)
    times, channels = np.array([0.0, 0.4, 1.0]), []
    for joint in rig.joints:
        turns = np.stack([rigs.random_turn(rng, 0.5) for _ in times])
        turned = quat.multiply(rig.nodes.rotations[joint], turns)
        channels.append(Channel(joint, "rotation", Sampler(times, turned)))
        moved = rig.nodes.translations[joint] + 0.05 * rng.normal(size=(3, 3))
        channels.append(Channel(joint, "translation", Sampler(times, moved)))
        scale = rig.nodes.scales[joint]
        if scale.min() > 0.0 and np.ptp(scale) > 0.0:
            channels.append(Channel(joint, "scale", Sampler(times, np.tile(scale, (3, 1)))))
    return replace(rig, clips=(Clip("Wobble", tuple(channels)),))


FOLLOWED = {
    "HIE-GAP": False, "HIE-PARENT": False, "HIE-ROOT": False, "SCL-NEG": False,
    "SCL-NONUNI": False, "ORI-UPFWD": True, "SCL-UNIT": True,
}  # fmt: skip


def followed(samples, name):
    """Return a sample without clips, repaired by its rule alone, and what happened to its joints."""
    rig = replace(load(samples / "broken" / f"{name}.glb").rig, clips=())
    made = repair(rig, rules=[name])
    assert made.applied
    return rig, made.rig, reframing(rig, made.rig, placed=FOLLOWED[name])


@pytest.mark.parametrize("name", FOLLOWED)
def test_carried_clips_play_as_if_their_own_rig_had_been_repaired(samples, name):
    rig, repaired, change = followed(samples, name)
    other = wobbling(rig)
    bare = [None] * len(rig.nodes)
    clips_alone = replace(
        other, meshes=(), skins=(), node_meshes=tuple(bare), node_skins=tuple(bare)
    )
    wanted = repair(other, rules=[name]).rig
    for sibling in (other, clips_alone):
        carried = propagate(change, sibling)
        assert carried.placed == FOLLOWED[name]
        borrowed = borrow_clips(repaired, carried.rig).rig
        assert max(rigs.largest_difference(wanted, borrowed).values()) <= 1e-6
        assert len(carried.rig.nodes) == len(repaired.nodes)
    # And as they were they play otherwise, but under a new root that does nothing.
    left = max(rigs.largest_difference(wanted, borrow_clips(repaired, other).rig).values())
    assert (left > 1e-3) == (name != "HIE-ROOT")


def test_a_whole_file_is_not_moved_unless_a_fix_does_so(samples):
    rig, repaired, _ = followed(samples, "SCL-UNIT")
    with pytest.raises(Refused, match="moved Hips itself"):
        reframing(rig, repaired)
    # Nothing but the repaired rig's own clips tells a new rest pose from a new place.
    with pytest.raises(Refused, match="moved Hips itself"):
        reframing(rig, moved_hips(rig), placed=True)


@pytest.mark.parametrize("size", [1e-4, 1.0, 1e4])
@pytest.mark.parametrize(("up", "factor"), [("Y", 0.01), ("Z", 1.0), ("X", 100.0)])
def test_where_a_whole_file_went_is_found_in_any_size(size, up, factor):
    rig = scaled(rigs.tidy(), size)
    moved = whole_turned(scaled(rig, factor), to_y_up(up))
    placement = reframing(rig, moved, placed=True).placement
    assert placement.scale == pytest.approx(factor)
    assert (placement.rotation is None) == (up == "Y")
    places = placement.of(frames(rig)[0])[:, :3, 3]
    np.testing.assert_allclose(places, heads(moved)[0], atol=1e-9 * size * factor)
    # A joint that went elsewhere than the others is no place of the file.
    away = moved.nodes.translations[HEAD] * 1.001
    bent = rigs.with_nodes(moved, translations=rigs.with_row(moved.nodes.translations, HEAD, away))
    with pytest.raises(Refused, match="itself"):
        reframing(rig, bent, placed=True)


def moved_hips(rig):
    hips = rig.nodes.names.index("Hips")
    moved = rigs.with_row(rig.nodes.translations, hips, rig.nodes.translations[hips] + 0.1)
    return rigs.with_nodes(rig, translations=moved)


def test_a_new_parent_that_is_not_there_is_refused_if_it_matters():
    rig = rigs.tidy()
    above = model_from_nodes(rig, rest_pose(rig))[ARMATURE]
    for by, matters in ((0.0, False), (1.0, True)):
        local = above.copy()
        local[1, 3] += by
        with_shelf, shelf = with_node(rig, "Shelf", -1, local)
        change = reframing(with_shelf, reparent(with_shelf, HIPS, shelf))
        assert change.rehung == (HIPS,)
        if matters:
            with pytest.raises(Refused, match="no node Shelf, under which joints hang now"):
                propagate(change, waving())
        else:
            assert propagate(change, waving()).rehung == 0
        assert propagate(change, replace(with_shelf, clips=waving().clips)).rehung == 1


def test_a_new_parent_between_which_and_the_old_one_something_moves_is_refused(samples):
    rig, _, change = followed(samples, "HIE-GAP")
    gap = rig.nodes.parents[change.rehung[0]]
    turns = quat.from_axis_angle([[0, 1.0, 0], [0, 1.0, 0]], [0.0, 1.0])
    moving = Channel(gap, "rotation", Sampler(np.array([0.0, 1.0]), turns))
    with pytest.raises(Refused, match="between the two parents, is animated"):
        propagate(change, replace(rig, clips=(Clip("Gap", (moving,)),)))


def test_a_new_root_whose_name_is_taken_is_left_out_since_it_does_nothing(samples):
    rig, repaired, change = followed(samples, "HIE-ROOT")
    names = list(rig.nodes.names)
    names[next(n for n in range(len(names)) if n not in rig.joints)] = repaired.nodes.names[-1]
    sibling = rigs.with_nodes(rig, names=tuple(names))
    carried = propagate(change, sibling)
    assert carried.rehung == 0
    assert carried.rig.nodes.parents == sibling.nodes.parents


def test_a_leaf_that_has_something_below_it_keeps_its_stretch(samples):
    rig, _, change = followed(samples, "SCL-NONUNI")
    leaf = next(iter(change.stretches))
    grown, _ = with_node(rig, "Locator", leaf, np.eye(4))
    bare = (None,) * len(grown.nodes)
    alone = replace(grown, meshes=(), skins=(), node_meshes=bare, node_skins=bare)
    with pytest.raises(Refused, match="has something below it in that file"):
        propagate(change, alone)
    with pytest.raises(Refused, match="has children"):
        propagate(change, grown)


def without_meshes(rig, **changes):
    """Return the rig without meshes and skins, some of its nodes' rest changed."""
    none = (None,) * len(rig.nodes)
    rig = replace(rig, meshes=(), skins=(), node_meshes=none, node_skins=none)
    return rigs.with_nodes(rig, **changes)


def test_a_leaf_that_no_skin_holds_is_stretched_at_rest_and_in_its_clips(samples):
    rig, _, change = followed(samples, "SCL-NONUNI")
    ((leaf, factors),) = change.stretches.items()
    scales = np.array([[1.0, 1.0, 1.0], [2.0, 3.0, 4.0]])
    grows = Clip("Grows", (Channel(leaf, "scale", Sampler(np.array([0.0, 1.0]), scales)),))
    carried = propagate(change, replace(without_meshes(rig), clips=(grows,))).rig
    np.testing.assert_allclose(carried.nodes.scales[leaf], rig.nodes.scales[leaf] * factors)
    np.testing.assert_allclose(carried.clips[0].channels[0].sampler.values, scales * factors)


def test_a_leaf_that_states_a_matrix_keeps_its_stretch(samples):
    rig, _, change = followed(samples, "SCL-NONUNI")
    (leaf,) = change.stretches
    nodes = rig.nodes
    stated = affine.compose(nodes.translations[leaf], nodes.rotations[leaf], nodes.scales[leaf])
    with pytest.raises(Refused, match="states a matrix in that file"):
        propagate(change, without_meshes(rig, matrices={leaf: stated}))


def test_reorientation_by_the_rule_itself_is_carried(samples):
    rig = load(samples / "broken" / "ORI-PRIMARY.glb").rig
    repaired = reorient(rig, 0, float(np.radians(15.0)), PROFILES["gltf"])
    carried = propagate(reframing(rig, repaired), replace(rig, clips=()))
    assert rigs.same(carried.rig, replace(repaired, clips=()), 1e-9)


@pytest.mark.corpus
def test_a_real_file_of_clips_plays_on_the_repaired_character_as_before(corpus):
    folder = corpus / "rigs" / "Mesh2Motion+mesh2motion-app" / "static"
    fox = load(folder / "models-variation" / "fox-fox.glb").rig
    library = load(folder / "animations" / "fox-animations.glb").rig
    library = replace(library, clips=library.clips[:1])
    repaired = repair(fox, rules=["ORI-PRIMARY"]).rig
    carried = propagate(reframing(fox, repaired), library)
    assert carried.turned > 0
    before = borrow_clips(replace(fox, clips=()), library).rig
    after = borrow_clips(replace(repaired, clips=()), carried.rig).rig
    assert dry_run(before, after).exact
    assert not dry_run(before, borrow_clips(replace(repaired, clips=()), library).rig).exact
