"""Weights of blend shapes at rest: the default of the attribute that an animation has samples of."""

import numpy as np
from pxr import Sdf, UsdSkel, Vt

from rigview.core.arrays import FloatArray
from rigview.core.rig import Rig
from rigview.io.inbetweens import shares
from rigview.io.reading import SaveError
from rigview.io.usd.amend.change import LayerChange, same
from rigview.io.usd.clips import Morphed
from rigview.io.usd.shapes import default_weights

# Weights are stated in 32 bits.
_OFF = 1e-6


def weights_at_rest(change: LayerChange) -> None:
    """Write the weights at rest of the animations whose shapes have others.

    Raises
    ------
    SaveError
        If a skeleton plays no animation of the shape, two meshes want different weights of one shape,
        or no weight of a shape makes what is wanted of its in-betweens.
    """
    wanted: dict[str, dict[str, float]] = {}
    for morphed in change.opened.morphed:
        before, after = (_at_rest(rig, morphed.node) for rig in (change.was, change.wanted))
        if not same(before, after):
            found = wanted.setdefault(morphed.skeleton, {})
            for name, weight in _of_shapes(morphed, before, after).items():
                if found.setdefault(name, weight) != weight:
                    raise SaveError(
                        f"two meshes want different weights at rest of the blend shape {name}, which "
                        "USD states once; glTF can hold it"
                    )
    for skeleton, weights in wanted.items():
        _set(change, skeleton, weights)


def _at_rest(rig: Rig, node: int) -> FloatArray:
    mesh = rig.node_meshes[node]
    own = np.zeros(0) if mesh is None else rig.meshes[mesh].morph_weights
    return rig.node_morph_weights.get(node, own)


def _of_shapes(morphed: Morphed, before: FloatArray, after: FloatArray) -> dict[str, float]:
    """Return blend shape → its weight, of those whose targets have other weights."""
    result: dict[str, float] = {}
    first = 0
    for shape in morphed.shapes:
        own = slice(first, first + len(shape.positions))
        first = own.stop
        if same(before[own], after[own]):
            continue
        weight = float(after[own] @ shape.positions)
        made = shares(shape.positions, np.array(weight))
        if not np.allclose(made, after[own], rtol=0.0, atol=_OFF):
            raise SaveError(
                f"no weight of the blend shape {shape.name} makes the weights at rest of its in-betweens"
            )
        result[shape.name] = weight
    return result


def _set(change: LayerChange, skeleton: str, weights: dict[str, float]) -> None:
    """Set the default of the animation that a skeleton plays, and its samples with it.

    A default of a stronger layer hides the samples of those below.
    """
    anim = change.opened.scene.skeletons[skeleton].anim
    order = [str(name) for name in anim.GetBlendShapeOrder()] if anim else []
    missing = [name for name in weights if name not in order]
    if missing:
        raise SaveError(
            f"{skeleton} plays no animation of the blend shape {missing[0]}, which a weight at rest "
            "needs; glTF can hold it"
        )
    now = {**default_weights(anim), **weights}
    row = np.array([now.get(name, 0.0) for name in order], dtype=np.float32)
    attribute = UsdSkel.Animation(change.prim(anim.GetPrim())).CreateBlendShapeWeightsAttr()
    samples = [(code, attribute.Get(code)) for code in attribute.GetTimeSamples()]
    attribute.Set(Vt.FloatArray.FromNumpy(row))
    for code, value in samples:
        attribute.Set(Sdf.ValueBlock() if value is None else value, code)
