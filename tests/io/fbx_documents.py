"""Small FBX files as text, and records of binary ones."""

import struct
import zlib

import numpy as np

TICKS = 46186158000


def row(name, values):
    numbers = ",".join(repr(float(v)) for v in np.ravel(values))
    return f"{name}: *{np.size(values)} {{\n a: {numbers}\n}}\n"


def whole(name, values):
    return f"{name}: *{np.size(values)} {{\n a: {','.join(str(int(v)) for v in np.ravel(values))}\n}}\n"


def vector(name, values):
    x, y, z = (repr(float(v)) for v in values)
    return f'P: "{name}", "Vector3D", "Vector", "",{x},{y},{z}\n'


def model(number, name, sort="LimbNode", **properties):
    """A node; keywords are property names with _ for a space, three numbers or one whole one."""
    lines = [
        vector(key.replace("_", " "), value)
        if np.ndim(value)
        else f'P: "{key}", "enum", "", "",{value}\n'
        for key, value in properties.items()
    ]
    return (
        f'Model: {number}, "Model::{name}", "{sort}" {{\n'
        f"Properties70:  {{\n{''.join(lines)}}}\n}}\n"
    )


def curve(number, times, values, flags=4, data=(0.0, 0.0, 0.0, 0.0), extra=""):
    """A curve; `flags` and `data` are those of all keys, or one for each."""
    n = len(times)
    flags = np.broadcast_to(flags, n)
    data = np.broadcast_to(data, (n, 4))
    bits = np.asarray(data, dtype=np.float32).view(np.int32)
    return (
        f'AnimationCurve: {number}, "AnimCurve::", "" {{\n{extra}'
        + whole("KeyTime", np.round(np.asarray(times) * TICKS))
        + row("KeyValueFloat", values)
        + whole("KeyAttrFlags", flags)
        + whole("KeyAttrDataFloat", bits)
        + whole("KeyAttrRefCount", np.ones(n))
        + "}\n"
    )


def animated(number, target, name, curves):
    """Return objects and connections of curves on a property: component → curve number."""
    objects = f'AnimationCurveNode: {number}, "AnimCurveNode::{name}", "" {{\n}}\n'
    links = [f'C: "OO",{number},501\n', f'C: "OP",{number},{target}, "{name}"\n']
    links += [f'C: "OP",{c},{number}, "{component}"\n' for component, c in curves.items()]
    return objects, "".join(links)


STACK = 'AnimationStack: 500, "AnimStack::Take", "" {\n}\nAnimationLayer: 501, "AnimLayer::L", "" {\n}\n'
STACK_LINKS = 'C: "OO",501,500\n'


def document(objects, links, settings="", version=7500):
    """A whole file."""
    return (
        f"; FBX {version // 1000}.{version % 1000 // 100}.0 project file\n"
        f"FBXHeaderExtension:  {{\n FBXVersion: {version}\n}}\n"
        f"GlobalSettings:  {{\n Properties70:  {{\n{settings}}}\n}}\n"
        f"Objects:  {{\n{objects}}}\nConnections:  {{\n{links}}}\n"
    ).encode()


def record(name, values=b"", count=0, inside=b"", at=27):
    """A record of a binary file before 7.5, at an offset; `inside` was made for where it will be."""
    name = name.encode()
    end = at + 13 + len(name) + len(values) + len(inside)
    return struct.pack("<IIIB", end, count, len(values), len(name)) + name + values + inside


def inside_of(name, values=b"", at=27):
    """Return where the records inside a record begin."""
    return at + 13 + len(name) + len(values)


def deflated(code, count, data):
    packed = zlib.compress(data)
    return code + struct.pack("<III", count, 1, len(packed)) + packed


def header(version=7400):
    return b"Kaydara FBX Binary  \x00\x1a\x00" + struct.pack("<I", version)
