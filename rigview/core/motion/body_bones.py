"""Which bone of a human body each joint is: one vocabulary between the skeletons of different makers.

The words are those of VRM 1.0 (``VRMC_vrm``, humanoid: ``leftUpperArm``), which Unity and Godot use with
capitals. Beside them there are ``root``, the joint on the ground that carries the hips, and the
metacarpals of the fingers (``leftIndexMetacarpal``), for which VRM has no word.
"""

from collections.abc import Iterator, Sequence

from rigview.core.motion.joint_mapping import body_chains
from rigview.core.rig import Rig
from rigview.core.stance import VRM_0

ROOT = "root"
_SPINE = ("spine", "chest", "upperChest")
_FINGER = ("Proximal", "Intermediate", "Distal")
_THUMB = ("Metacarpal", "Proximal", "Distal")
_FINGERS = ("Index", "Middle", "Ring", "Little")
# Part of a body that one joint of each side is → its bone.
_LIMBS = {
    "clavicle": "Shoulder",
    "upper_arm": "UpperArm",
    "lower_arm": "LowerArm",
    "hand": "Hand",
    "upper_leg": "UpperLeg",
    "lower_leg": "LowerLeg",
    "foot": "Foot",
    "toes": "Toes",
}
_MIDDLE = {"root": ROOT, "hips": "hips", "neck": "neck", "head": "head"}
# VRM 0.x counts the joints of the thumb one further.
_THUMB_0 = {"Proximal": "Metacarpal", "Intermediate": "Proximal", "Distal": "Distal"}


def _all_bones() -> tuple[str, ...]:
    sided = [
        *_LIMBS.values(),
        "Eye",
        *(f"Thumb{word}" for word in _THUMB),
        *(f"{finger}{word}" for finger in _FINGERS for word in ("Metacarpal", *_FINGER)),
    ]
    pairs = (f"{side}{word}" for word in sided for side in ("left", "right"))
    return (ROOT, "hips", *_SPINE, "neck", "head", "jaw", *pairs)


# Every bone that there is a word for.
BONES = _all_bones()


def bones_of(rig: Rig) -> dict[int, str]:
    """Return joint → the bone of a human body that it is; the others are left out.

    What the file itself says (VRM) goes before what names and places tell.
    """
    if rig.humanoid:
        of_vrm_0 = VRM_0 in rig.origin.extensions
        said = {joint: _modern(bone) if of_vrm_0 else bone for joint, bone in rig.humanoid.items()}
        return {joint: bone for joint, bone in said.items() if bone in BONES}
    found: dict[int, str] = {}
    for (part, side, finger), joints in body_chains(rig).items():
        for joint, bone in _named(part, side, finger, joints):
            if bone in BONES:
                found.setdefault(joint, bone)
    return found


def _modern(bone: str) -> str:
    """Return the word of VRM 1.0 for one of VRM 0.x."""
    for side in ("left", "right"):
        thumb = f"{side}Thumb"
        if bone.startswith(thumb):
            return thumb + _THUMB_0.get(bone.removeprefix(thumb), "")
    return bone


def _named(part: str, side: str, finger: str, joints: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Yield the joints of one chain that are bones, with their words."""
    if part == "spine":
        yield from _spine(joints)
    elif part in _MIDDLE and not side:
        yield joints[0], _MIDDLE[part]
    elif not side:
        return
    elif part == "thumb":
        yield from ((j, f"{side}Thumb{word}") for j, word in zip(joints, _THUMB, strict=False))
    elif part == "finger" and finger:
        start = f"{side}{finger.capitalize()}"
        yield from ((j, f"{start}{word}") for j, word in zip(joints, _FINGER, strict=False))
    elif part == "palm" and finger:
        yield joints[0], f"{side}{finger.capitalize()}Metacarpal"
    elif part in _LIMBS:
        yield joints[0], f"{side}{_LIMBS[part]}"


def _spine(joints: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Yield the spine's joints that are bones: of more than three the first, one half way and the last."""
    if len(joints) <= len(_SPINE):
        yield from zip(joints, _SPINE, strict=False)
    else:
        yield from zip((joints[0], joints[len(joints) // 2], joints[-1]), _SPINE, strict=True)
