"""One mesh in one pose: what every skinning method is given, and what it gives back."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal

from rigview.core.arrays import FloatArray
from rigview.core.brief import brief_repr
from rigview.core.memo import Remembers
from rigview.core.methods.binding import Binding
from rigview.core.methods.palette import Palette
from rigview.core.methods.vertex_constants import VertexConstants

# How DQS treats joints that scale (`dqs`).
ScaleConvention = Literal["vertex", "origin"]


@dataclass(frozen=True, eq=False)
class Skinned:
    """Positions ``(V, 3)`` and unit normals ``(V, 3)`` in model space.

    Parameters
    ----------
    turn_normals
        Returns the normals. Called when they are first read: who measures positions (a dry run, the
        metrics) does not pay for them.
    spreads
        Whether a vertex of one joint may have followed those of its neighbours as well.
    """

    __repr__ = brief_repr

    positions: FloatArray
    turn_normals: Callable[[], FloatArray]
    spreads: bool = False

    @cached_property
    def normals(self) -> FloatArray:
        """``(V, 3)``, of length one."""
        return self.turn_normals()


@dataclass(frozen=True, eq=False)
class Posed(Remembers):
    """One mesh in one pose: what every method is given.

    Parameters
    ----------
    palette
        Of one pose, ``(J, …)``.
    bone_directions
        ``(J, 3)`` posed unit directions of the bones, in model space.
    positions, normals
        ``(V, 3)`` in mesh space, morphed.
    amplitude
        ``(V,)`` of `bulge.amplitudes`.
    statics
        What further methods read that no pose changes; None where only LBS, DQS and the thesis's
        compensation will be asked for.
    """

    __repr__ = brief_repr

    binding: Binding
    palette: Palette
    bone_directions: FloatArray
    positions: FloatArray
    normals: FloatArray
    amplitude: FloatArray
    statics: VertexConstants | None = None

    @property
    def known(self) -> VertexConstants:
        """`vertex_constants`, for a method that cannot do without."""
        if self.statics is None:
            raise ValueError("statics: this method wants them, got None")
        return self.statics


def leave_unbound(
    posed: Posed, positions: FloatArray, turn_normals: Callable[[], FloatArray]
) -> Skinned:
    """Keep vertices without any weight where they are in mesh space: no joint moves them."""
    unbound, rest_normals = posed.binding.unbound, posed.normals
    positions[unbound] = posed.positions[unbound]

    def normals() -> FloatArray:
        result = turn_normals()
        result[unbound] = rest_normals[unbound]
        return result

    # Methods that only displace what this returns turn their normals with it, once.
    return Skinned(positions, cache(normals))
