"""The flesh around one joint of a character on a lattice, and where it carries the skin as the joint bends.

The lattice fills what the skin around the joint encloses, as far as `REACH` ρ from the joint. Pinned are
the cores of the bones, the inner half of the flesh but nothing within `CLEAR` ρ of the joint, and the cut.
The joint is driven in steps of 15°, on a pure bend with contact at the plane that halves it. The skin
follows its cells trilinearly. Not in it: skin that slides on flesh; and on the inner side beyond 90° flesh
that folds elsewhere than at that plane.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from rigview.core import quat
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.clip import Channel, Clip
from rigview.core.elastic.body import ElasticBody, Lattice, Plane, winding_numbers
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.pose import Pose, model_from_nodes, rest_pose, sample
from rigview.core.sampler import Sampler
from rigview.core.skinning import METHODS, Method, Options

REACH, SURROUNDINGS = 4.5, 6.0
CLEAR, STEP = 0.15, 15
# Of the lattice, in ρ.
SPACING = 0.25
# A rig whose rest pose is not that of binding has no lattice at rest: more than this of ρ apart.
AT_REST = 0.02
# Contact begins here, degrees: a plane needs a bend.
_FOLDS_FROM = 30.0
# Lattices of more cells take too long to factorise, and their memory is too much; the largest of the
# characters tried has 2,547.
MOST_CELLS = 20_000


class NoFleshError(ValueError):
    """The joint has no flesh that could be bent, for the reason told."""


class Limb:
    """A joint with its flesh.

    Parameters
    ----------
    number
        Of the region of the joint.
    bend, twist
        ``(3,)`` unit axes in the joint's own frame at rest.
    spacing
        Of the lattice, in ρ.
    """

    def __init__(
        self,
        meter: JointMeter,
        number: int,
        bend: FloatArray,
        twist: FloatArray,
        spacing: float = SPACING,
    ) -> None:
        self.meter, self.region = meter, meter.regions.each[number]
        self.deformer, self.joint = meter.deformer, self.region.joint
        self.bend, self.twist = bend, twist
        self.skin = meter.skin.positions.T
        self._check_rest()
        self.rest = model_from_nodes(self.deformer.rig, rest_pose(self.deformer.rig))
        self.origin = self.rest[self.joint, :3, 3]
        self.fixed, self.moving = self._bones()
        if not len(self.fixed):
            raise NoFleshError("no bone before it")
        self._fill(spacing * self.region.size)

    def _check_rest(self) -> None:
        still = self.skinned(self.pose_at(0.0), METHODS["lbs"])[self.region.vertices]
        apart = float(np.abs(still - self.skin[self.region.vertices]).max())
        if apart > AT_REST * self.region.size:
            raise NoFleshError(
                f"its rest pose is {apart / self.region.size:.2f} of its radius from the bind pose"
            )

    def pose_at(self, degrees: float, twist: float = 0.0) -> Pose:
        """Return the pose in which the joint bends and twists by so many degrees."""
        rig = self.deformer.rig
        turn = quat.multiply(
            quat.from_axis_angle(self.bend, np.radians(degrees)),
            quat.from_axis_angle(self.twist, np.radians(twist)),
        )
        value = quat.normalise(quat.multiply(rig.nodes.rotations[self.joint], turn))
        channel = Channel(self.joint, "rotation", Sampler(np.zeros(1), value[None]))
        return sample(rig, Clip("bent", (channel,)), 0.0)

    def skinned(self, pose: Pose, method: Method) -> FloatArray:
        """Return ``(W, 3)`` the welded vertices in a pose under a method."""
        shapes = self.deformer.skin_all(self.deformer.frame(pose), method, Options())
        return self.meter.skin.posed(shapes).T

    def _bones(self) -> tuple[FloatArray, FloatArray]:
        """Return the bones before the joint and behind it, each ``(n, 2, 3)``, 2 · REACH ρ long at most."""
        skeleton = self.deformer.skeleton
        heads = self.rest[skeleton.joints, :3, 3]
        place = skeleton.places[self.joint]
        rows = []
        for links in (skeleton.parents, skeleton.primary):
            chain, length = [place], 0.0
            while links[chain[-1]] >= 0 and length < 2.0 * REACH * self.region.size:
                chain.append(int(links[chain[-1]]))
                length = float(np.linalg.norm(heads[chain[-1]] - heads[place]))
            rows.append(np.stack([heads[chain[:-1]], heads[chain[1:]]], axis=1))
        if not len(rows[1]):
            bones = self.deformer.rest_bones
            rows[1] = np.stack([heads[place], bones.tails[place]])[None]
        return rows[0], rows[1]

    def _fill(self, spacing: float) -> None:
        from scipy.spatial import cKDTree

        faces = self._faces_around()
        surface = self.skin[np.unique(faces)]
        low = surface.min(axis=0) - spacing
        shape = np.ceil((surface.max(axis=0) + spacing - low) / spacing).astype(int)
        middles = low + spacing * (np.indices(shape).reshape(3, -1).T + 0.5)
        within = self._from_joint(middles) < REACH
        inside = np.zeros(len(middles), dtype=np.bool_)
        wound = winding_numbers(middles[within], self.skin[faces])
        inside[within] = np.abs(wound) > 0.5
        # Cells that the skin passes through carry it.
        spread = np.concatenate(_within(self.skin[faces]))
        skin = np.concatenate([self.skin[self.region.vertices], spread])
        skin = skin[self._from_joint(skin) < REACH]
        filled = inside.reshape(tuple(shape.tolist()))
        filled[tuple(np.floor((skin - low) / spacing).astype(int).T)] = True
        if np.count_nonzero(filled) > MOST_CELLS:
            raise NoFleshError(f"more than {MOST_CELLS} cells")
        self.lattice = Lattice.of(filled, low, spacing)
        nearest, _ = cKDTree(np.concatenate([surface, spread])).query(self.lattice.points)
        self._pin(np.asarray(nearest, dtype=np.float64))

    def _faces_around(self) -> IntArray:
        """Return ``(F, 3)`` the faces near the joint on the pieces of skin that its region lies on."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        faces = self.meter.skin.triangles
        near = self._from_joint(self.skin) < SURROUNDINGS
        faces = faces[near[faces].all(axis=1)]
        ends = np.concatenate([faces[:, :2], faces[:, 1:]])
        size = len(self.skin)
        graph = coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(size, size))
        _, piece = connected_components(graph, directed=False)
        return faces[np.isin(piece[faces[:, 0]], piece[self.region.vertices])]

    def _from_joint(self, points: FloatArray) -> FloatArray:
        """Return the distance of ``(n, 3)`` points from the joint, in ρ."""
        return np.asarray(np.linalg.norm(points - self.origin, axis=1) / self.region.size)

    def _pin(self, to_surface: FloatArray) -> None:
        points, spacing = self.lattice.points, self.lattice.spacing
        before, behind = _distance(points, self.fixed), _distance(points, self.moving)
        away = self._from_joint(points)
        core = (np.minimum(before, behind) < to_surface) & (away > CLEAR)
        self.pinned = core | (away > REACH - 1.5 * spacing / self.region.size)
        self.carried = behind < before
        if self.pinned.all() or not self.pinned.any():
            raise NoFleshError("no flesh between its bones and its skin")

    @cached_property
    def _places(self) -> tuple[IntArray, FloatArray]:
        return self.lattice.embed(self.skin[self.region.vertices])

    def drive(self, angles: Sequence[int], twist: float = 0.0) -> Iterator[tuple[int, FloatArray]]:
        """Yield the angle and ``(n, 3)`` places of the region's vertices, at ascending degrees.

        NaN for vertices that lie in no cell.

        Parameters
        ----------
        twist
            Degrees by which the joint has twisted as well at the largest angle.
        """
        body = ElasticBody(self.lattice, self.pinned)
        nodes, shares = self._places
        last = max(angles)
        for degrees in sorted({*range(STEP, last + 1, STEP), *angles}):
            pose = self.pose_at(degrees, twist * degrees / last)
            carry = model_from_nodes(self.deformer.rig, pose)[self.joint]
            carry = carry @ np.linalg.inv(self.rest[self.joint])
            held = self.lattice.points.copy()
            held[self.carried] = held[self.carried] @ carry[:3, :3].T + carry[:3, 3]
            plane = self._plane(carry[:3, :3]) if not twist and degrees > _FOLDS_FROM else None
            body.settle(held[self.pinned], plane=plane)
            if degrees in angles:
                yield degrees, np.einsum("vk,vki->vi", shares, body.positions[nodes])

    def _plane(self, turn: FloatArray) -> Plane:
        before, behind = self.fixed[0], self.moving[0]
        into, out = _unit(before[0] - before[1]), _unit(behind[1] - behind[0])
        turned = turn @ out
        return Plane(self.origin, _unit(into + out), _unit(into + turned), _unit(turned - into))

    def normals(self, places: FloatArray) -> tuple[FloatArray, BoolArray]:
        """Return unit normals ``(n, 3)`` of the region in driven places, and which vertices have one."""
        local = np.searchsorted(self.region.vertices, self.region.faces)
        normals = np.zeros_like(places)
        a, b, c = np.moveaxis(places[local], 1, 0)
        for corner in local.T:
            np.add.at(normals, corner, np.cross(b - a, c - a))
        size = np.linalg.norm(normals, axis=1)
        seen = (size > 0.0) & np.isfinite(places).all(axis=1)
        return np.where(seen[:, None], normals / np.where(seen, size, 1.0)[:, None], 0.0), seen


def region_of(meter: JointMeter, joint: int) -> int:
    """Return the number of a joint's largest region, by its blended vertices."""
    found = [i for i, region in enumerate(meter.regions.each) if region.joint == joint]
    if not found:
        raise NoFleshError("no skin that it blends with another joint's")
    return max(found, key=lambda i: int(meter.regions.each[i].blended.sum()))


def _within(triangles: FloatArray) -> list[FloatArray]:
    """Return the middles of ``(F, 3, 3)`` triangles and of their edges."""
    a, b, c = np.moveaxis(triangles, 1, 0)
    return [triangles.mean(axis=1), (a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0]


def _distance(points: FloatArray, bones: FloatArray) -> FloatArray:
    """Return ``(n,)`` distances of points to the nearest of ``(m, 2, 3)`` bones."""
    nearest = np.full(len(points), np.inf)
    for a, b in bones:
        along = b - a
        share = np.clip((points - a) @ along / max(along @ along, 1e-30), 0.0, 1.0)
        foot = a + share[:, None] * along
        nearest = np.minimum(nearest, np.linalg.norm(points - foot, axis=1))
    return nearest


def _unit(vector: FloatArray) -> FloatArray:
    return np.asarray(vector / np.linalg.norm(vector))
