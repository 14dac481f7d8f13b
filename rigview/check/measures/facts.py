"""What is measured of a rig once, for all rules and fixes that ask for it."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import TypeVar

import numpy as np

from rigview.check.measures.sizes import dressed, sizes
from rigview.core import affine, quat
from rigview.core.anatomy import Anatomy, Humanoid
from rigview.core.arrays import FloatArray, median
from rigview.core.brief import brief_repr
from rigview.core.deform import Deformer
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.memo import Remembers
from rigview.core.mirror_plane import MirrorPlane, mirror_plane
from rigview.core.rig import Rig
from rigview.core.stance import bodies, names_sides_wrongly

_Result = TypeVar("_Result")


def scale_range(matrices: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the smallest and largest scale of ``(…, 3, 3)`` matrices, 0 where one is no number."""
    with np.errstate(invalid="ignore"):
        finite = np.isfinite(matrices).all(axis=(-1, -2), keepdims=True)
    if not np.all(finite):
        matrices = np.where(finite, matrices, 0.0)
    return affine.scale_range(matrices)


def bind_scales(facts: "Facts", skin: int) -> tuple[FloatArray, FloatArray]:
    """Return ``(B,)`` each the scales of the inverse bind matrices that a file states.

    For `Facts.of_skin`.
    """
    return scale_range(stated(facts.rig, skin))


def skin_scales(facts: "Facts", skin: int) -> tuple[FloatArray, FloatArray]:
    """Return ``(J,)`` each the scales of a skin's matrices at rest; for `Facts.of_skin`."""
    return scale_range(facts.deformer.rest_matrices[skin])


def size_in_mesh(facts: "Facts", skin: int) -> float:
    """Return H of the character that wears a skin, in the units of its meshes; for `Facts.once`.

    The skin states inverse bind matrices.
    """
    _, high = facts.of_skin(skin_scales, skin)
    return facts.size_of(skin) / max(median(high[: len(stated(facts.rig, skin))]), 1e-300)


def stated(rig: Rig, skin: int) -> FloatArray:
    """Return ``(B, 4, 4)`` the inverse bind matrices that the file states for joints of a skin."""
    binds = rig.skins[skin].inverse_binds
    if binds is None:
        return np.zeros((0, 4, 4))
    return np.asarray(binds[: len(rig.skins[skin].joints)], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Facts(Remembers):
    """A rig and what is known of it; what no rule has asked for is not computed."""

    __repr__ = brief_repr

    deformer: Deformer

    @property
    def rig(self) -> Rig:
        """The rig."""
        return self.deformer.rig

    @cached_property
    def anatomy(self) -> Anatomy:
        """What the names of the joints say: sides, pairs, and the parts of a body."""
        return Anatomy(self.rig)

    @cached_property
    def sizes(self) -> FloatArray:
        """``(N,)`` H of the character that each node belongs to, in metres."""
        return sizes(self.deformer, self.characters)

    @cached_property
    def characters(self) -> dict[int, int]:
        """Joint → the number of its character, one with all clothes that have skeletons of their own."""
        return dressed(self.deformer, self.anatomy.characters)

    def size_of(self, skin: int) -> float:
        """Return H of the character that wears a skin, in metres."""
        joints = self.rig.skins[skin].joints
        return float(self.sizes[joints[0]]) if joints else self.deformer.size

    def size_over(self, pairs: Sequence[tuple[int, int]]) -> float:
        """Return H of the character that pairs of joints belong to; of the file where that is two."""
        of = self.characters
        alike = all(of.get(left, -1) == of.get(right, -1) for left, right in pairs)
        return float(self.sizes[pairs[0][0]]) if alike else self.deformer.size

    @cached_property
    def bodies(self) -> tuple[Humanoid, ...]:
        """The joints of humans' bodies: by their names, and by where the trunk and the legs point."""
        return bodies(self.anatomy, self.deformer.rest_nodes[:, :3, 3])

    @cached_property
    def wrongly_sided(self) -> frozenset[Humanoid]:
        """The bodies whose left by their names is their right, as their feet tell."""
        found = (b for b in self.bodies if names_sides_wrongly(self.deformer, self.anatomy, b))
        return frozenset(found)

    @cached_property
    def mirror_planes(self) -> dict[int, MirrorPlane]:
        """Character → the plane between its left and right at rest, where pairs of joints tell one."""
        heads, planes = self.deformer.rest_nodes[:, :3, 3], {}
        for character, pairs in self.anatomy.pairs_of.items():
            left, right = heads[np.array(pairs).T]
            starts = self.anatomy.starts(pairs)
            plane = mirror_plane(left, right, starts, self.size_over(pairs))
            if plane is not None:
                planes[character] = plane
        return planes

    @cached_property
    def carrying(self) -> frozenset[int]:
        """The joints that weights tie vertices to; of skins that no mesh shows, all."""
        rig, total = self.rig, self.deformer.total_weights
        skins = [skin for i, skin in enumerate(rig.skins) if rig.skinned_parts(i)]
        asked = {joint for skin in skins for joint in skin.joints}
        return frozenset(j for j in rig.joints if j not in asked or total[j] > 0.0)

    @cached_property
    def idle(self) -> frozenset[int]:
        """The joints that move no vertex and show no mesh, as nothing does below them.

        Programs that export controls beside the joints that deform (Rigify's in Blender) have hundreds.
        """
        rig = self.rig
        shown = zip(rig.node_meshes, rig.node_skins, strict=True)
        busy = {
            node for node, (mesh, skin) in enumerate(shown) if mesh is not None and skin is None
        }
        busy |= self.carrying
        return frozenset(rig.joints).difference(rig.nodes.with_ancestors(busy))

    @cached_property
    def frames(self) -> FloatArray:
        """``(N, 3, 3)`` the axes of all nodes at rest in model space, without scale."""
        rotation, _ = affine.polar(self.deformer.rest_nodes[:, :3, :3])
        return rotation

    @cached_property
    def turns(self) -> FloatArray:
        """``(N, 4)`` the same as quaternions."""
        return quat.from_matrix(self.frames)

    @cached_property
    def scales(self) -> tuple[FloatArray, FloatArray]:
        """``(N,)`` each the smallest and the largest scale of all nodes at rest in model space."""
        return scale_range(self.deformer.rest_nodes)

    def of_rig(self, compute: Callable[..., _Result], *given: Hashable) -> _Result:
        """Return ``compute(rig, *given)``, computed for the first that asks, and kept with the facts."""
        return self.once(_of_rig, compute, *given)

    def of_skin(self, compute: Callable[..., _Result], skin: int, *given: Hashable) -> _Result:
        """Return ``compute(facts, skin, *given)``, computed once for all skins that say the same."""
        return self.once(compute, self.rig.alike[skin], *given)


def _of_rig(facts: Facts, compute: Callable[..., _Result], *given: Hashable) -> _Result:
    return compute(facts.rig, *given)


def joint_meter(_: Facts, deformer: Deformer) -> JointMeter:
    """Return what measures the joints of a rig, or of what is left of it; for `Facts.once`."""
    return JointMeter(deformer)


class _Latest:
    """The facts of the last rigs that were asked for.

    Fixes are tried on one rig after the other, many on the same one, and rules look at what comes out.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._facts: OrderedDict[Rig, Facts] = OrderedDict()
        self._lock = Lock()

    def of(self, rig: Rig) -> Facts | None:
        """Return what is kept of a rig."""
        with self._lock:
            facts = self._facts.get(rig)
            if facts is not None:
                self._facts.move_to_end(rig)
            return facts

    def keep(self, facts: Facts) -> Facts:
        """Keep the facts of a rig, and forget those that nobody asked for the longest time."""
        with self._lock:
            kept = self._facts.setdefault(facts.rig, facts)
            self._facts.move_to_end(facts.rig)
            while len(self._facts) > self._most:
                self._facts.popitem(last=False)
            return kept

    def drop_all_but(self, rig: Rig | None) -> None:
        """Forget all rigs but one."""
        with self._lock:
            for other in [known for known in self._facts if known is not rig]:
                del self._facts[other]


_LATEST = _Latest(2)


def forget_all_but(rig: Rig | None) -> None:
    """Forget what is known of the last rigs but one: what is closed shall take no memory."""
    _LATEST.drop_all_but(rig)


def measured(rig: Rig, before: Rig | None = None) -> Facts:
    """Return the facts of a rig, which are kept for the last two rigs.

    It is skinned as engines draw it: weights that do not sum to one are divided by their sum. What its
    weights are in the file, rules read in its meshes.

    Parameters
    ----------
    before
        A rig that it was made of: what cannot have changed since is taken over.
    """
    facts = _LATEST.of(rig)
    if facts is not None:
        return facts
    deformer = (
        Deformer(rig, "normalised") if before is None else measured(before).deformer.of_changed(rig)
    )
    return _LATEST.keep(Facts(deformer))
