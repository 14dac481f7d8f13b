"""Lines, dots, faces and labels that lie over the meshes: made by numpy, drawn by `passes`."""

import math
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from rigview.assets import rgb, theme
from rigview.core import bones, escape
from rigview.core.arrays import BoolArray, FloatArray, unit
from rigview.core.bones import Segments
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.motion import culling
from rigview.core.motion.trail import Trail
from rigview.render import axis_gizmo
from rigview.render.camera import Camera
from rigview.render.look import Look
from rigview.render.tints import bone_colours

# Shape of a bone: where along it the ring of the octahedron sits and how thick it is there.
_RING_AT, _RING_WIDTH = 0.16, 0.09
# A stick is so much wider than an edge of an octahedron.
_STICK = 2.2
_RING_FACES = ((0, 1), (1, 2), (2, 3), (3, 0))
# Pixels of the design: a bone shorter than the first is no wider as an octahedron than as a stick, and of
# one shorter than the second the dots at its ends cover the axes, which reach 0.42 of it.
_SMALL, _COVERED = 12.0, 8.0
# More bones than these are drawn as if all were small, and without dots: nobody tells them apart.
MANY = 10_000
# Where more bones than this are small, they and their joints step back behind the others, to this strength
# and to dots of this radius; but not the joints above and below a selected one.
DENSE = 100
_FAINT, _FAINT_DOT = 0.45, 1.3
# Lengths of joint axes in bone lengths; the primary axis stands out.
_AXIS, _PRIMARY_AXIS = 0.22, 0.42
# Frames from dot to dot of a trail, and how many dots there are at most.
_EVERY = (1, 2, 5, 10, 20, 50, 100, 200)
_MOST_DOTS = 120
# The colours of the theme that boxes have.
BIND_BOX, POSED_BOX = "bind_ghost", "accent"
_AXIS_NAMES = ("x", "y", "z")
Colour = tuple[float, ...] | FloatArray


@dataclass(frozen=True)
class Label:
    """A word on the picture, placed from the top left of its pane in logical pixels."""

    text: str
    x: float
    y: float
    colour: str
    backed: bool = False
    small: bool = False
    # Whether the place is where a small one ends, not where it starts.
    ends: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", escape.label(self.text))


@dataclass
class Overlay:
    """Geometry in model space; one row per line ``(start, end, rgba, width)``, dot or corner.

    Colours are RGBA: one for all that is added, or one for each.
    """

    lines: list[FloatArray] = field(default_factory=list)
    dots: list[FloatArray] = field(default_factory=list)
    facets: list[FloatArray] = field(default_factory=list)

    def add(self, other: "Overlay") -> None:
        """Add all that another has."""
        self.lines += other.lines
        self.dots += other.dots
        self.facets += other.facets

    def add_lines(self, start: FloatArray, end: FloatArray, colour: Colour, width: float) -> None:
        """Add ``(n, 3)`` to ``(n, 3)`` lines."""
        n = len(start)
        rows = np.zeros((n, 11))
        rows[:, :3], rows[:, 3:6], rows[:, 6:10], rows[:, 10] = start, end, colour, width
        self.lines.append(rows)

    def add_dots(self, centre: FloatArray, colour: Colour, radius: float) -> None:
        """Add ``(n, 3)`` dots."""
        rows = np.zeros((len(centre), 8))
        rows[:, :3], rows[:, 3:7], rows[:, 7] = centre, colour, radius
        self.dots.append(rows)

    def add_facets(self, corners: FloatArray, colour: Colour) -> None:
        """Add triangles by their ``(3n, 3)`` corners."""
        rows = np.zeros((len(corners), 7))
        rows[:, :3], rows[:, 3:] = corners, colour
        self.facets.append(rows)


def grid(size: float, theme_name: str = "dark") -> Overlay:
    """Return the ground plane's grid for a rig of that size, finer lines fainter, X and Z coloured."""
    overlay = Overlay()
    step = 10.0 ** math.floor(math.log10(max(size, 1e-9))) / 2.0
    if size / step > 10.0:
        step *= 2.0
    reach = 10 * step
    at = np.arange(-10, 11) * step
    away = np.full_like(at, reach)
    zero = np.zeros_like(at)
    along_z = np.stack([at, zero, -away], 1), np.stack([at, zero, away], 1)
    along_x = np.stack([-away, zero, at], 1), np.stack([away, zero, at], 1)
    colours = theme(theme_name)
    plain = np.arange(len(at)) != 10
    for start, end in (along_x, along_z):
        overlay.add_lines(start[plain], end[plain], (*rgb(colours["grid"]), 0.75), 1.0)
    for (start, end), axis in ((along_x, "x"), (along_z, "z")):
        middle = ~plain
        overlay.add_lines(start[middle], end[middle], (*rgb(colours[axis]), 0.45), 1.2)
    return overlay


def skeleton(
    deformer: Deformer, frame: Frame, look: Look, seen: tuple[Camera, float] | None = None
) -> Overlay:
    """Return bones as octahedra or sticks with a dot at every joint, and the joints' axes.

    Parameters
    ----------
    seen
        The camera, and the height of its pane in pixels of the design: of what is too small there to be
        told apart less is drawn. Without it all is.
    """
    overlay = Overlay()
    joints = deformer.skeleton.joints
    if not len(joints):
        return overlay
    posed = deformer.posed_bones(frame)
    colours, own = theme(look.theme), bone_colours(deformer, look)
    selected: BoolArray = joints == (-1 if look.joint is None else look.joint)
    others: BoolArray = np.isin(joints, look.others) & ~selected
    involved: BoolArray = np.isin(joints, look.involved) & ~selected & ~others
    quiet = ~selected & ~involved & ~others
    size = np.full(len(joints), np.inf)
    if seen is not None:
        size = posed.lengths * seen[0].pixels_per_metre(posed.heads, seen[1])
    many = seen is not None and len(joints) > MANY
    if many:
        size = np.zeros(len(joints))
    faint = _stepping_back(deformer, look, quiet & (size < _SMALL))
    if look.bones:
        tails, whole = posed.tails, _sticks if look.sticks else _octahedra
        for chosen, draw, token, fill, edge, width in (
            (quiet & ~(size < _SMALL), whole, "bone", 0.14, 0.7, 1.0),
            (quiet & (size < _SMALL) & ~faint, _sticks, "bone", 0.14, 0.7, 1.0),
            (faint, _sticks, "bone", 0.14, 0.7 * _FAINT, 1.0),
            (involved, whole, "warning", 0.3, 0.9, 1.3),
            (others, whole, "bone_selected", 0.3, 0.9, 1.3),
            (selected, whole, "bone_selected", 0.5, 1.0, 1.6),
        ):
            plain = np.full((np.count_nonzero(chosen), 3), rgb(colours[token]))
            faces = plain if own is None else own[chosen]
            edges = faces if token == "bone" else plain
            style = _Style(faces, edges, fill, edge, width)
            shape = draw if len(plain) <= MANY else _sticks
            shape(overlay, posed.heads[chosen], tails[chosen], style)
        if not many:
            dots = np.full((len(joints), 3), rgb(colours["joint"])) if own is None else own
            near = ~selected & ~faint
            overlay.add_dots(posed.heads[near], _opaque(dots[near], 0.95), 2.2)
            overlay.add_dots(posed.heads[faint], _opaque(dots[faint], 0.95 * _FAINT), _FAINT_DOT)
        overlay.add_dots(posed.heads[involved], (*rgb(colours["warning"]), 1.0), 3.0)
        overlay.add_dots(posed.heads[others], (*rgb(colours["bone_selected"]), 1.0), 3.0)
        overlay.add_dots(posed.heads[selected], (*rgb(colours["bone_selected"]), 1.0), 4.0)
    if look.axes:
        # The selected joint's axes, or everybody's where none is selected.
        shown = selected if np.any(selected) else ~(quiet & look.bones & (size < _COVERED))
        _axes(overlay, (deformer, frame, posed), shown, look)
    return overlay


def selected_bone(deformer: Deformer, frame: Frame, look: Look) -> Overlay:
    """Return the selected joint's dot and the line of its bone; nothing where none is selected."""
    overlay = Overlay()
    selected: BoolArray = deformer.skeleton.joints == (-1 if look.joint is None else look.joint)
    if np.any(selected):
        posed = deformer.posed_bones(frame)
        colour = (*rgb(theme(look.theme)["bone_selected"]), 1.0)
        overlay.add_lines(posed.heads[selected], posed.tails[selected], colour, 1.6)
        overlay.add_dots(posed.heads[selected], colour, 4.0)
    return overlay


def _stepping_back(deformer: Deformer, look: Look, small: BoolArray) -> BoolArray:
    """Return which small bones are drawn faintly: none of few, nor those above and below a selected one."""
    if np.count_nonzero(small) <= DENSE:
        return np.zeros_like(small)
    nodes = deformer.rig.nodes
    chosen = [node for node in (look.joint, *look.others) if node is not None]
    chain = nodes.with_ancestors(chosen) | nodes.with_descendants(chosen)
    return small & ~np.isin(deformer.skeleton.joints, list(chain))


@dataclass(frozen=True, eq=False)
class _Style:
    """How bones are drawn: RGB ``(n, 3)`` of faces and edges, their opacities, and the edges' width."""

    faces: FloatArray
    edges: FloatArray
    fill: float
    edge: float
    width: float


def _opaque(colours: FloatArray, opacity: float) -> FloatArray:
    """Return RGBA ``(n, 4)`` of RGB ``(n, 3)``."""
    return np.column_stack([colours, np.full(len(colours), opacity)])


def _sticks(overlay: Overlay, heads: FloatArray, tails: FloatArray, style: _Style) -> None:
    overlay.add_lines(heads, tails, _opaque(style.edges, style.edge), _STICK * style.width)


def _octahedra(overlay: Overlay, heads: FloatArray, tails: FloatArray, style: _Style) -> None:
    edge, width = _opaque(style.edges, style.edge), style.width
    face = _opaque(np.repeat(style.faces, 3, axis=0), style.fill)
    along = tails - heads
    direction = unit(along, (0.0, 1.0, 0.0))
    length = np.linalg.norm(along, axis=-1, keepdims=True)
    smallest = np.eye(3)[np.argmin(np.abs(direction), axis=-1)] if len(heads) else heads
    side = unit(np.cross(direction, smallest)) * length * _RING_WIDTH
    other = np.cross(direction, side)
    middle = heads + _RING_AT * along
    ring = np.stack([middle + side, middle + other, middle - side, middle - other], axis=1)
    for i, j in _RING_FACES:
        for tip in (heads, tails):
            corners = np.stack([tip, ring[:, i], ring[:, j]], axis=1)
            overlay.add_facets(corners.reshape(-1, 3), face)
        overlay.add_lines(ring[:, i], ring[:, j], edge, width)
        for tip in (heads, tails):
            overlay.add_lines(tip, ring[:, i], edge, width)


def _axes(
    overlay: Overlay, of: tuple[Deformer, Frame, Segments], shown: BoolArray, look: Look
) -> None:
    """Draw each joint's three axes as they are in its model matrix, the one along the bone longer."""
    deformer, frame, posed = of
    joints = deformer.skeleton.joints[shown]
    heads, directions = posed.heads[shown], posed.directions[shown]
    lengths = np.maximum(posed.lengths[shown], 0.25 * bones.LONE_ROOT_LENGTH * deformer.size)
    axes = unit(np.swapaxes(frame.model_from_node[joints][:, :3, :3], -1, -2))
    along = np.abs(np.einsum("jai,ji->ja", axes, directions))
    primary = np.argmax(along, axis=-1)
    colours = theme(look.theme)
    for axis in range(3):
        reach = np.where(primary == axis, _PRIMARY_AXIS, _AXIS) * lengths
        ends = heads + axes[:, axis] * reach[:, None]
        for first, width in ((True, 2.6), (False, 1.8)):
            chosen = (primary == axis) == first
            colour = (*rgb(colours[_AXIS_NAMES[axis]]), 1.0)
            overlay.add_lines(heads[chosen], ends[chosen], colour, width)


# Corners of a box by which of its two ends each coordinate has, and its edges.
_CORNERS = np.array([[i & 1, i >> 1 & 1, i >> 2] for i in range(8)])
_EDGES = np.array([[a, a | bit] for bit in (1, 2, 4) for a in range(8) if not a & bit])


def bounds(deformer: Deformer, frame: Frame, look: Look) -> Overlay:
    """Return the box of the bind pose, by which engines cull, and that of the pose as it is."""
    overlay = Overlay()
    if not look.bounds:
        return overlay
    colours = theme(look.theme)
    for box, token in (
        (culling.bind_box(deformer), BIND_BOX),
        (culling.box(deformer, frame), POSED_BOX),
    ):
        if len(box):
            corners = np.take_along_axis(box, _CORNERS, axis=0)[_EDGES]
            overlay.add_lines(corners[:, 0], corners[:, 1], (*rgb(colours[token]), 0.9), 1.6)
    return overlay


def trails(frame: Frame, look: Look) -> Overlay:
    """Return the ways of roots over the clip, with a dot where each is now."""
    overlay = Overlay()
    if not look.trail or not look.trails:
        return overlay
    for trail in look.trails:
        overlay.add(_way(trail, look.theme))
    now = frame.model_from_node[[trail.joint for trail in look.trails]][:, :3, 3]
    overlay.add_dots(now, (*rgb(theme(look.theme)["accent"]), 1.0), 4.5)
    return overlay


@lru_cache(maxsize=8)
def _way(trail: Trail, theme_name: str) -> Overlay:
    """Return the part of a trail that no time changes: a line through all frames, and dots on it."""
    overlay = Overlay()
    colour = rgb(theme(theme_name)["trail"])
    overlay.add_lines(trail.points[:-1], trail.points[1:], (*colour, 0.9), 1.6)
    dotted = next(step for step in _EVERY if len(trail.points) <= step * _MOST_DOTS)
    overlay.add_dots(trail.points[::dotted], (*colour, 1.0), 1.8)
    return overlay


def gizmo(camera: Camera, height: float, look: Look) -> tuple[Overlay, list[Label]]:
    """Return the three model axes for the lower left corner, in pixels from the pane's lower left."""
    overlay, labels = Overlay(), []
    centre, length = np.array([axis_gizmo.CENTRE, axis_gizmo.CENTRE, 0.0]), axis_gizmo.LENGTH
    colours = theme(look.theme)
    order = np.argsort(camera.axes[2])
    for axis in map(int, order):
        direction = camera.axes[:, axis] * (1.0, 1.0, 0.0)
        end = centre + length * direction
        overlay.add_lines(centre[None], end[None], (*rgb(colours["viewport_bottom"]), 0.85), 4.5)
        overlay.add_lines(centre[None], end[None], (*rgb(colours[_AXIS_NAMES[axis]]), 1.0), 1.8)
        tip = centre + axis_gizmo.LETTER * length * direction
        labels.append(
            Label("XYZ"[axis], float(tip[0]), height - float(tip[1]), _AXIS_NAMES[axis], small=True)
        )
    return overlay, labels
