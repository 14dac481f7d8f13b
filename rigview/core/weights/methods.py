"""The methods that make weights, one row each."""

from collections.abc import Callable
from dataclasses import dataclass

from rigview.core.methods.centres import Progress
from rigview.core.weights.biharmonic import biharmonic
from rigview.core.weights.envelope import envelope
from rigview.core.weights.geodesic import geodesic_voxel
from rigview.core.weights.heat import heat
from rigview.core.weights.nearest import nearest_bone
from rigview.core.weights.problem import Made, Problem, WeightOptions


@dataclass(frozen=True)
class WeightMethod:
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
        The fields of `WeightOptions` that it minds.
    citation
        Where it comes from.
    """

    id: str
    name: str
    make: Callable[[Problem, WeightOptions, Progress], Made]
    options: tuple[str, ...]
    citation: str


_TABLE = (
    WeightMethod(
        "nearest",
        "Nearest bone",
        nearest_bone,
        ("smooth",),
        "the distance to the segment from joint to child",
    ),
    WeightMethod(
        "envelope",
        "Envelopes",
        envelope,
        ("smooth",),
        "a radius per bone, from the mesh, and a smooth fall to 1.5 of it",
    ),
    WeightMethod(
        "heat",
        "Heat",
        heat,
        ("smooth", "bridge", "laplacian"),
        "Baran and Popović 2007, Automatic Rigging and Animation of 3D Characters",
    ),
    WeightMethod(
        "geodesic-voxel",
        "Geodesic voxels",
        geodesic_voxel,
        ("smooth", "resolution"),
        "Dionne and de Lasa 2013, Geodesic Voxel Binding for Production Character Meshes",
    ),
    WeightMethod(
        "bbw",
        "Bounded biharmonic",
        biharmonic,
        ("smooth", "resolution"),
        "Jacobson et al. 2011, Bounded Biharmonic Weights for Real-Time Deformation",
    ),
)
METHODS: dict[str, WeightMethod] = {method.id: method for method in _TABLE}
