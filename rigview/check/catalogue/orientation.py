"""The rules about the axes of joints, and how a body stands, one row each."""

from rigview.check import orientation, roll, stance
from rigview.check.rule import Rule

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
    ),
    Rule(
        "ORI-ROLL",
        "Joint twisted about its bone",
        "the twist of each joint about its bone against the joint above",
        "info",
        "exact",
        roll.rolls,
        needs="skins",
        tree=True,
    ),
    Rule(
        "ORI-MIRROR",
        "Axes not mirrored",
        "the angle between a joint's axes and the nearest mirror image of its partner's",
        "info",
        "exact",
        roll.unmirrored,
        needs="skins pairs",
        tree=True,
    ),
    Rule(
        "ORI-UPFWD",
        "Body lies or looks away",
        "the directions from hips to head and out of the chest against +Y and +Z",
        "warning",
        "shape",
        stance.upright,
        needs="skins humanoid",
        raised={"vrm": "error"},
        tree=True,
    ),
    Rule(
        "ORI-TPOSE",
        "Arms not out",
        "the angle of the upper arms against ±X at rest",
        "info",
        "none",
        stance.arms_out,
        needs="skins humanoid",
        raised={"vrm": "warning"},
        tree=True,
    ),
)
