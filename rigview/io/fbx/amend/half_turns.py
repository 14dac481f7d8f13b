"""Negative scale on two axes written as the half turn that it is.

With F = −1 on those axes, a rotation, ``R · S = (R·F) · (F·S)``: the node's matrix stays what it was. With
the terms of `transform`, Rpost' = F·Rpost, S' = F·S and Soff' = F·(Soff + Sp − Rp) + Rp − Sp. A joint that
no curve turns takes F in its pre-rotation.
"""

from dataclasses import replace

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray
from rigview.core.rig import Rig
from rigview.io.fbx.amend.terms import Terms

# Shares of a scale that are rounding.
_SAME = 1e-9


def half_turns(old: Rig, new: Rig) -> dict[int, FloatArray]:
    """Return the nodes of which two components of the scale at rest change their sign → ``(3,)`` signs."""
    was, now = old.nodes.scales, new.nodes.scales[: len(old.nodes)]
    signs = np.where(was * now < 0.0, -1.0, 1.0)
    same = np.abs(signs * was - now).max(axis=1) <= _SAME * np.abs(was).max(axis=1)
    turned = np.flatnonzero(((signs < 0.0).sum(axis=1) == 2) & same)
    return {int(node): signs[node] for node in turned}


def turned(terms: Terms, signs: FloatArray, *, keyed: bool) -> Terms:
    """Return the terms with the half turn in the rotation instead of the scale.

    Parameters
    ----------
    keyed
        Whether curves turn the node.
    """
    half = np.append(np.where(signs > 0.0, 1.0, 0.0), 0.0)
    inside = signs * (terms.scale_offset + terms.scale_pivot - terms.pivot)
    pre, post = terms.pre, terms.post
    if keyed:
        post = quat.multiply(quat.conjugate(half), post)
    else:
        inner = quat.multiply(terms.turn(), quat.conjugate(post))
        pre = quat.multiply(pre, quat.multiply(inner, quat.multiply(half, quat.conjugate(inner))))
    return replace(
        terms,
        s=signs * terms.s,
        scale_offset=inside + terms.pivot - terms.scale_pivot,
        pre=pre,
        post=post,
    )
