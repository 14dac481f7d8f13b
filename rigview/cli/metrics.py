"""``rigview metrics``: what each method costs the shape over a clip, where, and at which joints."""

import argparse
import math
import sys
from typing import TYPE_CHECKING

from rigview.cli import choices
from rigview.cli.progress import Line
from rigview.cli.source import opened
from rigview.cli.status import OK, UsageError, tell

if TYPE_CHECKING:
    from rigview.core.clip import Clip
    from rigview.core.rig import Rig

HELP = "measure what each method costs the shape, and name the worst frames and joints"
EXAMPLE = "rigview metrics hero.glb --clip Walk --panes lbs,dqs,compensated --json"


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    choices.add_pose(command)
    command.add_argument(
        "--panes",
        "--method",
        dest="methods",
        default="lbs,dqs,compensated",
        metavar="METHODS",
        help=f'of {choices.METHOD_HELP}; comma-separated; "all" takes every method (default %(default)s)',
    )
    command.add_argument(
        "--against",
        metavar="METHOD",
        help="what the difference is measured to (default: the first)",
    )
    command.add_argument(
        "--rom",
        action="store_true",
        help="measure a made-up range of motion instead of a clip; so is a file without clips",
    )
    form = command.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="curves, worst frames and joints")
    form.add_argument("--csv", action="store_true", help="one row per time and method")


def run(options: argparse.Namespace) -> int:
    """Scan a clip at its keys and at even steps, or one pose where --time names it."""
    import numpy as np

    from rigview.assets import resource
    from rigview.cli import scan_report
    from rigview.core.measures.meter import Meter
    from rigview.core.measures.scan import Comparison, scan, scan_times
    from rigview.core.motion.joint_limits import LimitTable
    from rigview.core.motion.range_of_motion import range_of_motion
    from rigview.core.skinning import METHODS

    if options.rom and options.clip is not None:
        raise UsageError("--rom and --clip exclude each other")
    methods = tuple(METHODS) if options.methods == "all" else choices.methods(options.methods)
    if options.against is not None:
        choices.methods(options.against)
    comparison = Comparison(methods, options.against, choices.skin_options(options))
    loaded = opened(options)
    meter = Meter(choices.deformer(options, loaded.rig))
    if not len(meter.mesh):
        raise UsageError(f"{options.file}: no mesh is skinned, so there is nothing to measure")
    motion = None
    if options.rom or (options.clip is None and not loaded.rig.clips):
        motion = range_of_motion(loaded.rig, LimitTable.of(resource("joint_limits.json")))
    clip = choices.clip(loaded.rig, options.clip) if motion is None else motion.clip
    time = choices.seconds(options, loaded.rig, clip)
    times = scan_times(clip, options.fps) if options.time is None else np.array([time])
    if motion is None and clip is not None and options.time is None:
        _tell_if_tame(loaded.rig, clip)
    with Line() as line:
        result = scan(meter, clip, comparison, times=times, progress=line.tell_share)
    name = choices.clip_name(loaded.rig, clip) if motion is None else motion.clip.name
    report = scan_report.Report(
        str(options.file), name, loaded.rig, result, meter.deformer.size, motion
    )
    if options.json:
        print(scan_report.as_json(report))
    elif options.csv:
        sys.stdout.write(scan_report.as_csv(report))
    else:
        print(scan_report.as_text(report))
    return OK


def _tell_if_tame(rig: "Rig", clip: "Clip") -> None:
    """Tell a person that a clip shows little."""
    from rigview.core.motion.range_of_motion import TAME, largest_bend

    bend = largest_bend(rig, clip)
    if bend < TAME:
        tell(
            f"the clip turns no joint by more than {math.degrees(bend):.0f}°; "
            "--rom measures a whole range of motion"
        )
