"""The hierarchy: prims as nodes, and the joints of every skeleton below its prim."""

from dataclasses import dataclass, field

import numpy as np
from pxr import Usd, UsdGeom, UsdSkel

from rigview.core import affine
from rigview.core.arrays import FloatArray
from rigview.core.nodes import Nodes
from rigview.io.reading import LARGEST_NUMBER, and_more
from rigview.io.rest import nodes_of
from rigview.io.usd.stage import floats, matrices

EARLIEST = Usd.TimeCode.EarliestTime()


@dataclass(eq=False)
class SkeletonPrim:
    """A skeleton prim: the node of each of its joints, and where they were when it was bound.

    Parameters
    ----------
    anim
        The animation that it plays; invalid, and so false, without any.
    """

    anim: UsdSkel.AnimQuery
    prim: Usd.Prim
    order: tuple[str, ...]
    nodes: tuple[int, ...]
    inverse_binds: FloatArray

    def joint(self, token: str) -> int | None:
        """Return the node of a joint by its path, or None."""
        return self.nodes[self.order.index(token)] if token in self.order else None


@dataclass(eq=False)
class StageNodes:
    """Nodes under construction, in the file's unit and axes."""

    names: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    local: list[FloatArray] = field(default_factory=list)
    of_prim: dict[str, int] = field(default_factory=dict)
    prims: list[tuple[int, Usd.Prim]] = field(default_factory=list)
    skeletons: dict[str, SkeletonPrim] = field(default_factory=dict)

    def add(self, name: str, parent: int, local: FloatArray) -> int:
        """Add a node; return its number."""
        self.names.append(name)
        self.parents.append(parent)
        self.local.append(local)
        return len(self.names) - 1

    def nodes(self) -> Nodes:
        """Return the hierarchy."""
        return nodes_of(self.names, self.parents, np.array(self.local).reshape(-1, 4, 4))


def read_scene(stage: Usd.Stage, cache: UsdSkel.Cache, notes: list[str]) -> StageNodes:
    """Lay out all prims that have a place in space."""
    scene = StageNodes()
    prims = Usd.PrimRange(
        stage.GetPseudoRoot(), Usd.TraverseInstanceProxies(Usd.PrimDefaultPredicate)
    )
    for prim in prims:
        if prim.IsPseudoRoot() or not _has_place(prim):
            continue
        parent = prim.GetParent()
        while parent and str(parent.GetPath()) not in scene.of_prim:
            parent = parent.GetParent()
        above = scene.of_prim[str(parent.GetPath())] if parent else -1
        local = local_matrices(prim, [EARLIEST])[0]
        if UsdGeom.Xformable(prim) and UsdGeom.Xformable(prim).GetResetXformStack():
            notes.append(f"{prim.GetPath()} leaves its parents' transforms, and stands at the top")
            above = -1
        number = scene.add(prim.GetName(), above, local)
        scene.of_prim[str(prim.GetPath())] = number
        scene.prims.append((number, prim))
        if prim.IsA(UsdSkel.Skeleton):
            _add_joints(scene, number, prim, cache, notes)
    return scene


def _has_place(prim: Usd.Prim) -> bool:
    return prim.IsA(UsdGeom.Imageable) or not prim.GetTypeName()


def local_matrices(prim: Usd.Prim, times: list[Usd.TimeCode]) -> FloatArray:
    """Return ``(t, 4, 4)`` a prim's transform below its parent."""
    place = UsdGeom.Xformable(prim)
    if not place:
        return np.tile(np.eye(4), (len(times), 1, 1))
    return matrices([place.GetLocalTransformation(time) for time in times])


def _add_joints(
    scene: StageNodes, above: int, prim: Usd.Prim, cache: UsdSkel.Cache, notes: list[str]
) -> None:
    schema = UsdSkel.Skeleton(prim)
    query = cache.GetSkelQuery(schema)
    if not query:
        notes.append(f"the skeleton {prim.GetPath()} is not valid and has no joints")
        return
    order = tuple(query.GetJointOrder())
    topology = query.GetTopology()
    parents = [topology.GetParent(i) for i in range(len(order))]
    bind = schema.GetBindTransformsAttr().Get()
    rest = schema.GetRestTransformsAttr().Get()
    if bind is None or len(bind) != len(order):
        notes.append(f"the skeleton {prim.GetPath()} has no bind pose for each of its joints")
        bind = None
    binds = np.tile(np.eye(4), (len(order), 1, 1)) if bind is None else matrices(list(bind))
    inverse = affine.inverse(binds)
    local = [inverse[p] @ binds[i] if p >= 0 else binds[i] for i, p in enumerate(parents)]
    if rest is None or len(rest) != len(order):
        if order:
            notes.append(f"the skeleton {prim.GetPath()} has no rest pose; its bind pose is taken")
    else:
        stated = floats(list(rest)).reshape(-1, 4, 4).swapaxes(-1, -2)
        sound = np.all(np.abs(stated) <= LARGEST_NUMBER, axis=(-1, -2))
        local = [stated[i] if sound[i] else local[i] for i in range(len(order))]
        if not np.all(sound):
            lost = order[int(np.argmin(sound))] + and_more(int(np.sum(~sound)) - 1)
            text = f"where {lost} rests in {prim.GetPath()} is not finite; its bind pose is taken"
            notes.append(text)
    numbers: list[int] = []
    for i, token in enumerate(order):
        parent = numbers[parents[i]] if 0 <= parents[i] < i else above
        numbers.append(scene.add(token.rpartition("/")[2], parent, local[i]))
    scene.skeletons[str(prim.GetPath())] = SkeletonPrim(
        query.GetAnimQuery(), prim, order, tuple(numbers), inverse
    )
