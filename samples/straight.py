"""The samples on a straight axis: a twisting box, two bending cylinders, a chain of short joints."""

import numpy as np
from numpy.typing import NDArray

from assemble import Surface, assemble
from motion import Motion, turn
from picture import checker
from shapes import Shape, box, cylinder
from skeleton import Skeleton, joint
from weights import ending_step

Array = NDArray[np.float64]

LENGTH = 8.0  # of cylinder and chain, metres; their radius is one metre
AROUND, ALONG = 48, 96


def upright(names: tuple[str, ...], heights: tuple[float, ...]) -> Skeleton:
    """Return a chain of joints on the Y axis, at heights in metres."""
    parents = (None, *names[:-1])
    return Skeleton(
        [
            joint(name, parent, (0.0, y, 0.0), (0.0, y + 1.0, 0.0))
            for name, parent, y in zip(names, parents, heights, strict=True)
        ]
    )


def surface(shape: Shape, weights: Array) -> Surface:
    """Return a shape with weights ``(V, J)``."""
    return Surface(shape.positions, shape.normals, shape.triangles, weights, shape.uvs)


def chained(heights: Array, joints: tuple[float, ...], sigma: float) -> Array:
    """Return ``(V, J)`` weights along a chain: at each joint but the first a step of width `sigma`."""
    above = [np.ones(len(heights)), *(ending_step(heights - y, sigma) for y in joints[1:])]
    above.append(np.zeros(len(heights)))
    return -np.diff(np.stack(above, axis=1), axis=1)


def box_file() -> bytes:
    """Return box.glb: weights rise evenly along the length, so a twist spreads over all of it."""
    height = 4.0
    skeleton = upright(("lower", "upper"), (0.0, height / 2.0))
    shape = box(1.0, height, across=4, along=40)
    share = shape.positions[:, 1] / height
    twist = Motion("Twist", skeleton)
    angles = {0: 0, 20: 60, 40: 120, 60: 180, 75: 180, 90: 90, 105: 0}
    twist.keys("upper", {frame: turn(twist=angle) for frame, angle in angles.items()})
    weights = np.stack([1.0 - share, share], axis=1)
    return assemble("Box", skeleton, surface(shape, weights), [twist], checker(4, 16, pixels=4))


def cylinder_file(sigma: float) -> bytes:
    """Return a cylinder of radius 1 with a joint at its middle.

    Parameters
    ----------
    sigma
        Width of the Gaussian, in metres, that blurs the step of the weights at the joint.
    """
    joints = (0.0, LENGTH / 2.0)
    skeleton = upright(("lower", "upper"), joints)
    shape = cylinder(1.0, LENGTH, AROUND, ALONG)
    weights = chained(shape.positions[:, 1], joints, sigma)
    motions = _bends(skeleton)
    return assemble("Cylinder", skeleton, surface(shape, weights), motions, checker(32, 32))


def _bends(skeleton: Skeleton) -> list[Motion]:
    bend, twist = Motion("Bend", skeleton), Motion("Twist", skeleton)
    both = Motion("Bend and twist", skeleton)
    bends = {0: 0, 15: 45, 30: 90, 45: 120, 60: 120, 90: 60, 120: 0}
    bend.keys("upper", {frame: turn(side=-angle) for frame, angle in bends.items()})
    twists = {0: 0, 20: 60, 40: 120, 60: 180, 75: 180, 90: 90, 105: 0}
    twist.keys("upper", {frame: turn(twist=angle) for frame, angle in twists.items()})
    pairs = {0: (0, 0), 15: (45, 0), 30: (90, 0), 45: (90, 45), 60: (90, 90), 75: (90, 90)}
    pairs |= {90: (45, 45), 105: (0, 0)}
    both.keys("upper", {frame: turn(side=-b, twist=t) for frame, (b, t) in pairs.items()})
    return [bend, twist, both]


def chain_file() -> bytes:
    """Return chain.glb: joints nearer to each other than their weights are wide.

    Around the middle joints three influences meet, which compensation by pairs cannot see.
    """
    names = ("root", "chain_01", "chain_02", "chain_03")
    joints = (0.0, 2.5, 4.0, 5.5)
    skeleton = upright(names, joints)
    shape = cylinder(1.0, LENGTH, 40, 80)
    weights = chained(shape.positions[:, 1], joints, sigma=1.0)
    curl, wave = Motion("Curl", skeleton), Motion("Wave", skeleton)
    angles = {0: 0, 20: 30, 30: 30, 50: 60, 65: 60, 85: 30, 105: 0}
    for name in names[1:]:
        curl.keys(name, {frame: turn(side=-angle) for frame, angle in angles.items()})
    frames = range(0, 61, 5)
    for i, name in enumerate(names[1:]):
        phases = {frame: 2.0 * np.pi * (frame / 60.0 - i / 4.0) for frame in frames}
        waves = {frame: turn(side=-35.0 * np.sin(phase)) for frame, phase in phases.items()}
        # The last key is the first one, to the bit.
        wave.keys(name, waves | {60: waves[0]})
    return assemble("Chain", skeleton, surface(shape, weights), [curl, wave])
