"""Templates of rigs: the skeleton of one character as what others are held to."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.core.deform import Deformer
from rigview.core.errors import RigviewError
from rigview.core.motion.body_bones import bones_of
from rigview.core.rig import Rig
from rigview.core.templates.fitting import Stand
from rigview.core.templates.template import Budget, Quadruple, Template, TemplateJoint, Triple
from rigview.core.text import some_of

# What a template of a rig allows others: a few degrees of axes, and as many hundredths of the height.
DEGREES, DISTANCE = 5.0, 0.05
# glTF promises four influences.
_INFLUENCES = 4
_MOST_NAMED = 5


class TemplateError(RigviewError):
    """A template that cannot be made, read or used, in one sentence."""


def template_of(deformer: Deformer, name: str, source: str = "", date: str = "") -> Template:
    """Return what the skeleton of a rig asks of others.

    All its joints are required. Its order counts where its format keeps one.

    Raises
    ------
    TemplateError
        If it has no joint, or joints that names do not tell apart.
    """
    rig = deformer.rig
    order = _listed(rig)
    _require_names([rig.nodes.names[joint] for joint in order])
    stand, bones = Stand.of(deformer), bones_of(rig)
    top = min(order, key=lambda joint: int(rig.nodes.depths[joint]))
    heads = stand.heads[order]
    height = float(np.ptp(heads[:, 1])) or 1.0
    base = np.array([stand.heads[top, 0], heads[:, 1].min(), stand.heads[top, 2]])
    places = (stand.heads - base) / height
    joints = tuple(
        TemplateJoint(
            rig.nodes.names[joint],
            "" if (above := rig.joint_parents[joint]) < 0 else rig.nodes.names[above],
            bones.get(joint, ""),
            place=_triple(places[joint]),
            rotation=_quadruple(stand.turns[joint]),
        )
        for joint in order
    )
    return Template(
        name,
        joints,
        name,
        source,
        date,
        ordered=keeps_order(rig),
        degrees=DEGREES,
        distance=DISTANCE,
        budget=_budget(rig, len(order)),
    )


def keeps_order(rig: Rig) -> bool:
    """Return whether the format of a rig's file lists joints in an order of its own."""
    return not rig.origin.format.startswith(("FBX", "BVH"))


def _listed(rig: Rig) -> list[int]:
    """Return the joints as the skin with most of them lists them, then the others."""
    if not rig.joints:
        raise TemplateError("there is no joint, and a template is made of joints")
    largest = max(rig.skins, key=lambda skin: len(skin.joints), default=None)
    return list(dict.fromkeys((*(largest.joints if largest else ()), *rig.joints)))


def _require_names(names: Sequence[str]) -> None:
    if "" in names:
        raise TemplateError("there are joints without a name; HIE-NAMES gives them names")
    double = [name for name, times in Counter(names).items() if times > 1]
    if double:
        raise TemplateError(
            f"several joints are called {some_of(double, _MOST_NAMED)}; HIE-NAMES gives them names of "
            "their own"
        )


def _budget(rig: Rig, joints: int) -> Budget:
    have = counted(rig)
    return Budget(
        joints,
        max(_INFLUENCES, have.influences or 0) if have.vertices else None,
        _rounded(have.vertices or 0) or None,
        _rounded(have.morphs or 0) or None,
    )


def _rounded(number: int) -> int:
    """Return a number rounded up to two digits."""
    step = 10 ** max(0, len(str(number)) - 2)
    return -(-number // step) * step


def counted(rig: Rig) -> Budget:
    """Return how much a rig has of what a budget limits."""
    primitives = [rig.primitive(part) for part in rig.parts]
    influences = [
        int(np.count_nonzero(one.influences.weights > 0.0, axis=1).max(initial=0))
        for one in primitives
        if one.influences is not None
    ]
    return Budget(
        len(rig.joints),
        max(influences, default=0),
        sum(len(one.positions) for one in primitives),
        max((one.morphs.shape[0] for one in primitives if one.morphs is not None), default=0),
    )


def _triple(values: FloatArray) -> Triple:
    x, y, z = (round(float(value), 4) + 0.0 for value in values)
    return x, y, z


def _quadruple(values: FloatArray) -> Quadruple:
    sign = -1.0 if values[3] < 0.0 else 1.0
    x, y, z, w = (round(sign * float(value), 5) + 0.0 for value in values)
    return x, y, z, w
