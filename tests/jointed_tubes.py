"""Rigs of one tube on two joints, posed by a clip: what joint measures can be told of by a formula.

The tube of radius 1 lies along x and ends at ±4; the joint is at the origin, its parent at −4. The weight
of the joint at x is a step blurred by a Gaussian of width sigma.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from rigview.core import affine, quat
from rigview.core.clip import Channel, Clip
from rigview.core.deform import Deformer
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.mesh import Influences, Mesh, Primitive
from rigview.core.nodes import Nodes
from rigview.core.pose import rest_pose
from rigview.core.rig import Rig, Skin
from rigview.core.sampler import Sampler
from rigview.core.skinning import ASKED, Options

REACH, AROUND, RINGS = 4.0, 32, 81
ROOT, JOINT = 0, 1
X, Y, Z = np.eye(3)


@dataclass(frozen=True)
class Tube:
    """Points ``(V, 3)``, triangles and weights of the joint ``(V,)``."""

    points: np.ndarray
    triangles: np.ndarray
    weights: np.ndarray

    def moved(self, vertex, by):
        """Return the tube with one vertex elsewhere in the mesh as it is skinned, not in weight."""
        points = self.points.copy()
        points[vertex] += by
        return replace(self, points=points)

    def seamed(self):
        """Return the tube with every triangle's corners its own, as a flat-shaded file has them."""
        corners = self.triangles.reshape(-1)
        triangles = np.arange(len(corners)).reshape(-1, 3)
        return Tube(self.points[corners], triangles, self.weights[corners])

    def opened(self, share=0.25):
        """Return the tube without a strip of triangles along it: an open shell."""
        middle = self.points[self.triangles].mean(axis=1)
        angle = np.arctan2(middle[:, 2], middle[:, 1])
        triangles = self.triangles[np.abs(angle) > np.pi * share]
        used, places = np.unique(triangles, return_inverse=True)
        return Tube(self.points[used], places.reshape(-1, 3), self.weights[used])


def tube(sigma=0.63, around=AROUND, rings=RINGS):
    """Return a tube."""
    x, phi = np.meshgrid(
        np.linspace(-REACH, REACH, rings), 2 * np.pi * np.arange(around) / around, indexing="ij"
    )
    points = np.stack([x.ravel(), np.cos(phi).ravel(), np.sin(phi).ravel()], axis=1)
    corner = np.arange(rings * around).reshape(rings, around)
    a, b = corner[:-1], corner[1:]
    c, d = np.roll(a, -1, axis=1), np.roll(b, -1, axis=1)
    triangles = np.concatenate([np.stack(t, -1).reshape(-1, 3) for t in ((a, c, b), (c, d, b))])
    erf = np.vectorize(math.erf)
    weights = 0.5 + 0.5 * erf(points[:, 0] / (sigma * math.sqrt(2.0)))
    return Tube(points, triangles, weights)


def rig_of(shape, *, matrix=None):
    """Return a rig of a root, the joint and a joint at its end; `matrix` stands above all of them."""
    offsets = np.array([[-REACH, 0, 0], [REACH, 0, 0], [REACH, 0, 0], [0, 0, 0]])
    nodes = Nodes(
        ("root", "joint", "end", "tube"),
        ((1,), (2,), (), ()),
        offsets,
        np.tile(quat.IDENTITY, (4, 1)),
        np.ones((4, 3)),
    )
    joints = np.tile([0, 1], (len(shape.points), 1))
    weights = np.column_stack([1.0 - shape.weights, shape.weights])
    primitive = Primitive(
        shape.points,
        shape.triangles,
        np.zeros((0, 2)),
        np.zeros(0),
        influences=Influences(joints, weights),
    )
    binds = np.tile(np.eye(4), (3, 1, 1))
    binds[:, 0, 3] = REACH, 0.0, -REACH
    where = (None, None, None, 0)
    return Rig(
        nodes,
        where,
        where,
        (0, 3),
        (Mesh("tube", (primitive,)),),
        (Skin("tube", (0, 1, 2), binds),),
    )


def turned(rig, turn, whole=None):
    """Return the rig's pose with the joint turned by a quaternion, and all moved by a ``(4, 4)`` matrix."""
    pose = rest_pose(rig).turned({JOINT: turn})
    if whole is not None:
        root = affine.compose(pose.translations[ROOT], pose.rotations[ROOT], pose.scales[ROOT])
        pose = replace(pose, matrices={**pose.matrices, ROOT: whole @ root})
    return pose


def read(shape, turn, method="lbs", whole=None, pull=None):
    """Return measure → value of the tube's region, and the meter and pose.

    Parameters
    ----------
    pull
        A vertex, and by how much it is moved after skinning.
    """
    rig = rig_of(shape)
    deformer = Deformer(rig)
    meter = JointMeter(deformer)
    pose = meter.pose(deformer.frame(turned(rig, turn, whole)))
    skinned = deformer.skin_all(pose.frame, ASKED[method], Options())
    if pull is not None:
        vertex, by = pull
        positions = skinned[0].positions.copy()
        positions[vertex] += by
        skinned = [replace(skinned[0], positions=positions)]
    reading = meter.read(pose, skinned)
    (region,) = range(len(meter.regions))
    return {name: float(values[region]) for name, values in reading.values.items()}, meter, pose


def clip_of(turns, fps=30.0):
    """Return a clip that gives the joint one of ``(T, 4)`` turns per frame."""
    times = np.arange(len(turns)) / fps
    return Clip("turns", (Channel(JOINT, "rotation", Sampler(times, turns)),))
