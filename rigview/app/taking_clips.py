"""Take the clips of another file: by the names of joints where that suits, else retargeted."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from rigview.app.retargeting import Retargeting, retarget_clips
from rigview.app.sessions import recipes_of
from rigview.core.clip import Clip
from rigview.core.motion.clips_by_name import Borrowed, borrow_clips
from rigview.core.motion.retarget import RetargetError
from rigview.core.rig import Rig
from rigview.render.session import Recipe


@dataclass(frozen=True, eq=False)
class TakenClips:
    """A rig with the clips of another file.

    Parameters
    ----------
    clips
        The new clips, which are also the last of the rig's.
    recipes
        What each is called → how it was made.
    borrowed, retargeting
        By which of the two they were taken; the other is None.
    refusal
        Why they were not retargeted where names do not suit; empty where that was not tried, or done.
        Without clips, none was taken.
    """

    rig: Rig
    clips: tuple[Clip, ...]
    recipes: dict[str, Recipe] = field(default_factory=dict)
    borrowed: Borrowed | None = None
    retargeting: Retargeting | None = None
    refusal: str = ""


def take_clips(rig: Rig, other: Rig, path: Path) -> TakenClips:
    """Add all clips of another file to a rig.

    Joints of one name take over local transforms as they are, which keeps a motion exact within one
    skeleton. Where most of the joints that move have no namesake, or the rigs rest so differently that
    limbs would point elsewhere, the motion is retargeted; where that is refused, names decide, unless limbs
    would point elsewhere.

    Parameters
    ----------
    path
        The other file.
    """
    borrowed = borrow_clips(rig, other)
    by_name = _taken_by_name(rig, other, path, borrowed)
    if _suits(borrowed):
        return by_name
    try:
        done = retarget_clips(other, rig)
    except RetargetError as error:
        if borrowed.complaint:
            return TakenClips(rig, (), refusal=f"{borrowed.complaint}; {error}")
        return replace(by_name, refusal=str(error))
    made = done.made
    names = made.rig.clip_names[len(rig.clips) :]
    recipes = recipes_of(path, other, names, "retargeted")
    return TakenClips(made.rig, made.clips, recipes, retargeting=done)


def _taken_by_name(rig: Rig, other: Rig, path: Path, borrowed: Borrowed) -> TakenClips:
    names = borrowed.rig.clip_names[len(rig.clips) :]
    return TakenClips(borrowed.rig, borrowed.clips, recipes_of(path, other, names), borrowed)


def _suits(borrowed: Borrowed) -> bool:
    """Tell whether names are enough: most joints have a namesake, and limbs go where they belong."""
    moves = any(clip.channels for clip in borrowed.clips)
    return moves and not borrowed.complaint and 2 * len(borrowed.unmatched) <= borrowed.moved
