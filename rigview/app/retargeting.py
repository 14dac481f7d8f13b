"""Play the clips of one file on the character of another."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rigview.core.deform import Deformer
from rigview.core.motion.joint_mapping import JointMapping, propose
from rigview.core.motion.retarget import PLAIN, Retargeted, RetargetOptions, retarget
from rigview.core.rig import Rig
from rigview.io.joint_map import read_joint_map


@dataclass(frozen=True, eq=False)
class Retargeting:
    """Clips played on another character, and the map of joints by which they are.

    Parameters
    ----------
    mapping
        Joints of the character → their counterparts in the motion.
    made
        The character with the clips, and how far each joint is from its counterpart.
    """

    motion: Rig
    mapping: JointMapping
    made: Retargeted


def retarget_clips(
    motion: Rig,
    character: Rig,
    clips: Sequence[str | int] = (),
    joint_map: Path | JointMapping | None = None,
    progress: Callable[[float], None] | None = None,
    options: RetargetOptions = PLAIN,
) -> Retargeting:
    """Play clips of a motion on a character.

    Parameters
    ----------
    clips
        Names or numbers of the motion's clips; none for all.
    joint_map
        A map of joints, or a file of one (`read_joint_map`); None for what the names of joints tell.

    Raises
    ------
    RetargetError
        If the motion does not suit the character.
    MapError
        If the file of joints cannot be used.
    UnknownName
        If the motion has no such clip.
    """
    chosen = [motion.clip(one) for one in clips] or None
    if joint_map is None:
        mapping = propose(motion, character)
    elif isinstance(joint_map, JointMapping):
        mapping = joint_map
    else:
        mapping = read_joint_map(joint_map, motion, character)
    made = retarget(Deformer(motion), Deformer(character), mapping, chosen, progress, options)
    return Retargeting(motion, mapping, made)
