"""What changed between two rigs, written into a copy of the document they came from.

The readers keep nodes, meshes, primitives, skins, clips and channels under the document's own
numbers, so everything is found again by its number. Only what differs is touched.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import FloatArray
from rigview.core.clip import Active, Channel, Clip
from rigview.core.mesh import Influences, MorphTargets, Primitive
from rigview.core.numeric.rounding import largest_remainder
from rigview.core.rig import Rig, Skin
from rigview.core.sampler import Sampler
from rigview.io.gltf import draco, hints, markers
from rigview.io.gltf.accessors import COMPONENTS, FLOAT, Accessors
from rigview.io.gltf.container import GltfSource
from rigview.io.gltf.cursor import Cursor
from rigview.io.gltf.geometry import COMPENSATION, DQS_WEIGHT, METHOD
from rigview.io.gltf.jsontext import same
from rigview.io.gltf.store import Store
from rigview.io.gltf.written import IDENTITY, VERTICES, as_json, as_stored, column
from rigview.io.reading import SaveError

_U8, _U16 = 5121, 5123


class Patch:
    """A document being brought from one rig to another.

    Attributes
    ----------
    document
        The new JSON.
    store
        The bytes of every buffer, changed or not.
    """

    def __init__(self, source: GltfSource, old: Rig, new: Rig) -> None:
        self.document: dict[str, Any] = _working_copy(source)
        self.store = Store(source, self.document)
        self._source, self._old, self._new = source, old, new
        self._nodes()
        self._scene()
        self._skins()
        self._meshes()
        self._clips()
        self.store.write()
        self.is_empty = same(source.document, self.document) and not any(
            map(self.store.is_changed, range(len(self.store.buffers)))
        )

    def _nodes(self) -> None:
        old, new = self._old.nodes, self._new.nodes
        for i in range(len(new)):
            before = i if i < len(old) else None
            if before is None:
                self.document.setdefault("nodes", []).append({})
            node = self.document["nodes"][i]
            if new.names[i] != ("" if before is None else old.names[i]):
                node["name"] = new.names[i]
            self._local_transform(node, i, before)
            if new.children[i] != (() if before is None else old.children[i]):
                _set(node, "children", list(new.children[i]) or None)
            for key, values, previous in (
                ("mesh", self._new.node_meshes, self._old.node_meshes),
                ("skin", self._new.node_skins, self._old.node_skins),
            ):
                if values[i] != (None if before is None else previous[i]):
                    _set(node, key, values[i])
            weights = self._new.node_morph_weights.get(i)
            if not _equal(weights, self._old.node_morph_weights.get(i)):
                _set(node, "weights", None if weights is None else as_json(weights))

    def _local_transform(self, node: dict[str, Any], i: int, before: int | None) -> None:
        old, new = self._old.nodes, self._new.nodes
        if i in new.matrices:
            if before is None or not _equal(new.matrices[i], old.matrices.get(i)):
                for key in IDENTITY:
                    node.pop(key, None)
                node["matrix"] = as_json(new.matrices[i].T.reshape(16))
            return
        had_matrix = node.pop("matrix", None) is not None
        for key, values, previous in (
            ("translation", new.translations, old.translations),
            # Rounding takes components of unit quaternions just above 1, where glTF ends.
            ("rotation", np.clip(new.rotations, -1.0, 1.0), np.clip(old.rotations, -1.0, 1.0)),
            ("scale", new.scales, old.scales),
        ):
            if before is None or had_matrix or not _equal(values[i], previous[i]):
                is_default = _equal(values[i], np.array(IDENTITY[key]))
                _set(node, key, None if is_default else as_json(values[i]))

    def _scene(self) -> None:
        scenes, shown = self.document.get("scenes", []), self.document.get("scene", 0)
        if self._new.roots != self._old.roots and scenes:
            _set(scenes[shown], "nodes", list(self._new.roots) or None)
        if self._new.nodes.parents[: len(self._old.nodes)] != self._old.nodes.parents:
            for scene in (s for number, s in enumerate(scenes) if number != shown):
                hints.rehang(scene, self._old, self._new)

    def _skins(self) -> None:
        for i, new in enumerate(self._new.skins):
            if i >= len(self._old.skins):
                self._add_skin(new)
                continue
            old, stored = self._old.skins[i], self.document["skins"][i]
            if new.joints != old.joints:
                stored["joints"] = list(new.joints)
            was, now = (hints.skeleton(rig, i) for rig in (self._old, self._new))
            if now != was or (now is None and new.skeleton != old.skeleton):
                _set(stored, "skeleton", now)
            if not _stored_equal(new.inverse_binds, old.inverse_binds):
                if new.inverse_binds is None:
                    del stored["inverseBindMatrices"]
                    continue
                binds = new.inverse_binds.swapaxes(-1, -2).reshape(-1, 16)
                self.store.assign(stored, "inverseBindMatrices", binds)

    def _add_skin(self, new: Skin) -> None:
        stored: dict[str, Any] = {"joints": list(new.joints)}
        if new.name:
            stored["name"] = new.name
        if new.inverse_binds is not None:
            binds = new.inverse_binds.swapaxes(-1, -2).reshape(-1, 16)
            self.store.assign(stored, "inverseBindMatrices", binds)
        self.document.setdefault("skins", []).append(stored)

    def _meshes(self) -> None:
        for i, (old, new) in enumerate(zip(self._old.meshes, self._new.meshes, strict=True)):
            if old is new and not self._source.amendments:
                continue
            stored = self.document["meshes"][i]
            if not _equal(new.morph_weights, old.morph_weights):
                stored["weights"] = as_json(new.morph_weights)
            places = self._source.root.array("meshes")[i].array("primitives")
            pairs = zip(old.primitives, new.primitives, strict=True)
            for primitive, place, (before, after) in zip(
                stored["primitives"], places, pairs, strict=True
            ):
                if before is not after or _lacks_joints(primitive, after):
                    self._primitive(primitive, before, after)
                    self._uncompress(primitive, place)

    def _primitive(self, stored: dict[str, Any], old: Primitive, new: Primitive) -> None:
        if _shading_of(new) != _shading_of(old):
            raise ValueError(
                "the glTF writer changes positions, faces, directions and influences only"
            )
        if new.triangles is not old.triangles and not np.array_equal(new.triangles, old.triangles):
            # Faces of strips and fans, too, are written one by one.
            self.store.assign(stored, "indices", new.triangles.reshape(-1, 1).astype(np.uint32))
            stored.pop("mode", None)
        attributes = stored["attributes"]
        for key, values, previous in (
            ("POSITION", new.positions, old.positions),
            ("NORMAL", new.normals, old.normals),
            ("TANGENT", new.tangents, old.tangents),
        ):
            self._vertex_values(attributes, key, values, previous)
        for key, values, previous in (
            (COMPENSATION, new.compensation, old.compensation),
            (DQS_WEIGHT, new.dqs_weights, old.dqs_weights),
        ):
            self._vertex_values(attributes, key, column(values), column(previous))
        if new.method != old.method:
            extras = stored.get("extras")
            own = dict(extras) if isinstance(extras, dict) else {}
            _set(own, METHOD, new.method)
            _set(stored, "extras", own or None)
        if new.influences is not old.influences or _lacks_joints(stored, new):
            self._influences(attributes, old.influences, new.influences)
        if new.morphs is not None and old.morphs is not None and new.morphs is not old.morphs:
            self._morphs(stored["targets"], old.morphs, new.morphs)

    def _uncompress(self, stored: dict[str, Any], place: Cursor) -> None:
        """Write out what a changed primitive has in compressed form, and drop that form.

        Where both are stated, programs show the compressed values, which are the old ones.
        """
        attributes = stored["attributes"]
        changed = attributes != place.need("attributes").value or self.store.is_planned(attributes)
        changed = changed or self.store.is_planned(stored, "indices")
        if not changed or draco.EXTENSION not in stored.get("extensions", {}):
            return
        accessors = Accessors(self._source, self._source.root)
        draco.unpack(place, accessors)
        for holder, keys in ((attributes, tuple(attributes)), (stored, ("indices",))):
            for key in keys:
                number = holder.get(key)
                if number is None or accessors.is_stored(number):
                    continue
                if not self.store.is_planned(holder, key):
                    _, normalised = self.store.component(holder, key) or (0, False)
                    target = VERTICES if holder is attributes else None
                    values = accessors.raw(number)
                    self.store.assign(holder, key, values, normalised=normalised, target=target)
        del stored["extensions"][draco.EXTENSION]
        self._forget_compression()

    def _forget_compression(self) -> None:
        """Take Draco off the list of extensions when nothing uses it any more."""
        primitives = (p for mesh in self.document["meshes"] for p in mesh["primitives"])
        if any(draco.EXTENSION in p.get("extensions", {}) for p in primitives):
            return
        for key in ("extensionsUsed", "extensionsRequired"):
            names = [name for name in self.document.get(key, ()) if name != draco.EXTENSION]
            if names != self.document.get(key, []):
                _set(self.document, key, names or None)

    def _vertex_values(
        self,
        holder: dict[str, Any],
        key: str,
        values: FloatArray | None,
        previous: FloatArray | None,
    ) -> None:
        if _stored_equal(values, previous):
            return
        if values is None:
            holder.pop(key, None)
            return
        self.store.assign(holder, key, values, bounds=key == "POSITION", target=VERTICES)

    def _morphs(self, stored: list[dict[str, Any]], old: MorphTargets, new: MorphTargets) -> None:
        for key, values, previous in (
            ("POSITION", new.positions, old.positions),
            ("NORMAL", new.normals, old.normals),
            ("TANGENT", new.tangents, old.tangents),
        ):
            for i, target in enumerate(stored):
                self._vertex_values(
                    target,
                    key,
                    None if values is None else values[i],
                    None if previous is None else previous[i],
                )

    def _influences(
        self, attributes: dict[str, Any], old: Influences | None, new: Influences | None
    ) -> None:
        """Write the sets of four influences that differ."""
        joints, weights = self._encoded(attributes, new)
        old_joints, old_weights = self._encoded(attributes, old)
        sets = joints.shape[1] // 4
        for n in range(sets):
            part = slice(4 * n, 4 * n + 4)
            for key, values, previous in (
                (f"JOINTS_{n}", joints[:, part], old_joints[:, part]),
                (f"WEIGHTS_{n}", weights[:, part], old_weights[:, part]),
            ):
                if key in attributes and _stored_equal(values, previous):
                    continue
                normalised = key.startswith("W") and values.dtype.kind == "u"
                self.store.assign(attributes, key, values, normalised=normalised, target=VERTICES)
        while attributes.pop(f"JOINTS_{sets}", None) is not None:
            attributes.pop(f"WEIGHTS_{sets}", None)
            sets += 1

    def _encoded(
        self, attributes: dict[str, Any], influences: Influences | None
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return joints and weights as the file has them, in whole sets of four."""
        if influences is None:
            return np.zeros((0, 0), dtype=np.uint8), np.zeros((0, 0))
        pad = ((0, 0), (0, -influences.joints.shape[1] % 4))
        joints, weights = np.pad(influences.joints, pad), np.pad(influences.weights, pad)
        stated = self.store.component(attributes, "JOINTS_0")
        code = stated[0] if stated else _U16
        most = int(joints.max(initial=0))
        if most > np.iinfo(COMPONENTS[code]).max:
            code = _U16
        if most > np.iinfo(COMPONENTS[code]).max:
            raise SaveError(f"glTF has no joint number {most:,}: the largest is 65,535")
        return joints.astype(COMPONENTS[code]), self._encoded_weights(attributes, weights)

    def _encoded_weights(self, attributes: dict[str, Any], weights: FloatArray) -> NDArray[Any]:
        """Return weights in the type of all sets; integers by largest remainder."""
        stated = {
            self.store.component(attributes, key)
            for key in attributes
            if key.startswith("WEIGHTS_")
        }
        code, normalised = (stated.pop() if len(stated) == 1 else None) or (FLOAT, False)
        in_range = np.all((weights >= 0.0) & (weights <= 1.0))
        if code not in (_U8, _U16) or not normalised or not in_range:
            return weights
        dtype = COMPONENTS[code]
        return largest_remainder(weights, int(np.iinfo(dtype).max)).astype(dtype)

    def _clips(self) -> None:
        """Change clips; those behind the old ones are new. A selection of the old ones may be wanted."""
        old, new = self._old.clips, self._new.clips
        place = {id(clip): number for number, clip in enumerate(old)}
        if any(place.get(id(clip), i) != i for i, clip in enumerate(new)) or len(new) < len(old):
            stored = self.document["animations"]
            chosen = [
                stored[place[id(clip)]] if id(clip) in place else self._new_clip(clip)
                for clip in new
            ]
            _set(self.document, "animations", chosen or None)
            return
        for i, (before, after) in enumerate(zip(old, new[: len(old)], strict=True)):
            if before is not after:
                self._clip(self.document["animations"][i], before, after)
        for clip in new[len(old) :]:
            self.document.setdefault("animations", []).append(self._new_clip(clip))

    def _new_clip(self, clip: Clip) -> dict[str, Any]:
        """Return an animation for a clip; channels with equal curves share their accessors."""
        stored: dict[str, Any] = {"name": clip.name, "channels": [], "samplers": []}
        if not clip.name:
            del stored["name"]
        self._append(stored, clip.active)
        return stored | markers.extras(clip)

    def _append(self, stored: dict[str, Any], active: Sequence[Active]) -> None:
        """Write channels behind those that an animation has."""
        for node, path, _, curve in active:
            sampler: dict[str, Any] = {"interpolation": curve.interpolation}
            width = 1 if path == "weights" else curve.values.shape[-1]
            self.store.assign(sampler, "input", curve.times[:, None], bounds=True)
            self.store.assign(sampler, "output", curve.values.reshape(-1, width))
            target = {"node": node, "path": path}
            stored["channels"].append({"sampler": len(stored["samplers"]), "target": target})
            stored["samplers"].append(sampler)

    def _clip(self, stored: dict[str, Any], old: Clip, new: Clip) -> None:
        """Give changed channels their curves; a sampler that others still need is copied first."""
        kept = _kept(old.channels, new.channels)
        more = replace(new, channels=tuple(new.channels[len(kept) :]))
        stored["channels"] = [stored["channels"][i] for i in kept]
        users: dict[int, int] = defaultdict(int)
        changed: dict[int, dict[bytes, list[tuple[dict[str, Any], Channel, Channel]]]] = {}
        for place, before, after in zip(
            stored["channels"],
            [old.channels[i] for i in kept],
            new.channels[: len(kept)],
            strict=True,
        ):
            number = place["sampler"]
            users[number] += 1
            if after.node != before.node:
                if place["target"]["path"] != after.path:  # named by a pointer
                    place["target"] = {"path": after.path}
                _set(place["target"], "node", after.node)
            if not _same_curve(before.sampler, after.sampler):
                curves = changed.setdefault(number, defaultdict(list))
                curves[_content(after.sampler)].append((place, before, after))
        for number, curves in changed.items():
            free = users[number] == sum(map(len, curves.values()))
            for members in curves.values():
                sampler = stored["samplers"][number]
                if not free:
                    sampler = dict(sampler)
                    stored["samplers"].append(sampler)
                    for place, _, _ in members:
                        place["sampler"] = len(stored["samplers"]) - 1
                free = False
                self._curve(sampler, members[0][1].sampler, members[0][2].sampler)
        self._append(stored, more.active)

    def _curve(self, stored: dict[str, Any], old: Sampler, new: Sampler) -> None:
        if new.interpolation != old.interpolation:
            stored["interpolation"] = new.interpolation
        if not _stored_equal(new.values, old.values):
            width = self.store.width(stored["output"])
            self.store.assign(stored, "output", new.values.reshape(-1, width))
        if not _stored_equal(new.times, old.times):
            self.store.assign(stored, "input", new.times[:, None], bounds=True)


def _lacks_joints(stored: dict[str, Any], primitive: Primitive) -> bool:
    """Tell whether joints are left out of the document, which had them in a type that glTF has not."""
    sets = 0 if primitive.influences is None else -(-primitive.influences.joints.shape[1] // 4)
    return any(f"JOINTS_{n}" not in stored["attributes"] for n in range(sets))


def _kept(old: Sequence[Channel], new: Sequence[Channel]) -> list[int]:
    """Return which old channels the first channels of a clip are, in order; the further ones are new."""
    if len(new) == len(old):
        return list(range(len(old)))
    kept: list[int] = []
    for channel in new:
        start = kept[-1] + 1 if kept else 0
        wanted = (channel.node, channel.path)
        match = (i for i in range(start, len(old)) if (old[i].node, old[i].path) == wanted)
        found = next(match, None)
        if found is None:
            break
        kept.append(found)
    return kept


def _shading_of(primitive: Primitive) -> tuple[Any, ...]:
    """Return what no fix changes, arrays by identity."""
    shared = (primitive.lines, primitive.points, primitive.colours)
    uvs = {number: id(values) for number, values in primitive.uvs.items()}
    return tuple(map(id, shared)), uvs, primitive.material


def _working_copy(source: GltfSource) -> dict[str, Any]:
    """Parse the document as it was read; numbers like 3.0, which count as 3, can then index a list."""

    def number(text: str) -> int | float:
        value = float(text)
        return int(value) if value.is_integer() else value

    return source.parsed(number)


def _content(sampler: Sampler) -> bytes:
    return as_stored(sampler.times).tobytes() + as_stored(sampler.values).tobytes()


def _same_curve(a: Sampler, b: Sampler) -> bool:
    return a is b or (
        a.interpolation == b.interpolation
        and _stored_equal(a.times, b.times)
        and _stored_equal(a.values, b.values)
    )


def _equal(a: NDArray[Any] | None, b: NDArray[Any] | None) -> bool:
    return a is b or (a is not None and b is not None and np.array_equal(a, b, equal_nan=True))


def _stored_equal(a: NDArray[Any] | None, b: NDArray[Any] | None) -> bool:
    """Tell whether two arrays are one in a file."""
    if a is None or b is None or a is b:
        return a is b
    return a.shape == b.shape and as_stored(a).tobytes() == as_stored(b).tobytes()


def _set(holder: dict[str, Any], key: str, value: Any) -> None:  # noqa: ANN401 - JSON
    if value is None:
        holder.pop(key, None)
    else:
        holder[key] = value
