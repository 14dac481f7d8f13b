"""Turn a rig into the plan of a USD file: which nodes are joints, how meshes are bound, what is keyed.

1. Joints of the file are the rig's joints, every node that moves or shows something that a joint or a
   moving node carries, and all nodes above these. Still nodes above them all become the place of the
   Skeleton prim.
2. USD states the bind pose of a joint once. ``inv(bind)·geomBindTransform`` is to be the rig's inverse bind
   matrix: where two skins differ in it, by one matrix for all joints that is the mesh's own transform, else
   the mesh gets a Skeleton of its own with the same joints.
3. A mesh without skin that a joint carries follows that joint rigidly.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rigview.core import affine
from rigview.core.arrays import FloatArray
from rigview.core.mesh import Primitive
from rigview.core.pose import model_from_nodes, sample
from rigview.core.rig import Part, Rig
from rigview.io.reading import and_more
from rigview.io.usd.export.clips import ClipPlanner
from rigview.io.usd.export.names import PrimNames
from rigview.io.usd.export.plan import MeshPlan, ShapePlan, SkeletonPlan, SkinPlan, StagePlan

# Inverse bind matrices that differ by less, as a share of their size, are one.
_ONE = 1e-9
_RATE = 24.0
# Sums of weights that are off one by more are told of.
_OFF = 1e-5


def planned(rig: Rig, name: str, images: dict[int, str]) -> tuple[StagePlan, tuple[str, ...]]:
    """Return the plan of a file, and what of the rig it does not carry."""
    planning = _Planning(rig)
    meshes = planning.meshes()
    clips = ClipPlanner(rig, planning.tokens, planning.shape_names)
    made = tuple(clips.made())
    plan = StagePlan(
        name,
        planning.skeletons(),
        meshes,
        made,
        (rig.default_clip or 0) if made else None,
        rig.materials,
        images,
        rig.origin.fps or _RATE,
    )
    return plan, tuple(dict.fromkeys((*planning.notes, *clips.notes)))


@dataclass(eq=False)
class _Group:
    """Skins that share a Skeleton prim: node → ``world_from_joint`` where they were bound."""

    binds: dict[int, FloatArray] = field(default_factory=dict)


class _Planning:
    """A plan under construction."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._groups: list[_Group] = []
        self._names = PrimNames()
        self.notes: list[str] = []
        # Node with a mesh, number of a target → the name of its blend shape.
        self.shape_names: dict[tuple[int, int], str] = {}

    @cached_property
    def _world(self) -> FloatArray:
        """``(N, 4, 4)`` ``model_from_node`` at rest."""
        frames = model_from_nodes(self._rig, sample(self._rig, None, 0.0))
        return np.asarray(frames, dtype=np.float64)

    @cached_property
    def _moving(self) -> set[int]:
        return {node for clip in self._rig.clips for node in clip.moves}

    @cached_property
    def _carried(self) -> set[int]:
        """The nodes that become joints, without those above them."""
        rig, scene = self._rig, set(self._rig.scene)
        skinned = {p.node for p in rig.parts if self._is_skinned(p)}
        moving = {n for n in self._moving if n in scene and n not in skinned}
        result = {*rig.joints} | moving
        for part in rig.parts:
            if part.node in skinned:
                continue
            has_shapes = rig.primitive(part).morphs is not None
            if has_shapes or any(n in result for n in (part.node, *rig.nodes.ancestors(part.node))):
                result.add(part.node)
        return result

    def _is_skinned(self, part: Part) -> bool:
        return part.skin is not None and self._rig.primitive(part).influences is not None

    @cached_property
    def _laid_out(self) -> tuple[FloatArray, dict[int, str]]:
        """Where the Skeleton prims are, and node → path of the joint, parents first."""
        nodes = self._rig.nodes
        kept = nodes.with_ancestors(self._carried)
        local = nodes.local_matrices()
        place = np.eye(4)
        tops = [n for n in nodes.depth_first if n in kept and nodes.parents[n] not in kept]
        while len(tops) == 1 and tops[0] not in self._carried:
            place = place @ local[tops[0]]
            kept.remove(tops[0])
            tops = [n for n in nodes.sound_children[tops[0]] if n in kept]
        tokens: dict[int, str] = {}
        taken: set[str] = set()
        for node in (n for n in nodes.depth_first if n in kept):
            above = tokens.get(nodes.parents[node])
            name = self._names.valid(nodes.names[node] or f"node_{node}")
            token = PrimNames.free(name if above is None else f"{above}/{name}", taken)
            tokens[node] = token
        changed = [n for n in tokens if tokens[n].rpartition("/")[2] != nodes.names[n]]
        if changed:
            first = changed[0]
            self.notes.append(
                f"USD does not allow the name {nodes.label(first)}{and_more(len(changed) - 1)}: it is "
                f"called {tokens[first].rpartition('/')[2]}"
            )
        return place, tokens

    @property
    def tokens(self) -> dict[int, str]:
        """Node → path of the joint, parents first."""
        return self._laid_out[1]

    def skeletons(self) -> tuple[SkeletonPlan, ...]:
        """Return the Skeleton prims, once all meshes are bound."""
        place, tokens = self._laid_out
        if not tokens:
            return ()
        local = self._rig.nodes.local_matrices()
        rests = np.array([local[n] for n in tokens])
        return tuple(
            SkeletonPlan(
                place,
                tuple(tokens.values()),
                rests,
                np.array([group.binds.get(n, self._world[n]) for n in tokens]),
            )
            for group in self._groups or [_Group()]
        )

    def meshes(self) -> tuple[MeshPlan, ...]:
        """Return a Mesh prim of every part that has faces."""
        result = []
        for part in self._rig.parts:
            primitive = self._rig.primitive(part)
            if len(primitive.lines) or len(primitive.points):
                self.notes.append(f"{self._label(part)} draws lines or points, which are left out")
            if len(primitive.triangles):
                self._note_painted(part, primitive)
                result.append(self._mesh(part, primitive))
        return tuple(result)

    def _note_painted(self, part: Part, primitive: Primitive) -> None:
        """Say which values per vertex USD has no place for."""
        painted = {
            "mask of the compensation": primitive.compensation,
            "shares of LBS and DQS": primitive.dqs_weights,
        }
        for what, values in painted.items():
            if values is not None:
                self.notes.append(f"USD has no place for the {what} of {self._label(part)}")

    def _label(self, part: Part) -> str:
        return self._rig.meshes[part.mesh].name or self._rig.nodes.label(part.node)

    def _mesh(self, part: Part, primitive: Primitive) -> MeshPlan:
        rig = self._rig
        material = None if primitive.material is None else rig.materials[primitive.material]
        binding = self._binding(part, primitive)
        return MeshPlan(
            self._names.unique(self._label(part)),
            primitive.positions,
            primitive.triangles,
            primitive.shading_normals if primitive.normals is not None else None,
            tuple(uv * (1.0, -1.0) + (0.0, 1.0) for _, uv in sorted(primitive.uvs.items())),
            primitive.colours,
            primitive.material,
            material is not None and material.double_sided,
            part.node in rig.hidden,
            None if binding is not None else self._world[part.node],
            binding,
            self._shapes(part, primitive),
        )

    def _shapes(self, part: Part, primitive: Primitive) -> tuple[ShapePlan, ...]:
        morphs = primitive.morphs
        if morphs is None:
            return ()
        result = []
        for number, offsets in enumerate(morphs.positions):
            key = part.node, number
            if key not in self.shape_names:
                name = morphs.names[number] if number < len(morphs.names) else f"shape_{number}"
                self.shape_names[key] = self._names.unique(name)
            normals = None if morphs.normals is None else morphs.normals[number]
            result.append(ShapePlan(self.shape_names[key], offsets, normals))
        return tuple(result)

    def _binding(self, part: Part, primitive: Primitive) -> SkinPlan | None:
        if self._is_skinned(part) and part.skin is not None:
            return self._skinned(part, primitive, part.skin)
        if part.node not in self.tokens:
            return None
        return self._rigid(part.node)

    def _rigid(self, node: int) -> SkinPlan:
        """Return the binding of a mesh that one joint carries."""
        if not self._groups:
            self._groups.append(_Group())
        bind = self._groups[0].binds.setdefault(node, self._world[node])
        place = [*self.tokens].index(node)
        return SkinPlan(0, None, np.array([[place]]), np.ones((1, 1)), bind)

    def _skinned(self, part: Part, primitive: Primitive, number: int) -> SkinPlan:
        skin = self._rig.skins[number]
        influences = primitive.influences
        if influences is None:
            raise ValueError("influences: wanted some of a skinned part, got None")
        group, geometry = self._group(dict(zip(skin.joints, skin.joint_from_mesh, strict=True)))
        count = len(skin.joints)
        valid = (influences.joints >= 0) & (influences.joints < count)
        valid &= np.isfinite(influences.weights)
        weights = np.where(valid, influences.weights, 0.0)
        joints = np.where(valid & (weights != 0.0), influences.joints, 0)
        sums = weights.sum(axis=1, keepdims=True)
        self._note_sums(part, sums[:, 0])
        weights = weights / np.where(np.abs(sums) > 1e-6, sums, 1.0)
        tokens = tuple(self.tokens[joint] for joint in skin.joints)
        own = None if tokens == tuple(self.tokens.values()) else tokens
        return SkinPlan(group, own, joints, weights, geometry, primitive.method)

    def _note_sums(self, part: Part, sums: FloatArray) -> None:
        without = int(np.sum(np.abs(sums) <= 1e-6))
        if without:
            self.notes.append(
                f"{without} vertices of {self._label(part)} have no weight, and OpenUSD lets them fall on "
                "the origin: the fix of WGT-ZERO binds them"
            )
        off = np.abs(sums - 1.0) > _OFF
        if np.any(off & (np.abs(sums) > 1e-6)):
            self.notes.append(
                f"the weights of {int(np.sum(off)) - without} vertices of {self._label(part)} now sum to "
                "one, as they are drawn"
            )

    def _group(self, inverse: dict[int, FloatArray]) -> tuple[int, FloatArray]:
        """Return the Skeleton prim that can bind a skin so, and the mesh's own transform for it."""
        for number, group in enumerate(self._groups):
            shared = [j for j in inverse if j in group.binds]
            ways = [group.binds[j] @ inverse[j] for j in shared]
            geometry = np.eye(4)
            if ways and not all(_near(geometry, way) for way in ways):
                geometry = ways[0]
            if all(_near(geometry, way) for way in ways):
                back = affine.inverse(geometry)
                group.binds.update(
                    (j, affine.inverse(inverse[j] @ back)) for j in inverse if j not in shared
                )
                return number, geometry
        self._groups.append(_Group({j: affine.inverse(bind) for j, bind in inverse.items()}))
        return len(self._groups) - 1, np.eye(4)


def _near(a: FloatArray, b: FloatArray) -> bool:
    size = max(1.0, float(np.abs(a[:3, 3]).max()))
    return bool(np.abs(a - b).max() <= _ONE * 1e3 * size)
