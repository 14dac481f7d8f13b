"""Which joints of a rig belong to one character."""

from rigview.core.rig import Rig


def characters(rig: Rig) -> dict[int, int]:
    """Return joint → the number of its character: the lowest top joint of all that belong together.

    Joints belong together where one is above the other and where one skin lists both.
    """
    tops = rig.joint_tops
    number = {top: top for top in tops.values()}
    for joints in {skin.joints for skin in rig.skins}:
        met = {number[tops[joint]] for joint in joints if joint in tops}
        if len(met) > 1:
            number = {top: min(met) if one in met else one for top, one in number.items()}
    return {joint: number[top] for joint, top in tops.items()}
