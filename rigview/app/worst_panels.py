"""Pictures of joints in their worst poses: heat, from the side that shows it, one pane per method."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rigview.core.arrays import ByteArray
from rigview.core.clip import Clip
from rigview.core.frame import Frame
from rigview.core.measures.joint_measures import MEASURES
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.measures.measure_words import limit_said, said
from rigview.core.measures.side_view import side_view
from rigview.core.measures.worst_poses import WorstPose
from rigview.core.pose import sample
from rigview.core.skinning import ASKED
from rigview.render.camera import Camera
from rigview.render.framing import watching
from rigview.render.look import Look
from rigview.render.review import Review, easel

# Width over height of a pane: a joint is about as wide as it is high.
_PANE = 1.1


@dataclass(frozen=True)
class WorstPanel:
    """A joint region in a pose.

    Parameters
    ----------
    clip
        None for the rest pose.
    words
        What stands below the picture.
    """

    clip: Clip | None
    time: float
    region: int
    method: str
    measure: str
    words: str


def panel_of(meter: JointMeter, clip: Clip, worst: WorstPose) -> WorstPanel:
    """Return the panel of a worst pose: joint, measure, values under each method, turn, clip and time."""
    joint = meter.deformer.rig.nodes.label(worst.joint)
    return WorstPanel(
        clip,
        worst.time,
        worst.region,
        worst.method,
        worst.measure,
        f"{joint}: {words(worst.measure, worst.values, worst.limit)}; "
        f"bend {math.degrees(worst.turn.bend):.0f}°, twist {abs(math.degrees(worst.turn.twist)):.0f}°; "
        f"{clip.name} {worst.time:.2f} s",
    )


def words(measure: str, values: Mapping[str, float], limit: float) -> str:
    """Return "collapse LBS −93 %, DQS −24 % (limit 35 %)"."""
    known = ", ".join(
        f"{ASKED[method].label} {said(measure, value)}" for method, value in values.items()
    )
    return f"{MEASURES[measure].title.lower()} {known} (limit {limit_said(measure, limit)})"


def review_of(
    meter: JointMeter,
    frame: Frame,
    panel: WorstPanel,
    look: Look,
    size: tuple[int, int],
    methods: Sequence[str],
) -> Review:
    """Return what to draw: the region from its side, in the heat of its measure."""
    pose = meter.pose(frame)
    skinned = meter.deformer.skin_all(frame, ASKED[panel.method], look.options)
    view = side_view(meter, pose, panel.region, meter.skin.posed(skinned))
    shown = replace(look, shading="heat", measure=panel.measure, marks=False)
    wanted = Review(tuple(methods), Camera(), shown, size, numbers=True, caption=panel.words)
    camera = watching(view, Camera(reach=float(meter.deformer.size)), wanted.aspect)
    return replace(wanted, camera=camera)


def sheet(
    meter: JointMeter,
    panels: Sequence[WorstPanel],
    look: Look,
    size: tuple[int, int],
    methods: Sequence[str],
    tell: Callable[[str, float], None],
) -> ByteArray:
    """Return a picture ``(H, W, 4)`` of all panels in a grid; needs a current context."""
    columns, rows = grid(len(panels), size[0] / size[1], _PANE * len(methods))
    width, height = size[0] // columns, size[1] // rows
    picture = np.zeros((size[1], size[0], 4), dtype=np.uint8)
    picture[..., 3] = 0 if look.transparent else 255
    deformer = meter.deformer
    with easel(deformer) as paint:
        for number, panel in enumerate(panels):
            tell(f"picture {number + 1} of {len(panels)}", number / len(panels))
            frame = deformer.frame(sample(deformer.rig, panel.clip, panel.time))
            drawn = paint(
                frame, review_of(meter, frame, panel, look, (width - 2, height - 2), methods)
            )
            y, x = (number // columns) * height, (number % columns) * width
            picture[y : y + drawn.shape[0], x : x + drawn.shape[1]] = drawn
    return picture


def grid(count: int, aspect: float, panel: float) -> tuple[int, int]:
    """Return the columns and rows in which so many panels of an aspect are largest."""
    best = max(
        range(1, count + 1),
        key=lambda columns: min(aspect / columns / panel, 1.0 / math.ceil(count / columns)),
    )
    return best, math.ceil(count / best)
