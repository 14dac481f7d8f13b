"""Which joints of a motion turn which joints of a character: proposed by body part and name, editable."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rigview.core.anatomy import Anatomy
from rigview.core.names import body_parts, side, words
from rigview.core.rig import Rig

How = Literal["part", "name", "map"]

# Parts that are chains: as many joints as the rigger likes, so that shares of the way count, not numbers.
CHAINS = frozenset({"spine", "neck", "finger", "thumb", "toes", "tail"})
# Parts whose joints are matched by name alone: no two faces have the same joints.
_BY_NAME = frozenset({"face", "eye", "jaw"})
# Above this share of equal names the two rigs have one skeleton, and names go before parts.
_ONE_SKELETON = 0.8
_FINGERS = {
    "thumb": "thumb", "index": "index", "middle": "middle", "mid": "middle", "ring": "ring",
    "pinky": "little", "little": "little",
}  # fmt: skip

Group = tuple[str, str, str]


@dataclass(frozen=True)
class Match:
    """Where a joint of the character takes its turn from.

    Parameters
    ----------
    source
        The joint of the motion.
    beyond
        The next joint of the motion's chain, towards which the turn is interpolated; None for none.
    share
        How far from `source` to `beyond`, 0 to 1.
    how
        What tells: the part of the body, the name, or the user's own map.
    """

    source: int
    beyond: int | None = None
    share: float = 0.0
    how: How = "part"


@dataclass(frozen=True)
class JointMapping:
    """The counterparts of a character's joints in a motion.

    Parameters
    ----------
    matches
        Joint of the character → its counterpart.
    parts
        Joint of the character → its part of a body, where its name tells.
    """

    matches: Mapping[int, Match] = field(default_factory=dict)
    parts: Mapping[int, str | None] = field(default_factory=dict)

    def sources(self) -> frozenset[int]:
        """Return the joints of the motion that turn something."""
        pairs = ((match.source, match.beyond) for match in self.matches.values())
        return frozenset(one for pair in pairs for one in pair if one is not None)


def propose(motion: Rig, character: Rig) -> JointMapping:
    """Map the joints of a character to those of a motion.

    Where four fifths of the character's joints have a namesake, the two have one skeleton and names
    decide. Else the part of the body decides, with its side and its finger; chains of other lengths (spine,
    neck, fingers) share out their turns by the way along the chain. What has no part is mapped by name.
    """
    by_name = _by_name(motion, character)
    parts = body_parts(character)
    if len(by_name) >= _ONE_SKELETON * len(character.joints):
        return JointMapping(by_name, parts)
    by_part = _by_part(motion, character)
    used = {match.source for match in by_part.values()}
    rest = {
        joint: match
        for joint, match in by_name.items()
        if joint not in by_part and match.source not in used
    }
    return JointMapping(by_part | rest, parts)


def plain(name: str) -> str:
    """Return a name without its namespace, in small letters."""
    return name.rpartition(":")[2].casefold()


def _by_name(motion: Rig, character: Rig) -> dict[int, Match]:
    named: dict[str, int] = {}
    for joint in motion.joints:
        named.setdefault(plain(motion.nodes.names[joint]), joint)
    found = {joint: named.get(plain(character.nodes.names[joint])) for joint in character.joints}
    return {joint: Match(own, how="name") for joint, own in found.items() if own is not None}


def _by_part(motion: Rig, character: Rig) -> dict[int, Match]:
    given, wanted = body_chains(motion), body_chains(character)
    hips = given.get(("hips", "", ""), [None])[0]
    result: dict[int, Match] = {}
    for key, joints in wanted.items():
        if key in given:
            result.update(_aligned(given[key], joints, key[0], hips))
    return result


def _aligned(
    given: Sequence[int], wanted: Sequence[int], part: str, hips: int | None
) -> dict[int, Match]:
    """Match two chains of one part, each from the body outwards."""
    if part not in CHAINS or len(given) == len(wanted):
        return {joint: Match(own) for joint, own in zip(wanted, given, strict=False)}
    # The joint before a spine is the hips; before a finger or a neck what turns is turned already.
    before = hips if part == "spine" else None
    result = {}
    for place, joint in enumerate(wanted):
        along = (place + 1) * len(given) / len(wanted) - 1.0
        low = min(int(along // 1), len(given) - 1)
        share = min(along - low, 1.0)
        lower = given[low] if low >= 0 else before
        upper = given[low + 1] if low + 1 < len(given) else None
        if lower is None:
            result[joint] = Match(given[0])
        elif share < 1e-9 or upper is None:
            result[joint] = Match(lower)
        else:
            result[joint] = Match(lower, upper, share)
    return result


def body_chains(rig: Rig) -> dict[Group, list[int]]:
    """Return (part, side, finger) → its joints, one below the other, of the character with most joints."""
    anatomy = Anatomy(rig)
    counts: dict[int, int] = {}
    for joint in rig.joints:
        counts[anatomy.characters[joint]] = counts.get(anatomy.characters[joint], 0) + 1
    main = max(counts, key=lambda one: counts[one], default=-1)
    result: dict[Group, list[int]] = {}
    for joint, part in body_parts(rig).items():
        if part is None or part in _BY_NAME or anatomy.characters[joint] != main:
            continue
        stated = anatomy.sides.get(joint) or side(rig.body_name(joint)) or ""
        key = (part, stated, _finger(rig, joint) if part in ("finger", "palm", "toes") else "")
        chain = result.setdefault(key, [])
        # A branch of the same part, such as a second strand, is not in the chain.
        if not chain or rig.nodes.is_ancestor(chain[-1], joint):
            chain.append(joint)
    return result


def _finger(rig: Rig, joint: int) -> str:
    """Return which finger a joint is of, by its name; empty where that does not say."""
    given = words(rig.body_name(joint))
    told = next((_FINGERS[word] for word in given if word in _FINGERS), "")
    if told or "finger" not in given:
        return told
    number = given[given.index("finger") + 1 :]
    return number[0][0] if number and number[0].isdecimal() else ""
