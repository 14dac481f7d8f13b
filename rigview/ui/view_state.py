"""What the user looks at, as one frozen value, and the holder that tells of its changes."""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from rigview.core.corrective import Corrective
from rigview.core.mesh import Weights
from rigview.core.review_notes import StrokeKind
from rigview.core.skinning import DEFAULT_PANES, Options
from rigview.core.weights.edits import Tool
from rigview.core.weights.strokes import Falloff
from rigview.render.camera import Camera
from rigview.render.look import Chosen, Look, Overlays, Shading

MOST_PANES = 4


@dataclass(frozen=True)
class MaskBrush:
    """What a drag paints: a value 0…1, within a radius in pixels."""

    value: float = 0.0
    radius: float = 24.0


@dataclass(frozen=True)
class WeightBrush:
    """What a drag does to weights.

    Parameters
    ----------
    value
        What replacing sets, adding adds, or scaling multiplies by.
    radius
        Metres over the surface.
    strength
        0 to 1.
    mirror
        Whether the other side is painted too.
    owned
        Whether only vertices are painted that the joint moves already.
    """

    tool: Tool = "replace"
    value: float = 1.0
    radius: float = 0.05
    strength: float = 0.35
    falloff: Falloff = "smooth"
    mirror: bool = False
    owned: bool = False


@dataclass(frozen=True)
class PlayRange:
    """What is played of a clip: its number, and from when to when, in seconds."""

    clip: int
    start: float
    end: float


@dataclass(frozen=True)
class ViewState(Overlays):
    """Time, selection, shading, overlays, panes and camera.

    Parameters
    ----------
    clip
        Its number, or None for the rest pose.
    time
        Seconds.
    stretch
        What is played of a clip; None for all of every clip.
    joints
        The nodes of the selected joints. The first is the one that curves, weights and fields are about.
    vertex
        The selected vertex: part and number.
    marked
        Vertices that the selected finding, or bar of a histogram, is about: part and numbers.
    involved
        Joints that the selected finding is about: nodes.
    chosen
        Vertices whose weights are to be edited: part and numbers.
    lasso
        Whether a drag that selects draws a lasso; else a box.
    drags_joints
        Whether such a drag selects joints; else it chooses vertices.
    locked
        Joints whose weights no edit changes: nodes.
    file_look
        Whether the first pane has the file's textures where the others are of clay.
    measure
        What heat shows: a key of `joint_measures.MEASURES`.
    trial
        Joint → degrees about its own x, y and z: rotations tried out, never saved.
    morphs
        (node, morph target) → weight: tried out, never saved.
    correctives
        Morph targets driven by bends: tried out, never saved.
    rotating
        Whether the selected joint has rings that turn it.
    brush
        Paints the mask while it is there; else a drag orbits.
    weight_brush
        Paints weights while it is there.
    note_tool
        What a drag draws over the picture, for a note.
    hidden
        Nodes whose meshes are not drawn.
    weights
        How those that do not sum to one are drawn.
    linked_camera
        That of the panes that share one.
    apart
        Pane → its own camera, of those that do not share one.
    theme
        Whose colours window and pictures have.
    """

    clip: int | None = None
    time: float = 0.0
    playing: bool = False
    loop: bool = True
    speed: float = 1.0
    stretch: PlayRange | None = None
    fps: float = 30.0
    joints: tuple[int, ...] = ()
    vertex: tuple[int, int] | None = None
    marked: Chosen = ()
    involved: tuple[int, ...] = ()
    chosen: Chosen = ()
    lasso: bool = False
    drags_joints: bool = False
    locked: frozenset[int] = frozenset()
    trial: dict[int, tuple[float, float, float]] = field(default_factory=dict)
    shading: Shading = "clay"
    file_look: bool = True
    measure: str = "collapse"
    morphs: dict[tuple[int, int], float] = field(default_factory=dict)
    correctives: tuple[Corrective, ...] = ()
    rotating: bool = False
    brush: MaskBrush | None = None
    weight_brush: WeightBrush | None = None
    note_tool: StrokeKind | None = None
    hidden: frozenset[int] = frozenset()
    methods: tuple[str, ...] = DEFAULT_PANES
    pane: int = 0
    options: Options = field(default_factory=Options)
    weights: Weights = "normalised"
    linked_camera: Camera = field(default_factory=Camera)
    apart: dict[int, Camera] = field(default_factory=dict)
    theme: str = "dark"

    @property
    def joint(self) -> int | None:
        """The node of the joint that was selected first, or alone."""
        return self.joints[0] if self.joints else None

    @property
    def camera(self) -> Camera:
        """The camera of the current pane."""
        return self.camera_of(self.pane)

    def camera_of(self, pane: int) -> Camera:
        """Return the camera of a pane: its own, or that which the panes share."""
        return self.apart.get(pane, self.linked_camera)

    def differs(self, other: "ViewState", names: Iterable[str]) -> bool:
        """Tell whether another view state has any of these fields otherwise."""
        return any(getattr(self, name) != getattr(other, name) for name in names)

    @property
    def look(self) -> Look:
        """What the renderer shall show."""
        own = {name: getattr(self, name) for name in _OF_THE_LOOK}
        return Look(**own, joint=self.joint, others=self.joints[1:])


# What the look has of the view state, by the same names.
_OF_THE_LOOK = {f.name for f in fields(Look)} & {f.name for f in fields(ViewState)}


class State(QObject):
    """Holds the view state; `changed` carries the old and the new value."""

    changed = Signal(object, object)

    def __init__(self, value: ViewState | None = None) -> None:
        super().__init__()
        self._value = value or ViewState()

    @property
    def value(self) -> ViewState:
        """The present view state."""
        return self._value

    def update(self, **changes: Any) -> None:  # noqa: ANN401 - fields of ViewState
        """Change fields; nobody hears of an update that changes nothing.

        ``joint`` selects one joint alone, or none; ``camera`` is that of the current pane.
        """
        if "joint" in changes:
            joint = changes.pop("joint")
            changes.setdefault("joints", () if joint is None else (joint,))
        old = self._value
        if "methods" in changes:
            kept = changes.get("apart", old.apart)
            changes["apart"] = {n: c for n, c in kept.items() if n < len(changes["methods"])}
        if "camera" in changes:
            changes |= self._moved(changes.pop("camera"), changes)
        new = replace(old, **changes)
        if new != old:
            self._value = new
            self.changed.emit(old, new)

    def _moved(self, camera: Camera, changes: dict[str, Any]) -> dict[str, Any]:
        """Return what changes where the camera of the pane that will be the current one does."""
        pane = changes.get("pane", self._value.pane)
        apart = changes.get("apart", self._value.apart)
        return {"apart": {**apart, pane: camera}} if pane in apart else {"linked_camera": camera}

    def see(self, camera: Camera, pane: int) -> None:
        """Give a pane another camera, and all that share it."""
        self.update(**self._moved(camera, {"pane": pane}))

    def link(self, pane: int, *, linked: bool) -> None:
        """Let a pane share the camera of the others, or keep its own from now on."""
        apart = {n: c for n, c in self._value.apart.items() if n != pane}
        if not linked:
            apart[pane] = self._value.camera_of(pane)
        self.update(apart=apart)

    def show_method(self, method: str, pane: int | None = None) -> None:
        """Show a method in a pane, by default the current one; it becomes the current one."""
        number = self._value.pane if pane is None else pane
        methods = list(self._value.methods)
        methods[number] = method
        self.update(methods=tuple(methods), pane=number)
