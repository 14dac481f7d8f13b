"""What the add-on hands to rigview and takes from it: runs the program, reads its report and its copy.

Nothing here needs Blender.
"""

import json
import shutil
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np

# The attribute that carries the number of each vertex of a Blender mesh through the export.
VERTEX = "_VERTEX"
# Rules whose fixes Blender can take: weights of vertices, and names of bones.
TAKEN = ("HIE-NAMES", "HIE-SIDE")
_WEIGHTS = "WGT-"
_SECONDS = 600.0
_DTYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
_PRIMITIVE = " / primitive "


class ExchangeError(Exception):
    """Why rigview could not be asked, in a sentence."""


@dataclass(frozen=True)
class Finding:
    """One line of rigview's report.

    Parameters
    ----------
    vertices
        The first hundred at fault, as the exported primitive numbers them.
    """

    rule: str
    severity: str
    message: str
    object: str
    joint: str
    vertices: tuple[int, ...]
    count: int
    can_fix: bool


def program(stated: str = "") -> str:
    """Return the path of rigview: the one stated in the preferences, else that on the path."""
    found = shutil.which(stated or "rigview")
    if found is None:
        name = stated or "rigview"
        raise ExchangeError(
            f"{name} is not found: install rigview, or name its program in the preferences"
        )
    return found


def run(command: list[str]) -> str:
    """Return what rigview printed; findings (status 1) are no error."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, encoding="utf-8", timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ExchangeError(f"rigview did not answer: {error}") from None
    if done.returncode not in (0, 1):
        last = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise ExchangeError(last[-1])
    return done.stdout


def check(rigview: str, file: Path, profile: str) -> list[Finding]:
    """Return what rigview finds in a file."""
    told = json.loads(run([rigview, "check", str(file), "--format", "json", "--profile", profile]))
    return [
        Finding(
            rule=one["rule"],
            severity=one["severity"],
            message=one["message"],
            object=one["object"] or "",
            joint=one["joint"] or "",
            vertices=tuple((one["vertices"] or {}).get("ids", ())),
            count=(one["vertices"] or {}).get("count", 0),
            can_fix=one["fix"]["class"] != "none" and is_taken(one["rule"]),
        )
        for one in told["files"][0]["findings"]
    ]


def is_taken(rule: str) -> bool:
    """Tell whether Blender can take what the fix of a rule changes."""
    return rule.startswith(_WEIGHTS) or rule in TAKEN


def fix(rigview: str, file: Path, out: Path, rules: str) -> None:
    """Write a copy in which rules are fixed, by ids or all that is exact."""
    run([rigview, "fix", str(file), "-o", str(out), "--rules", rules])


class Glb:
    """The arrays of a GLB that Blender has written, or rigview for Blender."""

    def __init__(self, path: Path) -> None:
        content = path.read_bytes()
        length = struct.unpack_from("<I", content, 12)[0]
        self.json = json.loads(content[20 : 20 + length])
        self._binary = memoryview(content)[28 + length :]

    def accessor(self, number: int) -> np.ndarray:
        """Return ``(n, k)`` the values of an accessor, numbers as they are."""
        accessor = self.json["accessors"][number]
        width, dtype = _WIDTHS[accessor["type"]], np.dtype(_DTYPES[accessor["componentType"]])
        if "bufferView" not in accessor:
            return np.zeros((accessor["count"], width), dtype)
        view = self.json["bufferViews"][accessor["bufferView"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        row = width * dtype.itemsize
        stride = view.get("byteStride", row)
        return np.ndarray(
            (accessor["count"], width), dtype, self._binary, start, (stride, dtype.itemsize)
        ).copy()

    def primitives(self) -> list[tuple[str, str, int, dict[str, int], int]]:
        """Return (node, mesh, number, attributes, skin) of every skinned primitive."""
        result = []
        for node in self.json.get("nodes", ()):
            if "mesh" not in node or "skin" not in node:
                continue
            mesh = self.json["meshes"][node["mesh"]]
            name = mesh.get("name", node.get("name", ""))
            for number, primitive in enumerate(mesh["primitives"]):
                place = name if len(mesh["primitives"]) == 1 else f"{name}{_PRIMITIVE}{number}"
                found = (node.get("name", ""), place, number, primitive["attributes"], node["skin"])
                result.append(found)
        return result

    def joint_names(self, skin: int) -> list[str]:
        """Return the names of a skin's joints, in its order."""
        nodes = self.json["nodes"]
        return [nodes[joint].get("name", "") for joint in self.json["skins"][skin]["joints"]]

    def vertices(self, attributes: dict[str, int]) -> np.ndarray:
        """Return ``(n,)`` which vertex of the Blender mesh each vertex of a primitive is."""
        return np.rint(self.accessor(attributes[VERTEX])[:, 0].astype(float)).astype(int)

    def weights(self, attributes: dict[str, int]) -> tuple[np.ndarray, np.ndarray]:
        """Return ``(n, k)`` joints and weights, all sets side by side."""
        joints, weights = [], []
        number = 0
        while f"JOINTS_{number}" in attributes:
            joints.append(self.accessor(attributes[f"JOINTS_{number}"]).astype(int))
            stated = self.accessor(attributes[f"WEIGHTS_{number}"])
            most = np.iinfo(stated.dtype).max if stated.dtype.kind == "u" else 1
            weights.append(stated.astype(float) / most)
            number += 1
        return np.concatenate(joints, axis=1), np.concatenate(weights, axis=1)


@dataclass(frozen=True)
class Changes:
    """What a repaired copy holds otherwise.

    Parameters
    ----------
    renamed
        Bone → its new name.
    weights
        Object → vertex → bone (by its old name) → weight, of the vertices that changed.
    """

    renamed: dict[str, str]
    weights: dict[str, dict[int, dict[str, float]]]


def changes(before: Path, after: Path) -> Changes:
    """Return what of a repaired copy Blender takes over."""
    old, new = Glb(before), Glb(after)
    renamed: dict[str, str] = {}
    result: dict[str, dict[int, dict[str, float]]] = {}
    for was, now in zip(old.primitives(), new.primitives(), strict=True):
        names, now_names = old.joint_names(was[4]), new.joint_names(now[4])
        if len(names) == len(now_names):
            pairs = zip(names, now_names, strict=True)
            renamed.update({own: other for own, other in pairs if own != other})
        back = {renamed.get(name, name): name for name in names}
        rows_before = _rows(old, was[3], names)
        rows_after = _rows(new, now[3], [back.get(name, name) for name in now_names])
        changed = {
            v: row for v, row in rows_after.items() if not _is_like(row, rows_before.get(v, {}))
        }
        if changed:
            result.setdefault(was[0], {}).update(changed)
    return Changes(renamed, result)


def _rows(glb: Glb, attributes: dict[str, int], names: list[str]) -> dict[int, dict[str, float]]:
    joints, weights = glb.weights(attributes)
    rows: dict[int, dict[str, float]] = {}
    for vertex, own, shares in zip(
        glb.vertices(attributes).tolist(), joints.tolist(), weights.tolist(), strict=True
    ):
        row: dict[str, float] = {}
        for joint, share in zip(own, shares, strict=True):
            if share > 0.0:
                row[names[joint]] = row.get(names[joint], 0.0) + share
        rows[vertex] = row
    return rows


def _is_like(row: dict[str, float], other: dict[str, float]) -> bool:
    return row.keys() == other.keys() and all(abs(row[key] - other[key]) < 1e-6 for key in row)
