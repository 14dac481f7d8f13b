"""The rig: all that a file holds as one frozen, shape-checked value, and its skins.

A defective rig is representable (joints in a bad order, a loop in the hierarchy, too few inverse
bind matrices, joint numbers that do not exist), so that a rule can find and explain the defect.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Literal

import numpy as np

from rigview.core import affine, memo
from rigview.core.arrays import FloatArray, IntArray, frozen, owned
from rigview.core.brief import brief_repr
from rigview.core.clip import Clip
from rigview.core.euler import USUAL
from rigview.core.lookup import find_one
from rigview.core.materials import Image, Material, Unread
from rigview.core.memo import Remembers
from rigview.core.mesh import Mesh, Primitive
from rigview.core.nodes import OF_THE_TREE, Nodes
from rigview.core.text import count, shortened, some_of


@dataclass(frozen=True, eq=False)
class Skin:
    """The joints that move a mesh, and where each was when the mesh was attached.

    Parameters
    ----------
    joints
        Node numbers, in the order that influences refer to.
    inverse_binds
        ``(B, 4, 4)`` ``joint_from_mesh``, or None where the file states none. B may be smaller
        than the number of joints: the missing ones act as identities.
    skeleton
        The node that the file names as the skeleton's root, or None.
    """

    __repr__ = brief_repr

    name: str
    joints: tuple[int, ...]
    inverse_binds: FloatArray | None = None
    skeleton: int | None = None

    def __post_init__(self) -> None:
        if self.inverse_binds is not None:
            binds = frozen("inverse_binds", self.inverse_binds, (None, 4, 4))
            object.__setattr__(self, "inverse_binds", binds)

    @cached_property
    def joint_from_mesh(self) -> FloatArray:
        """``(J, 4, 4)`` inverse bind matrices, identity where the file has none."""
        result = np.tile(np.eye(4), (len(self.joints), 1, 1))
        if self.inverse_binds is not None:
            count = min(len(self.joints), len(self.inverse_binds))
            result[:count] = self.inverse_binds[:count]
        return frozen("joint_from_mesh", result, (len(self.joints), 4, 4))

    @cached_property
    def nodes(self) -> IntArray:
        """``(J,)`` the joints as an array."""
        return owned(np.array(self.joints, dtype=np.int64))

    @cached_property
    def mesh_from_joint(self) -> FloatArray:
        """``(J, 4, 4)`` where the joints were bound: the inverse bind matrices inverted."""
        return owned(affine.inverse(self.joint_from_mesh))


@dataclass(frozen=True)
class Origin:
    """What the file says of itself; everything in the rig is already metres, +Y up, right-handed.

    Parameters
    ----------
    rotation_orders
        Name of a node and the order of its Euler angles, of those whose order is not XYZ.
    """

    format: str
    generator: str = ""
    title: str = ""
    licence: str = ""
    unit_m: float = 1.0
    up: str = "Y"
    handedness: str = "right"
    fps: float | None = None
    extensions: tuple[str, ...] = ()
    rotation_orders: tuple[tuple[str, str], ...] = ()

    def rotation_order(self, name: str) -> str:
        """Return the order in which the Euler angles of a node turn, by its name: as `euler` writes it."""
        return dict(self.rotation_orders).get(name, USUAL)


@dataclass(frozen=True)
class Part:
    """One primitive as a node of the scene shows it; parts are numbered as `Rig.parts` lists them."""

    node: int
    mesh: int
    primitive: int
    skin: int | None


@dataclass(frozen=True)
class Unsupported:
    """What a file has and a reader leaves out, so that the rig is not all of the character.

    Parameters
    ----------
    what
        Part of its "motion", or "influences" of meshes that joints move.
    reason
        Which part and why, a sentence without the final stop.
    """

    what: Literal["motion", "influences"]
    reason: str


# What depends on nothing that `Rig.is_laid_out_like` does not compare.
OF_THE_LAYOUT = (
    "scene",
    "parts",
    "joints",
    "joint_parents",
    "joint_tops",
    "joint_children",
    "skinned_nodes",
    "mesh_skins",
)


@dataclass(frozen=True, eq=False)
class Rig(Remembers):
    """A whole file: hierarchy, meshes, skins, clips and materials.

    Parameters
    ----------
    node_meshes, node_skins
        Per node the number of its mesh and of its skin, or None.
    node_morph_weights
        Node → weights ``(T,)`` that replace the mesh's default morph weights.
    roots
        The nodes at the top of the default scene, as the file lists them.
    humanoid
        Node → the bone of a human body that it is, where the file says so (``leftUpperArm``).
    bones
        The nodes that the file calls joints or bones, whether a skin lists them or not; none where
        its format has no word for that.
    hidden
        The nodes whose meshes the file says not to show. They are drawn when asked for, and checked.
    """

    nodes: Nodes
    node_meshes: tuple[int | None, ...]
    node_skins: tuple[int | None, ...]
    roots: tuple[int, ...]
    meshes: tuple[Mesh, ...] = ()
    skins: tuple[Skin, ...] = ()
    materials: tuple[Material, ...] = ()
    images: tuple[Image | None, ...] = ()
    clips: tuple[Clip, ...] = ()
    node_morph_weights: dict[int, FloatArray] = field(default_factory=dict)
    origin: Origin = field(default_factory=lambda: Origin("none"))
    unread: tuple[Unread, ...] = ()
    unseen: tuple[Unsupported, ...] = ()
    humanoid: dict[int, str] = field(default_factory=dict)
    bones: frozenset[int] = frozenset()
    hidden: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        for name in ("node_meshes", "node_skins"):
            if len(getattr(self, name)) != len(self.nodes):
                raise ValueError(
                    f"{name}: wanted {len(self.nodes)} entries, got {len(getattr(self, name))}"
                )

    def __repr__(self) -> str:
        clips = some_of(self.clip_names, 3)
        parts = (
            self.origin.format,
            count(len(self.joints), "joint"),
            count(len(self.meshes), "mesh"),
            f"clips {shortened(clips, 90)}" if clips else "no clip",
        )
        return f"Rig({', '.join(parts)})"

    def joint(self, named: str | int) -> int:
        """Return the node number of a joint that is named, or given by that number (`find_one`)."""
        return find_one("joint", named, {j: self.nodes.label(j) for j in self.joints})

    def mesh(self, named: str | int) -> int:
        """Return the number of a mesh, by its name or that of a node that shows it (`find_one`)."""
        shown = {m: self.nodes.names[n] for n, m in enumerate(self.node_meshes) if m is not None}
        return find_one("mesh", named, {m: mesh.name for m, mesh in enumerate(self.meshes)}, shown)

    def clip(self, named: str | int) -> Clip:
        """Return a clip, by its name or its number (`find_one`)."""
        return self.clips[find_one("clip", named, dict(enumerate(self.clip_names)))]

    def body_name(self, node: int) -> str:
        """Return what tells the part of a body that a node is: the file's word for it, else its name."""
        return self.humanoid.get(node, self.nodes.names[node])

    @cached_property
    def clip_names(self) -> tuple[str, ...]:
        """What each clip is asked for by: its name, else its number."""
        return tuple(clip.name or str(number) for number, clip in enumerate(self.clips))

    @cached_property
    def default_clip(self) -> int | None:
        """The number of the clip that is meant where none is named; None where there is no clip.

        It is the first in which anything changes: files of some services begin with a take that is empty.
        Where nothing changes in any, it is the first.
        """
        moving = (number for number, clip in enumerate(self.clips) if clip.changes_anything)
        return next(moving, 0 if self.clips else None)

    @cached_property
    def missing(self) -> tuple[Unread, ...]:
        """What the rig opens without: `unread`, and the images that are damaged, which decodes all."""
        damaged = (image.unread for image in self.images if image is not None)
        return (*self.unread, *(found for found in damaged if found is not None))

    @cached_property
    def scene(self) -> tuple[int, ...]:
        """The nodes of the default scene, depth first from its roots."""
        return tuple(dict.fromkeys(n for root in self.roots for n in self.nodes.subtree(root)))

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The mesh primitives that the scene shows, depth first by node, in file order within one."""
        return tuple(
            Part(node, mesh, primitive, self.node_skins[node])
            for node in self.scene
            if (mesh := self.node_meshes[node]) is not None
            for primitive in range(len(self.meshes[mesh].primitives))
        )

    def primitive(self, part: Part) -> Primitive:
        """Return the geometry of a part."""
        return self.meshes[part.mesh].primitives[part.primitive]

    def material_of(self, part: Part) -> Material:
        """Return the material of a part; a plain one where it has none."""
        number = self.primitive(part).material
        return Material() if number is None else self.materials[number]

    @cached_property
    def joints(self) -> tuple[int, ...]:
        """The joints of the rig as node numbers, ascending.

        They are the joints of all skins; without any skin, the nodes that the file calls bones. A file
        that has neither, nor any mesh, is a skeleton: all its nodes are joints.
        """
        if any(skin.joints for skin in self.skins):
            return tuple(sorted({node for skin in self.skins for node in skin.joints}))
        if self.bones:
            return tuple(sorted(self.bones))
        if not any(mesh is not None for mesh in self.node_meshes):
            return tuple(range(len(self.nodes)))
        return ()

    @cached_property
    def joint_parents(self) -> dict[int, int]:
        """Joint → the nearest joint above it, −1 for a root joint; other nodes are skipped."""
        joints, parents = set(self.joints), self.nodes.parents
        nearest: dict[int, int] = {-1: -1}
        for level in self.nodes.levels:
            for node in level.tolist():
                above = parents[node]
                nearest[node] = above if above in joints else nearest[above]
        return {joint: nearest[joint] for joint in self.joints}

    @cached_property
    def joint_tops(self) -> dict[int, int]:
        """Joint → the topmost joint above it; a root joint's is itself."""
        tops: dict[int, int] = {}
        parents = self.joint_parents
        for level in self.nodes.levels:
            for node in level.tolist():
                if node in parents:
                    tops[node] = tops.get(parents[node], node)
        return tops

    @cached_property
    def joint_children(self) -> dict[int, tuple[int, ...]]:
        """Joint → its child joints in file order."""
        children: dict[int, list[int]] = {joint: [] for joint in self.joints}
        for joint, parent in self.joint_parents.items():
            if parent >= 0:
                children[parent].append(joint)
        return {joint: tuple(below) for joint, below in children.items()}

    @cached_property
    def skinned_nodes(self) -> tuple[tuple[int, ...], ...]:
        """Per skin the nodes whose mesh it moves."""
        result: list[list[int]] = [[] for _ in self.skins]
        for node, (mesh, skin) in enumerate(zip(self.node_meshes, self.node_skins, strict=True)):
            if mesh is not None and skin is not None:
                result[skin].append(node)
        return tuple(map(tuple, result))

    @cached_property
    def mesh_skins(self) -> dict[int, frozenset[int | None]]:
        """Mesh that a node shows → the skins that it hangs on; None among them where a node has none."""
        result: dict[int, set[int | None]] = {}
        for mesh, skin in zip(self.node_meshes, self.node_skins, strict=True):
            if mesh is not None:
                result.setdefault(mesh, set()).add(skin)
        return {mesh: frozenset(skins) for mesh, skins in result.items()}

    @cached_property
    def alike(self) -> tuple[int, ...]:
        """Per skin the first one that lists the same joints with the same inverse bind matrices.

        Exporters write a skin for every mesh of a character.
        """
        first: dict[Hashable, int] = {}
        # The skins of a file may share an array, whose bytes are told by the same sum.
        sums: dict[int, bytes] = {}
        for skin in self.skins:
            binds = skin.inverse_binds
            if binds is not None and id(binds) not in sums:
                sums[id(binds)] = sha256(binds.tobytes()).digest()
        says = ((skin.joints, sums.get(id(skin.inverse_binds))) for skin in self.skins)
        return tuple(first.setdefault(what, number) for number, what in enumerate(says))

    def skinned_parts(self, skin: int) -> tuple[Part, ...]:
        """Return the parts that the numbered skin moves."""
        return self._skinned_parts[skin]

    @cached_property
    def _skinned_parts(self) -> tuple[tuple[Part, ...], ...]:
        result: list[list[Part]] = [[] for _ in self.skins]
        for part in self.parts:
            if part.skin is not None and self.primitive(part).influences is not None:
                result[part.skin].append(part)
        return tuple(map(tuple, result))

    def with_primitive(self, mesh: int, number: int, primitive: Primitive) -> "Rig":
        """Return the rig with one primitive exchanged."""
        old = self.meshes[mesh]
        primitives = (*old.primitives[:number], primitive, *old.primitives[number + 1 :])
        meshes = (
            *self.meshes[:mesh],
            replace(old, primitives=primitives),
            *self.meshes[mesh + 1 :],
        )
        return replace(self, meshes=meshes).made_of(self)

    def with_skin(self, number: int, skin: Skin) -> "Rig":
        """Return the rig with one skin exchanged."""
        skins = (*self.skins[:number], skin, *self.skins[number + 1 :])
        return replace(self, skins=skins).made_of(self)

    def made_of(self, other: "Rig") -> "Rig":
        """Take over what is known of the layout of a rig that this one was made of, where it stays."""
        if self.nodes is not other.nodes and self.nodes.children is other.nodes.children:
            memo.hand_over(other.nodes, self.nodes, OF_THE_TREE)
        if self.is_laid_out_like(other):
            memo.hand_over(other, self, OF_THE_LAYOUT)
        return self

    def is_laid_out_like(self, other: "Rig") -> bool:
        """Tell whether the same nodes hang alike, show as many primitives and are the same joints.

        Only what is the same value counts as equal of what has an entry per node.
        """
        return (
            self.nodes.children is other.nodes.children
            and self.node_meshes is other.node_meshes
            and self.node_skins is other.node_skins
            and self.roots == other.roots
            and [len(mesh.primitives) for mesh in self.meshes]
            == [len(mesh.primitives) for mesh in other.meshes]
            and [skin.joints for skin in self.skins] == [skin.joints for skin in other.skins]
        )
