"""Where on the skin a measure of joint regions comes from: a value per vertex, to be drawn."""

from collections.abc import Sequence

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.measures.joint_measures import MEASURES
from rigview.core.measures.joint_meter import JointMeter, JointPose
from rigview.core.measures.region_crossings import crossing_faces
from rigview.core.methods.posed import Skinned


def heat(
    meter: JointMeter, pose: JointPose, skinned: Sequence[Skinned], measure: str
) -> tuple[FloatArray, ...]:
    """Return per part of the rig ``(V,)`` values of one measure, in its unit; NaN where no region is.

    A vertex of several regions has the worst of its values; one of a region whose joint has not moved has
    the value of an undeformed one. By measure, the value of a vertex is

    * collapse: that of the slices on either side, mixed by its place along the limb;
    * bulge: how far it stands out (`JointMeter.bulges`);
    * volume: that of its region;
    * stretch, compression: the worst ratio of its edges; area: the largest ratio of its faces;
    * flips, intersection: 1 at the corners of such faces, else 0;
    * normal: the angle between its shading normal and the mean of its faces', beyond that at bind.

    Parameters
    ----------
    skinned
        All parts of the scene by one method, as `Deformer.skin_all` returns them.
    measure
        A key of `joint_measures.MEASURES`.
    """
    positions = meter.skin.posed(skinned)
    values = np.full(positions.shape[1], np.nan)
    values[meter.regions.vertices.values] = MEASURES[measure].unchanged
    if len(pose.moving):
        if measure == "normal":
            vertices, found = _normals(meter, pose, skinned, positions)
        else:
            vertices, found = _SOURCES[measure](meter, pose, positions)
        _keep_worst(values, vertices, found, measure)
    return _by_part(meter, values)


def _by_part(meter: JointMeter, values: FloatArray) -> tuple[FloatArray, ...]:
    """Return values of welded vertices for the vertices of all parts of the scene."""
    rig, mesh = meter.deformer.rig, meter.skin.mesh
    result = [np.full(len(rig.primitive(part).positions), np.nan) for part in rig.parts]
    every = values[meter.skin.welded]
    for part, start in zip(mesh.parts, mesh.starts[:-1], strict=True):
        result[part] = every[start : start + len(result[part])]
    return tuple(result)


def _keep_worst(values: FloatArray, vertices: IntArray, found: FloatArray, measure: str) -> None:
    """Enter ``(n,)`` found values where they are worse than what a vertex has."""
    known = ~np.isnan(found)
    vertices, found = vertices[known], found[known]
    order = np.argsort(MEASURES[measure].severity(found), kind="stable")
    # Of several assignments to one place the last, the worst, stays.
    severity = MEASURES[measure].severity
    vertices, found = vertices[order], found[order]
    worse = severity(found) > severity(values[vertices])
    values[vertices[worse]] = found[worse]


def _collapse(
    meter: JointMeter, pose: JointPose, positions: FloatArray
) -> tuple[IntArray, FloatArray]:
    sections, regions = meter.sections, meter.regions
    kept = sections.kept(positions, pose.moving, pose.scales[pose.moving])
    rows, starts = sections.slices.chosen(pose.moving)
    places = sections.places[rows]
    vertices, values = [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    for number, region in enumerate(pose.moving.tolist()):
        own = slice(starts[number], starts[number + 1])
        if own.start == own.stop:
            continue
        of = regions.each[region]
        along = (positions_at_bind(meter, of.vertices) - of.origin) @ of.axis
        lost = 1.0 - np.minimum(kept[own], 1.0)
        vertices.append(of.vertices)
        values.append(np.interp(along, places[own], lost) * of.blended)
    return np.concatenate(vertices), np.concatenate(values)


def positions_at_bind(meter: JointMeter, vertices: IntArray) -> FloatArray:
    """Return ``(n, 3)`` where welded vertices were bound, model space, metres."""
    return np.asarray(meter.skin.positions[:, vertices].T)


def _bulge(
    meter: JointMeter, pose: JointPose, positions: FloatArray
) -> tuple[IntArray, FloatArray]:
    excess, _ = meter.bulges(positions, pose, pose.moving)
    rows, _ = meter.regions.vertices.chosen(pose.moving)
    return meter.regions.vertices.values[rows], excess


def _volume(
    meter: JointMeter, pose: JointPose, positions: FloatArray
) -> tuple[IntArray, FloatArray]:
    moving, regions = pose.moving, meter.regions
    values = meter.surface.read(positions, moving, pose.scales[moving]).volume
    rows, starts = regions.vertices.chosen(moving)
    return regions.vertices.values[rows], np.repeat(values, np.diff(starts))


def _stretch(
    meter: JointMeter, pose: JointPose, positions: FloatArray
) -> tuple[IntArray, FloatArray]:
    ends, ratio, _ = meter.surface.edge_ratios(positions, pose.moving, pose.scales[pose.moving])
    return ends.reshape(-1), np.tile(ratio, 2)


def _compression(
    meter: JointMeter, pose: JointPose, positions: FloatArray
) -> tuple[IntArray, FloatArray]:
    vertices, ratio = _stretch(meter, pose, positions)
    return vertices, 1.0 / np.maximum(ratio, np.finfo(np.float64).tiny)


def _area(meter: JointMeter, pose: JointPose, positions: FloatArray) -> tuple[IntArray, FloatArray]:
    rows, growth = meter.surface.area_ratios(positions, pose.moving, pose.scales[pose.moving])
    return meter.regions.faces.values[rows].T.reshape(-1), np.tile(growth, 3)


def _flips(
    meter: JointMeter, pose: JointPose, positions: FloatArray
) -> tuple[IntArray, FloatArray]:
    rows, flipped = meter.surface.flipped(positions, pose.moving)
    corners = meter.regions.faces.values[rows[flipped]].reshape(-1)
    return corners, np.ones(len(corners))


def _intersection(
    meter: JointMeter, pose: JointPose, positions: FloatArray
) -> tuple[IntArray, FloatArray]:
    corners = [np.zeros(0, dtype=np.int64)]
    for region in pose.moving.tolist():
        faces = meter.regions.each[region].faces
        crossing = crossing_faces(positions, meter.skin.positions, faces)
        corners.append(faces[crossing].reshape(-1))
    every = np.concatenate(corners)
    return every, np.ones(len(every))


def _normals(
    meter: JointMeter, pose: JointPose, skinned: Sequence[Skinned], positions: FloatArray
) -> tuple[IntArray, FloatArray]:
    rows, _ = meter.regions.faces.chosen(pose.moving)
    corners = meter.regions.faces.values[rows].T
    error = meter.normal_errors(skinned, positions, corners)
    return corners.reshape(-1), np.tile(error, 3)


_SOURCES = {
    "collapse": _collapse,
    "bulge": _bulge,
    "volume": _volume,
    "stretch": _stretch,
    "compression": _compression,
    "area": _area,
    "flips": _flips,
    "intersection": _intersection,
}
