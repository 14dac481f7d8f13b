"""A copy opened again and compared with the rig that it was to hold, before it replaces anything.

Compared is all that moves or is moved: nodes, skins, meshes and clips, and where the methods of skinning
then place the vertices (`posed_alike`). Orders are not: of nodes, of the joints of a skin, of the
influences of a vertex, nor the sign of a quaternion. Materials, images and texture coordinates are nothing
that a fix changes.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from rigview.core import affine
from rigview.core.arrays import FloatArray, IntArray, unit
from rigview.core.clip import Clip
from rigview.core.deform import Deformer
from rigview.core.mesh import Influences, Primitive
from rigview.core.pose import model_from_nodes, sample
from rigview.core.rig import Rig, Skin
from rigview.io.files import write_together
from rigview.io.posed_alike import POSED, compared_times, posed_difference
from rigview.io.reading import LoadError, SaveError

# Locals, binds and weights: more than the rounding of 32-bit files, less than anybody sees.
STATED = 1e-6
# Components of unit normals, which programs keep in 32 bits or fewer.
DIRECTED = 1e-4
# Times at which a clip's nodes are compared, at once and in all.
_AT_ONCE, _MOST_TIMES = 128, 1024


def write_proved(
    files: Mapping[Path, bytes], out: Path, wanted: Rig, load: Callable[[Path], Rig]
) -> None:
    """Write a copy with the files beside it, after it was opened again and compared.

    Parameters
    ----------
    files
        Target → content; `out` is among them. All are written or none.
    wanted
        What the copy has to hold.
    load
        Opens a file of the format.

    Raises
    ------
    SaveError
        If the copy cannot be opened, or is another rig. Nothing is written then.
    """
    with TemporaryDirectory() as folder:
        copy = Path(folder) / out.name
        copy.write_bytes(files[out])
        expect_same(wanted, opened(load, copy))
    write_together(files)


def opened(load: Callable[[Path], Rig], copy: Path) -> Rig:
    """Open a copy.

    Raises
    ------
    SaveError
        If that fails.
    """
    try:
        return load(copy)
    except LoadError as error:
        place = f"{error.where}: " if error.where else ""
        raise SaveError(
            f"the copy cannot be opened again ({place}{error.reason}), so it is not written; glTF can "
            "hold this rig"
        ) from None


def with_clip_names(found: Rig, wanted: Rig, copy: Path) -> Rig:
    """Return the rig of a copy whose clips that are named by their file have the names that are wanted."""
    if len(found.clips) != len(wanted.clips):
        return found
    pairs = zip(found.clips, wanted.clips, strict=True)
    clips = (replace(a, name=b.name) if a.name == copy.stem else a for a, b in pairs)
    return replace(found, clips=tuple(clips))


def expect_same(wanted: Rig, found: Rig) -> None:
    """Expect that a copy, opened again, is the rig that it was to hold.

    Names, parents, local transforms, binds and weights may differ by `STATED`, vertices and nodes in
    every clip, at keys and between them, by `POSED` of the rig's size.

    Raises
    ------
    SaveError
        If it is another; the message names the first difference with its measure.
    """
    words = _Comparison(wanted, found).difference()
    if words is not None:
        raise SaveError(
            f"the copy, opened again, is another rig: {words}; so it is not written; glTF can hold "
            "this rig"
        )


class _Comparison:
    """Two rigs, the nodes of one matched with those of the other."""

    def __init__(self, wanted: Rig, found: Rig) -> None:
        self._wanted, self._found = wanted, found

    def difference(self) -> str | None:
        """Return the first difference in words; None where there is none."""
        if len(self._wanted.nodes) != len(self._found.nodes):
            return f"it has {len(self._found.nodes)} nodes, not {len(self._wanted.nodes)}"
        if self._place is None:
            return self._names()
        return (
            self._tree()
            or self._locals()
            or self._shown()
            or self._meshes()
            or self._clip_names()
            or self._motion()
        )

    @cached_property
    def _size(self) -> float:
        """Metres that count as the rig's size: never 0."""
        frames = model_from_nodes(self._wanted, sample(self._wanted, None, 0.0))
        spread = float(np.ptp(frames[:, :3, 3], axis=0).max(initial=0.0))
        return max(self._deformers[0].size, spread, 1e-6)

    @cached_property
    def _deformers(self) -> tuple[Deformer, Deformer]:
        return Deformer(self._wanted), Deformer(self._found)

    @cached_property
    def _place(self) -> IntArray | None:
        """``(N,)`` the found node of each wanted one; None where names differ."""
        a, b = self._wanted.nodes, self._found.nodes
        if a.names == b.names:
            return np.arange(len(a))
        ways: dict[tuple[str, ...], list[int]] = {}
        for node in range(len(b)):
            ways.setdefault(_way(self._found, node), []).append(node)
        places = []
        for node in range(len(a)):
            same = ways.get(_way(self._wanted, node))
            if not same:
                return None
            places.append(same.pop(0))
        return np.array(places, dtype=np.int64)

    def _names(self) -> str:
        pairs = zip(self._wanted.nodes.names, self._found.nodes.names, strict=True)
        a, b = next((a, b) for a, b in pairs if a != b)
        return f"a node is named {b!r}, not {a!r}"

    @cached_property
    def _to(self) -> IntArray:
        return np.arange(0) if self._place is None else self._place

    def _tree(self) -> str | None:
        place = [*self._to.tolist(), -1]
        for node, parent in enumerate(self._wanted.nodes.parents):
            if self._found.nodes.parents[place[node]] != place[parent]:
                return f"{self._wanted.nodes.label(node)} has another parent"
        return None

    def _locals(self) -> str | None:
        a, b = self._wanted.nodes.local_matrices(), self._found.nodes.local_matrices()[self._to]
        off = _off(a, b, self._size)
        if len(off) and not off.max() <= STATED:
            label = self._wanted.nodes.label(int(off.argmax()))
            return f"{label} rests off by {_measure(off.max(), STATED)}"
        # Two negative factors are a half turn: the matrix does not tell them from none.
        negative = [
            (scales < 0.0).any(axis=1)
            for scales in (self._wanted.nodes.scales, self._found.nodes.scales[self._to])
        ]
        kept = np.flatnonzero(~negative[0] & negative[1])
        if len(kept):
            return f"{self._wanted.nodes.label(int(kept[0]))} keeps its negative scale"
        return None

    def _shown(self) -> str | None:
        """Compare which nodes show something, and hang on a skin."""
        for node, place in enumerate(self._to.tolist()):
            for what in ("node_meshes", "node_skins"):
                a, b = getattr(self._wanted, what)[node], getattr(self._found, what)[place]
                if (a is None) != (b is None):
                    word = "mesh" if what == "node_meshes" else "skin"
                    return f"the {word} of {self._wanted.nodes.label(node)} is not as wanted"
        return None

    def _meshes(self) -> str | None:
        for node, place in enumerate(self._to.tolist()):
            a, b = self._wanted.node_meshes[node], self._found.node_meshes[place]
            if a is None or b is None:
                continue
            name = self._wanted.nodes.label(node)
            skins = self._wanted.node_skins[node], self._found.node_skins[place]
            pairs = self._wanted.meshes[a].primitives, self._found.meshes[b].primitives
            if len(pairs[0]) != len(pairs[1]):
                return f"{name} has {len(pairs[1])} parts, not {len(pairs[0])}"
            space = np.eye(4)
            if skins[0] is not None and skins[1] is not None:
                was, now = self._wanted.skins[skins[0]], self._found.skins[skins[1]]
                if sorted(self._to[was.nodes].tolist()) != sorted(now.joints):
                    return f"the skin of {name} lists other joints"
                space = self._space(was, now)
                words = self._binds(was, now, space)
                if words:
                    return f"{words} to {name}"
            for first, second in zip(*pairs, strict=True):
                words = self._primitive(first, second, space, skins)
                if words:
                    return f"{name}: {words}"
        return None

    def _space(self, was: Skin, now: Skin) -> FloatArray:
        """Return ``(4, 4)`` from the found mesh's space to the wanted one's, the identity if it can be.

        A reader may have to choose another space for a mesh once all its vertices follow joints.
        """
        if not len(was.joints):
            return np.eye(4)
        # Of a joint listed more than once only the first counts here; all are compared with it.
        place = now.joints.index(int(self._to[was.joints[0]]))
        space = affine.inverse(was.joint_from_mesh[:1])[0] @ now.joint_from_mesh[place]
        is_same = _off(np.eye(4)[None], space[None], self._size)[0] <= STATED
        return np.eye(4) if is_same or not np.isfinite(space).all() else space

    def _binds(self, was: Skin, now: Skin, space: FloatArray) -> str | None:
        left: dict[int, list[FloatArray]] = {}
        for joint, bind in zip(now.joints, now.joint_from_mesh, strict=True):
            left.setdefault(joint, []).append(bind)
        for joint, bind in zip(was.joints, was.joint_from_mesh, strict=True):
            candidates = left[int(self._to[joint])]
            offs = [_off((bind @ space)[None], found[None], self._size)[0] for found in candidates]
            best = int(np.argmin(offs))
            candidates.pop(best)
            if not offs[best] <= STATED and np.isfinite(bind).all():
                label = self._wanted.nodes.label(joint)
                return f"{label} is bound off by {_measure(offs[best], STATED)}"
        return None

    def _primitive(
        self, a: Primitive, b: Primitive, space: FloatArray, skins: tuple[int | None, int | None]
    ) -> str | None:
        if len(a.positions) != len(b.positions) or a.triangles.shape != b.triangles.shape:
            return f"it has {len(b.positions)} vertices, not {len(a.positions)}"
        if not np.array_equal(a.triangles, b.triangles):
            return "its faces are others"
        off = np.abs(a.positions - affine.transform_points(space, b.positions)).max(initial=0.0)
        if not off <= STATED * self._size:
            return f"a vertex is off by {_measure(off / self._size, STATED)}"
        if a.morphs is not None and b.morphs is not None:
            others = b.morphs.positions @ space[:3, :3].T
            if a.morphs.shape != b.morphs.shape:
                return f"it has {b.morphs.count} shapes, not {a.morphs.count}"
            off = np.abs(a.morphs.positions - others).max(initial=0.0)
            if not off <= STATED * self._size:
                return f"a shape is off by {_measure(off / self._size, STATED)}"
        words = _normals_off(a, b, space) or _maps_off(a, b)
        if words:
            return words
        if a.influences is not None and b.influences is not None and skins[0] is not None:
            off = self._weights_off(a.influences, b.influences, skins)
            if not off <= STATED:
                return f"a weight is off by {_measure(off, STATED)}"
        return None

    def _weights_off(
        self, a: Influences, b: Influences, skins: tuple[int | None, int | None]
    ) -> float:
        """Return the largest difference of the weight of any vertex for any joint."""
        if skins[0] is None or skins[1] is None:
            return 0.0
        was, now = self._wanted.skins[skins[0]], self._found.skins[skins[1]]
        keys, sums = [], []
        for influences, nodes, sign in ((a, self._to[was.nodes], 1.0), (b, now.nodes, -1.0)):
            row, slot = ((influences.weights != 0.0) & _within(influences, len(nodes))).nonzero()
            joints = nodes[influences.joints[row, slot]]
            keys.append(row * len(self._found.nodes) + joints)
            sums.append(sign * influences.weights[row, slot])
        _, place = np.unique(np.concatenate(keys), return_inverse=True)
        off: FloatArray = np.abs(np.bincount(place.ravel(), weights=np.concatenate(sums)))
        return float(off.max(initial=0.0))

    def _clip_names(self) -> str | None:
        a, b = ([clip.name for clip in rig.clips] for rig in (self._wanted, self._found))
        return None if a == b else f"its clips are {', '.join(b) or 'none'}, not {', '.join(a)}"

    def _motion(self) -> str | None:
        clips = zip(self._wanted.clips, self._found.clips, strict=True)
        for was, now in ((None, None), *clips):
            times = compared_times(was, now, _MOST_TIMES)
            words = self._frames(was, now, times)
            if words:
                return words if was is None else f"in the clip {was.name} {words}"
        return posed_difference(*self._deformers, self._to, self._size)

    def _frames(self, was: Clip | None, now: Clip | None, times: FloatArray) -> str | None:
        """Compare nodes and morph weights at some times."""
        for first in range(0, len(times), _AT_ONCE):
            at = times[first : first + _AT_ONCE]
            poses = sample(self._wanted, was, at), sample(self._found, now, at)
            a = model_from_nodes(self._wanted, poses[0])
            b = model_from_nodes(self._found, poses[1])[:, self._to]
            off = _off(a, b, self._size).max(axis=0, initial=0.0)
            if len(off) and not off.max() <= POSED:
                label = self._wanted.nodes.label(int(off.argmax()))
                return f"{label} is off by {_measure(off.max(), POSED)}"
            others = poses[1].morph_weights
            for node, weights in poses[0].morph_weights.items():
                found = others.get(int(self._to[node]), weights)
                if not np.abs(weights - found).max(initial=0.0) <= POSED:
                    return f"the shapes of {self._wanted.nodes.label(node)} are others"
        return None


def _normals_off(a: Primitive, b: Primitive, space: FloatArray) -> str | None:
    """Compare the directions of normals, where meshes state them."""
    if a.normals is None or b.normals is None:
        return None if a.normals is b.normals else "normals are stated by one of them only"
    turn, _ = affine.of_surface(space[:3, :3])
    is_turned = not np.array_equal(space, np.eye(4))
    others = b.normals @ turn.T if is_turned else b.normals
    off = np.abs(unit(a.normals) - unit(others)).max(initial=0.0)
    return None if off <= DIRECTED else f"a normal is off by {_measure(off, DIRECTED)}"


def _maps_off(a: Primitive, b: Primitive) -> str | None:
    """Compare how vertices want to be skinned: the method, its shares and the painted mask."""
    if a.method != b.method:
        return f"its method is {b.method or 'none'}, not {a.method or 'none'}"
    for name, first, second in (
        ("painted mask", a.compensation, b.compensation),
        ("share of dual quaternions", a.dqs_weights, b.dqs_weights),
    ):
        if first is None or second is None:
            if first is not second:
                return f"a {name} is stated by one of them only"
            continue
        off = np.abs(first - second).max(initial=0.0)
        if not off <= STATED:
            return f"a {name} is off by {_measure(off, STATED)}"
    return None


def _way(rig: Rig, node: int) -> tuple[str, ...]:
    """Return the names from a node up to its root."""
    return tuple(rig.nodes.names[n] for n in (node, *rig.nodes.ancestors(node)))


def _within(influences: Influences, count: int) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Return ``(V, K)`` which slots name one of so many joints."""
    return (influences.joints >= 0) & (influences.joints < count)


def _off(a: FloatArray, b: FloatArray, size: float) -> FloatArray:
    """Return ``(…)`` how far matrices differ: as shares of their largest factor, and of a size."""
    linear = np.abs(a - b)[..., :3, :3].max(axis=(-1, -2))
    largest = np.abs(a)[..., :3, :3].max(axis=(-1, -2))
    moved = np.abs(a - b)[..., :3, 3].max(axis=-1) / size
    return np.maximum(linear / np.maximum(largest, 1e-9), moved)


def _measure(off: float, limit: float) -> str:
    return f"{off:.2g} (limit {limit:g})"
