"""Write the plan of a USD file with OpenUSD, in the child process."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from pxr import Gf, Sdf, Usd, UsdGeom, UsdSkel, Vt

from rigview.core.arrays import FloatArray
from rigview.io.usd.export.looks import Looks
from rigview.io.usd.export.plan import (
    ClipPlan,
    MeshPlan,
    ShapePlan,
    SkeletonPlan,
    SkinPlan,
    StagePlan,
)

_METHODS = {"lbs": "classicLinear", "dqs": "dualQuaternion"}


def author(plan: StagePlan, file: Path) -> None:
    """Write a file; its suffix says whether as text or as a crate."""
    stage = Usd.Stage.CreateInMemory()
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    stage.SetTimeCodesPerSecond(plan.rate)
    stage.SetFramesPerSecond(plan.rate)
    if any(len(clip.times) for clip in plan.clips):
        ends = np.concatenate([clip.times for clip in plan.clips]) * plan.rate
        stage.SetStartTimeCode(float(ends.min()))
        stage.SetEndTimeCode(float(ends.max()))
    writer = _Writer(stage, plan)
    writer.write()
    stage.GetRootLayer().Export(str(file))


class _Writer:
    def __init__(self, stage: Usd.Stage, plan: StagePlan) -> None:
        self._stage, self._plan = stage, plan
        root = UsdSkel.Root if plan.skeletons else UsdGeom.Xform
        self._root = root.Define(stage, f"/{plan.name}")
        stage.SetDefaultPrim(self._root.GetPrim())
        self._looks = Looks(stage, f"/{plan.name}/Materials", plan)

    def _path(self, *names: str) -> str:
        return "/".join((str(self._root.GetPath()), *names))

    def write(self) -> None:
        """Write it all; OpenUSD finds no mesh below a prim that is not imageable."""
        for name, content in (
            ("Animations", self._plan.clips),
            ("Meshes", self._plan.meshes),
            ("Materials", self._plan.materials),
        ):
            if content:
                UsdGeom.Scope.Define(self._stage, self._path(name))
        clips = [self._clip(clip) for clip in self._plan.clips]
        skeletons = [
            self._skeleton(skeleton, number, clips)
            for number, skeleton in enumerate(self._plan.skeletons)
        ]
        for mesh in self._plan.meshes:
            self._mesh(mesh, skeletons)

    def _skeleton(
        self, planned: SkeletonPlan, number: int, clips: Sequence[UsdSkel.Animation]
    ) -> UsdSkel.Skeleton:
        name = "Skeleton" if number == 0 else f"Skeleton_{number + 1}"
        skeleton = UsdSkel.Skeleton.Define(self._stage, self._path(name))
        skeleton.CreateJointsAttr().Set(Vt.TokenArray([*planned.tokens]))
        skeleton.CreateBindTransformsAttr().Set(_matrices(planned.binds))
        skeleton.CreateRestTransformsAttr().Set(_matrices(planned.rests))
        if not np.array_equal(planned.place, np.eye(4)):
            skeleton.AddTransformOp().Set(_matrix(planned.place))
        binding = UsdSkel.BindingAPI.Apply(skeleton.GetPrim())
        if self._plan.bound is not None:
            source = clips[self._plan.bound].GetPath()
            binding.CreateAnimationSourceRel().SetTargets([source])
        return skeleton

    def _clip(self, planned: ClipPlan) -> UsdSkel.Animation:
        anim = UsdSkel.Animation.Define(self._stage, self._path("Animations", planned.name))
        codes = [Usd.TimeCode(float(time * self._plan.rate)) for time in planned.times]
        anim.CreateJointsAttr().Set(Vt.TokenArray([*planned.tokens]))
        if planned.tokens:
            translations, rotations = anim.CreateTranslationsAttr(), anim.CreateRotationsAttr()
            scales = anim.CreateScalesAttr()
            for number, code in enumerate(codes):
                translations.Set(_vectors(planned.translations[number]), code)
                turns = planned.rotations[number].tolist()
                rotations.Set(Vt.QuatfArray([Gf.Quatf(w, x, y, z) for x, y, z, w in turns]), code)
                rows = planned.scales[number].tolist()
                scales.Set(Vt.Vec3hArray([Gf.Vec3h(*row) for row in rows]), code)
        if planned.shapes:
            anim.CreateBlendShapesAttr().Set(Vt.TokenArray([*planned.shapes]))
            weights = anim.CreateBlendShapeWeightsAttr()
            if np.any(planned.at_rest):
                default = np.ascontiguousarray(planned.at_rest, dtype=np.float32)
                weights.Set(Vt.FloatArray.FromNumpy(default))
            for number, code in enumerate(codes):
                row = np.ascontiguousarray(planned.weights[number], dtype=np.float32)
                weights.Set(Vt.FloatArray.FromNumpy(row), code)
        return anim

    def _mesh(self, planned: MeshPlan, skeletons: Sequence[UsdSkel.Skeleton]) -> None:
        mesh = UsdGeom.Mesh.Define(self._stage, self._path("Meshes", planned.name))
        points = _vectors(planned.points)
        mesh.CreatePointsAttr().Set(points)
        count = len(planned.triangles)
        mesh.CreateFaceVertexCountsAttr().Set(Vt.IntArray.FromNumpy(np.full(count, 3, np.int32)))
        corners = np.ascontiguousarray(planned.triangles.reshape(-1), dtype=np.int32)
        mesh.CreateFaceVertexIndicesAttr().Set(Vt.IntArray.FromNumpy(corners))
        mesh.CreateSubdivisionSchemeAttr().Set(UsdGeom.Tokens.none)
        mesh.CreateExtentAttr().Set(UsdGeom.PointBased.ComputeExtent(points))
        mesh.CreateDoubleSidedAttr().Set(planned.double_sided)
        if planned.is_hidden:
            mesh.CreateVisibilityAttr().Set(UsdGeom.Tokens.invisible)
        if planned.normals is not None:
            mesh.CreateNormalsAttr().Set(_vectors(planned.normals))
            mesh.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
        self._primvars(mesh, planned)
        if planned.place is not None and not np.array_equal(planned.place, np.eye(4)):
            mesh.AddTransformOp().Set(_matrix(planned.place))
        if planned.binding is not None:
            self._bind(mesh, planned.binding, planned.shapes, skeletons)
        if planned.material is not None:
            self._looks.bind(mesh, planned.material)

    def _primvars(self, mesh: UsdGeom.Mesh, planned: MeshPlan) -> None:
        api, vertex = UsdGeom.PrimvarsAPI(mesh), UsdGeom.Tokens.vertex
        for number, uv in enumerate(planned.uvs):
            name = "st" if number == 0 else f"st{number}"
            found = api.CreatePrimvar(name, Sdf.ValueTypeNames.TexCoord2fArray, vertex)
            found.Set(Vt.Vec2fArray.FromNumpy(np.ascontiguousarray(uv, dtype=np.float32)))
        if planned.colours is not None:
            kinds = Sdf.ValueTypeNames.Color3fArray, Sdf.ValueTypeNames.FloatArray
            colour = api.CreatePrimvar("displayColor", kinds[0], vertex)
            colour.Set(_vectors(planned.colours[:, :3]))
            if np.any(planned.colours[:, 3] != 1.0):
                opacity = np.ascontiguousarray(planned.colours[:, 3], dtype=np.float32)
                api.CreatePrimvar("displayOpacity", kinds[1], vertex).Set(
                    Vt.FloatArray.FromNumpy(opacity)
                )

    def _bind(
        self,
        mesh: UsdGeom.Mesh,
        planned: SkinPlan,
        shapes: Sequence[ShapePlan],
        skeletons: Sequence[UsdSkel.Skeleton],
    ) -> None:
        binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
        binding.CreateSkeletonRel().SetTargets([skeletons[planned.skeleton].GetPath()])
        if planned.tokens is not None:
            binding.CreateJointsAttr().Set(Vt.TokenArray([*planned.tokens]))
        if not np.array_equal(planned.geometry, np.eye(4)):
            binding.CreateGeomBindTransformAttr().Set(_matrix(planned.geometry))
        is_rigid, size = len(planned.joints) == 1, planned.joints.shape[1]
        joints = np.ascontiguousarray(planned.joints.reshape(-1), dtype=np.int32)
        weights = np.ascontiguousarray(planned.weights.reshape(-1), dtype=np.float32)
        binding.CreateJointIndicesPrimvar(is_rigid, size).Set(Vt.IntArray.FromNumpy(joints))
        binding.CreateJointWeightsPrimvar(is_rigid, size).Set(Vt.FloatArray.FromNumpy(weights))
        if planned.method in _METHODS:
            binding.CreateSkinningMethodAttr().Set(_METHODS[planned.method])
        targets = [self._shape(mesh, shape) for shape in shapes]
        if targets:
            binding.CreateBlendShapesAttr().Set(Vt.TokenArray([shape.name for shape in shapes]))
            binding.CreateBlendShapeTargetsRel().SetTargets(targets)

    def _shape(self, mesh: UsdGeom.Mesh, planned: ShapePlan) -> Sdf.Path:
        """Write the points that a shape moves, and no others."""
        shape = UsdSkel.BlendShape.Define(self._stage, mesh.GetPath().AppendChild(planned.name))
        moved = np.any(planned.offsets != 0.0, axis=1)
        if planned.normals is not None:
            moved |= np.any(planned.normals != 0.0, axis=1)
        index = np.flatnonzero(moved)
        if not len(index):
            index = np.zeros(1, dtype=np.int64)
        shape.CreateOffsetsAttr().Set(_vectors(planned.offsets[index]))
        if planned.normals is not None:
            shape.CreateNormalOffsetsAttr().Set(_vectors(planned.normals[index]))
        numbers = np.ascontiguousarray(index, dtype=np.int32)
        shape.CreatePointIndicesAttr().Set(Vt.IntArray.FromNumpy(numbers))
        return shape.GetPath()


def _vectors(rows: FloatArray) -> Vt.Vec3fArray:
    return Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(rows, dtype=np.float32))


def _matrix(matrix: FloatArray) -> Gf.Matrix4d:
    return Gf.Matrix4d(*matrix.T.reshape(-1).tolist())


def _matrices(rows: FloatArray) -> Vt.Matrix4dArray:
    return Vt.Matrix4dArray([_matrix(row) for row in rows])
