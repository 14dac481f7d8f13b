"""The program that draws a part of a scene on screen: how it is shaded, as its shaders call it."""

from dataclasses import dataclass
from typing import Literal, get_args

from rigview.core.materials import AlphaMode
from rigview.core.skinning import Options
from rigview.render import skinning
from rigview.render.scene import Scene
from rigview.render.shader_programs import Program, Programs
from rigview.render.surfaces import LEAST_ROUGHNESS, MAP_BITS

Shading = Literal["TEXTURED", "CLAY", "SCALAR", "EDGES", "TINT"]
Difference = Literal["OUTWARD", "MOVED"]

# What shaders/mesh.vert and mesh.frag know by name beside what skinning does; none is 0, which is no name.
CONSTANTS: dict[str, int | float] = {
    **skinning.CONSTANTS,
    **{
        name: number
        for names in (Shading, AlphaMode, Difference)
        for number, name in enumerate(get_args(names), 1)
    },
    **MAP_BITS,
    "LEAST_ROUGHNESS": LEAST_ROUGHNESS,
}


@dataclass(frozen=True)
class Shade:
    """How a part is shaded.

    Parameters
    ----------
    difference
        What is shown of the difference to the reference (`PartBuffers.record_reference`), if anything.
    maps
        Which maps textured shading reads beside that of the colour: a sum of `surfaces.MAP_BITS`.
    """

    shading: Shading = "CLAY"
    alpha: AlphaMode = "OPAQUE"
    unlit: bool = False
    difference: Difference | None = None
    maps: int = 0


def draw_with(
    programs: Programs, scene: Scene, number: int, method: str, options: Options, shade: Shade
) -> Program:
    """Make current, and return, what skins one part and draws it; it wants a camera and an opacity yet."""
    defines = {
        **skinning.skinning_defines(scene, number, method, options),
        "SHADING": CONSTANTS[shade.shading],
        "ALPHA": CONSTANTS[shade.alpha],
        "UNLIT": int(shade.unlit),
        "DIFFERENCE": 0 if shade.difference is None else CONSTANTS[shade.difference],
        "MAPS": shade.maps,
    }
    program = programs.of("mesh.vert", "mesh.frag", defines)
    program.use()
    skinning.bind_skinning(program, scene, number, method, options)
    return program
