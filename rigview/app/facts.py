"""The words that commands offer and menus show. Nothing heavy is imported here: ``--help`` waits for it.

The tests hold each list to the table that has the rest: `core.skinning.METHODS`, `joint_measures.MEASURES`,
`check.profiles.PROFILES`, `check.report.FORMATS`, `render.camera.VIEWS` and `render.look`.
"""

from dataclasses import dataclass

METHODS = (
    "lbs",
    "dqs",
    "compensated",
    "capsule",
    "bulging-free",
    "centres",
    "flesh",
    "swing-twist",
    "log-matrix",
    "spherical",
    "delta-mush",
    "blended",
    "basic",
)
MEASURES = (
    "collapse",
    "bulge",
    "volume",
    "stretch",
    "compression",
    "area",
    "flips",
    "intersection",
    "normal",
)
PROFILES = ("gltf", "dqs", "thesis", "unity", "unreal", "godot", "vrm")
REPORTS = ("text", "json", "jsonl", "sarif", "junit", "markdown", "html", "github", "gitlab")
SEVERITIES = ("error", "warning", "info")
VIEWS = ("front", "back", "left", "right", "top", "three-quarter")
# The least and the most pixels that a side of a picture has.
PICTURE_SIDES = (16, 16384)
# What one rig alone can be coloured by, and what menus call it.
SHADINGS = {
    "textured": "Textured",
    "clay": "Clay",
    "weights": "Weights",
    "joints": "Weights of all joints",
    "count": "Number of influences",
    "mask": "Compensation mask",
    "difference": "Difference to the first pane",
    "heat": "Heat of a measure",
}


@dataclass(frozen=True)
class OverlayFact:
    """What can be drawn beside or over the meshes.

    Parameters
    ----------
    text
        What menus call it.
    of
        The overlay that it is an option of: there is no seeing the one without the other.
    """

    text: str
    of: str = ""


OVERLAYS = {
    "bones": OverlayFact("Bones"),
    "sticks": OverlayFact("Bones as sticks", of="bones"),
    "xray": OverlayFact("X-ray"),
    "wires": OverlayFact("Wireframe"),
    "axes": OverlayFact("Joint axes"),
    "names": OverlayFact("Names"),
    "grid": OverlayFact("Grid"),
    "shadow": OverlayFact("Shadow on the ground", of="grid"),
    "rest_ghost": OverlayFact("Ghost of the rest pose"),
    "bind_ghost": OverlayFact("Ghost of the bind pose"),
    "trail": OverlayFact("Root trail"),
    "bounds": OverlayFact("Box of the bind pose, for culling"),
}


def switches(overlay: str) -> tuple[str, ...]:
    """Return the fields of `render.look.Overlays` that are on where an overlay can be seen."""
    of = OVERLAYS[overlay].of
    return (of, overlay) if of else (overlay,)
