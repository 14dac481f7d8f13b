"""Fitting the strength of a compensation, vertex by vertex, to elastic flesh.

A compensating method moves the skin from DQS by a displacement, which the mask multiplies. Each joint of a
character is bent as an elastic body (`Limb`); the best strength s of a vertex is the one that brings it
nearest to the body along its normal n over all bends that are fitted:

    s = Σ (body − dqs)·n (method − dqs)·n  /  Σ ((method − dqs)·n)²,    kept to 0 … 1

A further bend that no strength was fitted to tells what was gained (`HELD`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.deform import Deformer
from rigview.core.elastic.limb import SPACING, Limb, NoFleshError, region_of
from rigview.core.mask import mask_of
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.motion.joint_axes import JointAxes, joint_axes
from rigview.core.motion.joint_limits import LimitTable
from rigview.core.pose import model_from_nodes, rest_pose
from rigview.core.rig import Rig
from rigview.core.skinning import METHODS, Method

# Degrees of the bends that strengths are fitted to, and of the one that they are judged by.
FITTED, HELD = (30, 45, 60), 75
# Methods whose displacement from DQS the mask multiplies, and which leave the rest pose alone.
FITTING = tuple(
    id_ for id_, method in METHODS.items() if "strength" in method.options and id_ != "basic"
)
# Joints that bend one way, by their limits: what the reference was validated for.
HINGES = ("lower_arm", "lower_leg")
# A vertex that the method moves by less than this share of ρ keeps its mask.
MOVED = 1e-3

Progress = Callable[[float], None]


@dataclass(frozen=True)
class Fitted:
    """One joint: root mean square distances to the body at `HELD` degrees, in ρ.

    Parameters
    ----------
    vertices
        How many got a strength from it.
    dqs, full, calibrated
        Under DQS, under the method with the mask at 1, and with the fitted mask.
    """

    joint: str
    vertices: int
    dqs: float
    full: float
    calibrated: float


@dataclass(frozen=True)
class Calibrated:
    """A rig with its new masks, what was gained at each joint, and which joints were left out and why."""

    rig: Rig
    fitted: tuple[Fitted, ...]
    left_out: Mapping[str, str]


@dataclass(eq=False)
class _Sums:
    """Both sums of the fit, ``(W,)`` over welded vertices, and what is needed to judge it."""

    mixed: FloatArray
    square: FloatArray
    least: FloatArray
    held: dict[int, tuple[Limb, FloatArray, FloatArray]] = field(default_factory=dict)

    @property
    def fitted(self) -> IntArray:
        """The vertices that get a strength."""
        return np.flatnonzero(self.square > self.least)

    @property
    def strength(self) -> FloatArray:
        """``(W,)``; 1 where nothing was fitted."""
        result = np.ones(len(self.square))
        fitted = self.fitted
        result[fitted] = np.clip(self.mixed[fitted] / self.square[fitted], 0.0, 1.0)
        return result


def calibrate(
    rig: Rig,
    table: LimitTable,
    method: Method,
    joints: Sequence[int] | None = None,
    progress: Progress | None = None,
    spacing: float = SPACING,
) -> Calibrated:
    """Fit the mask of a rig's compensation to elastic flesh about some joints.

    Parameters
    ----------
    method
        One that the mask multiplies.
    joints
        Node numbers; None takes elbows and knees, or where no name tells of any all that bend.
    progress
        Hears the share done, 0 to 1; may raise to stop.
    spacing
        Of the lattices, in radii of the limbs.
    """
    bare = _without_mask(rig)
    axes = joint_axes(bare, model_from_nodes(bare, rest_pose(bare)), table)
    chosen = _hinges(axes) if joints is None else joints
    meter = JointMeter(Deformer(bare))
    size = len(meter.skin.first)
    sums = _Sums(np.zeros(size), np.zeros(size), np.zeros(size))
    left_out = {}
    tell = progress or (lambda _share: None)
    for done, joint in enumerate(chosen):

        def tell_all(share: float, before: int = done) -> None:
            tell((before + share) / len(chosen))

        try:
            limb = _limb(meter, joint, axes.get(joint), spacing)
            _add(sums, limb, method, tell_all)
        except NoFleshError as reason:
            left_out[bare.nodes.label(joint)] = str(reason)
    tell(1.0)
    fitted = tuple(_judged(sums, joint) for joint in sums.held)
    return Calibrated(_with_strength(rig, meter, sums), fitted, left_out)


def _hinges(axes: Mapping[int, JointAxes]) -> list[int]:
    hinges = [joint for joint, of in axes.items() if of.limits.id in HINGES]
    return hinges or list(axes)


def _without_mask(rig: Rig) -> Rig:
    for part in rig.parts:
        primitive = rig.primitive(part)
        if primitive.compensation is not None:
            rig = rig.with_primitive(
                part.mesh, part.primitive, replace(primitive, compensation=None)
            )
    return rig


def _limb(meter: JointMeter, joint: int, axes: JointAxes | None, spacing: float) -> Limb:
    if axes is None:
        raise NoFleshError("it cannot be bent")
    return Limb(meter, region_of(meter, joint), axes.flex, axes.twist, spacing)


def _add(sums: _Sums, limb: Limb, method: Method, tell: Progress) -> None:
    """Bend one joint and add what its vertices want."""
    rows, added = limb.region.vertices, []
    angles = (*FITTED, HELD)
    for done, (degrees, places) in enumerate(limb.drive(angles), 1):
        moved, wanted = _along_normals(limb, degrees, places, method)
        if degrees == HELD:
            sums.held[limb.joint] = limb, moved, wanted
        else:
            added.append((moved, wanted))
        tell(done / len(angles))
    for moved, wanted in added:
        sums.mixed[rows] += moved * wanted
        sums.square[rows] += moved * moved
    sums.least[rows] = np.maximum(sums.least[rows], (MOVED * limb.region.size) ** 2)


def _along_normals(
    limb: Limb, degrees: int, places: FloatArray, method: Method
) -> tuple[FloatArray, FloatArray]:
    """Return ``(n,)`` how far the method moves the region's vertices from DQS, and how far the body is."""
    normals, seen = limb.normals(places)
    seen &= limb.region.blended
    pose, rows = limb.pose_at(degrees), limb.region.vertices
    plain = limb.skinned(pose, METHODS["dqs"])[rows]
    full = limb.skinned(pose, method)[rows]
    moved = np.einsum("vi,vi->v", full - plain, normals)
    wanted = np.einsum("vi,vi->v", np.where(seen[:, None], places - plain, 0.0), normals)
    return np.where(seen, moved, 0.0), wanted


def _judged(sums: _Sums, joint: int) -> Fitted:
    limb, moved, wanted = sums.held[joint]
    rows, seen = limb.region.vertices, limb.region.blended

    def far(strength: FloatArray | float) -> float:
        apart = (wanted - strength * moved)[seen]
        return float(np.sqrt(np.mean(apart**2))) / limb.region.size

    fitted = int(np.count_nonzero(np.isin(rows, sums.fitted)))
    label = limb.deformer.rig.nodes.label(joint)
    return Fitted(label, fitted, far(0.0), far(1.0), far(sums.strength[rows]))


def _with_strength(rig: Rig, meter: JointMeter, sums: _Sums) -> Rig:
    """Return the rig with the strengths in its masks; what was not fitted keeps what it had."""
    skin = meter.skin
    strength, is_fitted = sums.strength[skin.welded], np.isin(skin.welded, sums.fitted)
    for number, rows in _rows_of_parts(skin.mesh.parts, skin.mesh.starts):
        part = rig.parts[number]
        mask = np.where(is_fitted[rows], strength[rows], mask_of(rig, part))
        stored = None if np.all(mask == 1.0) else mask
        primitive = replace(rig.primitive(part), compensation=stored)
        rig = rig.with_primitive(part.mesh, part.primitive, primitive)
    return rig


def _rows_of_parts(parts: Sequence[int], starts: Sequence[int]) -> Iterable[tuple[int, slice]]:
    return zip(parts, map(slice, starts[:-1], starts[1:]), strict=True)
