"""Edits that the table of vertices asks for: what was typed into a column, and pasted columns."""

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.weights import edits, flooding
from rigview.core.weights.edits import Freedom
from rigview.core.weights.flooding import BrushPoints, Edited
from rigview.core.weights.problem import NotMade
from rigview.core.weights.skin_points import SkinPoints
from rigview.ui.panels.vertex_text import Typed
from rigview.ui.widgets.words import tr
from rigview.ui.workers.weight_editing import Edit


def typed_into(node: int, what: Typed) -> Edit:
    """Return the edit that does what was typed to the weights of a joint."""

    def edit(of: SkinPoints, points: IntArray, free: Freedom) -> Edited:
        if node not in of.column_of:
            return Edited(of, points[:0])
        return flooding.flood(
            of, points, BrushPoints(what.tool, of.column_of[node], what.value), free
        )

    return edit


def typed_words(name: str, what: Typed, vertices: str) -> str:
    """Return what was done to a joint's weight."""
    if what.tool == "replace":
        words = "Set {joint} to {value:.4g} on {vertices}"
    elif what.tool == "scale":
        words = "Multiply {joint} by {value:.4g} on {vertices}"
    elif what.value >= 0.0:
        words = "Add {value:.4g} {joint} on {vertices}"
    else:
        words = "Take {value:.4g} {joint} on {vertices}"
    return tr(words, joint=name, value=abs(what.value), vertices=vertices)


def pasted_into(
    nodes: list[int], values: FloatArray, characters: IntArray, points: IntArray
) -> Edit:
    """Return the edit that sets the weights ``(n, m)`` of joints on rows of the table.

    Parameters
    ----------
    characters, points
        ``(n,)`` where each row is; of a character as the rig numbers them.
    """
    numbers = {(int(c), int(p)): i for i, (c, p) in enumerate(zip(characters, points, strict=True))}

    def edit(of: SkinPoints, some: IntArray, free: Freedom) -> Edited:
        if any(node not in of.column_of for node in nodes):
            raise NotMade("a joint of the table is no joint of this mesh")
        here = np.array([values[numbers[of.number, int(point)]] for point in some])
        joints = np.array([of.column_of[node] for node in nodes], dtype=np.int64)
        return flooding.finished(of, some, edits.with_some(of.rows(some), joints, here, free), free)

    return edit
