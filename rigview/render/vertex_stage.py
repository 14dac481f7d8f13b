"""How the vertex stage gets its influences and turns by them: choices of cost, not of method."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rigview.core.methods.binding import Binding
from rigview.core.numeric.rounding import largest_remainder

Bits = Literal[8, 16, 32]
DualRoute = Literal["direct", "matrix"]
_UNSIGNED: dict[int, type[np.unsignedinteger]] = {8: np.uint8, 16: np.uint16, 32: np.uint32}


@dataclass(frozen=True)
class VertexStage:
    """What a scene's buffers hold and its shaders do with it.

    Parameters
    ----------
    joints
        Bits of a joint's number; more are taken where a part's joints need them.
    weights
        8 or 16 bits are whole shares of 255 or 65,535 that sum as the weights do (largest
        remainder); 32 are floats, as are the weights of a part that has one outside 0 to 1.
    dual_route
        Whether a blended dual quaternion moves the vertex itself, or first becomes a matrix.
    """

    joints: Bits = 16
    weights: Bits = 32
    dual_route: DualRoute = "direct"


@dataclass(frozen=True, eq=False)
class PackedInfluences:
    """A part's influences as its buffers hold them.

    Parameters
    ----------
    joints, weights
        ``(V, K)`` unsigned integers, and those or float32.
    weight_error
        The largest difference of any weight from what it was.
    """

    joints: NDArray[np.unsignedinteger]
    weights: NDArray[np.generic]
    weight_error: float

    @property
    def shares(self) -> NDArray[np.float64]:
        """``(V, K)`` the weights as the shader reads them."""
        if self.weights.dtype.kind == "f":
            return self.weights.astype(np.float64)
        return self.weights.astype(np.float64) / (2.0 ** (8 * self.weights.itemsize) - 1.0)

    @property
    def bytes_per_vertex(self) -> int:
        """What four influences of a vertex take."""
        return 4 * (self.joints.itemsize + self.weights.itemsize)


def pack(binding: Binding, stage: VertexStage) -> PackedInfluences:
    """Bring a part's influences into the stage's format, or the next wider one that holds them."""
    most = int(binding.joints.max(initial=0))
    joint_bits = next(b for b in (8, 16, 32) if b >= stage.joints and most < 1 << b)
    joints = binding.joints.astype(_UNSIGNED[joint_bits])
    in_range = bool(np.all((binding.weights >= 0.0) & (binding.weights <= 1.0)))
    weights: NDArray[np.generic] = binding.weights.astype(np.float32)
    if stage.weights < 32 and in_range:
        dtype = _UNSIGNED[stage.weights]
        shares = largest_remainder(binding.weights, int(np.iinfo(dtype).max))
        weights = np.minimum(shares, np.iinfo(dtype).max).astype(dtype)
    packed = PackedInfluences(joints, weights, 0.0)
    error = float(np.abs(packed.shares - binding.weights).max(initial=0.0))
    return PackedInfluences(joints, weights, error)
