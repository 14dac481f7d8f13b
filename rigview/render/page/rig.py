"""A rig and its clips as plain values and arrays: what the page's script gives to the shaders."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import FloatArray
from rigview.core.clip import Clip
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.methods.vertex_constants import Static, VertexConstants
from rigview.core.pose import sample
from rigview.core.skinning import Method, Options, options_for
from rigview.render.buffers import STATICS
from rigview.render.page.morphs import MovedTargets
from rigview.render.skinning import defines_of
from rigview.render.texels import (
    IN_ATTRIBUTES,
    LIMB_TEXELS,
    PALETTE_TEXELS,
    TEXEL_ROW_BITS,
    further_texels,
    limb_texels,
    moment_texels,
    palette_bases,
    palette_texels,
)
from rigview.render.vertex_stage import VertexStage, pack

Arrays = dict[str, NDArray[np.generic]]

# Palettes are rounded to 2^-22: positions of people move by 2e-7 of their size at most, and deflate makes
# them half as large. Bones are drawn only.
_PALETTE_BITS, _BONE_BITS = 22, 12
_STATIC_OF: dict[Static, str] = {
    "dqs_weights": "DQS_WEIGHT",
    "basic_amplitude": "BASIC_AMPLITUDE",
    "mask": "COMPENSATION_MASK",
}


@dataclass(frozen=True)
class PageRig:
    """What a page shows of a rig.

    Parameters
    ----------
    methods
        Keys of `skinning.ASKED`, one a pane.
    clips
        Those that the page has.
    """

    deformer: Deformer
    methods: tuple[str, ...]
    options: Options
    rate: float
    clips: tuple[Clip, ...] = ()

    @cached_property
    def moved_targets(self) -> dict[int, MovedTargets]:
        """The parts whose morph targets clips move."""
        rig = self.deformer.rig
        found = ((i, MovedTargets.of(rig, part, self.clips)) for i, part in enumerate(rig.parts))
        return {i: targets for i, targets in found if targets is not None}

    @property
    def entries(self) -> int:
        """Joints of one pose in the palette."""
        return sum(len(self.deformer.rig.skins[s].joints) for s in self.deformer.skins) + sum(
            not self.deformer.is_skinned(part) for part in self.deformer.rig.parts
        )

    @property
    def reads_limbs(self) -> bool:
        """Whether a method reads the posed bones."""
        parts = range(len(self.deformer.rig.parts))
        return any(self.deformer.method_of(i, m).reads_limbs for i in parts for m in self.methods)

    def frames(self, clip: Clip | None) -> tuple[list[float], float]:
        """Return the times that the page has of a clip, and how many a second.

        It is the rate, or a half, a quarter … of it where the texture that holds them has no room for more.
        """
        if clip is None:
            return [0.0], self.rate
        texels = self.entries * max(PALETTE_TEXELS, LIMB_TEXELS if self.reads_limbs else 0)
        most = max(2, (1 << 2 * TEXEL_ROW_BITS) // max(texels, 1))
        rate = self.rate
        while (clip.end - clip.start) * rate >= most:
            rate /= 2.0
        count = int(np.floor((clip.end - clip.start) * rate + 1e-3)) + 1
        return [min(clip.start + i / rate, clip.end) for i in range(count)], rate

    def methods_of_parts(self, method: str) -> dict[str, Any]:
        """Return what a pane's method is called, and what its shaders are compiled with for each part."""
        deformer = self.deformer
        options = options_for(method, self.options)
        chosen = [deformer.method_of(i, method) for i in range(len(deformer.rig.parts))]
        return {
            "id": method,
            "strength": options.strength,
            "blend": -1.0 if options.blend is None else options.blend,
            "parts": [
                {
                    "defines": dict(defines_of(one, options, rigid=False)),
                    "limbs": one.reads_limbs,
                    "moments": one.spreads,
                }
                for one in chosen
            ],
        }

    def parts(self) -> tuple[list[dict[str, Any]], Arrays]:
        """Return the parts, and the arrays of their vertices by name: "position-0" is the first part's."""
        deformer, rig = self.deformer, self.deformer.rig
        places, arrays, rows = deformer.skeleton.places, Arrays(), []
        bases = palette_bases(deformer)
        for i, part in enumerate(rig.parts):
            skin = deformer.skin_of(part)
            own = self._vertices(i)
            arrays |= {f"{name}-{i}": array for name, array in own.items()}
            mesh = rig.meshes[part.mesh]
            rows.append(
                {
                    "name": mesh.name or rig.nodes.label(part.node),
                    "vertices": len(own["position"]),
                    "base": bases[i],
                    "hidden": part.node in rig.hidden,
                    "joints": [] if skin is None else [places[j] for j in rig.skins[skin].joints],
                }
            )
        return rows, arrays

    def _vertices(self, number: int) -> Arrays:
        deformer, part = self.deformer, self.deformer.rig.parts[number]
        primitive = deformer.rig.primitive(part)
        if number in self.moved_targets:
            shape = self.moved_targets[number].arrays()
        else:
            positions, normals = deformer.morphed(number, deformer.rest.pose)
            shape = {"position": positions.astype(np.float32), "normal": normals.astype(np.float32)}
        packed = pack(deformer.bindings[number], VertexStage())
        pad = ((0, 0), (0, max(0, IN_ATTRIBUTES - packed.joints.shape[1])))
        wide = np.uint16 if packed.joints.itemsize <= 2 else np.uint32
        small = len(primitive.positions) <= 1 << 16
        triangles = primitive.triangles.reshape(-1).astype(np.uint16 if small else np.uint32)
        found: Arrays = {
            **shape,
            "joints": np.pad(packed.joints, pad)[:, :IN_ATTRIBUTES].astype(wide),
            "weights": np.pad(packed.weights, pad)[:, :IN_ATTRIBUTES].astype(np.float32),
            "triangles": triangles,
        }
        further = further_texels(packed)
        statics = deformer.statics.get(number)
        texels = None if further is None else further.texels
        if any(deformer.method_of(number, m).id == "compensated" for m in self.methods):
            found["amplitude"] = deformer.amplitude(number, self.options).astype(np.float32)
        if statics is not None:
            methods = {deformer.method_of(number, m) for m in self.methods}
            found |= _statics(statics, methods, self.options)
            if "shares" in found and further is not None and texels is not None:
                texels[:, 2] = np.pad(statics.shares, pad)[:, IN_ATTRIBUTES:][further.used]
        if further is not None and texels is not None:
            found["further"], found["further_texels"] = further.of, texels
        return found

    def clip(self, clip: Clip | None) -> tuple[dict[str, Any], Arrays]:
        """Return how long a clip is and which parts stay rigid in it, and its palettes and bones."""
        deformer, rig = self.deformer, self.deformer.rig
        times, rate = self.frames(clip)
        if clip is None:
            frames = [deformer.rest]
        else:
            frames = [deformer.frame(sample(rig, clip, time)) for time in times]
        palettes = np.stack([palette_texels(deformer, frame, self.options) for frame in frames])
        arrays: Arrays = {"palette": self._rounded(palettes)}
        if self.reads_limbs:
            arrays["limbs"] = np.stack(
                [limb_texels(deformer, frame, self.entries) for frame in frames]
            ).astype(np.float32)
        arrays["bones"] = self._bones(frames)
        for i, targets in self.moved_targets.items():
            rows = [targets.shares(frame.pose) for frame in frames]
            arrays[f"morph-{i}"] = np.stack(rows).astype(np.float32)
        skins = [deformer.skin_of(part) for part in rig.parts]
        row = {
            "start": 0.0 if clip is None else clip.start,
            "frames": len(frames),
            "rate": rate,
            "full_rate": rate == self.rate,
            "keys": [] if clip is None else _whole(clip, rate, len(frames)),
            "rigid": [s is None or all(f.palettes[s].rigid for f in frames) for s in skins],
        }
        return row, arrays

    def _rounded(self, palettes: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return ``(F, E, 6, 4)`` palettes in steps of 2^-22.

        Lengths are in steps of that times the character's size; what turns and stretches meshes that are
        larger, in their own units, in steps as much finer.
        """
        step, size = 2.0**-_PALETTE_BITS, max(self.deformer.size, 1e-30)
        steps = np.full((self.entries, PALETTE_TEXELS, 4), step)
        steps[:, :3, :3] *= _power(np.minimum(1.0, size / self._reaches))[:, None, None]
        steps[:, :3, 3] = steps[:, 4] = step * _power(np.array(0.5 * size))
        result: NDArray[np.float32] = (np.rint(palettes / steps) * steps + 0.0).astype(np.float32)
        return result

    @property
    def _reaches(self) -> FloatArray:
        """``(E,)`` the largest coordinate of what each joint of the palette moves, in the mesh's units."""
        rig, result = self.deformer.rig, np.full(self.entries, 1e-30)
        for part, base in zip(rig.parts, palette_bases(self.deformer), strict=True):
            skin = self.deformer.skin_of(part)
            own = slice(base, base + (1 if skin is None else len(rig.skins[skin].joints)))
            positions = rig.primitive(part).positions
            reach = np.abs(positions[np.isfinite(positions)]).max(initial=0.0)
            result[own] = np.maximum(result[own], reach)
        return result

    def _bones(self, frames: Sequence[Frame]) -> NDArray[np.float32]:
        """Return ``(F, J, 2, 3)`` heads and tails of all bones."""
        step = 2.0**-_BONE_BITS * max(self.deformer.size, 1e-30)
        posed = [self.deformer.posed_bones(frame) for frame in frames]
        ends = np.stack([np.stack([bones.heads, bones.tails], axis=1) for bones in posed])
        result: NDArray[np.float32] = (np.rint(ends / step) * step + 0.0).astype(np.float32)
        return result


def _power(sizes: FloatArray) -> FloatArray:
    """Return the largest powers of two that are not above some sizes."""
    return np.asarray(2.0 ** np.floor(np.log2(sizes)))


def _statics(statics: VertexConstants, methods: set[Method], options: Options) -> Arrays:
    """Return what methods read per vertex that no pose changes."""
    wanted = {name for method in methods for name in method.statics}
    found, numbers = Arrays(), np.zeros((len(statics.mask), 4), dtype=np.float32)
    for name, constant in _STATIC_OF.items():
        if name in wanted:
            basic = name == "basic_amplitude"
            values = (
                statics.basic_amplitude(options.polynomial) if basic else getattr(statics, name)
            )
            numbers[:, STATICS.index(constant)] = values
    if wanted & _STATIC_OF.keys():
        found["statics"] = numbers
    if "shares" in wanted:
        pad = ((0, 0), (0, max(0, IN_ATTRIBUTES - statics.shares.shape[1])))
        found["shares"] = np.pad(statics.shares, pad)[:, :IN_ATTRIBUTES].astype(np.float32)
    if "centres" in wanted:
        found["centre"] = statics.centres.astype(np.float32)
    if "moments" in wanted:
        found["moments"] = moment_texels(statics.moments)
    return found


def _whole(clip: Clip, rate: float, count: int) -> list[int]:
    """Return the frames nearest to the clip's keys."""
    frames = np.unique(np.rint((clip.stated_times - clip.start) * rate).astype(np.int64))
    return [int(frame) for frame in frames if 0 <= frame < count]
