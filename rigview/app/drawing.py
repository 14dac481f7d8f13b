"""Draw a rig in a pose, without a window."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Unpack, cast

import numpy as np
from PIL import Image as Pillow

from rigview.app.arguments import (
    MethodSettings,
    clip_of,
    methods_of,
    one_of,
    options_of,
    rig_of,
    time_of,
    wrong_type,
)
from rigview.app.facts import PICTURE_SIDES
from rigview.app.posing import deformer_of
from rigview.core.clip import Clip
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.measures.joint_measures import MEASURES
from rigview.core.methods.posed import Skinned
from rigview.core.pose import sample
from rigview.core.rig import Rig
from rigview.core.skinning import DEFAULT_PANES, Method, Options
from rigview.core.stance import front
from rigview.core.text import unknown_name
from rigview.io import Loaded
from rigview.io.describe import frame_rate
from rigview.render.camera import VIEWS, Camera, View
from rigview.render.context import headless
from rigview.render.feedback import Feedback
from rigview.render.framing import reach, still_points, visible_points
from rigview.render.look import OVERLAYS, SHADINGS, Look, Shading
from rigview.render.motion import RigMotion
from rigview.render.review import Review, render
from rigview.render.vertex_stage import VertexStage

DEFAULT_SIZE = (1280, 720)


class ShotSettings(MethodSettings, total=False):
    """How a picture is drawn, as keywords.

    `size` is in pixels. `shading` is clay, textured, weights, joints, count, mask, difference or heat, and
    `measure` is what heat shows. `joint` selects a joint by name or number. The others are the overlays,
    and the options of the methods.
    """

    size: tuple[int, int]
    view: View
    shading: Shading
    measure: str
    joint: str | int | None
    transparent: bool
    bones: bool
    sticks: bool
    xray: bool
    wires: bool
    axes: bool
    names: bool
    grid: bool
    shadow: bool
    rest_ghost: bool
    bind_ghost: bool
    trail: bool
    bounds: bool


_METHOD_OPTIONS = frozenset(MethodSettings.__annotations__)


def shot(
    rig: Rig | Loaded,
    clip: str | int | Clip | None = None,
    time: float = 0.0,
    methods: str | Iterable[str] = DEFAULT_PANES,
    **settings: Unpack[ShotSettings],
) -> Pillow.Image:
    """Draw a rig in a pose, one pane per skinning method; no window and no display are needed.

    Parameters
    ----------
    rig
        The rig, or an opened file, whose name is written below the picture.
    clip, time
        As in `skin`.
    methods
        Ids of skinning methods, or "all".
    **settings
        ``size`` (1280 × 720), ``view`` ("three-quarter"), ``shading`` ("clay"), ``measure``, ``joint``,
        ``transparent``, the overlays (``bones``, ``wires``, ``names`` …), and the options of the methods.

    Returns
    -------
    The picture; its ``save`` writes it.

    Raises
    ------
    GLError
        If there is no driver that draws.
    """
    drawn = rig_of(rig)
    known = ShotSettings.__annotations__
    for name in settings:
        if name not in known:
            raise TypeError(unknown_name("setting", name, sorted(known)))
    chosen = clip_of(drawn, clip)
    at, panes = time_of(chosen, time), methods_of(methods)
    size, view = settings.get("size", DEFAULT_SIZE), settings.get("view", "three-quarter")
    one_of("view", view, VIEWS)
    motion = motion_of(
        deformer_of(drawn), chosen, rig.path.name if isinstance(rig, Loaded) else drawn.origin.title
    )
    frame, look = motion.frame(at), motion.shown(_look(drawn, settings))
    wanted = Review(panes, Camera(), look, _sides(size), caption=motion.caption(at))
    wanted = replace(wanted, camera=framed(motion.deformer, frame, wanted, view))
    with headless():
        return Pillow.fromarray(render(motion.deformer, frame, wanted))


def _sides(size: object) -> tuple[int, int]:
    """Return the sides of a picture.

    Raises
    ------
    TypeError, ValueError
        If a picture cannot have them.
    """
    least, most = PICTURE_SIDES
    match size:
        case (int() as width, int() as height):
            if not all(least <= side <= most for side in (width, height)):
                raise ValueError(f"size: sides of {least} to {most} pixels are wanted")
            return width, height
    raise wrong_type("size", "a pair of whole numbers", size)


def _look(rig: Rig, settings: ShotSettings) -> Look:
    """Return what a picture shows by its settings."""
    joint, measure = settings.get("joint"), settings.get("measure")
    if measure is not None:
        one_of("measure", measure, MEASURES)
    shading = settings.get("shading", "clay" if measure is None else "heat")
    one_of("shading", shading, SHADINGS)
    if joint is not None and not isinstance(joint, str | int):
        raise wrong_type("joint", "the name or number of a joint", joint)
    transparent = settings.get("transparent", False)
    options = {name: value for name, value in settings.items() if name in _METHOD_OPTIONS}
    overlays = {name: bool(value) for name, value in settings.items() if name in OVERLAYS}
    plain = {"bones": not rig.parts, "axes": False, "grid": not transparent}
    look = Look(
        shading=shading,
        measure=measure or Look.measure,
        joint=None if joint is None else rig.joint(joint),
        options=options_of(cast("MethodSettings", options)),
        transparent=transparent,
        hidden=rig.hidden,
    )
    return replace(look, **cast("dict[str, Any]", plain | overlays))


def motion_of(
    deformer: Deformer, clip: Clip | None, file: str, rate: float | None = None
) -> RigMotion:
    """Return a rig as a clip moves it.

    Parameters
    ----------
    file
        What the rig is called in pictures.
    rate
        Frames a second that pictures count; by default those of the file.
    """
    rig = deformer.rig
    own = clip in rig.clips
    name = None if clip is None else rig.clip_names[rig.clips.index(clip)] if own else clip.name
    return RigMotion(
        deformer, lambda time: sample(rig, clip, time), clip, file, name, rate or frame_rate(rig)
    )


def skinned_by_shaders(
    deformer: Deformer, frame: Frame, method: Method, options: Options, stage: VertexStage | None
) -> list[Skinned]:
    """Return all parts of a rig in a pose as the shaders skin them.

    Parameters
    ----------
    stage
        How an engine stores joints and weights; None for how rigview does.
    """
    with headless():
        feedback = Feedback(deformer, stage)
        try:
            return feedback.skin_all(frame, method.id, options)
        finally:
            feedback.close()


def framed(deformer: Deformer, frame: Frame, wanted: Review, view: View) -> Camera:
    """Return the camera that sees all of a pose from a side of the character."""
    clouds = visible_points(deformer, frame), still_points(deformer, wanted.look)
    camera = Camera().looking(view, front(deformer))
    far = reach(deformer, frame, clouds[0])
    return camera.framed(np.concatenate(clouds), wanted.aspect, far)
