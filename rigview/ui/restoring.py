"""Coming back to a view: what the session in a picture means for the rig that is open now."""

import math
from dataclasses import astuple
from typing import Any

from rigview.core.bones import AXES
from rigview.core.rig import Rig
from rigview.core.skinning import METHODS, Options
from rigview.render.camera import Camera
from rigview.render.look import SHADINGS
from rigview.render.session import Session

_MOST_PANES = 4


def view_of(session: Session, rig: Rig) -> dict[str, Any]:
    """Return the fields of the view state that a session sets.

    The file may have changed since, and text in a picture can hold anything: what does not fit the
    rig is left out.
    """
    look = session.look
    view: dict[str, Any] = {
        "playing": False,
        "joint": next((j for j in rig.joints if rig.nodes.label(j) == session.joint), None),
        "vertex": look.vertex,
        **{name: bool(getattr(look, name)) for name in ("bones", "xray", "axes", "names", "grid")},
    }
    view |= _place(session, rig)
    methods = tuple(m for m in session.methods if m in METHODS)[:_MOST_PANES]
    if methods:
        view["methods"], view["pane"] = methods, 0
    if look.shading in SHADINGS:
        view["shading"] = look.shading
    if _is_sound(session.camera):
        view["camera"] = session.camera
    if _is_valid(look.options):
        view["options"] = look.options
    return view


def _place(session: Session, rig: Rig) -> dict[str, Any]:
    """Return clip and time; a clip that is gone is replaced by the first one."""
    names = [clip.name or str(i) for i, clip in enumerate(rig.clips)]
    if session.clip is None or not rig.clips:
        return {"clip": None, "time": 0.0}
    number = names.index(session.clip) if session.clip in names else 0
    clip = rig.clips[number]
    time = session.time if math.isfinite(session.time) else clip.start
    return {"clip": number, "time": min(max(time, clip.start), clip.end)}


def _is_sound(camera: Camera) -> bool:
    try:
        numbers = [*map(float, camera.target), *map(float, astuple(camera)[1:])]
    except (TypeError, ValueError):
        return False
    return all(map(math.isfinite, numbers)) and camera.distance > 0.0 and camera.reach > 0.0


def _is_valid(options: Options) -> bool:
    known = options.axis in AXES and options.scale in ("vertex", "origin")
    strength = isinstance(options.strength, int | float) and 0.0 <= options.strength <= 1.0
    return known and strength and options.polynomial in ("p0", "p1", "c1")
