"""``rigview metrics``: what each method costs the shape over a clip, where, and at which joints."""

import argparse
import math
from typing import TYPE_CHECKING

from rigview.cli import choices, many, output
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
    choices.add_pose(command, several=True)
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
    output.add_out(command, "OUT", "instead of stdout; a folder has a file per rig")
    output.add_form(command, "csv")
    command.add_argument(
        "--csv",
        nargs="?",
        const="curves",
        choices=("curves", "joints"),
        help="one row per time and method (curves, the default), or per joint at its worst (joints)",
    )


def run(options: argparse.Namespace) -> int:
    """Measure every file."""
    if options.csv:
        if options.format == "json":
            raise UsageError("argument --csv: not allowed with argument --json")
        options.format = "csv"
    return many.each(options, many.Each(measure, lambda _options, _file: None))


def measure(options: argparse.Namespace) -> int:
    """Scan a clip at its keys and at even steps, or one pose where --time names it."""
    import numpy as np

    from rigview.app.arguments import rom_of
    from rigview.app.measuring import MeasurePlan, NothingToMeasure, measured_by
    from rigview.cli import joint_report, scan_report
    from rigview.core.measures.scan import Comparison, scan_times
    from rigview.core.skinning import METHODS

    if options.rom and options.clip is not None:
        raise UsageError("--rom and --clip exclude each other")
    methods = tuple(METHODS) if options.methods == "all" else choices.methods(options.methods)
    if options.against is not None:
        choices.methods(options.against)
    comparison = Comparison(methods, options.against, choices.skin_options(options))
    loaded = opened(options)
    motion = None
    if options.rom or (options.clip is None and not loaded.rig.clips):
        motion = rom_of(loaded.rig)
    clip = choices.clip(loaded.rig, options.clip) if motion is None else motion.clip
    time = choices.seconds(options, loaded.rig, clip)
    one_pose = options.time is not None or options.frame is not None
    times = np.array([time]) if one_pose else scan_times(clip, options.fps)
    plan = MeasurePlan(clip, comparison, times, motion, joints=not one_pose)
    try:
        with Line() as line:
            report = measured_by(plan, choices.deformer(options, loaded.rig), line.tell_share)
    except NothingToMeasure as error:
        raise UsageError(f"{options.file}: {error}") from None
    if motion is None and clip is not None and not one_pose:
        _tell_if_tame(loaded.rig, clip)
    file = str(options.file)
    if options.format == "json":
        text = scan_report.as_json(file, report) + "\n"
    elif options.csv == "joints":
        text = joint_report.as_rows(loaded.rig, report.joints, methods)
    elif options.format == "csv":
        text = scan_report.as_csv(report)
    else:
        text = scan_report.as_text(file, report) + "\n"
    output.deliver(text, options.out)
    return OK


def _tell_if_tame(rig: "Rig", clip: "Clip") -> None:
    """Tell a person that a clip shows little."""
    from rigview.core.motion.rom_fallback import TAME, largest_bend

    bend = largest_bend(rig, clip)
    if bend < TAME:
        tell(
            f"the clip turns no joint by more than {math.degrees(bend):.0f}°; "
            "--rom measures a whole range of motion"
        )
