"""What a template asks of a skeleton: its joints, how far they may be off, what else may be there."""

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property

from rigview.core.brief import brief_repr

Triple = tuple[float, float, float]
Quadruple = tuple[float, float, float, float]


@dataclass(frozen=True)
class TemplateJoint:
    """One joint that a template asks for.

    Parameters
    ----------
    parent
        The name of the template's joint above it; empty for none.
    bone
        Which bone of a human body it is (`core.motion.body_bones`); empty where that is open.
    required
        Whether a skeleton without it is at fault.
    place
        Where it is, in heights of the skeleton, +Y up, facing +Z; None where that is open.
    rotation
        ``(x, y, z, w)``, how its axes lie in the same space; None where that is open.
    degrees, distance
        How far it may be off, where that is not what the template says of all.
    """

    name: str
    parent: str = ""
    bone: str = ""
    required: bool = True
    place: Triple | None = None
    rotation: Quadruple | None = None
    degrees: float | None = None
    distance: float | None = None


@dataclass(frozen=True)
class Budget:
    """The most that a rig may have of something; None sets no limit.

    Parameters
    ----------
    joints
        Of the rig.
    influences
        Of a vertex.
    vertices, morphs
        Of all meshes that the scene shows, and of the mesh with most of them.
    """

    joints: int | None = None
    influences: int | None = None
    vertices: int | None = None
    morphs: int | None = None


@dataclass(frozen=True)
class Template:
    """What a skeleton is held to.

    Parameters
    ----------
    name
        What it is called: that of the file, without its suffixes.
    source, date
        Where its facts come from, and when they were looked up.
    unverified
        What could not be verified, in sentences.
    extras
        Patterns of names that further joints may have (``*_twist_*``).
    named
        Whether joints have to have the template's names; else they only tell which joint is which.
    ordered
        Whether the joints have to be listed in the template's order.
    degrees, distance
        How far the axes of a joint may be turned away, and how far a joint may be from its place, in
        heights of the skeleton; None does not ask.
    """

    __repr__ = brief_repr

    name: str
    joints: tuple[TemplateJoint, ...]
    title: str = ""
    source: str = ""
    date: str = ""
    unverified: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()
    named: bool = True
    ordered: bool = False
    degrees: float | None = None
    distance: float | None = None
    budget: Budget = field(default_factory=Budget)

    @cached_property
    def by_name(self) -> dict[str, TemplateJoint]:
        """Name → joint."""
        return {joint.name: joint for joint in self.joints}

    @cached_property
    def by_bone(self) -> dict[str, TemplateJoint]:
        """Bone of a human body → joint."""
        return {joint.bone: joint for joint in self.joints if joint.bone}

    def above(self, joint: TemplateJoint) -> tuple[TemplateJoint, ...]:
        """Return the joints above one, the nearest first."""
        result: list[TemplateJoint] = []
        while joint.parent:
            joint = self.by_name[joint.parent]
            result.append(joint)
        return tuple(result)

    def below(self, joint: TemplateJoint) -> tuple[TemplateJoint, ...]:
        """Return the joints right below one."""
        return self._children.get(joint.name, ())

    @cached_property
    def _children(self) -> dict[str, tuple[TemplateJoint, ...]]:
        children: dict[str, list[TemplateJoint]] = {}
        for joint in self.joints:
            children.setdefault(joint.parent, []).append(joint)
        return {name: tuple(joints) for name, joints in children.items()}

    def allows(self, name: str) -> bool:
        """Return whether a joint that the template does not name may be there."""
        return any(fnmatchcase(name, pattern) for pattern in self.extras)


def loop_in(joints: tuple[TemplateJoint, ...]) -> str:
    """Return the name of a joint that hangs below itself; empty for none."""
    parents = {joint.name: joint.parent for joint in joints}
    for name, parent in parents.items():
        passed, above = {name}, parent
        while above:
            if above in passed:
                return name
            passed.add(above)
            above = parents.get(above, "")
    return ""
