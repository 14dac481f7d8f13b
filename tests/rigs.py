"""Random rigs for property tests: recipes that hypothesis draws and shrinks, and what is made of them.

A recipe says what a rig shall have (joints, influences, scale, clips …) and holds a seed for the rest,
so a failing example prints as one line and is made again by ``make(Recipe(...))``.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
from hypothesis import strategies as st

from rigview.core import affine, quat
from rigview.core.clip import Channel, Clip
from rigview.core.deform import Deformer
from rigview.core.mesh import Influences, Mesh, MorphTargets, Primitive
from rigview.core.nodes import Nodes
from rigview.core.pose import model_from_nodes, rest_pose, sample
from rigview.core.rig import OF_THE_LAYOUT, Rig, Skin
from rigview.core.sampler import Sampler
from rigview.core.skinning import DEFAULT_PANES, METHODS, Options

INTERPOLATIONS = ("STEP", "LINEAR", "CUBICSPLINE")


@dataclass(frozen=True)
class Recipe:
    """What a random rig shall have.

    Parameters
    ----------
    shape
        A chain, or a random tree.
    influences
        The most that a vertex has; at least one vertex has as many, if there are enough joints.
    bind
        Whether joints were bound where they rest, or all off by one rigid motion.
    bind_scale
        What the joints scale the mesh by at rest.
    armature
        Scale of a node above the joints; 1 still gives a node.
    joint_scale
        Joints have uniform scales of their own.
    helpers
        Nodes that are no joints hang above and between the joints.
    mirrored, stretched
        One joint has a negative scale, or one of unequal components.
    shuffled
        The skin lists its joints in any order.
    skins
        Each with a mesh of its own; later ones use some of the first one's joints.
    animated
        What the channels of the clips move.
    prop
        A mesh without skin hangs under a joint.
    """

    seed: int = 0
    joints: int = 5
    shape: Literal["chain", "tree"] = "tree"
    vertices: int = 24
    influences: int = 4
    bind: Literal["rest", "offset"] = "rest"
    bind_scale: float = 1.0
    armature: float = 1.0
    joint_scale: bool = False
    helpers: bool = False
    mirrored: bool = False
    stretched: bool = False
    shuffled: bool = False
    skins: int = 1
    clips: int = 0
    animated: tuple[str, ...] = ("translation", "rotation")
    morphs: int = 0
    mesh_transform: bool = False
    prop: bool = False


def recipes(**fixed):
    """Return a strategy of recipes; what is given by name is that value, or is drawn from that strategy."""
    scales = st.sampled_from([1.0, 0.01, 100.0, 1.7])
    drawn = {
        "seed": st.integers(0, 2**32 - 1),
        "joints": st.integers(3, 16),
        "shape": st.sampled_from(["chain", "tree"]),
        "influences": st.integers(1, 12),
        "bind": st.sampled_from(["rest", "offset"]),
        "bind_scale": scales,
        "armature": scales,
        "joint_scale": st.booleans(),
        "helpers": st.booleans(),
        "shuffled": st.booleans(),
        "skins": st.integers(1, 2),
        "mesh_transform": st.booleans(),
    }
    for name, value in fixed.items():
        drawn[name] = value if isinstance(value, st.SearchStrategy) else st.just(value)
    return st.builds(Recipe, **drawn)


def rigs(**fixed):
    """Return a strategy of rigs by `recipes`."""
    return recipes(**fixed).map(make)


class Sketch:
    """Nodes under construction; joints remember how much the nodes above them scale."""

    def __init__(self):
        self.names, self.parents = [], []
        self.translations, self.rotations, self.scales = [], [], []

    def add(self, name, parent, translation=(0, 0, 0), rotation=quat.IDENTITY, scale=1.0):
        self.names.append(name)
        self.parents.append(parent)
        self.translations.append(np.asarray(translation, dtype=float))
        self.rotations.append(np.asarray(rotation, dtype=float))
        self.scales.append(np.broadcast_to(np.asarray(scale, dtype=float), 3))
        return len(self.names) - 1

    def scale_above(self, parent):
        """Return by how much a length under a parent is scaled in model space."""
        total = 1.0
        while parent >= 0:
            total *= float(np.abs(np.prod(self.scales[parent])) ** (1 / 3))
            parent = self.parents[parent]
        return total

    def nodes(self):
        children = [[] for _ in self.names]
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                children[parent].append(node)
        return Nodes(
            tuple(self.names),
            tuple(map(tuple, children)),
            np.array(self.translations),
            np.array(self.rotations),
            np.array(self.scales),
        )

    @property
    def roots(self):
        return tuple(node for node, parent in enumerate(self.parents) if parent < 0)


def random_turn(rng, most=np.pi):
    """Return a rotation of at most `most` radians about any axis."""
    return quat.from_axis_angle(rng.normal(size=3), rng.uniform(0.0, most))


def random_rigid(rng, reach=2.0):
    """Return a ``(4, 4)`` rotation and translation."""
    return affine.compose(rng.uniform(-reach, reach, 3), random_turn(rng), np.ones(3))


def make(recipe):
    """Make the rig of a recipe; the same recipe gives the same rig."""
    rng = np.random.default_rng(recipe.seed)
    sketch = Sketch()
    joints = _skeleton(sketch, recipe, rng)
    mesh_nodes = []
    for number in range(recipe.skins):
        place = (rng.normal(size=3), random_turn(rng), rng.uniform(0.5, 2.0)) if (
            recipe.mesh_transform
        ) else ()  # fmt: skip
        mesh_nodes.append(sketch.add(f"Body {number}", 0, *place))
    prop = sketch.add("Prop", joints[-1], rng.normal(size=3)) if recipe.prop else None
    nodes = sketch.nodes()
    bare = Rig(nodes, (None,) * len(nodes), (None,) * len(nodes), sketch.roots)
    model = model_from_nodes(bare, rest_pose(bare))
    node_meshes, node_skins = [None] * len(nodes), [None] * len(nodes)
    meshes, skins, morph_weights = [], [], {}
    for number, node in enumerate(mesh_nodes):
        used = _members(joints, recipe, number, rng)
        model_from_mesh = affine.compose(np.zeros(3), np.array(quat.IDENTITY), np.ones(3))
        if recipe.bind == "offset":
            model_from_mesh = random_rigid(rng)
        model_from_mesh[:3, :3] *= recipe.bind_scale
        binds = affine.inverse(model[used]) @ model_from_mesh
        skins.append(Skin(f"Skin {number}", tuple(used), binds))
        meshes.append(_mesh(f"Mesh {number}", model[used], model_from_mesh, recipe, rng))
        node_meshes[node], node_skins[node] = number, number
        if recipe.morphs and number == 0:
            morph_weights[node] = rng.uniform(-1, 1, recipe.morphs)
    if prop is not None:
        node_meshes[prop] = len(meshes)
        meshes.append(Mesh("Prop", (_geometry(rng.normal(size=(8, 3)), rng),)))
    rig = Rig(
        nodes,
        tuple(node_meshes),
        tuple(node_skins),
        sketch.roots,
        tuple(meshes),
        tuple(skins),
        node_morph_weights=morph_weights,
    )
    movable = [n for n in range(len(nodes)) if n not in mesh_nodes and n != prop]
    clips = tuple(_clip(rig, f"Clip {i}", movable, recipe, rng) for i in range(recipe.clips))
    return replace(rig, clips=clips)


def _skeleton(sketch, recipe, rng):
    """Add an armature and the joints, and return the joints, parents first."""
    armature = sketch.add(
        "Armature",
        -1,
        rng.normal(size=3) if recipe.helpers else (0, 0, 0),
        random_turn(rng) if recipe.helpers else quat.IDENTITY,
        recipe.armature,
    )
    joints = []
    odd = int(rng.integers(recipe.joints))
    for number in range(recipe.joints):
        if not joints:
            parent = armature
        else:
            parent = joints[-1] if recipe.shape == "chain" else int(rng.choice(joints[-4:]))
        if recipe.helpers and rng.random() < 0.3:
            parent = sketch.add(
                f"helper {number}", parent, 0.1 * rng.normal(size=3), random_turn(rng)
            )
        scale = np.full(3, rng.uniform(0.6, 1.6) if recipe.joint_scale else 1.0)
        if recipe.stretched and number == odd:
            scale = scale * rng.uniform(0.5, 1.5, 3)
        if recipe.mirrored and number == odd:
            scale = scale * np.where(np.arange(3) == rng.integers(3), -1.0, 1.0)
        along = rng.normal(size=3)
        along *= rng.uniform(0.4, 1.2) / np.linalg.norm(along) / sketch.scale_above(parent)
        joints.append(sketch.add(f"joint {number}", parent, along, random_turn(rng), scale))
    return joints


def _members(joints, recipe, number, rng):
    """Return the joints of one skin in the order in which it lists them."""
    used = list(joints)
    if number:
        count = int(rng.integers(2, len(joints) + 1))
        used = sorted(rng.choice(joints, count, replace=False).tolist())
    if recipe.shuffled:
        rng.shuffle(used)
    return used


def _mesh(name, joints, model_from_mesh, recipe, rng):
    """Return a cloud of triangles around the joints ``(J, 4, 4)``, in mesh space."""
    near = rng.integers(len(joints), size=recipe.vertices)
    world = joints[near, :3, 3] + 0.4 * rng.normal(size=(recipe.vertices, 3))
    mesh_from_model = affine.inverse(model_from_mesh)
    positions = affine.transform_points(mesh_from_model, world)
    primitive = _geometry(positions, rng)
    influences = random_influences(recipe.vertices, len(joints), recipe.influences, rng)
    if not recipe.morphs:
        return Mesh(name, (replace(primitive, influences=influences),))
    size = np.ptp(positions)
    morphs = MorphTargets(
        0.1 * size * rng.normal(size=(recipe.morphs, recipe.vertices, 3)),
        0.2 * rng.normal(size=(recipe.morphs, recipe.vertices, 3)),
    )
    primitive = replace(primitive, influences=influences, morphs=morphs)
    return Mesh(name, (primitive,), rng.uniform(0, 1, recipe.morphs))


def _geometry(positions, rng):
    count = len(positions)
    triangles = np.array([rng.choice(count, 3, replace=False) for _ in range(count)])
    normals = rng.normal(size=(count, 3))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    no_lines, no_points = np.zeros((0, 2), dtype=int), np.zeros(0, dtype=int)
    return Primitive(positions, triangles, no_lines, no_points, normals)


def random_influences(vertices, joints, most, rng):
    """Return influences of one to `most` joints a vertex, slots in no order, sums of exactly about 1."""
    most = min(most, joints)
    numbers, weights = np.zeros((vertices, most), dtype=int), np.zeros((vertices, most))
    for vertex in range(vertices):
        count = most if vertex == 0 else int(rng.integers(1, most + 1))
        slots = rng.choice(most, count, replace=False)
        numbers[vertex, slots] = rng.choice(joints, count, replace=False)
        share = rng.uniform(0.05, 1.0, count)
        weights[vertex, slots] = share / share.sum()
    return Influences(numbers, weights)


def _clip(rig, name, movable, recipe, rng):
    rows = [np.sort(rng.uniform(0, 2, int(rng.integers(1, 4)))) for _ in range(2)]
    rows = [row + 0.05 * np.arange(len(row)) for row in rows]
    channels = []
    for node in movable:
        for path in recipe.animated:
            if rng.random() < 0.6:
                times = rows[int(rng.integers(len(rows)))]
                interpolation = str(rng.choice(INTERPOLATIONS))
                sampler = _sampler(rig, node, path, times, interpolation, rng)
                channels.append(Channel(node, path, sampler))
    for node in rig.node_morph_weights:
        values = rng.uniform(-1, 1, (len(rows[0]), len(rig.node_morph_weights[node])))
        channels.append(Channel(node, "weights", Sampler(rows[0], values)))
    return Clip(name, tuple(channels))


def _sampler(rig, node, path, times, interpolation, rng):
    """Return a random curve around the rest value; scales stay uniform multiples of the rest's."""
    n = len(times)
    if path == "rotation":
        turns = quat.from_axis_angle(rng.normal(size=(n, 3)), rng.uniform(0, 1.5, n))
        values = quat.multiply(rig.nodes.rotations[node], turns)
        tangents = 0.3 * rng.normal(size=(2, n, 4))
    elif path == "translation":
        size = np.linalg.norm(rig.nodes.translations[node]) + 1e-3
        values = rig.nodes.translations[node] + 0.3 * size * rng.normal(size=(n, 3))
        tangents = size * rng.normal(size=(2, n, 3))
    else:
        values = rig.nodes.scales[node] * rng.uniform(0.7, 1.4, (n, 1))
        tangents = rig.nodes.scales[node] * 0.3 * rng.normal(size=(2, n, 1))
    if interpolation == "CUBICSPLINE":
        values = np.stack([tangents[0], values, tangents[1]], axis=1)
    return Sampler(times, values, interpolation)


# ---------------------------------------------------------------------------------------------------
# A rig without any fault under any profile, for rules to be broken one at a time.


def _towards(*direction):
    """Return the rotation that turns +Y into a direction."""
    return quat.arc(np.array([0.0, 1.0, 0.0]), np.array(direction, dtype=float))


def tidy():
    """Return a character of seven joints whose set-up no rule objects to under any profile.

    Every bone runs along its joint's +Y, mesh and skeleton hang side by side, scale is 1, and the
    skin lists parents first. There is one clip.
    """
    sketch = Sketch()
    armature = sketch.add("Armature", -1)
    # The bone of each joint as its parent sees it: always one unit along the parent's +Y.
    hips = sketch.add("hips", armature, (0, 1, 0), _towards(0.1, 1, 0))
    spine = sketch.add("spine", hips, (0, 1, 0), _towards(-0.2, 1, 0.1))
    chest = sketch.add("chest", spine, (0, 1, 0), _towards(0.1, 1, 0))
    head = sketch.add("head", chest, (0, 1, 0))
    arm = sketch.add("arm", chest, (0.3, 0.6, 0), _towards(1, 0.2, 0))
    hand = sketch.add("hand", arm, (0, 0.6, 0), _towards(0.2, 1, 0))
    body = sketch.add("Body", -1)
    sketch.parents[body] = armature
    joints = [hips, spine, chest, head, arm, hand]
    nodes = sketch.nodes()
    count = len(nodes)
    bare = Rig(nodes, (None,) * count, (None,) * count, sketch.roots)
    model = model_from_nodes(bare, rest_pose(bare))[joints]
    rng = np.random.default_rng(7)
    # More vertices at the head than at the hand, so that the chest's bone leads to the head.
    near = np.array([0, 0, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 5])
    positions = model[near, :3, 3] + 0.2 * rng.normal(size=(len(near), 3))
    numbers = np.zeros((len(near), 4), dtype=int)
    numbers[:, 0], numbers[:, 1] = near, np.maximum(near - 1, 0)
    weights = np.zeros((len(near), 4))
    weights[:, 0], weights[:, 1] = 0.75, 0.25
    weights[near == 0] = (1.0, 0.0, 0.0, 0.0)
    primitive = replace(_geometry(positions, rng), influences=Influences(numbers, weights))
    node_meshes = tuple(0 if n == body else None for n in range(count))
    times = np.array([0.0, 0.4, 1.0])
    turns = quat.from_axis_angle([[0, 0, 1.0], [1.0, 0, 0], [0, 1.0, 0]], [0.3, 0.8, 0.5])
    channels = (
        Channel(spine, "rotation", Sampler(times, quat.multiply(nodes.rotations[spine], turns))),
        Channel(arm, "rotation", Sampler(times, quat.multiply(nodes.rotations[arm], turns[::-1]))),
        Channel(
            hips, "translation", Sampler(times, np.array([[0, 1, 0], [0, 1.2, 0], [0.1, 1, 0]]))
        ),
    )
    return Rig(
        nodes,
        node_meshes,
        node_meshes,
        sketch.roots,
        (Mesh("Body", (primitive,)),),
        (Skin("Skin", tuple(joints), affine.inverse(model)),),
        clips=(Clip("Wave", channels),),
    )


# ---------------------------------------------------------------------------------------------------
# Rigs changed, and rigs compared.


def with_nodes(rig, **changes):
    """Return the rig with other names, children, translations, rotations, scales or matrices."""
    nodes = rig.nodes
    parts = {
        name: changes.get(name, getattr(nodes, name))
        for name in ("names", "children", "translations", "rotations", "scales", "matrices")
    }
    return replace(rig, nodes=Nodes(**parts))


def layout(rig):
    """Return all that the rig knows of who hangs where, is a joint and is shown."""
    nodes = rig.nodes
    return (
        [getattr(rig, name) for name in OF_THE_LAYOUT],
        (nodes.parents, nodes.faults, nodes.sound_children, nodes.tops, nodes.depths.tolist()),
        [level.tolist() for level in nodes.levels],
    )


def anew(rig):
    """Return the same rig, of which nothing is known yet."""
    return replace(rig, nodes=replace(rig.nodes))


def with_row(array, row, value):
    """Return an array with one row exchanged."""
    changed = np.array(array)
    changed[row] = value
    return changed


def with_influences(rig, joints=None, weights=None, mesh=0):
    """Return the rig with other joint numbers or weights in the first primitive of a mesh."""
    primitive = rig.meshes[mesh].primitives[0]
    old = primitive.influences
    influences = Influences(
        old.joints if joints is None else joints, old.weights if weights is None else weights
    )
    return rig.with_primitive(mesh, 0, replace(primitive, influences=influences))


def under(rig, translation=(0, 0, 0), rotation=quat.IDENTITY, scale=1.0):
    """Return the rig with all its roots under one new node, the last one."""
    nodes = rig.nodes
    new = Nodes(
        (*nodes.names, "Above"),
        (*nodes.children, rig.roots),
        np.concatenate([nodes.translations, np.asarray([translation], dtype=float)]),
        np.concatenate([nodes.rotations, np.asarray([rotation], dtype=float)]),
        np.concatenate([nodes.scales, np.full((1, 3), scale)]),
        nodes.matrices,
    )
    return replace(
        rig,
        nodes=new,
        node_meshes=(*rig.node_meshes, None),
        node_skins=(*rig.node_skins, None),
        roots=(len(nodes),),
    )


def beside(first, second):
    """Return one file with two characters: the nodes of the second follow those of the first.

    Clips of one name play both.
    """
    step, meshes, skins = len(first.nodes), len(first.meshes), len(first.skins)
    a, b = first.nodes, second.nodes
    nodes = Nodes(
        a.names + b.names,
        a.children + tuple(tuple(c + step for c in below) for below in b.children),
        *(
            np.concatenate([getattr(n, name) for n in (a, b)])
            for name in ("translations", "rotations", "scales")
        ),
        {**a.matrices, **{n + step: m for n, m in b.matrices.items()}},
    )
    clips = {clip.name: tuple(clip.channels) for clip in first.clips}
    for clip in second.clips:
        channels = (
            replace(c, node=None if c.node is None else c.node + step) for c in clip.channels
        )
        clips[clip.name] = clips.get(clip.name, ()) + tuple(channels)
    return replace(
        first,
        nodes=nodes,
        node_meshes=first.node_meshes
        + tuple(m if m is None else m + meshes for m in second.node_meshes),
        node_skins=first.node_skins
        + tuple(s if s is None else s + skins for s in second.node_skins),
        roots=first.roots + tuple(n + step for n in second.roots),
        meshes=first.meshes + second.meshes,
        skins=first.skins
        + tuple(
            replace(
                skin,
                joints=tuple(j + step for j in skin.joints),
                skeleton=None if skin.skeleton is None else skin.skeleton + step,
            )
            for skin in second.skins
        ),
        clips=tuple(Clip(name, channels) for name, channels in clips.items()),
        node_morph_weights={
            **first.node_morph_weights,
            **{n + step: w for n, w in second.node_morph_weights.items()},
        },
        humanoid={**first.humanoid, **{n + step: w for n, w in second.humanoid.items()}},
        unread=first.unread + second.unread,
    )


def poses(rig, between=2):
    """Return the rest pose, and the poses of every clip at its keys and at times between them."""
    result = [rest_pose(rig)]
    for clip in rig.clips:
        times = clip.key_times
        if len(times):
            steps = np.linspace(0, 1, between + 1, endpoint=False)[1:]
            inner = (times[:-1, None] + steps * np.diff(times)[:, None]).reshape(-1)
            stack = sample(rig, clip, np.concatenate([times, inner]))
            result += [stack[i] for i in range(len(times) + len(inner))]
    return result


def _stated(rig):
    """Return what a rig states besides numbers: its hierarchy, and what its curves move."""
    curves = [
        (c.node, c.path, c.sampler.interpolation) for clip in rig.clips for c in clip.channels
    ]
    nodes = rig.nodes
    return nodes.names, nodes.children, rig.roots, rig.node_meshes, rig.node_skins, curves


def _numbers(rig):
    """Yield all arrays of a rig."""
    nodes = rig.nodes
    yield from (nodes.translations, nodes.scales, *nodes.matrices.values())
    # A quaternion and its negative are one rotation.
    yield np.einsum("ni,nj->nij", nodes.rotations, nodes.rotations)
    for primitive in (p for mesh in rig.meshes for p in mesh.primitives):
        yield from (primitive.positions, primitive.triangles)
        if primitive.influences is not None:
            yield from (primitive.influences.joints, primitive.influences.weights)
        if primitive.morphs is not None:
            yield primitive.morphs.positions
    for skin in rig.skins:
        yield from (np.array(skin.joints), skin.joint_from_mesh)
    for channel in (c for clip in rig.clips for c in clip.channels):
        yield from (channel.sampler.times, channel.sampler.values)


def same(before, after, tolerance=1e-12):
    """Tell whether two rigs state the same: hierarchy, meshes, skins and clips."""
    first, second = list(_numbers(before)), list(_numbers(after))
    return (
        _stated(before) == _stated(after)
        and len(first) == len(second)
        and all(
            a.shape == b.shape and np.allclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True)
            for a, b in zip(first, second, strict=True)
        )
    )


def positions(rig, pose, method, options=None):
    """Return ``(V, 3)`` all parts skinned in one pose."""
    deformer = Deformer(rig)
    frame = deformer.frame(pose)
    parts = deformer.skin_all(frame, METHODS[method], options or Options())
    return np.concatenate([np.zeros((0, 3)), *(part.positions for part in parts)])


@lru_cache(4)
def _skinned_everywhere(rig, options):
    """Return per method and pose the positions of every part."""
    deformer = Deformer(rig)
    methods = [METHODS[name] for name in DEFAULT_PANES]
    result = {name: [] for name in DEFAULT_PANES}
    for pose in poses(rig, between=1):
        each = deformer.skin_by(deformer.frame(pose), methods, options)
        for name, skinned in zip(DEFAULT_PANES, each, strict=True):
            result[name].append(dict(zip(rig.parts, skinned, strict=True)))
    return result


def largest_difference(before, after, options=None):
    """Return per method how far any vertex of two rigs is apart at most, as a share of H.

    Compared are rest, every key and times between keys of every clip.
    """
    # A fix may hang a mesh elsewhere, and so change the order of the parts.
    assert set(before.parts) == set(after.parts)
    first, second = (_skinned_everywhere(rig, options or Options()) for rig in (before, after))
    return {
        name: max(
            float(np.linalg.norm(a.positions - other[part].positions, axis=-1).max(initial=0.0))
            for one, other in zip(first[name], second[name], strict=True)
            for part, a in one.items()
        )
        / Deformer(before).size
        for name in DEFAULT_PANES
    }


def sharpened(rig):
    """The rig with every vertex given to its heaviest joint alone."""
    meshes = []
    for mesh in rig.meshes:
        primitives = []
        for primitive in mesh.primitives:
            if (bound := primitive.influences) is not None:
                weights = np.zeros(bound.weights.shape)
                rows = np.arange(len(weights))
                weights[rows, bound.weights.argmax(axis=1)] = bound.weights.sum(axis=1)
                bound = Influences(bound.joints, weights)
            primitives.append(replace(primitive, influences=bound))
        meshes.append(replace(mesh, primitives=tuple(primitives)))
    return replace(rig, meshes=tuple(meshes))
