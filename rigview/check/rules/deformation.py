"""Rules about what skinning does to the shape of each character, at its worst over all clips."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import wraps

import numpy as np

from rigview.check.labels import clip_label
from rigview.check.limits import Limit
from rigview.check.rule import Finding, Fix, Subject, verb
from rigview.check.rules.left_out import Shapes
from rigview.check.rules.wear import Wear, wear
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.measures.meter import Meter
from rigview.core.measures.quantities import QUANTITIES, ranked
from rigview.core.pose import sample
from rigview.core.skinning import METHODS, Options

# A limb bent to a right angle under linear skinning keeps about this much of its volume.
VOLUME = Limit("DEF-VOLUME", 0.7, "×", "the volume against that at rest", "least")
BULGE = Limit("DEF-BULGE", 0.2, "share", "the distance beyond that to the bone at bind")
# Of stretch and area, 1 % of all triangles may be worse: no real mesh is without a few slivers in an
# armpit, and one of them says nothing about a rig.
STRETCH = Limit("DEF-STRETCH.edges", 2.5, "×", "the length of edges against that at bind")
AREA = Limit("DEF-STRETCH.areas", 0.05, "×", "the area of triangles against that at bind", "least")
FLIPS = Limit("DEF-FLIP", 0.01, "share", "triangles inside out, of all")
BOUNDS = Limit("MSH-BOUNDS", 1.5, "×", "the reach of the skin against that at rest")
# Profiles, and methods that files state, that skin by dual quaternions.
_DUAL, _DUAL_METHODS = ("dqs", "thesis"), ("dqs", "blended")
# Joints named, the worst first.
_NAMED = 3


@dataclass(frozen=True)
class Gauge:
    """What a rule reads of every pose: a figure under one method, and what that is held against.

    Parameters
    ----------
    method
        A key of `skinning.METHODS`.
    column
        One of `quantities.COLUMNS`.
    """

    method: str
    column: str
    limit: Limit

    @property
    def low(self) -> bool:
        """Whether low values are the bad ones."""
        return self.limit.sense == "least"

    def breaks(self, values: FloatArray, limit: float) -> BoolArray:
        """Return ``(n,)`` which values are beyond a limit; those that are not known are not."""
        return values < limit if self.low else values > limit


_VOLUME = Gauge("lbs", "volume", VOLUME)
_BULGE = Gauge("dqs", "bulge_99", BULGE)
_STRETCH = Gauge("lbs", "stretch_99", STRETCH)
_AREA = Gauge("lbs", "area_99", AREA)
# Of all triangles.
_FLIPS = Gauge("lbs", "flipped", FLIPS)
# Those whose figure is held against its limit as it is, so that a scan tells where along a clip.
GAUGES = (_VOLUME, _BULGE, _STRETCH, _AREA)


def _of_each_character(
    find: Callable[[Subject, Wear], Iterator[Finding]],
) -> Callable[[Subject], Iterator[Finding]]:
    """Make a rule of what judges one character: each has its own findings, and their place as key."""

    @wraps(find)
    def rule(subject: Subject) -> Iterator[Finding]:
        characters = subject.kept(wear)
        for key, worn in enumerate(characters):
            for finding in find(subject, worn):
                top = subject.rig.nodes.label(worn.character)
                whose = f", the character of {top}" if len(characters) > 1 else ""
                yield replace(finding, key=key, message=f"{finding.message}{whose}")

    return rule


@dataclass(frozen=True)
class _Worst:
    """The pose in which one figure of a character is worst, and its value there."""

    worn: Wear
    gauge: Gauge
    pose: int
    value: float


def _beyond(
    subject: Subject, worn: Wear, gauge: Gauge, of: IntArray | None = None
) -> _Worst | None:
    """Return where a figure, as a share of `of` if given, is worst; None within its limit or unknown."""
    readings = worn.readings[gauge.method]
    values = np.array([reading.figures[gauge.column] for reading in readings])
    values = values if of is None else values / np.maximum(of, 1)
    pose = _extreme(values, low=gauge.low)
    if pose is None or not gauge.breaks(values, subject.limit(gauge.limit))[pose]:
        return None
    return _Worst(worn, gauge, pose, float(values[pose]))


def _extreme(values: FloatArray, *, low: bool) -> int | None:
    """Return where the lowest or highest known value is; None where nothing is known."""
    if not len(values) or np.all(np.isnan(values)):
        return None
    return int(np.nanargmin(values) if low else np.nanargmax(values))


def _finding(subject: Subject, worst: _Worst, says: str, why: str, instead: str) -> Finding:
    """Return a finding about one pose, the joints to blame named."""
    rig, gauge = subject.rig, worst.gauge
    clip, time = worst.worn.poses[worst.pose]
    quantity = gauge.column.split("_")[0]
    blamed = worst.worn.readings[gauge.method][worst.pose].joints[quantity]
    order = ranked(QUANTITIES[quantity], blamed)[:_NAMED]
    joints = tuple(int(subject.deformer.skeleton.joints[i]) for i in order)
    return Finding(
        gauge.limit.rule,
        0,
        f"{says} in {clip_label(rig, clip)} at {time:.2f} s",
        clip_label(rig, clip),
        joints=joints,
        clip=rig.clips[clip].name,
        time=time,
        value=worst.value,
        limit=subject.limit(gauge.limit),
        unit=gauge.limit.unit,
        explanation=why,
        fix=Fix("none", reason=instead),
    )


def _figure(subject: Subject, worst: _Worst, method: str) -> float:
    """Return what the figure of a finding is in the same pose under another method."""
    clip, time = worst.worn.poses[worst.pose]
    deformer = subject.kept(Shapes).deformer(clip, worst.worn.character)
    frame = deformer.frame(sample(subject.rig, subject.rig.clips[clip], time))
    skinned = deformer.skin_all(frame, METHODS[method], Options())
    read = Meter(deformer).read(frame, skinned, faces=worst.gauge is not _BULGE)
    return float(read.figures[worst.gauge.column])


def _against_loss(subject: Subject, worst: _Worst) -> str:
    """Return what to try against a loss of volume: other methods only where they keep more."""
    kept = {name: _figure(subject, worst, name) for name in ("dqs", "compensated")}
    said = {"dqs": "dual quaternions", "compensated": "the compensation"}
    better = [
        f"{said[name]}, which {verb(1 + (name == 'dqs'), 'keeps', 'keep')} {100.0 * share:.0f} %"
        for name, share in kept.items()
        if share > worst.value
    ]
    return f"try {', '.join([*better, 'twist joints'])}, or softer weights there"


def _against_bulge(subject: Subject, worst: _Worst) -> str:
    """Return what to try against a bulge: the compensation only where it bulges less."""
    share = _figure(subject, worst, "compensated")
    region = "a smaller region of blended weights there"
    if share < worst.value:
        return f"try the compensation, under which it is {100.0 * share:.0f} %, or {region}"
    return f"try {region}; under the compensation it is {100.0 * share:.0f} %"


@_of_each_character
def volume(subject: Subject, worn: Wear) -> Iterator[Finding]:
    """DEF-VOLUME: linear skinning loses volume."""
    worst = _beyond(subject, worn, _VOLUME)
    if worst is not None:
        yield _finding(
            subject,
            worst,
            f"linear skinning keeps {100.0 * worst.value:.0f} % of the volume",
            "Twisted limbs pinch, and bent ones collapse, where matrices are blended.",
            _against_loss(subject, worst),
        )


def skins_by_dual_quaternions(subject: Subject, character: int | None = None) -> bool:
    """Return whether the profile or a mesh of the file, of one character if given, is skinned so."""
    rig, of = subject.rig, subject.facts.anatomy.characters
    asked = {
        part
        for part in rig.parts
        if part.skin is not None
        and character in (None, *(of.get(joint) for joint in rig.skins[part.skin].joints[:1]))
    }
    methods = {rig.primitive(part).method for part in asked}
    return subject.profile.name in _DUAL or not methods.isdisjoint(_DUAL_METHODS)


@_of_each_character
def bulge(subject: Subject, worn: Wear) -> Iterator[Finding]:
    """DEF-BULGE: dual quaternion skinning swells at a bend.

    That counts under the profiles dqs and thesis, and of characters that their file skins so.
    """
    if not skins_by_dual_quaternions(subject, worn.character):
        return
    worst = _beyond(subject, worn, _BULGE)
    if worst is not None:
        further = f"{100.0 * worst.value:.0f} % further"
        yield _finding(
            subject,
            worst,
            f"under dual quaternions the skin is {further} from its bone than at bind",
            "Blended rotations move the skin on a circle about the joint, outside of the limb.",
            _against_bulge(subject, worst),
        )


@_of_each_character
def stretch(subject: Subject, worn: Wear) -> Iterator[Finding]:
    """DEF-STRETCH: linear skinning stretches edges or crushes triangles."""
    worst = _beyond(subject, worn, _STRETCH) or _beyond(subject, worn, _AREA)
    if worst is not None:
        says = (
            f"stretch more than {worst.value:.2f} times"
            if worst.gauge is _STRETCH
            else f"keep less than {100.0 * worst.value:.1f} % of their area"
        )
        yield _finding(
            subject,
            worst,
            f"1 % of the triangles {says}",
            "Textures smear and shading breaks where triangles are pulled long or squeezed flat.",
            "look for stray weights and missing joints there, or for a pose the rig was not made for",
        )


@_of_each_character
def flips(subject: Subject, worn: Wear) -> Iterator[Finding]:
    """DEF-FLIP: triangles come to face inwards under linear skinning."""
    worst = _beyond(subject, worn, _FLIPS, of=worn.triangles)
    if worst is not None:
        yield _finding(
            subject,
            worst,
            f"{100.0 * worst.value:.1f} % of the triangles turn inside out",
            "The surface folds through itself: dark or missing patches at the inside of a bend.",
            "soften the weights there, or keep the pose within what the skin allows",
        )


@_of_each_character
def bounds(subject: Subject, worn: Wear) -> Iterator[Finding]:
    """MSH-BOUNDS: the skin leaves the bounds that it has at rest."""
    rig = subject.rig
    rest, posed = worn.rest_bounds, worn.bounds
    radius = 0.5 * np.linalg.norm(rest[:, 1] - rest[:, 0], axis=1)
    corners = np.abs(posed - rest.mean(axis=1, keepdims=True)).max(axis=1)
    values = np.linalg.norm(corners, axis=1) / np.where(radius > 0.0, radius, np.nan)
    pose = _extreme(values, low=False)
    if pose is None or values[pose] <= subject.limit(BOUNDS):
        return
    clip, time = worn.reached[pose]
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
