"""What ufbx reads of a file: run as a program of its own, since a fault of it would end the tests.

``python ufbx_reads.py FILE OUT.npz`` writes weights, bind matrices, and where all nodes are at rest and at
some times of every clip, in seconds (rest has none). The bindings crash on what meshes have and on
instances, which are not asked for.
"""

import os
import sys

import numpy as np
import ufbx

# Letting go of anything that the bindings hand out crashes them sooner or later.
KEPT = []
SHARES = (0.0, 0.13, 0.5, 0.77, 1.0)


def kept(found):
    """Return something of the bindings' that is never let go of."""
    KEPT.append(found)
    return found


def each(found):
    return [kept(item) for item in kept(found)]


def matrix(found):
    columns = (found.c0, found.c1, found.c2, found.c3)
    return np.array([[c.x, c.y, c.z] for c in columns]).T


def span(scene, anim):
    """Return when a clip begins and ends: as its stack says, else as any curve does."""
    if anim.time_end > anim.time_begin:
        return anim.time_begin, anim.time_end
    curves = each(scene.anim_curves)
    return min((c.min_time for c in curves), default=0.0), max(
        (c.max_time for c in curves), default=0.0
    )


def states(scene):
    """Return the scene at rest and at times of its clips, and those times."""
    found, at = [scene], [np.nan]
    for stack in each(scene.anim_stacks):
        anim = kept(stack.anim)
        begin, end = span(scene, anim)
        times = [begin + share * (end - begin) for share in SHARES]
        found += [kept(scene.evaluate(anim, time)) for time in times]
        at += times
    return found, at


def main(path, out):
    scene = kept(ufbx.load_file(path))
    found = {"names": np.array([node.name for node in each(scene.nodes)])}
    found["unit"] = np.array(kept(scene.settings).unit_meters)
    for number, skin in enumerate(each(scene.skin_deformers)):
        clusters = each(skin.clusters)
        found[f"joints {number}"] = np.array([kept(c.bone_node).typed_id for c in clusters])
        found[f"binds {number}"] = np.array([matrix(c.geometry_to_bone) for c in clusters])
        weights = np.zeros((len(clusters), 1 + max(max(c.vertices, default=0) for c in clusters)))
        for row, cluster in zip(weights, clusters, strict=True):
            np.add.at(row, np.array(list(cluster.vertices), dtype=int), list(cluster.weights))
        found[f"weights {number}"] = weights
    scenes, times = states(scene)
    found["times"] = np.array(times)
    found["nodes"] = np.array([[matrix(n.node_to_world) for n in each(s.nodes)] for s in scenes])
    np.savez(out, **found)
    # What evaluating gave cannot be let go of without a crash.
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
