"""Many poses of some vertices of a part skinned in one go: as many copies of them, each on its own joints.

Small meshes cost what the calls cost and not what their vertices do; a crowd of them is one call. What
no chosen vertex follows is not posed at all.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray, IntArray, owned
from rigview.core.deform import Deformer
from rigview.core.memo import Remembers
from rigview.core.methods import bulge, palette
from rigview.core.methods.binding import Binding, bind, single
from rigview.core.methods.palette import Palette
from rigview.core.methods.posed import Posed
from rigview.core.motion.subrig import SubRig
from rigview.core.pose import Pose, model_from_nodes, sample
from rigview.core.rig import Part
from rigview.core.skinning import Options

# Vertices of all copies together: enough to be quick, little enough to keep memory flat.
_AT_ONCE = 32768

# A clip's number, None for the rest pose, and a time in seconds.
Moment = tuple[int | None, float]


@dataclass(frozen=True, eq=False)
class Frames:
    """An excerpt of a rig at many moments.

    Parameters
    ----------
    model_from_node
        ``(T, N, 4, 4)``, nodes as the excerpt numbers them.
    palettes
        Skin → ``(T, J, …)``, joints as the excerpt lists them.
    """

    of: SubRig
    model_from_node: FloatArray
    palettes: dict[int, Palette]
    _poses: tuple[tuple[list[int], Pose], ...] = field(repr=False)

    @classmethod
    def at(cls, of: SubRig, moments: Sequence[Moment]) -> "Frames":
        """Pose the excerpt; the moments of one clip are sampled in one go."""
        rig = of.rig
        ranked = sorted(range(len(moments)), key=lambda i: (moments[i][0] is not None, moments[i]))
        poses, models = [], []
        for clip, members in groupby(ranked, key=lambda i: moments[i][0]):
            those = list(members)
            at = np.array([moments[i][1] for i in those])
            pose = sample(rig, None if clip is None else rig.clips[clip], at)
            poses.append((those, pose))
            models.append(model_from_nodes(rig, pose))
        order = np.argsort(ranked)
        palettes = {}
        for skin, listed in enumerate(rig.skins):
            if listed.joints:
                each = zip(poses, models, strict=True)
                rows = [palette.of_skin(rig, skin, pose, model) for (_, pose), model in each]
                palettes[skin] = Palette(
                    np.concatenate([p.matrices for p in rows])[order],
                    np.concatenate([p.dual_quaternions for p in rows])[order],
                    np.concatenate([p.stretches for p in rows])[order],
                )
        return cls(of, np.concatenate(models)[order], palettes, tuple(poses))

    def __len__(self) -> int:
        return len(self.model_from_node)

    def morph_weights(self, node: int, default: FloatArray, count: int) -> FloatArray:
        """Return ``(T, count)`` how much of each morph target a node of the whole rig shows.

        Parameters
        ----------
        default
            What the mesh states, where neither the node nor a clip does.
        """
        result = np.zeros((len(self), count))
        place = self.of.places.get(node)
        for those, pose in self._poses:
            weights = default if place is None else pose.morph_weights.get(place, default)
            stated = np.nan_to_num(weights[..., :count], nan=0.0, posinf=np.inf, neginf=-np.inf)
            result[those, : stated.shape[-1]] = stated
        return result


@dataclass(frozen=True, eq=False)
class BatchedPoses(Remembers):
    """Some vertices of one part of a rig, ready to be posed many times.

    Parameters
    ----------
    number
        Of the part.
    vertices
        ``(n,)`` which of its vertices.
    binding, amplitude
        Theirs: as `Deformer.bindings` and `Deformer.amplitude` have them.
    like
        Another crowd of the same places in mesh space, joints and weights: its copies serve here too.
    """

    deformer: Deformer
    number: int
    vertices: IntArray
    binding: Binding
    amplitude: FloatArray
    like: "BatchedPoses | None" = None

    @classmethod
    def of(
        cls, deformer: Deformer, number: int, vertices: IntArray, options: Options
    ) -> "BatchedPoses":
        """Bind some vertices of a part, and no others."""
        part = deformer.rig.parts[number]
        primitive = deformer.rig.primitive(part)
        points, moved = primitive.positions[vertices], deformer.bound_by(part)
        if moved is None:
            bound = single(points)
        else:
            skin, influences = moved
            bones = deformer.bind_bones[skin]
            bound = bind(deformer.rig, skin, influences.of(vertices), bones, points)
        amplitude = bulge.amplitudes(bound, options.polynomial) * primitive.mask[vertices]
        return cls(deformer, number, vertices, bound, amplitude)

    def only(self, rows: IntArray) -> "BatchedPoses":
        """Return some of these vertices, by their places among them."""
        of = self.binding
        some = Binding(of.joints[rows], of.weights[rows], of.side[rows], of.radius[rows])
        return BatchedPoses(
            self.deformer, self.number, self.vertices[rows], some, self.amplitude[rows]
        )

    def beside(self, other: "BatchedPoses") -> "BatchedPoses":
        """Return these vertices, keeping of their copies only what they share with another crowd."""
        alike = self.binding.blends_like(other.binding) and np.array_equal(
            self.points, other.points
        )
        return replace(self, like=other if alike else None)

    @cached_property
    def slots(self) -> tuple[IntArray, FloatArray]:
        """``(n, K)`` each the influences, the heaviest first: node, 0 in unused slots, and weight."""
        weights = self.binding.weights
        if self.skin is None:
            return np.full(weights.shape, self.part.node), weights
        nodes = self.deformer.rig.skins[self.skin].nodes[self.binding.joints]
        return np.where(weights != 0.0, nodes, 0), weights

    @cached_property
    def points(self) -> FloatArray:
        """``(n, 3)`` where the vertices are in mesh space, without morph targets."""
        return self.deformer.rig.primitive(self.part).positions[self.vertices]

    @property
    def part(self) -> Part:
        """The part of the rig."""
        return self.deformer.rig.parts[self.number]

    def portions(self, count: int) -> Iterator[slice]:
        """Yield which of so many poses are best taken at once: as many each time, or nearly so."""
        most = max(1, _AT_ONCE // max(1, len(self.vertices)))
        room = max(1, -(-count // -(-count // most))) if count else 1
        for start in range(0, count, room):
            yield slice(start, min(start + room, count))

    @property
    def skin(self) -> int | None:
        """The skin whose joints move the vertices; None where their node does."""
        return self.deformer.skin_of(self.part)

    @cached_property
    def joints(self) -> IntArray:
        """``(J,)`` the joints that move any of the vertices, as the whole skin lists them."""
        used = self.binding.joints[self.binding.weights != 0.0]
        return np.unique(np.append(used, 0))

    @property
    def nodes(self) -> frozenset[int]:
        """The nodes of the rig that say where the vertices are."""
        if self.skin is None:
            return frozenset((self.part.node,))
        listed = self.deformer.rig.skins[self.skin].joints
        # The node of a skinned mesh only says how far it is morphed.
        return frozenset((self.part.node, *(listed[row] for row in self.joints.tolist())))

    def posed(self, frames: Frames, few: slice, options: Options) -> Posed:
        """Return a copy for each of some frames as one mesh, the vertices of the first frame first.

        Methods that read more of a part than LBS, DQS and the thesis's compensation do (`VertexConstants`)
        cannot skin it, and it has no normals. Where a vertex goes does not depend on who is with it.
        """
        joints, directions = self._joints_in(frames, few, options)
        count = len(range(len(frames))[few])
        positions = self._positions(frames, few)
        return Posed(
            self.copies(count),
            joints,
            directions,
            positions,
            np.broadcast_to(0.0, positions.shape),
            np.tile(self.amplitude, count),
        )

    def _joints_in(
        self, frames: Frames, few: slice, options: Options
    ) -> tuple[Palette, FloatArray]:
        """Return the joints of all copies, those of the first frame first, and their bones' directions."""
        if self.skin is None:
            place = frames.of.places[self.part.node]
            nodes = frames.model_from_node[few, place]
            return palette.of_matrices(nodes), np.zeros((len(nodes), 3))
        every, rows = frames.palettes[self.skin], frames.of.rows[self.skin][self.joints]
        joints = Palette(
            _joined(every.matrices[few, rows]),
            _joined(every.dual_quaternions[few, rows]),
            _joined(every.stretches[few, rows]),
            rounded=False,
        )
        bound = self.deformer.bind_directions(self.skin, options.axis)[self.joints]
        count = len(joints.matrices) // len(rows)
        return joints, quat.rotate(joints.rotations, np.tile(bound, (count, 1)))

    def _positions(self, frames: Frames, few: slice) -> FloatArray:
        default = self.deformer.rig.meshes[self.part.mesh].morph_weights
        targets = self.deformer.rig.primitive(self.part).morphs
        count = len(range(len(frames))[few])
        if targets is not None:
            shares = frames.morph_weights(self.part.node, default, targets.count)[few]
            used = np.flatnonzero(shares.any(axis=0))
            if len(used):
                shapes = targets.positions[used][:, self.vertices]
                moved = self.points + np.tensordot(shares[:, used], shapes, axes=1)
                return moved.reshape(-1, 3)
        return self.copied_points(count)

    def copied_points(self, count: int) -> FloatArray:
        """Return where so many copies are in mesh space, without morph targets."""
        if self.like is not None:
            return self.like.copied_points(count)
        return self.once(_copied_points, count)

    def copies(self, count: int) -> Binding:
        """Return the binding of so many copies as one mesh."""
        return self.once(_copies, count)

    @cached_property
    def to_followed(self) -> Binding:
        """The binding to no joints but those that are followed."""
        of = self.binding
        rows = of.joints if self.skin is None else np.searchsorted(self.joints, of.joints)
        return replace(of, joints=rows)


def _copied_points(of: BatchedPoses, count: int) -> FloatArray:
    return owned(np.tile(of.points, (count, 1)))


def _copies(of: BatchedPoses, count: int) -> Binding:
    if of.like is None:
        width = 1 if of.skin is None else len(of.joints)
        return of.to_followed.copies(count, width)
    theirs, own = of.like.copies(count), of.binding
    if own.is_like(of.like.binding):
        return theirs
    return theirs.with_terms(np.tile(own.side, count), np.tile(own.radius, count))


def _joined(rows: FloatArray) -> FloatArray:
    """Return the rows of all frames one below the other."""
    return rows.reshape(-1, *rows.shape[2:])
