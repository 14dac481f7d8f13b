"""What the Plots panel can show over the clip: one table; a new kind of plot is a row."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray
from rigview.core.clip import Clip, Path
from rigview.core.deform import Deformer
from rigview.core.deltas import frame_times, of_joint
from rigview.core.rig import Rig
from rigview.core.scan import Scan
from rigview.core.skinning import ASKED

# Points along a curve; keys are added to them, so that steps stay steep.
_POINTS = 400
_AXES = ("x", "y", "z")
# Colours of the panes' methods, in the order of the panes.
_SERIES = ("series1", "series2", "series3", "series4")


@dataclass(frozen=True, eq=False)
class Curve:
    """One curve: its name, the token of its colour, seconds ``(n,)`` and values ``(n,)``."""

    name: str
    token: str
    times: FloatArray
    values: FloatArray


@dataclass(frozen=True, eq=False)
class Subject:
    """What can be plotted: the rig in a clip, the selected joint, and the scan once it is there."""

    deformer: Deformer
    clip: Clip
    fps: float
    joint: int | None
    methods: tuple[str, ...]
    scan: Scan | None


@dataclass(frozen=True)
class Kind:
    """One row of the table: a plot by its label, and what rules call it."""

    label: str

    @property
    @abstractmethod
    def key(self) -> str:
        """The name by which a rule asks for it."""

    @abstractmethod
    def missing(self, subject: Subject) -> str:
        """Return why there is nothing to plot, in a sentence; empty where there is."""

    @abstractmethod
    def curves(self, subject: Subject) -> list[Curve]:
        """Return the curves; none where something is missing."""


@dataclass(frozen=True)
class OfJoint(Kind):
    """Something of the selected joint: three curves, one per axis."""

    @abstractmethod
    def along(self, subject: Subject, joint: int) -> tuple[FloatArray, FloatArray]:
        """Return seconds ``(n,)`` and the values ``(n, 3)`` of a joint."""

    def missing(self, subject: Subject) -> str:
        """Ask for a joint."""
        return "" if subject.joint is not None else "Select a joint to see its curves."

    def curves(self, subject: Subject) -> list[Curve]:
        """Return x, y and z."""
        if subject.joint is None:
            return []
        times, values = self.along(subject, subject.joint)
        return [Curve(a.upper(), a, times, v) for a, v in zip(_AXES, values.T, strict=True)]


@dataclass(frozen=True)
class Channel(OfJoint):
    """A channel as it is played."""

    path: Path

    @property
    def key(self) -> str:
        """The channel's path."""
        return self.path

    def along(self, subject: Subject, joint: int) -> tuple[FloatArray, FloatArray]:
        """Return angles in degrees, metres, or factors."""
        return channel_curves(subject.deformer.rig, subject.clip, joint, self.path)


@dataclass(frozen=True)
class Turn(OfJoint):
    """How far the joint turns from frame to frame, which an Euler angle does not tell."""

    @property
    def key(self) -> str:
        """What rules about jumps ask for."""
        return "turn"

    def missing(self, subject: Subject) -> str:
        """Ask for a joint, and for two frames."""
        if len(frame_times(subject.clip, subject.fps)) < 2:
            return "The clip has a single frame."
        return super().missing(subject)

    def along(self, subject: Subject, joint: int) -> tuple[FloatArray, FloatArray]:
        """Return degrees about the axes of the joint above, each at the frame that the turn leads to."""
        return turn_curves(subject.deformer.rig, subject.clip, joint, subject.fps)


@dataclass(frozen=True)
class Metric(Kind):
    """A figure of the table of quantities: one curve per pane's method."""

    column: str
    shown: Callable[[FloatArray], FloatArray]

    @property
    def key(self) -> str:
        """The figure's column."""
        return self.column

    def missing(self, subject: Subject) -> str:
        """Ask for a skin, and for patience."""
        if not subject.deformer.skins:
            return "Nothing here is skinned."
        if subject.scan is None:
            return "Measuring the clip…"
        if not self.curves(subject):
            return f"{self.label} of this mesh cannot be measured."
        return ""

    def curves(self, subject: Subject) -> list[Curve]:
        """Return one curve per method, those that could be measured."""
        result: list[Curve] = []
        if subject.scan is None:
            return result
        for token, method in zip(_SERIES, dict.fromkeys(subject.methods), strict=False):
            if method in subject.scan.curves:
                values = subject.scan.curves[method].figures[self.column]
                if not np.any(np.isnan(values)):
                    label, times = ASKED[method].label, subject.scan.times
                    result.append(Curve(label, token, times, self.shown(values)))
        return result


KINDS: tuple[Kind, ...] = (
    Channel("Rotation", "rotation"),
    Channel("Translation", "translation"),
    Channel("Scale", "scale"),
    Turn("Deltas °"),
    Metric("Volume %", "volume", lambda ratio: 100.0 * (ratio - 1.0)),
    Metric("Bulge %", "bulge_99", lambda share: 100.0 * share),
    Metric("Stretch ×", "stretch_99", lambda ratio: ratio),
)


def channel_curves(rig: Rig, clip: Clip, joint: int, path: Path) -> tuple[FloatArray, FloatArray]:
    """Return times ``(n,)`` and values ``(n, 3)`` of a joint's local transform over a clip.

    Rotations are angles about x, y and z in degrees, unwrapped so that they do not jump.
    """
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
    return times, np.degrees(np.unwrap(quat.to_euler(values), axis=0))


def turn_curves(rig: Rig, clip: Clip, joint: int, fps: float) -> tuple[FloatArray, FloatArray]:
    """Return when frames are reached, ``(n,)``, and by what turn: ``(n, 3)`` degrees.

    The turn is the local delta rotation as an axis times its angle, in the frame of the joint above.
    """
    times = frame_times(clip, fps)
    turns = quat.rotation_vector(of_joint(rig, clip, joint, times))
    return times[1:], np.degrees(turns)
