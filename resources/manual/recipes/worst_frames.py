"""Name the worst pose of the worst joints in a range of motion: ``python worst_frames.py hero.glb``."""

import sys

import rigview

measured = rigview.measure(rigview.load(sys.argv[1]), "rom", ["lbs", "dqs"])
for worst in measured.joints[:5]:
    joint = measured.rig.nodes.label(worst.joint)
    times_limit = f"{worst.severity:.2f} × its limit"
    print(f"{joint}: {worst.measure} {times_limit} under {worst.method} at {worst.time:.2f} s")
