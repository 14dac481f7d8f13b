"""What a picture shows, as text inside its PNG: enough to come back to it."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from rigview.assets import resource
from rigview.core.measures.joint_measures import MEASURES
from rigview.core.mesh import WEIGHTS, Weights
from rigview.core.skinning import ASKED, Options, fault
from rigview.render.camera import Camera
from rigview.render.look import OVERLAYS, SHADINGS, Look

_KEY = "rigview"


@dataclass(frozen=True)
class Recipe:
    """How a clip was made that the session's file does not have.

    Parameters
    ----------
    kind
        A range of motion is made of the rig alone; a borrowed clip is one of another file, and a
        retargeted one was fitted to this rig.
    file, sha256, clip
        Of a borrowed or retargeted clip: the other file, its hash, and what the clip is called there.
    """

    kind: Literal["range of motion", "borrowed", "retargeted"]
    file: str = ""
    sha256: str = ""
    clip: str = ""


_KINDS = ("range of motion", "borrowed", "retargeted")


@dataclass(frozen=True)
class Session:
    """A place in a file: clip, time, camera, panes and selection.

    Parameters
    ----------
    sha256
        Of the file, to tell whether it changed since.
    joint
        The selected joint's name.
    camera
        Of all panes that have none of their own.
    cameras
        Pane → its own camera.
    made
        How the clip was made; None for one that the file has.
    weights
        How those that do not sum to one are drawn.
    look
        Which vertex is selected, too; joints and meshes it names by number are not kept.
    """

    file: str
    sha256: str
    clip: str | None
    time: float
    methods: tuple[str, ...]
    camera: Camera
    look: Look
    joint: str | None = None
    weights: Weights = "normalised"
    made: Recipe | None = None
    cameras: Mapping[int, Camera] = field(default_factory=dict)

    def text(self) -> dict[str, str]:
        """Return the PNG text: one key a fact for people, and all of it as JSON for rigview."""
        camera = asdict(self.camera)
        names = ("shading", "file_look", "measure", *OVERLAYS, "theme")
        look = {name: getattr(self.look, name) for name in names}
        everything = {
            "version": 1,
            "file": self.file,
            "sha256": self.sha256,
            "clip": self.clip,
            "time": self.time,
            "methods": list(self.methods),
            "camera": camera,
            "cameras": {str(pane): asdict(own) for pane, own in self.cameras.items()},
            "look": look,
            "options": asdict(self.look.options),
            "weights": self.weights,
            "made": None if self.made is None else asdict(self.made),
            "joint": self.joint,
            "vertex": self.look.vertex,
        }
        return {
            "Software": "rigview",
            "file": self.file,
            "clip": self.clip or "none",
            "time": f"{self.time:.6f} s",
            "camera": json.dumps(camera),
            "methods": ",".join(self.methods),
            _KEY: json.dumps(everything),
        }


def from_text(text: Mapping[str, str]) -> Session | None:
    """Return the session that a PNG carries; None where it carries none, or one that is damaged."""
    try:
        saved: dict[str, Any] = json.loads(text[_KEY])
        profile = saved["options"].get("polynomial")
        if isinstance(profile, list):
            saved["options"]["polynomial"] = tuple(profile)
        # An option of earlier versions: the capsule folds no crease any more.
        saved["options"].pop("crease", None)
        vertex = saved["vertex"]
        look = Look(
            shading=saved["look"]["shading"],
            measure=saved["look"].get("measure", "collapse"),
            theme=saved["look"]["theme"],
            # What an earlier version did not know it did not draw.
            **{name: saved["look"].get(name, False) for name in (*OVERLAYS, "file_look")},
            options=Options(**saved["options"]),
            vertex=None if vertex is None else (int(vertex[0]), int(vertex[1])),
        )
        session = Session(
            file=str(saved["file"]),
            sha256=str(saved["sha256"]),
            clip=None if saved["clip"] is None else str(saved["clip"]),
            time=float(saved["time"]),
            methods=tuple(str(m) for m in saved["methods"]),
            camera=_camera(saved["camera"]),
            look=look,
            joint=None if saved["joint"] is None else str(saved["joint"]),
            # An earlier version knew no other.
            weights=saved.get("weights", "literal"),
            made=None if saved.get("made") is None else Recipe(**saved["made"]),
            # In an earlier version all panes had one.
            cameras={int(n): _camera(own) for n, own in saved.get("cameras", {}).items()},
        )
    except (AttributeError, KeyError, TypeError, ValueError, IndexError):
        return None
    return session if _sound(session) else None


def _camera(saved: Mapping[str, Any]) -> Camera:
    x, y, z = saved["target"]
    return Camera(**{**saved, "target": (float(x), float(y), float(z))})


def _sound(session: Session) -> bool:
    """Tell whether everything in a session can be shown: text can be edited, and versions differ."""
    look = session.look
    switches = [look.file_look, *(getattr(look, name) for name in OVERLAYS)]
    return (
        bool(session.methods)
        and set(session.methods) <= set(ASKED)
        and _finite(session.time)
        and all(map(_sees, (session.camera, *session.cameras.values())))
        and all(0 <= pane < len(session.methods) for pane in session.cameras)
        and look.shading in SHADINGS
        and look.measure in MEASURES
        and look.theme in resource("theme.json")
        and all(isinstance(switch, bool) for switch in switches)
        and session.weights in WEIGHTS
        and (session.made is None or _is_recipe(session.made))
        and fault(look.options) is None
    )


def _sees(camera: Camera) -> bool:
    numbers = (*camera.target, camera.distance, camera.yaw, camera.pitch, camera.fov, camera.reach)
    return (
        all(map(_finite, numbers))
        and min(camera.distance, camera.reach, camera.fov) > 0.0
        and camera.fov < math.pi
        and isinstance(camera.orthographic, bool)
    )


def _is_recipe(made: Recipe) -> bool:
    words = (made.file, made.sha256, made.clip)
    return made.kind in _KINDS and all(isinstance(word, str) for word in words)


def _finite(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)
