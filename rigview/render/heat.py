"""Heat: how far each vertex has gone to the limit of a measure, under each method of a picture."""

from collections.abc import Iterable

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.core.frame import Frame
from rigview.core.measures.joint_heat import heat
from rigview.core.measures.joint_measures import MEASURES
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.skinning import ASKED, Options

# The last colour stands for so many limits and more.
TOP = 2.0
# Method → per part of the rig ``(V,)`` places on the colour map, 0 to 1.
Heats = dict[str, tuple[FloatArray, ...]]


def heats(
    meter: JointMeter, frame: Frame, methods: Iterable[str], options: Options, measure: str
) -> Heats:
    """Return the places of all vertices on the colour map, by method.

    Parameters
    ----------
    methods
        Keys of `skinning.ASKED`.
    measure
        A key of `joint_measures.MEASURES`.
    """
    pose, row = meter.pose(frame), MEASURES[measure]
    result: Heats = {}
    for method in dict.fromkeys(methods):
        skinned = meter.deformer.skin_all(frame, ASKED[method], options)
        values = heat(meter, pose, skinned, measure)
        result[method] = tuple(
            np.clip(np.nan_to_num(row.severity(of_part)) / TOP, 0.0, 1.0) for of_part in values
        )
    return result
