"""Names of joints on the picture: each beside its joint, and none over another."""

from collections.abc import Sequence

import numpy as np

from rigview.core import escape
from rigview.core.arrays import FloatArray
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.text import shortened
from rigview.render.camera import Camera
from rigview.render.look import Look
from rigview.render.overlay import Label

# Pixels at design size: a letter of a name (of 1706 joint names in Inter the mean is 5.5, 99 of 100 have
# less than 6.2), its line, and the same of the selected joint's, whose box adds a margin.
_LETTER, _LINE = 6.2, 13.0
_BOLD_LETTER, _BOLD_LINE, _MARGINS = 7.0, 18.0, 12.0
# A name takes so much of a pane's width, so that there is room for it on one side of its joint, and has so
# many letters at any rate: longer ones are shortened.
_SHARE, _FEWEST = 0.45, 12
# From a joint to its name, rightwards and down; the selected one's keeps off the bone.
_BESIDE = (6.0, -6.0)
_BESIDE_SELECTED = (14.0, 12.0)

# Left, top, right, bottom.
Box = tuple[float, float, float, float]
# Of a quiet name: where it starts, or ends, its middle, and whether it ends there.
Place = tuple[float, float, bool]


class _Room:
    """What of a pane is written on."""

    def __init__(self) -> None:
        # Per line of the picture the boxes that reach into it: few of all must be looked at.
        self._lines: dict[int, list[Box]] = {}

    def take(self, box: Box) -> bool:
        """Take a box if nothing is there yet."""
        left, top, right, bottom = box
        lines = range(int(top // _LINE), int(bottom // _LINE) + 1)
        for line in lines:
            for other in self._lines.get(line, ()):
                if left < other[2] and other[0] < right and top < other[3] and other[1] < bottom:
                    return False
        for line in lines:
            self._lines.setdefault(line, []).append(box)
        return True


def joint_labels(
    deformer: Deformer,
    frame: Frame,
    look: Look,
    camera: Camera,
    size: tuple[float, float],
    covered: Sequence[Box] = (),
) -> list[Label]:
    """Return names: always of the selected joint, on its backing, and of the others if wanted.

    Where names would lie over one another those stay that a finding is about, then the nearest ones; to
    read the others one comes closer. Near the right edge a name stands to the left of its joint.

    Parameters
    ----------
    covered
        Where something else is written, over which no name may lie.
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
    most = max(_FEWEST, int(_SHARE * width / _LETTER))
    # The selected one has the whole width.
    of_selected = max(most, int((width - _MARGINS) / _BOLD_LETTER))
    names = [escape.label(deformer.rig.nodes.label(joint)) for joint in joints]
    texts = [
        shortened(name, of_selected if joint == look.joint else most)
        for name, joint in zip(names, joints, strict=True)
    ]
    quiet, boxes = _quiet(texts, places, width)
    room = _Room()
    for box in covered:
        room.take(box)
    labels = []
    order = np.lexsort((depth, rank))
    for i in order[seen[order]].tolist():
        if joints[i] == look.joint:
            label, box = _selected(texts[i], (float(x[i]), float(y[i])), width)
            if room.take(box):
                labels.append(label)
        elif room.take(boxes[i]):
            left, middle, ends = quiet[i]
            labels.append(Label(texts[i], left, middle, "text2", small=True, ends=ends))
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


def _quiet(texts: Sequence[str], places: FloatArray, width: float) -> tuple[list[Place], list[Box]]:
    """Return where each name is written, at ``(n, 3)`` places, and what it covers."""
    long = _LETTER * np.array(list(map(len, texts)), dtype=np.float64)
    x, middle = places[:, 0], places[:, 1] + _BESIDE[1]
    ends = (x + _BESIDE[0] + long > width) & (x - _BESIDE[0] - long > 0.0)
    left = np.where(ends, x - _BESIDE[0], x + _BESIDE[0])
    start = np.where(ends, left - long, left)
    box = [start, middle - 0.5 * _LINE, start + long, middle + 0.5 * _LINE]
    written = zip(left.tolist(), middle.tolist(), ends.tolist(), strict=True)
    return list(written), list(map(tuple, np.stack(box, axis=1).tolist()))
