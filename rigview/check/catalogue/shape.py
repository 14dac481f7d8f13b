"""The rules about what clips do to the shape, one row each."""

from collections.abc import Callable, Iterator

from rigview.check.limits import Limit
from rigview.check.rule import Finding, FixClass, Rule, Subject
from rigview.check.rules import bounds, deformation, joint_faults, winding

# Faults of single vertices, of joints and of keys, which show as faults of the shape.
_FAULTS = (
    "HIE-OOB",
    "WGT-RANGE",
    "WGT-ZERO",
    "WGT-SUM",
    "SCL-NEG",
    "SCL-ZERO",
    "BND-MISSING",
    "BND-COUNT",
    "BND-AFFINE",
    "BND-SINGULAR",
    "BND-MIRROR",
    "ANI-NAN",
    "ANI-TIME",
)


def _about_joints(
    rule: str,
    title: str,
    measures: str,
    find: Callable[[Subject], Iterator[Finding]],
    limits: tuple[Limit, ...],
    fix: FixClass = "none",
) -> Rule:
    """Return a row about the joints that deform beyond a limit of a measure."""
    return Rule(
        rule,
        title,
        measures,
        "warning",
        fix,
        find,
        needs="poses influences",
        tree=True,
        beside=_FAULTS,
        motion=True,
        limits=limits,
        plot="joint",
    )


ROWS: tuple[Rule, ...] = (
    Rule(
        "MSH-WINDING",
        "Mesh is inside out",
        "the normals of each shell against the winding of its faces",
        "warning",
        "exact",
        winding.against_normals,
        limits=(winding.WINDING,),
    ),
    Rule(
        "MSH-BOUNDS",
        "Skin leaves its bounds",
        "the reach of the skin over all clips against its bounds at rest",
        "info",
        "none",
        bounds.bounds,
        needs="clips influences",
        tree=True,
        beside=_FAULTS,
        motion=True,
        limits=(bounds.BOUNDS,),
    ),
    _about_joints(
        "DEF-COLLAPSE",
        "Joint collapses",
        "the width of the cross-sections of each joint against that at bind",
        deformation.collapse,
        (joint_faults.COLLAPSE, joint_faults.COLLAPSE_ERROR),
        "shape",
    ),
    _about_joints(
        "DEF-BULGE",
        "Joint bulges",
        "the distance of each joint's outer side from its bones against that at bind",
        deformation.bulge,
        (joint_faults.BULGE,),
    ),
    _about_joints(
        "DEF-VOLUME",
        "Volume of a joint changes",
        "the volume about each joint against that at bind",
        deformation.volume,
        (joint_faults.VOLUME,),
    ),
    _about_joints(
        "DEF-STRETCH",
        "Skin stretched or crushed",
        "lengths of edges and areas of faces about each joint against those at bind",
        deformation.stretch,
        (joint_faults.STRETCH, joint_faults.COMPRESSION, joint_faults.AREA),
        "shape",
    ),
    _about_joints(
        "DEF-FLIP",
        "Skin inside out",
        "faces about each joint that are turned over against the skin around them",
        deformation.flips,
        (joint_faults.FLIPS,),
    ),
    _about_joints(
        "DEF-INTERSECT",
        "Skin goes through skin",
        "faces about each joint that cross others and do not at bind",
        deformation.intersections,
        (joint_faults.INTERSECT,),
    ),
)
