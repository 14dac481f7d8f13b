"""Rename the joints of a rig from one standard to another, by the templates of both."""

from dataclasses import dataclass

from rigview.check.rig_edits.rename import renamed
from rigview.check.rule import Refused
from rigview.check.template_files import named_template
from rigview.core.deform import Deformer
from rigview.core.errors import RigviewError
from rigview.core.motion.body_bones import bones_of
from rigview.core.rig import Rig
from rigview.core.templates.fitting import Fit
from rigview.core.templates.template import Template
from rigview.core.text import count, verb

# What the names are called that are told by the parts of a body.
AUTO = "auto"
_ARROWS = ("->", "→")


class RenameError(RigviewError):
    """A renaming that cannot be made, in one sentence."""


@dataclass(frozen=True, eq=False)
class Renaming:
    """A rig whose joints have other names.

    Parameters
    ----------
    names
        The old and the new name of each joint that got another one.
    kept
        Joints that keep their names, since the standard has none for them.
    """

    rig: Rig
    names: tuple[tuple[str, str], ...]
    kept: tuple[str, ...]


def renamed_as(rig: Rig, wanted: str) -> Renaming:
    """Rename joints as ``mixamo->unreal`` says; skins, curves and VRM's bones follow, nothing moves.

    A joint gets the name that the second template has for the bone of a human body that it is: by its
    name in the first template, or with ``auto`` by what its name and its place in the tree tell.

    Raises
    ------
    RenameError
        If the words mean nothing, no joint is one of the first template, or two nodes would have one name.
    UnknownName, TemplateError
        If there is no such template.
    """
    start, end = _parsed(wanted)
    target = named_template(end)
    bones = _bones(rig, start)
    labels = rig.nodes.label
    new = {
        joint: target.by_bone[bone].name
        for joint, bone in bones.items()
        if bone in target.by_bone and rig.nodes.names[joint] != target.by_bone[bone].name
    }
    try:
        result = renamed(rig, new)
    except Refused as refusal:
        raise RenameError(f"--rename {wanted}: {refusal}; nothing was renamed") from None
    told = {joint for joint, bone in bones.items() if bone in target.by_bone}
    return Renaming(
        result,
        tuple((labels(joint), name) for joint, name in new.items()),
        tuple(labels(joint) for joint in rig.joints if joint not in told),
    )


def _parsed(wanted: str) -> tuple[str, str]:
    for arrow in _ARROWS:
        start, found, end = (part.strip() for part in wanted.partition(arrow))
        if found and start and end:
            return start, end
    raise RenameError(
        f"--rename {wanted}: write FROM->TO in quotes, as in 'mixamo->unreal' or 'auto->vrm'"
    )


def _bones(rig: Rig, start: str) -> dict[int, str]:
    """Return joint → the bone of a human body that it is, by a template's names or by what names tell."""
    if start == AUTO:
        bones = bones_of(rig)
        if not bones:
            raise RenameError("no joint is a part of a human body, by its name and its place")
        return bones
    template = named_template(start)
    fit = Fit.of(Deformer(rig), template)
    found = {
        joint: own.bone
        for joint, own in fit.joints.items()
        if own.bone and fit.how[joint] in ("name", "namespace")
    }
    required = [joint for joint in template.joints if joint.required and joint.bone]
    there = sum(joint.bone in found.values() for joint in required)
    if 2 * there < len(required):
        raise RenameError(_not_of(template, there, len(required)))
    return found


def _not_of(template: Template, there: int, required: int) -> str:
    """Return what is said of a rig that has few of a template's names: a word such as head is in many."""
    return (
        f"{there} of {count(required, 'joint')} that {template.name} requires {verb(there, 'is', 'are')} "
        "there by name; 'auto->…' goes by the parts of the body"
    )
