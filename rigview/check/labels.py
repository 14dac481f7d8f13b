"""What findings call parts, skins and clips, and the numbers of parts that stay when a fix moves nodes."""

from rigview.core.rig import Part, Rig

# Between the name of a mesh and the number of one of its primitives.
PRIMITIVE = " / primitive "


def part_keys(rig: Rig) -> dict[Part, int]:
    """Return the numbers of all parts, by node and primitive: they stay when nodes are hung elsewhere."""
    ordered = sorted(rig.parts, key=lambda p: (p.node, p.primitive))
    return {part: number for number, part in enumerate(ordered)}


def skin_label(rig: Rig, skin: int) -> str:
    """Return a skin's name, or ``skin 2`` where it has none."""
    return rig.skins[skin].name or f"skin {skin}"


def clip_label(rig: Rig, clip: int) -> str:
    """Return a clip's name, or ``clip 2`` where it has none."""
    return rig.clips[clip].name or f"clip {clip}"


def part_label(rig: Rig, part: Part) -> str:
    """Return a primitive's name: its mesh, and its number where the mesh has several."""
    mesh = rig.meshes[part.mesh]
    name = mesh.name or rig.nodes.names[part.node] or f"mesh {part.mesh}"
    return name if len(mesh.primitives) == 1 else f"{name}{PRIMITIVE}{part.primitive}"
