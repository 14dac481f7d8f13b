"""Lay joints in space: frames whose +Y runs along the bone, and the transforms that a file states."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

import quaternions as qt

Array = NDArray[np.float64]

# Local transforms are stated with so many decimals; everything else follows from the stated ones.
DECIMALS = 8
MIRROR = np.array([-1.0, 1.0, 1.0])


@dataclass(frozen=True)
class Joint:
    """A joint at rest, in model space.

    Parameters
    ----------
    head, tail
        ``(3,)`` metres: the joint, and what its local +Y points at.
    front
        ``(3,)`` the direction that its local +Z is near.
    """

    name: str
    parent: str | None
    head: Array
    tail: Array
    front: Array

    def mirrored(self) -> "Joint":
        """Return the right joint of a left one."""
        return replace(
            self,
            name=other_side(self.name),
            parent=self.parent and other_side(self.parent),
            head=self.head * MIRROR,
            tail=self.tail * MIRROR,
            front=self.front * MIRROR,
        )


def other_side(name: str) -> str:
    """Return the right joint's name for a left one's; names without a side stay."""
    return f"{name[:-2]}_r" if name.endswith("_l") else name


def joint(
    name: str,
    parent: str | None,
    head: Sequence[float] | Array,
    tail: Sequence[float] | Array,
    front: Sequence[float] | Array = (0.0, 0.0, 1.0),
) -> Joint:
    """Return a joint; a shorthand that takes plain tuples."""
    ends = (np.asarray(p, dtype=np.float64) for p in (head, tail, front))
    return Joint(name, parent, *ends)


class Skeleton:
    """Joints, parents first, as a file states them.

    Attributes
    ----------
    names, parents
        Per joint its name and the number of its parent, −1 for the root.
    translations, rotations
        ``(J, 3)`` and ``(J, 4)`` the local transform at rest.
    heads, turns
        ``(J, 3)`` and ``(J, 4)`` the same in model space.
    """

    def __init__(self, joints: Sequence[Joint]) -> None:
        self.names = [joint.name for joint in joints]
        self.parents = [-1 if j.parent is None else self.names.index(j.parent) for j in joints]
        count = len(joints)
        self.translations, self.rotations = np.zeros((count, 3)), np.zeros((count, 4))
        self.heads, self.turns = np.zeros((count, 3)), np.zeros((count, 4))
        for i, joint in enumerate(joints):
            parent = self.parents[i]
            if parent >= i:
                raise ValueError(f"joints: {joint.name} stands before its parent")
            head, turn = joint.head, _turn(joint)
            base, back = np.zeros(3), qt.IDENTITY
            if parent >= 0:
                base, back = self.heads[parent], qt.conjugate(self.turns[parent])
            rotation = qt.multiply(back, turn)
            rotation *= 1.0 if rotation[3] >= 0.0 else -1.0
            self.translations[i] = np.round(qt.rotate(back, head - base), DECIMALS) + 0.0
            self.rotations[i] = np.round(rotation, DECIMALS) + 0.0
            self.heads[i] = base + qt.rotate(qt.conjugate(back), self.translations[i])
            self.turns[i] = qt.unit(qt.multiply(qt.conjugate(back), self.rotations[i]))

    def __len__(self) -> int:
        return len(self.names)

    def number(self, name: str) -> int:
        """Return the number of a joint."""
        return self.names.index(name)

    def inverse_binds(self) -> Array:
        """Return ``(J, 4, 4)`` ``joint_from_mesh``: the exact inverse of the rest pose."""
        result = np.tile(np.eye(4), (len(self), 1, 1))
        for i in range(len(self)):
            back = qt.conjugate(self.turns[i])
            result[i, :3, :3] = qt.to_matrix(back)
            result[i, :3, 3] = -qt.rotate(back, self.heads[i])
        return result


def _turn(joint: Joint) -> Array:
    """Return ``(4,)`` the frame of a joint: +Y to the tail, +Z as near to the front as that allows."""
    y = qt.unit(joint.tail - joint.head)
    z = qt.unit(joint.front - y * np.sum(joint.front * y))
    return qt.from_matrix(np.stack([np.cross(y, z), y, z], axis=1))
