"""Vertices whose influences are at fault by themselves, and a rig without some of its vertices.

Rules about what vertices make together leave such vertices out and judge the rest.
"""

from collections.abc import Mapping

import numpy as np

from rigview.check.limits import Limit
from rigview.core.arrays import BoolArray, owned
from rigview.core.mesh import Influences, MorphTargets, Primitive
from rigview.core.numeric import row_ops
from rigview.core.rig import Part, Rig

# No real file has sums off by between 1e-5 and 1e-2, so anything between tells noise from fault. A single
# weight that is above 1 by less is rounding, too.
SUM_LIMIT = 1e-3
_OFF = "how far the weights of a vertex are from adding up to 1"
SUM = Limit("WGT-SUM.sum", SUM_LIMIT, "", _OFF)
SUM_ERROR = Limit(SUM.key_of("error"), 1e-2, "", _OFF, tells="error")
# A sum this small leaves nothing to divide by.
ZERO_LIMIT = 1e-6
ZERO = Limit("WGT-ZERO", ZERO_LIMIT, "Σw", "what the weights of a vertex add up to", "least")
# The ids of the rules about joint numbers that do not exist and about weights that are no shares.
BEYOND_LIST, OUT_OF_RANGE = "HIE-OOB", "WGT-RANGE"
# Rules about single vertices: how those fit their neighbours does not matter.
SINGLE_VERTICES = (BEYOND_LIST, ZERO.rule, OUT_OF_RANGE)


def beyond_list(influences: Influences, joints: int) -> BoolArray:
    """Return ``(V,)`` which vertices give weight to a number that no one of so many joints has."""
    if influences.joint_end <= joints:
        return np.zeros(len(influences.joints), dtype=np.bool_)
    named = influences.joints
    return row_ops.any_of(((named < 0) | (named >= joints)) & (influences.weights != 0.0))


def out_of_range(influences: Influences) -> BoolArray:
    """Return ``(V,)`` which vertices have a weight that is no share: not finite, below 0, above 1."""
    lowest, highest = influences.weight_span
    if 0.0 <= lowest <= highest <= 1.0 + SUM_LIMIT:
        return np.zeros(len(influences.weights), dtype=np.bool_)
    with np.errstate(invalid="ignore"):
        wrong = ~((influences.weights >= 0.0) & (influences.weights <= 1.0 + SUM_LIMIT))
    return row_ops.any_of(wrong)


def without_weight(influences: Influences, zero: float) -> BoolArray:
    """Return ``(V,)`` which vertices have weights that are shares and add up to less than `zero`."""
    small: BoolArray = np.abs(influences.sums) < zero
    return ~out_of_range(influences) & small if small.any() else small


def off_sum(influences: Influences, limit: float, zero: float) -> BoolArray:
    """Return ``(V,)`` which sums are off 1 by more than the limit and no less than `zero`."""
    total = influences.sums
    off: BoolArray = np.abs(total - 1.0) > limit
    return off & (np.abs(total) >= zero) & ~out_of_range(influences) if off.any() else off


def faulty(rig: Rig, part: Part, limit: float, zero: float) -> dict[str, BoolArray]:
    """Return rule → ``(V,)`` the vertices of a part that it names; nothing for a part without skin.

    Parameters
    ----------
    limit, zero
        The values of `SUM` and `ZERO`.
    """
    influences = rig.primitive(part).influences
    if part.skin is None or influences is None:
        return {}
    return {
        BEYOND_LIST: beyond_list(influences, len(rig.skins[part.skin].joints)),
        OUT_OF_RANGE: out_of_range(influences),
        ZERO.rule: without_weight(influences, zero),
        SUM.rule: off_sum(influences, limit, zero),
    }


def without_vertices(rig: Rig, lost: Mapping[tuple[int, int], BoolArray]) -> Rig:
    """Return the rig without some vertices, and without the triangles that have one of them.

    Left out too is what measuring shapes does not ask for: lines, points, and what only colours them.

    Parameters
    ----------
    lost
        (mesh, primitive) → ``(V,)``.
    """
    for (mesh, primitive), gone in lost.items():
        if gone.any():
            kept = _kept(rig.meshes[mesh].primitives[primitive], ~gone)
            rig = rig.with_primitive(mesh, primitive, kept)
    return rig


def _kept(old: Primitive, kept: BoolArray) -> Primitive:
    vertices = np.flatnonzero(kept)
    place = np.cumsum(kept) - 1
    whole = kept[old.triangles].all(axis=1)
    morphs, normals, influences = old.morphs, old.normals, old.influences
    dqs, mask = old.dqs_weights, old.compensation
    return Primitive(
        owned(old.positions[vertices]),
        owned(place[old.triangles[whole]]),
        np.zeros((0, 2), dtype=np.int64),
        np.zeros(0, dtype=np.int64),
        normals=None if normals is None else owned(normals[vertices]),
        influences=None if influences is None else influences.of(vertices),
        morphs=None if morphs is None else MorphTargets(owned(morphs.positions[:, vertices])),
        method=old.method,
        dqs_weights=None if dqs is None else owned(dqs[vertices]),
        compensation=None if mask is None else owned(mask[vertices]),
    )
