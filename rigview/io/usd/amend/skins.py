"""What binds meshes to joints: bind transforms of skeletons and meshes, influences of points."""

import numpy as np
from pxr import Sdf, UsdGeom, UsdSkel, Vt

from rigview.core import affine
from rigview.core.arrays import FloatArray, IntArray
from rigview.core.mesh import Influences
from rigview.core.rig import Rig
from rigview.io.reading import SaveError
from rigview.io.usd.amend.change import LayerChange, same
from rigview.io.usd.amend.joints import matrix_of, rest_frames
from rigview.io.usd.reader import Drawn
from rigview.io.usd.scene import EARLIEST
from rigview.io.usd.stage import floats

# Bind transforms that differ by less, as a share of their size, are one.
_ONE = 1e-7


def binds(change: LayerChange) -> None:
    """Write the bind transforms of skeletons, or of meshes where all joints of one share the change.

    Raises
    ------
    SaveError
        If two meshes need different bind transforms of one joint.
    """
    wanted: dict[str, dict[int, FloatArray]] = {}
    for node, drawn in change.opened.drawn.items():
        if drawn.skeleton is None:
            continue
        path = str(drawn.skeleton.prim.GetPath())
        found = wanted.setdefault(path, {})
        own = _inverse_binds(change, node, drawn)
        if _agree(found, own):
            found.update(own)
        elif not _bind_mesh(change, drawn, own):
            raise SaveError(
                f"{drawn.prim.GetPath()} needs other bind transforms of the joints of {path} than another "
                "mesh; glTF can hold both"
            )
    for path, inverse in wanted.items():
        _bind_skeleton(change, path, inverse)


def _inverse_binds(change: LayerChange, node: int, drawn: Drawn) -> dict[int, FloatArray]:
    """Return, by node, ``joint_from_bind`` of the joints of a mesh's skin, as its skeleton states them."""
    number = change.new.node_skins[node]
    if number is None:
        return {}
    skin = change.new.skins[number]
    back = affine.inverse(drawn.bind_from_mesh)
    return {
        joint: bind @ back for joint, bind in zip(skin.joints, skin.joint_from_mesh, strict=True)
    }


def _agree(a: dict[int, FloatArray], b: dict[int, FloatArray]) -> bool:
    return all(_near(a[joint], bind) for joint, bind in b.items() if joint in a)


def _near(a: FloatArray, b: FloatArray) -> bool:
    linear = float(np.abs(a[:3, :3]).max())
    moved = float(np.abs(a[:3, 3]).max())
    return bool(
        np.abs(a[:3, :3] - b[:3, :3]).max() <= _ONE * linear
        and np.abs(a[:3, 3] - b[:3, 3]).max() <= _ONE * max(moved, 1e-9)
    )


def _bind_mesh(change: LayerChange, drawn: Drawn, own: dict[int, FloatArray]) -> bool:
    """Set a mesh's own bind transform; return whether that makes the change."""
    skeleton = drawn.skeleton
    if skeleton is None:
        return False
    stated = dict(zip(skeleton.nodes, skeleton.inverse_binds, strict=True))
    ways = [affine.inverse(stated[j]) @ bind for j, bind in own.items() if j in stated]
    if len(ways) < len(own) or not ways or not all(_near(ways[0], way) for way in ways):
        return False
    geometry = ways[0] @ drawn.bind_from_mesh @ drawn.geometry
    binding = UsdSkel.BindingAPI(change.prim(drawn.prim))
    binding.CreateGeomBindTransformAttr().Set(matrix_of(geometry))
    return True


def _bind_skeleton(change: LayerChange, path: str, inverse: dict[int, FloatArray]) -> None:
    skeleton = change.opened.scene.skeletons[path]
    old = dict(zip(skeleton.nodes, skeleton.inverse_binds, strict=True))
    nodes = change.nodes[path]
    lost = [j for j in inverse if j not in nodes and not _near(np.eye(4), inverse[j])]
    if lost:
        label = change.wanted.nodes.label(lost[0])
        raise SaveError(
            f"{label} is no joint of {path}, so its bind transform cannot be set; glTF can hold it"
        )
    moved = [j for j in nodes if j in inverse and not (j in old and same(old[j], inverse[j]))]
    if not moved and len(nodes) == len(old):
        return
    if not skeleton.prim.IsA(UsdSkel.Skeleton):
        raise SaveError(f"{path} is no skeleton that states bind transforms; glTF can hold them")
    attribute = UsdSkel.Skeleton(change.prim(skeleton.prim)).CreateBindTransformsAttr()
    stated = attribute.Get()
    found = [] if stated is None or len(stated) != len(old) else [*stated]
    if not found:
        found = [matrix_of(np.eye(4)) for _ in old]
    added = rest_frames(change, path) if len(nodes) > len(found) else np.zeros((0, 4, 4))
    found += [matrix_of(frame) for frame in added[len(found) :]]
    for place, joint in enumerate(nodes):
        if joint in moved:
            found[place] = matrix_of(affine.inverse(inverse[joint]))
    attribute.Set(Vt.Matrix4dArray(found))


def influences(change: LayerChange) -> None:
    """Write the influences of meshes of which any point follows joints otherwise.

    Raises
    ------
    SaveError
        If a mesh gets or loses its skin, or two vertices of one point disagree.
    """
    for node, drawn in change.opened.drawn.items():
        if change.was.node_skins[node] is None or drawn.skeleton is None:
            if change.wanted.node_skins[node] is not None:
                raise SaveError(
                    f"{drawn.prim.GetPath()} has no skin in the file; glTF can hold one"
                )
            continue
        if change.wanted.node_skins[node] is None:
            raise SaveError(f"{drawn.prim.GetPath()} would lose its skin; glTF can hold that")
        tokens = _listed(change, node, drawn)
        points = _points(change, node, drawn)
        if tokens is not None:
            binding = UsdSkel.BindingAPI(change.prim(drawn.prim))
            binding.CreateJointsAttr().Set(Vt.TokenArray(tokens))
        if points is not None:
            _set(change, drawn, points)


def _listed(change: LayerChange, node: int, drawn: Drawn) -> list[str] | None:
    """Return the joints that a mesh lists; None where those that it has are the same."""
    skeleton, number = drawn.skeleton, change.wanted.node_skins[node]
    if skeleton is None or number is None:
        return None
    path = str(skeleton.prim.GetPath())
    of_node = dict(zip(change.nodes[path], change.tokens[path], strict=True))
    of_token = dict(zip(skeleton.order, skeleton.nodes, strict=True))
    joints = change.wanted.skins[number].joints
    same_order = joints == change.was.skins[change.was.node_skins[node] or 0].joints
    renamed = [of_node[of_token[t]] if t in of_token else t for t in drawn.order]
    has_own = drawn.order != skeleton.order or _states_joints(drawn)
    if same_order and (renamed == [*drawn.order] or not has_own):
        return None
    if same_order:
        return renamed
    lost = next((j for j in joints if j not in of_node), None)
    if lost is not None:
        label = change.wanted.nodes.label(lost)
        raise SaveError(
            f"{drawn.prim.GetPath()} would list {label}, which is no joint of its skeleton; glTF can "
            "hold it"
        )
    return [of_node[joint] for joint in joints]


def _states_joints(drawn: Drawn) -> bool:
    prim = drawn.prim
    while prim and not prim.IsPseudoRoot():
        if UsdSkel.BindingAPI(prim).GetJointsAttr().HasAuthoredValue():
            return True
        prim = prim.GetParent()
    return False


def _points(change: LayerChange, node: int, drawn: Drawn) -> Influences | None:
    """Return the influences of a prim's points; None where they are as they were."""
    old, new = _of_vertices(change.was, node), _of_vertices(change.wanted, node)
    if _same(old, new):
        return None
    control, count = drawn.surfaces[0].control, _count(drawn)
    width = max((found.joints.shape[1] for found in new if found is not None), default=0)
    width = max(width, 1)
    joints, weights = _stated(drawn, count, width)
    done = np.zeros(count, dtype=bool)
    for found in new:
        if found is None:
            raise SaveError(f"{drawn.prim.GetPath()} would lose its influences; glTF can hold that")
        rows = np.zeros((len(control), joints.shape[1]), dtype=np.int64)
        shares = np.zeros((len(control), joints.shape[1]))
        slots = found.joints.shape[1]
        rows[:, :slots], shares[:, :slots] = found.joints, found.weights
        given = np.zeros_like(joints), np.zeros_like(weights)
        given[0][control], given[1][control] = rows, shares
        if not _one_a_point(given[0][control], given[1][control], rows, shares) or (
            done.any() and not _one_a_point(joints[control], weights[control], rows, shares)
        ):
            raise SaveError(
                f"vertices of one point of {drawn.prim.GetPath()} would follow joints otherwise; glTF can "
                "hold that"
            )
        joints[control], weights[control] = rows, shares
        done[control] = True
    return Influences(joints, weights)


def _count(drawn: Drawn) -> int:
    return len(UsdGeom.PointBased(drawn.prim).GetPointsAttr().Get(EARLIEST) or [])


def _stated(drawn: Drawn, count: int, width: int) -> tuple[IntArray, FloatArray]:
    """Return the influences of all points as the file states them, with room for so many a point."""
    primvar = UsdGeom.PrimvarsAPI(drawn.prim).FindPrimvarWithInheritance("skel:jointIndices")
    weights = UsdGeom.PrimvarsAPI(drawn.prim).FindPrimvarWithInheritance("skel:jointWeights")
    size = max(1, primvar.GetElementSize())
    a = np.array(primvar.ComputeFlattened(EARLIEST), dtype=np.int64).reshape(-1, size)
    b = floats(weights.ComputeFlattened(EARLIEST)).reshape(-1, size)
    width = max(width, size)
    joints, shares = np.zeros((count, width), dtype=np.int64), np.zeros((count, width))
    joints[:, :size], shares[:, :size] = a, b  # those of a whole prim are every point's
    return joints, shares


def _one_a_point(a: IntArray, b: FloatArray, rows: IntArray, shares: FloatArray) -> bool:
    return bool(np.array_equal(a, rows)) and np.array_equal(b, shares, equal_nan=True)


def _of_vertices(rig: Rig, node: int) -> list[Influences | None]:
    mesh = rig.node_meshes[node]
    return [] if mesh is None else [p.influences for p in rig.meshes[mesh].primitives]


def _same(old: list[Influences | None], new: list[Influences | None]) -> bool:
    pairs = zip(old, new, strict=True)
    return all(
        a is b
        or (
            a is not None
            and b is not None
            and np.array_equal(a.joints, b.joints)
            and np.array_equal(a.weights, b.weights, equal_nan=True)
        )
        for a, b in pairs
    )


def _set(change: LayerChange, drawn: Drawn, points: Influences) -> None:
    """Set the influences, of the whole prim where they were so and still can be."""
    prim = change.prim(drawn.prim)
    api = UsdGeom.PrimvarsAPI(prim)
    found = api.FindPrimvarWithInheritance("skel:jointIndices")
    rigid = found.GetInterpolation() == UsdGeom.Tokens.constant and len(points.joints) > 0
    joints, weights = points.joints, points.weights
    if rigid and np.all(joints == joints[0]) and np.all(weights == weights[0]):
        joints, weights = joints[:1], weights[:1]
    else:
        rigid = False
    way = UsdGeom.Tokens.constant if rigid else UsdGeom.Tokens.vertex
    size = joints.shape[1]
    indices = api.CreatePrimvar("skel:jointIndices", Sdf.ValueTypeNames.IntArray, way, size)
    indices.Set(Vt.IntArray.FromNumpy(np.ascontiguousarray(joints.reshape(-1), dtype=np.int32)))
    shares = api.CreatePrimvar("skel:jointWeights", Sdf.ValueTypeNames.FloatArray, way, size)
    shares.Set(Vt.FloatArray.FromNumpy(np.ascontiguousarray(weights.reshape(-1), dtype=np.float32)))
    for primvar in (indices, shares):
        if primvar.IsIndexed():
            primvar.BlockIndices()
