"""Print where a joint is in every frame of a clip: ``python sample_clip.py hero.glb Walk hand_l``."""

import sys

import numpy as np

import rigview
from rigview.core.pose import model_from_nodes, sample

path, clip_name, joint_name = sys.argv[1:]
rig = rigview.load(path).rig
clip, joint = rig.clip(clip_name), rig.joint(joint_name)
times = np.arange(clip.start, clip.end, 1 / 30)
model_from_joint = model_from_nodes(rig, sample(rig, clip, times))[:, joint]
for time, (x, y, z) in zip(times, model_from_joint[:, :3, 3], strict=True):
    print(f"{time:6.3f} s  x {x:7.3f}  y {y:7.3f}  z {z:7.3f}")
