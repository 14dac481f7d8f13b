"""Rules about what skinning does to the shape, at its worst over all clips."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rigview.check.clips import clip_label
from rigview.check.limits import Limit
from rigview.check.rule import Finding, Fix, Subject
from rigview.check.wear import wear
from rigview.core.arrays import FloatArray
from rigview.core.quantities import QUANTITIES, ranked

# A limb bent to a right angle under linear skinning keeps about this much of its volume.
VOLUME = Limit("DEF-VOLUME", 0.7, "×", "the volume against that at rest", "least")
BULGE = Limit("DEF-BULGE", 0.2, "share", "the distance beyond that to the bone at bind")
# Of stretch and area, 1 % of all triangles may be worse: no real mesh is without a few slivers in an
# armpit, and one of them says nothing about a rig.
STRETCH = Limit("DEF-STRETCH.edges", 2.5, "×", "the length of edges against that at bind")
AREA = Limit("DEF-STRETCH.areas", 0.05, "×", "the area of triangles against that at bind", "least")
FLIPS = Limit("DEF-FLIP", 0.01, "share", "triangles inside out, of all")
BOUNDS = Limit("MSH-BOUNDS", 1.5, "×", "the reach of the skin against that at rest")
# Joints named, the worst first.
_NAMED = 3


def _values(subject: Subject, method: str, column: str) -> FloatArray:
    return np.array([r.figures[column] for r in subject.kept(wear).readings[method]])


def _finding(
    subject: Subject, rule: str, method: str, quantity: str, pose: int, says: str
) -> Finding:
    """Return a finding about one pose, the joints to blame named, without value and limit."""
    rig = subject.rig
    clip, time = subject.kept(wear).poses[pose]
    blamed = subject.kept(wear).readings[method][pose].joints[quantity]
    order = ranked(QUANTITIES[quantity], blamed)[:_NAMED]
    joints = tuple(int(subject.deformer.skeleton.joints[i]) for i in order)
    return Finding(
        rule,
        0,
        f"{says} in {clip_label(rig, clip)} at {time:.2f} s",
        clip_label(rig, clip),
        joint=rig.nodes.label(joints[0]) if joints else None,
        joints=joints,
        clip=rig.clips[clip].name,
        time=time,
    )


def _said(
    finding: Finding, value: float, limit: float, unit: str, why: str, instead: str
) -> Finding:
    return replace(
        finding,
        value=value,
        limit=limit,
        unit=unit,
        explanation=why,
        fix=Fix("none", reason=instead),
    )


def _worst(values: FloatArray, *, low: bool) -> int | None:
    """Return where the worst known value is; None where nothing is known."""
    if not len(values) or np.all(np.isnan(values)):
        return None
    return int(np.nanargmin(values) if low else np.nanargmax(values))


def volume(subject: Subject) -> Iterator[Finding]:
    """DEF-VOLUME: linear skinning loses volume."""
    values = _values(subject, "lbs", "volume")
    pose = _worst(values, low=True)
    if pose is None or values[pose] >= subject.limit(VOLUME):
        return
    says = f"linear skinning keeps {100.0 * values[pose]:.0f} % of the volume"
    yield _said(
        _finding(subject, "DEF-VOLUME", "lbs", "volume", pose, says),
        float(values[pose]),
        subject.limit(VOLUME),
        "×",
        "Twisted limbs pinch, and bent ones collapse, where matrices are blended.",
        "try dual quaternions or the compensation, twist joints, or softer weights there",
    )


def bulge(subject: Subject) -> Iterator[Finding]:
    """DEF-BULGE: dual quaternion skinning swells at a bend."""
    values = _values(subject, "dqs", "bulge_99")
    pose = _worst(values, low=False)
    if pose is None or values[pose] <= subject.limit(BULGE):
        return
    further = f"{100.0 * values[pose]:.0f} % further"
    says = f"under dual quaternions the skin is {further} from its bone than at bind"
    yield _said(
        _finding(subject, "DEF-BULGE", "dqs", "bulge", pose, says),
        float(values[pose]),
        subject.limit(BULGE),
        "share",
        "Blended rotations move the skin on a circle about the joint, outside of the limb.",
        "try the compensation, or a smaller region of blended weights there",
    )


def stretch(subject: Subject) -> Iterator[Finding]:
    """DEF-STRETCH: linear skinning stretches edges or crushes triangles."""
    edges, areas = subject.limit(STRETCH), subject.limit(AREA)
    for column, limit, low in (("stretch_99", edges, False), ("area_99", areas, True)):
        values = _values(subject, "lbs", column)
        pose = _worst(values, low=low)
        if pose is None or (values[pose] >= limit if low else values[pose] <= limit):
            continue
        says = (
            f"1 % of the triangles keep less than {100.0 * values[pose]:.1f} % of their area"
            if low
            else f"1 % of the triangles stretch more than {values[pose]:.2f} times"
        )
        yield _said(
            _finding(subject, "DEF-STRETCH", "lbs", column.split("_")[0], pose, says),
            float(values[pose]),
            limit,
            "×",
            "Textures smear and shading breaks where triangles are pulled long or squeezed flat.",
            "look for stray weights and missing joints there, or for a pose the rig was not made for",
        )
        return


def flips(subject: Subject) -> Iterator[Finding]:
    """DEF-FLIP: triangles come to face inwards under linear skinning."""
    values = _values(subject, "lbs", "flipped") / np.maximum(subject.kept(wear).triangles, 1)
    pose = _worst(values, low=False)
    if pose is None or values[pose] <= subject.limit(FLIPS):
        return
    says = f"{100.0 * values[pose]:.1f} % of the triangles turn inside out"
    yield _said(
        _finding(subject, "DEF-FLIP", "lbs", "flipped", pose, says),
        float(values[pose]),
        subject.limit(FLIPS),
        "share",
        "The surface folds through itself: dark or missing patches at the inside of a bend.",
        "soften the weights there, or keep the pose within what the skin allows",
    )


def bounds(subject: Subject) -> Iterator[Finding]:
    """MSH-BOUNDS: the skin leaves the bounds that it has at rest."""
    rig = subject.rig
    rest, posed = subject.kept(wear).rest_bounds, subject.kept(wear).bounds
    radius = 0.5 * np.linalg.norm(rest[:, 1] - rest[:, 0], axis=1)
    corners = np.abs(posed - rest.mean(axis=1, keepdims=True)).max(axis=1)
    values = np.linalg.norm(corners, axis=1) / np.where(radius > 0.0, radius, np.nan)
    pose = _worst(values, low=False)
    if pose is None or values[pose] <= subject.limit(BOUNDS):
        return
    clip, time = subject.kept(wear).reached[pose]
    yield Finding(
        "MSH-BOUNDS",
        0,
        f"the skin reaches {values[pose]:.2f} times as far as at rest in {clip_label(rig, clip)} at "
        f"{time:.2f} s",
        clip_label(rig, clip),
        clip=rig.clips[clip].name,
        time=time,
        value=float(values[pose]),
        limit=subject.limit(BOUNDS),
        unit="×",
        explanation="Engines that cull by the bounds at rest let the character vanish at the edge of the "
        "picture.",
        fix=Fix("none", reason="glTF states no bounds of skinned meshes: set them in the engine"),
    )
