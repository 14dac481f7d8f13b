"""Saving: weights, bind matrices, rest poses and names replaced in the bytes of the XML, all else kept.

Values of weights are appended behind those of their source, never overwritten: one may be shared by a
thousand influences, and a source by several skins.
"""

from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray, IntArray
from rigview.core.mesh import Influences
from rigview.core.placement import has_unbound, scaled, to_y_up, turned
from rigview.core.rig import Rig
from rigview.io.collada.amended_nodes import amend_nodes
from rigview.io.collada.amended_unit import amend_unit, is_same_clip
from rigview.io.collada.elements import child, children
from rigview.io.collada.reader import Bindings, ColladaReading, load, read
from rigview.io.collada.spans import Text, number_text
from rigview.io.collada.tree import NAME, ColladaDocument
from rigview.io.files import write_together
from rigview.io.original import own
from rigview.io.reading import Listener, Loaded, SaveError
from rigview.io.reopened import with_clip_names, write_proved
from rigview.io.unwritten import expect_written


def save(loaded: Loaded, rig: Rig, out: Path) -> tuple[str, ...]:
    """Write a rig as an amended copy of the .dae file that was opened.

    An unchanged rig is the source byte for byte.

    Raises
    ------
    SaveError
        If it was read from something else, or has a change that is not amended in Collada.
    """
    data = own(loaded.source, NAME).read()
    if rig is loaded.rig:
        write_together({out: data})
        return ()
    reading = read(loaded.path, Listener())
    amendment = _Amendment(reading, loaded.rig, rig, Text(data, reading.document.order))
    content = amendment.content()

    def reopened(copy: Path) -> Rig:
        return with_clip_names(load(copy, Listener()).rig, rig, copy)

    write_proved({out: content}, out, rig, reopened)
    return ()


class _Amendment:
    def __init__(self, reading: ColladaReading, old: Rig, new: Rig, text: Text) -> None:
        self._reading, self._old, self._new, self._text = reading, old, new, text
        # Arrays of numbers → their words, changed so far.
        self._words: dict[Element, list[bytes]] = {}
        self._weights: dict[Element, bytes] = {}

    @property
    def _document(self) -> ColladaDocument:
        return self._reading.document

    def content(self) -> bytes:
        """Return the amended file."""
        expect_written(self._old, self._new, "a Collada file")
        self._new = amend_unit(self._reading, self._old, self._new, self._text)
        self._refuse()
        self._names()
        self._rests()
        for node, bindings in self._reading.bindings.items():
            self._binds(node, bindings)
            self._influences(node, bindings)
        for element, words in self._words.items():
            self._text.set_text(element, b" ".join(words))
        return self._text.changed()

    def _refuse(self) -> None:
        """Refuse by name what is not amended: new nodes, clips, points and lists of joints."""
        old, new = self._old, self._new
        if len(old.nodes) != len(new.nodes):
            raise SaveError("new nodes are not written into a Collada file; glTF can hold them")
        same = map(is_same_clip, old.clips, new.clips)
        if len(old.clips) != len(new.clips) or not all(same):
            raise SaveError("other curves are not written into a Collada file; glTF can hold them")
        for a, b in zip(old.meshes, new.meshes, strict=True):
            for p, q in zip(a.primitives, b.primitives, strict=True):
                if not np.array_equal(p.positions, q.positions):
                    raise SaveError(
                        f"other points of {a.name or 'a mesh'} are not written into a Collada file; glTF "
                        "can hold them"
                    )
        for a_skin, b_skin in zip(old.skins, new.skins, strict=True):
            if sorted(a_skin.joints) != sorted(b_skin.joints):
                raise SaveError(
                    f"the skin {a_skin.name} would list other joints, which is not written into a Collada "
                    "file; glTF can hold it"
                )
            if a_skin.joints != b_skin.joints:
                raise SaveError(
                    f"the skin {a_skin.name} would list its joints in another order, which is not written "
                    "into a Collada file; glTF can hold it"
                )

    def _names(self) -> None:
        for node, element in enumerate(self._reading.scene.elements):
            name = self._new.nodes.names[node]
            if name == self._old.nodes.names[node]:
                continue
            if element is None or not name:
                raise SaveError(
                    "a node without an element of its own has no name; glTF can hold one"
                )
            self._text.set_attribute(element, "name", name)

    def _rests(self) -> None:
        """Write where nodes rest and what they hang on."""
        old, new = self._old.nodes, self._new.nodes
        if old is not new:
            rigs = self._old, self._new
            amend_nodes(self._reading, rigs, self._in_file(self._new), self._text)

    def _in_file(self, rig: Rig) -> Rig:
        back = quat.conjugate(to_y_up(self._reading.up))
        unbound = has_unbound(self._old)
        return scaled(turned(rig, back, skins=unbound), 1.0 / self._reading.unit)

    def _binds(self, node: int, bindings: Bindings) -> None:
        """Replace the inverse bind matrices of joints that are bound elsewhere."""
        a, b = self._old.node_skins[node], self._new.node_skins[node]
        if a is None or b is None or self._old.skins[a] is self._new.skins[b]:
            return
        was, now = self._old.skins[a], self._in_file(self._new).skins[b]
        wanted = self._new.skins[b]
        joints = self._document.need(bindings.binding.element, "joints")
        source = self._document.source(joints, "INV_BIND_MATRIX")
        for place, joint in enumerate(was.joints):
            other = wanted.joints.index(joint)
            if np.array_equal(was.joint_from_mesh[place], wanted.joint_from_mesh[other]):
                continue
            row = now.joint_from_mesh[other].reshape(-1)
            self._set(source, 16, bindings.kept[place], row)

    def _set(self, source: Element, width: int, row: int, values: FloatArray) -> None:
        """Replace numbers of a row of a source; two skins that share it have to agree."""
        accessor = child(source, "technique_common", "accessor")
        array = next(iter(children(source, "float_array")), None)
        if array is None or accessor is None:
            raise SaveError(
                "a source without an array of its own is not amended; glTF can hold the rig"
            )
        words = self._words.setdefault(array, self._text.text(array).split())
        start = self._document.count(accessor, "offset", 0)
        start += row * max(width, self._document.count(accessor, "stride", width))
        fresh = [number_text(value) for value in values.tolist()]
        before = self._document.numbers(array)[start : start + width]
        current = [float(word.replace(b",", b".")) for word in words[start : start + width]]
        if current != before.tolist() and words[start : start + width] != fresh:
            raise SaveError(
                "two skins that share bind matrices would need others; glTF can hold them"
            )
        words[start : start + width] = fresh

    def _influences(self, node: int, bindings: Bindings) -> None:
        """Write the influences of a skin anew where any vertex follows joints otherwise."""
        a, b = self._old.node_meshes[node], self._new.node_meshes[node]
        skins = self._old.node_skins[node], self._new.node_skins[node]
        if a is None or b is None or skins[0] is None or skins[1] is None:
            return
        pairs = [*zip(self._old.meshes[a].primitives, self._new.meshes[b].primitives, strict=True)]
        if all(p.influences is q.influences for p, q in pairs):
            return
        joints = self._old.skins[skins[0]].joints, self._new.skins[skins[1]].joints
        to_file = (
            np.array(bindings.kept),
            np.array([bindings.kept[joints[0].index(joint)] for joint in joints[1]]),
        )
        changed: dict[int, tuple[IntArray, FloatArray]] = {}
        for surface, (p, q) in zip(bindings.surfaces, pairs, strict=True):
            if p.influences is None or q.influences is None:
                raise SaveError("a mesh would lose its influences; glTF can hold that")
            _collect(changed, surface.control, p.influences, q.influences, to_file)
        if changed:
            self._write(bindings.binding.element, changed)

    def _write(self, skin: Element, changed: dict[int, tuple[IntArray, FloatArray]]) -> None:
        """Write counts and pairs of a skin, those of changed points anew, and append their weights."""
        document, element = self._document, self._document.need(skin, "vertex_weights")
        inputs = {found.semantic: found for found in document.inputs(element)}
        offsets = inputs["JOINT"].offset, inputs["WEIGHT"].offset
        if sorted(offsets) != [0, 1] or document.stride(element) != 2:
            raise SaveError("influences with further inputs are not amended; glTF can hold the rig")
        vcount, v = document.need(element, "vcount"), document.need(element, "v")
        counts = document.integers(vcount)
        flat = document.integers(v)[: 2 * int(counts.sum())].reshape(-1, 2)
        starts = np.cumsum(counts) - counts
        source = inputs["WEIGHT"].source
        known = {float(w): i for i, w in reversed([*enumerate(document.rows(source)[:, 0])])}
        first, fresh = len(document.rows(source)), dict[float, int]()
        rows = []
        for point, (start, count) in enumerate(zip(starts.tolist(), counts.tolist(), strict=True)):
            if point not in changed:
                rows.append(flat[start : start + count])
                continue
            pairs = np.zeros((len(changed[point][0]), 2), dtype=np.int64)
            pairs[:, offsets[0]] = changed[point][0]
            for i, weight in enumerate(changed[point][1].tolist()):
                if weight not in known:
                    known[weight] = first + len(fresh)
                    fresh[weight] = known[weight]
                pairs[i, offsets[1]] = known[weight]
            rows.append(pairs)
        self._append(source, [*fresh])
        self._once(vcount, " ".join(str(len(row)) for row in rows).encode())
        whole = np.concatenate(rows).reshape(-1).tolist()
        self._once(v, " ".join(map(str, whole)).encode())

    def _once(self, element: Element, text: bytes) -> None:
        """Set a text; a skin that several nodes show has to be wanted alike by all."""
        if self._weights.setdefault(element, text) != text:
            raise SaveError("two nodes that share a skin would need others; glTF can hold them")
        self._text.set_text(element, text)

    def _append(self, source: Element, values: list[float]) -> None:
        """Append values behind those of a source, all of which have to be its own array's."""
        array = next(iter(children(source, "float_array")), None)
        accessor = child(source, "technique_common", "accessor")
        if not values:
            return
        if array is None or accessor is None:
            raise SaveError(
                "weights without an array of their own are not amended; glTF can hold them"
            )
        old = len(self._document.numbers(array))
        plain = self._document.count(accessor, "offset", 0) == 0
        if self._document.count(accessor, "stride", 1) != 1 or not plain or array in self._weights:
            raise SaveError(
                "weights that stand among other numbers are not amended; glTF can hold them"
            )
        if len(self._document.rows(source)) != old:
            raise SaveError("a source of weights counts others than it has; glTF can hold them")
        text = self._text.text(array)
        body = text.rstrip()
        more = b" ".join(map(number_text, values))
        self._once(array, body + b" " + more + text[len(body) :])
        for holder in (array, accessor):
            self._text.set_attribute(holder, "count", str(old + len(values)))


def _collect(
    changed: dict[int, tuple[IntArray, FloatArray]],
    control: IntArray,
    old: Influences,
    new: Influences,
    to_file: tuple[IntArray, IntArray],
) -> None:
    """Add the wanted influences of points that have others; vertices of one point have to agree.

    Parameters
    ----------
    to_file
        The file's number of each joint that `old` counts, and that `new` does.
    """
    joints = to_file[0][old.joints], to_file[1][new.joints]
    same = np.zeros(len(control), dtype=bool)
    if joints[0].shape == joints[1].shape:
        same = np.all((joints[0] == joints[1]) & (old.weights == new.weights), axis=1)
    for vertex in np.flatnonzero(~same).tolist():
        used = new.weights[vertex] != 0.0
        found = joints[1][vertex][used], new.weights[vertex][used]
        known = changed.setdefault(int(control[vertex]), found)
        if not all(map(np.array_equal, known, found)):
            raise SaveError(
                "vertices of one point would follow joints otherwise; glTF can hold that"
            )
