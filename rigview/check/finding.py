"""What a rule finds, where it is, and what can be done about it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from rigview.check.profiles import Severity
from rigview.core.arrays import IntArray
from rigview.core.brief import brief_repr
from rigview.core.clip import Clip
from rigview.core.rig import Part, Rig

FixClass = Literal["exact", "bounded", "shape", "none"]

# A report names at most this many vertices of a finding; their count is always whole.
MOST_IDS = 100


@dataclass(frozen=True)
class Fix:
    """What can be done about a finding.

    Parameters
    ----------
    kind
        "exact" moves nothing in any clip; "bounded" and "shape" change the shape; "none" is no fix.
    label
        What it does, as an undo step reads: "Re-orient 4 joints".
    repair
        Rig → Rig. It finds its objects anew, so fixes can follow each other in any order.
    reason
        With "none": why no automatic fix is right.
    on_request
        Exact, but a matter of taste: "fix all exact" leaves it out.
    reposes
        Whether it changes the rest pose on purpose: what it moves is measured in the clips alone.
    """

    __repr__ = brief_repr

    kind: FixClass
    label: str = ""
    repair: Callable[[Rig], Rig] | None = None
    reason: str = ""
    on_request: bool = False
    reposes: bool = False


class Refused(Exception):  # noqa: N818 - a fix that declines is no error
    """A change that would not be exact; the message says why."""


def offer(
    rig: Rig,
    kind: FixClass,
    label: str,
    repair: Callable[[Rig], Rig],
    *,
    on_request: bool = False,
    trial: Callable[[Rig], object] | None = None,
) -> Fix:
    """Return the fix if it can be applied to this rig, else why not.

    To know, it is applied: a fix that never refuses is stated as a `Fix` at once.

    Parameters
    ----------
    trial
        Refuses what the repair refuses, at less cost.
    """
    try:
        (trial or repair)(rig)
    except Refused as refusal:
        return Fix("none", reason=str(refusal))
    return Fix(kind, label, repair, on_request=on_request)


@dataclass(frozen=True)
class Vertices:
    """Vertices of one part: how many, and their numbers; reports list the first `MOST_IDS`."""

    __repr__ = brief_repr

    part: Part
    count: int
    ids: tuple[int, ...]


@dataclass(frozen=True)
class Place:
    """One of several objects that a finding is about.

    Parameters
    ----------
    object
        Its name, as a finding about it alone would state it.
    """

    object: str
    value: float | None = None
    vertices: Vertices | None = None


@dataclass(frozen=True)
class Advice:
    """One thing that was measured to help a joint, in the pose of a finding.

    Parameters
    ----------
    words
        What to do: "use DQS".
    method
        The skinning method that is looked at then (`core.skinning.ASKED`).
    value
        Of the finding's measure.
    by_fix
        Whether it is what the finding's fix does.
    """

    words: str
    method: str
    value: float
    by_fix: bool = False


@dataclass(frozen=True)
class Finding:
    """One result of one rule: measured value against limit.

    It is about one object, or about several that one cause shows in; then it describes the worst.

    Parameters
    ----------
    key
        Tells findings of one rule apart: the object's number.
    severity
        None takes the rule's severity under the profile.
    joint
        The name of the worst joint; that of the first of `joints` where a rule states none.
    joints
        The nodes concerned, the worst first.
    failure
        Whether it says that the rule itself does not work: always an error, whatever a studio sets.
    places
        All objects of a finding about several, in the order of the rig; empty for one.
    note
        Whether it asks for no action where its severity is info; reports fold such findings.
    measure
        What was measured about its joints (`core.measures.joint_measures.MEASURES`), which heat shows.
    under
        The skinning method that `value` was measured under (`core.skinning.ASKED`); empty for other rules.
    advice
        What was measured to help, first what is advised first.
    motion
        The range of motion that `time` is of, where the pose is in no clip of the file.
    rule
        The id of its rule, which the rule itself writes into it (`Rule.findings`).
    """

    __repr__ = brief_repr

    key: int
    message: str
    object: str
    value: float | None = None
    limit: float | None = None
    unit: str = ""
    joint: str | None = None
    joints: tuple[int, ...] = ()
    clip: str | None = None
    time: float | None = None
    vertices: Vertices | None = None
    severity: Severity | None = None
    explanation: str = ""
    fix: Fix = field(default_factory=lambda: Fix("none"))
    failure: bool = False
    places: tuple[Place, ...] = ()
    note: bool = False
    measure: str = ""
    under: str = ""
    advice: tuple[Advice, ...] = ()
    motion: Clip | None = None
    rule: str = ""

    @property
    def method(self) -> str:
        """The skinning method that its numbers advise; empty for none."""
        return next((one.method for one in self.advice if not one.by_fix), "")

    def pose_clip(self, rig: Rig) -> Clip | None:
        """Return the clip that `time` is of: the range of motion, or the rig's of that name."""
        if self.motion is not None:
            return self.motion
        return next((clip for clip in rig.clips if clip.name == self.clip), None)

    def is_in(self, clip: Clip) -> bool:
        """Return whether it is about a clip of the file."""
        return self.motion is None and self.clip == clip.name

    @property
    def objects(self) -> tuple[str, ...]:
        """The names of all objects concerned, in the order of the rig."""
        return tuple(place.object for place in self.places) or (self.object,)

    @property
    def all_vertices(self) -> tuple[Vertices, ...]:
        """The vertices concerned, per primitive that has any."""
        own = (self.vertices,) if not self.places else (place.vertices for place in self.places)
        return tuple(vertices for vertices in own if vertices is not None)


def vertices_of(part: Part, numbers: IntArray) -> Vertices:
    """Return vertices of one part as a finding holds them."""
    return Vertices(part, len(numbers), tuple(numbers.tolist()))
