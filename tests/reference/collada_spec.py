"""A plain evaluator of Collada 1.4.1, written from the specification alone.

It is a second opinion for the tests: it shares no code with rigview, walks the XML with loops, and
answers one question: where is every corner of every triangle of the scene, in the file's unit and
axes, at rest or at a time of its animations? Curves are taken for straight, matrices number by
number, so times should be those of keys.
"""

import xml.etree.ElementTree as ET
from itertools import pairwise

import numpy as np


def numbers(element):
    return [float(word) for word in (element.text or "").split()]


def rotation(x, y, z, degrees):
    axis = np.array([x, y, z]) / np.linalg.norm([x, y, z])
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    matrix = np.eye(4)
    matrix[:3, :3] = c * np.eye(3) + s * cross + (1 - c) * np.outer(axis, axis)
    return matrix


class Document:
    """A parsed file and the animated numbers of its transforms."""

    def __init__(self, path):
        self.root = ET.parse(path).getroot()
        for element in self.root.iter():
            element.tag = element.tag.rpartition("}")[2]
        self.by_id = {e.get("id"): e for e in reversed(list(self.root.iter())) if e.get("id")}
        self.moved = {}
        self.parents = {child: parent for parent in self.root.iter() for child in parent}

    def ref(self, element, attribute):
        return self.by_id[element.get(attribute).lstrip("#")]

    def source(self, element):
        """Rows of a <source>."""
        accessor = element.find("technique_common/accessor")
        array = self.ref(accessor, "source")
        stride, count = int(accessor.get("stride", 1)), int(accessor.get("count"))
        if array.tag.endswith(("Name_array", "IDREF_array")):
            return array.text.split()
        return np.array(numbers(array)[: stride * count]).reshape(count, stride)

    def inputs(self, element):
        return {
            i.get("semantic"): (self.ref(i, "source"), int(i.get("offset", 0)))
            for i in element.findall("input")
        }

    def pose(self, time):
        """Set the time; None is the rest pose."""
        self.moved = {}
        if time is None:
            return
        for channel in self.root.iter("channel"):
            address = channel.get("target")
            if address.count("/") != 1:
                continue
            name, sid = address.split("/")
            sid, _, axis = sid.partition(".")
            element = next((e for e in self.by_id.get(name, []) if e.get("sid") == sid), None)
            if element is None or not element.tag.endswith(
                ("matrix", "translate", "rotate", "scale")
            ):
                continue
            inputs = self.inputs(self.ref(channel, "source"))
            times = self.source(inputs["INPUT"][0])[:, 0]
            values = self.source(inputs["OUTPUT"][0])
            now = [np.interp(time, times, values[:, i]) for i in range(values.shape[1])]
            target = self.moved.setdefault(element, numbers(element))
            if axis:
                target[{"X": 0, "Y": 1, "Z": 2, "ANGLE": 3}[axis]] = now[0]
            else:
                target[:] = now

    def local(self, node):
        matrix = np.eye(4)
        for element in node:
            kind = element.tag
            values = self.moved.get(element) or (numbers(element) if element.text else [])
            step = np.eye(4)
            if kind == "matrix":
                step = np.array(values).reshape(4, 4)
                step[3] = (0, 0, 0, 1)
            elif kind == "translate":
                step[:3, 3] = values
            elif kind == "rotate":
                step = rotation(*values)
            elif kind == "scale":
                step[:3, :3] = np.diag(values)
            matrix = matrix @ step
        return matrix

    def world(self, node):
        matrix = np.eye(4)
        while node is not None and node.tag.endswith("node"):
            matrix = self.local(node) @ matrix
            node = self.parents.get(node)
        return matrix

    def joint(self, name, roots):
        """Find a joint by sid below the skeletons, else by id, else by name."""
        for root in roots:
            for node in root.iter("node"):
                if node.get("sid") == name:
                    return node
        found = self.by_id.get(name)
        if found is not None:
            return found
        every = list(self.root.iter("node"))
        return next(n for key in ("sid", "name") for n in every if n.get(key) == name)

    def corners(self, time=None):
        """Return the corners of all instanced triangles, one (C, 3) array per primitive."""
        self.pose(time)
        url = self.root.find("scene/instance_visual_scene").get("url").lstrip("#")
        scene = self.by_id[url] if url else self.root.find("library_visual_scenes/visual_scene")
        result = []
        for instance in scene.iter():
            kind = instance.tag
            if kind == "instance_geometry":
                world = self.world(self.parents[instance])
                geometry = self.ref(instance, "url")
                points = self.points(geometry) @ world[:3, :3].T + world[:3, 3]
                result += self.primitives(geometry, points)
            elif kind == "instance_controller":
                result += self.controlled(instance)
        return result

    def controlled(self, instance):
        controller = self.ref(instance, "url")
        morphs = []
        while controller.tag.endswith("controller"):
            inner = controller[0]
            if inner.tag.endswith("skin"):
                skin = inner
            else:
                morphs.append(inner)
            if inner.get("source").lstrip("#") not in self.by_id:
                return []
            controller = self.ref(inner, "source")
        points = self.points(controller)
        for morph in morphs:
            inputs = self.inputs(morph.find("targets"))
            names = self.source(inputs["MORPH_TARGET"][0])
            weights = self.source(inputs["MORPH_WEIGHT"][0])[:, 0]
            base = points.copy()
            for name, weight in zip(names, weights, strict=True):
                target = self.points(self.by_id[name])
                relative = morph.get("method") == "RELATIVE"
                points = points + weight * (target if relative else target - base)
        roots = [self.by_id[e.text.lstrip("#")] for e in instance.findall("skeleton")]
        return self.primitives(controller, self.skinned(skin, points, roots))

    def skinned(self, skin, points, roots):
        joints = self.inputs(skin.find("joints"))
        names = self.source(joints["JOINT"][0])
        binds = self.source(joints["INV_BIND_MATRIX"][0]).reshape(-1, 4, 4)
        shape = skin.find("bind_shape_matrix")
        shape = np.eye(4) if shape is None else np.array(numbers(shape)).reshape(4, 4)
        matrices = [
            self.world(self.joint(name, roots)) @ bind @ shape
            for name, bind in zip(names, binds, strict=True)
        ]
        element = skin.find("vertex_weights")
        inputs = self.inputs(element)
        weights = self.source(inputs["WEIGHT"][0])[:, 0]
        stride = 1 + max(offset for _, offset in inputs.values())
        flat = [int(v) for v in element.find("v").text.split()]
        result, at = np.zeros_like(points), 0
        for vertex, count in enumerate(element.find("vcount").text.split()):
            for _ in range(int(count)):
                joint = flat[at + inputs["JOINT"][1]]
                weight = weights[flat[at + inputs["WEIGHT"][1]]]
                result[vertex] += weight * (matrices[joint] @ (*points[vertex], 1.0))[:3]
                at += stride
        return result

    def points(self, geometry):
        vertices = geometry.find("mesh/vertices")
        return self.source(self.inputs(vertices)["POSITION"][0])[:, :3]

    def primitives(self, geometry, points):
        result = []
        for element in geometry.find("mesh"):
            kind = element.tag
            if kind not in ("triangles", "polylist", "polygons"):
                continue
            inputs = {i.get("semantic"): int(i.get("offset")) for i in element.findall("input")}
            stride = 1 + max(int(i.get("offset")) for i in element.findall("input"))
            lists = [[int(v) for v in p.text.split()] for p in element.findall("p")]
            if kind == "polylist":
                counts = [int(c) for c in element.find("vcount").text.split()]
                flat = [v for part in lists for v in part]
                lists, at = [], 0
                for count in counts:
                    lists.append(flat[at : at + count * stride])
                    at += count * stride
            elif kind == "triangles":
                flat = [v for part in lists for v in part]
                lists = [flat[i : i + 3 * stride] for i in range(0, len(flat), 3 * stride)]
            order = []
            for polygon in lists:
                ring = polygon[inputs["VERTEX"] :: stride]
                for second, third in pairwise(ring[1:]):
                    order += [ring[0], second, third]
            result.append(points[order])
        return result
