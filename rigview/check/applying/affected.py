"""What a change of a rig can move: nodes, joints and vertices, found without posing any.

To name too many is no mistake: what is named is compared pose by pose.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core.arrays import BoolArray, IntArray
from rigview.core.clip import Channel, Clip
from rigview.core.deform import Deformer
from rigview.core.measures.batched_poses import BatchedPoses
from rigview.core.mesh import Influences, Primitive
from rigview.core.methods.binding import Binding
from rigview.core.nodes import Nodes
from rigview.core.numeric import row_ops
from rigview.core.rig import Part, Skin
from rigview.core.skinning import Options

_NOBODY = np.zeros(0, dtype=np.int64)
# A vertex names this node where it names none that its skin lists, or gives it no weight.
_NO_NODE = -1


@dataclass(frozen=True, eq=False)
class Affected:
    """What differs between two rigs of the same parts and as many clips."""

    old: Deformer
    new: Deformer

    @cached_property
    def nodes(self) -> BoolArray:
        """``(N,)`` which nodes may stand elsewhere than they did at any time."""
        every: BoolArray = np.logical_or.reduce([self._in_clip(self._placed), *self.in_clips])
        return every

    @cached_property
    def in_clips(self) -> tuple[BoolArray, ...]:
        """Per clip ``(N,)`` which nodes may stand elsewhere in it."""
        found = []
        for curves in self._curves:
            own = self._placed.copy()
            own[[node for node, path in curves if path != "weights"]] = True
            found.append(self._in_clip(own))
        return tuple(found)

    def _in_clip(self, own: BoolArray) -> BoolArray:
        """Return which nodes stand elsewhere where these do as seen from their parents."""
        nodes, result = self.new.rig.nodes, own.copy()
        if own.any():
            parents = np.array(nodes.parents, dtype=np.int64)
            for level in nodes.levels[1:]:
                result[level] |= result[parents[level]]
        return result

    @cached_property
    def _placed(self) -> BoolArray:
        """``(N,)`` which nodes rest otherwise as seen from their parents, or hang elsewhere."""
        return _placed_otherwise(self.old.rig.nodes, self.new.rig.nodes)

    @cached_property
    def _curves(self) -> tuple[frozenset[tuple[int, str]], ...]:
        """Per clip the node and the property of all curves that differ."""
        clips = zip(self.old.rig.clips, self.new.rig.clips, strict=True)
        return tuple(_other_curves(a, b) for a, b in clips)

    @cached_property
    def alone(self) -> tuple[int, ...]:
        """The nodes of parts without skin that may stand elsewhere."""
        parts = (part for part in self.old.rig.parts if not self.old.is_skinned(part))
        return tuple(sorted({part.node for part in parts if self.nodes[part.node]}))

    def joints(self, skin: int) -> tuple[IntArray, IntArray]:
        """Return where joints that may move otherwise are listed in the old skin, and in the new.

        Joints that only one of them lists are left out.
        """
        first, second = self._shared[skin]
        chosen = self._moved[skin][first]
        return first[chosen], second[chosen]

    @cached_property
    def _shared(self) -> dict[int, tuple[IntArray, IntArray]]:
        """Skin → where the joints that both skins list stand in the old one's list, and in the new's."""
        old, new = self.old.rig.skins, self.new.rig.skins
        return {skin: _shared_joints(old[skin], new[skin]) for skin in self.old.skins}

    @cached_property
    def _listed(self) -> dict[int, IntArray]:
        """Skin → its joints in the old rig."""
        return {skin: self.old.rig.skins[skin].nodes for skin in self.old.skins}

    @cached_property
    def _moved(self) -> dict[int, BoolArray]:
        """Skin → ``(J,)`` which joints of the old skin may move otherwise, or were bound otherwise."""
        listed = self._listed.items()
        return {skin: self.nodes[joints] | self._rebound[skin] for skin, joints in listed}

    @cached_property
    def _rebound(self) -> dict[int, BoolArray]:
        """Skin → ``(J,)`` which joints of the old skin the new one lists, but bound otherwise."""
        result = {}
        for skin, (first, second) in self._shared.items():
            a, b = self.old.rig.skins[skin], self.new.rig.skins[skin]
            result[skin] = np.zeros(len(a.joints), dtype=np.bool_)
            if a is not b:
                binds = a.joint_from_mesh[first], b.joint_from_mesh[second]
                result[skin][first] = (binds[0] != binds[1]).any(axis=(1, 2))
        return result

    def _marked(self, skin: int) -> BoolArray:
        """Return ``(J,)`` which joints of the old skin may move vertices otherwise that name them still."""
        a, b = self.old.rig.skins[skin], self.new.rig.skins[skin]
        first, second = self._shared[skin]
        result = np.ones(len(a.joints), dtype=np.bool_)
        result[first] = self._moved[skin][first]
        bones, others = self.old.bind_bones[skin], self.new.bind_bones[skin]
        if bones is not others:
            result[first] |= (bones.heads[first] != others.heads[second]).any(axis=1)
            result[first] |= (bones.directions[first] != others.directions[second]).any(axis=1)
            result[first] |= bones.lengths[first] != others.lengths[second]
        # Of a joint that is listed twice a vertex may name another entry.
        twice = _listed_twice(a) | _listed_twice(b)
        return result | np.isin(a.nodes, list(twice))

    @cached_property
    def _marks(self) -> dict[int, BoolArray]:
        return {skin: self._marked(skin) for skin in self.old.skins if skin in self.new.skins}

    @cached_property
    def _untouched(self) -> frozenset[int]:
        """The skins that list the same joints, none of which may move vertices otherwise."""
        marks = self._marks.items()
        return frozenset(s for s, mark in marks if self._lists_alike(s) and not mark.any())

    @cached_property
    def moves_alike(self) -> bool:
        """Whether nodes move alike in both rigs, and joints are bound alike: only weights changed, say."""
        old, new = self.old.rig, self.new.rig
        pairs = (*zip(old.clips, new.clips, strict=True), *zip(old.skins, new.skins, strict=False))
        return (
            old.nodes is new.nodes
            and old.node_morph_weights is new.node_morph_weights
            and len(old.skins) == len(new.skins)
            and all(a is b for a, b in pairs)
        )

    def moves_in(self, clip: int) -> bool:
        """Tell whether anything that vertices follow may be elsewhere in a clip."""
        elsewhere = self.in_clips[clip]
        return bool(elsewhere[list(self.alone)].any()) or any(
            (elsewhere[self._listed[skin]] | self._rebound[skin])[first].any()
            for skin, (first, _) in self._shared.items()
        )

    def crowds(self, i: int, j: int, options: Options) -> tuple[BatchedPoses, BatchedPoses] | None:
        """Return the vertices of a part that may move elsewhere as both rigs bind them; None for none.

        Parameters
        ----------
        i, j
            The number of the part in both rigs.
        """
        part = self.old.rig.parts[i]
        vertices = self.vertices(part)
        if not len(vertices):
            return None
        old = BatchedPoses.of(self.old, i, vertices, options)
        new = BatchedPoses.of(self.new, j, vertices, options)
        if old.skin is None or new.skin is None or not self._morphs_alike(part):
            return old, new
        # Of what is written otherwise much is bound as it was: slots in another order, say.
        differ = _bound_differently(old, new) | _follows_any(old.binding, self._marks[old.skin])
        rows = np.flatnonzero(differ)
        if not len(rows):
            return None
        return (old, new) if len(rows) == len(vertices) else (old.only(rows), new.only(rows))

    def vertices(self, part: Part) -> IntArray:
        """Return which vertices of a part may move elsewhere, ascending."""
        before, after = self.old.rig.primitive(part), self.new.rig.primitive(part)
        everyone = np.arange(len(before.positions))
        if not self._morphs_alike(part):
            return everyone
        if not self.old.is_skinned(part) and not self.new.is_skinned(part):
            return _NOBODY if before is after and not self.nodes[part.node] else everyone
        a, b = before.influences, after.influences
        if a is None or b is None or part.skin not in self._marks:
            return everyone
        if before is after and part.skin in self._untouched:
            return _NOBODY
        return np.flatnonzero(self._bound_otherwise(part.skin, (before, after), (a, b)))

    def _bound_otherwise(
        self,
        skin: int,
        primitives: tuple[Primitive, Primitive],
        influences: tuple[Influences, Influences],
    ) -> BoolArray:
        """Return ``(V,)`` which vertices may move elsewhere, of a part that joints move in both rigs."""
        before, after = primitives
        result = np.zeros(len(before.positions), dtype=np.bool_)
        if before.compensation is not after.compensation:
            result |= before.mask != after.mask
        if before.positions is not after.positions:
            result |= (before.positions != after.positions).any(axis=1)
        if self._marks[skin].any():
            result |= _names_any(influences[0], self._marks[skin])
        if influences[0] is not influences[1] or not self._lists_alike(skin):
            result |= _slots_differ(
                influences, (self.old.rig.skins[skin], self.new.rig.skins[skin])
            )
        return result

    def _lists_alike(self, skin: int) -> bool:
        return self.old.rig.skins[skin].joints == self.new.rig.skins[skin].joints

    def _morphs_alike(self, part: Part) -> bool:
        """Tell whether a part is morphed alike at any time, or not at all."""
        before, after = self.old.rig, self.new.rig
        morphs = before.primitive(part).morphs, after.primitive(part).morphs
        if morphs == (None, None):
            return True
        of_node = before.node_morph_weights.get(part.node), after.node_morph_weights.get(part.node)
        of_mesh = before.meshes[part.mesh].morph_weights, after.meshes[part.mesh].morph_weights
        return (
            morphs[0] is morphs[1]
            and of_node[0] is of_node[1]
            and of_mesh[0] is of_mesh[1]
            and not any((part.node, "weights") in curves for curves in self._curves)
        )


def _placed_otherwise(a: Nodes, b: Nodes) -> BoolArray:
    """Return ``(N,)`` which nodes rest otherwise as seen from their parents, hang elsewhere, or are new."""
    both, most = min(len(a), len(b)), max(len(a), len(b))
    result = np.ones(most, dtype=np.bool_)
    if a is b:
        return ~result
    parents = (np.array(of.parents[:both], dtype=np.int64) for of in (a, b))
    result[:both] = np.not_equal(*parents)
    for own, other in (
        (a.translations, b.translations),
        (a.rotations, b.rotations),
        (a.scales, b.scales),
    ):
        result[:both] |= (own[:both] != other[:both]).any(axis=1)
    for node in a.matrices.keys() | b.matrices.keys():
        same = node in a.matrices and node in b.matrices
        result[node] |= not same or not np.array_equal(a.matrices[node], b.matrices[node])
    return result


def _other_curves(a: Clip, b: Clip) -> frozenset[tuple[int, str]]:
    """Return the node and the property of every curve that two clips do not share."""
    changed = b.changed_since(a)
    if changed is not None:
        pairs = [pair for n in changed for pair in zip(a.of_node(n), b.of_node(n), strict=True)]
        differing = [c for pair in pairs if not _same_curve(*pair) for c in pair]
    elif len(a.channels) == len(b.channels):
        paired = zip(a.channels, b.channels, strict=True)
        differing = [c for pair in paired if not _same_curve(*pair) for c in pair]
    else:
        both = [{(c.node, c.path, id(c.sampler)): c for c in of.channels} for of in (a, b)]
        differing = [of[key] for of in both for key in both[0].keys() ^ both[1].keys() if key in of]
    return frozenset((c.node, c.path) for c in differing if c.node is not None)


def _same_curve(a: Channel, b: Channel) -> bool:
    return a is b or (a.node == b.node and a.path == b.path and a.sampler is b.sampler)


def _shared_joints(a: Skin, b: Skin) -> tuple[IntArray, IntArray]:
    """Return where the joints that two skins share stand in the first and in the second."""
    if a.joints == b.joints and not _listed_twice(b):
        every = np.arange(len(a.joints))
        return every, every
    place = {joint: j for j, joint in enumerate(b.joints)}
    second = np.array([place.get(joint, -1) for joint in a.joints], dtype=np.int64)
    first = np.flatnonzero(second >= 0)
    return first, second[first]


def _listed_twice(skin: Skin) -> frozenset[int]:
    """Return the joints that a skin lists more than once."""
    if len(set(skin.joints)) == len(skin.joints):
        return frozenset()
    return frozenset(joint for joint in skin.joints if skin.joints.count(joint) > 1)


def _names_any(influences: Influences, marked: BoolArray) -> BoolArray:
    """Return ``(V,)`` which vertices give weight to any of some joints."""
    if influences.weight_span[0] >= 0.0 and not (influences.moves(len(marked)) & marked).any():
        return np.zeros(len(influences.joints), dtype=np.bool_)
    listed = (influences.joints >= 0) & (influences.joints < len(marked))
    named = marked[np.where(listed, influences.joints, 0)] & listed
    any_: BoolArray = (named & (influences.weights != 0.0)).any(axis=1)
    return any_


def _bound_differently(a: BatchedPoses, b: BatchedPoses) -> BoolArray:
    """Return ``(n,)`` which of the same vertices two rigs bind otherwise or shape otherwise."""
    differ = (a.points != b.points).any(axis=1) | (a.amplitude != b.amplitude)
    differ |= a.binding.side != b.binding.side
    width = max(crowd.binding.weights.shape[1] for crowd in (a, b))
    for own, other in zip(a.slots, b.slots, strict=True):
        differ |= row_ops.any_of(row_ops.widened(own, width) != row_ops.widened(other, width))
    return differ


def _follows_any(binding: Binding, marked: BoolArray) -> BoolArray:
    """Return ``(n,)`` which vertices follow any of some joints."""
    any_: BoolArray = (marked[binding.joints] & (binding.weights != 0.0)).any(axis=1)
    return any_


def _slots_differ(influences: tuple[Influences, Influences], skins: tuple[Skin, Skin]) -> BoolArray:
    """Return ``(V,)`` which vertices name other nodes, or give them other weights, slot by slot."""
    width = max(each.joints.shape[1] for each in influences)
    nodes, weights = [], []
    for each, listed in zip(influences, skins, strict=True):
        known = (each.joints >= 0) & (each.joints < len(listed.joints)) & (each.weights != 0.0)
        named = np.append(listed.nodes, _NO_NODE)[np.where(known, each.joints, _NO_NODE)]
        nodes.append(row_ops.widened(named, width, _NO_NODE))
        weights.append(row_ops.widened(each.weights, width))
    return row_ops.any_of((nodes[0] != nodes[1]) | (weights[0] != weights[1]))
