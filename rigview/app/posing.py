"""Skin a rig in one pose, on the processor."""

from functools import lru_cache
from typing import Unpack

import numpy as np

from rigview.app.arguments import MethodSettings, clip_of, method_of, options_of, rig_of, time_of
from rigview.core.clip import Clip
from rigview.core.deform import Deformer
from rigview.core.mesh import Weights
from rigview.core.methods.posed import Skinned
from rigview.core.pose import sample
from rigview.core.rig import Rig
from rigview.core.skinning import Method
from rigview.io import Loaded

# How many rigs stay prepared for further poses.
_KEPT = 2


@lru_cache(maxsize=_KEPT)
def deformer_of(rig: Rig, weights: Weights = "normalised") -> Deformer:
    """Return what skins a rig; that of the last rigs is kept, so that further poses are quick."""
    return Deformer(rig, weights)


def skin(
    rig: Rig | Loaded,
    clip: str | int | Clip | None = None,
    time: float = 0.0,
    method: str | Method = "lbs",
    *,
    mesh: str | int | None = None,
    **options: Unpack[MethodSettings],
) -> Skinned:
    """Return the vertices of a rig in a pose.

    Parameters
    ----------
    rig
        The rig, or an opened file.
    clip
        The name or number of a clip, or the clip itself; "rom" is a made-up range of motion. None is the
        rest pose.
    time
        Seconds, clamped to the clip.
    method
        The id of a skinning method (`rigview.METHODS`), or "file" for what the file itself asks for.
    mesh
        The name or number of the one mesh that is wanted. By default all meshes, in order of `Rig.parts`.
    **options
        Options of the methods: ``strength``, ``axis``, ``scale``, ``polynomial``, ``angle`` and ``blend``.

    Returns
    -------
    Positions and unit normals, ``(V, 3)`` each, metres in model space.
    """
    posed = rig_of(rig)
    chosen, wanted, settings = clip_of(posed, clip), method_of(method), options_of(options)
    deformer = deformer_of(posed)
    number = None if mesh is None else posed.mesh(mesh)
    parts = [i for i, part in enumerate(posed.parts) if number is None or part.mesh == number]
    frame = deformer.frame(sample(posed, chosen, time_of(chosen, time)))
    skinned = [deformer.skin(part, frame, wanted, settings) for part in parts]
    none = np.zeros((0, 3))
    return Skinned(
        np.concatenate([none, *(one.positions for one in skinned)]),
        lambda: np.concatenate([none, *(one.normals for one in skinned)]),
        any(one.spreads for one in skinned),
    )
