"""What methods do to a character over its range of motion: flipped faces and collapse."""

from dataclasses import dataclass

import numpy as np

from rigview.assets import resource
from rigview.core.deform import Deformer
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.motion.joint_limits import LimitTable
from rigview.core.motion.range_of_motion import range_of_motion
from rigview.core.pose import sample
from rigview.core.skinning import METHODS, Options


@dataclass(frozen=True)
class Measured:
    """One method over some poses: ``(T, R)`` flipped faces and collapse of every region."""

    flips: np.ndarray
    collapse: np.ndarray


def motion_of(rig):
    """Return the range of motion of a rig: the clip and the times of its extremes."""
    motion = range_of_motion(rig, LimitTable.of(resource("joint_limits.json")))
    return motion.clip, [step.time for step in motion.steps]


class Character:
    """A rig with what measures its joints."""

    def __init__(self, rig):
        self.rig = rig
        self.deformer = Deformer(rig)
        self.meter = JointMeter(self.deformer)
        self.regions = np.arange(len(self.meter.regions))
        self.joints = [rig.nodes.names[region.joint] for region in self.meter.regions.each]

    def measure(self, clip, times, methods):
        """Return method → `Measured` at some times of a clip."""
        rows = {method: ([], []) for method in methods}
        for time in times:
            pose = self.meter.pose(self.deformer.frame(sample(self.rig, clip, time)))
            for method in methods:
                flips, collapse = self._read(pose, METHODS[method])
                rows[method][0].append(flips)
                rows[method][1].append(collapse)
        return {m: Measured(np.array(flips), np.array(lost)) for m, (flips, lost) in rows.items()}

    def _read(self, pose, method):
        skinned = self.deformer.skin_all(pose.frame, method, Options())
        positions = self.meter.skin.posed(skinned)
        _, flipped = self.meter.surface.flipped(positions, self.regions)
        _, starts = self.meter.regions.faces.chosen(self.regions)
        before = np.concatenate([[0], np.cumsum(flipped)])
        collapse = self.meter.read(pose, skinned).values["collapse"]
        return before[starts[1:]] - before[starts[:-1]], np.nan_to_num(collapse)
