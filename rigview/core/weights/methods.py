"""The methods that make weights, one row each."""

from collections.abc import Callable
from dataclasses import dataclass

from rigview.core.methods.centres import Progress
from rigview.core.weights.envelope import envelope
from rigview.core.weights.geodesic import geodesic_voxel
from rigview.core.weights.heat import heat
from rigview.core.weights.nearest import nearest_bone
from rigview.core.weights.problem import Made, Options, Problem


@dataclass(frozen=True)
class Method:
    """A way to make weights.

    Parameters
    ----------
    id
        What it is asked for by.
    name
        What people read.
    make
        Its function; it tells the share done, 0 to 1, and whoever hears that may raise to stop it.
    options
        The fields of `Options` that it minds.
    citation
        Where it comes from.
    """

    id: str
    name: str
    make: Callable[[Problem, Options, Progress], Made]
    options: tuple[str, ...]
    citation: str


_TABLE = (
    Method(
        "nearest",
        "Nearest bone",
        nearest_bone,
        ("smooth",),
        "the distance to the segment from joint to child",
    ),
    Method(
        "envelope",
        "Envelopes",
        envelope,
        ("smooth",),
        "a radius per bone, from the mesh, and a smooth fall to 1.5 of it",
    ),
    Method(
        "heat",
        "Heat",
        heat,
        ("smooth", "bridge", "laplacian"),
        "Baran and Popović 2007, Automatic Rigging and Animation of 3D Characters",
    ),
    Method(
        "geodesic-voxel",
        "Geodesic voxels",
        geodesic_voxel,
        ("smooth", "resolution"),
        "Dionne and de Lasa 2013, Geodesic Voxel Binding for Production Character Meshes",
    ),
)
METHODS: dict[str, Method] = {method.id: method for method in _TABLE}
