"""What a rule, a finding, a fix and a profile are. The table of rules is in `catalogue`."""

import math
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeVar, get_args

from rigview.check.deadline import TimeUp
from rigview.check.limits import Limit
from rigview.check.measures.facts import Facts, measured
from rigview.check.measures.soundness import SUM, ZERO, faulty
from rigview.core import text
from rigview.core.anatomy import Anatomy
from rigview.core.arrays import BoolArray, IntArray
from rigview.core.clip import Clip
from rigview.core.deform import Deformer
from rigview.core.rig import Part, Rig

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
# What a configuration states for information that asks for no action: reports fold it, and it never fails.
NOTE = "note"
FixClass = Literal["exact", "bounded", "shape", "none"]
ProfileName = Literal["gltf", "dqs", "thesis", "unity", "unreal", "godot", "vrm"]

_Result = TypeVar("_Result")

# Hears what is under way and the share of it done; may raise to stop.
Progress = Callable[[str, float], None]

# A report names at most this many vertices of a finding; their count is always whole.
MOST_IDS = 100


@dataclass(frozen=True)
class Profile:
    """A target that a rig is checked for; rules raise or lower their severity by its name.

    Parameters
    ----------
    illegal
        Characters that the target does not take, or exchanges, in joint names.
    sources
        Rule or key of its limit → where what the target takes is stated.
    limits
        Key of a rule's limit → the value that goes before its default.
    severities
        Rule → severity that a configuration states; it wins over the rule and the finding.
    notes
        The rules among them whose findings a configuration makes notes.
    """

    name: ProfileName
    title: str
    illegal: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)
    limits: Mapping[str, float] = field(default_factory=dict)
    severities: Mapping[str, "Severity"] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def limit(self, limit: Limit) -> float:
        """Return the value of a limit: what the studio or else the target says, else its default."""
        return self.limits.get(limit.key, limit.default)

    def is_set(self, limit: Limit) -> bool:
        """Tell whether a configuration states another value of a limit than the target does."""
        return self.limit(limit) != PROFILES[self.name].limit(limit)

    def source(self, limit: Limit) -> str:
        """Return where a limit is stated: in a configuration, for the target, or else for glTF."""
        if self.is_set(limit):
            return "The configuration sets this limit"
        return self.sources.get(limit.key) or PROFILES["gltf"].sources[limit.key]


# Formats that state what glTF does; rigs made in memory have none.
GLTF = ("glTF", "VRM", "none")
# Characters that separate the parts of a path, and so cannot stand in a name that a path holds.
_PATH = "/\\"

PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile(
            "gltf",
            "any viewer or engine that follows glTF 2.0",
            sources={
                "WGT-COUNT": "glTF 2.0 §3.7.3.1: only one set of four influences must be supported",
                "HIE-LIMIT": "glTF 2.0 §3.7.3.1: joint numbers of one byte reach 255",
            },
        ),
        Profile(
            "dqs",
            "dual quaternion skinning",
            limits={"HIE-LIMIT": 128},
            sources={
                "HIE-LIMIT": "Kavan et al. 2008: two vectors a joint; 256 vectors are what every OpenGL "
                "3.3 driver grants a vertex shader (GL_MAX_VERTEX_UNIFORM_COMPONENTS ≥ 1024)",
            },
        ),
        Profile(
            "thesis",
            "the compensation plugin of Rudenko 2020",
            sources={"WGT-COUNT": "Rudenko 2020, chapter 4: four influences, the heaviest first"},
        ),
        Profile(
            "unity",
            "Unity",
            illegal=_PATH,
            sources={
                "WGT-COUNT": "Unity manual, QualitySettings.skinWeights: four bones by default",
                "HIE-NAMES": "Unity manual: animation paths are divided by /",
            },
        ),
        Profile(
            "unreal",
            "Unreal Engine on desktop and mobile",
            limits={"WGT-COUNT": 8},
            illegal=_PATH,
            sources={
                "HIE-LIMIT": "Unreal Engine 5 documentation, Skeletal Mesh Rendering Paths: 256 bones a "
                "section unless 16-bit bone indices are switched on; the 75 bones of Unreal Engine 3's "
                "sections are gone",
                "WGT-COUNT": "Unreal Engine 5 documentation, Skeletal Mesh Rendering Paths: eight "
                "influences unless unlimited ones are switched on",
            },
        ),
        Profile(
            "godot",
            "Godot 4",
            limits={"WGT-COUNT": 8},
            illegal="/:",
            sources={
                "WGT-COUNT": "Godot 4, Mesh.ARRAY_FLAG_USE_8_BONE_WEIGHTS",
                "HIE-NAMES": "Godot 4, Skeleton3D.add_bone takes neither : nor / in names",
            },
        ),
        Profile(
            "vrm",
            "VRM 1.0 avatars",
            illegal=_PATH,
            sources={"ORI-TPOSE": "VRMC_vrm 1.0 on glTF 2.0: a T-pose that faces +Z"},
        ),
    )
}


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
    """

    kind: FixClass
    label: str = ""
    repair: Callable[[Rig], Rig] | None = None
    reason: str = ""
    on_request: bool = False


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
    """

    rule: str
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


@dataclass(frozen=True)
class Subject:
    """What a rule is given: the rig, what is known of it, and the profile it is checked for.

    What several ask for is computed once. Kept with the rig, for later runs and fixes, is what is computed
    of it (`once`) and of its facts (`Facts.of`, `Facts.of_skin`); kept as long as this run is what is
    computed of the subject (`kept`), what rules find (`found`), and what is as large as a mesh (`brief`).
    """

    facts: Facts
    profile: Profile

    @classmethod
    def of(cls, rig: Rig, profile: str | Profile = "gltf") -> "Subject":
        """Return a rig as rules, and the fixes that ask what rules do, see it under a profile."""
        return cls(measured(rig), PROFILES[profile] if isinstance(profile, str) else profile)

    @cached_property
    def brief(self) -> Facts:
        """Facts as large as a mesh: they are kept as long as this run, where `facts` outlive it."""
        return Facts(self.deformer)

    @property
    def deformer(self) -> Deformer:
        """What skins the rig."""
        return self.facts.deformer

    @property
    def rig(self) -> Rig:
        """The rig."""
        return self.deformer.rig

    @property
    def anatomy(self) -> Anatomy:
        """What the names of the joints say: sides, pairs, and the parts of a body."""
        return self.facts.anatomy

    def limit(self, limit: Limit) -> float:
        """Return the value of a limit: what the studio or else the target says, else its default."""
        return self.profile.limit(limit)

    def once(self, compute: Callable[..., _Result], *given: Hashable) -> _Result:
        """Return ``compute(rig, *given)``, computed for the first that asks, and kept with the rig."""
        return self.facts.once(compute, *given)

    def faulty(self, part: Part) -> dict[str, BoolArray]:
        """Return rule → ``(V,)`` the vertices of a part whose own influences it names."""
        return self.brief.once(faulty, part, self.limit(SUM), self.limit(ZERO))

    def kept(self, compute: "Callable[[Subject], _Result]") -> _Result:
        """Return ``compute(subject)``, computed for the first that asks, and kept as long as this run.

        Raises
        ------
        TimeUp
            If the time of a rule was up while this was computed, then or before: it is not begun again.
        """
        if compute in self._given_up:
            raise TimeUp
        if compute not in self._kept:
            try:
                self._kept[compute] = compute(self)
            except TimeUp:
                self._given_up.add(compute)
                raise
        result: _Result = self._kept[compute]
        return result

    def found(self, find: "Callable[[Subject], Iterator[Finding]]") -> tuple[Finding, ...]:
        """Return what a rule finds, whether it was asked or not."""
        if find not in self._found:
            self._found[find] = tuple(self.findings(find))
        return self._found[find]

    def findings(self, find: "Callable[[Subject], Iterator[Finding]]") -> "Iterator[Finding]":
        """Yield what a rule finds as it finds it, the worst joint named."""
        for finding in find(self):
            nameless = finding.joint is None and bool(finding.joints)
            label = self.rig.nodes.label
            yield replace(finding, joint=label(finding.joints[0])) if nameless else finding

    @cached_property
    def _kept(self) -> dict[Hashable, Any]:
        return {}

    @cached_property
    def _given_up(self) -> set[Hashable]:
        return set()

    @cached_property
    def _found(self) -> dict[Hashable, tuple[Finding, ...]]:
        return {}

    @property
    def unless_gltf(self) -> Severity | None:
        """The severity of what only the way in which glTF states things makes a fault.

        In files of other formats it is information: what will be said of a glTF made of them. The
        profile of the thesis is about a plugin of Maya, and keeps its own.
        """
        at_home = self.rig.origin.format in GLTF or self.profile.name == "thesis"
        return None if at_home else "info"

    @property
    def is_note_elsewhere(self) -> bool:
        """Whether what is information by `unless_gltf` asks for no action: the file is no glTF."""
        return self.unless_gltf is not None


# What a rule may need (`run` asks whether it is there), in words.
NEEDS = {
    "skins": "a skin",
    "bones": "a skeleton",
    "influences": "a skinned mesh",
    "clips": "a clip",
    "poses": "a clip, or a joint that can be turned",
    "pairs": "joints named left and right",
    "humanoid": "joints named like a body",
}


@dataclass(frozen=True)
class Rule:
    """One row of the table.

    Parameters
    ----------
    measures
        What is measured, in a sentence.
    fix
        The class of the fix it may offer.
    find
        Yields the findings.
    needs
        Which of `NEEDS` it needs, with spaces between: without one, the rule is listed as not evaluated.
    raised
        Profile → severity other than `severity`.
    note
        Whether its findings ask for no action where their severity is info (`Finding.note`).
    tree
        Whether it would be led astray by a hierarchy with loops.
    beside
        Rules whose faults would show here as others: what they name is left out (`left_out`).
    limits
        The numbers that decide, which `find` reads through `Subject.limit`.
    motion
        Whether it looks at how clips move the character, not at their keys alone: where a reader left
        out part of that, having found nothing says nothing.
    whole
        Whether part of the character that a reader left out could belie what it finds.
    plot
        The channel's path, the figure (`core.quantities`), or "turn": whose curve over the clip shows it.
    overlays
        What is to be drawn beside the meshes to see it (`render.look.Overlays`).
    """

    id: str
    title: str
    measures: str
    severity: Severity
    fix: FixClass
    find: Callable[[Subject], Iterator[Finding]]
    needs: str = ""
    raised: dict[str, Severity] = field(default_factory=dict)
    note: bool = False
    tree: bool = False
    beside: tuple[str, ...] = ()
    limits: tuple[Limit, ...] = ()
    motion: bool = False
    whole: bool = False
    plot: str = ""
    overlays: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        strangers = [limit.key for limit in self.limits if limit.rule != self.id]
        if strangers:
            raise ValueError(f"limits: {', '.join(strangers)} in the row of {self.id}")
        stated = (
            ("needs", self.needs.split(), NEEDS),
            ("severity", (self.severity, *self.raised.values()), SEVERITIES),
            ("fix", (self.fix,), get_args(FixClass)),
        )
        for field_, words, known in stated:
            unknown = [word for word in words if word not in known]
            if unknown:
                raise ValueError(f"{field_}: {', '.join(unknown)}; there are {', '.join(known)}")

    def severity_for(self, profile: Profile) -> Severity:
        """Return the severity under a profile."""
        return self.raised.get(profile.name, self.severity)


def vertices_of(part: Part, numbers: IntArray) -> Vertices:
    """Return vertices of one part as a finding holds them."""
    return Vertices(part, len(numbers), tuple(numbers.tolist()))


# How rules put numbers into words.
count, verb = text.count, text.verb


def as_angle(cosine: float) -> float:
    """Return the angle in degrees, 0 to 180, of which a measured cosine is."""
    return math.degrees(math.acos(min(1.0, max(-1.0, cosine))))


# Metres that are not worth a word.
_NEXT_TO_NOTHING = 1e-6


def turned_and_moved(radians: float, metres: float) -> str:
    """Return "10.0° and 0.3 m", without the one of the two that is next to nothing."""
    turned, moved = f"{math.degrees(radians):.1f}°", f"{metres:.3g} m"
    said = [turned] if turned != "0.0°" else []
    if metres >= _NEXT_TO_NOTHING:
        said.append(moved)
    return " and ".join(said or [turned])


# Units that are things to be counted.
COUNTED = frozenset({"mesh", "joint", "matrix", "vertex", "key", "channel", "triangle"})


# A measured value, what it is held against, and the unit of both.
Measure = tuple[float, float, str]


def first_beyond(*measures: Measure) -> Measure:
    """Return the first of a finding's measures that is beyond its limit, which is the one to tell."""
    return next((m for m in measures if m[0] > m[1]), measures[0])
