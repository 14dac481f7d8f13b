"""Animations: the curves of transform elements, played per node as translation, rotation and scale.

A node's transform is a product of elements, each of whose numbers may have a curve of its own. It is
evaluated at the keys and taken apart; where the product does not move between keys as the parts do
(curved segments, several animated rotations), `rigview.io.sampling` fits them.
"""

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element

import numpy as np

from rigview.core import affine
from rigview.core.arrays import FloatArray
from rigview.core.clip import Channel, Clip
from rigview.core.nodes import Nodes
from rigview.core.sampler import Interpolation, Path, Sampler
from rigview.io import sampling
from rigview.io.collada.curves import ColladaCurve, read_curve
from rigview.io.collada.elements import children, tag, title
from rigview.io.collada.scene import ColladaScene
from rigview.io.collada.transforms import OPERATIONS, member, operations, parent_from_node
from rigview.io.collada.tree import ColladaDocument
from rigview.io.reading import LoadError, quoted
from rigview.io.rest import flips, leaves, with_scale

# A matrix that its parts give back to within this share is not noted as sheared.
_SHEAR = 1e-4
_MEMBER = re.compile(r"^(?P<path>[^.(]*)(?P<member>(\.[A-Za-z]+|(\(\d+\)){1,2})?)$")
# How Autodesk's FBX SDK addresses a weight: by the blend shape, of which a morph is the first, and
# the channel in it.
_FBX_WEIGHT = re.compile(r"\(Weight_0_(?P<channel>\d+)\)$")


@dataclass(frozen=True, eq=False)
class _Track:
    """A curve and what it drives: one number of a transform, or all (None)."""

    element: Element
    index: int | None
    curve: ColladaCurve


@dataclass(eq=False)
class Weights:
    """Where the weights of a morph stand: their <source>, and the nodes that show the morph."""

    defaults: FloatArray
    nodes: list[int]


def read_clips(
    document: ColladaDocument,
    scene: ColladaScene,
    nodes: Nodes,
    weights: dict[Element, Weights],
    name: str,
) -> tuple[Clip, ...]:
    """Return the clips of library_animation_clips, and one of the animations that are in none.

    Where several of those drive the same number, they cannot play together: every one that would
    begins a clip of its own.

    Parameters
    ----------
    weights
        By the source of their default values.
    name
        Of a clip of several animations.
    """
    library = _library(document, "library_animations", "animation")
    player = _Player(document, scene, nodes, weights)
    clips = []
    used: set[Element] = set()
    for place in _library(document, "library_animation_clips", "animation_clip"):
        instances = children(place, "instance_animation")
        for lost in filter(None, map(document.dangling, instances)):
            document.notes.leave_out("motion", f"the animation {quoted(lost)} is not in the file")
        parts = [
            document.target(i, "url", "animation", "animation_clip")
            for i in instances
            if document.dangling(i) is None
        ]
        used.update(parts)
        start, end = (_seconds(document, place, key) for key in ("start", "end"))
        clips.append(_trimmed(player.clip(title(place), parts), start, end))
    takes = _takes([animation for animation in library if animation not in used])
    for take in takes:
        own = title(take[0]) if len(take) == 1 < len(takes) else ""
        told = len(document.notes)
        clip = player.clip(own or name, take)
        if clip.channels:
            clips.append(clip)
        elif len(document.notes) == told:
            document.notes.append(f"the clip {quoted(clip.name)} moves nothing and is left out")
    return tuple(clips)


def _takes(animations: list[Element]) -> list[list[Element]]:
    """Return runs of animations of which no two drive the same."""
    takes: list[list[Element]] = []
    driven: set[str | None] = set()
    for animation in animations:
        own = {place.get("target") for place in animation.iter() if tag(place) == "channel"}
        if not takes or not driven.isdisjoint(own):
            takes.append([])
            driven = set()
        takes[-1].append(animation)
        driven |= own
    return takes


def _library(document: ColladaDocument, library: str, kind: str) -> list[Element]:
    return [e for found in children(document.root, library) for e in children(found, kind)]


def _seconds(document: ColladaDocument, place: Element, key: str) -> float | None:
    text = place.get(key)
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        document.bear(place, f"{key} is {quoted(text)}, not a time: it is as long as its keys")
        return None


def _trimmed(clip: Clip, start: float | None, end: float | None) -> Clip:
    """Return a clip from `start` to `end`, which get keys of their own."""
    low = clip.start if start is None else max(clip.start, start)
    high = clip.end if end is None else min(clip.end, end)
    if not low <= high:
        return clip
    channels = []
    for channel in clip.channels:
        old = channel.sampler
        inside = old.times[(old.times > low) & (old.times < high)]
        times = np.unique(np.concatenate([[low], inside, [high]]))
        cut = _cut(old, times, rotation=channel.path == "rotation")
        channels.append(replace(channel, sampler=cut))
    return Clip(clip.name, tuple(channels))


def _cut(sampler: Sampler, times: FloatArray, *, rotation: bool) -> Sampler:
    """Return a curve with keys at the given times, which are all of its own but those outside."""
    if sampler.interpolation == "CUBICSPLINE":
        (fitted,) = sampling.fit(
            lambda t: sampler.at(t, rotation=rotation)[None], times, rotation=rotation
        )
        return replace(fitted, stated=sampler.stated)
    return replace(sampler, times=times, values=sampler.at(times, rotation=rotation))


@dataclass(frozen=True, eq=False)
class _Player:
    """Turns the channels of animations into those of one clip."""

    document: ColladaDocument
    scene: ColladaScene
    nodes: Nodes
    weights: dict[Element, Weights]

    def clip(self, name: str, animations: list[Element]) -> Clip:
        """Return the clip of some animations and those within them."""
        by_node: dict[Element, list[_Track]] = defaultdict(list)
        morphs: dict[Element, list[_Track]] = defaultdict(list)
        for place in (c for a in animations for c in a.iter() if tag(c) == "channel"):
            try:
                found = self._driven(place)
            except LoadError as error:
                text = f"a channel is left out: {error.where}: {error.reason}"
                self.document.notes.leave_out("motion", text)
                continue
            if found is not None:
                holder, track = found
                own = by_node if tag(track.element) in OPERATIONS else morphs
                own[holder].append(track)
        channels = [c for e, tracks in by_node.items() for c in self._node(e, tracks)]
        channels += [c for e, tracks in morphs.items() for c in self._morph(e, tracks)]
        return Clip(name, tuple(channels))

    def _driven(self, place: Element) -> tuple[Element, _Track] | None:
        """Return what a channel drives: a node or a source of weights, and by which curve."""
        target = self._target(place)
        if target is None:
            return None
        holder, element, index = target
        curve = read_curve(self.document, self.document.target(place, "source", "sampler"))
        if curve is None:
            return None
        width = 1 if index is not None else len(self.document.numbers(element))
        if tag(element) in OPERATIONS and curve.width != width:
            text = f"its keys have {curve.width} numbers, not {width}"
            raise self.document.error(place, text)
        return holder, _Track(element, index, curve)

    def _target(self, place: Element) -> tuple[Element, Element, int | None] | None:
        """Return what a channel drives: node and transform, or a source of weights twice; and which."""
        address = _FBX_WEIGHT.sub(r"(\g<channel>)", place.get("target", ""))
        id_, _, rest = address.partition("/")
        found = _MEMBER.match(rest or id_)
        name = id_ if rest or found is None else found["path"]
        holder = self.document.find(name, "node" if rest else "source")
        if holder is None:
            holder = self.document.find(name)
        if found is None or holder is None:
            self.document.notes.append(f"the target {quoted(address)} of a channel does not exist")
            return None
        if not rest and holder in self.weights:
            index = found["member"].strip("()")
            return holder, holder, int(index) if index.isdecimal() else None
        node, element = _by_sid(holder, found["path"].split("/"))
        if element is None or tag(element) not in OPERATIONS or tag(node) != "node":
            self.document.notes.append(
                f"a channel animates {quoted(address)}, which rigview does not play"
            )
            return None
        if not found["member"]:
            return node, element, None
        index_ = member(element, found["member"])
        if index_ is None:
            raise self.document.error(place, f"the target {quoted(address)} names no number")
        return node, element, index_

    def _node(self, element: Element, tracks: list[_Track]) -> list[Channel]:
        samplers: dict[Path, Sampler]
        if all(track.curve.is_stepped for track in tracks):
            samplers = self._keyed(element, tracks, _stated(tracks), "STEP")
        elif _moves_like_its_parts(element, tracks):
            samplers = self._keyed(element, tracks, _breaks(tracks), "LINEAR")
        else:
            samplers = self._fitted(element, tracks)
        return [
            Channel(number, path, sampler)
            for number in self.scene.numbers(element)
            for path, sampler in samplers.items()
            if leaves(self.nodes, number, path, sampler)
        ]

    def _keyed(
        self,
        element: Element,
        tracks: list[_Track],
        times: FloatArray,
        interpolation: Interpolation,
    ) -> dict[Path, Sampler]:
        """Return the node's parts with keys at the given times."""
        parts = self._parts(element, tracks, times)
        parts["rotation"] = sampling.continuous(parts["rotation"])
        stated = _stated(tracks)
        return {path: Sampler(times, part, interpolation, stated) for path, part in parts.items()}

    def _fitted(self, element: Element, tracks: list[_Track]) -> dict[Path, Sampler]:
        """Return the node's parts on as many keys as it takes to follow the curves."""
        grid = sampling.without_fast_turns(_angles(tracks), _breaks(tracks))
        straight = all(track.curve.is_linear for track in tracks)
        result: dict[Path, Sampler] = {}
        for path in ("translation", "rotation", "scale"):

            def motion(times: FloatArray, path: Path = path) -> FloatArray:
                return self._parts(element, tracks, times)[path][None]

            (fitted,) = sampling.fit(motion, grid, rotation=path == "rotation", straight=straight)
            result[path] = _as_long_as(tracks, fitted)
        return result

    def _parts(
        self, element: Element, tracks: list[_Track], times: FloatArray
    ) -> dict[Path, FloatArray]:
        """Return the node's translations, rotations and scales at some times, and note shear."""
        matrices = self._local(element, tracks, times)
        scale = self._flipping_scale(element, tracks)
        if scale is None:
            trs = affine.decompose(matrices)
        else:
            unscaled = self._local(element, tracks, times, {scale: np.ones((len(times), 3))})
            trs = with_scale(matrices, unscaled, self._numbers(scale, tracks, times))
        if float(affine.residue(matrices, trs).max(initial=0.0)) > _SHEAR:
            text = f"the shear of {quoted(element.get('name') or '')} is not animated"
            self.document.notes.leave_out("motion", text)
        return {"translation": trs.translation, "rotation": trs.rotation, "scale": trs.scale}

    def _flipping_scale(self, element: Element, tracks: list[_Track]) -> Element | None:
        """Return the scale of a node, where it acts first and reaches zero or changes its sign."""
        acting = [e for e in operations(element) if tag(e) != "translate"]
        first = acting[-1] if acting else None
        if first is None or tag(first) != "scale" or all(t.element is not first for t in tracks):
            return None
        return first if flips(self._numbers(first, tracks, _breaks(tracks))) else None

    def _local(
        self,
        element: Element,
        tracks: list[_Track],
        times: FloatArray,
        known: dict[Element, FloatArray] | None = None,
    ) -> FloatArray:
        values = {t.element: self._numbers(t.element, tracks, times) for t in tracks}
        local = parent_from_node(self.document, element, values | (known or {}))
        return np.broadcast_to(local, (len(times), 4, 4))

    def _numbers(self, element: Element, tracks: list[_Track], times: FloatArray) -> FloatArray:
        """Return ``(t, n)`` the numbers of a transform at some times."""
        own = self.document.numbers(element, OPERATIONS[tag(element)][0])
        result = np.tile(own, (len(times), 1))
        for track in tracks:
            if track.element is element:
                columns = (
                    slice(None) if track.index is None else slice(track.index, track.index + 1)
                )
                result[:, columns] = track.curve.at(times)
        return result

    def _morph(self, source: Element, tracks: list[_Track]) -> list[Channel]:
        """Return the weights of the nodes that show a morph."""
        morph = self.weights[source]

        def motion(times: FloatArray) -> FloatArray:
            values = np.tile(morph.defaults, (len(times), 1))
            for track in tracks:
                driven = track.curve.at(times)
                if track.index is None:
                    width = min(values.shape[1], driven.shape[1])
                    values[:, :width] = driven[:, :width]
                elif track.index < values.shape[1]:
                    values[:, track.index] = driven[:, 0]
            return values[None]

        (fitted,) = sampling.fit(motion, _breaks(tracks), rotation=False)
        sampler = _as_long_as(tracks, fitted)
        return [Channel(number, "weights", sampler) for number in morph.nodes]


def _stated(tracks: list[_Track]) -> FloatArray:
    """Return the times of all keys."""
    return np.unique(np.concatenate([track.curve.times for track in tracks]))


def _breaks(tracks: list[_Track]) -> FloatArray:
    """Return the times between which all curves are smooth."""
    return np.unique(np.concatenate([track.curve.breaks for track in tracks]))


def _angles(tracks: list[_Track]) -> sampling.Motion:
    """Return ``(n,)`` times → ``(m, n, 1)`` degrees of the angles that are animated."""
    turning = [t for t in tracks if tag(t.element) == "rotate" and t.index in (None, 3)]
    return lambda times: np.array([t.curve.at(times)[:, -1:] for t in turning]).reshape(
        len(turning), len(times), 1
    )


def _as_long_as(tracks: list[_Track], fitted: Sampler) -> Sampler:
    """Return what was fitted to the curves; where it never moves, it lasts as long as their keys do."""
    stated = _stated(tracks)
    if len(fitted.times) > 1 or len(stated) == 1:
        return replace(fitted, stated=stated)
    return replace(fitted, times=stated[[0, -1]], values=fitted.values[[0, 0]], stated=stated)


def _moves_like_its_parts(element: Element, tracks: list[_Track]) -> bool:
    """Tell whether straight parts between the keys are what the file means.

    They are for matrices, which every program takes apart at the keys, and for straight curves of
    translations and scales; not for angles, which may turn far or about several axes.
    """
    kinds = {tag(track.element) for track in tracks}
    if not all(track.curve.is_linear for track in tracks):
        return False
    return kinds == {"matrix"} or (
        kinds <= {"translate", "scale"}
        and [tag(o) for o in operations(element)].count("scale") <= 1
    )


def _by_sid(holder: Element, path: list[str]) -> tuple[Element, Element | None]:
    """Follow scoped ids below an element, breadth first; return the last node and what is found."""
    node, found = holder, holder
    for sid in path:
        level = list(found)
        hit = None
        while level and hit is None:
            hit = next((e for e in level if e.get("sid") == sid), None)
            level = [below for e in level for below in e]
        if hit is None:
            return node, None
        parent = next((e for e in found.iter() if hit in list(e)), found)
        node = parent if tag(parent) == "node" else node
        found = hit
    return node, found
