"""A plain evaluator of glTF 2.0, written from the specification alone.

It is a second opinion for the tests: it shares no code with rigview, works in float64, prefers loops
to cleverness, and answers one question: where is every vertex of the default scene, in the scene's
space, at a time of a clip? Section numbers below are those of the glTF 2.0.1 specification.
"""

import base64
import json
import struct
from pathlib import Path
from urllib.parse import unquote, unquote_to_bytes

import numpy as np

COMPONENTS = {5120: "i1", 5121: "u1", 5122: "i2", 5123: "u2", 5125: "u4", 5126: "f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
REST = {"translation": (0, 0, 0), "rotation": (0, 0, 0, 1), "scale": (1, 1, 1)}


def clips(path):
    """Give (name, start, end) of every animation, in file order."""
    return Document(path).clips()


def evaluate(path, clip_index=None, time=None):
    """Give the global positions of every primitive of the default scene, as (V, 3) arrays.

    Nodes come depth first with children in file order, primitives and vertices in file order. Without
    a clip it is the rest pose.
    """
    return Document(path).evaluate(clip_index, time)


class Document:
    """One glTF or GLB file with its buffers read."""

    def __init__(self, path):
        path = Path(path)
        self.json, chunk = split(path.read_bytes())
        self.buffers = [
            buffer_bytes(buffer, path.parent, chunk) for buffer in self.json.get("buffers", [])
        ]
        self.nodes = self.json.get("nodes", [])
        self.parent = {
            child: index
            for index, node in enumerate(self.nodes)
            for child in node.get("children", [])
        }
        self.read = {}

    def view(self, index):
        """Bytes from the start of a buffer view on, and its stride or None."""
        view = self.json["bufferViews"][index]
        start = view.get("byteOffset", 0)
        data = self.buffers[view["buffer"]][start : start + view["byteLength"]]
        return data, view.get("byteStride")

    def elements(self, view_index, offset, kind, shape):
        """Read count × width raw components at an offset of a buffer view."""
        count, width = shape
        data, stride = self.view(view_index)
        item = np.dtype("<" + kind)
        if stride is None:
            stride = item.itemsize * width
        out = np.zeros((count, width), item)
        for row in range(count):
            out[row] = np.frombuffer(data, item, width, offset + row * stride)
        return out

    def accessor(self, index):
        """Read an accessor as (count, width) floats: sparse values put in, integers normalised."""
        if index not in self.read:
            self.read[index] = self.read_accessor(self.json["accessors"][index])
        return self.read[index]

    def read_accessor(self, accessor):
        kind = COMPONENTS[accessor["componentType"]]
        shape = (accessor["count"], WIDTHS[accessor["type"]])
        if "bufferView" in accessor:
            offset = accessor.get("byteOffset", 0)
            raw = self.elements(accessor["bufferView"], offset, kind, shape)
        else:
            raw = np.zeros(shape, kind)  # 3.6.2: without a view, zeros
        if "sparse" in accessor:
            sparse = accessor["sparse"]
            where, what = sparse["indices"], sparse["values"]
            count = sparse["count"]
            rows = self.elements(
                where["bufferView"],
                where.get("byteOffset", 0),
                COMPONENTS[where["componentType"]],
                (count, 1),
            )
            values = self.elements(
                what["bufferView"], what.get("byteOffset", 0), kind, (count, shape[1])
            )
            for row, value in zip(rows[:, 0], values, strict=True):
                raw[row] = value
        floats = raw.astype(np.float64)
        if accessor.get("normalized") and kind != "f4":  # 3.11, the table of conversions
            floats = np.maximum(floats / np.iinfo(raw.dtype).max, -1.0)
        return floats

    def channels(self, clip_index):
        """Give (node, path, times, values, interpolation) of the channels that move a node."""
        animation = self.json["animations"][clip_index]
        found = []
        for channel in animation.get("channels", []):
            target = channel["target"]
            if "node" not in target or target["path"] not in (*REST, "weights"):
                continue  # 3.11: without a node it is for an extension, and ignored
            sampler = animation["samplers"][channel["sampler"]]
            times = self.accessor(sampler["input"])[:, 0]
            if not len(times):
                continue  # an accessor has at least one element (3.6.2): there is nothing to play
            values = self.accessor(sampler["output"])
            interpolation = sampler.get("interpolation", "LINEAR")
            found.append((target["node"], target["path"], times, values, interpolation))
        return found

    def clips(self):
        found = []
        for index, animation in enumerate(self.json.get("animations", [])):
            times = [times for _, _, times, _, _ in self.channels(index)]
            start = min((float(t[0]) for t in times), default=0.0)
            end = max((float(t[-1]) for t in times), default=0.0)
            found.append((animation.get("name", ""), start, end))
        return found

    def animated(self, clip_index, time):
        """Give the values a clip sets at a time: {(node, path): value}."""
        if clip_index is None:
            return {}
        return {
            (node, path): sample(times, values, interpolation, path, time)
            for node, path, times, values, interpolation in self.channels(clip_index)
        }

    def scene_nodes(self):
        """Give the default scene's nodes, depth first."""
        scenes = self.json.get("scenes", [])
        if scenes:
            roots = scenes[self.json.get("scene", 0)].get("nodes", [])
        else:
            roots = [index for index in range(len(self.nodes)) if index not in self.parent]
        order = []
        waiting = list(reversed(roots))
        while waiting:
            index = waiting.pop()
            order.append(index)
            waiting.extend(reversed(self.nodes[index].get("children", [])))
        return order

    def local_matrix(self, index, animated):
        node = self.nodes[index]
        if "matrix" in node:  # column-major, and never animated (3.5.3)
            return np.array(node["matrix"], np.float64).reshape(4, 4).T
        value = {
            path: np.array(animated.get((index, path), node.get(path, rest)), np.float64)
            for path, rest in REST.items()
        }
        matrix = np.eye(4)
        matrix[:3, :3] = rotation_matrix(value["rotation"]) * value["scale"]
        matrix[:3, 3] = value["translation"]
        return matrix

    def global_matrix(self, index, animated, known):
        if index not in known:
            matrix = self.local_matrix(index, animated)
            if index in self.parent:
                matrix = self.global_matrix(self.parent[index], animated, known) @ matrix
            known[index] = matrix
        return known[index]

    def evaluate(self, clip_index=None, time=None):
        animated = self.animated(clip_index, time)
        known = {}
        found = []
        for index in self.scene_nodes():
            node = self.nodes[index]
            if "mesh" not in node:
                continue
            mesh = self.json["meshes"][node["mesh"]]
            weights = animated.get((index, "weights"))
            if weights is None:  # 3.7.4: the node's own weights come before the mesh's
                weights = node.get("weights", mesh.get("weights", []))
            for primitive in mesh["primitives"]:
                points = self.morphed(primitive, weights)
                if "skin" in node and "JOINTS_0" in primitive["attributes"]:
                    joints = self.joint_matrices(node["skin"], animated, known)
                    points = self.skinned(primitive, points, joints)
                else:
                    points = transformed(self.global_matrix(index, animated, known), points)
                found.append(points)
        return found

    def morphed(self, primitive, weights):
        if "POSITION" not in primitive["attributes"]:
            return np.zeros((0, 3))
        points = self.accessor(primitive["attributes"]["POSITION"]).copy()
        # Targets without a weight have weight 0, hence the loop may end at the shorter list.
        for target, weight in zip(primitive.get("targets", []), weights, strict=False):
            if "POSITION" in target:
                points += weight * self.accessor(target["POSITION"])
        return points

    def joint_matrices(self, skin_index, animated, known):
        """Give joint global × inverse bind; the mesh's own node plays no part (3.7.3.2)."""
        skin = self.json["skins"][skin_index]
        joints = [self.global_matrix(joint, animated, known) for joint in skin["joints"]]
        if "inverseBindMatrices" in skin:
            binds = self.accessor(skin["inverseBindMatrices"]).reshape(-1, 4, 4)
            # The accessor may hold more matrices than there are joints.
            joints = [joint @ bind.T for joint, bind in zip(joints, binds, strict=False)]
        return np.array(joints)

    def skinned(self, primitive, points, joint_matrices):
        """Sum weight × joint matrix × point over every JOINTS_n and WEIGHTS_n.

        The weights are used as they are. A vertex without any weight is undefined in the
        specification (its weights must sum to 1); like rigview we leave it where it is in the
        mesh's space.
        """
        attributes = primitive["attributes"]
        out = np.zeros_like(points)
        weighted = np.zeros(len(points), bool)
        number = 0
        while f"JOINTS_{number}" in attributes and f"WEIGHTS_{number}" in attributes:
            joints = self.accessor(attributes[f"JOINTS_{number}"]).astype(int)
            weights = self.accessor(attributes[f"WEIGHTS_{number}"])
            for slot in range(4):
                # What index an unused slot holds does not matter.
                used = weights[:, slot] != 0
                matrices = joint_matrices[joints[used, slot]]
                moved = np.einsum("vij,vj->vi", matrices[:, :3, :3], points[used])
                moved += matrices[:, :3, 3]
                out[used] += weights[used, slot, None] * moved
                weighted |= used
            number += 1
        out[~weighted] = points[~weighted]
        return out


def split(data):
    """Split a file into its JSON and its binary chunk, None in a text file (4)."""
    if data[:4] != b"glTF":
        return json.loads(data), None
    document = chunk = None
    offset = 12
    while offset + 8 <= len(data):
        size, kind = struct.unpack_from("<I4s", data, offset)
        body = data[offset + 8 : offset + 8 + size]
        if kind == b"JSON" and document is None:
            document = json.loads(body)
        elif kind == b"BIN\0" and chunk is None:
            chunk = body
        offset += 8 + size
    return document, chunk


def buffer_bytes(buffer, folder, chunk):
    uri = buffer.get("uri")
    if uri is None:
        return chunk
    if uri.startswith("data:"):
        head, body = uri.split(",", 1)
        return base64.b64decode(body) if head.endswith(";base64") else unquote_to_bytes(body)
    return (folder / unquote(uri)).read_bytes()


def transformed(matrix, points):
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def rotation_matrix(quaternion):
    x, y, z, w = normalised(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def normalised(quaternion):
    length = np.sqrt(np.sum(np.square(quaternion)))
    return quaternion / length if length > 0 else np.array((0.0, 0.0, 0.0, 1.0))


def sample(times, values, interpolation, path, time):
    """Give a sampler's value: clamped to the first and last key, else interpolated (appendix C)."""
    keys = len(times)
    # Weights are one scalar per target and key, in one long column; CUBICSPLINE has in-tangent,
    # value and out-tangent per key.
    parts = 3 if interpolation == "CUBICSPLINE" else 1
    table = values.reshape(keys, parts, -1)
    value = table[:, parts // 2]
    if time <= times[0]:
        result = value[0]
    elif time >= times[-1]:
        result = value[-1]
    else:
        after = next(key for key in range(keys) if times[key] > time)
        before = after - 1
        dt = times[after] - times[before]
        t = (time - times[before]) / dt
        if interpolation == "STEP":
            result = value[before]
        elif interpolation == "CUBICSPLINE":
            result = (
                (2 * t**3 - 3 * t**2 + 1) * value[before]
                + dt * (t**3 - 2 * t**2 + t) * table[before, 2]
                + (-2 * t**3 + 3 * t**2) * value[after]
                + dt * (t**3 - t**2) * table[after, 0]
            )
        elif path == "rotation":
            result = slerp(value[before], value[after], t)
        else:
            result = (1 - t) * value[before] + t * value[after]
    return normalised(result) if path == "rotation" else result


def slerp(a, b, t):
    """Interpolate spherically along the short arc (C.4).

    The formula is for unit quaternions. Keys stored as normalised integers only come close to that
    (a byte is off by up to 0.4 %), hence they are made unit before the arc between them is measured.
    """
    a, b = normalised(a), normalised(b)
    d = float(a @ b)
    angle = np.arccos(min(abs(d), 1.0))
    sign = -1.0 if d < 0 else 1.0
    if angle < 1e-6:  # C.4: close to zero this turns into linear interpolation
        return (1 - t) * a + t * sign * b
    return (np.sin(angle * (1 - t)) * a + sign * np.sin(angle * t) * b) / np.sin(angle)
