"""What rigs are checked for: severities, and the targets with their limits and where these are stated."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from rigview.check.limits import Limit
from rigview.core.brief import brief_repr
from rigview.core.errors import UnknownName
from rigview.core.motion.arm_pose import RestPose
from rigview.core.sentence import Sentence
from rigview.core.templates.template import Template
from rigview.core.text import unknown_name

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
# What a configuration states for information that asks for no action: reports fold it, and it never fails.
NOTE = "note"
ProfileName = Literal["gltf", "dqs", "thesis", "unity", "unreal", "godot", "vrm"]


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
    template
        The skeleton that rigs are held to; None asks none of its rules.
    rest_pose
        The pose that the arms are to rest in; None where it is a choice.
    """

    __repr__ = brief_repr

    name: ProfileName
    title: str
    illegal: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)
    limits: Mapping[str, float] = field(default_factory=dict)
    severities: Mapping[str, "Severity"] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    template: Template | None = None
    rest_pose: RestPose | None = None

    def limit(self, limit: Limit) -> float:
        """Return the value of a limit: what the studio or else the target says, else its default."""
        return self.limits.get(limit.key, limit.default)

    def is_set(self, limit: Limit) -> bool:
        """Tell whether a configuration states another value of a limit than the target does."""
        return self.limit(limit) != PROFILES[self.name].limit(limit)

    def source(self, limit: Limit) -> str:
        """Return where a limit is stated: in a configuration, for the target, or else for glTF."""
        if self.is_set(limit):
            return Sentence("The configuration sets this limit")
        return Sentence(self.sources.get(limit.key) or PROFILES["gltf"].sources[limit.key])


# What targets state limits of, or say why.
COUNT = Limit("WGT-COUNT", 4, "joint", "joints that move a vertex", whole=True, lowest=1)
JOINTS = Limit("HIE-LIMIT", 256, "joint", "joints of a skin", whole=True, lowest=1)
NAMES, ARMS_OUT = "HIE-NAMES", "ORI-TPOSE"

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
                COUNT.key: "glTF 2.0 §3.7.3.1: only one set of four influences must be supported",
                JOINTS.key: "glTF 2.0 §3.7.3.1: joint numbers of one byte reach 255",
            },
        ),
        Profile(
            "dqs",
            "dual quaternion skinning",
            limits={JOINTS.key: 128},
            sources={
                JOINTS.key: "Kavan et al. 2008: two vectors a joint; 256 vectors are what every OpenGL "
                "3.3 driver grants a vertex shader (GL_MAX_VERTEX_UNIFORM_COMPONENTS ≥ 1024)",
            },
        ),
        Profile(
            "thesis",
            "the compensation plugin of Rudenko 2020",
            sources={COUNT.key: "Rudenko 2020, chapter 4: four influences, the heaviest first"},
        ),
        Profile(
            "unity",
            "Unity",
            illegal=_PATH,
            sources={
                COUNT.key: "Unity manual, QualitySettings.skinWeights: four bones by default",
                NAMES: "Unity manual: animation paths are divided by /",
            },
        ),
        Profile(
            "unreal",
            "Unreal Engine on desktop and mobile",
            limits={COUNT.key: 8},
            illegal=_PATH,
            sources={
                JOINTS.key: "Unreal Engine 5 documentation, Skeletal Mesh Rendering Paths: 256 bones a "
                "section unless 16-bit bone indices are switched on; the 75 bones of Unreal Engine 3's "
                "sections are gone",
                COUNT.key: "Unreal Engine 5 documentation, Skeletal Mesh Rendering Paths: eight "
                "influences unless unlimited ones are switched on",
            },
        ),
        Profile(
            "godot",
            "Godot 4",
            limits={COUNT.key: 8},
            illegal="/:",
            sources={
                COUNT.key: "Godot 4, Mesh.ARRAY_FLAG_USE_8_BONE_WEIGHTS",
                NAMES: "Godot 4, Skeleton3D.add_bone takes neither : nor / in names",
            },
        ),
        Profile(
            "vrm",
            "VRM 1.0 avatars",
            illegal=_PATH,
            sources={
                ARMS_OUT: "VRMC_vrm 1.0, tpose.md, definition 1.4: arms along X and level with the "
                "ground"
            },
            rest_pose="T",
        ),
    )
}


def named_profile(name: str) -> Profile:
    """Return a profile by its name.

    Raises
    ------
    UnknownName
        If there is none.
    """
    if name not in PROFILES:
        raise UnknownName(unknown_name("profile", name, PROFILES))
    return PROFILES[name]
