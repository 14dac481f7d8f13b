"""The skinning methods: one table, one signature; the oracle that the shaders are held to.

Linear blend skinning (LBS) is the sum of the joints' matrices. Dual quaternion skinning (DQS) is the
linear blend of Kavan et al. 2008, extended to joints that scale: the matrix of each joint is split
into rotation R and stretch P, and either every influence's rigid motion at the vertex is blended
(`vertex`), or the stretches are blended first (`origin`, as Maya and OpenUSD do it).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Literal, get_args

import numpy as np

from rigview.core import affine, bulge, bulging_free, dualquat, quat, turned_normals
from rigview.core.arcs import Arcs
from rigview.core.arrays import FloatArray, unit
from rigview.core.binding import Binding
from rigview.core.bones import AXES, Axis
from rigview.core.capsule import Capsules
from rigview.core.dualquat import Room
from rigview.core.limbs import Turned
from rigview.core.palette import Palette
from rigview.core.seats import sit
from rigview.core.statics import Static, Statics

ScaleConvention = Literal["vertex", "origin"]

# Of two unit normals that are opposed a blend is rounding.
OPPOSED = 1e-6


@dataclass(frozen=True)
class Options:
    """What the user may set about the methods.

    Parameters
    ----------
    strength
        Of the compensation, 0 to 1.
    axis
        The joints' local axis that counts as the bone's direction; "auto" takes the direction to
        the primary child.
    scale
        How DQS treats joints that scale.
    polynomial
        The compensation's profile over the blend: a name of `bulge.POLYNOMIALS` or coefficients.
    angle
        How the compensation grows with the angle of the bend.
    blend
        How much of DQS the method "blended" takes, 0 to 1; None leaves it to the file, vertex by
        vertex, and is ½ where that says nothing.
    crease
        How the capsule compensation folds the inner side: 0 leaves it as plain rotation makes it,
        1 folds it along the plane that halves the bend.
    """

    strength: float = 1.0
    axis: Axis = "auto"
    scale: ScaleConvention = "vertex"
    polynomial: bulge.Profile = "p1"
    crease: float = 0.5
    angle: bulge.AngleFactor = "code"
    blend: float | None = None


def fault(options: Options) -> str | None:
    """Say which option cannot be used and why; None where all can."""
    if options.axis not in AXES:
        return f"there is no axis {options.axis}: choose {', '.join(AXES)}"
    if options.scale not in get_args(ScaleConvention):
        return f"there is no scale convention {options.scale}"
    if options.angle not in bulge.ANGLE_FACTORS:
        return f"there is no angle factor {options.angle}"
    if not _is_profile(options.polynomial):
        names = ", ".join(bulge.POLYNOMIAL_NAMES)
        return f"there is no polynomial {options.polynomial}: choose {names} or three numbers"
    for name in ("strength", "crease", "blend"):
        value = getattr(options, name)
        if name == "blend" and value is None:
            continue
        if not (isinstance(value, int | float) and 0.0 <= value <= 1.0):
            return f"the {name} must be 0 to 1"
    return None


def _is_profile(polynomial: object) -> bool:
    if isinstance(polynomial, tuple):
        numbers = all(isinstance(c, int | float) and math.isfinite(c) for c in polynomial)
        return numbers and len(polynomial) == 3
    return polynomial in bulge.POLYNOMIAL_NAMES


@dataclass(frozen=True, eq=False)
class Skinned:
    """Positions ``(V, 3)`` and unit normals ``(V, 3)`` in model space.

    Parameters
    ----------
    turn_normals
        Returns the normals. Called when they are first read: who measures positions (a dry run, the
        metrics) does not pay for them.
    """

    positions: FloatArray
    turn_normals: Callable[[], FloatArray]

    @cached_property
    def normals(self) -> FloatArray:
        """``(V, 3)``, of length one."""
        return self.turn_normals()


@dataclass(frozen=True, eq=False)
class Posed:
    """One mesh in one pose: what every method is given.

    Parameters
    ----------
    palette
        Of one pose, ``(J, …)``.
    bone_directions
        ``(J, 3)`` posed unit directions of the bones, in model space.
    positions, normals
        ``(V, 3)`` in mesh space, morphed.
    amplitude
        ``(V,)`` of `bulge.amplitudes`.
    statics
        What further methods read that no pose changes; None where only LBS, DQS and the thesis's
        compensation will be asked for.
    """

    binding: Binding
    palette: Palette
    bone_directions: FloatArray
    positions: FloatArray
    normals: FloatArray
    amplitude: FloatArray
    statics: Statics | None = None

    @cached_property
    def dqs(self) -> dict[ScaleConvention, tuple[Skinned, FloatArray | None]]:
        """Convention → what DQS made of the mesh, and the blended stretches, for who builds upon it."""
        return {}

    @property
    def known(self) -> Statics:
        """`statics`, for a method that cannot do without."""
        if self.statics is None:
            raise ValueError("statics: this method wants them, got None")
        return self.statics


def lbs(posed: Posed, options: Options) -> Skinned:  # noqa: ARG001 - one signature
    """Blend matrices: ``Σ w M p``; normals by the inverse transpose of the blended matrix."""
    matrices, blending = posed.palette.matrices, posed.binding.blending
    return _leave_unbound(
        posed,
        blending.transformed(matrices[:, :3], posed.positions),
        lambda: turned_normals.by_sums(blending, matrices[:, :3, :3], posed.normals),
    )


def dqs(posed: Posed, options: Options) -> Skinned:
    """Blend dual quaternions along the short arc of the heaviest joint."""
    skinned, _ = _dqs(posed, options)
    return skinned


def compensated(posed: Posed, options: Options) -> Skinned:
    """Blend dual quaternions, then pull the bulge in (`bulge`); normals stay those of DQS."""
    skinned, stretch = _dqs(posed, options)
    moved = bulge.displacement(
        posed.binding,
        posed.amplitude,
        posed.palette.rotations,
        posed.bone_directions,
        options.angle,
    )
    return _displaced(skinned, stretch, options.strength, moved)


def basic(posed: Posed, options: Options) -> Skinned:
    """Blend dual quaternions and move along the bisector of the bones, whatever the angle."""
    skinned, stretch = _dqs(posed, options)
    amplitude = posed.known.basic_amplitude(options.polynomial)
    moved = bulge.basic_displacement(posed.binding, amplitude, posed.bone_directions)
    return _displaced(skinned, stretch, options.strength, moved)


def blended(posed: Posed, options: Options) -> Skinned:
    """Mix LBS and DQS, by one weight or by one per vertex."""
    linear, dual = lbs(posed, options), dqs(posed, options)
    weights = posed.known.dqs_weights if options.blend is None else np.array(options.blend)
    share = weights[..., None]
    positions = linear.positions + share * (dual.positions - linear.positions)

    def turn_normals() -> FloatArray:
        mixed = linear.normals + share * (dual.normals - linear.normals)
        opposed = np.linalg.norm(mixed, axis=-1, keepdims=True) <= OPPOSED
        return unit(np.where(opposed, dual.normals, mixed), dual.normals)

    return Skinned(positions, turn_normals)


def capsule_compensated(posed: Posed, options: Options) -> Skinned:
    """Blend dual quaternions, then keep every limb round (`core.capsule`)."""
    skinned, stretch = _dqs(posed, options)
    statics, rotations = posed.known, posed.palette.rotations
    limbs, seating = statics.limbs.posed(posed.palette), statics.seating
    heads = None
    if stretch is None:
        seats = statics.seats(limbs, posed.positions)
    else:
        turned = _turned(posed, options, skinned, stretch)
        arms, heads = turned.seen_from(limbs, seating.vertices, seating.joints)
        seats = sit(seating, statics.crease_onset, arms.T, limbs)
    capsules = Capsules(seating, seats, statics.relative, limbs, rotations, heads)
    return Skinned(
        capsules.positions(skinned.positions, options.strength, options.crease),
        lambda: capsules.normals(skinned.normals, options.strength),
    )


def bulging_free_dqs(posed: Posed, options: Options) -> Skinned:
    """Blend dual quaternions, then give every vertex its rest distance back (`bulging_free`)."""
    skinned, stretch = _dqs(posed, options)
    turned = _turned(posed, options, skinned, stretch)
    limbs = posed.known.limbs.posed(posed.palette)
    moved = bulging_free.displacement(turned, limbs, posed.binding)
    moved *= options.strength * posed.known.mask[:, None]
    return replace(skinned, positions=skinned.positions + moved)


def rotated_about_centres(posed: Posed, options: Options) -> Skinned:
    """Move the vertex's centre by LBS and turn the vertex about it by the blended rotation.

    Normals are those of DQS. Joints that stretch do so before anything turns.
    """
    skinned, stretch = _dqs(posed, options)
    centres = posed.known.centres
    arms = posed.positions - centres
    if stretch is not None:
        arms = np.einsum("vij,vj->vi", stretch, arms)
    moved = lbs(replace(posed, positions=centres), options).positions
    return replace(skinned, positions=moved + quat.rotate(_rotations(posed), arms))


def _turned(posed: Posed, options: Options, skinned: Skinned, stretch: FloatArray | None) -> Turned:
    """Return DQS's result as the methods that reshape limbs read it."""
    return Turned(
        posed.positions,
        skinned.positions,
        _rotations(posed),
        posed.palette,
        stretch,
        at_origin=options.scale == "origin",
    )


def _rotations(posed: Posed) -> FloatArray:
    """Return ``(V, 4)`` the rotations that DQS turns vertices by."""
    blending, rotations = posed.binding.blending, posed.palette.rotations
    return quat.normalise(blending.of_joints(rotations, blending.short_arcs(rotations)))


def _displaced(
    skinned: Skinned, stretch: FloatArray | None, strength: float, moved: FloatArray
) -> Skinned:
    """Add the compensation; a skin that scales keeps its proportion: R grows with the stretch."""
    if stretch is not None:
        moved *= np.cbrt(np.abs(affine.determinant(stretch)))[:, None]
    moved *= strength
    moved += skinned.positions
    return replace(skinned, positions=moved)


def _dqs(posed: Posed, options: Options) -> tuple[Skinned, FloatArray | None]:
    """Return `_blend_dual`, which several methods build upon, computed once per mesh and pose."""
    if options.scale not in posed.dqs:
        posed.dqs[options.scale] = _blend_dual(posed, options)
    return posed.dqs[options.scale]


def _blend_dual(posed: Posed, options: Options) -> tuple[Skinned, FloatArray | None]:
    """Return DQS's result and the blended stretches ``(V, 3, 3)``; None where no joint stretches."""
    # What turns normals holds no `posed`, which holds what it is part of: such rings stay for long.
    palette, blending, normals = posed.palette, posed.binding.blending, posed.normals
    arcs = blending.short_arcs(palette.rotations)

    def turn(normals: FloatArray) -> FloatArray:
        return quat.rotate(quat.normalise(blending.of_joints(palette.rotations, arcs)), normals)

    if palette.rigid:
        positions = blending.moved(palette.dual_quaternions, posed.positions, arcs)
        return _leave_unbound(posed, positions, lambda: turn(normals)), None
    stretch = _blend_linear(posed, palette.stretches)
    if options.scale == "origin":
        rest = np.einsum("vij,vj->vi", stretch, posed.positions)
        positions = blending.moved(palette.dual_quaternions, rest, arcs)
    else:
        positions = _moved_about_vertex(posed, arcs)
    return _leave_unbound(
        posed, positions, lambda: turn(turned_normals.by_matrices(stretch, normals))
    ), stretch


def _moved_about_vertex(posed: Posed, arcs: Arcs) -> FloatArray:
    """Return ``(V, 3)``: blended are the rigid motions that carry the vertex p to its images M p.

    Each has the joint's rotation R, so its translation is M p − R p. Seen from p instead of from the
    mesh's origin it is M p itself. Blending does not mind where points are counted from (that is a
    product from the right, which is linear), and where mesh and model differ in size by a hundred,
    the difference would cost two digits.

    The dual part ½·(M p)·R is linear in p, so its four columns are blended and p comes after.
    """
    palette = posed.palette
    columns = np.swapaxes(palette.matrices[:, :3], 1, 2)
    motions = dualquat.from_rigid(palette.rotations[:, None].repeat(4, axis=1), columns)
    pairs = dualquat.as_pairs(motions)
    table = np.concatenate([pairs[:, 0, :4], pairs[..., 4:].reshape(-1, 16)], axis=1)
    result = np.zeros_like(posed.positions)
    for rows, sums in posed.binding.blending.in_blocks(table, arcs):
        numbers = np.ascontiguousarray(sums.view(np.complex128).T)
        rotation, per_axis, dual = numbers[:2], numbers[2:8].reshape(3, 2, -1), numbers[8:]
        # Both halves of a complex number are multiplied with the same coordinate.
        for part, xyz in zip(per_axis, np.repeat(posed.positions[rows].T, 2, axis=1), strict=True):
            halves = part.view(np.float64)
            halves *= xyz
            dual += part
        room = Room(rotation, dual, per_axis[0], np.zeros((2, len(sums))))
        dualquat.divide(room, result[rows])
    return result


def _blend_linear(posed: Posed, linear: FloatArray) -> FloatArray:
    """Return ``(V, 3, 3)``: the weighted sums of the joints' ``(J, 3, 3)``."""
    return posed.binding.blending.of_joints(linear.reshape(-1, 9)).reshape(-1, 3, 3)


def _leave_unbound(
    posed: Posed, positions: FloatArray, turn_normals: Callable[[], FloatArray]
) -> Skinned:
    """Keep vertices without any weight where they are in mesh space: no joint moves them."""
    unbound, rest_normals = posed.binding.unbound, posed.normals
    positions[unbound] = posed.positions[unbound]

    def normals() -> FloatArray:
        result = turn_normals()
        result[unbound] = rest_normals[unbound]
        return result

    # Methods that only displace what this returns turn their normals with it, once.
    return Skinned(positions, cache(normals))


@dataclass(frozen=True)
class Method:
    """One row of the table of methods.

    Parameters
    ----------
    id, label
        Its name on the command line and on screen.
    skin
        The function of the core.
    source
        Where it was published.
    options
        The fields of `Options` that have an effect on it.
    statics
        What it reads per vertex that no pose changes; what all methods read is left out.
    reads_limbs
        Whether it reads the posed bones.
    """

    id: str
    label: str
    skin: Callable[[Posed, Options], Skinned]
    source: str
    options: tuple[str, ...] = ()
    statics: tuple[Static, ...] = ()
    reads_limbs: bool = False

    @property
    def reads_centres(self) -> bool:
        """Whether it turns vertices about centres that take a while to find (`core.centres`)."""
        return "centres" in self.statics


METHODS: dict[str, Method] = {
    method.id: method
    for method in (
        Method("lbs", "LBS", lbs, "Magnenat-Thalmann et al. 1988"),
        Method("dqs", "DQS", dqs, "Kavan et al. 2008; scale by polar decomposition", ("scale",)),
        Method(
            "compensated",
            "Compensated",
            compensated,
            "Rudenko 2020, listing 2",
            ("strength", "axis", "scale", "polynomial", "angle"),
        ),
        Method(
            "capsule",
            "Capsule",
            capsule_compensated,
            "rigview, core/capsule.py",
            ("strength", "crease", "scale"),
            ("shares", "crease_onset"),
            reads_limbs=True,
        ),
        Method(
            "bulging-free",
            "Bulging-free",
            bulging_free_dqs,
            "Kim and Han 2014",
            ("strength", "scale"),
            ("mask",),
            reads_limbs=True,
        ),
        Method("centres", "CoR", rotated_about_centres, "Le and Hodgins 2016", (), ("centres",)),
        Method(
            "blended",
            "Blend",
            blended,
            "Autodesk Maya, weight-blended",
            ("blend", "scale"),
            ("dqs_weights",),
        ),
        Method(
            "basic",
            "Basic",
            basic,
            "Rudenko 2020, listing 1",
            ("strength", "axis", "scale", "polynomial"),
            ("basic_amplitude",),
        ),
    )
}
# No row of the table but a stand-in for one: the method and blend weights that the file carries for
# each of its meshes (`Deformer.method_of`), LBS where it says nothing.
FILE = Method("file", "As the file", lbs, "the file itself")
# Everything that a pane, a picture or a bake can be asked for, by id.
ASKED: dict[str, Method] = METHODS | {FILE.id: FILE}
DEFAULT_PANES = ("lbs", "dqs", "compensated")
