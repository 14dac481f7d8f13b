"""The skin of a file as ufbx has it, from what `ufbx_reads` writes."""

import subprocess
import sys
from pathlib import Path

import numpy as np

from rigview.io.fbx.objects import Objects
from rigview.io.fbx.reader import document

PROGRAM = Path(__file__).with_name("ufbx_reads.py")


def reads(path, folder):
    """Return all that ufbx reads of a file."""
    out = folder / "ufbx.npz"
    subprocess.run(
        [sys.executable, PROGRAM, path, out], check=True, capture_output=True, timeout=120
    )
    return dict(np.load(out))


def points_of_skins(path):
    """Return skin → ``(P, 3)`` control points of its mesh, by the skins' numbers in the file."""
    objects = Objects(document(path).root())
    skins = [e.key for e in objects.of_kind("Deformer") if e.sort == "Skin"]
    result = {}
    for mesh in objects.of_kind("Geometry"):
        own = objects.sources(mesh.key, "Deformer", "Skin")
        if own:
            result[skins.index(own[0].key)] = mesh.node.need("Vertices").floats().reshape(-1, 3)
    return result


def whole(matrices):
    """Return ``(…, 4, 4)`` of ``(…, 3, 4)``."""
    last = np.broadcast_to([0.0, 0.0, 0.0, 1.0], (*matrices.shape[:-2], 1, 4))
    return np.concatenate([matrices, last], axis=-2)


def vertices(path, folder):
    """Return skin → ``(S, P, 3)`` metres: points that follow joints, at rest and in all clips."""
    found, result = reads(path, folder), {}
    nodes = whole(found["nodes"])
    for number, stated in points_of_skins(path).items():
        points = np.append(stated, np.ones((len(stated), 1)), axis=1)
        joints, binds = found[f"joints {number}"], whole(found[f"binds {number}"])
        own = found[f"weights {number}"]
        weights = np.zeros((len(joints), len(points)))
        weights[:, : own.shape[1]] = own
        total = weights.sum(axis=0)
        share = weights / np.where(total > 0.0, total, 1.0)
        matrices = nodes[:, joints] @ binds
        moved = np.einsum("jp,sjik,pk->spi", share, matrices, points, optimize=True)
        result[number] = moved[:, total > 0.0, :3] * found["unit"]
    return result
