"""What the names of joints say: their words, the side they are on, and the part of a body they are.

Names are what exporters and riggers agree on least. A name falls into words at what is neither letter
nor digit, between letters and digits, and before a capital that follows a small letter or begins a word
of its own, its namespace left out: ``mixamorig:LeftForeArm``, ``J_Bip_L_LowerArm``, ``forearm.L``,
``DEF-forearm.L.001`` and ``lowerarm_l`` all say the same.

The words are those of Godot's SkeletonProfileHumanoid (its class reference lists 54 bones up to 4.5, and
56 since, with the thumbs' last ones), VRM 1.0 (`VRMC_vrm`, humanoid), Unity's HumanBodyBones, Mixamo,
Unreal's mannequins, Biped of 3ds Max, Rigify of Blender, Character Creator, Daz and SMPL.
`tests/core/test_names.py` has their skeletons.
"""

import re
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from rigview.core.rig import Rig

Side = Literal["left", "right"]

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SIDES: dict[str, Side] = {"l": "left", "left": "left", "r": "right", "right": "right"}
_OTHER = {"l": "r", "r": "l", "left": "right", "right": "left"}


@dataclass(frozen=True)
class Part:
    """A part of a body, or a kind of parts.

    Parameters
    ----------
    words
        Words of which one names it, also as two that follow each other ("upper arm").
    whole
        What names it only if the name says nothing else.
    """

    id: str
    words: frozenset[str]
    whole: frozenset[str] = frozenset()


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _part(id_: str, words: str, whole: str = "") -> Part:
    return Part(id_, _words(words), _words(whole))


# In the order in which they are tried: a metacarpal is of the palm, but for the thumb's, which moves.
PARTS = (
    _part("thumb", "thumb"),
    _part("palm", "palm metacarpal"),
    _part("finger", "index middle ring pinky little finger fingers", "mid"),
    _part("toes", "toe toes toebase ball"),
    _part("clavicle", "clavicle collar clav", "shoulder"),
    _part("upper_arm", "upperarm uparm shldr"),
    _part("lower_arm", "forearm lowerarm elbow"),
    _part("hand", "hand wrist"),
    _part("upper_leg", "thigh upperleg upleg"),
    _part("lower_leg", "lowerleg calf shin knee"),
    _part("foot", "foot ankle"),
    _part("neck", "neck"),
    _part("jaw", "jaw"),
    _part("eye", "eye eyes"),
    _part("head", "head"),
    _part(
        "spine", "spine chest torso abdomen waist upperchest stomach lowerback upperback", "back"
    ),
    _part("root", "root master"),
    _part("hips", "hips hip pelvis"),
)
# A word that names a whole limb stands for its joints from the body outwards.
_LIMBS = {
    "arm": ("upper_arm", "lower_arm", "hand"),
    "leg": ("upper_leg", "lower_leg", "foot", "toes"),
}
# Words of joints that mean the part named or the limb below it, as what bends below tells.
_DOUBTFUL = (
    ("shoulder", "clavicle", "upper_arm", "lower_arm"),
    ("hip", "hips", "upper_leg", "lower_leg"),
)
# Words that say nothing of a joint …
_NOISE = _words(
    """j b c m bip def org bone joint jnt bind bend skeleton armature mixamorig valve biped
    character rig adj sec cc base"""
)
# … and words of joints that only help another one, mark an end, or steer.
_HELPERS = _words(
    """twist roll ik fk pole end tip leaf nub target control ctrl orient helper slot handslot weapon
    prop offset driver mch corrective cor dyn in out bck fwd inner outer bicep tricep scap pec
    latissimus"""
)


@lru_cache(maxsize=4096)
def words(name: str) -> tuple[str, ...]:
    """Return the words of a name in lower case, its namespace left out."""
    return tuple(word.lower() for word in _WORD.findall(name.rsplit(":", 1)[-1]))


def side(name: str) -> Side | None:
    """Return the side that a name states; None where it states none or both."""
    sides = {_SIDES[word] for word in words(name) if word in _SIDES}
    return sides.pop() if len(sides) == 1 else None


def mirrored(name: str) -> tuple[str, ...]:
    """Return the words of a name with its side exchanged for the other."""
    return tuple(_OTHER.get(word, word) for word in words(name))


def without_side(name: str) -> tuple[str, ...]:
    """Return the words of a name but for its side: the same for both joints of a pair."""
    return tuple(word for word in words(name) if word not in _SIDES)


def is_helper(given: Sequence[str]) -> bool:
    """Tell whether the words of a name say that the joint only helps another, marks an end or steers."""
    return not _HELPERS.isdisjoint(given)


def part(given: Sequence[str], above: Mapping[str, int]) -> str | None:
    """Return the part of a body that words name; None where they name none.

    Parameters
    ----------
    given
        The words of a name without its side.
    above
        Part → how many of the joints above it are that.
    """
    telling = [word for word in given if word not in _NOISE and not word.isdecimal()]
    said = {*telling, *(a + b for a, b in pairwise(telling))}
    if _is_thumb_of_biped(given):
        return "thumb"
    for one in PARTS:
        if one.words & said or "".join(telling) in one.whole:
            return one.id
    for word, limb in _LIMBS.items():
        if word in telling:
            place = sum(above.get(id_, 0) for id_ in limb)
            return limb[min(place, len(limb) - 1)]
    return None


def _is_thumb_of_biped(given: Sequence[str]) -> bool:
    """Tell whether words are those of ``Bip001 L Finger02``: Biped counts fingers from the thumb's 0."""
    if "bip" not in given or "finger" not in given:
        return False
    number = given[given.index("finger") + 1 :]
    return bool(number) and number[0].startswith("0")


def parts(rig: Rig) -> dict[int, str | None]:
    """Return joint → the part of a body that it is, parents first; helpers are left out."""
    order = sorted(rig.joints, key=lambda j: (int(rig.nodes.depths[j]), j))
    parents = rig.joint_parents
    found: dict[int, str | None] = {}
    above: dict[int, Counter[str]] = {-1: Counter()}
    below: dict[int, set[str]] = {joint: set() for joint in (-1, *order)}
    passed: dict[int, Counter[str]] = {-1: Counter()}
    for joint in order:
        above[joint] = passed[joint] = passed[parents[joint]]
        given = without_side(rig.body_name(joint))
        if not is_helper(given):
            told = found[joint] = part(given, above[joint])
            if told is not None:
                passed[joint] = above[joint] + Counter([told])
    for joint in reversed(order):
        told = found.get(joint)
        below[parents[joint]] |= below[joint] | ({told} if told else set())
    return {
        joint: _by_place(rig.body_name(joint), told, above[joint], below[joint])
        for joint, told in found.items()
    }


def _by_place(
    name: str, told: str | None, above: Mapping[str, int], below: Container[str]
) -> str | None:
    """Return the part of a joint whose word means one thing or another by what is above and below.

    A shoulder under a collar, or without an upper arm below it, is the upper arm; a left hip is the
    thigh unless one is below it; a foot under an ankle is what the toes are on.
    """
    given = words(name)
    if told == "foot" and "foot" in given and "foot" in above:
        return "toes"
    for word, part_, limb, bend in _DOUBTFUL:
        if told == part_ and word in given and side(name) is not None and limb not in below:
            return limb if bend in below or (part_ == "clavicle" and part_ in above) else told
    return told
