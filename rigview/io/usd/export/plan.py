"""What a USD file written anew holds, as plain values: skeletons, meshes, clips, materials."""

from dataclasses import dataclass, field

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.materials import Material


@dataclass(frozen=True, eq=False)
class SkeletonPlan:
    """One Skeleton prim.

    Parameters
    ----------
    place
        ``(4, 4)`` where the prim is.
    tokens
        The path of every joint, parents first.
    rests, binds
        ``(J, 4, 4)`` ``parent_from_joint`` at rest; ``world_from_joint`` where meshes were bound.
    """

    place: FloatArray
    tokens: tuple[str, ...]
    rests: FloatArray
    binds: FloatArray


@dataclass(frozen=True, eq=False)
class SkinPlan:
    """How a mesh follows a skeleton.

    Parameters
    ----------
    tokens
        The joints that `joints` counts in; None where they are those of the skeleton.
    joints, weights
        ``(V, K)``; of a rigid mesh ``(1, 1)``.
    geometry
        ``(4, 4)`` ``bind_from_mesh``.
    """

    skeleton: int
    tokens: tuple[str, ...] | None
    joints: IntArray
    weights: FloatArray
    geometry: FloatArray
    method: str | None = None


@dataclass(frozen=True, eq=False)
class ShapePlan:
    """One blend shape: ``(V, 3)`` offsets of points and of normals."""

    name: str
    offsets: FloatArray
    normals: FloatArray | None


@dataclass(frozen=True, eq=False)
class MeshPlan:
    """One Mesh prim; `place` is where it stands if nothing moves it."""

    name: str
    points: FloatArray
    triangles: IntArray
    normals: FloatArray | None
    uvs: tuple[FloatArray, ...]
    colours: FloatArray | None
    material: int | None
    double_sided: bool
    is_hidden: bool
    place: FloatArray | None
    binding: SkinPlan | None
    shapes: tuple[ShapePlan, ...] = ()


@dataclass(frozen=True, eq=False)
class ClipPlan:
    """One SkelAnimation.

    Parameters
    ----------
    times
        ``(n,)`` seconds.
    translations, rotations, scales
        ``(n, J, …)`` of the joints in `tokens`; quaternions are xyzw.
    shapes, weights
        Names, and ``(n, S)``.
    at_rest
        ``(S,)`` the weights at rest, which are the default beside the samples; none is written where
        all are 0.
    """

    name: str
    times: FloatArray
    tokens: tuple[str, ...]
    translations: FloatArray
    rotations: FloatArray
    scales: FloatArray
    shapes: tuple[str, ...]
    weights: FloatArray
    at_rest: FloatArray


@dataclass(frozen=True, eq=False)
class StagePlan:
    """A whole file, in metres, +Y up.

    Parameters
    ----------
    bound
        The clip that the skeletons play.
    images
        Number of an image → the name of its file, relative to the copy.
    """

    name: str
    skeletons: tuple[SkeletonPlan, ...]
    meshes: tuple[MeshPlan, ...]
    clips: tuple[ClipPlan, ...]
    bound: int | None
    materials: tuple[Material, ...]
    images: dict[int, str] = field(default_factory=dict)
    rate: float = 24.0
