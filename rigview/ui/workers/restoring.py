"""What is looked at when a file is opened, opened again, or restored from a picture's session."""

import math
from dataclasses import astuple
from typing import Any

from rigview.check.catalogue import BY_ID
from rigview.check.rule import Finding
from rigview.core.rig import Rig
from rigview.core.skinning import ASKED, fault
from rigview.io.describe import frame_rate
from rigview.render.camera import Camera
from rigview.render.look import OVERLAYS, SHADINGS
from rigview.render.session import Session
from rigview.ui.view_state import MOST_PANES, ViewState

# Nothing chosen, tried out or hidden.
_ABOUT_NOTHING: dict[str, Any] = {
    "joint": None,
    "vertex": None,
    "marked": (),
    "involved": (),
    "trial": {},
    "correctives": (),
    "hidden": frozenset(),
}


def view_at_first(rig: Rig) -> dict[str, Any]:
    """Return the fields of the view state for a rig that nobody has looked at yet."""
    return {
        "clip": 0 if rig.clips else None,
        "time": rig.clips[0].start if rig.clips else 0.0,
        "playing": False,
        "stretch": None,
        **_ABOUT_NOTHING,
        "hidden": rig.hidden,
        "fps": frame_rate(rig),
        "camera": Camera(),
    }


def panes_at_first(
    rig: Rig, methods: tuple[str, ...], before: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return by what a rig's panes are skinned, and what the panes are to be with the next rig.

    Where nothing is skinned all methods would show the same: one pane will do until a rig has a skin.

    Parameters
    ----------
    methods
        Of the panes as they are.
    before
        What was returned second for the rig before, or nothing.
    """
    if any(part.skin is not None for part in rig.parts):
        # Who has added panes beside the one meant those.
        return (before if before and len(methods) == 1 else methods), ()
    return methods[:1], before if len(methods) == 1 else methods


def view_kept(view: ViewState, rig: Rig, *, same_nodes: bool) -> dict[str, Any]:
    """Return the fields that change when the open file is read again: as few as can be."""
    kept: dict[str, Any] = {"playing": False}
    if view.clip is None or view.clip >= len(rig.clips):
        kept |= {"clip": None, "time": 0.0}
    else:
        clip = rig.clips[view.clip]
        kept["time"] = min(max(view.time, clip.start), clip.end)
    if not same_nodes:
        kept |= {**_ABOUT_NOTHING, "hidden": rig.hidden}
    return kept


def view_of_finding(finding: Finding, rig: Rig) -> dict[str, Any]:
    """Return the fields that show what a finding is about, where and when it is worst."""
    view: dict[str, Any] = {
        "marked": (),
        "involved": finding.joints,
        "joint": None,
        "vertex": None,
    }
    clips = [clip.name for clip in rig.clips]
    if finding.clip in clips and finding.time is not None:
        view |= {"clip": clips.index(finding.clip), "time": finding.time, "playing": False}
    if finding.joints:
        view["joint"] = finding.joints[0]
    if finding.vertices is not None and finding.vertices.ids:
        part = rig.parts.index(finding.vertices.part)
        view["marked"] = ((part, finding.vertices.ids),)
        if not finding.joints:
            view["vertex"] = (part, finding.vertices.ids[0])
    if finding.rule.startswith("WGT-"):
        view["shading"] = "weights" if finding.joints else "count"
    return view | dict.fromkeys(BY_ID[finding.rule].overlays, True)


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
        **{name: bool(getattr(look, name)) for name in OVERLAYS},
    }
    view |= _place(session, rig)
    methods = tuple(m for m in session.methods if m in ASKED)[:MOST_PANES]
    if methods:
        view["methods"], view["pane"] = methods, 0
    if look.shading in SHADINGS:
        view["shading"] = look.shading
    if _is_sound(session.camera):
        view["camera"] = session.camera
    if fault(look.options) is None:
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
