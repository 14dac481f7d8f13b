"""Twist joints: joints along a limb that share out the twist of one joint, as studios do for wrists.

Under linear skinning a blend between two joints that are twisted by τ against each other shrinks a tube to
cos(τ/2) (MATH, "candy wrapper"). With n joints between them each blend sees τ/(n + 1) only. They turn about
the bone alone, are bound where they rest, and take weight from the limb's own joint by the place along the
bone, so that the mesh at rest and every other joint stay where they are in every clip.

Two limbs can carry the twist of a joint. A hand is twisted against the forearm, which is the bone above it:
the new joints are children of the forearm and turn by shares of the hand's twist (`"above"`). An upper arm
is twisted against a collar bone whose line it does not continue: the new joints are its own children and
take back shares of its own twist, so that the shoulder stays and the elbow turns (`"own"`).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from rigview.check.measures.facts import measured
from rigview.check.rig_edits.reframe import whole_binds, with_node
from rigview.check.rule import Refused
from rigview.core import affine, quat
from rigview.core.arrays import FloatArray, IntArray, unit
from rigview.core.clip import Channel, Clip
from rigview.core.mesh import Influences
from rigview.core.names import words
from rigview.core.pose import model_from_nodes, sample
from rigview.core.rig import Rig, Skin
from rigview.core.sampler import Sampler
from rigview.core.sentence import Sentence

Limb = Literal["above", "own"]
# More joints than this no engine's rig gives a limb.
MOST = 3
# Influences that every engine draws (glTF 2.0, 3.7.3.1): the new joints add none beyond, unless a vertex
# has more already.
_INFLUENCES = 4
# Twist between two keys that straight interpolation may miss, radians, and how often an interval is halved.
_MISSED, _HALVINGS = np.radians(0.05), 6
# The bone above carries the twist where it is this much longer than the joint's own, and in line with it.
_LONGER, _IN_LINE = 1.5, np.cos(np.radians(60.0))
# What twist joints are called, and how far beside the bone they may lie, as a share of its length.
_TWISTS, _BESIDE = {"twist", "roll"}, 0.1
_SUFFIX = re.compile(r"^(.+?)([._ -][lrLR]|[._ -]?(?:Left|Right|left|right|LEFT|RIGHT))$")


@dataclass(frozen=True)
class TwistPlan:
    """Which bone the new joints lie along.

    Parameters
    ----------
    joint
        Node whose twist is shared out.
    limb
        Node of the joint at the head of the bone: the parent joint, or the joint itself.
    bone
        ``(3,)`` from the head to the end of the bone, in the frame of `limb`.
    """

    joint: int
    limb: int
    bone: FloatArray

    @property
    def kind(self) -> Limb:
        """Return on which bone they lie."""
        return "own" if self.limb == self.joint else "above"

    def knots(self, count: int) -> FloatArray:
        """Return ``(count,)`` where twist joints best lie along the bone: 0 at its head, 1 at its end."""
        if self.kind == "above":
            return np.arange(1, count + 1) / (count + 1)
        return np.arange(count) / count

    def shares(self, count: int) -> FloatArray:
        """Return ``(count,)`` shares of the twist that they turn by; negative ones take it back."""
        return self.knots(count) if self.kind == "above" else self.knots(count) - 1.0


@dataclass(frozen=True)
class _Chain:
    """Joints along a bone, from its head to its end, and the place of each; the limb's own among them."""

    nodes: tuple[int, ...]
    places: FloatArray


def plan(rig: Rig, joint: int, limb: Limb | None = None) -> TwistPlan:
    """Return along which bone the twist of a joint can be shared out.

    Parameters
    ----------
    limb
        The bone above the joint, or its own; by default the bone above where the joint's own bone is short
        and goes on in its line (wrists), else its own.

    Raises
    ------
    Refused
        If the joint has no parent joint, or the bone has no length.
    """
    parent = rig.joint_parents.get(joint, -1)
    if parent < 0:
        raise Refused(
            Sentence("{joint} hangs on no joint, so nothing twists", joint=rig.nodes.label(joint))
        )
    deformer = measured(rig).deformer
    model, place = deformer.rest_nodes, deformer.skeleton.places
    bones = deformer.rest_bones
    over = affine.inverse(model[parent]) @ model[joint]
    above = TwistPlan(joint, parent, over[:3, 3])
    own_bone = bones.directions[place[joint]] * bones.lengths[place[joint]]
    own = TwistPlan(joint, joint, affine.inverse(model[joint])[:3, :3] @ own_bone)
    if limb is None:
        along = model[joint, :3, 3] - model[parent, :3, 3]
        length = float(np.linalg.norm(along))
        in_line = float(unit(along) @ bones.directions[place[joint]]) >= _IN_LINE
        limb = "above" if in_line and length > _LONGER * np.linalg.norm(own_bone) else "own"
    chosen = above if limb == "above" else own
    if np.linalg.norm(chosen.bone) <= np.finfo(np.float64).tiny:
        raise Refused(
            Sentence("the bone of {joint} has no length", joint=rig.nodes.label(chosen.limb))
        )
    return chosen


def add_twist_joints(rig: Rig, joint: int, count: int, limb: Limb | None = None) -> Rig:
    """Return the rig with `count` joints that share out the twist of one joint along a limb.

    Twist joints that the limb has are among them: they share its weight, and turn with the new ones in
    clips that do not turn them already.

    Parameters
    ----------
    joint
        Node whose rotation against its parent joint twists.
    count
        1 to `MOST`; more where the limb has more already.

    Raises
    ------
    Refused
        As `plan`; also if no skin lists the limb's joint, or one has too few inverse bind matrices, and
        for one joint along the joint's own bone, which shares nothing out.
    ValueError
        If the count is out of range.
    """
    if not 1 <= count <= MOST:
        raise ValueError(f"count: wanted 1 to {MOST}, got {count}")
    chosen = plan(rig, joint, limb)
    if chosen.kind == "own" and count == 1:
        raise Refused(
            "one joint moves the collapse to the middle of the bone: two or more share it out"
        )
    if not any(chosen.limb in skin.joints for skin in rig.skins):
        raise Refused(Sentence("no skin lists {joint}", joint=rig.nodes.label(chosen.limb)))
    there = twist_joints_of(rig, chosen)
    count = max(count, len(there))
    changed, turning = _with_joints(rig, chosen, there, count)
    nodes, places = [*turning], list(turning.values())
    own_place = 0 if chosen.kind == "above" else count
    nodes.insert(own_place, chosen.limb)
    places.insert(own_place, float(own_place > 0))
    changed = _bound(changed, chosen, _Chain(tuple(nodes), np.array(places)))
    shares = dict(zip(turning, chosen.shares(count).tolist(), strict=True))
    clips = tuple(_with_twists(rig, changed, clip, chosen, shares) for clip in changed.clips)
    return replace(changed, clips=clips)


def twist_joints_of(rig: Rig, chosen: TwistPlan) -> dict[int, float]:
    """Return twist joints that the limb has → their place along the bone."""
    model = measured(rig).deformer.rest_nodes
    joints, length = set(rig.joints), float(np.linalg.norm(chosen.bone))
    found: dict[int, float] = {}
    for node in rig.nodes.sound_children[chosen.limb]:
        if node not in joints or _TWISTS.isdisjoint(words(rig.nodes.names[node])):
            continue
        head = (affine.inverse(model[chosen.limb]) @ model[node])[:3, 3]
        place = float(head @ chosen.bone) / length**2
        if np.linalg.norm(head - place * chosen.bone) > _BESIDE * length or not 0.0 <= place <= 1.0:
            continue
        found[node] = place
    return found


def _with_joints(
    rig: Rig, chosen: TwistPlan, there: dict[int, float], count: int
) -> tuple[Rig, dict[int, float]]:
    """Return the rig with so many twist joints, and all of them by their places along the bone."""
    free = chosen.knots(count).tolist()
    for place in there.values():
        free.remove(min(free, key=lambda knot: abs(knot - place)))
    all_of_them = dict(there)
    for name, place in zip(_names(rig, chosen.limb, len(free)), free, strict=True):
        local = np.eye(4)
        local[:3, 3] = place * chosen.bone
        rig, node = with_node(rig, name, chosen.limb, local)
        all_of_them[node] = place
    return rig, dict(sorted(all_of_them.items(), key=lambda item: item[1]))


def _names(rig: Rig, limb: int, count: int) -> list[str]:
    """Return "lowerarm_twist_01_l" for "lowerarm_l": the side stays at the end."""
    name, taken = rig.nodes.label(limb), set(rig.nodes.names)
    found = _SUFFIX.match(name)
    stem, side = (found[1], found[2]) if found else (name, "")
    numbers = (n for n in range(1, len(taken) + count + 1))
    free = (f"{stem}_twist_{n:02d}{side}" for n in numbers)
    return [one for one in free if one not in taken][:count]


def _bound(rig: Rig, chosen: TwistPlan, chain: _Chain) -> Rig:
    """List the joints along the bone in each skin that has the limb's, and give them its weight."""
    for number, skin in enumerate(rig.skins):
        if chosen.limb not in skin.joints:
            continue
        grown = _listed(rig, skin, chosen.limb, chain.nodes)
        listed = np.array([grown.joints.index(node) for node in chain.nodes])
        limb_from_mesh = whole_binds(skin)[skin.joints.index(chosen.limb)]
        rig = rig.with_skin(number, grown)
        meshes = {rig.node_meshes[node] for node in rig.skinned_nodes[number]}
        for mesh in sorted(mesh for mesh in meshes if mesh is not None):
            for index, primitive in enumerate(rig.meshes[mesh].primitives):
                if primitive.influences is None:
                    continue
                local = affine.transform_points(limb_from_mesh, primitive.positions)
                along = local @ chosen.bone / float(chosen.bone @ chosen.bone)
                shared = _shared_out(primitive.influences, listed, chain.places, along)
                rig = rig.with_primitive(mesh, index, replace(primitive, influences=shared))
    return rig


def _listed(rig: Rig, skin: Skin, limb: int, slots: Sequence[int]) -> Skin:
    binds, new = whole_binds(skin), [node for node in slots if node not in skin.joints]
    own = binds[skin.joints.index(limb)]
    local = [affine.inverse(rig.nodes.local_matrices()[node]) @ own for node in new]
    rows = np.concatenate([binds, np.array(local).reshape(-1, 4, 4)])
    return replace(skin, joints=(*skin.joints, *new), inverse_binds=rows)


def _shared_out(
    influences: Influences, listed: IntArray, places: FloatArray, along: FloatArray
) -> Influences:
    """Return influences in which the weight of joints along a bone lies on the two nearest ones.

    Parameters
    ----------
    listed
        ``(n,)`` positions in the skin of the joints along the bone.
    places
        ``(n,)`` place of each along the bone, ascending.
    along
        ``(V,)`` place of each vertex: 0 at the head of the bone, 1 at its end.
    """
    first = np.clip(np.searchsorted(places, along, side="right") - 1, 0, len(places) - 2)
    length = places[first + 1] - places[first]
    part = np.clip((along - places[first]) / np.where(length > 0.0, length, 1.0), 0.0, 1.0)
    on_limb = np.isin(influences.joints, listed) & (influences.weights != 0.0)
    weight = np.where(on_limb, influences.weights, 0.0).sum(axis=1)
    # The first slot of a joint of the limb holds the nearer one, and a slot more the other.
    joints = np.pad(influences.joints, ((0, 0), (0, 1)))
    weights = np.pad(np.where(on_limb, 0.0, influences.weights), ((0, 0), (0, 1)))
    moved = np.flatnonzero(on_limb.any(axis=1))
    slot = np.argmax(on_limb, axis=1)[moved]
    joints[:, :-1][on_limb] = 0
    near, far = (weight * (1.0 - part))[moved], (weight * part)[moved]
    joints[moved, slot], weights[moved, slot] = listed[first[moved]], near
    joints[moved, -1], weights[moved, -1] = listed[first[moved] + 1], far
    joints[weights == 0.0] = 0
    return _within(joints, weights, max(_INFLUENCES, influences.joints.shape[1]))


def _within(joints: IntArray, weights: FloatArray, most: int) -> Influences:
    """Return influences of at most so many slots; the lightest are left out, the others keep the sum."""
    order = np.argsort(-np.abs(weights), axis=1, kind="stable")
    joints, weights = np.take_along_axis(joints, order, 1), np.take_along_axis(weights, order, 1)
    kept, total = weights[:, :most], weights.sum(axis=1, keepdims=True)
    left = kept.sum(axis=1, keepdims=True)
    scale = np.where(left != 0.0, total / np.where(left != 0.0, left, 1.0), 1.0)
    # A vertex that loses nothing keeps its weights to the last bit.
    whole = np.all(weights[:, most:] == 0.0, axis=1, keepdims=True)
    return Influences(joints[:, :most], np.where(whole, kept, kept * scale))


def _with_twists(
    rig: Rig, changed: Rig, clip: Clip, chosen: TwistPlan, shares: Mapping[int, float]
) -> Clip:
    """Return a clip in which nodes turn about the bone by shares of the joint's twist.

    Parameters
    ----------
    rig, changed
        The rig without and with the new nodes.
    shares
        Node → share of the twist; negative ones take it back.
    """
    times, stepped = _twist_times(rig, clip, chosen)
    if not len(times):
        return clip
    angles = twist_angles(rig, clip, chosen, times)
    if not stepped:
        times, angles = _refined(rig, clip, chosen, times, angles)
    if not np.any(angles != 0.0):
        return clip
    axis, rest = unit(chosen.bone), changed.nodes.rotations
    turned = {own.node for own in clip.active if own.path == "rotation"}
    channels = []
    for node, share in shares.items():
        if node in turned:
            continue
        turns = quat.multiply(quat.from_axis_angle(axis, share * angles), rest[node])
        sampler = Sampler(times, turns, "STEP" if stepped else "LINEAR")
        channels.append(Channel(node, "rotation", sampler))
    return replace(clip, channels=(*clip.channels, *channels))


def _twist_times(rig: Rig, clip: Clip, chosen: TwistPlan) -> tuple[FloatArray, bool]:
    """Return the key times that decide the joint's twist, and whether all of them jump."""
    parent = rig.joint_parents[chosen.joint]
    between = {chosen.joint}
    for node in rig.nodes.ancestors(chosen.joint):
        if node == parent:
            break
        between.add(node)
    curves = [own.curve for own in clip.active if own.node in between and own.path == "rotation"]
    if not curves:
        return np.zeros(0), False
    stepped = all(curve.interpolation == "STEP" for curve in curves)
    return np.unique(np.concatenate([curve.times for curve in curves])), stepped


def twist_angles(rig: Rig, clip: Clip, chosen: TwistPlan, times: FloatArray) -> FloatArray:
    """Return ``(T,)`` radians by which the joint is twisted about the bone against rest.

    They go on past π, without jumps of 2π.

    Parameters
    ----------
    times
        ``(T,)`` seconds, ascending.
    """
    parent = rig.joint_parents[chosen.joint]
    posed = model_from_nodes(rig, sample(rig, clip, times))
    rest = measured(rig).deformer.rest_nodes
    now = affine.inverse(posed[:, parent]) @ posed[:, chosen.joint]
    then = affine.inverse(rest[parent]) @ rest[chosen.joint]
    turned, rested = (quat.from_matrix(affine.polar(m[..., :3, :3])[0]) for m in (now, then))
    if chosen.kind == "above":
        change = quat.multiply(turned, quat.conjugate(rested))
    else:
        change = quat.multiply(quat.conjugate(rested), turned)
    axis = unit(chosen.bone)
    half = np.arctan2(change[:, :3] @ axis, change[:, 3])
    return np.asarray(np.unwrap(2.0 * half, period=2.0 * np.pi))


def _refined(
    rig: Rig, clip: Clip, chosen: TwistPlan, times: FloatArray, angles: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return keys between which straight interpolation follows the twist."""
    for _ in range(_HALVINGS):
        middle = 0.5 * (times[1:] + times[:-1])
        if not len(middle):
            break
        every = np.sort(np.concatenate([times, middle]))
        followed = twist_angles(rig, clip, chosen, every)
        missed = np.abs(followed[1::2] - 0.5 * (followed[:-1:2] + followed[2::2])) > _MISSED
        kept = np.ones(len(every), dtype=np.bool_)
        kept[1::2] = missed
        times, angles = every[kept], followed[kept]
        if not missed.any():
            break
    return times, angles
