"""Controllers: skins and morphs, down to the geometry they deform."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from xml.etree.ElementTree import Element

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.mesh import Influences
from rigview.io.collada.elements import child, tag, title, words
from rigview.io.collada.tree import ColladaDocument
from rigview.io.reading import and_more, quoted

# Influences are stored as vertices × the largest number of them; more than this is damage.
_MOST_SLOTS = 1 << 25


@dataclass(frozen=True, eq=False)
class ControllerSkin:
    """The skin of a controller.

    Parameters
    ----------
    element, name
        Its <skin>, and what the controller is called.
    joints
        Names of joints, by `by_id` ids, else scoped ids.
    mesh_from_file
        ``(4, 4)`` the bind shape matrix.
    influences
        Per control point.
    """

    element: Element
    name: str
    joints: tuple[str, ...]
    by_id: bool
    inverse_binds: FloatArray
    mesh_from_file: FloatArray
    influences: Influences


@dataclass(eq=False)
class Deformed:
    """A geometry with everything that deforms it.

    Parameters
    ----------
    geometry
        None where the file refers to one that it does not have.
    targets
        The geometries of the morph targets.
    relative
        Whether those hold displacements, not positions.
    """

    geometry: Element | None
    binding: ControllerSkin | None = None
    targets: list[Element] = field(default_factory=list)
    weights: FloatArray = field(default_factory=lambda: np.zeros(0))
    weights_source: Element | None = None
    relative: bool = False


def resolve(document: ColladaDocument, source: Element) -> Deformed:
    """Follow a controller, or a geometry, to the geometry at its end.

    Raises
    ------
    LoadError
        If it is damaged, or refers to itself.
    """
    seen: list[Element] = []
    binding: ControllerSkin | None = None
    morph: Element | None = None
    while tag(source) == "controller":
        if source in seen:
            raise document.error(source, "the controller deforms itself")
        seen.append(source)
        skin = child(source, "skin")
        inner = skin if skin is not None else document.need(source, "morph")
        if skin is not None and binding is None:
            binding = _read_skin(document, skin, title(source))
        elif skin is None and morph is None:
            morph = inner
        else:
            text = f"a further deformation, {quoted(title(source) or 'without name')}, is ignored"
            document.notes.leave_out("influences", text)
        if document.find(inner.get("source", "")) is None:
            return Deformed(None, binding)
        source = document.target(inner, "source", "geometry", "controller")
    deformed = Deformed(source, binding)
    if morph is not None:
        _read_morph(document, morph, deformed)
    return deformed


def _read_morph(document: ColladaDocument, morph: Element, deformed: Deformed) -> None:
    targets = document.need(morph, "targets")
    names = document.strings(document.source(targets, "MORPH_TARGET"))
    source = document.source(targets, "MORPH_WEIGHT")
    weights = document.rows(source)[:, 0]
    if len(weights) != len(names):
        raise document.error(morph, f"{len(weights)} weights for {len(names)} targets")
    for name in names:
        found = document.find(name, "geometry")
        if found is None:
            raise document.error(morph, f"the target {quoted(name)} is no geometry")
        deformed.targets.append(found)
    deformed.weights, deformed.weights_source = weights, source
    deformed.relative = morph.get("method", "NORMALIZED") == "RELATIVE"


def _read_skin(document: ColladaDocument, skin: Element, name: str) -> ControllerSkin:
    joints = document.need(skin, "joints")
    names_source = document.source(joints, "JOINT")
    names = document.strings(names_source)
    binds = document.rows(document.source(joints, "INV_BIND_MATRIX"), 16)
    if binds.shape[1] != 16 or len(binds) != len(names):
        raise document.error(
            skin, f"{len(binds)} matrices of {binds.shape[1]} numbers for {len(names)} joints"
        )
    shape = child(skin, "bind_shape_matrix")
    mesh_from_file = np.eye(4)
    if shape is not None and not words(shape):
        document.bear(skin, "its bind_shape_matrix is empty and taken for the identity")
    elif shape is not None:
        mesh_from_file = document.numbers(shape, 16).reshape(4, 4)
    weights = document.need(skin, "vertex_weights")
    return ControllerSkin(
        skin,
        name,
        tuple(names),
        tag(document.names(names_source)) == "IDREF_array",
        binds.reshape(-1, 4, 4),
        mesh_from_file,
        _influences(document, weights, len(names)),
    )


def without(
    document: ColladaDocument, binding: ControllerSkin, lost: Sequence[int]
) -> ControllerSkin:
    """Return a skin without the joints of some slots, which are not in the scene.

    Raises
    ------
    LoadError
        If one of them moves a vertex.
    """
    slots, weights = binding.influences.joints, binding.influences.weights
    moving = np.intersect1d(lost, slots[weights != 0.0])
    name = quoted(binding.joints[int(moving[0]) if len(moving) else lost[0]])
    if len(moving):
        raise document.error(binding.element, f"the joint {name} is not in the scene")
    others = and_more(len(lost) - 1)
    document.bear(
        binding.element,
        f"what is not in the scene and moves nothing is no joint here: {name}{others}",
    )
    kept = np.setdiff1d(np.arange(len(binding.joints)), lost)
    moved = np.maximum(np.searchsorted(kept, slots, side="right") - 1, 0)
    return replace(
        binding,
        joints=tuple(binding.joints[i] for i in kept),
        inverse_binds=binding.inverse_binds[kept],
        influences=Influences(moved, weights),
    )


def _influences(document: ColladaDocument, element: Element, joints: int) -> Influences:
    inputs = {i.semantic: i for i in document.inputs(element)}
    if "JOINT" not in inputs or "WEIGHT" not in inputs:
        raise document.error(element, "there are no inputs JOINT and WEIGHT")
    counts, flat = (
        np.zeros(0, dtype=np.int64)
        if found is None or not words(found)
        else document.integers(found)
        for found in (child(element, "vcount"), child(element, "v"))
    )
    stride = document.stride(element)
    if len(counts) and int(counts.min()) < 0:
        raise document.error(element, "a vertex has a negative number of influences")
    total = int(counts.sum())
    if total * stride > len(flat):
        raise document.error(element, f"{total * stride:,} indices are needed, {len(flat):,} there")
    most = int(counts.max(initial=0))
    if most * len(counts) > _MOST_SLOTS:
        raise document.error(element, f"a vertex has {most:,} influences")
    pairs = flat[: total * stride].reshape(total, stride)
    joint, weight = pairs[:, inputs["JOINT"].offset], pairs[:, inputs["WEIGHT"].offset]
    values = document.rows(inputs["WEIGHT"].source)[:, 0]
    if total and not 0 <= int(weight.min()) <= int(weight.max()) < len(values):
        raise document.error(element, f"weight {int(weight.max())} of {len(values)} does not exist")
    if total and int(joint.max()) >= joints:
        raise document.error(element, f"joint {int(joint.max())} of {joints} does not exist")
    return _padded(document, counts, joint, values[weight])


def _padded(
    document: ColladaDocument, counts: IntArray, joint: IntArray, weight: FloatArray
) -> Influences:
    """Put influences into ``(V, K)`` slots."""
    most = int(counts.max(initial=0))
    rows = np.repeat(np.arange(len(counts)), counts)
    slots = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    fixed = joint < 0
    if np.any(fixed):
        # The specification's −1 is the bind shape itself, which no joint moves.
        document.notes.append(f"{int(fixed.sum()):,} influences of no joint are left out")
    joints = np.zeros((len(counts), most), dtype=np.int64)
    weights = np.zeros((len(counts), most))
    joints[rows, slots] = np.where(fixed, 0, joint)
    weights[rows, slots] = np.where(fixed, 0.0, weight)
    return Influences(joints, weights)
