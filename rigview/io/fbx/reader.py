"""Read an FBX file into a `Rig`: the steps in their order; each is a module beside this one."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rigview.core.clip import Clip, Deferred
from rigview.core.rig import Rig
from rigview.io.fbx import BINARY, MAGIC, NAME
from rigview.io.fbx.ascii import AsciiDocument
from rigview.io.fbx.binary import BinaryDocument
from rigview.io.fbx.clips import read_channels
from rigview.io.fbx.hierarchy import FbxHierarchy, read_hierarchy
from rigview.io.fbx.layers import VISIBILITY, Stack, read_stacks
from rigview.io.fbx.legacy import read_takes
from rigview.io.fbx.materials import FbxMaterials
from rigview.io.fbx.meshes import Meshes, morph_channels
from rigview.io.fbx.objects import Objects, Properties
from rigview.io.fbx.settings import GlobalSettings, read_settings
from rigview.io.fbx.tree import Node
from rigview.io.files import read_file
from rigview.io.original import Original
from rigview.io.reading import (
    Listener,
    Loaded,
    LoadError,
    Notes,
    Pulse,
    comes_and_goes,
    hidden,
    quoted,
)

OLDEST, NEWEST = 6100, 7999
# Before it, objects have names only.
NUMBERED = 7000
# Nodes that are joints, whether a mesh follows them or not.
_BONES = ("LimbNode", "Limb", "Root")
# Of geometry, what becomes a mesh or a morph target of one.
_GEOMETRY = ("Mesh", "Shape")
# A constraint that says which joint is which part of a body, and moves none.
_CHARACTER = "Character"


def document(path: Path, pulse: Pulse | None = None) -> BinaryDocument | AsciiDocument:
    """Read a file and find out what encoding and version it has.

    Raises
    ------
    LoadError
        If it is of a version that rigview does not read.
    """
    pulse = pulse or Pulse(Listener())
    return parsed(path, read_file(path, pulse), pulse)


def parsed(path: Path, data: bytes, pulse: Pulse) -> BinaryDocument | AsciiDocument:
    """Return the content of a file as a document.

    Raises
    ------
    LoadError
        If it is of a version that rigview does not read.
    """
    parser = BinaryDocument if data.startswith(MAGIC) else AsciiDocument
    if parser is AsciiDocument and data.startswith(BINARY):
        raise LoadError(path, "", "the header of a binary FBX is damaged, as by a transfer as text")
    result = parser(path, data, pulse)
    if not OLDEST <= result.version <= NEWEST:
        stated = f"{result.version // 1000}.{result.version % 1000 // 100}"
        what = f"this is FBX {stated}" if result.version else "the file states no version of FBX"
        raise LoadError(path, "", f"{what}; rigview reads 6.1 and 7.0 to 7.7")
    return result


@dataclass(frozen=True, eq=False)
class FbxReading:
    """A file as it was read, with all that tells where the parts of its rig stand in it."""

    document: BinaryDocument | AsciiDocument
    root: Node
    objects: Objects
    hierarchy: FbxHierarchy
    meshes: Meshes
    stacks: tuple[Stack, ...]
    rig: Rig
    notes: tuple[str, ...]


def load(path: Path, listener: Listener) -> Loaded:
    """Read an .fbx file.

    Raises
    ------
    LoadError
        If the document is damaged, or of a version that rigview does not read.
    """
    pulse = Pulse(listener)
    pulse.stage("reading the file", 0.0)
    reading = read(document(path, pulse), listener)
    source = reading.document
    refusal = ""
    if source.version < NUMBERED:
        refusal = f"{reading.rig.origin.format} is not amended, only 7.0 and newer are"
    original = Original.of(NAME, path, source.data, refusal=refusal)
    return Loaded(path, reading.rig, original, reading.notes)


def read(source: BinaryDocument | AsciiDocument, listener: Listener) -> FbxReading:
    """Read a document.

    Raises
    ------
    LoadError
        If it is damaged.
    """
    pulse = source.pulse
    root = source.root()
    pulse.stage("reading the skeleton", 0.1)
    objects = Objects(root)
    settings = read_settings(root, source.version)
    notes = Notes(settings.faults)
    stacks = read_stacks(objects, settings.ticks, notes)
    if source.version < NUMBERED:
        stacks = read_takes(root, settings.ticks, notes)
    hierarchy = read_hierarchy(objects, settings, stacks)
    pulse()
    rig = _skeleton(objects, hierarchy, settings, pulse)
    listener.skeleton(rig)
    pulse.stage("reading materials", 0.2)
    materials = FbxMaterials(source.path, objects)
    meshes = Meshes(objects, hierarchy, stacks, materials, notes, pulse)
    owners = _read_meshes(meshes, pulse)
    clips = [Clip(stack.name, _channels(hierarchy, stack, meshes)) for stack in stacks]
    _note_left_out(objects, notes)
    current = _current_take(root) if len(stacks) > 1 else ""
    if current and current != stacks[0].name:
        notes.append(f"the take that was open when the file was written is {quoted(current)}")
    pulse.stage("done", 1.0)
    notes.extend(materials.pictures.notes)
    rig = replace(
        rig,
        node_meshes=tuple(meshes.node_meshes),
        node_skins=tuple(meshes.node_skins),
        meshes=tuple(meshes.meshes),
        skins=tuple(meshes.skins),
        materials=materials.materials,
        images=tuple(materials.pictures.images),
        clips=tuple(clips),
        unread=tuple(materials.pictures.unread),
        unseen=notes.unseen,
    )
    rig = hidden(rig, _hidden(hierarchy, stacks, owners, notes), notes)
    return FbxReading(source, root, objects, hierarchy, meshes, stacks, rig, tuple(notes))


def _read_meshes(meshes: Meshes, pulse: Pulse) -> list[int]:
    """Read all meshes; return the nodes that show them."""
    owners = meshes.owners()
    for done, (number, geometry) in enumerate(owners):
        share = 0.3 + 0.3 * done / len(owners)
        pulse.stage(f"reading mesh {done + 1} of {len(owners)}", share)
        meshes.read(number, geometry)
    pulse()
    return [number for number, _ in owners]


def _skeleton(
    objects: Objects, hierarchy: FbxHierarchy, settings: GlobalSettings, pulse: Pulse
) -> Rig:
    """Return the nodes and which of them are joints, without anything that they show."""
    nodes = hierarchy.rig_nodes
    pulse()
    nothing = (None,) * len(nodes)
    roots = nodes.roots
    pulse()
    sorts = objects.sorts("Model").values()
    pulse()
    bones = hierarchy.node_of[[i for i, sort in enumerate(sorts) if sort in _BONES]].tolist()
    pulse()
    origin = replace(settings.origin, rotation_orders=hierarchy.rotation_orders)
    return Rig(nodes, nothing, nothing, roots, origin=origin, bones=frozenset(bones))


def _hidden(
    hierarchy: FbxHierarchy, stacks: Sequence[Stack], drawn: Sequence[int], notes: list[str]
) -> Iterator[int]:
    """Yield the rig's nodes of those FBX nodes that are never visible, by themselves or by a parent."""
    is_visible, follows = hierarchy.transforms.visibility != 0.0
    moved = (hierarchy.numbers.get(key) for stack in stacks for key in stack.moving(VISIBILITY))
    moving = {number for number in moved if number is not None}
    if is_visible.all() and not moving:
        return
    for number in drawn:
        chain = [number]
        while follows[chain[-1]] and hierarchy.parents[chain[-1]] >= 0:
            chain.append(hierarchy.parents[chain[-1]])
        come_and_go = moving.intersection(chain)
        places = hierarchy.node_of[sorted(come_and_go)].tolist()
        notes.extend(comes_and_goes(hierarchy.rig_nodes.label(place)) for place in places)
        if not come_and_go and not is_visible[chain].all():
            yield int(hierarchy.node_of[number])


def _channels(hierarchy: FbxHierarchy, stack: Stack, meshes: Meshes) -> Deferred:
    """Return the channels of a stack, which take longer to make than all else to read.

    What they are made of holds none of the file.
    """
    shown = meshes.channels
    return Deferred(lambda: (*read_channels(hierarchy, stack), *morph_channels(shown, stack)))


def _current_take(root: Node) -> str:
    """Return the name of the take that the file was saved with; empty where it names none."""
    documents = root.child("Documents")
    document = None if documents is None else documents.child("Document")
    stated = Properties(document).get("ActiveAnimStackName")
    if stated is not None:
        return stated[0].text(stated[1])
    takes = root.child("Takes")
    current = None if takes is None else takes.child("Current")
    return "" if current is None else current.text()


def _note_left_out(objects: Objects, notes: Notes) -> None:
    """Note what shows or moves something in the program that wrote the file, but not here."""
    constraints = [s for s in objects.sorts("Constraint").values() if s != _CHARACTER]
    caches = [s for s in objects.sorts("Deformer").values() if s == "VertexCacheDeformer"]
    unknown = {key: s for key, s in objects.sorts("Geometry").items() if s not in _GEOMETRY}
    skinned = {s for key, s in unknown.items() if objects.sources(key, "Deformer", "Skin")}
    for kind, count in Counter(unknown.values()).items():
        words = quoted(kind) or "that has no name"
        text = f"geometry of the kind {words} is not shown: the file has {count}"
        if kind in skinned:
            notes.leave_out("influences", text)
        else:
            notes.append(text)
    if constraints:
        text = f"constraints are not evaluated: the file has {len(constraints)}"
        notes.leave_out("motion", text)
    if caches:
        notes.leave_out("motion", f"vertex caches are not played: the file names {len(caches)}")
