"""A glTF written from a rig alone: what saving does for files of other formats.

Everything in a rig has a place in glTF 2.0; how a file wants to be skinned stands where only rigview
looks for it (`geometry.METHOD`). Numbers become 32 bits wide; keys and their interpolation are kept as
they are.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from rigview import __version__
from rigview.core import affine, quat
from rigview.core.arrays import FloatArray
from rigview.core.clip import Clip
from rigview.core.rig import Rig
from rigview.core.sampler import Sampler
from rigview.io.files import write_together
from rigview.io.gltf import container, hints, markers, visibility, written
from rigview.io.gltf.container import GltfSource
from rigview.io.gltf.export.buffer import GltfBuffer
from rigview.io.gltf.export.materials import materials
from rigview.io.gltf.export.mesh import mesh
from rigview.io.gltf.export.times import separate
from rigview.io.reading import LARGEST_NUMBER, SaveError

# As a share of a matrix: what a node may shear by and still state as a matrix.
_SHEAR = 1e-6
_ABOVE = " (what shears it)"
_AGAIN = " (once more)"


def save(rig: Rig, out: Path) -> tuple[str, ...]:
    """Write a rig as .glb, or as .gltf with its data in a .bin beside it.

    Returns
    -------
    What of the rig the file does not carry; one sentence each.

    Raises
    ------
    SaveError
        If the rig has a number that glTF cannot hold.
    """
    writer = Writer(rig)
    document, binary = writer.document(), bytes(writer.buffer.binary)
    if out.suffix.lower() == ".gltf":
        beside = out.with_suffix(".bin")
        files = {beside: binary} if binary else {}
        if binary:
            document["buffers"] = [{"byteLength": len(binary), "uri": beside.name}]
        write_together(files | {out: _text(document).encode()})
    else:
        if binary:
            document["buffers"] = [{"byteLength": len(binary)}]
        empty = GltfSource(out, b"", True, b"")
        write_together({out: container.glb(_text(document), binary or None, empty)})
    return tuple(dict.fromkeys(writer.notes))


def _text(document: dict[str, Any]) -> str:
    try:
        return json.dumps(document, ensure_ascii=True, allow_nan=False)
    except ValueError:
        raise SaveError("a number is not finite, and JSON has no such number") from None


@dataclass(eq=False)
class Writer:
    """A document under construction.

    Parameters
    ----------
    notes
        What it does not carry.
    """

    rig: Rig
    buffer: GltfBuffer = field(default_factory=GltfBuffer)
    notes: list[str] = field(default_factory=list)

    def document(self) -> dict[str, Any]:
        """Return the whole document but its buffer, whose bytes are in `buffer`."""
        rig, buffer = self.rig, self.buffer
        # A mesh that would have no primitives has no place in glTF: its node shows nothing then.
        meshes = [mesh(value, buffer, self.notes) for value in rig.meshes]
        kept = [i for i, stored in enumerate(meshes) if stored["primitives"]]
        numbers = {old: new for new, old in enumerate(kept)}
        animations = [self._animation(clip, numbers) for clip in rig.clips]
        for clip, animation in zip(rig.clips, animations, strict=True):
            if not animation["channels"]:
                self.notes.append(f"clip {clip.name} moves nothing and is left out")
        looks, extensions = materials(rig, buffer)
        parts: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": f"rigview {__version__}"},
            "scene": 0,
            "scenes": [{"nodes": self._tops(rig.roots)} if rig.roots else {}],
            "nodes": [
                *(self._node(i, numbers) for i in range(len(rig.nodes))),
                *map(self._helper, self._helpers),
                *({"name": f"{rig.nodes.names[joint]}{_AGAIN}"} for joint, _ in self._doubles),
            ],
            "meshes": [meshes[i] for i in kept],
            "skins": [self._skin(i) for i in range(len(rig.skins))],
            "animations": [a for a in animations if a["channels"]],
            **looks,
            "accessors": buffer.accessors,
            "bufferViews": buffer.views,
        }
        if any(node.get("extensions") for node in parts["nodes"]):
            extensions.add(visibility.EXTENSION)
        if extensions:
            parts["extensionsUsed"] = sorted(extensions)
        return {key: value for key, value in parts.items() if value not in ([], {})}

    def _node(self, number: int, meshes: dict[int, int]) -> dict[str, Any]:
        rig, nodes = self.rig, self.rig.nodes
        node: dict[str, Any] = {}
        if nodes.names[number]:
            node["name"] = nodes.names[number]
        doubles = [double for (joint, _), double in self._doubles.items() if joint == number]
        if nodes.sound_children[number] or doubles:
            node["children"] = [*self._tops(nodes.sound_children[number]), *doubles]
        matrix = nodes.matrices.get(number)
        if matrix is not None and number in self._animated:
            self.notes.append(f"the shear of {nodes.label(number)}, which is animated, is lost")
        if number in self._helpers:
            self._trs(node, affine.TRS(np.zeros(3), self._turns[number][1], np.ones(3)))
        elif matrix is not None and number not in self._animated:
            node["matrix"] = written.as_json(matrix.T.reshape(16))
        else:
            parts = nodes.translations[number], nodes.rotations[number], nodes.scales[number]
            self._trs(node, affine.TRS(*parts))
        mesh = rig.node_meshes[number]
        if mesh is not None and mesh in meshes:
            node["mesh"] = meshes[mesh]
            if number in rig.hidden and visibility.can_be_hidden(rig, number):
                node["extensions"] = visibility.INVISIBLE
            if rig.node_skins[number] is not None:
                node["skin"] = rig.node_skins[number]
            weights = rig.node_morph_weights.get(number)
            if weights is not None and len(weights):
                node["weights"] = written.as_json(weights)
        return node

    def _helper(self, number: int) -> dict[str, Any]:
        """Return the node that stands above one that shears."""
        node = {"name": f"{self.rig.nodes.names[number]}{_ABOVE}", "children": [number]}
        self._trs(node, self._turns[number][0])
        return node

    def _tops(self, numbers: Sequence[int]) -> list[int]:
        """Return some nodes as a parent has them: a helper in place of its node."""
        return [self._helpers.get(number, number) for number in numbers]

    @cached_property
    def _helpers(self) -> dict[int, int]:
        """Each node that shears → its helper: what a node of glTF states has to be free of shear."""
        matrices = self.rig.nodes.matrices
        sheared = [
            number
            for number, matrix in sorted(matrices.items())
            if number not in self._animated
            and affine.residue(matrix, affine.decompose(matrix)) > _SHEAR
        ]
        return {number: len(self.rig.nodes) + i for i, number in enumerate(sheared)}

    @cached_property
    def _doubles(self) -> dict[tuple[int, int], int]:
        """A joint and how often a skin listed it already → the node below it that is listed instead.

        No joint may stand twice in a skin of glTF, and here each entry has a bind of its own.
        """
        needed = {
            pair: None for skin in self.rig.skins for pair in _counted(skin.joints) if pair[1]
        }
        first = len(self.rig.nodes) + len(self._helpers)
        return {pair: first + i for i, pair in enumerate(needed)}

    @cached_property
    def _turns(self) -> dict[int, tuple[affine.TRS, FloatArray]]:
        """Each node that shears → its helper's TRS and its own rotation, which make its matrix."""
        result = {}
        for number in self._helpers:
            matrix = self.rig.nodes.matrices[number]
            left, stretch, right = np.linalg.svd(matrix[:3, :3])
            for turn in (left.T, right):
                if affine.determinant(turn) < 0.0:
                    turn[2] *= -1.0
                    stretch[2] *= -1.0
            outer = affine.TRS(matrix[:3, 3], quat.from_matrix(left), stretch)
            result[number] = outer, quat.from_matrix(right)
        return result

    def _trs(self, node: dict[str, Any], parts: affine.TRS) -> None:
        for key, values in (
            ("translation", parts.translation),
            ("rotation", np.clip(parts.rotation, -1.0, 1.0)),
            ("scale", parts.scale),
        ):
            if not np.array_equal(values, written.IDENTITY[key]):
                node[key] = written.as_json(values)

    @cached_property
    def _animated(self) -> set[int]:
        moved = (own for clip in self.rig.clips for own in clip.active)
        return {own.node for own in moved if own.path != "weights"}

    def _skin(self, number: int) -> dict[str, Any]:
        skin = self.rig.skins[number]
        stored: dict[str, Any] = {
            "joints": [self._doubles.get(pair, pair[0]) for pair in _counted(skin.joints)]
        }
        if skin.name:
            stored["name"] = skin.name
        root = hints.skeleton(self.rig, number)
        if root is not None:
            stored["skeleton"] = root
        if skin.inverse_binds is not None and len(skin.joints):
            binds = skin.joint_from_mesh.swapaxes(-1, -2).reshape(-1, 16)
            stored["inverseBindMatrices"] = self.buffer.accessor(binds)
        return stored

    def _animation(self, clip: Clip, meshes: dict[int, int]) -> dict[str, Any]:
        """Return a clip; its times start at 0 where some of its keys lie before that."""
        samplers: list[dict[str, Any]] = []
        channels = []
        early = min(0.0, clip.start)
        if early < 0.0:
            self.notes.append(f"clip {clip.name} starts at {early:g} s and is moved to start at 0")
        for node, path, _, curve in clip.active:
            if path == "weights" and not self._has_targets(node, curve, meshes):
                continue
            # glTF states times as 32-bit numbers.
            reached = curve.times - early <= LARGEST_NUMBER
            if not reached.all():
                words = (
                    f"clip {clip.name} has keys after {LARGEST_NUMBER:g} s, which glTF cannot state"
                )
                self.notes.append(f"{words}; they are left out")
            if not reached.any():
                continue
            is_stated = np.isin(curve.times, curve.stated_times)[reached]
            times = separate(curve.times[reached] - early, is_stated)
            values = curve.values[reached].reshape(-1, curve.values.shape[-1])
            if path == "weights":
                values = values.reshape(-1, 1)
            samplers.append(
                {
                    "input": self.buffer.accessor(times[:, None], bounded=True),
                    "output": self.buffer.accessor(values),
                    "interpolation": curve.interpolation,
                }
            )
            target = {"node": node, "path": path}
            channels.append({"sampler": len(samplers) - 1, "target": target})
        stored: dict[str, Any] = {"samplers": samplers, "channels": channels}
        if clip.name:
            stored["name"] = clip.name
        return stored | markers.extras(clip, delay=-early)

    def _has_targets(self, node: int, curve: Sampler, meshes: dict[int, int]) -> bool:
        mesh = self.rig.node_meshes[node]
        if mesh is None or mesh not in meshes:
            return False
        return len(self.rig.meshes[mesh].morph_weights) == curve.keys.shape[1]


def _counted(joints: Sequence[int]) -> list[tuple[int, int]]:
    """Return each joint with how many times it stands before."""
    seen: Counter[int] = Counter()
    result = []
    for joint in joints:
        result.append((joint, seen[joint]))
        seen[joint] += 1
    return result
