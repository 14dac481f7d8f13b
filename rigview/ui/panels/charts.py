"""What the Plots panel draws and of what: values that each kind of plot gives and is asked with."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from rigview.check.rule import Profile
from rigview.core.arrays import FloatArray, IntArray
from rigview.core.clip import Clip
from rigview.core.deform import Deformer
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.measures.joint_scan import ClipScan
from rigview.core.measures.scan import Scan
from rigview.core.text import count
from rigview.render.look import Chosen
from rigview.ui.widgets.words import tr

NOT_SKINNED = "Nothing here is skinned."


@dataclass(frozen=True, eq=False)
class PlotInput:
    """What can be plotted: the rig, its clip, if any, and the selected joint.

    Parameters
    ----------
    scan
        Once the clip is measured.
    profile
        What the rig is held to, once it is checked.
    measure
        What heat shows: a key of `joint_measures.MEASURES`.
    joint_scan
        What was measured of the joints in the clip, and what measured it, once that is known.
    """

    deformer: Deformer
    clip: Clip | None
    fps: float
    joint: int | None
    methods: tuple[str, ...]
    scan: Scan | None
    profile: Profile | None
    measure: str = "collapse"
    joint_scan: tuple[JointMeter, ClipScan] | None = None


@dataclass(frozen=True, eq=False)
class PlotCurve:
    """One curve: its name, the token of its colour, seconds ``(n,)`` and values ``(n,)``."""

    name: str
    token: str
    times: FloatArray
    values: FloatArray


@dataclass(frozen=True, eq=False)
class PlotCurves:
    """Curves over a clip.

    Parameters
    ----------
    of
        What they are curves of, as a screen reader says it.
    unit
        Follows every number at the left.
    limit
        What is held against it, and the value; None where nothing is.
    """

    clip: Clip
    curves: tuple[PlotCurve, ...]
    of: str
    unit: str
    limit: tuple[str, float] | None = None


@dataclass(frozen=True, eq=False)
class Bars:
    """Vertices counted by a number that they have.

    Parameters
    ----------
    places, counts
        ``(n,)`` where bars stand, one apart within a run of them, and how many vertices each counts.
    names
        Per bar what its vertices have in common.
    colours
        Per bar ``#rrggbb``, empty where it is the one for nothing.
    ticks
        Places below the bars and what is said there.
    across
        What is counted by.
    words
        What all bars come to.
    vertices
        Gives the vertices of a bar.
    """

    places: FloatArray
    counts: IntArray
    names: tuple[str, ...]
    colours: tuple[str, ...]
    ticks: tuple[tuple[float, str], ...]
    across: str
    words: str
    vertices: Callable[[int], Chosen]

    def said(self, bar: int) -> str:
        """Return what one bar counts, in words."""
        return f"{tr(count(int(self.counts[bar]), 'vertex'))}: {self.names[bar]}"


Chart = PlotCurves | Bars


@dataclass(frozen=True)
class PlotKind:
    """One row of the table: a plot by its label, and the name by which a rule asks for it."""

    label: str
    key: str

    @abstractmethod
    def missing(self, subject: PlotInput) -> str:
        """Return why there is nothing to plot, in a sentence; empty where there is."""

    @abstractmethod
    def chart(self, subject: PlotInput) -> Chart | None:
        """Return what is drawn; None where something is missing."""
