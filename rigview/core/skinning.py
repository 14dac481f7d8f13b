"""The skinning methods: one table, one signature; the oracle that the shaders are held to.

Linear blend skinning (LBS) is the sum of the joints' matrices. Dual quaternion skinning (DQS) is the
linear blend of Kavan et al. 2008, extended to joints that scale: the matrix of each joint is split
into rotation R and stretch P, and either every influence's rigid motion at the vertex is blended
(`vertex`), or the stretches are blended first (`origin`, as Maya and OpenUSD do it).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from rigview.core import affine, bulge, capsule, dualquat, quat
from rigview.core.arrays import FloatArray, unit
from rigview.core.binding import Binding
from rigview.core.bones import AXES, Axis
from rigview.core.limbs import Turned
from rigview.core.palette import Palette
from rigview.core.statics import Statics

ScaleConvention = Literal["vertex", "origin"]

# Where a matrix crushes the surface, what it makes of a unit normal is less than this share of its
# squared size, and its determinant less than this share of the cubed size: rounding (float32's on the
# graphics card), of which neither direction nor sign mean anything.
LOST_NORMAL = 1e-6


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
        The compensation's profile over the blend.
    crease
        How the capsule compensation folds the inner side: 0 leaves it as plain rotation makes it,
        1 folds it along the plane that halves the bend.
    """

    strength: float = 1.0
    axis: Axis = "auto"
    scale: ScaleConvention = "vertex"
    polynomial: bulge.Polynomial = "p1"
    crease: float = 0.5


def fault(options: Options) -> str | None:
    """Say which option cannot be used and why; None where all can."""
    if options.axis not in AXES:
        return f"there is no axis {options.axis}: choose {', '.join(AXES)}"
    if options.scale not in get_args(ScaleConvention):
        return f"there is no scale convention {options.scale}"
    if options.polynomial not in bulge.POLYNOMIALS:
        return f"there is no polynomial {options.polynomial}"
    for name in ("strength", "crease"):
        value = getattr(options, name)
        if not (isinstance(value, int | float) and 0.0 <= value <= 1.0):
            return f"the {name} must be 0 to 1"
    return None


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

    @property
    def known(self) -> Statics:
        """`statics`, for a method that cannot do without."""
        if self.statics is None:
            raise ValueError("statics: this method wants them, got None")
        return self.statics


def lbs(posed: Posed, options: Options) -> Skinned:  # noqa: ARG001 - one signature
    """Blend matrices: ``Σ w M p``; normals by the inverse transpose of the blended matrix."""
    weights = posed.binding.weights
    matrices = posed.palette.matrices[:, :3, :]
    blended = np.einsum("vk,vkij->vij", weights, matrices[posed.binding.joints])
    positions = np.einsum("vij,vj->vi", blended[..., :3], posed.positions) + blended[..., 3]
    return _leave_unbound(posed, positions, lambda: _turn_normals(blended[..., :3], posed.normals))


def dqs(posed: Posed, options: Options) -> Skinned:
    """Blend dual quaternions along the short arc of the heaviest joint."""
    skinned, _ = _dqs(posed, options)
    return skinned


def compensated(posed: Posed, options: Options) -> Skinned:
    """Blend dual quaternions, then pull the bulge in (`bulge`); normals stay those of DQS."""
    skinned, stretch = _dqs(posed, options)
    moved = bulge.displacement(
        posed.binding, posed.amplitude, posed.palette.rotations, posed.bone_directions
    )
    # A skin that scales keeps its proportion: R grows with the blended stretch.
    growth = 1.0 if stretch is None else np.abs(np.linalg.det(stretch))[:, None] ** (1.0 / 3.0)
    return replace(skinned, positions=skinned.positions + options.strength * growth * moved)


def capsule_compensated(posed: Posed, options: Options) -> Skinned:
    """Blend dual quaternions, then keep every limb round (`core.capsule`)."""
    skinned, stretch = _dqs(posed, options)
    statics = posed.known
    limbs = statics.limbs.posed(posed.palette)
    turned = _turned(posed, options, skinned, stretch)
    still = (limbs, posed.binding, statics.shares, statics.crease_onset)
    moved = capsule.displacement(turned, *still, options.crease)

    def turn_normals() -> FloatArray:
        added = capsule.turning(turned, *still, skinned.normals)
        return unit(skinned.normals + options.strength * added, skinned.normals)

    return Skinned(skinned.positions + options.strength * moved, turn_normals)


def _turned(posed: Posed, options: Options, skinned: Skinned, stretch: FloatArray | None) -> Turned:
    """Return DQS's result as the methods that reshape limbs read it."""
    dq = posed.palette.dual_quaternions[posed.binding.joints]
    rotations = dualquat.blend(dq, posed.binding.weights)[:, :4]
    at_origin = options.scale == "origin"
    return Turned(posed.positions, skinned.positions, rotations, posed.palette, stretch, at_origin)


def _dqs(posed: Posed, options: Options) -> tuple[Skinned, FloatArray | None]:
    """Return DQS's result and the blended stretches ``(V, 3, 3)``; None where no joint stretches."""
    binding, palette = posed.binding, posed.palette
    if palette.rigid:
        blended = dualquat.blend(palette.dual_quaternions[binding.joints], binding.weights)
        positions = dualquat.transform_points(blended, posed.positions)
        return _leave_unbound(
            posed, positions, lambda: quat.rotate(blended[:, :4], posed.normals)
        ), None
    stretch = np.einsum("vk,vkij->vij", binding.weights, palette.stretches[binding.joints])
    if options.scale == "origin":
        blended = dualquat.blend(palette.dual_quaternions[binding.joints], binding.weights)
        rest = np.einsum("vij,vj->vi", stretch, posed.positions)
        positions = dualquat.transform_points(blended, rest)
    else:
        blended = dualquat.blend(_motions_about_vertex(posed), binding.weights)
        positions = dualquat.translation(blended)
    return _leave_unbound(
        posed,
        positions,
        lambda: quat.rotate(blended[:, :4], _turn_normals(stretch, posed.normals)),
    ), stretch


def _motions_about_vertex(posed: Posed) -> FloatArray:
    """Return ``(V, K, 8)``: per influence the rigid motion that carries the vertex p to its image M p.

    It has the joint's rotation R, so its translation is M p − R p. Seen from p instead of from the
    mesh's origin it is M p itself. Blending does not mind where points are counted from (that is a
    product from the right, which is linear), and where mesh and model differ in size by a hundred,
    the difference would cost two digits.
    """
    joints = posed.binding.joints
    matrices = posed.palette.matrices[:, :3, :][joints]
    image = np.einsum("vkij,vj->vki", matrices[..., :3], posed.positions) + matrices[..., 3]
    return dualquat.from_rigid(posed.palette.rotations[joints], image)


def _turn_normals(linear: FloatArray, normals: FloatArray) -> FloatArray:
    """Return ``(V, 3)`` unit normals turned by the inverse transpose of ``(V, 3, 3)`` matrices.

    The cofactor matrix is det·L⁻ᵀ and exists also where L is singular; a normal that it sends to
    nothing (`LOST_NORMAL`) stays as it is.
    """
    square = np.einsum("vij,vij->v", linear, linear)[:, None]
    cofactor = affine.cofactor(linear)
    determinant = np.einsum("vi,vi->v", linear[:, :, 0], cofactor[:, :, 0])[:, None]
    mirrored = determinant < -LOST_NORMAL * square**1.5
    turned = np.einsum("vij,vj->vi", cofactor, normals)
    turned = np.where(mirrored, -turned, turned)
    lost = np.linalg.norm(turned, axis=-1, keepdims=True) <= LOST_NORMAL * square
    return unit(np.where(lost, 0.0, turned), unit(normals))


def _leave_unbound(
    posed: Posed, positions: FloatArray, turn_normals: Callable[[], FloatArray]
) -> Skinned:
    """Keep vertices without any weight where they are in mesh space: no joint moves them."""
    unbound = posed.binding.unbound[:, None]
    return Skinned(
        np.where(unbound, posed.positions, positions),
        lambda: np.where(unbound, posed.normals, turn_normals()),
    )


@dataclass(frozen=True)
class Method:
    """One row of the table of methods.

    Parameters
    ----------
    id, label
        Its name on the command line and on screen.
    skin
        The function of the core.
    variant
        What the vertex shader is compiled with (shaders/lib/skinning.glsl).
    source
        Where it was published.
    options
        The fields of `Options` that have an effect on it.
    """

    id: str
    label: str
    skin: Callable[[Posed, Options], Skinned]
    variant: int
    source: str
    options: tuple[str, ...] = ()

    @property
    def compensates(self) -> bool:
        """Whether strength has an effect."""
        return "strength" in self.options

    @property
    def reads_limbs(self) -> bool:
        """Whether the shader reads the posed bones."""
        return self.skin is capsule_compensated


METHODS: dict[str, Method] = {
    method.id: method
    for method in (
        Method("lbs", "LBS", lbs, 0, "Magnenat-Thalmann et al. 1988"),
        Method("dqs", "DQS", dqs, 1, "Kavan et al. 2008; scale by polar decomposition", ("scale",)),
        Method(
            "compensated",
            "Compensated",
            compensated,
            2,
            "Rudenko 2020, listing 2",
            ("strength", "axis", "scale", "polynomial"),
        ),
        Method(
            "capsule",
            "Capsule",
            capsule_compensated,
            3,
            "rigview, core/capsule.py",
            ("strength", "crease", "scale"),
        ),
    )
}
DEFAULT_PANES = ("lbs", "dqs", "compensated")
