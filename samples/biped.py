"""biped.glb: a figure of clay with 65 joints, a clip through its range of motion and a walk."""

from assemble import Surface, assemble
from biped_mesh import biped_net
from biped_shape import body
from biped_skeleton import biped_skeleton
from biped_weights import biped_weights
from fields import gradient
from quaternions import unit
from range_of_motion import range_of_motion
from walk import walk


def biped_file() -> bytes:
    """Return biped.glb."""
    skeleton = biped_skeleton()
    net, image = biped_net()
    weights = biped_weights(net, image, skeleton)
    normals = unit(gradient(body, net.points))
    surface = Surface(net.points, normals, net.triangles, weights)
    return assemble("Body", skeleton, surface, [walk(skeleton), range_of_motion(skeleton)])
