"""A skinned arm as FBX, ASCII and binary, small and with the oddities of real files.

Units are centimetres, Z is up; the weights of a point do not sum to one, a cluster states no entries, the
mesh stands off the origin, the joints have pre-rotations and a bind pose, the clip has automatic and
linear keys.
"""

import struct
from pathlib import Path

import fbx_documents as fbx
import numpy as np

from rigview.io.fbx.ascii import AsciiDocument
from rigview.io.reading import Listener, Pulse

JOINTS = {101: "shoulder", 102: "elbow", 103: "hand", 104: "tip"}
MESH, GEOMETRY, SKIN, CLUSTERS = 110, 200, 300, (301, 302, 303)
POINTS = 8
# Point → weights for shoulder and elbow; the hand has a cluster without entries.
WEIGHTS = np.array(
    [[1, 0], [1, 0], [0.8, 0.4], [0.6, 0.6], [0.4, 0.4], [0.25, 0.75], [0, 1], [0, 1]], dtype=float
)
SETTINGS = (
    'P: "UpAxis", "int", "Integer", "",2\nP: "UpAxisSign", "int", "Integer", "",1\n'
    'P: "FrontAxis", "int", "Integer", "",1\nP: "FrontAxisSign", "int", "Integer", "",-1\n'
    'P: "CoordAxis", "int", "Integer", "",0\nP: "CoordAxisSign", "int", "Integer", "",1\n'
    'P: "UnitScaleFactor", "double", "Number", "",1.0\n'
)


def turn_z(degrees):
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    result = np.eye(4)
    result[:2, :2] = (c, -s), (s, c)
    return result


def moved(x, y, z):
    result = np.eye(4)
    result[:3, 3] = x, y, z
    return result


def frames():
    """Return the joints' places in the world of the file at rest."""
    shoulder = moved(0, 0, 100) @ turn_z(30)
    elbow = shoulder @ moved(30, 0, 0) @ turn_z(20)
    hand = elbow @ moved(25, 0, 0)
    return [shoulder, elbow, hand]


MESH_FRAME = moved(0, 0, 100)


def objects():
    """Return the objects' text."""
    strip = [[x * 8.0, y, 0.0] for x in range(4) for y in (-3.0, 3.0)]
    faces = [0, 2, 3, -2, 2, 4, 5, -4, 4, 6, 7, -6]
    text = (
        fbx.model(101, "shoulder", Lcl_Translation=(0, 0, 100), PreRotation=(0, 0, 30))
        + fbx.model(
            102,
            "elbow",
            RotationActive=1,
            Lcl_Translation=(30, 0, 0),
            PreRotation=(0, 0, 15),
            Lcl_Rotation=(0, 0, 5),
        )
        + fbx.model(103, "hand", Lcl_Translation=(25, 0, 0))
        + fbx.model(104, "tip", Lcl_Translation=(8, 0, 0))
        + fbx.model(MESH, "sleeve", "Mesh", Lcl_Translation=(0, 0, 100))
        + f'Geometry: {GEOMETRY}, "Geometry::sleeve", "Mesh" {{\n{fbx.row("Vertices", strip)}'
        + fbx.whole("PolygonVertexIndex", faces)
        + 'LayerElementNormal: 0 {\n MappingInformationType: "ByPolygonVertex"\n'
        + f' ReferenceInformationType: "Direct"\n{fbx.row("Normals", [[0, 0.6, 0.8]] * 12)}}}\n'
        + "}\n"
        + f'Deformer: {SKIN}, "Deformer::sleeve", "Skin" {{\n Version: 101\n}}\n'
    )
    links = frames()
    for cluster, (number, link) in enumerate(zip(CLUSTERS, links, strict=True)):
        inside = ""
        if cluster < 2:
            index = np.flatnonzero(WEIGHTS[:, cluster])
            inside = fbx.whole("Indexes", index) + fbx.row("Weights", WEIGHTS[index, cluster])
        transform = np.linalg.inv(link) @ MESH_FRAME
        text += (
            f'Deformer: {number}, "SubDeformer::{JOINTS[101 + cluster]}", "Cluster" {{\n'
            f" Version: 100\n{inside}{fbx.row('Transform', transform.T)}"
            f"{fbx.row('TransformLink', link.T)}}}\n"
        )
    text += 'Pose: 400, "Pose::bind", "BindPose" {\n Type: "BindPose"\n NbPoseNodes: 3\n'
    for number, link in enumerate(links):
        text += f" PoseNode:  {{\n  Node: {101 + number}\n{fbx.row('Matrix', link.T)} }}\n"
    return text + "}\n" + fbx.STACK + motion()[0]


def motion():
    """Return the curves of the clip and their connections."""
    times = [0.0, 0.5, 1.0]
    text, links = "", fbx.STACK_LINKS
    for number, target, name, rows in (
        (510, 101, "Lcl Translation", ([0, 4, 2], [0, -3, 5], [100, 104, 97])),
        (520, 102, "Lcl Rotation", ([0, 10, -5], [0, 20, 40], [5, 60, 90])),
        (530, 103, "Lcl Rotation", ([0, 0, 0], [0, 35, 0], [0, 0, 0])),
        (540, 104, "Lcl Translation", ([8, 9, 8], [0, 2, 1], [0, -1, 0])),
        # A curve that rests, which reading leaves out.
        (550, 103, "Lcl Translation", ([25, 25, 25], [0, 0, 0], [0, 0, 0])),
    ):
        curves = {f"d|{axis}": number + 1 + i for i, axis in enumerate("XYZ")}
        for (_, curve), values in zip(curves.items(), rows, strict=True):
            flags = 0x4 if target == 101 else 0x2108
            text += fbx.curve(curve, times, values, flags=flags)
        node, own = fbx.animated(number, target, name, curves)
        text, links = text + node, links + own
    return text, links


def connections():
    """Return the connections' text."""
    pairs = [
        (101, 0), (102, 101), (103, 102), (104, 103), (MESH, 0), (GEOMETRY, MESH), (SKIN, GEOMETRY),
        *((cluster, SKIN) for cluster in CLUSTERS),
        *((101 + i, cluster) for i, cluster in enumerate(CLUSTERS)),
    ]  # fmt: skip
    return "".join(f'C: "OO",{a},{b}\n' for a, b in pairs) + motion()[1]


def text():
    """Return the file as ASCII."""
    return fbx.document(objects(), connections(), SETTINGS, version=7400)


WHOLE = {"Indexes", "PolygonVertexIndex", "KeyAttrFlags", "KeyAttrDataFloat", "KeyAttrRefCount"}


def binary(version=7400, padding="sdk", data=None):
    """Return the same file, or another one, in the binary encoding, with one of two kinds of footer."""
    document = AsciiDocument(Path("arm.fbx"), data or text(), Pulse(Listener()))
    wide = version >= 7500
    out = bytearray(fbx.header(version))
    for node in document.root().children:
        _record(node, out, wide)
    out += bytes(25 if wide else 13) + b"footer identity!"
    zeros = 16 - len(out) % 16 + 4 if padding == "sdk" else 4 + 16 - (len(out) + 4) % 16
    out += bytes(zeros) + struct.pack("<I", version) + bytes(120) + b"the end of it...."[:16]
    return bytes(out)


def _record(node, out, wide):
    """Append a record with all inside of it."""
    inner, at = node.child("a"), len(out)
    values, name = list(node.values), node.name.encode()
    if inner is not None:
        stored, count = _array(node.name, inner.array()), 1
    else:
        if node.name == "FBXVersion":
            values = [7500 if wide else 7400]
        stored, count = b"".join(_value(v, node.name) for v in values), len(values)
    head = struct.Struct("<QQQB" if wide else "<IIIB")
    out += bytes(head.size) + name + stored
    children = () if inner is not None else node.children
    for child in children:
        _record(child, out, wide)
    if len(children):
        out += bytes(head.size)
    head.pack_into(out, at, len(out), count, len(stored), len(name))


def _value(value, name):
    if isinstance(value, str):
        kind, mark, rest = value.partition("::")
        raw = f"{rest}\x00\x01{kind}".encode() if mark else value.encode()
        return b"S" + struct.pack("<I", len(raw)) + raw
    if isinstance(value, float):
        return b"D" + struct.pack("<d", value)
    if name in ("P", "FBXVersion", "Version", "NbPoseNodes"):
        return b"I" + struct.pack("<i", value)
    return b"L" + struct.pack("<q", value)


def _array(name, values):
    if name == "KeyTime":
        code, values = b"l", values.astype("<i8")
    elif name == "KeyAttrDataFloat":
        code, values = b"f", values.astype("<i4").view("<f4")
    elif name in WHOLE:
        code, values = b"i", values.astype("<i4")
    else:
        code, values = (b"f", values.astype("<f4")) if name == "KeyValueFloat" else (
            b"d", values.astype("<f8")
        )  # fmt: skip
    return fbx.deflated(code, len(values), values.tobytes())
