"""What a picture shall show, as values: panes, shading and overlays."""

from dataclasses import dataclass, field, fields
from typing import Literal, get_args

from rigview.core.motion.trail import Trail
from rigview.core.skinning import Options

# What changed since another rig; clay where there is none to compare with.
Comparing = Literal["reweighted", "displaced"]
COMPARING: tuple[Comparing, ...] = get_args(Comparing)
# What one rig alone can show.
Shading = Literal[
    "textured", "clay", "weights", "joints", "count", "mask", "difference", "heat", Comparing
]
SHADINGS: tuple[Shading, ...] = tuple(s for s in get_args(Shading) if s not in COMPARING)
# Vertices: for each part of them its number and theirs.
Chosen = tuple[tuple[int, tuple[int, ...]], ...]


@dataclass(frozen=True)
class Overlays:
    """What is drawn beside the meshes or instead of their whole surface, each on or off.

    Parameters
    ----------
    sticks
        Whether bones are sticks and no octahedra.
    wires
        Whether the edges of triangles are drawn on the surface.
    shadow
        Whether the ground, where its grid is shown, is darker below a character.
    rest_ghost, bind_ghost
        Whether the character is shown beside itself as it rests, and as its meshes were attached.
    trail
        Whether the way of the characters' roots over the clip is drawn.
    bounds
        Whether the box of the bind pose, by which engines cull, and that of the pose are drawn.
    """

    bones: bool = True
    sticks: bool = False
    xray: bool = False
    wires: bool = False
    axes: bool = True
    names: bool = False
    grid: bool = True
    shadow: bool = True
    rest_ghost: bool = False
    bind_ghost: bool = False
    trail: bool = False
    bounds: bool = False


OVERLAYS = tuple(switch.name for switch in fields(Overlays))


@dataclass(frozen=True)
class Look(Overlays):
    """Everything about a picture but the rig, the pose and the camera.

    Parameters
    ----------
    shading
        "weights" are the selected joint's, "joints" mixes all joints' colours by their weights,
        "count" is the number of influences, "mask" how much of any compensation is wanted, and
        "difference" how far out or in a pane's method puts the surface from where the first pane's
        does; "heat" is how far a measure of the joints has gone to its limit. "reweighted" and
        "displaced" are what changed since another rig.
    measure
        What heat shows: a key of `joint_measures.MEASURES`.
    joint
        The selected joint's node.
    others
        The nodes of joints that are selected beside it.
    vertex
        The selected vertex: part and number.
    marked
        Vertices to be pointed out: part and numbers.
    chosen
        Vertices that are being edited: part and numbers.
    involved
        Joints to be pointed out beside the selected one: nodes.
    file_look
        Whether the first pane has the file's textures where the others are of clay.
    marks
        Whether the axis cross, the selected joint's name and what the colours of overlays mean are shown.
    hidden
        Nodes whose meshes are not drawn.
    trails
        The ways that `trail` draws.
    theme
        Whose colours are used.
    lent
        Joints that have the colours of others, which they are compared with: node and number in
        `joint_colours.palette`.
    """

    shading: Shading = "clay"
    file_look: bool = False
    measure: str = "collapse"
    options: Options = field(default_factory=Options)
    joint: int | None = None
    others: tuple[int, ...] = ()
    vertex: tuple[int, int] | None = None
    marks: bool = True
    transparent: bool = False
    marked: Chosen = ()
    chosen: Chosen = ()
    involved: tuple[int, ...] = ()
    hidden: frozenset[int] = frozenset()
    trails: tuple[Trail, ...] = ()
    theme: str = "dark"
    lent: tuple[tuple[int, int], ...] = ()
