"""Clips: SkelAnimations on the joints and blend shapes they name, and animated transforms of prims."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from pxr import Usd, UsdGeom, UsdSkel

from rigview.core import quat
from rigview.core.arrays import FloatArray
from rigview.core.clip import Channel, Clip
from rigview.core.nodes import Nodes
from rigview.core.sampler import Interpolation, Path, Sampler
from rigview.io.inbetweens import shares
from rigview.io.reading import Notes
from rigview.io.rest import leaves
from rigview.io.usd.lengths import Lengthened, off_one
from rigview.io.usd.moving import PARTS, Moving, stated_codes
from rigview.io.usd.scene import SkeletonPrim, StageNodes
from rigview.io.usd.shapes import BlendShape, default_weights, resting
from rigview.io.usd.stage import floats

# As a share of a matrix: what shears by more is not what translation, rotation and scale make.
_SHEAR = 1e-4


@dataclass(frozen=True, eq=False)
class Morphed:
    """A mesh with blend shapes: its node, its shapes, and the skeleton whose animation moves them."""

    node: int
    shapes: list[BlendShape]
    skeleton: str


@dataclass(frozen=True, eq=False)
class Played:
    """An animation as a skeleton plays it."""

    skeleton: SkeletonPrim
    anim: UsdSkel.AnimQuery


@dataclass(frozen=True, eq=False)
class StageClips:
    """Everything that moves in a stage."""

    stage: Usd.Stage
    cache: UsdSkel.Cache
    scene: StageNodes
    nodes: Nodes
    morphed: list[Morphed]
    notes: Notes

    def played(self, name: str) -> "list[tuple[Clip, tuple[Played, ...]]]":
        """Return the clip that the stage plays, and one of each animation that is bound to nothing.

        Parameters
        ----------
        name
            Of the clip, where not exactly one animation is bound.

        Returns
        -------
        Each with the animations that it consists of.
        """
        bound: list[Played] = []
        channels: list[Channel] = []
        for path, skeleton in self.scene.skeletons.items():
            anim = skeleton.anim
            if anim and not _only_rests(anim):
                bound.append(Played(skeleton, anim))
                channels += self._joints(skeleton, anim)
                if anim.GetBlendShapeWeightTimeSamples() or not default_weights(anim):
                    channels += self._weights(path, anim)
        channels += self._transforms()
        clips = []
        paths = {str(played.anim.GetPrim().GetPath()): played for played in bound}
        used = {str(s.anim.GetPrim().GetPath()) for s in self.scene.skeletons.values() if s.anim}
        if channels or bound:
            only = next(iter(paths.values())).anim.GetPrim().GetName() if len(paths) == 1 else name
            clips.append((Clip(only, tuple(channels)), tuple(bound)))
        for prim in self.stage.Traverse():
            if prim.IsA(UsdSkel.Animation) and str(prim.GetPath()) not in used:
                clips += self._unbound(prim)
        return clips

    def _unbound(self, prim: Usd.Prim) -> "list[tuple[Clip, tuple[Played, ...]]]":
        """Return the clip of an animation that no skeleton plays, on the skeleton that has its joints."""
        anim = self.cache.GetAnimQuery(UsdSkel.Animation(prim))
        if not anim:
            return []
        wanted = set(anim.GetJointOrder())
        for path, skeleton in self.scene.skeletons.items():
            if wanted <= set(skeleton.order):
                channels = [*self._joints(skeleton, anim), *self._weights(path, anim)]
                return [(Clip(prim.GetName(), tuple(channels)), (Played(skeleton, anim),))]
        return []

    def _codes(self, samples: list[float]) -> list[float]:
        """Return the time codes of keys; the start of the stage for what does not vary."""
        return list(samples) or [self.stage.GetStartTimeCode()]

    def _seconds(self, codes: list[float]) -> FloatArray:
        return np.array(codes, dtype=np.float64) / self.stage.GetTimeCodesPerSecond()

    @property
    def _interpolation(self) -> Interpolation:
        held = self.stage.GetInterpolationType() == Usd.InterpolationTypeHeld
        return "STEP" if held else "LINEAR"

    def _joints(self, skeleton: SkeletonPrim, anim: UsdSkel.AnimQuery) -> Iterator[Channel]:
        order = [str(token) for token in anim.GetJointOrder()]
        if not order:
            return
        codes = self._codes(anim.GetJointTransformTimeSamples())
        stated = (anim.ComputeJointLocalTransformComponents(code) for code in codes)
        parts: tuple[tuple[Path, int], ...] = (("translation", 0), ("rotation", 1), ("scale", 2))
        rows = [[_array(part) for part in components] for components in stated]
        whole = [[len(part) for part in row] == 3 * [len(order)] for row in rows]
        if not all(whole):
            self._note_partial(anim, whole)
        if not any(whole):
            return
        seconds = self._seconds(codes)[whole]
        rows = [row for row, complete in zip(rows, whole, strict=True) if complete]
        values = {path: np.array([row[which] for row in rows]) for path, which in parts}
        lengthened = off_one([*values.values()])
        turns = values["rotation"]
        known = np.isfinite(turns).all(axis=-1, keepdims=True)
        values["rotation"] = np.where(known, quat.normalise(turns), turns)
        nodes = [skeleton.joint(token) for token in order]
        for path, all_ in values.items():
            for i, node in enumerate(nodes):
                if node is not None and not (lengthened[i] and path != "translation"):
                    curve = Sampler(seconds, all_[:, i], self._interpolation)
                    yield from self._channel(node, path, curve)
        chosen = {i: node for i, node in enumerate(nodes) if node is not None and lengthened[i]}
        if chosen:
            yield from self._lengthened(anim, seconds, chosen)

    def _note_partial(self, anim: UsdSkel.AnimQuery, whole: list[bool]) -> None:
        """Note an animation that does not have at all its samples what OpenUSD needs to play it."""
        some = f"at {whole.count(False)} of its {len(whole)} samples " if any(whole) else ""
        left = ": these are left out, where OpenUSD plays the rest pose"
        text = (
            f"{anim.GetPrim().GetPath()} does not have {some}translations, rotations and scales of all "
            f"its joints{left if some else ', and moves none, as in OpenUSD'}"
        )
        self.notes.leave_out("motion", text)

    def _note_odd_weights(self, anim: UsdSkel.AnimQuery, whole: list[bool]) -> None:
        """Note samples of blend shapes that do not state one weight for each of them."""
        path, odd = anim.GetPrim().GetPath(), whole.count(False)
        if any(whole):
            text = (
                f"{odd} of {len(whole)} samples of {path} do not have one weight for each blend shape: "
                "these are left out"
            )
        else:
            text = f"{path} has no weight for each of its blend shapes, and moves none"
        self.notes.leave_out("motion", text)

    def _lengthened(
        self, anim: UsdSkel.AnimQuery, keys: FloatArray, chosen: dict[int, int]
    ) -> Iterator[Channel]:
        """Yield what turns and scales joints, by their numbers in the animation, → nodes."""
        motion = Lengthened(anim, [*chosen], keys, self.stage.GetTimeCodesPerSecond())
        if motion.slant > _SHEAR:
            self.notes.leave_out(
                "motion",
                f"quaternions of {anim.GetPrim().GetPath()} are not of length one, and OpenUSD slants "
                f"joints by them: they are off by up to {motion.slant:.1g} of their size",
            )
        paths: tuple[Path, ...] = ("rotation", "scale")
        for path in paths:
            curves = motion.curves(path, self._interpolation)
            for node, curve in zip(chosen.values(), curves, strict=True):
                yield from self._channel(node, path, curve)

    def _channel(self, node: int, path: Path, curve: Sampler) -> Iterator[Channel]:
        if leaves(self.nodes, node, path, curve):
            yield Channel(node, path, curve)

    def _weights(self, skeleton: str, anim: UsdSkel.AnimQuery) -> Iterator[Channel]:
        """Yield the curves of shapes; an animation that states none leaves none of those at rest."""
        moved = False
        for channel in self._stated_weights(skeleton, anim):
            moved = True
            yield channel
        own = self.scene.skeletons[skeleton].anim
        for morphed in () if moved else self.morphed:
            at_rest = resting(morphed.shapes, own)
            if morphed.skeleton == skeleton and np.any(at_rest):
                times = self._seconds(self._codes([]))
                curve = Sampler(times, np.zeros((1, len(at_rest))), self._interpolation)
                yield Channel(morphed.node, "weights", curve)

    def _stated_weights(self, skeleton: str, anim: UsdSkel.AnimQuery) -> Iterator[Channel]:
        order = [str(name) for name in anim.GetBlendShapeOrder()]
        codes = self._codes(anim.GetBlendShapeWeightTimeSamples())
        if not order:
            return
        rows = [_array(anim.ComputeBlendShapeWeights(code)) for code in codes]
        whole = [row.shape == (len(order),) for row in rows]
        if not all(whole):
            self._note_odd_weights(anim, whole)
        if not any(whole):
            return
        seconds = self._seconds(codes)[whole]
        values = np.array([row for row, fits in zip(rows, whole, strict=True) if fits])
        for morphed in self.morphed:
            if morphed.skeleton != skeleton:
                continue
            columns = [
                values[:, order.index(shape.name)]
                if shape.name in order
                else np.zeros(len(seconds))
                for shape in morphed.shapes
            ]
            yield _shared_out(morphed, seconds, columns, self._interpolation)

    def _transforms(self) -> Iterator[Channel]:
        slants: dict[str, float] = {}
        for node, prim in self.scene.prims:
            place = UsdGeom.Xformable(prim)
            if not place or not place.TransformMightBeTimeVarying():
                continue
            codes = self._codes(stated_codes(prim, self.stage))
            moving = Moving(prim, codes, self.stage)
            if moving.shear > _SHEAR:
                text = f"the shear of {prim.GetPath()} is not animated: it is off by up to "
                self.notes.leave_out("motion", f"{text}{moving.shear:.1g} of its size")
            elif self._interpolation == "LINEAR" and moving.slant > _SHEAR:
                slants[str(prim.GetPath())] = moving.slant
            for path in PARTS:
                yield from self._channel(node, path, moving.curve(path, self._interpolation))
        if slants:
            worst = max(slants, key=lambda path: slants[path])
            self.notes.append(
                f"OpenUSD slants {worst} between the samples of its matrices, by up to "
                f"{slants[worst]:.1g} of its size, and rigview does not"
            )


def _only_rests(anim: UsdSkel.AnimQuery) -> bool:
    """Return whether an animation has no joints, no samples, and weights of shapes at rest."""
    moves = len(anim.GetJointOrder()) or anim.GetBlendShapeWeightTimeSamples()
    return not moves and bool(default_weights(anim))


def _shared_out(
    morphed: Morphed, seconds: FloatArray, weights: list[FloatArray], interpolation: Interpolation
) -> Channel:
    """Return the weights of all targets, with keys where a weight passes an in-between."""
    times = seconds
    if interpolation == "LINEAR":
        pairs = zip(morphed.shapes, weights, strict=True)
        bends = (time for shape, row in pairs for time in shape.bends(seconds, row))
        times = np.unique(np.concatenate([seconds, *bends]))
    columns = [
        shares(shape.positions, np.interp(times, seconds, row))
        for shape, row in zip(morphed.shapes, weights, strict=True)
    ]
    values = np.concatenate(columns, axis=1)
    return Channel(morphed.node, "weights", Sampler(times, values, interpolation, seconds))


def _array(values: object) -> FloatArray:
    """Return numbers; nobody can compute with infinite ones, which therefore are none."""
    result = floats(values)
    return np.where(np.isfinite(result), result, np.nan)
