"""Say what changed between two versions of a rig: ``python compare.py hero.v1.glb hero.v2.glb``."""

import sys

import rigview

before, after = map(rigview.load, sys.argv[1:])
changes = rigview.diff(before, after)
if changes.same:
    print("nothing changed")
for joint in changes.pairing.joints.added:
    print(f"new joint: {after.rig.nodes.label(joint)}")
for joint in changes.pairing.joints.removed:
    print(f"joint is gone: {before.rig.nodes.label(joint)}")
print(f"{len(changes.joints)} joints and {len(changes.binds)} binds differ")
for worst in changes.motion.worst:
    clip = "the rest pose" if worst.clip is None else after.rig.clip_names[worst.clip]
    print(f"in {clip} the skin is up to {1000 * worst.distance:.2f} mm elsewhere")
