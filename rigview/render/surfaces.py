"""Materials on the card: which maps the shader of textured shading reads, and from which texture units."""

from collections.abc import Callable

import numpy as np

from rigview.core.materials import Material, ScalarMap, Surface, Texture
from rigview.render.shader_programs import Program

# What shaders/mesh.frag calls the maps of a surface: its MAPS is a sum of these.
MAP_BITS = {
    "METALLIC_MAP": 1,
    "ROUGHNESS_MAP": 2,
    "NORMAL_MAP": 4,
    "OCCLUSION_MAP": 8,
    "EMISSIVE_MAP": 16,
}
# Below it, lights would be points that no pixel holds.
LEAST_ROUGHNESS = 0.05
# As many sets of texture coordinates has a part in its attributes.
UV_SETS = 3

_CHANNELS = np.eye(4)
# Binds a texture to a unit.
Bind = Callable[[Texture | None, int], None]


def uv_sets(material: Material) -> tuple[int, ...]:
    """Return the sets of texture coordinates of which the shader gets the numbers, the colour's first.

    Textures that read a fourth set are drawn by the first.
    """
    first = material.texture.uv_set if material.texture is not None else 0
    others = sorted({texture.uv_set for texture in material.surface.textures} - {first})
    return (first, *others)[:UV_SETS]


def maps_of(material: Material) -> int:
    """Return the sum of `MAP_BITS` of the maps that a material has; unlit ones need none."""
    if material.unlit:
        return 0
    return sum(MAP_BITS[name] for name, given in _maps(material.surface).items() if given)


def _maps(surface: Surface) -> dict[str, Texture | ScalarMap | None]:
    return {
        "METALLIC_MAP": surface.metallic_map,
        "ROUGHNESS_MAP": surface.roughness_map,
        "NORMAL_MAP": surface.normal_map,
        "OCCLUSION_MAP": surface.occlusion_map,
        "EMISSIVE_MAP": surface.emissive_map,
    }


def bind_surface(program: Program, material: Material, unit: int, bind: Bind) -> None:
    """Give the current program the numbers and textures of a material, from a texture unit on."""
    surface, sets = material.surface, uv_sets(material)

    def place(name: str, sampler: str, texture: Texture | None, channel: int, at: int) -> None:
        bind(texture, at)
        program.integer(sampler, at)
        used = texture if texture is not None else Texture(-1)
        program.integer(f"{name}.uv_set", sets.index(used.uv_set) if used.uv_set in sets else 0)
        program.matrix(f"{name}.transform", used.uv_transform)
        program.vector(f"{name}.channel", _CHANNELS[channel])

    place("u_base", "u_base_texture", material.texture, 0, unit)
    for at, (bit, given) in enumerate(_maps(surface).items(), unit + 1):
        if given is not None and not material.unlit:
            name = bit.lower()
            scalar = given if isinstance(given, ScalarMap) else ScalarMap(given)
            sampler = f"u_{name.removesuffix('_map')}_texture"
            place(f"u_{name}", sampler, scalar.texture, scalar.channel, at)
    program.vector("u_base_colour", material.base_colour)
    program.number("u_alpha_cutoff", material.alpha_cutoff)
    program.number("u_metallic", surface.metallic)
    program.number("u_roughness", surface.roughness)
    program.number("u_normal_scale", surface.normal_scale)
    program.number("u_occlusion_strength", surface.occlusion_strength)
    program.vector("u_emissive", surface.emissive)
