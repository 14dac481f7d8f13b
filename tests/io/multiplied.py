"""Small files of which opening and checking could take a multiple of their size, in any size.

    python tests/io/multiplied.py KIND SIZE FOLDER

writes one and prints its path.
"""

import io
import json
import sys
from pathlib import Path

import fbx_documents as fbx
import numpy as np
from documents import Document
from PIL import Image

TRIANGLE = np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0]])
LARGE = 8192


def _skinned(doc, joints, vertices=TRIANGLE):
    """Add a mesh whose every vertex hangs on one of the first joints; return its number."""
    slots = np.zeros((len(vertices), 4), dtype=np.int64)
    slots[:, 0] = np.arange(len(vertices)) % min(joints, 200)
    weights = np.zeros((len(vertices), 4))
    weights[:, 0] = 1.0
    attributes = {
        "POSITION": doc.accessor(vertices, bounds=True),
        "JOINTS_0": doc.accessor(slots, "u2"),
        "WEIGHTS_0": doc.accessor(weights),
    }
    doc.list("meshes").append({"primitives": [{"attributes": attributes}]})
    return len(doc.list("meshes")) - 1


def _chains(doc, joints, length):
    """Add joints in chains of some length below one root; return their numbers."""
    nodes = doc.list("nodes")
    root = len(nodes)
    nodes.append({"name": "root", "children": list(range(root + 1, root + joints, length))})
    for i in range(root + 1, root + joints):
        node = {"name": f"joint_{i}", "translation": [0.0, 0.01, 0.001 * (i % 7)]}
        if (i - root) % length and i + 1 < root + joints:
            node["children"] = [i + 1]
        nodes.append(node)
    return list(range(root, root + joints))


def joints(folder, n):
    """One skin of n joints in chains of 50, a fifth of them turned against the bind."""
    doc = Document(scene=0, scenes=[{"nodes": [0, n]}])
    listed = _chains(doc, n, 50)
    binds = np.tile(np.eye(4), (n, 1, 1))
    binds[:, 3, 1] = -0.01 * (np.arange(n) % 50)
    turned = np.flatnonzero(np.arange(n) % 5 == 4)
    binds[turned, :2, :2] = [[0.0, 1.0], [-1.0, 0.0]]
    mesh = _skinned(doc, n, np.random.default_rng(1).normal(size=(600, 3)))
    doc.json["skins"] = [
        {"joints": listed, "inverseBindMatrices": doc.accessor(binds.reshape(n, 16))}
    ]
    doc.list("nodes").append({"mesh": mesh, "skin": 0})
    return doc.save_glb(folder / "joints.glb")


def clips(folder, n):
    """N clips of one channel each, which share a sampler's arrays."""
    doc = Document(scene=0, scenes=[{"nodes": [0, 10]}])
    listed = _chains(doc, 10, 5)
    doc.list("nodes").append({"mesh": _skinned(doc, 10), "skin": 0})
    doc.json["skins"] = [{"joints": listed}]
    times = doc.accessor([[0.0], [1.0]], bounds=True)
    values = doc.accessor([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0]])
    doc.json["animations"] = [
        {
            "name": f"clip {i}",
            "samplers": [{"input": times, "output": values}],
            "channels": [{"sampler": 0, "target": {"node": i % 10, "path": "translation"}}],
        }
        for i in range(n)
    ]
    return doc.save_glb(folder / "clips.glb", separators=(",", ":"))


def instances(folder, n):
    """One skinned mesh that n nodes show."""
    doc = Document(scene=0)
    listed = _chains(doc, 10, 5)
    mesh = _skinned(doc, 10)
    doc.json["skins"] = [{"joints": listed}]
    doc.list("nodes").extend({"mesh": mesh, "skin": 0} for _ in range(n))
    doc.json["scenes"] = [{"nodes": [0, *range(10, 10 + n)]}]
    return doc.save_glb(folder / "instances.glb", separators=(",", ":"))


def skins(folder, n, length=500):
    """N skins which all list the same 500 joints, with the same binds, each worn by a mesh."""
    doc = Document(scene=0)
    listed = _chains(doc, length, 50)
    mesh = _skinned(doc, length)
    binds = np.tile(np.eye(4), (length, 1, 1))
    accessor = doc.accessor(binds.reshape(length, 16))
    doc.json["skins"] = [{"joints": listed, "inverseBindMatrices": accessor} for _ in range(n)]
    doc.list("nodes").extend({"mesh": mesh, "skin": i} for i in range(n))
    doc.json["scenes"] = [{"nodes": [0, *range(length, length + n)]}]
    return doc.save_glb(folder / "skins.glb", separators=(",", ":"))


def bvh(folder, n):
    """A BVH of n joints in chains of 50, with two frames."""
    lines = [
        "HIERARCHY",
        "ROOT root",
        "{",
        "OFFSET 0 0 0",
        "CHANNELS 3 Xrotation Yrotation Zrotation",
    ]
    for start in range(1, n, 50):
        chain = range(start, min(start + 50, n))
        for i in chain:
            lines += [
                f"JOINT joint_{i}",
                "{",
                "OFFSET 0 1 0",
                "CHANNELS 3 Xrotation Yrotation Zrotation",
            ]
        lines += ["End Site", "{", "OFFSET 0 1 0", "}"] + ["}"] * len(chain)
    lines += ["}", "MOTION", "Frames: 2", "Frame Time: 0.033"]
    lines += [" ".join(["0"] * (3 * n))] * 2
    path = folder / "joints.bvh"
    path.write_text("\n".join(lines) + "\n")
    return path


def connections(folder, n):
    """An FBX in which n connections lead from one model to another, and n more from each to all."""
    side = int(np.sqrt(n))
    objects = "".join(fbx.model(i + 1, f"m{i}") for i in range(side))
    links = "".join(
        f'C: "OO",{a + 1},{b + 1}\n' for a in range(side) for b in range(side) if a != b
    )
    path = folder / "connections.fbx"
    path.write_bytes(fbx.document(objects, links))
    return path


def channels(folder, n):
    """A clip of n channels whose samplers share one pair of accessors, over n nodes."""
    doc = Document(scene=0, scenes=[{"nodes": [0]}])
    _chains(doc, n, 50)
    times = doc.accessor(np.linspace(0, 1, 100)[:, None], bounds=True)
    values = doc.accessor(np.random.default_rng(2).normal(size=(100, 3)))
    doc.json["animations"] = [
        {
            "samplers": [{"input": times, "output": values}],
            "channels": [
                {"sampler": 0, "target": {"node": i, "path": "translation"}} for i in range(n)
            ],
        }
    ]
    return doc.save_glb(folder / "channels.glb", separators=(",", ":"))


def chain(folder, n):
    """A skin whose n joints all hang below one another."""
    doc = Document(scene=0, scenes=[{"nodes": [0, n]}])
    listed = _chains(doc, n, n + 1)
    doc.json["skins"] = [{"joints": listed}]
    mesh = _skinned(doc, n)
    doc.list("nodes").append({"mesh": mesh, "skin": 0})
    return doc.save_glb(folder / "chain.glb", separators=(",", ":"))


def star(folder, n):
    """A skin whose n joints all hang below one."""
    doc = Document(scene=0, scenes=[{"nodes": [0, n]}])
    listed = _chains(doc, n, 1)
    doc.json["skins"] = [{"joints": listed}]
    mesh = _skinned(doc, n)
    doc.list("nodes").append({"mesh": mesh, "skin": 0})
    return doc.save_glb(folder / "star.glb", separators=(",", ":"))


def primitives(folder, n, vertices=3000):
    """A mesh of n primitives that share their accessors."""
    doc = Document(scene=0, scenes=[{"nodes": [0, 10]}])
    listed = _chains(doc, 10, 5)
    doc.json["skins"] = [{"joints": listed}]
    mesh = _skinned(doc, 10, np.random.default_rng(1).normal(size=(vertices, 3)))
    primitive = doc.json["meshes"][mesh]["primitives"][0]
    doc.json["meshes"][mesh]["primitives"] = [primitive] * n
    doc.list("nodes").append({"mesh": mesh, "skin": 0})
    return doc.save_glb(folder / "primitives.glb", separators=(",", ":"))


def morphs(folder, n, vertices=1000):
    """A mesh of n morph targets that share one accessor."""
    doc = Document(scene=0, scenes=[{"nodes": [0, 10]}])
    listed = _chains(doc, 10, 5)
    doc.json["skins"] = [{"joints": listed}]
    mesh = _skinned(doc, 10, np.random.default_rng(1).normal(size=(vertices, 3)))
    primitive = doc.json["meshes"][mesh]["primitives"][0]
    primitive["targets"] = [{"POSITION": primitive["attributes"]["POSITION"]}] * n
    doc.list("nodes").append({"mesh": mesh, "skin": 0})
    return doc.save_glb(folder / "morphs.glb", separators=(",", ":"))


def picture(folder, n, kind="webp"):
    """A textured mesh whose one image is n² pixels of one colour."""
    doc = Document(scene=0, scenes=[{"nodes": [0, 10]}])
    listed = _chains(doc, 10, 5)
    doc.json["skins"] = [{"joints": listed}]
    mesh = _skinned(doc, 10)
    content = io.BytesIO()
    Image.new("RGB", (n, n), (200, 100, 50)).save(content, kind)
    doc.json["images"] = [{"bufferView": doc.view(content.getvalue()), "mimeType": f"image/{kind}"}]
    doc.json["textures"] = [{"source": 0}]
    doc.json["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
    doc.json["meshes"][mesh]["primitives"][0]["material"] = 0
    doc.list("nodes").append({"mesh": mesh, "skin": 0})
    return doc.save_glb(folder / f"picture_{kind}.glb")


def jpeg(folder, n):
    """As `picture`, a JPEG."""
    return picture(folder, n, "jpeg")


def png(folder, n):
    """As `picture`, a PNG."""
    return picture(folder, n, "png")


def sparse(folder, n):
    """A glTF beside a buffer of n MiB of which the disk holds nothing but its first bytes."""
    doc = Document(scene=0, scenes=[{"nodes": [0, 10]}])
    listed = _chains(doc, 10, 5)
    doc.json["skins"] = [{"joints": listed}]
    doc.list("nodes").append({"mesh": _skinned(doc, 10), "skin": 0})
    path = doc.save(folder / "sparse.gltf", "sparse.bin")
    stated = json.loads(path.read_text())
    stated["buffers"][0]["byteLength"] = n << 20
    path.write_text(json.dumps(stated))
    with (folder / "sparse.bin").open("r+b") as file:
        file.truncate(n << 20)
    return path


KINDS = {
    make.__name__: make
    for make in (
        joints, clips, instances, skins, bvh, connections, channels, chain, star, primitives,
        morphs, picture, jpeg, png, sparse,
    )
}  # fmt: skip


if __name__ == "__main__":
    kind, size, folder = sys.argv[1:]
    sys.stdout.write(f"{KINDS[kind](Path(folder), int(size))}\n")
