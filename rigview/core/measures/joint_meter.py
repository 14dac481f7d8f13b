"""Measuring joint regions in one pose: every measure of the table, per region and method."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from rigview.core import quat
from rigview.core.arrays import BoolArray, FloatArray, IntArray, unit
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.measures import grouped
from rigview.core.measures.cross_sections import CrossSections
from rigview.core.measures.joint_measures import MEASURES, SCANNED
from rigview.core.measures.joint_regions import STRAIGHT, Regions
from rigview.core.measures.mover import VANISHED, JointMotion, JointTurn, Movers, angles_of
from rigview.core.measures.region_crossings import crossing_faces
from rigview.core.measures.region_surface import RegionSurface
from rigview.core.measures.welded_skin import WeldedSkin
from rigview.core.memo import Remembers
from rigview.core.methods.posed import Skinned
from rigview.core.numeric import axis_major
from rigview.core.pose import Pose, model_from_nodes
from rigview.core.skinning import ASKED, Options

# A joint turned by less than this, and moved by less than this share of ρ, deforms nothing to speak of.
_STILL, _UNMOVED = np.radians(5.0), 0.05
# A limb bent by less has no outer side: all of it counts.
_BENT = np.radians(10.0)
# The limb about a joint: within this multiple of ρ, blended by more than this; vertices that tell a bulge.
_NEAR, _FOLLOWS, _FEWEST_OUTSIDE = 1.5, 0.1, 4
# How far behind a joint the flesh is thought to have a bone, where none leads to it, as a multiple of ρ.
_BEHIND = 3.0
# What is nearer to the axis of a bend than this share of ρ lies on it.
_ON_AXIS = 1e-6
# Of the outer side 5 % of the vertices may stand out further.
_BULGED = 0.95


@dataclass(frozen=True, eq=False)
class JointPose:
    """What all methods share in a pose.

    Parameters
    ----------
    turns
        ``(R, 2)`` bend and twist of every region's joint against its parent (`JointTurn`), radians.
    moving
        The regions whose joint has turned or moved against its parent: the others keep their shape.
    scales
        ``(R,)`` the size of the region's joints over that at bind.
    """

    frame: Frame
    motion: JointMotion
    turns: FloatArray
    moving: IntArray
    scales: FloatArray

    @cached_property
    def angles(self) -> FloatArray:
        """``(R,)`` the angles of the joints' whole rotations, radians."""
        return angles_of(self.turns)

    def turn(self, region: int) -> JointTurn:
        """Return the turn of a region's joint."""
        bend, twist = self.turns[region].tolist()
        return JointTurn(bend, twist)


@dataclass(frozen=True, eq=False)
class MethodReading:
    """One method in one pose.

    Parameters
    ----------
    values
        Measure → ``(R,)``; NaN where a region has no such value, the value of an undeformed region where
        its joint has not moved.
    """

    values: dict[str, FloatArray]

    @cached_property
    def worst(self) -> FloatArray:
        """``(R,)`` the highest severity of each region by the table's limits; 0 where nothing is known."""
        result = np.zeros(len(next(iter(self.values.values()), ())))
        for name, values in self.values.items():
            np.fmax(result, MEASURES[name].severity(values), out=result)
        return result


@dataclass(frozen=True)
class JointMeter(Remembers):
    """The static half of measuring a rig's joints; everything in it is computed once, on first use."""

    deformer: Deformer

    @cached_property
    def skin(self) -> WeldedSkin:
        """The welded skin."""
        return WeldedSkin(self.deformer)

    @cached_property
    def regions(self) -> Regions:
        """All regions."""
        return Regions(self.skin)

    @cached_property
    def sections(self) -> CrossSections:
        """The regions' cross-sections."""
        return CrossSections(self.regions)

    @cached_property
    def surface(self) -> RegionSurface:
        """The regions' edges and faces."""
        return RegionSurface(self.regions)

    @cached_property
    def movers(self) -> Movers:
        """What tells how joints turn."""
        return Movers(self.deformer, self.skin.reference)

    def prepare(self) -> None:
        """Compute all that is computed once now: several threads may measure from then on."""
        pose = self.pose(self.skin.reference)
        every = np.arange(len(self.regions))
        self._measure(self.skin.positions, pose, every)

    def turns_over(self, poses: Pose) -> FloatArray:
        """Return ``(T, R, 2)`` bend and twist (`JointTurn`) of all regions' joints in a stack of poses."""
        model = model_from_nodes(self.deformer.rig, poses)
        regions = self.regions
        return self.movers.turns(model, regions.joints, regions.parents, regions.axes)

    def pose(self, frame: Frame) -> JointPose:
        """Return what all methods share in a frame."""
        motion = self.movers.motion(frame)
        regions = self.regions
        joints, parents = regions.joints, regions.parents
        turns = motion.turns(joints, parents, regions.axes)
        scales = np.sqrt(motion.scales[joints] * motion.scales[parents])
        shifts = motion.shifts(joints, parents, self.skin.bones.heads)
        moves = (angles_of(turns) >= _STILL) | (shifts >= _UNMOVED * regions.sizes)
        # A joint shrunk to nothing, to hide what it moves, has no shape to measure.
        there = np.minimum(motion.scales[joints], motion.scales[parents]) > VANISHED
        return JointPose(frame, motion, turns, np.flatnonzero(moves & there), scales)

    def read(self, pose: JointPose, skinned: Sequence[Skinned]) -> MethodReading:
        """Measure one method in one pose: what a scan asks for (`SCANNED`).

        Parameters
        ----------
        skinned
            All parts of the scene, as `Deformer.skin_all` returns them.
        """
        measured = self._measure(self.skin.posed(skinned), pose, pose.moving)
        values = {}
        for name in SCANNED:
            whole = self._unchanged[name].copy()
            whole[pose.moving] = measured[name]
            values[name] = whole
        return MethodReading(values)

    def read_all(
        self, pose: JointPose, methods: Sequence[str], options: Options
    ) -> dict[str, MethodReading]:
        """Skin and measure one pose by several methods, keys of `skinning.ASKED`."""
        skinned = self.deformer.skin_by(pose.frame, (ASKED[name] for name in methods), options)
        return {name: self.read(pose, parts) for name, parts in zip(methods, skinned, strict=True)}

    @cached_property
    def _unchanged(self) -> dict[str, FloatArray]:
        """Measure → ``(R,)`` values of regions that keep their shape."""
        every = np.arange(len(self.regions))
        pose = self.pose(self.skin.reference)
        measured = self._measure(self.skin.positions, pose, every)
        return {
            name: np.where(np.isnan(values), np.nan, MEASURES[name].unchanged)
            for name, values in measured.items()
        }

    def _measure(
        self, positions: FloatArray, pose: JointPose, regions: IntArray
    ) -> dict[str, FloatArray]:
        """Return measure → ``(n,)`` values of some regions, in ``(3, W)`` welded positions."""
        scales = pose.scales[regions]
        surface = self.surface.read(positions, regions, scales)
        return {
            "collapse": self.sections.collapse(positions, regions, scales),
            "bulge": self._bulge(positions, pose, regions),
            "volume": surface.volume,
            "stretch": surface.stretch,
            "compression": surface.compression,
            "area": surface.area,
            "flips": surface.flips,
        }

    @cached_property
    def _rest_distances(self) -> FloatArray:
        """``(n,)`` of all regions' vertices in the reference pose."""
        pose = self.pose(self.skin.reference)
        return self._distances(self.skin.positions, pose, np.arange(len(self.regions)))

    @cached_property
    def _limb_starts(self) -> FloatArray:
        """``(R, 3)`` in the reference pose: where the limb comes from that leads to each joint.

        It is the parent where the limb runs straight on there, as at an elbow. At a hip or a shoulder
        the flesh goes on behind the joint where no bone does: there a bone is thought of that ends at the
        joint in line with the limb and belongs to the parent.
        """
        regions = self.regions
        heads = self.skin.bones.heads
        joints, parents = heads[regions.joints], heads[regions.parents]
        straight = np.einsum("ri,ri->r", unit(joints - parents), regions.axes) > STRAIGHT
        behind = joints - _BEHIND * regions.sizes[:, None] * regions.axes
        return np.where(straight[:, None], parents, behind)

    def _distances(self, positions: FloatArray, pose: JointPose, regions: IntArray) -> FloatArray:
        """Return ``(n,)`` distances of vertices to the nearer of limb (`_limb_starts`) and bone."""
        rows, starts = self.regions.vertices.chosen(regions)
        points = positions[:, self.regions.vertices.values[rows]]
        joints, parents = self.regions.joints[regions], self.regions.parents[regions]
        carried = pose.motion.matrices[parents]
        limbs = np.einsum("rab,rb->ra", carried[:, :3, :3], self._limb_starts[regions])
        limbs += carried[:, :3, 3]
        bones, counts = pose.motion.bones, np.diff(starts)
        nearest = np.full(len(rows), np.inf)
        heads, tails = bones.heads[joints], bones.tails[joints]
        for start, end in ((limbs, heads), (heads, tails)):
            along = end - start
            square = np.einsum("ri,ri->r", along, along)
            along_rows = np.repeat(along, counts, axis=0).T
            offset = points - np.repeat(start, counts, axis=0).T
            share = np.einsum("in,in->n", offset, along_rows)
            share /= np.repeat(np.where(square > 0.0, square, 1.0), counts)
            np.clip(share, 0.0, 1.0, out=share)
            offset -= share * along_rows
            np.minimum(nearest, np.einsum("in,in->n", offset, offset), out=nearest)
        return np.sqrt(nearest)

    def bulges(
        self, positions: FloatArray, pose: JointPose, regions: IntArray
    ) -> tuple[FloatArray, IntArray]:
        """Return ``(n,)`` how far vertices of some regions stand out, over ρ, and where regions start.

        It is how much further from the nearer bone (from parent to joint, and the joint's own) a vertex is
        than at bind, 0 for what is nearer and for the inner side of a bend.
        """
        rows, starts = self.regions.vertices.chosen(regions)
        distances = self._distances(positions, pose, regions)
        counts = np.diff(starts)
        excess = distances / np.repeat(pose.scales[regions], counts) - self._rest_distances[rows]
        excess /= np.repeat(self.regions.sizes[regions], counts)
        excess[~self._outer(pose, regions)] = 0.0
        return np.maximum(excess, 0.0), starts

    def _bulge(self, positions: FloatArray, pose: JointPose, regions: IntArray) -> FloatArray:
        """Return the 95 % quantile of how far the outer side stands out (`bulges`).

        NaN without cross-section, and where too few vertices of the outer side are near the joint.
        """
        excess, starts = self.bulges(positions, pose, regions)
        rows, _ = self.regions.vertices.chosen(regions)
        judged = self._outer(pose, regions) & self._is_near[rows]
        counts = grouped.sums(judged.astype(np.float64), starts).astype(np.int64)
        judged_starts = np.concatenate([[0], np.cumsum(counts)])
        values = grouped.quantiles(excess[judged], judged_starts, _BULGED)
        known = self._goes_round[regions] & (counts >= _FEWEST_OUTSIDE)
        return np.where(known, values, np.nan)

    def crossings(self, skinned: Sequence[Skinned], regions: Sequence[int]) -> FloatArray:
        """Return ``(n,)`` the share of the faces of each region that cross and did not at bind."""
        positions, bound = self.skin.posed(skinned), self.skin.positions
        faces = [self.regions.each[region].faces for region in regions]
        shares = [
            crossing_faces(positions, bound, own).mean() if len(own) else 0.0 for own in faces
        ]
        return np.array(shares, dtype=np.float64)

    def normal_errors(
        self, skinned: Sequence[Skinned], positions: FloatArray, corners: IntArray
    ) -> FloatArray:
        """Return ``(n,)`` angles of faces to their mean shading normal beyond those at bind, radians.

        Parameters
        ----------
        corners
            ``(3, n)`` welded vertices.
        """
        shading = np.concatenate([skinned[part].normals for part in self.skin.mesh.parts])
        now = _angles(positions, shading[self.skin.first].T, corners)
        return np.maximum(now - _angles(self.skin.positions, self._bound_normals, corners), 0.0)

    @cached_property
    def _bound_normals(self) -> FloatArray:
        """``(3, W)`` shading normals in the reference pose."""
        skinned = self.deformer.skin_all(self.skin.reference, ASKED["lbs"], Options())
        every = [skinned[part].normals for part in self.skin.mesh.parts]
        return np.concatenate([np.zeros((0, 3)), *every])[self.skin.first].T

    @cached_property
    def _is_near(self) -> BoolArray:
        """``(n,)`` which of all regions' vertices belong to the limb about the joint.

        Left out are those that nearly follow one side, further than 1½ ρ from the bones, or than ρ
        from the joint along the axis: of a chest that an arm leaves nothing has bulged.
        """
        regions = self.regions
        counts = regions.vertices.counts
        branch = np.concatenate([np.zeros(0), *(region.branch for region in regions.each)])
        reach = _NEAR * np.repeat(regions.sizes, counts)
        along = axis_major.dot(self._offsets, np.repeat(regions.axes, counts, axis=0).T)
        near = (self._rest_distances <= reach) & (np.abs(along) <= reach / _NEAR)
        return near & (branch > _FOLLOWS) & (branch < 1.0 - _FOLLOWS)

    @cached_property
    def _goes_round(self) -> BoolArray:
        return np.array([region.goes_round for region in self.regions.each], dtype=np.bool_)

    @cached_property
    def _offsets(self) -> FloatArray:
        """``(3, n)`` of all regions' vertices from their joint, in the reference pose."""
        origins = np.array([r.origin for r in self.regions.each]).reshape(-1, 3)
        points = self.skin.positions[:, self.regions.vertices.values]
        return points - np.repeat(origins, self.regions.vertices.counts, axis=0).T

    def _outer(self, pose: JointPose, regions: IntArray) -> BoolArray:
        """Return `_is_outer`, once for all methods where it is asked of the moving regions."""
        return self._moving_outer(pose) if regions is pose.moving else self._is_outer(pose, regions)

    @cached_property
    def _moving_outer(self) -> Callable[[JointPose], BoolArray]:
        return lru_cache(16)(lambda pose: self._is_outer(pose, pose.moving))

    def _is_outer(self, pose: JointPose, regions: IntArray) -> BoolArray:
        """Return ``(n,)`` which vertices of some regions lie on the outer side of the bend.

        With a the axis of the swing and d the joint's bone, the bone moves towards a × d; what lies on the
        other side of the axis in the reference pose is outside.
        """
        rows, starts = self.regions.vertices.chosen(regions)
        outward = -self.inward(pose)[regions]
        outward[pose.turns[regions, 0] < _BENT] = 0.0
        counts = np.diff(starts)
        side = np.einsum("in,in->n", self._offsets[:, rows], np.repeat(outward, counts, axis=0).T)
        # Vertices on the axis itself, as those of a regular tube, are outside whatever rounding says.
        return np.asarray(side >= -_ON_AXIS * np.repeat(self.regions.sizes[regions], counts))

    def inward(self, pose: JointPose) -> FloatArray:
        """Return ``(R, 3)`` the unit direction in which each joint's bone begins to bend, reference space.

        Zero where it does not bend.
        """
        regions = self.regions
        swing = pose.motion.swings(regions.joints, regions.parents, regions.axes)
        return unit(np.cross(quat.rotation_vector(swing), regions.axes))


def _angles(positions: FloatArray, shading: FloatArray, corners: IntArray) -> FloatArray:
    """Return ``(n,)`` angles of ``(3, n)`` faces to the sum of the normals of their corners, radians."""
    a, b, c = axis_major.gather(positions, corners)
    face = axis_major.cross(b - a, c - a)
    mean = shading[:, corners].sum(axis=1)
    lengths = np.sqrt(axis_major.dot(face, face) * axis_major.dot(mean, mean))
    cosine = axis_major.dot(face, mean) / np.where(lengths > 0.0, lengths, 1.0)
    return np.arccos(np.clip(np.where(lengths > 0.0, cosine, 1.0), -1.0, 1.0))
