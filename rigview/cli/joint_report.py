"""The worst poses of joints as text, JSON and CSV: one per joint, with the values under all methods."""

import csv
import io
import math
from collections.abc import Sequence
from typing import Any

from rigview.core import escape
from rigview.core.measures.joint_measures import MEASURES
from rigview.core.measures.measure_words import limit_said, said
from rigview.core.measures.worst_poses import WorstPose
from rigview.core.rig import Rig
from rigview.core.skinning import ASKED

# Rows of the text; the others are counted.
MOST = 12


def as_lines(rig: Rig, poses: Sequence[WorstPose], methods: Sequence[str]) -> list[str]:
    """Return a table of the joints beyond a limit, or the one that comes nearest to one."""
    beyond = [worst for worst in poses if worst.severity >= 1.0]
    if not poses:
        return ["", "no joint deforms"]
    shown = beyond[:MOST] or list(poses[:1])
    names = [rig.nodes.label(worst.joint) for worst in shown]
    width = max(map(len, names)) + 2
    head = "".join(f"{ASKED[method].label:>14}" for method in methods)
    title = "worst poses of joints" if beyond else "no joint beyond a limit; the nearest to one"
    lines = ["", f"{title}, values under each method"]
    lines.append(f"  {'joint':{width}}{'measure':20}{head}{'limit':>8}{'at s':>9}  bend, twist")
    for worst, name in zip(shown, names, strict=True):
        values = "".join(f"{said(worst.measure, worst.values[m]):>14}" for m in methods)
        bend, twist = math.degrees(worst.turn.bend), math.degrees(worst.turn.twist)
        limit = limit_said(worst.measure, worst.limit)
        lines.append(
            f"  {name:{width}}{MEASURES[worst.measure].title:20}{values}{limit:>8}{worst.time:>9.3f}  "
            f"{bend:.0f}°, {twist:.0f}°"
        )
    if len(beyond) > MOST:
        lines.append(f"  and {len(beyond) - MOST} more joints beyond a limit")
    return lines


def as_rows(rig: Rig, poses: Sequence[WorstPose], methods: Sequence[str]) -> str:
    """Return CSV, one row per joint."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    head = ("joint", "measure", "time_s", "bend_deg", "twist_deg", "severity", "limit", *methods)
    rows.writerow(head)
    for worst in poses:
        stated = _stated(rig, worst, methods)
        values = ["" if value is None else value for value in stated["values"].values()]
        own = [stated[key] for key in head[1 : len(head) - len(methods)]]
        rows.writerow([escape.cell(stated["joint"]), *own, *values])
    return out.getvalue()


def as_entries(
    rig: Rig, poses: Sequence[WorstPose], methods: Sequence[str]
) -> list[dict[str, Any]]:
    """Return one object per joint for JSON."""
    return [_stated(rig, worst, methods) for worst in poses]


def _stated(rig: Rig, worst: WorstPose, methods: Sequence[str]) -> dict[str, Any]:
    values = {method: worst.values[method] for method in methods}
    return {
        "joint": rig.nodes.label(worst.joint),
        "measure": worst.measure,
        "time_s": worst.time,
        "bend_deg": math.degrees(worst.turn.bend),
        "twist_deg": math.degrees(worst.turn.twist),
        "method": worst.method,
        "severity": worst.severity,
        "limit": worst.limit,
        "values": {m: value if math.isfinite(value) else None for m, value in values.items()},
    }
