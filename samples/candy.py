"""candy.glb: the biped, whose left hand twists by 170°: linear skinning wraps the wrist like a sweet."""

from assemble import Surface, assemble
from biped_mesh import biped_net
from biped_shape import body
from biped_skeleton import biped_skeleton
from biped_weights import biped_weights
from fields import gradient
from motion import Motion, turn
from quaternions import unit
from skeleton import Skeleton

HAND, DEGREES = "hand_l", 170.0
# Frames of the twist's start, its full angle and its end; keys stand at every fifth.
FRAMES, WORST, EVERY = 30, 15, 5


def candy_file() -> bytes:
    """Return candy.glb."""
    skeleton = biped_skeleton()
    net, image = biped_net()
    weights = biped_weights(net, image, skeleton)
    normals = unit(gradient(body, net.points))
    surface = Surface(net.points, normals, net.triangles, weights)
    return assemble("Body", skeleton, surface, [candy_wrapper(skeleton)])


def candy_wrapper(skeleton: Skeleton) -> Motion:
    """Return the clip: the hand alone turns about its own bone, as if no forearm went with it."""
    motion = Motion("Candy_Wrapper", skeleton)
    for frame in range(0, FRAMES + 1, EVERY):
        share = 1.0 - abs(frame - WORST) / WORST
        motion.key(frame, HAND, turn(twist=DEGREES * share))
    return motion
