"""Read a glTF document into a `Rig`. Nodes and skins are read here, all else by modules beside this one."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from rigview.core import affine, quat
from rigview.core.materials import Unread
from rigview.core.nodes import Nodes
from rigview.core.rig import Origin, Rig, Skin
from rigview.io.gltf import container, records, visibility, vrm
from rigview.io.gltf.accessors import Accessors
from rigview.io.gltf.animation import read_clips
from rigview.io.gltf.container import GltfSource
from rigview.io.gltf.cursor import Cursor
from rigview.io.gltf.geometry import read_mesh
from rigview.io.gltf.materials import read_images, read_materials
from rigview.io.gltf.pointers import POINTER
from rigview.io.gltf.repairs import mended
from rigview.io.gltf.table import ABSENT, Table
from rigview.io.reading import Listener, Loaded, LoadError, Notes, Pulse, hidden, quoted

# Extensions under which geometry, skins and animation mean what the core specification says, so a
# file that requires one opens all the same.
HARMLESS_PREFIXES = (
    "KHR_audio_",
    "KHR_lights_",
    "KHR_materials_",
    "KHR_physics_",
    "KHR_xmp",
    "EXT_lights_",
    "EXT_texture_",
    "MSFT_audio_",
    "MSFT_physics_",
    "MSFT_texture_",
    "VRM",
)
HARMLESS = {
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "KHR_mesh_quantization",
    "KHR_texture_transform",
    "KHR_texture_basisu",
    POINTER,
    "KHR_collision_shapes",
    "KHR_implicit_shapes",
    "KHR_interactivity",
    "KHR_node_hoverability",
    "KHR_node_selectability",
    visibility.EXTENSION,
    "EXT_mesh_features",
    "EXT_structural_metadata",
    "MSFT_collision_primitives",
    # The node that it stands on is the finest level; the others are nodes of their own.
    "MSFT_lod",
}
# Extensions whose whole meaning is in the rig already; all others are noted as ignored.
UNDERSTOOD = {
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "KHR_mesh_quantization",
    "KHR_texture_transform",
    "EXT_texture_webp",
    "KHR_materials_unlit",
    visibility.EXTENSION,
    # Each channel by which it moves what rigview does not is noted.
    POINTER,
}
# Draws a mesh that is not skinned at many places.
INSTANCING = "EXT_mesh_gpu_instancing"
# Extensions that turn joints besides what the clips state.
MOVING = {"VRMC_node_constraint"}


# A signalling NaN complains when it is made a 64-bit number; what it stands for is checked.
# So may sums that ask whether all numbers are finite.
@np.errstate(invalid="ignore", over="ignore")
def load(path: Path, listener: Listener) -> Loaded:
    """Read a .gltf, .glb or .vrm file.

    Raises
    ------
    LoadError
        If the document is damaged, or requires an extension that changes geometry, skins or
        animation and that rigview does not know.
    """
    pulse = Pulse(listener)
    pulse.stage("reading the file", 0.0)
    source = container.read(path, pulse)
    # Parsed apart from what saving keeps: once the rig is read, the memory of it is free again.
    root = source.read(pulse)
    source.note_files(root)
    try:
        return _loaded(source, root, listener, pulse)
    except LoadError:
        again = mended(source)
        if again is None:
            raise
    return _loaded(source, again, listener, pulse)


def _loaded(source: GltfSource, root: Cursor, listener: Listener, pulse: Pulse) -> Loaded:
    """Read a document."""
    notes = source.notes
    origin = _origin(root, notes)
    pulse.stage("reading the skeleton", 0.1)
    accessors = Accessors(source, root, pulse)
    skeleton = _skeleton(root, accessors, origin, notes)
    nothing = (None,) * len(skeleton.nodes)
    listener.skeleton(replace(skeleton, node_meshes=nothing, node_skins=nothing))

    unread: list[Unread] = []
    meshes = []
    places, material_count = root.array("meshes"), len(root.array("materials"))
    for i, place in enumerate(places):
        pulse.stage(f"reading mesh {i + 1} of {len(places)}", 0.15 + 0.45 * i / len(places))
        meshes.append(read_mesh(place, accessors, material_count, notes))
    clips = read_clips(root, accessors, skeleton, notes, pulse)
    pulse.stage("reading materials", 0.8)
    materials = read_materials(root, source.amendments, unread, notes)
    used = {m.texture.image for m in materials if m.texture is not None}
    converted = {t.image for m in materials for t in m.surface.textures} - used
    images = read_images(root, accessors, used, converted, unread, pulse)
    character = vrm.read_character(root, len(skeleton.nodes), notes)
    pulse.stage("done", 1.0)
    rig = replace(
        skeleton,
        origin=replace(origin, title=character.title, licence=character.licence),
        humanoid=character.humanoid,
        meshes=tuple(meshes),
        clips=clips,
        materials=materials,
        images=images,
        unread=tuple(unread),
        unseen=notes.unseen,
    )
    if visibility.EXTENSION in origin.extensions:
        rig = hidden(rig, visibility.hidden_nodes(root, rig), notes)
    return Loaded(source.path, rig, source, tuple(notes))


def _origin(root: Cursor, notes: Notes) -> Origin:
    """Read what the file says of itself and refuse what cannot be evaluated."""
    asset = root.need("asset")
    stated = asset.need("version")
    # Files of glTF 1.0 state it as a number, too.
    is_old = type(stated.value) in (int, float) and 0 < stated.value < 2
    version = str(float(stated.value)) if is_old else stated.string()
    if not version.startswith("2."):
        raise stated.error(f"this is glTF {quoted(version)}, and rigview reads 2.0")
    for place in root.array("extensionsRequired"):
        name = place.string()
        if name not in HARMLESS and not name.startswith(HARMLESS_PREFIXES):
            raise place.error(
                f"the file requires the extension {quoted(name)}, which rigview does not know"
            )
    used = tuple(dict.fromkeys(place.string() for place in root.array("extensionsUsed")))
    for name in used:
        if name in vrm.EXTENSIONS:
            words = "only the bones' names, the title and the licence are read"
            notes.append(f"of the extension {name} {words}")
        elif name == INSTANCING:
            notes.append(f"the extension {name} is ignored: its meshes are shown once")
        elif name in MOVING:
            notes.leave_out("motion", f"the extension {name} is ignored")
        elif name not in UNDERSTOOD:
            notes.append(f"the extension {quoted(name)} is ignored")
    return Origin(
        "VRM" if any(name.startswith("VRM") for name in used) else "glTF",
        generator=asset.text("generator"),
        extensions=used,
    )


def _skeleton(root: Cursor, accessors: Accessors, origin: Origin, notes: list[str]) -> Rig:
    """Read the hierarchy and the skins: a rig without meshes."""
    table = records.table(root, "nodes")
    nodes = _nodes(table)
    skins = Table.of(root.get("skins"))
    node_meshes = table.optional_indices("mesh", len(root.array("meshes")), "mesh")
    node_skins = table.optional_indices("skin", len(skins), "skin")
    weights = {
        i: np.array(table.numbers(i, "weights"))
        for i, found in enumerate(table.members("weights"))
        if found is not ABSENT
    }
    table.use_all()
    return Rig(
        nodes=nodes,
        node_meshes=tuple(None if mesh < 0 else mesh for mesh in node_meshes),
        node_skins=tuple(None if skin < 0 else skin for skin in node_skins),
        roots=_scene_roots(root, nodes, notes),
        skins=tuple(_skins(skins, accessors, len(table))),
        node_morph_weights=weights,
        origin=origin,
    )


def _nodes(table: Table) -> Nodes:
    names = table.strings("name", "")
    children = table.index_lists("children", len(table), "node")
    translations = table.vectors("translation", (0.0, 0.0, 0.0))
    rotations = table.vectors("rotation", quat.IDENTITY)
    scales = table.vectors("scale", (1.0, 1.0, 1.0))
    stated = [i for i, found in enumerate(table.members("matrix")) if found is not ABSENT]
    table.use_all()
    matrices = {i: np.array(table.numbers(i, "matrix", 16)).reshape(4, 4).T for i in stated}
    if matrices:
        taken = affine.decompose(np.stack(list(matrices.values())))
        translations[stated], rotations[stated], scales[stated] = taken
    return Nodes(tuple(names), children, translations, quat.normalise(rotations), scales, matrices)


def _scene_roots(root: Cursor, nodes: Nodes, notes: list[str]) -> tuple[int, ...]:
    scenes = root.array("scenes")
    if not scenes:
        return nodes.roots
    chosen = root.get("scene")
    number = 0 if chosen is None else chosen.index(len(scenes), "scene")
    if len(scenes) > 1:
        notes.append(f"scene {number} of {len(scenes)} is shown")
    listed = [c.index(len(nodes), "node") for c in scenes[number].array("nodes")]
    return tuple(dict.fromkeys(listed))


def _skins(table: Table, accessors: Accessors, node_count: int) -> Iterator[Skin]:
    names = table.strings("name", "")
    joints = table.index_lists("joints", node_count, "node", needed=True)
    skeletons = table.optional_indices("skeleton", node_count, "node")
    stated = table.members("inverseBindMatrices")
    table.use_all()
    for i, (name, of, skeleton) in enumerate(zip(names, joints, skeletons, strict=True)):
        binds = None
        if stated[i] is not ABSENT:
            place = table.place(i).need("inverseBindMatrices")
            binds = accessors.floats(place, "MAT4").reshape(-1, 4, 4).swapaxes(-1, -2)
            if not np.isfinite(binds).all():
                raise place.error("an inverse bind matrix is not finite")
        yield Skin(name, of, binds, None if skeleton < 0 else skeleton)
