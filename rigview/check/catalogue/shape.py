"""The rules about what clips do to the shape, one row each."""

from rigview.check import deformation
from rigview.check.rule import Rule

# Faults of the bind and the keys that show as faults of the shape.
_SHAPE = (
    "SCL-ZERO",
    "BND-MISSING",
    "BND-COUNT",
    "BND-AFFINE",
    "BND-SINGULAR",
    "BND-MIRROR",
    "ANI-NAN",
    "ANI-TIME",
)
# Faults of single vertices, which show as faults of the shape there.
_VERTICES = ("HIE-OOB", "WGT-RANGE", "WGT-ZERO", "WGT-SUM")

ROWS: tuple[Rule, ...] = (
    Rule(
        "MSH-BOUNDS",
        "Skin leaves its bounds",
        "the reach of the skin over all clips against its bounds at rest",
        "info",
        "none",
        deformation.bounds,
        needs="clips influences",
        tree=True,
        after=_SHAPE,
        beside=_VERTICES,
        motion=True,
        limits=(deformation.BOUNDS,),
    ),
    Rule(
        "DEF-VOLUME",
        "Volume lost",
        "the volume under linear skinning against that at rest",
        "info",
        "none",
        deformation.volume,
        needs="clips influences",
        tree=True,
        after=_SHAPE,
        beside=_VERTICES,
        motion=True,
        limits=(deformation.VOLUME,),
    ),
    Rule(
        "DEF-BULGE",
        "Joint bulges",
        "the distance from the bone under dual quaternion skinning against that at bind",
        "info",
        "none",
        deformation.bulge,
        needs="clips influences",
        tree=True,
        after=_SHAPE,
        beside=_VERTICES,
        motion=True,
        limits=(deformation.BULGE,),
    ),
    Rule(
        "DEF-STRETCH",
        "Skin stretched or crushed",
        "lengths of edges and areas of triangles against those at bind",
        "info",
        "none",
        deformation.stretch,
        needs="clips influences",
        tree=True,
        after=_SHAPE,
        beside=_VERTICES,
        motion=True,
        limits=(deformation.STRETCH, deformation.AREA),
    ),
    Rule(
        "DEF-FLIP",
        "Triangles inside out",
        "triangles that come to face against their shading normals",
        "info",
        "none",
        deformation.flips,
        needs="clips influences",
        tree=True,
        after=_SHAPE,
        beside=_VERTICES,
        motion=True,
        limits=(deformation.FLIPS,),
    ),
)
