"""A difference in words and as JSON values.

The JSON is described by ``resources/diff-1.schema.json``.
Names are those of the second file, of the first for what is gone.
"""

import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np

from rigview import __version__
from rigview.check.diff import Difference
from rigview.check.diff.joints import JointChange
from rigview.check.diff.meshes import PartChange
from rigview.check.labels import clip_label, part_label, skin_label
from rigview.check.rule import MOST_IDS, count
from rigview.core.arrays import FloatArray
from rigview.core.rig import Rig
from rigview.core.text import length_words, one_line
from rigview.core.weight_changes import DISPLACED, REWEIGHTED, PartHeat, tally

# Lines of one kind in the text; all are in the JSON.
_MOST_LINES = 12


def as_dict(difference: Difference, a: str, b: str) -> dict[str, Any]:
    """Return a difference as JSON values; `a` and `b` are the names of the files."""
    return {
        "version": __version__,
        "a": a,
        "b": b,
        "same": difference.same,
        "joints": _joints(difference),
        "skins": _skins(difference),
        "bind": [
            {
                "skin": skin_label(difference.b, change.skin),
                "joint": difference.b.nodes.label(change.joint),
                "distance_m": _finite(change.shift.moved),
                "angle_deg": math.degrees(change.shift.turned),
                "factor": change.shift.scaled,
            }
            for change in difference.binds
        ],
        "meshes": _meshes(difference),
        "clips": _clips(difference),
        "deformation": [
            {
                "clip": None if worst.clip is None else clip_label(difference.b, worst.clip),
                "time": worst.time,
                "mesh": part_label(difference.b, difference.b.parts[worst.part]),
                "vertex": worst.vertex,
                "distance_m": worst.distance,
            }
            for worst in difference.motion.worst
        ],
        "size_m": _finite(difference.size),
        "heat": [_heat(difference, heat) for heat in difference.heat.parts],
    }


def _heat(difference: Difference, heat: PartHeat) -> dict[str, Any]:
    """Return the numbers of one mesh; displacements as shares of the size."""
    weights = deformation = None
    if heat.is_comparable:
        weights = _tally(heat.reweighted, REWEIGHTED)
        deformation = _tally(heat.displaced / (difference.size or 1.0), DISPLACED)
    return {
        "mesh": heat.label,
        "vertices": list(heat.vertices),
        "comparable": heat.is_comparable,
        "weights": weights,
        "deformation": deformation,
    }


def _tally(amounts: FloatArray, least: float) -> dict[str, Any]:
    found = tally(amounts, least)
    return {"max": found.most, "mean": found.mean, "vertices": found.changed}


def _joints(difference: Difference) -> dict[str, Any]:
    a, b = difference.a, difference.b
    pairs, changes = difference.pairing.joints, difference.joints

    def name(change: JointChange) -> str:
        return b.nodes.label(change.joint)

    def above(rig: Rig, parent: int) -> str | None:
        return None if parent < 0 else rig.nodes.label(parent)

    return {
        "added": [b.nodes.label(joint) for joint in pairs.added],
        "removed": [a.nodes.label(joint) for joint in pairs.removed],
        "renamed": [{"from": a.nodes.label(c.was), "to": name(c)} for c in changes if c.renamed],
        "reparented": [
            {"joint": name(c), "from": above(a, c.parents[0]), "to": above(b, c.parents[1])}
            for c in changes
            if c.parents is not None
        ],
        "moved": [
            {"joint": name(c), "distance_m": _finite(c.shift.moved)}
            for c in changes
            if c.shift.moved
        ],
        "turned": [
            {"joint": name(c), "angle_deg": math.degrees(c.shift.turned)}
            for c in changes
            if c.shift.turned
        ],
        "scaled": [
            {"joint": name(c), "factor": c.shift.scaled} for c in changes if c.shift.scaled != 1.0
        ],
    }


def _skins(difference: Difference) -> dict[str, Any]:
    a, b, pairs = difference.a, difference.b, difference.pairing.skins
    return {
        "added": [skin_label(b, skin) for skin in pairs.added],
        "removed": [skin_label(a, skin) for skin in pairs.removed],
        "changed": [
            {
                "skin": skin_label(b, change.skin),
                "removed": [a.nodes.label(joint) for joint in change.removed],
                "added": [b.nodes.label(joint) for joint in change.added],
                "reordered": change.reordered,
            }
            for change in difference.skins
        ],
    }


def _meshes(difference: Difference) -> dict[str, Any]:
    a, b, pairs = difference.a, difference.b, difference.pairing.parts
    return {
        "added": [part_label(b, b.parts[part]) for part in pairs.added],
        "removed": [part_label(a, a.parts[part]) for part in pairs.removed],
        "changed": [_mesh(difference, change) for change in difference.parts],
    }


def _mesh(difference: Difference, change: PartChange) -> dict[str, Any]:
    b = difference.b
    return {
        "mesh": part_label(b, b.parts[change.part]),
        "vertices": list(change.vertices),
        "triangles": change.triangles,
        "reshaped": _worst_of(change.reshaped, np.flatnonzero(change.reshaped), "distance_m"),
        "reweighted": _worst_of(change.reweighted, change.reweighted_vertices, "share"),
        "joints": [
            {"joint": _joint_name(difference, joint), "most": most} for joint, most in change.joints
        ],
        "attributes": [asdict(attribute) for attribute in change.attributes],
        "stated": [
            {"what": said.name, "from": said.before, "to": said.after} for said in change.statements
        ],
    }


def _worst_of(amounts: FloatArray, changed: Any, unit: str) -> dict[str, Any]:  # noqa: ANN401
    ranked = sorted(map(int, changed), key=lambda vertex: -amounts[vertex])
    most = _finite(float(amounts.max(initial=0.0)))
    return {"count": len(ranked), "ids": ranked[:MOST_IDS], unit: most}


def _clips(difference: Difference) -> dict[str, Any]:
    a, b, pairs = difference.a, difference.b, difference.pairing.clips

    return {
        "added": [clip_label(b, clip) for clip in pairs.added],
        "removed": [clip_label(a, clip) for clip in pairs.removed],
        "renamed": [
            {"from": clip_label(a, change.was), "to": clip_label(b, change.clip)}
            for change in difference.motion.clips
            if change.renamed
        ],
        "changed": [
            {
                "clip": clip_label(b, change.clip),
                "span_s": [list(span) for span in change.spans],
                "removed": [" ".join(curve) for curve in change.removed],
                "added": [" ".join(curve) for curve in change.added],
                "joint": None if change.joint is None else b.nodes.label(change.joint),
                "time": change.time,
                "distance_m": change.moved,
            }
            for change in difference.motion.clips
            if change.is_other
        ],
    }


def _joint_name(difference: Difference, node: int) -> str:
    """Return the name of a node of the second rig, or of the first as −1 − node."""
    if node >= 0:
        return difference.b.nodes.label(node)
    return difference.a.nodes.label(-1 - node)


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def as_text(difference: Difference, a: str, b: str) -> str:
    """Return a difference as people read it."""
    found = as_dict(difference, a, b)
    lines = [f"{a} → {b}"]
    for heading, said in (
        ("joints", _joint_lines(found["joints"])),
        ("skins", _skin_lines(found)),
        ("meshes", _mesh_lines(found["meshes"])),
        ("clips", _clip_lines(found["clips"])),
        ("deformation (linear)", _deformation_lines(found["deformation"])),
    ):
        told = list(said)
        if told:
            lines += [f"  {heading}", *(f"    {line}" for line in told)]
    if difference.same:
        lines.append("  no difference")
    return "".join(f"{one_line(line)}\n" for line in lines)


def _few(lines: list[str]) -> list[str]:
    if len(lines) <= _MOST_LINES:
        return lines
    left = len(lines) - _MOST_LINES
    return [*lines[:_MOST_LINES], f"… {left} more"]


def _joint_lines(joints: dict[str, Any]) -> Iterator[str]:
    yield from _few([f"+ {name}" for name in joints["added"]])
    yield from _few([f"- {name}" for name in joints["removed"]])
    yield from _few([f"{c['from']} renamed to {c['to']}" for c in joints["renamed"]])
    yield from _few(
        [
            f"{c['joint']} hangs under {c['to'] or 'nothing'}, not {c['from'] or 'nothing'}"
            for c in joints["reparented"]
        ]
    )
    moved = sorted(joints["moved"], key=lambda c: -_far(c["distance_m"]))
    yield from _few([f"{c['joint']} moved {_mm(c['distance_m'])}" for c in moved])
    turned = sorted(joints["turned"], key=lambda c: -c["angle_deg"])
    yield from _few([f"{c['joint']} turned {c['angle_deg']:.2f}°" for c in turned])
    yield from _few([f"{c['joint']} scaled by {c['factor']:.4g}" for c in joints["scaled"]])


def _skin_lines(found: dict[str, Any]) -> Iterator[str]:
    skins = found["skins"]
    yield from (f"+ {name}" for name in skins["added"])
    yield from (f"- {name}" for name in skins["removed"])
    for change in skins["changed"]:
        yield from _few([f"{change['skin']}: + {name}" for name in change["added"]])
        yield from _few([f"{change['skin']}: - {name}" for name in change["removed"]])
        if change["reordered"]:
            yield f"{change['skin']}: joints listed in another order"
    yield from _few(
        [f"{c['skin']}: {c['joint']} bound {', '.join(_bound_otherwise(c))}" for c in found["bind"]]
    )


def _bound_otherwise(change: dict[str, Any]) -> Iterator[str]:
    """Yield how a joint is bound otherwise than it was."""
    if change["distance_m"] != 0.0:
        yield f"{_mm(change['distance_m'])} off"
    if change["angle_deg"] != 0.0:
        yield f"turned {change['angle_deg']:.2f}°"
    if change["factor"] != 1.0:
        yield f"scaled by {change['factor']:.4g}"


def _mesh_lines(meshes: dict[str, Any]) -> Iterator[str]:
    yield from (f"+ {name}" for name in meshes["added"])
    yield from (f"- {name}" for name in meshes["removed"])
    for change in meshes["changed"]:
        name, (before, after) = change["mesh"], change["vertices"]
        if before != after:
            yield f"{name}: {after} vertices, not {before}; weights and shape cannot be compared"
        elif change["triangles"]:
            yield f"{name}: other triangles"
        moved, weights = change["reshaped"], change["reweighted"]
        if moved["count"]:
            many = count(moved["count"], "vertex")
            yield f"{name}: {many} moved up to {_mm(moved['distance_m'])}"
        if weights["count"]:
            joints = ", ".join(c["joint"] for c in change["joints"][:_MOST_LINES])
            many = count(weights["count"], "vertex")
            share = 100.0 * (weights["share"] or 0.0)
            yield f"{name}: weights of {many} changed by up to {share:.1f} % ({joints})"
        yield from _few([f"{name}: {_attribute(row)}" for row in change["attributes"]])
        for row in change["stated"]:
            sides = (row[side] or "not stated" for side in ("from", "to"))
            yield f"{name}: {row['what']} {' → '.join(sides)}"


def _attribute(row: dict[str, Any]) -> str:
    if row["change"] != "changed":
        return f"{'+' if row['change'] == 'added' else '-'} {row['name']}"
    many, most, unit = count(row["vertices"], "vertex"), row["most"], row["unit"]
    far = _mm(most) if unit == "m" else f"{most:.3g}{unit}"
    return f"{row['name']} of {many} changed by up to {far}"


def _clip_lines(clips: dict[str, Any]) -> Iterator[str]:
    yield from _few([f"+ {name}" for name in clips["added"]])
    yield from _few([f"- {name}" for name in clips["removed"]])
    yield from _few([f"{c['from']} renamed to {c['to']}" for c in clips["renamed"]])
    for change in clips["changed"]:
        name, (before, after) = change["clip"], change["span_s"]
        if before != after:
            yield f"{name}: {after[0]:.3f} to {after[1]:.3f} s, not {before[0]:.3f} to {before[1]:.3f}"
        for sign, curves in (("+", change["added"]), ("-", change["removed"])):
            if curves:
                shown = ", ".join(_few(curves))
                yield f"{name}: {sign} {count(len(curves), 'curve')}: {shown}"
        if change["joint"] is not None:
            place = f"{change['joint']} at {change['time']:.3f} s"
            yield f"{name}: joints stand up to {_mm(change['distance_m'])} elsewhere ({place})"


def _deformation_lines(worst: list[dict[str, Any]]) -> Iterator[str]:
    for row in sorted(worst, key=lambda row: -row["distance_m"])[:_MOST_LINES]:
        where = "rest" if row["clip"] is None else f"{row['clip']} at {row['time']:.3f} s"
        yield f"{where}: up to {_mm(row['distance_m'])} ({row['mesh']}, vertex {row['vertex']})"


def _far(metres: float | None) -> float:
    return math.inf if metres is None else metres


def _mm(metres: float | None) -> str:
    if metres is None:
        return "infinitely far"
    return f"{1000.0 * metres:.4g} mm" if metres < 10.0 else length_words(metres)
