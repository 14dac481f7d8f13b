"""How vertex buffers hold influences and how shaders turn by them: arguments of what draws."""

import argparse
from collections.abc import Callable
from itertools import product
from typing import TYPE_CHECKING, TypeVar, cast, get_args

from rigview.cli.status import UsageError

if TYPE_CHECKING:
    from rigview.render.vertex_stage import Bits, DualRoute, VertexStage

_Value = TypeVar("_Value")
_FLAGS = ("joint_bits", "weight_bits", "dual_route")


def add(command: argparse.ArgumentParser, *, several: bool = False) -> None:
    """Declare the arguments.

    Parameters
    ----------
    several
        Whether each takes a list, to compare.
    """
    many = "; several, comma-separated, are compared" if several else ""
    command.add_argument(
        "--joint-bits", metavar="B", help=f"of a joint's number: 8, 16 (default) or 32{many}"
    )
    command.add_argument(
        "--weight-bits", metavar="B", help=f"of a weight: 8, 16 or 32 (default, floats){many}"
    )
    command.add_argument(
        "--dual-route",
        metavar="R",
        help="how a blended dual quaternion moves a vertex: direct (default), or matrix, "
        f"which makes a matrix of it first{many}",
    )


def are_given(options: argparse.Namespace) -> bool:
    """Tell whether any of them is."""
    return any(getattr(options, flag) is not None for flag in _FLAGS)


def chosen(options: argparse.Namespace) -> "VertexStage":
    """Return the one that is asked for, the default where nothing is."""
    found = several(options)
    if len(found) > 1:
        raise UsageError("name one number of bits and one route: rigview bench compares several")
    return found[0]


def several(options: argparse.Namespace) -> "list[VertexStage]":
    """Return every combination that is asked for, in the order in which they are."""
    from rigview.render.vertex_stage import Bits, DualRoute, VertexStage

    plain = VertexStage()
    joints = _parsed("--joint-bits", options.joint_bits, plain.joints, _bits, get_args(Bits))
    weights = _parsed("--weight-bits", options.weight_bits, plain.weights, _bits, get_args(Bits))
    routes = _parsed(
        "--dual-route", options.dual_route, plain.dual_route, _route, get_args(DualRoute)
    )
    return [VertexStage(*values) for values in product(joints, weights, routes)]


def _bits(text: str) -> "Bits":
    return cast("Bits", int(text) if text.isdecimal() else text)


def _route(text: str) -> "DualRoute":
    return cast("DualRoute", text)


def _parsed(
    flag: str,
    text: str | None,
    default: _Value,
    read: Callable[[str], _Value],
    allowed: tuple[_Value, ...],
) -> list[_Value]:
    if text is None:
        return [default]
    values = [read(part.strip()) for part in text.split(",") if part.strip()]
    for value in values:
        if value not in allowed:
            names = ", ".join(map(str, allowed))
            raise UsageError(f"{flag} {value}: choose {names}")
    if not values:
        raise UsageError(f"{flag} names nothing")
    return list(dict.fromkeys(values))
