"""Weights as text: what is typed into a cell, and tables that are copied to and from spreadsheets."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.core.weights.edits import Tool

VERTEX = "Vertex"


@dataclass(frozen=True)
class Typed:
    """What is done to the cells: a weight is set, added to, or multiplied."""

    tool: Tool
    value: float


def typed(text: str) -> Typed | None:
    """Return what ``0.42``, ``*0.5``, ``/2``, ``+0.1`` or ``-0.1`` says; None for any other text."""
    text = text.strip().replace(",", ".").replace("−", "-")
    sign, rest = (text[0], text[1:]) if text[:1] in ("*", "/", "+", "-") else ("", text)
    value = _number(rest)
    if value is None or value < 0.0 or (sign == "/" and value == 0.0):
        return None
    if sign == "":
        return Typed("replace", value) if value <= 1.0 else None
    if sign in ("*", "/"):
        return Typed("scale", value if sign == "*" else 1.0 / value)
    return Typed("add", value if sign == "+" else -value)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


@dataclass(frozen=True, eq=False)
class Pasted:
    """A table of weights that was copied somewhere.

    Parameters
    ----------
    joints
        The names over its columns; None where it has only numbers.
    values
        ``(n, m)``.
    """

    joints: tuple[str, ...] | None
    values: FloatArray


def as_text(vertices: Sequence[str], joints: Sequence[str], values: FloatArray) -> str:
    """Return a table, tab-separated, with joints above and vertices at the left."""
    lines = ["\t".join([VERTEX, *joints])]
    for vertex, row in zip(vertices, values.tolist(), strict=True):
        lines.append("\t".join([vertex, *(f"{value:.6g}" for value in row)]))
    return "\n".join(lines)


def pasted(text: str) -> Pasted | None:
    """Return the table that a text holds; None where it holds none.

    Names of joints above and a column of vertices under `VERTEX` are optional.
    """
    lines = [line.split("\t") for line in text.splitlines() if line.strip()]
    joints: tuple[str, ...] | None = None
    if lines and any(_number(_plain(cell)) is None for cell in lines[0][1:] or lines[0]):
        head, lines = [cell.strip() for cell in lines[0]], lines[1:]
        first = 1 if head[0] == VERTEX else 0
        joints = tuple(head[first:])
        lines = [line[first:] for line in lines]
    numbers = [[_number(_plain(cell)) for cell in line] for line in lines]
    width = len(joints) if joints is not None else len(numbers[0]) if numbers else 0
    known = [[value for value in line if value is not None and value >= 0.0] for line in numbers]
    if not width or not known or any(len(line) != width for line in known):
        return None
    return Pasted(joints, np.array(known, dtype=np.float64))


def _plain(cell: str) -> str:
    """Return a number as Python reads it: spreadsheets write commas, and "·" stands for zero."""
    return cell.strip().replace(",", ".").replace("·", "0") or "0"
