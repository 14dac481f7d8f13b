"""The rules about the axes of joints, and how a body stands, one row each."""

from rigview.check.measures import axes, mirrored_axes, twist
from rigview.check.rule import Rule
from rigview.check.rules import mirroring, orientation, roll, stance

ROWS: tuple[Rule, ...] = (
    Rule(
        "ORI-PRIMARY",
        "Bone off the primary axis",
        "the angle between each bone and the joint axis that the rig's bones follow",
        "info",
        "exact",
        orientation.primary_axis,
        needs="skins",
        raised={"dqs": "warning", "thesis": "error"},
        tree=True,
        limits=(axes.ANGLE, axes.SLIGHT, orientation.AGREED),
    ),
    Rule(
        "ORI-ROLL",
        "Joint twisted about its bone",
        "the twist of each joint about its bone against the joint above",
        "info",
        "exact",
        roll.rolls,
        note=True,
        needs="skins",
        tree=True,
        limits=(twist.ROLL,),
    ),
    Rule(
        "ORI-MIRROR",
        "Axes not mirrored",
        "the angle between a joint's axes and the nearest mirror image of its partner's, "
        "the bones laid on each other",
        "info",
        "exact",
        mirroring.not_mirrored,
        needs="skins pairs",
        tree=True,
        limits=(mirrored_axes.MIRROR, mirrored_axes.POSED),
    ),
    Rule(
        "ORI-UPFWD",
        "Body lies or looks away",
        "the directions from hips to head and out of the chest against +Y and +Z",
        "warning",
        "shape",
        stance.upright,
        needs="bones humanoid",
        raised={"vrm": "error"},
        tree=True,
        limits=(stance.UPFWD,),
    ),
    Rule(
        "ORI-TPOSE",
        "Arms not out",
        "the angle of the upper arms at rest against the line from left to right",
        "info",
        "none",
        stance.arms_out,
        needs="bones humanoid",
        raised={"vrm": "warning"},
        tree=True,
        limits=(stance.TPOSE,),
    ),
)
