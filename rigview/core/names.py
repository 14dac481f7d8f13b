"""What the names of joints say: their words, the side they are on, and the part of a body they are.

Names are what exporters and riggers agree on least. A name falls into words at what is neither letter
nor digit, between letters and digits, before a capital that follows a small letter or begins a word of
its own, and around the Japanese left and right, its namespace left out: ``mixamorig:LeftForeArm``,
``J_Bip_L_LowerArm``, ``forearm.L``, ``DEF-forearm.L.001``, ``lowerarm_l`` and ``左ひじ`` all say the same.
Full-width letters and digits are read as the plain ones. Sides are known in more languages than parts.

The words are those of Godot's SkeletonProfileHumanoid (its class reference lists 54 bones up to 4.5, and
56 since, with the thumbs' last ones), VRM 1.0 (`VRMC_vrm`, humanoid), Unity's HumanBodyBones, Mixamo,
HumanIK, Unreal's mannequins, Biped of 3ds Max, Rigify and Auto-Rig Pro of Blender, Advanced Skeleton of
Maya, Character Creator, Daz, MakeHuman, MikuMikuDance and SMPL. `tests/core/test_names.py` has their
skeletons.
"""

import re
import unicodedata
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from rigview.core.rig import Rig

Side = Literal["left", "right"]

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[左右]|[^\W\d_a-zA-Z左右]+")
_PAIRS = (
    ("l", "r"), ("left", "right"), ("lf", "rt"), ("左", "右"), ("gauche", "droite"), ("links", "rechts"),
    ("izquierda", "derecha"), ("sinistra", "destra"),
)  # fmt: skip
# Words of sides that agree with what they are said of.
_FORMS = {
    "droit": "droite", "linke": "links", "linker": "links", "linkes": "links", "rechte": "rechts",
    "rechter": "rechts", "rechtes": "rechts", "izquierdo": "izquierda", "derecho": "derecha",
    "sinistro": "sinistra", "destro": "destra",
}  # fmt: skip
_SIDES: dict[str, Side] = {
    **{left: "left" for left, _ in _PAIRS},
    **{right: "right" for _, right in _PAIRS},
}
_OTHER = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}


@dataclass(frozen=True)
class BodyPart:
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


def _part(id_: str, words: str, whole: str = "") -> BodyPart:
    return BodyPart(id_, _words(words), _words(whole))


# In the order in which they are tried: a metacarpal is of the palm, but for the thumb's, which moves.
BODY_PARTS = (
    _part(
        "face",
        """face facial brow eyebrow lid eyelid cheek nose nostril lip lips tongue teeth forehead
        temple levator orbicularis oris risorius temporalis""",
    ),
    _part("thumb", "thumb 親指"),
    _part(
        "palm",
        "palm metacarpal carpal indexmetacarpal midmetacarpal ringmetacarpal pinkymetacarpal",
    ),
    _part(
        "finger",
        "index middle ring pinky little finger fingers 人指 人差指 人差し指 中指 薬指 小指",
        "mid",
    ),
    _part("toes", "toe toes toebase bigtoe つま先 足先", "ball"),
    _part("clavicle", "clavicle collar clav scapula 肩", "shoulder"),
    _part("upper_arm", "upperarm uparm shldr 腕"),
    _part("lower_arm", "forearm lowerarm loarm elbow ひじ 肘"),
    _part("hand", "hand wrist 手首"),
    _part("upper_leg", "thigh upperleg upleg 足"),
    _part("lower_leg", "lowerleg calf shin knee ひざ 膝"),
    _part("foot", "foot ankle 足首"),
    _part("neck", "neck 首"),
    _part("jaw", "jaw lowerjaw upperjaw あご 顎"),
    _part("eye", "eye eyes 目 両目"),
    _part("head", "head 頭"),
    _part(
        "spine",
        """spine chest torso abdomen waist upperchest stomach lowerback upperback upperbody
        上半身""",
        "back",
    ),
    _part("tail", "tail"),
    _part("hips", "hips hip pelvis lowerbody 下半身 腰"),
    _part("root", "root master グルーブ センター 全ての親", "reference cog center groove"),
)
# Word, or whole name → the place of the first part that it tells.
_BY_WORD, _BY_NAME = (
    {word: place for place, words_ in reversed([*enumerate(column)]) for word in words_}
    for column in ([one.words for one in BODY_PARTS], [one.whole for one in BODY_PARTS])
)
# A word that names a whole limb stands for its joints from the body outwards.
_LIMBS = {
    "arm": ("upper_arm", "lower_arm", "hand"),
    "leg": ("upper_leg", "lower_leg", "foot", "toes"),
}
# All words that tell a part, alone.
_TELLING = frozenset(_LIMBS).union(*(one.words | one.whole for one in BODY_PARTS))
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
    pectoral latissimus heel thightwist upperarmtwist forearmtwist hippart kneepart shoulderpart
    elbowpart 腕捩 手捩 肩p 肩c 腰キャンセル"""
)


@lru_cache(maxsize=4096)
def words(name: str) -> tuple[str, ...]:
    """Return the words of a name in lower case, its namespace left out."""
    plain = unicodedata.normalize("NFKC", name).rsplit(":", 1)[-1]
    found = (_FORMS.get(word.lower(), word.lower()) for word in _WORD.findall(plain))
    return tuple(part_ for word in found for part_ in _from_side(word))


def _from_side(word: str) -> tuple[str, ...]:
    """Part the side from what follows it without a capital, where that says a part: ``lefthand``."""
    for side_ in ("left", "right"):
        if word.startswith(side_) and word[len(side_) :] in _TELLING:
            return side_, word[len(side_) :]
    return (word,)


@lru_cache(maxsize=4096)
def side(name: str) -> Side | None:
    """Return the side that a name states; None where it states none or both."""
    sides = {_SIDES[word] for word in words(name) if word in _SIDES}
    return sides.pop() if len(sides) == 1 else None


@lru_cache(maxsize=4096)
def mirrored(name: str) -> tuple[str, ...]:
    """Return the words of a name with its side exchanged for the other."""
    return tuple(_OTHER.get(word, word) for word in words(name))


@lru_cache(maxsize=4096)
def last_side(name: str) -> tuple[tuple[str, ...], Side] | None:
    """Return what a name of several words of sides says but for the last of them, and that side.

    None where there are fewer. Rigify calls rear toes ``r_toe.L`` and ``r_toe.R``: that the last word is
    their side, the two of them tell.
    """
    given = words(name)
    places = [place for place, word in enumerate(given) if word in _SIDES]
    if len(places) < 2:
        return None
    at = places[-1]
    return (*given[:at], "", *given[at + 1 :]), _SIDES[given[at]]


@lru_cache(maxsize=4096)
def without_side(name: str) -> tuple[str, ...]:
    """Return the words of a name but for its side: the same for both joints of a pair."""
    return tuple(word for word in words(name) if word not in _SIDES)


@lru_cache(maxsize=4096)
def is_helper(given: tuple[str, ...]) -> bool:
    """Tell whether the words of a name say that the joint only helps another, marks an end or steers."""
    return not _HELPERS.isdisjoint(_said(given))


def _said(given: Sequence[str]) -> set[str]:
    """Return words, and two that follow each other as one."""
    return {*given, *(a + b for a, b in pairwise(given))}


def body_part(given: tuple[str, ...], above: Mapping[str, int]) -> str | None:
    """Return the part of a body that words name; None where they name none.

    Parameters
    ----------
    given
        The words of a name without its side.
    above
        Part → how many of the joints above it are that.
    """
    told = _part_or_limb(given)
    limb = _LIMBS.get(told or "")
    return (
        told if limb is None else limb[min(sum(above.get(id_, 0) for id_ in limb), len(limb) - 1)]
    )


@lru_cache(maxsize=4096)
def _part_or_limb(given: tuple[str, ...]) -> str | None:
    """Return the part of a body that words name, or the word of a whole limb; None where they name none."""
    telling = [word for word in given if word not in _NOISE and not word.isdecimal()]
    said = _said(telling)
    if _is_thumb_of_biped(given):
        return "thumb"
    places = [_BY_WORD[word] for word in said if word in _BY_WORD]
    places += [_BY_NAME[name] for name in ("".join(telling),) if name in _BY_NAME]
    if places:
        return BODY_PARTS[min(places)].id
    return next((word for word in _LIMBS if word in telling), None)


def _is_thumb_of_biped(given: Sequence[str]) -> bool:
    """Tell whether words are those of ``Bip001 L Finger02``: Biped counts fingers from the thumb's 0."""
    return "bip" in given and _number(given) == "0"


def is_told_by_name(name: str, part_: str) -> bool:
    """Tell whether a name alone says a part of a body; else what is above and below tells it."""
    return _part_or_limb(without_side(name)) == part_


def body_parts(rig: Rig) -> dict[int, str | None]:
    """Return joint → the part of a body that it is, parents first; helpers are left out."""
    depths = rig.nodes.depths.tolist()
    order = sorted(rig.joints, key=lambda j: (depths[j], j))
    parents = rig.joint_parents
    found: dict[int, str | None] = {}
    above: dict[int, dict[str, int]] = {-1: {}}
    below: dict[int, set[str]] = {joint: set() for joint in (-1, *order)}
    passed: dict[int, dict[str, int]] = {-1: {}}
    for joint in order:
        above[joint] = passed[joint] = passed[parents[joint]]
        given = without_side(rig.body_name(joint))
        if not is_helper(given):
            told = found[joint] = body_part(given, above[joint])
            if told is not None:
                passed[joint] = above[joint] | {told: above[joint].get(told, 0) + 1}
    for joint in reversed(order):
        told = found.get(joint)
        below[parents[joint]] |= below[joint] | ({told} if told else set())
    told_by_place = {
        joint: _by_place(rig.body_name(joint), told, above[joint], below[joint])
        for joint, told in found.items()
    }
    return told_by_place | _unsaid(rig, told_by_place)


def _by_place(
    name: str, told: str | None, above: Mapping[str, int], below: Container[str]
) -> str | None:
    """Return the part of a joint whose word means one thing or another by what is above and below.

    A shoulder under a collar, or without an upper arm below it, is the upper arm; a left hip is the
    thigh unless one is below it; a foot under an ankle is what the toes are on, and fingers of a foot
    are toes; a waist above the hips moves the whole body.
    """
    given = words(name)
    if told in ("finger", "thumb") and "foot" in above:
        return "toes"
    if told == "spine" and "hips" in below and "hips" not in above:
        return "root"
    if told == "foot" and "foot" in given and "foot" in above:
        return "toes"
    for word, part_, limb, bend in _DOUBTFUL:
        if told == part_ and word in given and side(name) is not None and limb not in below:
            return limb if bend in below or (part_ == "clavicle" and part_ in above) else told
    return told


def _unsaid(rig: Rig, known: Mapping[int, str | None]) -> dict[int, str]:
    """Return the parts of joints that only their place tells, where no name says hips, head or thumb.

    The hips are what both legs hang on. What goes on beyond both arms as spine or neck are the neck and,
    at its end, the head: Rigify counts its ``spine`` from the hips to the head. Of fingers counted from
    1 to 5 the first is the thumb (MakeHuman's).
    """
    result: dict[int, str] = {}
    legs = _branching(rig, known, "upper_leg")
    said = {part_ for joint, part_ in known.items() if side(rig.body_name(joint)) is None}
    if legs is not None and "hips" not in said and known.get(legs) in ("spine", "root", None):
        result[legs] = "hips"
    chest = _branching(rig, known, "upper_arm")
    if chest is not None and "head" not in said:
        column = _column(rig, known, chest)
        if len(column) > 1:
            result.update(dict.fromkeys(column, "neck"))
            result[column[-1]] = "head"
    if "thumb" not in known.values():
        fingers = {
            j: _number(words(rig.body_name(j))) for j, told in known.items() if told == "finger"
        }
        if set(fingers.values()) == set("12345"):
            result.update({joint: "thumb" for joint, number in fingers.items() if number == "1"})
    return result


def _number(given: Sequence[str]) -> str:
    """Return the first digit of the number that follows the word finger; empty where none does."""
    after = given[given.index("finger") + 1 :] if "finger" in given else ()
    return after[0][0] if after and after[0].isdecimal() else ""


def _branching(rig: Rig, known: Mapping[int, str | None], part_: str) -> int | None:
    """Return the joint that one left and one right limb hang on; None where there are others."""
    parents = rig.joint_parents
    tops = [j for j, told in known.items() if told == part_ and known.get(parents[j]) != part_]
    if sorted(str(side(rig.body_name(joint))) for joint in tops) != ["left", "right"]:
        return None
    paths = []
    for joint in tops:
        path = [parents[joint]]
        while path[-1] >= 0:
            path.append(parents[path[-1]])
        paths.append(path)
    common = next(joint for joint in paths[0] if joint in paths[1])
    return common if common >= 0 else None


def _column(rig: Rig, known: Mapping[int, str | None], chest: int) -> list[int]:
    """Return the joints of spine and neck that follow each other beyond the chest."""
    column = [chest]
    while True:
        further = [j for j in rig.joint_children[column[-1]] if known.get(j) in ("spine", "neck")]
        if len(further) != 1:
            return column[1:]
        column += further
