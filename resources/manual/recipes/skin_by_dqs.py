"""Tell how far DQS moves the skin from LBS in a pose: ``python skin_by_dqs.py hero.glb Walk 0.5``."""

import sys

import numpy as np

import rigview

path, clip, time = sys.argv[1], sys.argv[2], float(sys.argv[3])
rig = rigview.load(path).rig
linear = rigview.skin(rig, clip, time, "lbs")
dual = rigview.skin(rig, clip, time, "dqs")
apart = np.linalg.norm(dual.positions - linear.positions, axis=1)
print(
    f"{len(apart)} vertices, at most {1000 * apart.max():.1f} mm apart, at vertex {apart.argmax()}"
)
