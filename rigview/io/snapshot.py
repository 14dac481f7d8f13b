"""A skinned pose as a file: NPZ, OBJ or PLY."""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.methods.posed import Skinned
from rigview.core.rig import Part, Rig
from rigview.core.text import one_line
from rigview.io.files import save_bytes
from rigview.io.reading import SaveError


@dataclass(frozen=True, eq=False)
class PosedScene:
    """All parts of a scene in one pose, joined in scene order.

    Parameters
    ----------
    positions, normals
        ``(V, 3)`` in world space.
    primitive, vertex
        ``(V,)`` which part, and which vertex of it, each row is.
    triangles
        ``(F, 3)`` rows.
    names
        What each primitive is called: by its mesh.
    uvs
        ``(V, 2)`` as in glTF, v down; None where no primitive has any. Of others they are 0.
    """

    positions: FloatArray
    normals: FloatArray
    primitive: IntArray
    vertex: IntArray
    triangles: IntArray
    names: tuple[str, ...] = ()
    uvs: FloatArray | None = None

    @classmethod
    def of(cls, rig: Rig, skinned: Sequence[Skinned]) -> "PosedScene":
        """Join the skinned parts of a rig."""
        counts = [len(s.positions) for s in skinned]
        starts = np.cumsum([0, *counts])[:-1]
        triangles = [
            rig.primitive(part).triangles + start
            for part, start in zip(rig.parts, starts, strict=True)
        ]
        no_points, no_faces = np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64)
        return cls(
            np.concatenate([no_points, *(s.positions for s in skinned)]),
            np.concatenate([no_points, *(s.normals for s in skinned)]),
            np.repeat(np.arange(len(counts)), counts),
            np.concatenate([np.zeros(0, dtype=np.int64), *(np.arange(n) for n in counts)]),
            np.concatenate([no_faces, *triangles]),
            tuple(_name(rig, part) for part in rig.parts),
            _uvs(rig),
        )


def _name(rig: Rig, part: Part) -> str:
    """Return what a primitive is called: a mesh of several numbers them."""
    mesh = rig.meshes[part.mesh]
    name = mesh.name or f"mesh_{part.mesh}"
    return name if len(mesh.primitives) == 1 else f"{name}_{part.primitive}"


def _uvs(rig: Rig) -> FloatArray | None:
    """Return the first texture coordinates of all parts; None where there are none."""
    primitives = [rig.primitive(part) for part in rig.parts]
    if not any(primitive.uvs for primitive in primitives):
        return None
    return np.concatenate(
        [
            p.uvs[min(p.uvs)] if p.uvs else np.zeros((len(p.positions), 2), dtype=np.float64)
            for p in primitives
        ]
    )


def _npz(snapshot: PosedScene) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(
        stream,
        positions=snapshot.positions,
        normals=snapshot.normals,
        primitive=snapshot.primitive,
        vertex=snapshot.vertex,
    )
    return stream.getvalue()


def _obj(snapshot: PosedScene) -> bytes:
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in snapshot.positions]
    lines += [f"vn {x:.6g} {y:.6g} {z:.6g}" for x, y, z in snapshot.normals]
    if snapshot.uvs is not None:
        # OBJ counts v upwards.
        lines += [f"vt {u:.9g} {1.0 - v:.9g}" for u, v in snapshot.uvs]
    between = "//" if snapshot.uvs is None else "/{0}/"
    corner = f"{{0}}{between}{{0}}"
    part = -1
    for a, b, c in snapshot.triangles + 1:
        if snapshot.primitive[a - 1] != part:
            part = int(snapshot.primitive[a - 1])
            # White space would end the name.
            lines.append(f"g {'_'.join(one_line(snapshot.names[part]).split()) or part}")
        lines.append(f"f {corner.format(a)} {corner.format(b)} {corner.format(c)}")
    return ("\n".join(lines) + "\n").encode()


def _ply(snapshot: PosedScene) -> bytes:
    names = ("x", "y", "z", "nx", "ny", "nz")
    header = ["ply", "format binary_little_endian 1.0", f"element vertex {len(snapshot.positions)}"]
    header += [f"property double {name}" for name in names]
    header += [
        f"element face {len(snapshot.triangles)}",
        "property list uchar int vertex_indices",
        "end_header",
    ]
    rows = np.concatenate([snapshot.positions, snapshot.normals], axis=1).astype("<f8")
    faces = np.zeros(len(snapshot.triangles), dtype=[("count", "u1"), ("corners", "<i4", 3)])
    faces["count"], faces["corners"] = 3, snapshot.triangles
    return ("\n".join(header) + "\n").encode() + rows.tobytes() + faces.tobytes()


WRITERS: dict[str, Callable[[PosedScene], bytes]] = {".npz": _npz, ".obj": _obj, ".ply": _ply}


def write(snapshot: PosedScene, out: Path) -> None:
    """Write a snapshot in the format of the suffix, atomically.

    Raises
    ------
    SaveError
        If the suffix is unknown or the file cannot be written.
    """
    writer = WRITERS.get(out.suffix.lower())
    if writer is None:
        raise SaveError(f"{out}: the suffix must be one of {', '.join(WRITERS)}")
    save_bytes(out, writer(snapshot))
