"""Morph targets that clips move: what a page's script adds to a part before the shaders skin it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import FloatArray, IntArray, unit
from rigview.core.clip import Clip
from rigview.core.pose import Pose, rest_pose
from rigview.core.rig import Part, Rig


@dataclass(frozen=True)
class MovedTargets:
    """The morph targets of a part that clips move.

    Parameters
    ----------
    targets
        ``(m,)`` which of the part's they are; the others are part of the shape at rest.
    """

    rig: Rig
    part: Part
    targets: IntArray

    @classmethod
    def of(cls, rig: Rig, part: Part, clips: Sequence[Clip]) -> "MovedTargets | None":
        """Return those to which clips give other weights than the part has at rest; None without any."""
        morphs = rig.primitive(part).morphs
        if morphs is None:
            return None
        rest = _filled(_weights(rig, part, rest_pose(rig)), morphs.count)
        moved = np.zeros(morphs.count, dtype=bool)
        for clip in clips:
            curve = clip.curve(part.node, "weights")
            if curve is None:
                continue
            moved |= np.any(_filled(curve.keys, morphs.count) != rest, axis=0)
            if curve.interpolation == "CUBICSPLINE":
                tangents = _filled(curve.values[:, [0, 2]], morphs.count)
                moved |= np.any(tangents != 0.0, axis=(0, 1))
        targets = np.flatnonzero(moved)
        return cls(rig, part, targets) if len(targets) else None

    def shares(self, pose: Pose) -> FloatArray:
        """Return ``(m,)`` the weights in a pose."""
        count = int(self.targets[-1]) + 1
        return np.nan_to_num(_filled(_weights(self.rig, self.part, pose), count)[self.targets])

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the part's shape without the targets, and what each adds to the vertices that it moves.

        "position" and "normal" ``(V, 3)``; "morphed" ``(n,)``, the vertices that any target moves; and
        "target_positions" and "target_normals" ``(m, n, 3)``, the latter only where targets state normals.
        Normals of vertices that are moved become unit ones when the targets have been added.
        """
        primitive, morphs = self.rig.primitive(self.part), self.rig.primitive(self.part).morphs
        assert morphs is not None
        still = _filled(_weights(self.rig, self.part, rest_pose(self.rig)), morphs.count)
        still[self.targets] = 0.0
        used = np.flatnonzero(np.nan_to_num(still))
        added = morphs.positions[self.targets]
        moves = np.any(added != 0.0, axis=(0, 2))
        position = primitive.positions + np.tensordot(still[used], morphs.positions[used], axes=1)
        normal, turned = primitive.shading_normals, None
        if morphs.normals is not None:
            turned = morphs.normals[self.targets]
            moves |= np.any(turned != 0.0, axis=(0, 2))
            whole = normal + np.tensordot(still[used], morphs.normals[used], axes=1)
            normal = np.where(moves[:, None], whole, unit(whole, normal))
        found: dict[str, NDArray[np.generic]] = {
            "position": position.astype(np.float32),
            "normal": normal.astype(np.float32),
            "morphed": np.flatnonzero(moves).astype(np.uint32),
            "target_positions": added[:, moves].astype(np.float32),
        }
        if turned is not None:
            found["target_normals"] = turned[:, moves].astype(np.float32)
        return found


def _weights(rig: Rig, part: Part, pose: Pose) -> FloatArray:
    return pose.morph_weights.get(part.node, rig.meshes[part.mesh].morph_weights)


def _filled(weights: FloatArray, count: int) -> FloatArray:
    """Return ``(…, count)`` weights: 0 for targets that have none, and none beyond the last target."""
    result = np.zeros((*weights.shape[:-1], count))
    most = min(count, weights.shape[-1])
    result[..., :most] = weights[..., :most]
    return result
