"""``rigview retarget``: a copy of a character with the clips of another skeleton."""

import argparse
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rigview.cli import output
from rigview.cli.progress import Line
from rigview.cli.source import add_overrides, read
from rigview.cli.status import OK, UsageError, say

if TYPE_CHECKING:
    from rigview.app.retargeting import Retargeting

HELP = "play the clips of another skeleton on a character"
EXAMPLE = "rigview retarget walk.bvh hero.glb -o hero.walk.glb"
# Joints of a list that are named.
_MOST_NAMED = 8
_MOTION = "motion"


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.add_argument("motion", type=Path, metavar="MOTION", help="the file with the clips")
    command.add_argument("character", type=Path, metavar="ONTO", help="the file that gets them")
    command.add_argument(
        "-o", "--output", dest="out", type=Path, metavar="OUT", help="the copy of ONTO"
    )
    command.add_argument(
        "--map", dest="map", type=Path, metavar="MAP.toml", help="which joint turns which"
    )
    command.add_argument(
        "--save-map",
        dest="save_map",
        type=Path,
        metavar="MAP.toml",
        help="write the map that was used, to edit it and give it to --map",
    )
    command.add_argument("--clips", metavar="NAMES", help="only these clips, comma-separated")
    command.add_argument(
        "--scale",
        type=float,
        metavar="FACTOR",
        help="how far hips and root move, of their way in MOTION; by default the ratio of the legs",
    )
    command.add_argument(
        "--no-twist",
        dest="twist",
        action="store_false",
        help="leave out turns of arms and legs about their own bones",
    )
    command.add_argument(
        "--no-align",
        dest="align",
        action="store_false",
        help="let arms and legs start from how ONTO rests, not from how MOTION does",
    )
    add_overrides(command, "ONTO")
    add_overrides(command, _MOTION.upper(), prefix=f"{_MOTION}-")
    output.add_form(command)


def run(options: argparse.Namespace) -> int:
    """Retarget the clips, say how far each joint is from its counterpart, and write the copy."""
    from rigview.app.retargeting import retarget_clips
    from rigview.core.motion.retarget import RetargetOptions
    from rigview.io import save, writer
    from rigview.io.joint_map import write_joint_map

    if options.out is None and options.save_map is None and options.format == "text":
        raise UsageError("name the copy with -o, or ask for the map with --save-map")
    how = RetargetOptions(options.scale, options.twist, options.align)
    if how.fault:
        raise UsageError(f"--scale: {how.fault}")
    if options.out is not None:
        writer(options.out)
    motion, loaded = (
        read(options, options.motion, f"{_MOTION}-").rig,
        read(options, options.character),
    )
    clips = [name for name in (options.clips or "").split(",") if name]
    with Line() as line:
        done = retarget_clips(
            motion,
            loaded.rig,
            clips,
            options.map,
            lambda share: line.tell_share("retargeting", share),
            how,
        )
    if options.save_map is not None:
        write_joint_map(options.save_map, done.mapping, motion, loaded.rig)
    notes = save(loaded, done.made.rig, options.out) if options.out is not None else ()
    if options.format == "json":
        print(json.dumps(_facts(done, options), indent=2))
    else:
        _say(done, options)
        for note in notes:
            say(note)
    return OK


def _facts(done: "Retargeting", options: argparse.Namespace) -> dict[str, Any]:
    made, mapping = done.made, done.mapping
    own, other = made.rig.nodes, done.motion.nodes
    joints = []
    for error in made.errors:
        match = mapping.matches[error.joint]
        joints.append(
            {
                "joint": own.label(error.joint),
                "from": other.label(match.source),
                "to": None if match.beyond is None else other.label(match.beyond),
                "share": match.share,
                "by": match.how,
                "degrees": None if math.isnan(error.degrees) else error.degrees,
                "distance_of_leg": error.distance,
            }
        )
    return {
        "motion": str(options.motion),
        "character": str(options.character),
        "out": None if options.out is None else str(options.out),
        "scale": made.scale,
        "clips": [clip.name for clip in made.clips],
        "joints": joints,
        "without_counterpart": [other.label(node) for node in made.unmapped],
    }


def _say(done: "Retargeting", options: argparse.Namespace) -> None:
    from rigview.core.text import count, some_of

    made, mapping = done.made, done.mapping
    own, other = made.rig.nodes, done.motion.nodes
    names = some_of([clip.name for clip in made.clips], _MOST_NAMED)
    joints = count(len(mapping.matches), "joint")
    say(f"{count(len(made.clips), 'clip')} ({names}) on {joints}; moves × {made.scale:.3g}")
    say("joint                        turned by                    bone off   place off")
    for error in made.errors:
        source = other.label(mapping.matches[error.joint].source)
        degrees = "" if math.isnan(error.degrees) else f"{error.degrees:.1f}°"
        say(
            f"{own.label(error.joint):28} {source:28} {degrees:>8} {100.0 * error.distance:>9.1f} %"
        )
    say(
        "bone off: the largest angle between the two bones; place off: the largest distance from where "
        "the motion has the joint, of the length of a leg"
    )
    if made.unmapped:
        told = [other.label(node) for node in made.unmapped]
        say(
            f"{count(len(told), 'joint')} of the motion without counterpart: "
            f"{some_of(told, _MOST_NAMED)}"
        )
    if options.save_map is not None:
        say(f"wrote {options.save_map}")
    if options.out is not None:
        say(f"wrote {options.out}")
