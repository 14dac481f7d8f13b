"""What became of the meshes: their vertices, and which joints move them how much."""

from dataclasses import dataclass

import numpy as np

from rigview.check.diff.attributes import AttributeChange, attribute_changes
from rigview.check.diff.pairing import Pairing
from rigview.check.diff.surfaces import Statement, Surfaces
from rigview.core.arrays import FloatArray, IntArray, finite
from rigview.core.mesh import Primitive
from rigview.core.rig import Part, Rig
from rigview.core.weight_changes import DISPLACED, REWEIGHTED

# Weights are compared in blocks of so many (vertex, joint) cells: 32 MB.
_CELLS = 4_000_000


@dataclass(frozen=True, eq=False)
class PartChange:
    """A primitive of both rigs that is not the same.

    Parameters
    ----------
    part
        Its number in the second rig; `was` is the one in the first.
    vertices
        How many, before and after. Where they differ nothing else can be compared.
    reshaped
        ``(V,)`` metres in mesh space by which vertices moved at rest, before skinning.
    triangles
        Whether the triangles are others.
    reweighted
        ``(V,)`` share of each vertex's weight that went from one joint to another, 0…1.
    joints
        Joint → the most that any vertex's weight for it changed, the most first. Nodes are those
        of the second rig, of the first as −1 − node where the joint is gone.
    attributes, statements
        What else the vertices carry, and what is stated of all of them, that is not the same.
    """

    was: int
    part: int
    vertices: tuple[int, int]
    reshaped: FloatArray
    triangles: bool
    reweighted: FloatArray
    joints: tuple[tuple[int, float], ...]
    attributes: tuple[AttributeChange, ...]
    statements: tuple[Statement, ...]

    @property
    def same(self) -> bool:
        """Whether nothing changed after all."""
        return not (
            self.vertices[0] != self.vertices[1]
            or self.triangles
            or len(self.reweighted_vertices)
            or np.any(self.reshaped > 0.0)
            or self.attributes
            or self.statements
        )

    @property
    def reweighted_vertices(self) -> IntArray:
        """The vertices whose weights changed, the most first."""
        changed = np.flatnonzero(self.reweighted > REWEIGHTED)
        return changed[np.argsort(-self.reweighted[changed], kind="stable")]


def part_changes(a: Rig, b: Rig, pairing: Pairing, size: float) -> tuple[PartChange, ...]:
    """Return the parts that changed, in the first rig's order."""
    surfaces = Surfaces(a, b)
    changes = (_change((a, b), pair, pairing, size, surfaces) for pair in pairing.parts.both)
    return tuple(change for change in changes if not change.same)


def _change(
    rigs: tuple[Rig, Rig],
    parts: tuple[int, int],
    pairing: Pairing,
    size: float,
    surfaces: Surfaces,
) -> PartChange:
    (a, b), (i, j) = rigs, parts
    before, after = a.primitive(a.parts[i]), b.primitive(b.parts[j])
    vertices = (len(before.positions), len(after.positions))
    triangles = not np.array_equal(before.triangles, after.triangles)
    said = surfaces.statements(a.parts[i], b.parts[j])
    if vertices[0] != vertices[1]:
        return PartChange(i, j, vertices, np.zeros(0), triangles, np.zeros(0), (), (), said)
    moved = np.linalg.norm(before.positions - after.positions, axis=-1)
    moved = np.where(moved > DISPLACED * size, moved, 0.0)
    reweighted, joints = _reweighted(a, b, a.parts[i], b.parts[j], pairing)
    carried = attribute_changes(before, after, size)
    return PartChange(i, j, vertices, moved, triangles, reweighted, joints, carried, said)


def _reweighted(
    a: Rig, b: Rig, part_a: Part, part_b: Part, pairing: Pairing
) -> tuple[FloatArray, tuple[tuple[int, float], ...]]:
    """Return ``(V,)`` the share of weight that moved, and per joint the most of any vertex."""
    first, second = _skin_joints(a, part_a), _skin_joints(b, part_b)
    # A column per joint of either rig: paired ones share theirs.
    names = list(second) + [-1 - n for n in first if pairing.joints.second.get(n) not in second]
    column = {name: i for i, name in enumerate(names)}
    columns = (
        [column.get(pairing.joints.second.get(n, -1 - n), column.get(-1 - n, 0)) for n in first],
        [column[n] for n in second],
    )
    primitives = (a.primitive(part_a), b.primitive(part_b))
    count = len(primitives[0].positions)
    moved = np.zeros(count)
    most = np.zeros(len(names))
    block = max(1, _CELLS // max(1, len(names)))
    for start in range(0, count if names else 0, block):
        rows = slice(start, min(start + block, count))
        weights = [
            _dense(p, rows, np.array(c, dtype=np.int64), len(names))
            for p, c in zip(primitives, columns, strict=True)
        ]
        change = np.abs(weights[0] - weights[1])
        moved[rows] = 0.5 * change.sum(axis=1)
        most = np.maximum(most, change.max(axis=0, initial=0.0))
    order = np.argsort(-most, kind="stable")
    return moved, tuple((names[i], float(most[i])) for i in order if most[i] > REWEIGHTED)


def _skin_joints(rig: Rig, part: Part) -> tuple[int, ...]:
    return () if part.skin is None else rig.skins[part.skin].joints


def _dense(primitive: Primitive, rows: slice, columns: IntArray, width: int) -> FloatArray:
    """Return ``(rows, width)`` weights by column; slots that name no joint are left out."""
    count = rows.stop - rows.start
    if primitive.influences is None or not len(columns):
        return np.zeros((count, width))
    joints = primitive.influences.joints[rows]
    weights = finite(primitive.influences.weights[rows])
    named = (joints >= 0) & (joints < len(columns))
    cell = columns[np.where(named, joints, 0)] + width * np.arange(count)[:, None]
    amounts = np.where(named, weights, 0.0).reshape(-1)
    flat = np.bincount(cell.reshape(-1), weights=amounts, minlength=count * width)
    return np.asarray(flat, dtype=np.float64).reshape(count, width)
