"""The skinning methods: one table, one signature; the oracle that the shaders are held to."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import get_args

import numpy as np

from rigview.core import affine, quat
from rigview.core.arrays import FloatArray, unit
from rigview.core.bones import AXES, Axis
from rigview.core.methods import bulge, bulging_free, turned_normals
from rigview.core.methods import flesh as flesh_mix
from rigview.core.methods import log_matrix as log_blending
from rigview.core.methods import spherical as spherical_centres
from rigview.core.methods.capsule import Capsules
from rigview.core.methods.dqs import blended_rotations, skin_dual, turned_by
from rigview.core.methods.posed import Posed, ScaleConvention, Skinned, leave_unbound
from rigview.core.methods.vertex_constants import Static

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
        How DQS treats joints that scale. `FILE` takes "origin" whatever is set.
    polynomial
        The compensation's profile over the blend: a name of `bulge.POLYNOMIALS` or coefficients.
    angle
        How the compensation grows with the angle of the bend.
    blend
        How much of DQS the method "blended" takes, 0 to 1; None leaves it to the file, vertex by
        vertex, and is ½ where that says nothing.
    """

    strength: float = 1.0
    axis: Axis = "auto"
    scale: ScaleConvention = "vertex"
    polynomial: bulge.Profile = "p1"
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
    for name in ("strength", "blend"):
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


def lbs(posed: Posed, options: Options) -> Skinned:  # noqa: ARG001 - one signature
    """Blend matrices: ``Σ w M p``; normals by the inverse transpose of the blended matrix."""
    matrices, blending = posed.palette.matrices, posed.binding.blending
    return leave_unbound(
        posed,
        blending.transformed(matrices[:, :3], posed.positions),
        lambda: turned_normals.by_sums(blending, matrices[:, :3, :3], posed.normals),
    )


def dqs(posed: Posed, options: Options) -> Skinned:
    """Blend dual quaternions along the short arc of the heaviest joint."""
    skinned, _ = skin_dual(posed, options.scale)
    return skinned


def compensated(posed: Posed, options: Options) -> Skinned:
    """Blend dual quaternions, then pull the bulge in (`bulge`); normals stay those of DQS."""
    skinned, stretch = skin_dual(posed, options.scale)
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
    skinned, stretch = skin_dual(posed, options.scale)
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
    """Blend dual quaternions, then keep every limb round (`methods.capsule`)."""
    skinned, stretch = skin_dual(posed, options.scale)
    turned = turned_by(posed, options.scale, skinned, stretch)
    bones = posed.known.limbs.posed(posed.palette)
    capsules = Capsules(posed.known.bone_shares, bones, turned)
    return Skinned(
        capsules.positions(options.strength),
        lambda: capsules.normals(skinned.normals, options.strength),
    )


def bulging_free_dqs(posed: Posed, options: Options) -> Skinned:
    """Blend dual quaternions, then give every vertex its rest distance back (`bulging_free`)."""
    skinned, stretch = skin_dual(posed, options.scale)
    turned = turned_by(posed, options.scale, skinned, stretch)
    limbs = posed.known.limbs.posed(posed.palette)
    moved = bulging_free.displacement(turned, limbs, posed.binding)
    moved *= options.strength * posed.known.mask[:, None]
    return replace(skinned, positions=skinned.positions + moved)


def rotated_about_centres(posed: Posed, options: Options) -> Skinned:
    """Move the vertex's centre by LBS and turn the vertex about it by the blended rotation.

    Normals are those of DQS. Joints that stretch do so before anything turns.
    """
    return _turned_about(posed, options, posed.known.centres)


def _turned_about(posed: Posed, options: Options, centres: FloatArray) -> Skinned:
    """Move ``(V, 3)`` centres by LBS and turn the vertices about them by the blended rotation."""
    skinned, stretch = skin_dual(posed, options.scale)
    arms = posed.positions - centres
    if stretch is not None:
        arms = np.einsum("vij,vj->vi", stretch, arms)
    moved = lbs(replace(posed, positions=centres), options).positions
    return replace(skinned, positions=moved + quat.rotate(blended_rotations(posed), arms))


def spherical(posed: Posed, options: Options) -> Skinned:
    """Turn vertices by the blended rotation about where their joints agree (`methods.spherical`).

    Normals are those of DQS. Joints that stretch do so before anything turns.
    """
    about = spherical_centres.centres(posed.binding, posed.palette.matrices[:, :3], posed.positions)
    return _turned_about(posed, options, about)


def delta_mush(posed: Posed, options: Options) -> Skinned:
    """Turn vertices as their smoothed neighbourhood turns (`methods.delta_mush`).

    Joints that stretch do so before anything turns.
    """
    _, stretch = skin_dual(posed, options.scale)
    moments, normals = posed.known.moments, posed.normals
    turns = blended_rotations(posed)
    centres, rotations = moments.moved(posed.palette.matrices[:, :3], stretch, turns)
    arms = posed.positions - moments.centres
    if stretch is not None:
        arms = np.einsum("vij,vj->vi", stretch, arms)
        normals = turned_normals.by_matrices(stretch, normals)
    positions = centres + quat.rotate(rotations, arms)
    skinned = leave_unbound(posed, positions, lambda: quat.rotate(rotations, normals))
    return replace(skinned, spreads=True)


def log_matrix(posed: Posed, options: Options) -> Skinned:
    """Blend the logarithms of rigid motions (`methods.log_matrix`)."""
    _, stretch = skin_dual(posed, options.scale)
    palette, points, normals = posed.palette, posed.positions, posed.normals
    matrices = palette.matrices[:, :3]
    if stretch is not None:
        normals = turned_normals.by_matrices(stretch, normals)
        if options.scale == "origin":
            points = np.einsum("vij,vj->vi", stretch, points)
            matrices = np.concatenate(
                [quat.to_matrix(palette.rotations), matrices[:, :, 3:]], axis=2
            )
    positions, rotations = log_blending.moved(posed.binding, palette.rotations, matrices, points)
    return leave_unbound(posed, positions, lambda: quat.rotate(rotations, normals))


def swing_twist(posed: Posed, options: Options) -> Skinned:
    """Even out the twist of a vertex's joints, then blend as LBS does (`methods.swing_twist`)."""
    linear, twists = lbs(posed, options), posed.known.twists
    evened = twists.even(posed.palette, posed.positions, posed.normals)
    linear.positions[twists.shared] = evened.positions

    def turn_normals() -> FloatArray:
        normals = linear.normals.copy()
        normals[twists.shared] = evened.turn_normals()
        return normals

    return replace(linear, turn_normals=turn_normals)


def flesh(posed: Posed, options: Options) -> Skinned:
    """Keep limbs round on small bends, blend linearly on large ones (`methods.flesh`)."""
    plain, _ = skin_dual(posed, options.scale)
    capsule, twists = capsule_compensated(posed, options), posed.known.twists
    evened = twists.even(posed.palette, posed.positions, posed.normals)
    shared = twists.shared
    far, folded = twists.mean_of_pairs(flesh_mix.bent(evened.half_swing)).T[:, :, None]
    linear = options.strength * posed.known.mask[shared, None] * (far - folded)

    def mix(dual: FloatArray, round_: FloatArray, even: FloatArray) -> FloatArray:
        return dual + (1.0 - far) * (round_ - dual) + linear * (even - dual)

    positions = capsule.positions.copy()
    positions[shared] = mix(plain.positions[shared], capsule.positions[shared], evened.positions)

    def turn_normals() -> FloatArray:
        normals = capsule.normals.copy()
        dual = plain.normals[shared]
        mixed = mix(dual, capsule.normals[shared], evened.turn_normals())
        lost = np.linalg.norm(mixed, axis=-1, keepdims=True) <= OPPOSED
        normals[shared] = unit(np.where(lost, dual, mixed), dual)
        return normals

    return Skinned(positions, turn_normals)


def _displaced(
    skinned: Skinned, stretch: FloatArray | None, strength: float, moved: FloatArray
) -> Skinned:
    """Add the compensation; a skin that scales keeps its proportion: R grows with the stretch."""
    if stretch is not None:
        moved *= np.cbrt(np.abs(affine.determinant(stretch)))[:, None]
    moved *= strength
    moved += skinned.positions
    return replace(skinned, positions=moved)


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

    def __repr__(self) -> str:
        return f"Method({self.id!r})"

    @property
    def reads_centres(self) -> bool:
        """Whether it turns vertices about centres that take a while to find (`methods.centres`)."""
        return "centres" in self.statics

    @property
    def spreads(self) -> bool:
        """Whether a vertex follows joints of its neighbours as well (`methods.delta_mush`)."""
        return "moments" in self.statics


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
            "rigview, core/methods/capsule.py",
            ("strength", "scale"),
            ("shares",),
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
            "flesh",
            "Flesh",
            flesh,
            "rigview, core/methods/flesh.py",
            ("strength", "scale"),
            ("shares", "mask"),
            reads_limbs=True,
        ),
        Method(
            "swing-twist",
            "Swing-twist",
            swing_twist,
            "after Jacobson and Sorkine 2011, core/methods/swing_twist.py",
            reads_limbs=True,
        ),
        Method(
            "log-matrix",
            "Log-matrix",
            log_matrix,
            "Magnenat-Thalmann et al. 2004, after Alexa 2002",
            ("scale",),
        ),
        Method("spherical", "Spherical", spherical, "Kavan and Žára 2005"),
        Method("delta-mush", "DDM", delta_mush, "Le and Lewis 2019", (), ("moments",)),
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


def options_for(method: str, options: Options) -> Options:
    """Return the options that a method uses, by the method's id.

    `FILE` uses the file's own blend weights, and the scale convention of the programs whose files state
    a method: Maya and OpenUSD stretch at the origin.
    """
    if method != FILE.id:
        return options
    return replace(options, blend=None, scale="origin")
