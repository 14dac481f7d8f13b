"""Small glTF documents written by hand, byte by byte, in any container."""

import base64
import json
import struct
from urllib.parse import unquote

import numpy as np

TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
CODES = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}
EMBEDDED = "data:application/octet-stream;base64,"


class Document:
    """A document under construction: its JSON, and the bytes of its one buffer."""

    def __init__(self, **members):
        self.json = {"asset": {"version": "2.0"}, **members}
        self.data = bytearray()

    def list(self, name):
        return self.json.setdefault(name, [])

    def view(self, content, **more):
        """Add a buffer view; return its number."""
        self.data.extend(b"\0" * (-len(self.data) % 4))
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(content), **more}
        self.data.extend(content)
        self.list("bufferViews").append(view)
        return len(self.list("bufferViews")) - 1

    def accessor(self, values, dtype="f4", **more):
        """Add an accessor of (n, width) values in a view of its own; return its number."""
        values = np.asarray(values, dtype=f"<{dtype}")
        values = values.reshape(len(values), int(np.prod(values.shape[1:])))
        accessor = {
            "bufferView": self.view(values.tobytes()),
            "componentType": CODES[dtype],
            "count": len(values),
            "type": TYPES[values.shape[1]],
        }
        if more.pop("bounds", False):
            accessor["min"], accessor["max"] = values.min(0).tolist(), values.max(0).tolist()
        return self.number(accessor | more)

    def number(self, accessor):
        """Add an accessor as it is; return its number."""
        self.list("accessors").append(accessor)
        return len(self.list("accessors")) - 1

    def text(self, uri=None, **formatting):
        """Return the JSON text; the buffer is at `uri`, or embedded."""
        members = dict(self.json)
        if self.data and "buffers" not in members:
            where = uri or EMBEDDED + base64.b64encode(self.data).decode()
            members["buffers"] = [{"byteLength": len(self.data), "uri": where}]
        return json.dumps(members, **formatting)

    def save(self, path, uri=None, **formatting):
        """Write a .gltf, its buffer embedded or beside it."""
        path.write_text(self.text(uri, **formatting), encoding="utf-8")
        if uri is not None:
            (path.parent / uri).write_bytes(self.data)
        return path

    def save_glb(self, path, extra=b"", **formatting):
        """Write a GLB, with chunks of your own behind."""
        members = dict(self.json)
        if self.data:
            members["buffers"] = [{"byteLength": len(self.data)}]
        path.write_bytes(glb(json.dumps(members, **formatting).encode(), bytes(self.data), extra))
        return path


def chunk(kind, content, fill=b"\0"):
    content += fill * (-len(content) % 4)
    return struct.pack("<I4s", len(content), kind) + content


def glb(text, binary=None, extra=b""):
    """Return the bytes of a GLB."""
    body = chunk(b"JSON", text, b" ")
    body += b"" if binary is None else chunk(b"BIN\0", binary)
    body += extra
    return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body


def arm(**settings):
    """Return a document with a mesh of two primitives, a chain of three joints, and two clips.

    Settings: `joints` and `weights` are component types, `shared` lets both primitives read one
    POSITION and all channels one input.
    """
    joint_type, weight_type = settings.get("joints", "u1"), settings.get("weights", "f4")
    doc = Document(
        scene=0,
        scenes=[{"nodes": [0, 3]}],
        nodes=[
            {"name": "Hip", "children": [1], "translation": [0, 0.5, 0]},
            {"name": "Knee", "children": [2], "translation": [0.0, 1.0, 0.0]},
            {"name": "Foot", "translation": [0, 1, 0], "extras": {"left": 1e0, "wert": "Ä€😀"}},
            {"name": "Leg", "mesh": 0, "skin": 0},
        ],
    )
    heights = np.linspace(0.0, 3.0, 8)
    points = np.stack([np.cos(7 * heights), heights, np.sin(7 * heights)], axis=1) * (0.2, 1, 0.2)
    weights = np.clip(1.0 - np.abs(heights[:, None] - 0.5 - np.arange(3)), 0.0, 1.0) + 0.01
    weights = np.pad(weights / weights.sum(1, keepdims=True), ((0, 0), (0, 1)))
    if weight_type != "f4":
        most = np.iinfo(weight_type).max
        weights = np.rint(weights * most).astype(np.int64)
        weights[:, 0] += most - weights.sum(1)
    slots = np.tile([0, 1, 2, 0], (8, 1))
    positions = [doc.accessor(points, bounds=True)]
    positions.append(positions[0] if settings.get("shared") else doc.accessor(points, bounds=True))
    doc.json["meshes"] = [
        {
            "name": "Leg",
            "weights": [0.25],
            "primitives": [
                {
                    "attributes": {
                        "POSITION": position,
                        "NORMAL": doc.accessor(np.tile([0.0, 0.0, 1.0], (8, 1))),
                        "JOINTS_0": doc.accessor(slots, joint_type),
                        "WEIGHTS_0": doc.accessor(
                            weights,
                            weight_type,
                            **({"normalized": True} if weight_type != "f4" else {}),
                        ),
                    },
                    "indices": doc.accessor(np.arange(6), "u2"),
                    "targets": [{"POSITION": doc.accessor(0.1 * points, bounds=True)}],
                }
                for position in positions
            ],
        }
    ]
    binds = np.tile(np.eye(4), (3, 1, 1))
    binds[:, 1, 3] = -0.5 - np.arange(3)
    doc.json["skins"] = [
        {
            "joints": [0, 1, 2],
            "skeleton": 0,
            "inverseBindMatrices": doc.accessor(binds.swapaxes(1, 2)),
        }
    ]
    _animate(doc, shared=settings.get("shared", False))
    return doc


def _animate(doc, *, shared):
    times = [[0.0], [0.5], [1.0]]
    half = np.sin(0.3), np.cos(0.3)
    turns = [[0, 0, 0, 1], [0, 0, half[0], half[1]], [0, 0, -half[0], half[1]]]
    steps = np.array([[0, 1, 0], [0, 1.5, 0], [0, 1, 0]])
    common = doc.accessor(times, bounds=True)
    clips = []
    for name in ("Bend", "Stretch"):
        samplers, channels = [], []
        output = doc.accessor(turns)
        for node in (0, 1, 2):
            samplers.append(
                {
                    "input": common if shared else doc.accessor(times, bounds=True),
                    "output": output if shared else doc.accessor(turns),
                }
            )
            channels.append({"sampler": node, "target": {"node": node, "path": "rotation"}})
        samplers.append({"input": common, "output": doc.accessor(steps), "interpolation": "STEP"})
        channels += [
            {"sampler": 3, "target": {"node": node, "path": "translation"}} for node in (1, 2)
        ]
        clips.append({"name": name, "samplers": samplers, "channels": channels})
    doc.json["animations"] = clips


def contents(path):
    """Return the JSON of a file, its text, and the bytes of its buffers, read by other means."""
    data = path.read_bytes()
    binary = None
    if data.startswith(b"glTF"):
        size = int.from_bytes(data[12:16], "little")
        text, behind = data[20 : 20 + size], data[20 + size :]
        if behind[4:8] == b"BIN\0":
            binary = behind[8 : 8 + int.from_bytes(behind[:4], "little")]
    else:
        text = data
    document = json.loads(text.decode("utf-8-sig"))
    buffers = []
    for buffer in document.get("buffers", []):
        uri = buffer.get("uri")
        if uri is None:
            buffers.append(binary)
        elif uri.startswith("data:"):
            buffers.append(base64.b64decode(uri.partition(",")[2]))
        else:
            buffers.append((path.parent / unquote(uri)).read_bytes())
    return document, text.decode(), buffers


def stored(path, number):
    """Return the values of an accessor as the file has them, sparse ones left out."""
    document, _, buffers = contents(path)
    accessor = document["accessors"][number]
    view = document["bufferViews"][accessor["bufferView"]]
    dtype = np.dtype("<" + {code: name for name, code in CODES.items()}[accessor["componentType"]])
    width = {name: width for width, name in TYPES.items()}[accessor["type"]]
    offset = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    stride = view.get("byteStride", width * dtype.itemsize)
    return np.ndarray(
        (accessor["count"], width),
        dtype,
        bytes(buffers[view["buffer"]]),
        offset,
        (stride, dtype.itemsize),
    )


def faults(path):
    """Yield what is unsound in a file's layout (glTF 2.0, 3.6.2.4 and 4.4)."""
    data = path.read_bytes()
    document, text, buffers = contents(path)
    if data.startswith(b"glTF") and (len(text.encode()) % 4 or len(data) != _length(data)):
        yield "the lengths of the GLB"
    for buffer, content in zip(document.get("buffers", []), buffers, strict=True):
        if content is None or not 0 <= len(content) - buffer["byteLength"] < 4:
            yield f"a buffer of {buffer['byteLength']} bytes"
    views = document.get("bufferViews", [])
    for number, view in enumerate(views):
        end = view.get("byteOffset", 0) + view["byteLength"]
        if end > document["buffers"][view["buffer"]]["byteLength"] or not view["byteLength"]:
            yield f"view {number}"
    for number, accessor in enumerate(document.get("accessors", [])):
        if "bufferView" in accessor and _misplaced(accessor, views[accessor["bufferView"]]):
            yield f"accessor {number}"


def _length(data):
    return int.from_bytes(data[8:12], "little")


def _misplaced(accessor, view):
    size = int({code: name for name, code in CODES.items()}[accessor["componentType"]][1])
    widths = {name: width for width, name in TYPES.items()} | {"MAT2": 4, "MAT3": 9}
    element = size * widths[accessor["type"]]
    stride, offset = view.get("byteStride", element), accessor.get("byteOffset", 0)
    beyond = offset + stride * (accessor["count"] - 1) + element > view["byteLength"]
    return beyond or (offset + view.get("byteOffset", 0)) % size or stride % size
