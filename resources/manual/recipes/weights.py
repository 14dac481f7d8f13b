"""List the vertices that more joints move than an engine takes: ``python weights.py hero.glb 4``."""

import sys

import rigview

path, most = sys.argv[1], int(sys.argv[2])
rig = rigview.load(path).rig
for part in rig.parts:
    influences = rig.primitive(part).influences
    if influences is None or part.skin is None:
        continue
    joints = rig.skins[part.skin].joints
    heaviest = influences.heaviest
    many = (influences.per_vertex > most).nonzero()[0]
    print(f"{rig.meshes[part.mesh].name}: {len(many)} vertices follow more than {most} joints")
    for vertex in many[:5]:
        print(f"  vertex {vertex}, most of all {rig.nodes.label(joints[heaviest[vertex]])}")
