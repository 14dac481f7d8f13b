"""What is wrong with a map of joints, or missing in it, in sentences."""

from collections.abc import Iterator, Sequence

from rigview.core.anatomy import Anatomy
from rigview.core.clip import Clip
from rigview.core.motion.joint_mapping import CHAINS, JointMapping
from rigview.core.names import is_told_by_name
from rigview.core.rig import Rig
from rigview.core.text import count, some_of

# Joints that a sentence names.
_MOST_NAMED = 4


def mapping_faults(
    motion: Rig, character: Rig, mapping: JointMapping, clips: Sequence[Clip]
) -> list[str]:
    """Return what is wrong with a map, each in a sentence: the gravest first.

    Parameters
    ----------
    clips
        Of the motion: those that are to be played.
    """
    found = [*_crossed_sides(motion, character, mapping), *_upside_down(motion, character, mapping)]
    return [*found, *_shared(motion, character, mapping), *_unmapped(motion, mapping, clips)]


def _crossed_sides(motion: Rig, character: Rig, mapping: JointMapping) -> Iterator[str]:
    sides, own = Anatomy(motion).sides, Anatomy(character).sides
    for joint, match in mapping.matches.items():
        here, there = own.get(joint), sides.get(match.source)
        if here is not None and there is not None and here != there:
            names = character.nodes.label(joint), motion.nodes.label(match.source)
            yield f"{names[0]} is on the {here}, and {names[1]} on the {there}."


def _upside_down(motion: Rig, character: Rig, mapping: JointMapping) -> Iterator[str]:
    """Tell of joints whose counterpart is above that of the joint above them."""
    for joint, match in mapping.matches.items():
        above = next((n for n in character.nodes.ancestors(joint) if n in mapping.matches), None)
        if above is None:
            continue
        source = mapping.matches[above].source
        if source != match.source and motion.nodes.is_ancestor(match.source, source):
            names = [character.nodes.label(node) for node in (joint, above)]
            others = [motion.nodes.label(node) for node in (match.source, source)]
            yield f"{names[0]} is below {names[1]}, but {others[0]} is above {others[1]}."


def _shared(motion: Rig, character: Rig, mapping: JointMapping) -> Iterator[str]:
    turned: dict[int, list[int]] = {}
    for joint, match in mapping.matches.items():
        if match.beyond is None:
            turned.setdefault(match.source, []).append(joint)
    for source, joints in turned.items():
        if len(joints) > 1 and not _is_chain(mapping, joints):
            names = some_of([character.nodes.label(joint) for joint in joints], _MOST_NAMED)
            many = count(len(joints), "joint")
            yield f"{motion.nodes.label(source)} turns {many}: {names}."


def _is_chain(mapping: JointMapping, joints: Sequence[int]) -> bool:
    """Return whether joints are one chain of a part, of which the motion has a single joint."""
    parts = {mapping.parts.get(joint) for joint in joints}
    return len(parts) == 1 and parts <= CHAINS


def _unmapped(motion: Rig, mapping: JointMapping, clips: Sequence[Clip]) -> Iterator[str]:
    turned = {own.node for clip in clips for own in clip.active if own.path == "rotation"}
    left = sorted(turned - mapping.sources())
    if left:
        names = some_of([motion.nodes.label(node) for node in left], _MOST_NAMED)
        verb = "turns" if len(left) == 1 else "turn"
        yield f"{count(len(left), 'joint')} of the motion {verb} nothing here: {names}."


def told_by(character: Rig, mapping: JointMapping, joint: int) -> tuple[str, str]:
    """Return the part of a body that a joint is, and what tells its counterpart.

    The part is empty where none is known; the second is "name" or "place" of the joint for its part, "same
    name" where the two joints are called the same, "by hand" where somebody chose, and empty without any.
    """
    part = mapping.parts.get(joint) or ""
    match = mapping.matches.get(joint)
    if match is None:
        return part.replace("_", " "), ""
    if match.how == "name":
        return part.replace("_", " "), "same name"
    if match.how == "map":
        return part.replace("_", " "), "by hand"
    by_name = is_told_by_name(character.body_name(joint), part)
    return part.replace("_", " "), "name" if by_name else "place"
