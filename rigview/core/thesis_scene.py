"""A character of the size that the thesis measured with: 80 joints and 126,000 triangles.

After Rudenko 2020, §5: a hundred such characters, each in a pose of its own. Ours is a star of five
limbs, sixteen joints each, so that every vertex lies near a bend and has four influences.
"""

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray
from rigview.core.mesh import Influences, Mesh, Primitive
from rigview.core.nodes import Nodes
from rigview.core.pose import Pose, rest_pose
from rigview.core.rig import Rig, Skin

COPIES = 100
_LIMBS, _BONES = 5, 16
# Rings × sides × 2 triangles × 5 limbs = 126,000.
_RINGS, _SIDES = 180, 70
_BONE, _RADIUS = 0.06, 0.05
_BEND = 0.35


def character() -> Rig:
    """Return the character in its rest pose, one skinned mesh."""
    out = [quat.from_axis_angle((0.0, 0.0, 1.0), 2.0 * np.pi * i / _LIMBS) for i in range(_LIMBS)]
    joints = range(1, 1 + _LIMBS * _BONES)
    children: list[tuple[int, ...]] = [(*joints[::_BONES], len(joints) + 1)]
    children += [() if j % _BONES == 0 else (j + 1,) for j in joints]
    nodes = Nodes(
        ("Star", *(f"Joint {j}" for j in joints), "Body"),
        (*children, ()),
        np.array([[0, 0, 0], *(_step(j) for j in joints), [0, 0, 0]], dtype=np.float64),
        np.array(
            [
                quat.IDENTITY,
                *(out[j // _BONES] if j % _BONES == 1 else quat.IDENTITY for j in joints),
                quat.IDENTITY,
            ]
        ),
        np.ones((len(joints) + 2, 3)),
    )
    binds = np.tile(np.eye(4), (len(joints), 1, 1))
    for i in range(len(joints)):
        binds[i, :3, :3] = quat.to_matrix(out[i // _BONES]).T
        binds[i, 1, 3] = -_BONE * (i % _BONES + 1)
    mesh = Mesh("Body", (_body(np.stack(out)),))
    here = (*(None for _ in range(len(joints) + 1)), 0)
    return Rig(nodes, here, here, (0,), (mesh,), (Skin("Star", tuple(joints), binds),))


def pose(rig: Rig, number: int) -> Pose:
    """Return the pose of one copy: every joint bends and twists, each copy otherwise."""
    rng = np.random.default_rng(number)
    axes = rng.normal(size=(len(rig.joints), 3))
    turns = quat.from_axis_angle(axes, rng.uniform(-_BEND, _BEND, len(axes)))
    return rest_pose(rig).turned(dict(zip(rig.joints, turns, strict=True)))


def _step(joint: int) -> tuple[float, float, float]:
    """Return where a joint lies in its parent's frame; the first of a limb is placed by its turn."""
    if joint % _BONES != 1:
        return (0.0, _BONE, 0.0)
    angle = 2.0 * np.pi * (joint // _BONES) / _LIMBS
    return (-_BONE * np.sin(angle), _BONE * np.cos(angle), 0.0)


def _body(turns: FloatArray) -> Primitive:
    """Return five tubes along +Y, each turned into its limb's place."""
    along = np.linspace(0.5, _BONES + 0.5, _RINGS + 1)
    around = np.linspace(0.0, 2.0 * np.pi, _SIDES, endpoint=False)
    height, angle = (grid.ravel() for grid in np.meshgrid(along, around, indexing="ij"))
    tube = np.stack([_RADIUS * np.cos(angle), _BONE * height, _RADIUS * np.sin(angle)], axis=-1)
    ring, side = (g.ravel() for g in np.meshgrid(range(_RINGS), range(_SIDES), indexing="ij"))
    corner = _SIDES * ring + side
    beside = _SIDES * ring + (side + 1) % _SIDES
    quads = np.stack([corner, corner + _SIDES, beside, beside, corner + _SIDES, beside + _SIDES])
    triangles = quads.T.reshape(-1, 3)
    # The four joints next to the vertex, by distance along the limb.
    place = height - 1.0
    first = np.clip(np.floor(place).astype(np.int64) - 1, 0, _BONES - 4)
    near = first[:, None] + np.arange(4)
    weights = np.maximum(0.0, 2.0 - np.abs(near + 0.5 - place[:, None])) ** 2
    weights /= weights.sum(axis=1, keepdims=True)
    return Primitive(
        np.concatenate([quat.rotate(turn, tube) for turn in turns]),
        np.concatenate([triangles + i * len(tube) for i in range(_LIMBS)]),
        np.zeros((0, 2), dtype=np.int64),
        np.zeros(0, dtype=np.int64),
        influences=Influences(
            np.concatenate([near + i * _BONES for i in range(_LIMBS)]),
            np.tile(weights, (_LIMBS, 1)),
        ),
    )
