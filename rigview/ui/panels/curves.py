"""Plots over the clip: channels of the selected joint, and what each method costs the shape."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np

from rigview.core import euler, quat
from rigview.core.arrays import FloatArray
from rigview.core.clip import Clip
from rigview.core.deform import Deformer
from rigview.core.motion.deltas import frame_times, of_joint
from rigview.core.rig import Rig
from rigview.core.sampler import Path
from rigview.core.sentence import Sentence
from rigview.core.skinning import ASKED
from rigview.ui.panels.charts import NOT_SKINNED, PlotCurve, PlotCurves, PlotInput, PlotKind
from rigview.ui.widgets.words import tr

# Points along a curve; keys are added to them, so that steps stay steep.
_POINTS = 400
# What curves are called, and the tokens of their colours.
_AXES = (("X", "x"), ("Y", "y"), ("Z", "z"))
_NO_CLIPS = "The file has no clips."
_MAKE_ONE = " Rig > Add a range of motion makes one."
# Colours of the panes' methods, in the order of the panes.
SERIES = ("series1", "series2", "series3", "series4")


@dataclass(frozen=True)
class OverClip(PlotKind):
    """Something that changes over a clip.

    Parameters
    ----------
    unit
        Follows every number.
    """

    unit: str

    def missing(self, subject: PlotInput) -> str:
        """Ask for a clip."""
        rig = subject.deformer.rig
        if subject.clip is not None:
            return ""
        if rig.clips:
            return "The rest pose has no curves."
        return f"{tr(_NO_CLIPS)}{tr(_MAKE_ONE)}" if rig.joints else _NO_CLIPS

    @abstractmethod
    def curves(self, subject: PlotInput, clip: Clip) -> list[PlotCurve]:
        """Return the curves over the clip; none where something is missing."""

    def of(self, _subject: PlotInput) -> str:
        """Return what they are curves of, in words."""
        return tr("{label} of every pane's method", label=Sentence(self.label))

    def unit_of(self, _subject: PlotInput) -> str:
        """Return what follows every number."""
        return self.unit

    def limit(self, _subject: PlotInput) -> tuple[str, float] | None:
        """Return what the curves are held against, in words, and its value; None where nothing is."""
        return None

    def chart(self, subject: PlotInput) -> PlotCurves | None:
        """Return the curves, if there are any."""
        found = [] if subject.clip is None else self.curves(subject, subject.clip)
        if subject.clip is None or not found:
            return None
        unit, limit = self.unit_of(subject), self.limit(subject)
        return PlotCurves(subject.clip, tuple(found), self.of(subject), unit, limit)


@dataclass(frozen=True)
class OfJoint(OverClip):
    """Something of the selected joint: as many curves as it has columns, one per axis as a rule."""

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """Names of the curves and the tokens of their colours."""
        return _AXES

    @abstractmethod
    def along(self, subject: PlotInput, clip: Clip, joint: int) -> tuple[FloatArray, FloatArray]:
        """Return seconds ``(n,)`` and the values ``(n, columns)`` of a joint."""

    def missing(self, subject: PlotInput) -> str:
        """Ask for a clip, and for a joint."""
        words = "" if subject.joint is not None else "Select a joint to see its curves."
        return super().missing(subject) or words

    def of(self, subject: PlotInput) -> str:
        """Name the joint."""
        joint, nodes = subject.joint, subject.deformer.rig.nodes
        whose = "" if joint is None else nodes.label(joint)
        return tr("{label} of {joint}", label=Sentence(self.label), joint=whose)

    def curves(self, subject: PlotInput, clip: Clip) -> list[PlotCurve]:
        """Return its columns."""
        if subject.joint is None:
            return []
        times, values = self.along(subject, clip, subject.joint)
        return [
            PlotCurve(name, token, times, column)
            for (name, token), column in zip(self.columns, values.T, strict=True)
        ]


@dataclass(frozen=True)
class ChannelPlot(OfJoint):
    """A channel as it is played; its key is the property's name."""

    def of(self, subject: PlotInput) -> str:
        """Name the joint, and the order of its Euler angles."""
        words, rig = super().of(subject), subject.deformer.rig
        if self.key != "rotation" or subject.joint is None:
            return words
        return f"{words}, {rig.origin.rotation_order(rig.nodes.names[subject.joint])}"

    def along(self, subject: PlotInput, clip: Clip, joint: int) -> tuple[FloatArray, FloatArray]:
        """Return angles in degrees, metres, or factors."""
        return channel_curves(subject.deformer.rig, clip, joint, cast("Path", self.key))


@dataclass(frozen=True)
class TurnPlot(OfJoint):
    """How far the joint turns from frame to frame, which an Euler angle does not tell."""

    def missing(self, subject: PlotInput) -> str:
        """Ask for a joint, and for two frames."""
        if subject.clip is not None and len(frame_times(subject.clip, subject.fps)) < 2:
            return "The clip has a single frame."
        return super().missing(subject)

    def along(self, subject: PlotInput, clip: Clip, joint: int) -> tuple[FloatArray, FloatArray]:
        """Return degrees about the axes of the joint above, each at the frame that the turn leads to."""
        return turn_curves(subject.deformer.rig, clip, joint, subject.fps)


@dataclass(frozen=True)
class Length(OfJoint):
    """How much longer the bone of the joint is than at rest: the joint where it ends is keyed."""

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """The length alone."""
        return (("Length", SERIES[0]),)

    def missing(self, subject: PlotInput) -> str:
        """Ask for a clip, and for a joint with a bone."""
        words = super().missing(subject)
        if words or subject.joint is None or _end(subject.deformer, subject.joint) is not None:
            return words
        return "No bone begins at this joint."

    def along(self, subject: PlotInput, clip: Clip, joint: int) -> tuple[FloatArray, FloatArray]:
        """Return per cent of the length at rest, in the frame of the joint."""
        end, rig = _end(subject.deformer, joint), subject.deformer.rig
        if end is None:
            return np.zeros(0), np.zeros((0, 1))
        times, places = channel_curves(rig, clip, end, "translation")
        rest = float(np.linalg.norm(rig.nodes.translations[end]))
        return times, 100.0 * (np.linalg.norm(places, axis=1, keepdims=True) / rest - 1.0)


@dataclass(frozen=True)
class Metric(OverClip):
    """A figure of the table of quantities, by its column: one curve per pane's method."""

    shown: Callable[[FloatArray], FloatArray]

    def missing(self, subject: PlotInput) -> str:
        """Ask for a clip, for a skin, and for patience."""
        words = super().missing(subject)
        if words or subject.clip is None:
            return words
        if not subject.deformer.skins:
            return NOT_SKINNED
        if subject.scan is None:
            return "Measuring the clip…"
        if not self.curves(subject, subject.clip):
            return tr("{label} of this mesh cannot be measured.", label=Sentence(self.label))
        return ""

    def curves(self, subject: PlotInput, _clip: Clip) -> list[PlotCurve]:
        """Return one curve per method, those that could be measured."""
        result: list[PlotCurve] = []
        if subject.scan is None:
            return result
        for token, method in zip(SERIES, dict.fromkeys(subject.methods), strict=False):
            if method in subject.scan.curves:
                values = subject.scan.curves[method].figures[self.key]
                if not np.any(np.isnan(values)):
                    label, times = ASKED[method].label, subject.scan.times
                    result.append(PlotCurve(label, token, times, self.shown(values)))
        return result


def channel_curves(rig: Rig, clip: Clip, joint: int, path: Path) -> tuple[FloatArray, FloatArray]:
    """Return times ``(n,)`` and values ``(n, 3)`` of a joint's local transform over a clip.

    Rotations are angles about x, y and z in degrees, in the file's order, unwrapped so that they do not
    jump (`euler.unwrapped`).
    """
    return rig.latest(_channel_curves, clip, joint, path, per=path)


def _channel_curves(rig: Rig, clip: Clip, joint: int, path: Path) -> tuple[FloatArray, FloatArray]:
    times = np.unique(np.concatenate([np.linspace(clip.start, clip.end, _POINTS), clip.key_times]))
    nodes = rig.nodes
    rest = {
        "translation": nodes.translations,
        "rotation": nodes.rotations,
        "scale": nodes.scales,
    }[path][joint]
    curve = clip.curve(joint, path)
    if curve is None:
        values = np.tile(rest, (len(times), 1))
    else:
        values = curve.at(times, rotation=path == "rotation")
    if path != "rotation":
        return times, values
    order = rig.origin.rotation_order(nodes.names[joint])
    return times, np.degrees(euler.unwrapped(euler.to_angles(values, order), order))


def _end(deformer: Deformer, joint: int) -> int | None:
    """Return the joint where the bone of a joint ends, if that hangs on it and away from it."""
    skeleton, nodes = deformer.skeleton, deformer.rig.nodes
    place = skeleton.places.get(joint, -1)
    end = int(skeleton.primary[place]) if place >= 0 else -1
    node = int(skeleton.joints[end]) if end >= 0 else -1
    hangs = node >= 0 and nodes.parents[node] == joint and nodes.translations[node].any()
    return node if hangs else None


def turn_curves(rig: Rig, clip: Clip, joint: int, fps: float) -> tuple[FloatArray, FloatArray]:
    """Return when frames are reached, ``(n,)``, and by what turn: ``(n, 3)`` degrees.

    The turn is the local delta rotation as an axis times its angle, in the frame of the joint above.
    """
    times = frame_times(clip, fps)
    turns = quat.rotation_vector(of_joint(rig, clip, joint, times))
    return times[1:], np.degrees(turns)
