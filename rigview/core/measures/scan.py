"""A whole clip measured under several methods: curves, the worst frames and the joints to blame."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.core.brief import brief_repr
from rigview.core.clip import Clip
from rigview.core.frame import Frame
from rigview.core.measures.quantities import COLUMNS, QUANTITIES, PoseReading, Quantity, ranked
from rigview.core.measures.shape_metrics import ShapeMeter
from rigview.core.numeric.threads import in_threads
from rigview.core.pose import sample
from rigview.core.skinning import ASKED, Options

# Times at even steps that a scan looks at besides every key.
EVEN_TIMES = 32
# A second, where a clip bends between its keys.
_FRAMES = 30
# Times nearer to each other than this are one, seconds.
SAME_TIME = 1e-6
# Of more joints than this nobody is to blame.
BLAMED = 3

Progress = Callable[[str, float], None]


@dataclass(frozen=True)
class Comparison:
    """Which methods are measured, and against which one.

    Parameters
    ----------
    methods
        Keys of `skinning.ASKED`.
    reference
        The method that the difference is measured to; else the first of them.
    """

    methods: tuple[str, ...]
    reference: str | None = None
    options: Options = field(default_factory=Options)

    def __post_init__(self) -> None:
        if not self.methods:
            raise ValueError("methods: wanted at least one")

    @property
    def against(self) -> str:
        """The method that the difference is measured to."""
        return self.methods[0] if self.reference is None else self.reference


@dataclass(frozen=True, eq=False)
class MethodCurves:
    """One method over the clip.

    Parameters
    ----------
    figures
        Column (`quantities.COLUMNS`) → ``(T,)``; NaN where it cannot be said.
    joints
        Quantity → ``(T, J)``, the worst at each joint; see `quantities.Reading`.
    """

    __repr__ = brief_repr

    figures: dict[str, FloatArray]
    joints: dict[str, FloatArray]


@dataclass(frozen=True)
class WorstValue:
    """Where a quantity is worst.

    Parameters
    ----------
    frame, time, value
        Position in `Scan.times`, seconds, and the figure by which frames are ranked.
    joints
        (node, value) of the joints to blame, the worst first.
    """

    frame: int
    time: float
    value: float
    joints: tuple[tuple[int, float], ...]


@dataclass(frozen=True, eq=False)
class Scan:
    """What was measured of a rig in one clip.

    Parameters
    ----------
    clip
        None for the rest pose.
    times
        ``(T,)`` seconds.
    joints
        ``(J,)`` node numbers, for the per-joint values.
    curves
        Method → its curves.
    reference
        The method that the difference is measured against.
    rest_volume
        Cubic metres; NaN where the mesh encloses none.
    holes
        How many borders of the mesh were closed for the sake of the volume.
    """

    __repr__ = brief_repr

    clip: Clip | None
    times: FloatArray
    joints: tuple[int, ...]
    curves: dict[str, MethodCurves]
    reference: str
    rest_volume: float
    holes: int

    def worst(self, method: str, quantity: Quantity) -> WorstValue | None:
        """Return where a method does worst; None where the quantity could not be measured."""
        curves = self.curves[method]
        values = curves.figures[quantity.column]
        badness = quantity.badness(values)
        frame = int(np.argmax(badness))
        if np.isnan(values[frame]):
            return None
        blamed = curves.joints[quantity.id][frame]
        joints = tuple(
            (self.joints[i], float(blamed[i])) for i in ranked(quantity, blamed)[:BLAMED]
        )
        return WorstValue(frame, float(self.times[frame]), float(values[frame]), joints)

    def overall(self, method: str, column: str) -> float:
        """Return a figure's mean over the clip; NaN where it could not be measured."""
        values = self.curves[method].figures[column]
        known = values[~np.isnan(values)]
        return float(known.mean()) if len(known) else float("nan")


def scan_times(clip: Clip | None, fps: float | None = None) -> FloatArray:
    """Return the seconds ``(T,)`` to look at: all keys of the file, and even ones or `fps` a second.

    Even are `EVEN_TIMES`; as many as frames where readers put keys between those of the file, which
    bends there: such keys of many joints, each at times of its own, come by the thousand.
    """
    if clip is None or not len(clip.key_times):
        return np.zeros(1)
    keys = clip.stated_times
    if fps is None:
        added = len(clip.key_times) - len(keys)
        count = EVEN_TIMES + min(added, int((clip.end - clip.start) * _FRAMES))
        even = np.linspace(clip.start, clip.end, count)
    else:
        even = np.minimum(np.arange(clip.start, clip.end + 1.0 / fps, 1.0 / fps), clip.end)
    times = np.unique(np.concatenate([keys, even]))
    return times[np.concatenate([[True], np.diff(times) > SAME_TIME])]


def scan(
    meter: ShapeMeter,
    clip: Clip | None,
    comparison: Comparison,
    *,
    times: FloatArray | None = None,
    progress: Progress | None = None,
) -> Scan:
    """Measure a clip under several methods.

    Parameters
    ----------
    times
        ``(T,)`` seconds; else `scan_times`.
    progress
        Hears what is under way and the share done; may raise to stop.
    """
    at = scan_times(clip) if times is None else np.asarray(times, dtype=np.float64)
    deformer = meter.deformer
    readings: dict[str, list[PoseReading]] = {method: [] for method in comparison.methods}

    def read(time: float) -> dict[str, PoseReading]:
        frame = deformer.frame(sample(deformer.rig, clip, time))
        return read_frame(meter, frame, comparison)

    for i, found in enumerate(in_threads(read, at.tolist())):
        if progress is not None:
            progress("scanning", i / len(at))
        for method, reading in found.items():
            readings[method].append(reading)
    joints = tuple(int(node) for node in deformer.skeleton.joints)
    return Scan(
        clip,
        at,
        joints,
        {method: _curves(rows, len(joints)) for method, rows in readings.items()},
        comparison.against,
        meter.rest_volume,
        meter.surface.holes,
    )


def read_frame(meter: ShapeMeter, frame: Frame, comparison: Comparison) -> dict[str, PoseReading]:
    """Measure one pose: method → reading."""
    names = tuple(dict.fromkeys((comparison.against, *comparison.methods)))
    methods = (ASKED[name] for name in names)
    skinned = meter.deformer.skin_by(frame, methods, comparison.options)
    every = dict(zip(names, skinned, strict=True))
    wanted = [every[name] for name in comparison.methods]
    readings = meter.read_all(frame, wanted, every[comparison.against])
    return dict(zip(comparison.methods, readings, strict=True))


def _curves(readings: Sequence[PoseReading], joints: int) -> MethodCurves:
    figures = {c: np.array([r.figures[c] for r in readings]) for c in COLUMNS}
    shape = (len(readings), joints)
    return MethodCurves(
        figures,
        {q: np.array([r.joints[q] for r in readings]).reshape(shape) for q in QUANTITIES},
    )
