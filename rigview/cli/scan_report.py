"""A scan as text, JSON and CSV."""

import csv
import io
import json
from typing import Any

import numpy as np

from rigview import __version__
from rigview.app.measuring import Measurement
from rigview.cli import joint_report
from rigview.core import escape
from rigview.core.arrays import FloatArray
from rigview.core.measures.quantities import COLUMNS, QUANTITIES, Quantity
from rigview.core.measures.scan import WorstValue
from rigview.core.skinning import ASKED
from rigview.core.text import one_line

# Joints named in the text's last column.
_NAMED = 2


def as_text(file: str, report: Measurement) -> str:
    """Return a table: per method and quantity the mean, and the worst with its time and joints."""
    scan = report.scan
    lines = [
        f"{file}: {_where(report)}",
        f"  {_volume(report)}",
        f"  difference to {ASKED[scan.reference].label} in % of H = {report.size:.4g} m; "
        "bulge and collapse in % of the distance to the bone",
    ]
    for method in scan.curves:
        lines += ["", f"{ASKED[method].label:17}{'mean':>9}{'worst':>9}{'at s':>9}  joints"]
        for quantity in QUANTITIES.values():
            worst = scan.worst(method, quantity)
            if worst is None:
                lines.append(f"  {quantity.label:15}{'–':>9}")
                continue
            mean = scan.overall(method, quantity.columns[0])
            lines.append(
                f"  {quantity.label:15}{_figure(quantity, mean):>9}"
                f"{_figure(quantity, worst.value):>9}{worst.time:>9.3f}  "
                + _blame(report, quantity, worst)
            )
    if report.joints:
        lines += joint_report.as_lines(report.rig, report.joints, tuple(scan.curves))
    return "\n".join(one_line(line).rstrip() for line in lines)


def as_csv(report: Measurement) -> str:
    """Return one row per time and method, with every figure; empty where it cannot be said."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["clip", "time_s", "method", *COLUMNS])
    for i, time in enumerate(report.scan.times):
        for method, curves in report.scan.curves.items():
            figures = [_stated(curves.figures[column][i]) for column in COLUMNS]
            values = ["" if v is None else v for v in figures]
            rows.writerow([escape.cell(report.clip or ""), float(time), method, *values])
    return out.getvalue()


def as_json(file: str, report: Measurement) -> str:
    """Return everything: curves, worst frames, and each joint's worst over the clip."""
    scan = report.scan
    document = {
        "version": __version__,
        "file": file,
        "clip": report.clip,
        "height_m": report.size,
        "rest_volume_m3": _stated(scan.rest_volume),
        "closed_borders": scan.holes,
        "against": scan.reference,
        "quantities": {
            q.id: {"label": q.label, "meaning": q.meaning, "unit": q.unit, "worse": q.worse}
            for q in QUANTITIES.values()
        },
        "times_s": scan.times.tolist(),
        "methods": {method: _method(report, method) for method in scan.curves},
        "worst_poses": joint_report.as_entries(report.rig, report.joints, tuple(scan.curves)),
    }
    return escape.json(json.dumps(document, indent=1, allow_nan=False))


def _method(report: Measurement, method: str) -> dict[str, Any]:
    curves = report.scan.curves[method]
    worst = {}
    for quantity in QUANTITIES.values():
        place = report.scan.worst(method, quantity)
        worst[quantity.id] = place and {
            "time_s": place.time,
            "value": place.value,
            "shows": report.shown(place.time) or None,
            "joints": [
                {"joint": report.rig.nodes.label(node), "value": value}
                for node, value in place.joints
            ],
        }
    return {
        "curves": {c: [_stated(v) for v in values] for c, values in curves.figures.items()},
        "worst": worst,
        "joints": {
            report.rig.nodes.label(node): {
                quantity.id: _worst_of(quantity, curves.joints[quantity.id][:, i])
                for quantity in QUANTITIES.values()
            }
            for i, node in enumerate(report.scan.joints)
        },
    }


def _worst_of(quantity: Quantity, values: FloatArray) -> float:
    return float(values[int(np.argmax(quantity.badness(values)))])


def _stated(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _where(report: Measurement) -> str:
    if report.clip is None:
        return "rest pose"
    times = report.scan.times
    if len(times) == 1:
        return f"clip {report.clip} at {times[0]:.3f} s"
    return f"clip {report.clip}, {len(times)} times from {times[0]:.3f} to {times[-1]:.3f} s"


def _volume(report: Measurement) -> str:
    scan = report.scan
    if np.isnan(scan.rest_volume):
        return "the mesh encloses no volume"
    borders = "1 border" if scan.holes == 1 else f"{scan.holes} borders"
    how = f"; {borders} of the open mesh closed for it" if scan.holes else ""
    return f"volume at rest {scan.rest_volume:.4g} m³{how}"


def _figure(quantity: Quantity, value: float) -> str:
    """Return a figure as people read it."""
    match quantity.unit:
        case "share":
            return f"{100.0 * value:.1f} %"
        case "rad":
            return f"{np.degrees(value):.1f}°"
        case "count":
            return f"{value:.0f}"
    return f"{value:.3f} ×"


def _blame(report: Measurement, quantity: Quantity, worst: WorstValue) -> str:
    """Return the joints to blame with their values, and what a range of motion shows there."""
    if not worst.joints:
        return ""
    named = [
        f"{report.rig.nodes.label(node)} {_figure(quantity, value)}"
        for node, value in worst.joints[:_NAMED]
    ]
    shown = report.shown(worst.time)
    return ", ".join(named) + (f" ({shown})" if shown else "")
