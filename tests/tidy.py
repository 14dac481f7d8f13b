"""The tidy rig of `rigs`: the numbers of its nodes, what tests change of it, and the rules that fit it."""

from dataclasses import replace

import numpy as np
import rigs

from rigview.check.catalogue import RULES
from rigview.check.run import run as run_all
from rigview.core import quat

ARMATURE, HIPS, SPINE, CHEST, HEAD, ARM, HAND, BODY = range(8)
JOINTS = [HIPS, SPINE, CHEST, HEAD, ARM, HAND]
# The tidy rig is a cloud of triangles: its set-up is sound, but no skinning keeps such a shape.
SHAPE = [rule.id for rule in RULES if rule.id.startswith("DEF-")] + ["MSH-BOUNDS"]


def run(rig, profile="gltf", **chosen):
    """Run the rules but those about shape."""
    return run_all(rig, profile, **chosen | {"ignore": [*chosen.get("ignore", ()), *SHAPE]})


def changed_keys(rig, node, path, function):
    """Return the clips with the values of one curve changed."""
    clips = []
    for clip in rig.clips:
        channels = tuple(
            replace(c, sampler=replace(c.sampler, values=function(c.sampler.values)))
            if (c.node, c.path) == (node, path)
            else c
            for c in clip.channels
        )
        clips.append(replace(clip, channels=channels))
    return tuple(clips)


def turned(degrees):
    """The arm's frame is turned about its z, everything else stays where it is."""
    rig = rigs.tidy()
    turn = quat.from_axis_angle((0.0, 0.0, 1.0), np.radians(degrees))
    back = quat.conjugate(turn)
    nodes = rig.nodes
    rotations, translations = nodes.rotations.copy(), nodes.translations.copy()
    rotations[ARM] = quat.multiply(rotations[ARM], turn)
    rotations[HAND] = quat.multiply(back, rotations[HAND])
    translations[HAND] = quat.rotate(back, translations[HAND])
    binds = rig.skins[0].inverse_binds.copy()
    binds[4, :3] = quat.to_matrix(back) @ binds[4, :3]
    clips = changed_keys(rig, ARM, "rotation", lambda v: quat.multiply(v, turn))
    rig = rigs.with_nodes(rig, rotations=rotations, translations=translations)
    return replace(rig, clips=clips).with_skin(0, replace(rig.skins[0], inverse_binds=binds))


def weights_with(*rows, rig=None):
    """Return the rig with rows of its weights changed: (vertex, row)."""
    rig = rig or rigs.tidy()
    weights = rig.meshes[0].primitives[0].influences.weights.copy()
    for vertex, row in rows:
        weights[vertex] = row
    return rigs.with_influences(rig, weights=weights)
