"""What is inside a file, as plain values."""

from typing import Any

import numpy as np

from rigview.core.clip import Clip
from rigview.core.deform import Deformer
from rigview.core.mesh import Mesh
from rigview.core.motion.culling import bind_box, clip_box, culled
from rigview.core.pose import model_from_nodes, rest_pose
from rigview.core.rig import Rig
from rigview.core.text import count, one_line
from rigview.io.reading import Loaded

FPS = 30.0


def frame_rate(rig: Rig) -> float:
    """Return the file's frame rate, 30 where it states none."""
    return rig.origin.fps or FPS


def describe(loaded: Loaded) -> dict[str, Any]:
    """Return what `rigview info --json` prints (DESIGN, section 4)."""
    rig = loaded.rig
    return {
        "file": str(loaded.path),
        "format": rig.origin.format,
        "generator": rig.origin.generator,
        "unit_m": rig.origin.unit_m,
        "up": rig.origin.up,
        "fps": frame_rate(rig),
        "extensions": list(rig.origin.extensions),
        "nodes": len(rig.nodes),
        "skins": [_skin(rig, i) for i in range(len(rig.skins))],
        "meshes": [_mesh(mesh) for mesh in rig.meshes],
        "clips": [_clip(clip) for clip in rig.clips],
        "notes": list(loaded.notes),
        **_character(rig),
    }


def bounds(rig: Rig) -> dict[str, Any]:
    """Return the boxes by which engines cull, metres in model space, and how far clips leave them.

    Each box is ``[low, high]`` under LBS; empty without a mesh. `apart_m` is the widest gap between the
    box of a pose and that of the bind pose: above 0 an engine that culls by the latter loses the character.
    """
    deformer = Deformer(rig)
    apart = {one.clip: one for one in culled(deformer)}
    clips = []
    for number, clip in enumerate(rig.clips):
        out = apart.get(number)
        clips.append(
            {
                "name": clip.name,
                "box": clip_box(deformer, clip).tolist(),
                "apart_m": 0.0 if out is None else out.apart,
                "apart_at_s": None if out is None else out.time,
            }
        )
    return {"bind_box": bind_box(deformer).tolist(), "clips": clips}


def bounds_as_text(rig: Rig) -> str:
    """Return the same for people."""
    facts = bounds(rig)
    lines = [f"  box of the bind pose: {_extent(facts['bind_box'])}"]
    for i, clip in enumerate(facts["clips"]):
        line = f"  box over clip {clip['name'] or i}: {_extent(clip['box'])}"
        if clip["apart_m"]:
            line += f"; {clip['apart_m']:.3g} m outside that of the bind pose at {clip['apart_at_s']:.3f} s"
        lines.append(line)
    return "\n".join(map(one_line, lines))


def joints(rig: Rig) -> list[dict[str, Any]]:
    """Return every joint in the order of nodes: name, parent, place at rest, vertices it moves."""
    moved = np.zeros(len(rig.nodes), dtype=np.int64)
    for part in rig.parts:
        influences = rig.primitive(part).influences
        if influences is None or part.skin is None:
            continue
        nodes = np.array(rig.skins[part.skin].joints, dtype=np.int64)
        used = (influences.weights > 0.0) & (influences.joints >= 0)
        used &= influences.joints < len(nodes)
        vertex, slot = np.nonzero(used)
        pairs = np.stack([vertex, nodes[influences.joints[vertex, slot]]])
        np.add.at(moved, np.unique(pairs, axis=1)[1], 1)
    places = model_from_nodes(rig, rest_pose(rig))[:, :3, 3]
    label, parents = rig.nodes.label, rig.nodes.parents
    return [
        {
            "name": label(node),
            "parent": label(parents[node]) if parents[node] >= 0 else None,
            "rest_m": places[node].tolist(),
            "vertices": int(moved[node]),
        }
        for node in rig.joints
    ]


def joints_as_text(rig: Rig) -> str:
    """Return the same for people."""
    lines = []
    for joint in joints(rig):
        place = " ".join(f"{value:.3f}" for value in joint["rest_m"])
        below = f" below {joint['parent']}" if joint["parent"] is not None else ""
        lines.append(
            f"  joint {joint['name']}{below} at {place} m, moves {count(joint['vertices'], 'vertex')}"
        )
    return "\n".join(map(one_line, lines))


def _extent(box: list[list[float]]) -> str:
    if not box:
        return "no mesh"
    return ", ".join(
        f"{axis} {low:.3f} to {high:.3f} m" for axis, low, high in zip("xyz", *box, strict=True)
    )


def _character(rig: Rig) -> dict[str, Any]:
    """Describe what a VRM says of its character; nothing of other files."""
    if not (rig.humanoid or rig.origin.title or rig.origin.licence):
        return {}
    return {
        "title": rig.origin.title,
        "licence": rig.origin.licence,
        "humanoid": {bone: rig.nodes.names[node] for node, bone in rig.humanoid.items()},
    }


def _skin(rig: Rig, number: int) -> dict[str, Any]:
    """Describe a skin; its vertices are those of the meshes that hang on it, each counted once."""
    meshes = {
        mesh
        for mesh, skin in zip(rig.node_meshes, rig.node_skins, strict=True)
        if skin == number and mesh is not None
    }
    primitives = [p for mesh in sorted(meshes) for p in rig.meshes[mesh].primitives]
    return {
        "name": rig.skins[number].name,
        "joints": len(rig.skins[number].joints),
        "max_influences": max((p.influences.most for p in primitives if p.influences), default=0),
        "vertices": sum(len(p.positions) for p in primitives if p.influences),
    }


def _mesh(mesh: Mesh) -> dict[str, Any]:
    return {
        "name": mesh.name,
        "vertices": sum(len(p.positions) for p in mesh.primitives),
        "triangles": sum(len(p.triangles) for p in mesh.primitives),
        "morphs": len(mesh.morph_weights),
    }


def _clip(clip: Clip) -> dict[str, Any]:
    return {
        "name": clip.name,
        "start_s": clip.start,
        "end_s": clip.end,
        "channels": len(clip.channels),
        "interpolations": sorted({c.sampler.interpolation for c in clip.channels}),
    }


def as_text(loaded: Loaded) -> str:
    """Return the same for people."""
    facts = describe(loaded)
    rig = loaded.rig
    lines = [
        f"{loaded.path}",
        f"  {facts['format']} by {facts['generator'] or 'an unnamed program'}; "
        f"unit {facts['unit_m']:g} m, {facts['up']} up, {facts['fps']:g} fps",
        f"  {count(facts['nodes'], 'node')}, {count(len(rig.joints), 'joint')}",
    ]
    if "humanoid" in facts:
        lines.append(
            f"  {facts['title'] or 'without title'}, licence {facts['licence'] or 'not stated'}; "
            f"{len(facts['humanoid'])} joints are named as bones of a human body"
        )
    for i, skin in enumerate(facts["skins"]):
        lines.append(
            f"  skin {skin['name'] or i}: {count(skin['joints'], 'joint')}, "
            f"{count(skin['vertices'], 'vertex')}, "
            f"up to {count(skin['max_influences'], 'influence')}"
        )
    for i, mesh in enumerate(facts["meshes"]):
        morphs = f", {count(mesh['morphs'], 'morph target')}" if mesh["morphs"] else ""
        lines.append(
            f"  mesh {mesh['name'] or i}: {count(mesh['vertices'], 'vertex')}, "
            f"{count(mesh['triangles'], 'triangle')}{morphs}"
        )
    for i, clip in enumerate(facts["clips"]):
        ways = "".join(f", {way.lower()}" for way in clip["interpolations"])
        lines.append(
            f"  clip {clip['name'] or i}: {clip['start_s']:.3f} to {clip['end_s']:.3f} s, "
            f"{count(clip['channels'], 'channel')}{ways}"
        )
    if facts["extensions"]:
        lines.append(f"  extensions: {', '.join(facts['extensions'])}")
    lines += [f"  note: {note}" for note in facts["notes"]]
    return "\n".join(map(one_line, lines))
