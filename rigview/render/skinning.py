"""Skinning on the card: what its shaders are compiled with, and what one part of a scene gives them."""

from typing import get_args

from rigview.core import dualquat
from rigview.core.methods import (
    bone_frames,
    bulge,
    bulging_free,
    capsule,
    delta_mush,
    flesh,
    spherical,
    swing_twist,
    turned_normals,
)
from rigview.core.methods.posed import ScaleConvention
from rigview.core.skinning import METHODS, OPPOSED, Method, Options, options_for
from rigview.render.buffers import STATICS
from rigview.render.scene import Scene
from rigview.render.shader_programs import Program, Programs
from rigview.render.texels import LIMB_TEXELS, PALETTE_TEXELS, TEXEL_ROW_BITS

# What shaders/skin.vert gives out, to be recorded.
_RECORDED = ("o_position", "o_normal")
# Texture units that skinning reads; textures and colour maps take those behind them.
_PALETTE_UNIT, _FURTHER_UNIT, _LIMB_UNIT, _MOMENT_UNIT = range(4)
FREE_UNIT = 4

# Of Jacobi's rotations over a matrix of four rows: float32 has no more to gain from further ones.
SWEEPS = 6


def _name(id_: str) -> str:
    """Return what shaders call something: ``bulging-free`` is ``BULGING_FREE``."""
    return id_.upper().replace("-", "_")


# What no scene changes: the methods by name, and the numbers that shaders share with the core. No method
# is 0, which is what some drivers take an unknown name for.
CONSTANTS: dict[str, int | float] = {
    **{_name(method): number for number, method in enumerate(METHODS, 1)},
    **{_name(scale): number for number, scale in enumerate(get_args(ScaleConvention), 1)},
    **{f"ANGLE_{_name(angle)}": number for number, angle in enumerate(bulge.ANGLE_FACTORS)},
    **{static: number for number, static in enumerate(STATICS)},
    "PALETTE_TEXELS": PALETTE_TEXELS,
    "LIMB_TEXELS": LIMB_TEXELS,
    "TEXEL_ROW_BITS": TEXEL_ROW_BITS,
    "SLIDE": bulge.SLIDE,
    "WHOLE_FROM": bulge.WHOLE_FROM,
    "STRAIGHT": bulge.STRAIGHT,
    "FOLDED": bulge.FOLDED,
    "LOST_NORMAL": turned_normals.LOST,
    "OPPOSED": OPPOSED,
    "HALF_TURN": dualquat.HALF_TURN,
    "SPHERE_FLOOR": capsule.FLOOR,
    "STEEPEST": capsule.STEEPEST,
    "OUTSIDE": capsule.OUTSIDE,
    "FLATTEST_CAP": capsule.FLATTEST_CAP,
    "STEEPEST_CAP": capsule.STEEPEST_CAP,
    "LIMB_STRAIGHT": capsule.STRAIGHT,
    "LIMB_OPPOSED": capsule.OPPOSED,
    "FAR_BENT_FROM": capsule.FAR_BENT[0],
    "FAR_BENT_TO": capsule.FAR_BENT[1],
    "RAMP": capsule.RAMP,
    "ASTRIDE": capsule.ASTRIDE,
    "NOTHING": bone_frames.NOTHING,
    "ON_BONE": bulging_free.ON_BONE,
    "SPHERICAL_DAMPING": spherical.DAMPING,
    "MUSH_CERTAIN": delta_mush.CERTAIN,
    "MUSH_SWEEPS": SWEEPS,
    "TWIST_FADE": swing_twist.FADE,
    "NO_TWIST": swing_twist.NO_TWIST,
    "LOST_AXIS": swing_twist.LOST_AXIS,
    "FAR_FROM": flesh.FAR[0],
    "FAR_TO": flesh.FAR[1],
    "FOLDED_FROM": flesh.FOLDED[0],
    "FOLDED_TO": flesh.FOLDED[1],
}


def skinning_defines(
    scene: Scene, number: int, method: str, options: Options
) -> dict[str, int | float]:
    """Return what the skinning shader of one part is compiled with beside `CONSTANTS`."""
    options = options_for(method, options)
    chosen = scene.deformer.method_of(number, method)
    return {
        **defines_of(chosen, options, rigid=scene.rigid[number]),
        "DUAL_AS_MATRIX": int(scene.stage.dual_route == "matrix"),
        "FURTHER_INFLUENCES": int(scene.parts[number].further is not None),
        "CROWD": int(scene.copies > 1),
    }


def defines_of(method: Method, options: Options, *, rigid: bool) -> dict[str, int | float]:
    """Return what says method and options to the skinning shader.

    Parameters
    ----------
    rigid
        Whether no joint stretches what is skinned.
    """
    return {
        "METHOD": CONSTANTS[_name(method.id)],
        "STRETCH": 0 if rigid else CONSTANTS[_name(options.scale)],
        "ANGLE_FACTOR": CONSTANTS[f"ANGLE_{_name(options.angle)}"],
    }


def bind_skinning(
    program: Program, scene: Scene, number: int, method: str, options: Options
) -> None:
    """Give the current program the palette, further influences and options of one part's method."""
    options = options_for(method, options)
    chosen = scene.deformer.method_of(number, method)
    # First, since a buffer of texels that is made takes the place of one that is bound.
    scene.give_statics(number, chosen, options)
    base = scene.bind_palette(number, _PALETTE_UNIT)
    program.integer("u_palette", _PALETTE_UNIT)
    program.integer("u_palette_base", base)
    program.integer("u_palette_stride", scene.palette_stride)
    if chosen.reads_limbs:
        scene.bind_limbs(_LIMB_UNIT)
        program.integer("u_limbs", _LIMB_UNIT)
    program.number("u_strength", options.strength)
    # Below 0 the blend is the vertex's own.
    program.number("u_blend", -1.0 if options.blend is None else options.blend)
    further, moments = scene.parts[number].further, scene.parts[number].moments
    if chosen.spreads and moments is not None:
        moments.bind(_MOMENT_UNIT)
        program.integer("u_moments", _MOMENT_UNIT)
        program.integer("u_moment_count", scene.parts[number].moment_count)
    if further is not None:
        further.bind(_FURTHER_UNIT)
        program.integer("u_further", _FURTHER_UNIT)


def record_with(
    programs: Programs, scene: Scene, number: int, method: str, options: Options
) -> None:
    """Make current what skins one part and draws nothing: its positions and normals can be recorded."""
    defines = skinning_defines(scene, number, method, options)
    program = programs.of("skin.vert", None, defines, _RECORDED)
    program.use()
    bind_skinning(program, scene, number, method, options)
