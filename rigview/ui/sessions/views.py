"""How a rig is looked at, as JSON and back: any field that does not fit the rig stays as it is at first."""

import math
from collections.abc import Callable
from dataclasses import fields
from typing import Any, get_args, get_origin, get_type_hints

import msgspec

from rigview.core.measures.joint_measures import MEASURES
from rigview.core.rig import Rig
from rigview.core.skinning import ASKED, fault
from rigview.ui.view_state import MOST_PANES, ViewState

# What is the window's, or means nothing once the window is another; a new field is kept unless named here.
_LEFT = {
    "theme",
    "playing",
    "brush",
    "weight_brush",
    "rotating",
    "lasso",
    "drags_joints",
    "marked",
    "involved",
    "chosen",
}
# What names clips, nodes and vertices by number, which mean others once the file has changed.
_NUMBERED = {
    "clip",
    "time",
    "stretch",
    "joints",
    "vertex",
    "locked",
    "trial",
    "morphs",
    "correctives",
    "hidden",
}


def view_to_json(view: ViewState) -> dict[str, Any]:
    """Return what is kept of a view."""
    kept = {f.name: getattr(view, f.name) for f in fields(view) if f.name not in _LEFT}
    # Keys that are no texts cannot stand in JSON.
    pairs = {n: list(v.items()) if isinstance(v, dict) else v for n, v in kept.items()}
    plain: dict[str, Any] = msgspec.to_builtins(pairs)
    return plain


def view_from_json(stored: dict[str, Any], rig: Rig, *, same_file: bool) -> dict[str, Any]:
    """Return the fields of a view that can be shown of a rig.

    Parameters
    ----------
    same_file
        Whether the rig's file is the one that was looked at.
    """
    hints = get_type_hints(ViewState)
    view: dict[str, Any] = {}
    if isinstance(stored.get("joint"), int):
        # Before there could be several, one joint was kept.
        stored = {"joints": [stored["joint"]], **stored}
    if "camera" in stored:
        # Before panes could have their own, all shared one.
        stored = {"linked_camera": stored["camera"], **stored}
    for name, value in stored.items():
        known = name in hints and name not in _LEFT
        if not known or (name in _NUMBERED and not same_file):
            continue
        found = _converted(value, hints[name])
        sound = _SOUND.get(name)
        if found is not _NOTHING and (sound is None or sound(found, rig)):
            view[name] = found
    if "pane" in view and view["pane"] not in range(len(view.get("methods", ()))):
        del view["pane"]
    return view


class _Nothing:
    """Stands for a value that does not fit."""


_NOTHING = _Nothing()


def _converted(value: object, hint: Any) -> Any:  # noqa: ANN401 - of any type hint
    try:
        if get_origin(hint) is dict:
            key, part = get_args(hint)
            return dict(msgspec.convert(value, list[tuple[key, part]]))  # type: ignore[valid-type]
        return msgspec.convert(value, hint)
    except msgspec.ValidationError:
        return _NOTHING


def _is_camera(camera: Any, _rig: Rig) -> bool:  # noqa: ANN401 - as below
    numbers = (*camera.target, camera.yaw, camera.pitch, camera.distance, camera.fov, camera.reach)
    least = min(camera.distance, camera.reach, camera.fov)
    return all(map(math.isfinite, numbers)) and least > 0.0 and camera.fov < math.pi


def _has_target(rig: Rig, node: int, target: int) -> bool:
    mesh = rig.node_meshes[node] if 0 <= node < len(rig.nodes) else None
    return mesh is not None and 0 <= target < len(rig.meshes[mesh].morph_weights)


# Field → whether a value of its type can be shown of a rig.
_SOUND: dict[str, Callable[[Any, Rig], bool]] = {
    "clip": lambda clip, rig: clip is None or 0 <= clip < len(rig.clips),
    "time": lambda time, _: math.isfinite(time),
    "speed": lambda speed, _: 0.0 < speed < 100.0,
    "fps": lambda fps, _: 0.0 < fps < 10_000.0,
    "joints": lambda joints, rig: all(0 <= joint < len(rig.nodes) for joint in joints),
    "hidden": lambda hidden, rig: all(0 <= node < len(rig.nodes) for node in hidden),
    "locked": lambda locked, rig: all(joint in rig.joints for joint in locked),
    "trial": lambda trial, rig: all(joint in rig.joints for joint in trial),
    "morphs": lambda morphs, rig: all(_has_target(rig, *key) for key in morphs),
    "correctives": lambda them, rig: all(c.curve and c.fits(rig) for c in them),
    "measure": lambda measure, _: measure in MEASURES,
    "methods": lambda methods, _: 0 < len(methods) <= MOST_PANES and set(methods) <= set(ASKED),
    "options": lambda options, _: fault(options) is None,
    "linked_camera": _is_camera,
    "apart": lambda apart, rig: all(
        0 <= pane < MOST_PANES and _is_camera(camera, rig) for pane, camera in apart.items()
    ),
}
