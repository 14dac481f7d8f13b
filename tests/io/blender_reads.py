"""What Blender's importer makes of FBX files: run as a program of its own.

``python blender_reads.py OUT.npz FILE …`` writes, for each file, where the joints and the vertices of all
meshes are at some frames, in Blender's world.
"""

import sys

import bpy
import numpy as np

FRAMES = (1, 7, 13)


def places(object_, depsgraph):
    """Return ``(n, 3)`` joints of an armature, or vertices of a mesh as it is posed."""
    if object_.type == "ARMATURE":
        bones = sorted(object_.pose.bones, key=lambda bone: bone.name)
        return [tuple((object_.matrix_world @ bone.matrix).translation) for bone in bones]
    posed = object_.evaluated_get(depsgraph)
    return [tuple(object_.matrix_world @ v.co) for v in posed.to_mesh().vertices]


def main(out, *paths):
    found = {}
    for number, path in enumerate(paths):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.ops.import_scene.fbx(filepath=path)
        for frame in FRAMES:
            bpy.context.scene.frame_set(frame)
            depsgraph = bpy.context.evaluated_depsgraph_get()
            for one in bpy.data.objects:
                if one.type in ("ARMATURE", "MESH"):
                    found[f"{number} {frame} {one.name}"] = np.array(places(one, depsgraph))
    np.savez(out, **found)


if __name__ == "__main__":
    main(*sys.argv[1:])
