"""Read a USD stage into a `Rig`. Bindings are read here, all else by the modules beside this one.

UsdSkel skins a point as ``skel_from_joint · joint_from_bind · geomBindTransform · p`` and places the
result with the skeleton prim. The geometry's bind transform is therefore applied to the points once,
and the joints stand below the node of their skeleton. Points without any weight are the exception: they
are drawn where they are in the mesh's space, so that of their mesh is the model's.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from pxr import Usd, UsdGeom, UsdSkel

from rigview.core import affine
from rigview.core.arrays import FloatArray
from rigview.core.mesh import FileMethod, Influences, Mesh, MorphTargets, Primitive
from rigview.core.placement import Up, scaled, to_y_up, turned
from rigview.core.rig import Origin, Rig, Skin
from rigview.io.reading import Listener, Loaded, Notes, and_more, hidden
from rigview.io.usd.clips import Morphed, Played, StageClips
from rigview.io.usd.materials import PrimMaterial, UsdMaterials, uv_names
from rigview.io.usd.mesh import MeshSubset, draws, is_hidden, points_of, surfaces
from rigview.io.usd.scene import EARLIEST, SkeletonPrim, StageNodes, read_scene
from rigview.io.usd.shapes import BlendShape, read_shapes, resting
from rigview.io.usd.source import original_of
from rigview.io.usd.stage import floats, matrices, open_stage, quiet

_METHODS: dict[str, FileMethod] = {"classicLinear": "lbs", "dualQuaternion": "dqs"}
_HIDDEN = ("guide", "proxy")
# Exporters round their weights to a few digits.
_SUM_OFF = 1e-3


@dataclass(frozen=True, eq=False)
class OpenedStage:
    """An open stage and the rig made of it, with the prims that each part of the rig was read from.

    Parameters
    ----------
    rig
        In metres, +Y up.
    drawn
        Node → the prim that draws its mesh.
    played
        Per clip the animations that it consists of.
    """

    stage: Usd.Stage
    scene: StageNodes
    rig: Rig
    drawn: "dict[int, Drawn]"
    played: tuple[tuple[Played, ...], ...]
    morphed: tuple[Morphed, ...]
    unit: float
    up: Up
    notes: Notes


def read(path: Path, listener: Listener, earn: Callable[[int], object] = int) -> Loaded:
    """Read a USD file of any kind.

    Parameters
    ----------
    earn
        Called with the size of every further file, before it is read.
    """
    notes = Notes()
    with quiet(path, notes):
        opened = open_rig(path, listener, notes, earn)
        source = original_of(path, opened.stage)
    listener.stage("done", 1.0)
    return Loaded(path, opened.rig, source, tuple(notes))


def open_rig(
    path: Path, listener: Listener, notes: Notes, earn: Callable[[int], object] = int
) -> OpenedStage:
    """Open a stage and make a rig of it; to be called within `quiet`."""
    listener.stage("opening the stage", 0.0)
    stage = open_stage(path, earn)
    cache = UsdSkel.Cache()
    listener.stage("reading the skeleton", 0.3)
    scene = read_scene(stage, cache, notes)
    up: Up = "Z" if str(UsdGeom.GetStageUpAxis(stage)) == "Z" else "Y"
    build = _Build(path, scene, notes)
    build.bind(stage, cache)
    drawn = [(n, p) for n, p in scene.prims if draws(p)]
    for i, (node, prim) in enumerate(drawn):
        listener.stage(f"reading mesh {i + 1} of {len(drawn)}", 0.4 + 0.4 * i / len(drawn))
        build.add(node, prim)
    _note_not_drawn(scene, notes)
    if not scene.names:
        _add_animated_joints(stage, cache, scene)
    nodes = scene.nodes()
    notes.extend(build.materials.pictures.notes)
    listener.stage("reading clips", 0.8)
    clips = StageClips(stage, cache, scene, nodes, build.morphed, notes)
    played = clips.played(path.stem)
    unit = _unit(stage, notes)
    rig = Rig(
        nodes,
        tuple(build.node_meshes.get(n) for n in range(len(nodes))),
        tuple(build.node_skins.get(n) for n in range(len(nodes))),
        nodes.roots,
        tuple(build.meshes),
        tuple(build.skins),
        tuple(build.materials.materials),
        tuple(build.materials.pictures.images),
        tuple(clip for clip, _ in played),
        unread=tuple(build.materials.pictures.unread),
        unseen=notes.unseen,
        bones=frozenset(n for skel in build.scene.skeletons.values() for n in skel.nodes),
    )
    rig = hidden(rig, (n for n, prim in drawn if is_hidden(prim, notes)), notes)
    rig = turned(scaled(rig, unit), to_y_up(up))
    rig = replace(rig, origin=Origin("USD", unit_m=unit, up=up, fps=_rate(stage)))
    parts = tuple(anims for _, anims in played)
    morphed = tuple(build.morphed)
    return OpenedStage(stage, scene, rig, build.drawn, parts, morphed, unit, up, notes)


def _unit(stage: Usd.Stage, notes: Notes) -> float:
    """Return the metres of one unit; of an impossible one OpenUSD's own default."""
    unit = float(UsdGeom.GetStageMetersPerUnit(stage))
    if 1e-9 <= unit <= 1e9:
        return unit
    default = float(UsdGeom.LinearUnits.centimeters)
    notes.append(f"the unit is {unit:g} m, which is impossible: {default:g} m is taken")
    return default


def _note_not_drawn(scene: StageNodes, notes: Notes) -> None:
    """Note, once a kind, what other programs draw of a stage."""
    kinds = (UsdGeom.Gprim, UsdGeom.PointInstancer)
    found = [p for _, p in scene.prims if any(map(p.IsA, kinds)) and not draws(p)]
    for kind, number in Counter(p.GetTypeName() for p in found).items():
        example = next(p.GetPath() for p in found if p.GetTypeName() == kind)
        notes.append(f"what is of the type {kind} is not shown: {example}{and_more(number - 1)}")


def _rate(stage: Usd.Stage) -> float:
    """Return the frames a second, which are the time codes where the stage states no others."""
    stated = stage.HasAuthoredMetadata("framesPerSecond")
    return float(stage.GetFramesPerSecond() if stated else stage.GetTimeCodesPerSecond())


def _add_animated_joints(stage: Usd.Stage, cache: UsdSkel.Cache, scene: StageNodes) -> None:
    """Make joints of the animation in a file that has nothing else."""
    prim = next((p for p in stage.Traverse() if p.IsA(UsdSkel.Animation)), None)
    anim = None if prim is None else cache.GetAnimQuery(UsdSkel.Animation(prim))
    if prim is None or not anim:
        return
    order = tuple(str(token) for token in anim.GetJointOrder())
    first = next(iter(anim.GetJointTransformTimeSamples()), stage.GetStartTimeCode())
    local = matrices(list(anim.ComputeJointLocalTransforms(first) or []))
    if len(local) != len(order):
        return
    numbers: dict[str, int] = {}
    for token, matrix in zip(order, local, strict=True):
        parent = token.rpartition("/")[0]
        while parent and parent not in numbers:
            parent = parent.rpartition("/")[0]
        numbers[token] = scene.add(token.rpartition("/")[2], numbers.get(parent, -1), matrix)
    inverse = np.tile(np.eye(4), (len(order), 1, 1))
    skeleton = SkeletonPrim(anim, prim, order, tuple(numbers.values()), inverse)
    scene.skeletons[str(prim.GetPath())] = skeleton


def _why_not_skinned(prim: Usd.Prim) -> str | None:
    """Say what a prim lacks to be skinned; None where that is not meant, as where it was baked."""
    if not prim.GetAttribute("primvars:skel:jointIndices").HasAuthoredValue():
        return None
    if prim.GetAttribute("points").GetNumTimeSamples():
        return None
    if not prim.HasAPI(UsdSkel.BindingAPI):
        return "does not apply SkelBindingAPI"
    if not UsdSkel.Root.Find(prim):
        return "stands below no SkelRoot"
    if not prim.GetAttribute("primvars:skel:jointWeights").HasAuthoredValue():
        return "no weights"
    return "no skeleton is bound to it"


@dataclass(frozen=True, eq=False)
class _Bound:
    """What a prim is bound to.

    Parameters
    ----------
    geometry
        ``(4, 4)`` from the prim's points to the mesh's space.
    influences
        Per point, or None.
    """

    geometry: FloatArray = field(default_factory=lambda: np.eye(4))
    influences: Influences | None = None
    shapes: tuple[BlendShape, ...] = ()
    method: FileMethod | None = None
    skeleton: SkeletonPrim | None = None
    order: tuple[str, ...] = ()
    bind_from_mesh: FloatArray = field(default_factory=lambda: np.eye(4))


@dataclass(frozen=True, eq=False)
class Drawn:
    """A prim that draws a mesh: its surfaces, one a primitive, and how its points come to the mesh's space.

    Parameters
    ----------
    geometry
        ``(4, 4)`` ``mesh_from_prim``.
    skeleton
        The skeleton that its influences refer to, if any, and the order of their joints.
    bind_from_mesh
        ``(4, 4)`` from the mesh's space to that in which the skeleton binds it.
    """

    prim: Usd.Prim
    surfaces: tuple[MeshSubset, ...]
    geometry: FloatArray
    skeleton: SkeletonPrim | None = None
    order: tuple[str, ...] = ()
    bind_from_mesh: FloatArray = field(default_factory=lambda: np.eye(4))


@dataclass(eq=False)
class _Build:
    """Meshes and skins as the prims bind them."""

    path: Path
    scene: StageNodes
    notes: Notes
    meshes: list[Mesh] = field(default_factory=list)
    skins: list[Skin] = field(default_factory=list)
    morphed: list[Morphed] = field(default_factory=list)
    drawn: dict[int, Drawn] = field(default_factory=dict)
    node_meshes: dict[int, int] = field(default_factory=dict)
    node_skins: dict[int, int] = field(default_factory=dict)
    materials: UsdMaterials = field(init=False)
    _bindings: dict[str, tuple[SkeletonPrim, UsdSkel.SkinningQuery]] = field(default_factory=dict)
    _skins: dict[tuple[str, tuple[str, ...], bytes], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.materials = UsdMaterials(self.path)

    def bind(self, stage: Usd.Stage, cache: UsdSkel.Cache) -> None:
        """Find which skeleton moves which prim."""
        predicate = Usd.TraverseInstanceProxies(Usd.PrimDefaultPredicate)
        for prim in Usd.PrimRange(stage.GetPseudoRoot(), predicate):
            if not prim.IsA(UsdSkel.Root):
                continue
            root = UsdSkel.Root(prim)
            cache.Populate(root, predicate)
            for binding in cache.ComputeSkelBindings(root, predicate):
                skeleton = self.scene.skeletons.get(str(binding.GetSkeleton().GetPath()))
                for target in binding.GetSkinningTargets() if skeleton is not None else ():
                    if skeleton is not None:
                        self._bindings[str(target.GetPrim().GetPath())] = skeleton, target

    def add(self, node: int, prim: Usd.Prim) -> None:
        """Put what a prim draws on its node."""
        purpose = str(UsdGeom.Imageable(prim).ComputePurpose())
        if purpose in _HIDDEN:
            self.notes.append(f"{prim.GetPath()} is of the purpose {purpose} and is not shown")
            return
        points = points_of(self.path, prim, self.notes)
        bound = self._bound(node, prim, len(points))
        found = surfaces(self.path, prim, len(points), uv_names(prim), self.notes)
        primitives = tuple(
            _primitive(surface, points, bound, self._shown(prim, surface)) for surface in found
        )
        self.drawn[node] = Drawn(
            prim,
            tuple(found),
            bound.geometry,
            bound.skeleton,
            bound.order,
            bound.bind_from_mesh,
        )
        moving = self._bindings.get(str(prim.GetPath()))
        at_rest = resting(bound.shapes, None if moving is None else moving[0].anim)
        self.node_meshes[node] = len(self.meshes)
        self.meshes.append(Mesh(prim.GetName(), primitives, at_rest))

    def _bound(self, node: int, prim: Usd.Prim, points: int) -> _Bound:
        """Read what binds a prim of so many points, and put its skin on its node."""
        found = self._bindings.get(str(prim.GetPath()))
        if found is None or not found[1].HasJointInfluences():
            why = _why_not_skinned(prim)
            if why is not None:
                text = f"{prim.GetPath()} has influences, but {why}: OpenUSD does not skin it"
                self.notes.leave_out("influences", text)
        if found is None:
            return _Bound()
        skeleton, query = found
        shapes: list[BlendShape] = []
        if query.HasBlendShapes():
            shapes = read_shapes(prim, points, self.notes)
        if shapes:
            self.morphed.append(Morphed(node, shapes, str(skeleton.prim.GetPath())))
        influences = None
        if query.HasJointInfluences():
            influences = self._influences(prim, query, points)
        if influences is None:
            return _Bound(shapes=tuple(shapes))
        self._note_moving(prim, query)
        geometry = matrices([query.GetGeomBindTransform(EARLIEST)])[0]
        bind_from_mesh = np.eye(4)
        if not np.all(influences.per_vertex):
            placed = matrices([UsdGeom.XformCache(EARLIEST).GetLocalToWorldTransform(prim)])[0]
            # OpenUSD has points without any weight fall on the skeleton's origin. Here they stay
            # with their prim.
            if abs(affine.determinant(placed[:3, :3])) > 0.0:
                bind_from_mesh[:3] = geometry[:3] @ affine.inverse(placed)
                geometry = placed
        self._note_sums(prim, skeleton, influences)
        own = query.GetJointOrder()
        order = tuple(str(token) for token in own) if own else skeleton.order
        self.node_skins[node] = self._skin(skeleton, query, order, bind_from_mesh)
        method = _METHODS.get(str(query.GetSkinningMethod()))
        return _Bound(geometry, influences, tuple(shapes), method, skeleton, order, bind_from_mesh)

    def _shown(self, prim: Usd.Prim, surface: MeshSubset) -> PrimMaterial:
        shown = prim if surface.subset is None else surface.subset
        return self.materials.bound(prim, shown, [*surface.uvs])

    def _influences(
        self, prim: Usd.Prim, query: UsdSkel.SkinningQuery, points: int
    ) -> Influences | None:
        """Return the influences per point; those of the whole prim are every point's.

        What OpenUSD cannot read, such as weights of 64 bits, moves nothing there.
        """
        found = query.ComputeVaryingJointInfluences(points, EARLIEST)
        size = max(1, query.GetNumInfluencesPerComponent())
        if found is None or len(found[0]) != len(found[1]) or len(found[0]) % size:
            self.notes.leave_out(
                "influences",
                f"the influences of {prim.GetPath()} are incomplete; it is not skinned",
            )
            return None
        slots = np.array(found[0], dtype=np.int64).reshape(-1, size)
        values = floats(found[1]).reshape(-1, size)
        if len(slots) != points:
            self.notes.leave_out(
                "influences",
                f"{prim.GetPath()} has influences of {len(slots)} points and {points} points; "
                "it is not skinned",
            )
            return None
        return Influences(slots, values)

    def _note_moving(self, prim: Usd.Prim, query: UsdSkel.SkinningQuery) -> None:
        """Note a binding that changes over time."""
        primvars = query.GetJointIndicesPrimvar(), query.GetJointWeightsPrimvar()
        bind = query.GetGeomBindTransformAttr()
        moving = any(primvar.ValueMightBeTimeVarying() for primvar in primvars)
        if moving or (bind and bind.ValueMightBeTimeVarying()):
            text = f"what binds {prim.GetPath()} changes over time; the first of it is taken"
            self.notes.leave_out("motion", text)

    def _note_sums(self, prim: Usd.Prim, skeleton: SkeletonPrim, influences: Influences) -> None:
        """Note weights that do not sum to one, which OpenUSD does not mend.

        It weighs where joints take a point in the skeleton's space, and then moves the skeleton.
        """
        without = int(np.sum(influences.per_vertex == 0))
        if without:
            self.notes.append(
                f"{without} points of {prim.GetPath()} have no weight: OpenUSD lets them fall on their "
                "skeleton's origin, rigview leaves them with their prim"
            )
        sums = influences.sums[influences.per_vertex > 0]
        off = np.abs(sums - 1.0)
        placed = UsdGeom.XformCache(EARLIEST).GetLocalToWorldTransform(skeleton.prim)
        if np.any(off > _SUM_OFF) and np.any(np.abs(placed.ExtractTranslation()) > 0.0):
            self.notes.append(
                f"{int(np.sum(off > _SUM_OFF))} points of {prim.GetPath()} have weights off one by up "
                f"to {off.max():.3g}: OpenUSD scales them about their skeleton's origin, rigview about "
                "the world's"
            )

    def _skin(
        self,
        skeleton: SkeletonPrim,
        query: UsdSkel.SkinningQuery,
        order: tuple[str, ...],
        bind_from_mesh: FloatArray,
    ) -> int:
        """Return the number of the skin with the joints in the order that a prim wants."""
        key = str(skeleton.prim.GetPath()), order, bind_from_mesh.tobytes()
        if key not in self._skins:
            found = [skeleton.order.index(t) if t in skeleton.order else None for t in order]
            if None in found:
                self.notes.leave_out(
                    "influences",
                    f"the joint {order[found.index(None)]} of {query.GetPrim().GetPath()} is not in "
                    "its skeleton, and stands still for it, as in OpenUSD",
                )
            still = self.scene.of_prim[str(skeleton.prim.GetPath())]
            inverse = [np.eye(4) if i is None else skeleton.inverse_binds[i] for i in found]
            self._skins[key] = len(self.skins)
            self.skins.append(
                Skin(
                    skeleton.prim.GetName(),
                    tuple(still if i is None else skeleton.nodes[i] for i in found),
                    np.array(inverse).reshape(-1, 4, 4) @ bind_from_mesh,
                )
            )
        return self._skins[key]


def _primitive(
    surface: MeshSubset, points: FloatArray, bound: _Bound, shown: PrimMaterial
) -> Primitive:
    geometry, control = bound.geometry, surface.control
    normals, influences = surface.normals, bound.influences
    turn, step = affine.of_surface(geometry[:3, :3])
    if normals is not None:
        normals = normals @ turn.T
    if influences is not None:
        influences = Influences(influences.joints[control], influences.weights[control])
    return Primitive(
        affine.transform_points(geometry, points)[control],
        surface.triangles[:, ::step],
        surface.lines,
        surface.points,
        normals=normals,
        uvs=dict(enumerate(surface.uvs.values())),
        colours=surface.colours if shown.shows_colours else None,
        influences=influences,
        morphs=_morphs(bound, surface),
        material=shown.material,
        method=bound.method,
    )


def _morphs(bound: _Bound, surface: MeshSubset) -> MorphTargets | None:
    """Return a target for every stated position of every shape."""
    shapes, linear = bound.shapes, bound.geometry[:3, :3]
    if not shapes:
        return None
    positions = np.concatenate([shape.offsets for shape in shapes])
    normals = None
    if any(shape.normals is not None for shape in shapes):
        normals = np.concatenate(
            [np.zeros_like(s.offsets) if s.normals is None else s.normals for s in shapes]
        )
        normals = normals[:, surface.control] @ affine.of_surface(linear)[0].T
    return MorphTargets(
        positions[:, surface.control] @ linear.T,
        normals,
        names=tuple(_names(shapes)),
    )


def _names(shapes: tuple[BlendShape, ...]) -> list[str]:
    return [
        shape.name if position == 1.0 else f"{shape.name} at {position:g}"
        for shape in shapes
        for position in shape.positions
    ]
