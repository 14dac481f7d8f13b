"""The transforms of a node: a list of elements, multiplied in order (Collada 1.4.1, <node>)."""

from collections.abc import Callable
from xml.etree.ElementTree import Element

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray, unit
from rigview.io.collada.elements import tag
from rigview.io.collada.tree import ColladaDocument


def _matrix(values: FloatArray) -> FloatArray:
    """Return the 16 numbers as matrices; exporters animate the last one to 0, so the row is forced."""
    result = values.reshape(*values.shape[:-1], 4, 4).copy()
    result[..., 3, :] = (0.0, 0.0, 0.0, 1.0)
    return result


def _eye(values: FloatArray) -> FloatArray:
    return np.tile(np.eye(4), (*values.shape[:-1], 1, 1))


def _translate(values: FloatArray) -> FloatArray:
    result = _eye(values)
    result[..., :3, 3] = values
    return result


def _rotate(values: FloatArray) -> FloatArray:
    result = _eye(values)
    turn = quat.from_axis_angle(values[..., :3], np.radians(values[..., 3]))
    result[..., :3, :3] = quat.to_matrix(turn)
    return result


def _scale(values: FloatArray) -> FloatArray:
    result = _eye(values)
    for axis in range(3):
        result[..., axis, axis] = values[..., axis]
    return result


def _skew(values: FloatArray) -> FloatArray:
    """Skew by an angle: what lies along the first axis leans towards the second, as in RenderMan."""
    angle = np.radians(values[..., 0])
    first, second = unit(values[..., 1:4]), unit(values[..., 4:7])
    result = _eye(values)
    result[..., :3, :3] += (
        np.tan(angle)[..., None, None] * second[..., :, None] * first[..., None, :]
    )
    return result


def _look_at(values: FloatArray) -> FloatArray:
    """Stand at a point and look at another along −Z."""
    eye, target, up = (values[..., i : i + 3] for i in (0, 3, 6))
    z = unit(eye - target, (0.0, 0.0, 1.0))
    x = unit(np.cross(up, z), (1.0, 0.0, 0.0))
    result = _eye(values)
    for column, vector in enumerate((x, np.cross(z, x), z, eye)):
        result[..., :3, column] = vector
    return result


# Element → how many numbers it has, and what makes ``(…, 4, 4)`` of ``(…, n)``.
OPERATIONS: dict[str, tuple[int, Callable[[FloatArray], FloatArray]]] = {
    "matrix": (16, _matrix),
    "translate": (3, _translate),
    "rotate": (4, _rotate),
    "scale": (3, _scale),
    "skew": (7, _skew),
    "lookat": (9, _look_at),
}
_MEMBERS = {"X": 0, "Y": 1, "Z": 2, "ANGLE": 3}


def operations(node: Element) -> list[Element]:
    """Return the transforms of a node in their order."""
    return [element for element in node if tag(element) in OPERATIONS]


def parent_from_node(
    document: ColladaDocument, node: Element, values: dict[Element, FloatArray]
) -> FloatArray:
    """Return a node's local matrix ``(…, 4, 4)``.

    Parameters
    ----------
    values
        Element → ``(…, n)`` numbers that stand instead of its own, from an animation.
    """
    result = np.eye(4)
    for element in operations(node):
        count, matrix = OPERATIONS[tag(element)]
        numbers = values.get(element)
        if numbers is None:
            numbers = document.numbers(element, count)
        result = result @ matrix(numbers)
    return result


def member(element: Element, text: str) -> int | None:
    """Return which number of a transform ``.X``, ``.ANGLE`` or ``(column)(row)`` names, or None.

    A matrix is written by rows, and in ``(i)(j)`` i is the column (Collada 1.4.1, address syntax).
    """
    if text.startswith("."):
        return _MEMBERS.get(text[1:])
    numbers = [part for part in text.replace(")", "").split("(") if part]
    if not all(part.isdecimal() and len(part) < 3 for part in numbers):
        return None
    if len(numbers) == 1:
        index = int(numbers[0])
    elif len(numbers) == 2:
        index = 4 * int(numbers[1]) + int(numbers[0])
    else:
        return None
    return index if index < OPERATIONS[tag(element)][0] else None
