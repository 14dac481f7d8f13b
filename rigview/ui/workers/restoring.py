"""What is looked at when a file is opened, opened again, or restored from a picture's session."""

from typing import Any

from rigview.check.catalogue import BY_ID
from rigview.check.rule import Finding
from rigview.check.rules.weights import sums
from rigview.core.rig import Rig
from rigview.io.describe import frame_rate
from rigview.render.camera import Camera
from rigview.render.look import OVERLAYS
from rigview.render.session import Session
from rigview.ui.view_state import MOST_PANES, ViewState
from rigview.ui.widgets.words import tr

# Nothing chosen, tried out or hidden.
_ABOUT_NOTHING: dict[str, Any] = {
    "joints": (),
    "vertex": None,
    "marked": (),
    "involved": (),
    "chosen": (),
    "locked": frozenset(),
    "trial": {},
    "morphs": {},
    "correctives": (),
    "hidden": frozenset(),
}


def view_at_first(rig: Rig, facing: float = 0.0) -> dict[str, Any]:
    """Return the fields of the view state for a rig that nobody has looked at yet."""
    number = rig.default_clip
    return {
        "clip": number,
        "time": 0.0 if number is None else rig.clips[number].start,
        "playing": False,
        "stretch": None,
        **_ABOUT_NOTHING,
        "hidden": rig.hidden,
        "fps": frame_rate(rig),
        "apart": {},
        "linked_camera": Camera().looking("three-quarter", facing),
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


def weights_shown(finding: Finding) -> dict[str, Any]:
    """Return the field that shows weights as in the file where they are what a finding is about.

    Divided by their sum they would not show it.
    """
    return {"weights": "literal"} if finding.rule == sums.id else {}


def view_of_finding(finding: Finding, rig: Rig) -> dict[str, Any]:
    """Return the fields that show what a finding is about, where and when it is worst."""
    view: dict[str, Any] = {
        "marked": (),
        "involved": finding.joints,
        "joint": None,
        "vertex": None,
    }
    clips = [clip.name for clip in rig.clips]
    if finding.motion is not None:
        view["playing"] = False
    elif finding.clip in clips and finding.time is not None:
        view |= {"clip": clips.index(finding.clip), "time": finding.time, "playing": False}
    if finding.joints:
        view["joint"] = finding.joints[0]
    if finding.vertices is not None and finding.vertices.ids:
        view["marked"] = tuple(
            (rig.parts.index(vertices.part), vertices.ids) for vertices in finding.all_vertices
        )
        if not finding.joints:
            view["vertex"] = (rig.parts.index(finding.vertices.part), finding.vertices.ids[0])
    view |= weights_shown(finding)
    if finding.rule.startswith("WGT-"):
        view["shading"] = "weights" if finding.joints else "count"
    if finding.measure:
        view |= {"shading": "heat", "measure": finding.measure}
    return view | dict.fromkeys(BY_ID[finding.rule].overlays, True)


def view_of(session: Session, rig: Rig, made: int | None = None) -> dict[str, Any]:
    """Return the fields of the view state that a session sets.

    The file may have changed since: a joint or a clip that it has no more is left out.

    Parameters
    ----------
    made
        The number of the session's clip where it was made again (`Session.made`).
    """
    look = session.look
    return {
        "playing": False,
        "joint": next((j for j in rig.joints if rig.nodes.label(j) == session.joint), None),
        "vertex": look.vertex,
        **{name: getattr(look, name) for name in OVERLAYS},
        **_place(session, rig, made),
        "methods": session.methods[:MOST_PANES],
        "pane": 0,
        "shading": look.shading,
        "file_look": look.file_look,
        "apart": {n: camera for n, camera in session.cameras.items() if n < MOST_PANES},
        "linked_camera": session.camera,
        "options": look.options,
        "weights": session.weights,
    }


def missing_clip(session: Session, rig: Rig) -> str:
    """Return why the clip of a session cannot be shown, where it is one of the file; empty where it can."""
    if session.clip is None or session.made is not None or session.clip in rig.clip_names:
        return ""
    return tr("the file has no clip {clip}", clip=session.clip)


def _place(session: Session, rig: Rig, made: int | None) -> dict[str, Any]:
    """Return clip and time; in place of a clip that is gone the rest pose is shown."""
    names, number = rig.clip_names, made
    if session.made is None and session.clip in names:
        number = names.index(session.clip)
    if session.clip is None or number is None:
        return {"clip": None, "time": 0.0}
    clip = rig.clips[number]
    return {"clip": number, "time": min(max(session.time, clip.start), clip.end)}
