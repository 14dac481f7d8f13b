"""Names of joints on the picture: each beside its joint, and none over another."""

import numpy as np

from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.render.camera import Camera
from rigview.render.look import Look
from rigview.render.overlay import Label

# Pixels at design size: a letter of a name (of 1706 joint names in Inter the mean is 5.5, 99 of 100 have
# less than 6.2), its line, and the same of the selected joint's, whose box adds a margin.
_LETTER, _LINE = 6.2, 13.0
_BOLD_LETTER, _BOLD_LINE, _MARGINS = 7.0, 18.0, 12.0
# From a joint to its name, rightwards and down; the selected one's keeps off the bone.
_BESIDE = (6.0, -6.0)
_BESIDE_SELECTED = (14.0, 12.0)

# Left, top, right, bottom.
Box = tuple[float, float, float, float]


class _Room:
    """What of a pane is written on."""

    def __init__(self) -> None:
        # Per line of the picture the boxes that reach into it: few of all must be looked at.
        self._lines: dict[int, list[Box]] = {}

    def take(self, box: Box) -> bool:
        """Take a box if nothing is there yet."""
        lines = range(int(box[1] // _LINE), int(box[3] // _LINE) + 1)
        if any(_overlap(box, other) for line in lines for other in self._lines.get(line, ())):
            return False
        for line in lines:
            self._lines.setdefault(line, []).append(box)
        return True


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def joint_labels(
    deformer: Deformer, frame: Frame, look: Look, camera: Camera, size: tuple[float, float]
) -> list[Label]:
    """Return names: always of the selected joint, on its backing, and of the others if wanted.

    Where names would lie over one another those stay that a finding is about, then the nearest ones; to
    read the others one comes closer. Near the right edge a name stands to the left of its joint.
    """
    joints = _named(deformer, look)
    if not joints:
        return []
    width, height = size
    places = camera.project(frame.model_from_node[joints][:, :3, 3], width, height)
    x, y, depth = places.T
    seen = (x >= 0.0) & (x <= width) & (y >= 0.0) & (y <= height)
    involved = set(look.involved)
    # The selected one writes first, then those that a finding is about.
    rank = [0 if joint == look.joint else 1 if joint in involved else 2 for joint in joints]
    room = _Room()
    labels = []
    for i in map(int, np.lexsort((depth, rank))):
        if not seen[i]:
            continue
        text, chosen = deformer.rig.nodes.label(joints[i]), joints[i] == look.joint
        place = float(x[i]), float(y[i])
        label, box = (_selected if chosen else _quiet)(text, place, width)
        if room.take(box):
            labels.append(label)
    # The selected one last, so that it lies on top.
    return labels[::-1]


def _named(deformer: Deformer, look: Look) -> list[int]:
    joints = list(map(int, deformer.skeleton.joints)) if look.names else []
    if look.marks and look.joint is not None and look.joint not in joints:
        joints.append(look.joint)
    return joints


def _selected(text: str, place: tuple[float, float], width: float) -> tuple[Label, Box]:
    left, top = place[0] + _BESIDE_SELECTED[0], place[1] + _BESIDE_SELECTED[1]
    long = _BOLD_LETTER * len(text) + _MARGINS
    # What writes it keeps it within the pane.
    start = min(left, width - long)
    box = (start, top, start + long, top + _BOLD_LINE)
    return Label(text, left, top, "text", backed=True), box


def _quiet(text: str, place: tuple[float, float], width: float) -> tuple[Label, Box]:
    long, middle = _LETTER * len(text), place[1] + _BESIDE[1]
    ends = place[0] + _BESIDE[0] + long > width and place[0] - _BESIDE[0] - long > 0.0
    left = place[0] - _BESIDE[0] if ends else place[0] + _BESIDE[0]
    start = left - long if ends else left
    box = (start, middle - 0.5 * _LINE, start + long, middle + 0.5 * _LINE)
    return Label(text, left, middle, "text2", small=True, ends=ends), box
