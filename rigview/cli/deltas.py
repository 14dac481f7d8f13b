"""``rigview deltas``: how far each joint turns against its parent from frame to frame."""

import argparse
import csv
import json
import sys
from typing import TYPE_CHECKING

from rigview.cli import choices, output
from rigview.cli.source import add_file, opened
from rigview.cli.status import OK, UsageError, say
from rigview.core import escape

if TYPE_CHECKING:
    from rigview.core.motion.deltas import Deltas
    from rigview.core.rig import Rig

HELP = "say how far each joint turns from frame to frame, and mark jumps"
EXAMPLE = "rigview deltas hero.glb --clip Walk --csv"

_NOTE = (
    "positions show no twist about a link, and show a bend at the joint below the one that turns"
)


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_file(command, fps=False)
    command.add_argument("--clip", metavar="NAME|INDEX", help=f"default: {choices.DEFAULT_CLIP}")
    command.add_argument("--fps", type=float, metavar="F", help="default: the file's, else 30")
    command.add_argument(
        "--from",
        dest="source",
        choices=("transforms", "positions"),
        default="transforms",
        help=f"what the rotations are taken from; {_NOTE}",
    )
    command.add_argument(
        "--limit", type=float, default=90.0, metavar="DEG", help="a jump turns further (default 90)"
    )
    form = output.add_form(command, "csv")
    form.add_argument(
        "--csv", dest="format", action="store_const", const="csv", help="same as --format csv"
    )


def run(options: argparse.Namespace) -> int:
    """Measure a clip frame by frame."""
    from rigview.core.motion.deltas import deltas, frame_times
    from rigview.io.describe import frame_rate

    if options.fps is not None and not options.fps > 0.0:
        raise UsageError("--fps must be above 0")
    if not 0.0 <= options.limit <= 180.0:
        raise UsageError("--limit must be 0 to 180 degrees")
    rig = opened(options).rig
    clip = choices.clip(rig, options.clip)
    if clip is None:
        raise UsageError(f"{options.file}: there is no clip to measure")
    fps = options.fps or frame_rate(rig)
    found = deltas(rig, clip, frame_times(clip, fps), options.source)
    if options.format == "csv":
        _write_csv(rig, found, options.limit)
    elif options.format == "json":
        document = {
            "file": str(options.file),
            "clip": choices.clip_name(rig, clip),
            "fps": fps,
        } | _facts(rig, found, options.limit)
        print(escape.json(json.dumps(document, indent=1, allow_nan=False)))
    else:
        say(
            f"{options.file}: clip {choices.clip_name(rig, clip)} at {fps:g} fps, by {found.source}"
        )
        if found.source == "positions":
            print(f"  note: {_NOTE}")
        print("\n".join(_table(rig, found, options.limit)))
    return OK


def _facts(rig: "Rig", found: "Deltas", limit: float) -> dict[str, object]:
    import numpy as np

    from rigview import __version__

    return {
        "version": __version__,
        "source": found.source,
        "limit_deg": limit,
        "times_s": found.times[1:].tolist(),
        "joints": [rig.nodes.label(joint) for joint in found.joints],
        "angles_deg": np.degrees(found.angles).tolist(),
        "rotations_xyzw": found.rotations.tolist(),
        "jumps": [
            {
                "joint": rig.nodes.label(jump.joint),
                "time_s": jump.time,
                "angle_deg": float(np.degrees(jump.angle)),
            }
            for jump in found.jumps(np.radians(limit))
        ],
    }


def _write_csv(rig: "Rig", found: "Deltas", limit: float) -> None:
    import numpy as np

    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(["time_s", "joint", "angle_deg", "x", "y", "z", "w", "jump"])
    names = [escape.cell(rig.nodes.label(joint)) for joint in found.joints]
    for time, turns, angles in zip(found.times[1:], found.rotations, found.angles, strict=True):
        for name, turn, angle in zip(names, turns, np.degrees(angles), strict=True):
            rows.writerow([float(time), name, float(angle), *turn.tolist(), int(angle > limit)])


def _table(rig: "Rig", found: "Deltas", limit: float) -> list[str]:
    """Return a line per joint that turns, the fastest first, and a line per jump."""
    import numpy as np

    from rigview.core.text import one_line

    angles = np.degrees(found.angles)
    if not angles.size:
        return ["  nothing to compare: one frame, or no joint"]
    most = angles.max(axis=0)
    lines = [f"  {'joint':32}{'mean °':>9}{'most °':>9}{'at s':>9}  jumps"]
    for i in np.argsort(-most, kind="stable"):
        if most[i] < 0.05:
            continue
        at = int(np.argmax(angles[:, i]))
        jumps = int(np.count_nonzero(angles[:, i] > limit))
        lines.append(
            f"  {rig.nodes.label(found.joints[i])[:31]:32}{angles[:, i].mean():>9.1f}"
            f"{most[i]:>9.1f}{found.times[at + 1]:>9.3f}  {jumps or ''}"
        )
    for jump in found.jumps(np.radians(limit)):
        name, angle = rig.nodes.label(jump.joint), np.degrees(jump.angle)
        lines.append(f"  jump: {name} turns {angle:.0f}° in the frame before {jump.time:.3f} s")
    return [one_line(line).rstrip() for line in lines]
