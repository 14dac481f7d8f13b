"""``rigview bake``: the skinned vertices of one pose, or of every frame of every clip."""

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rigview.cli import choices, vertex_stages
from rigview.cli.output import refuse_place
from rigview.cli.progress import Line
from rigview.cli.source import opened
from rigview.cli.status import OK, UsageError, say

if TYPE_CHECKING:
    from rigview.core.arrays import FloatArray
    from rigview.core.clip import Clip
    from rigview.core.deform import Deformer

HELP = "write the skinned vertices of one pose, or of all frames"
EXAMPLE = "rigview bake hero.glb -o pose.npz --clip Walk --time 0.5 --method dqs"
# The word for every clip.
ALL = "all"
# Characters of a clip's name in the name of a file.
_LONGEST = 40


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    choices.add_pose(command, "literal", clips=f'; "{ALL}" is every frame of every clip')
    command.add_argument(
        "-o",
        "--output",
        dest="out",
        type=Path,
        metavar="OUT.npz|.obj|.ply",
        required=True,
        help=f"the file; with --clip {ALL} a file per frame, pose.0.Walk.0012.obj for pose.obj",
    )
    command.add_argument(
        "--method",
        default="lbs",
        help=f"{choices.METHOD_HELP}, or file for the method and blend weights that the file itself "
        "carries (default lbs)",
    )
    command.add_argument(
        "--backend", choices=("cpu", "gl"), default="cpu", help="gl skins with the shaders"
    )
    vertex_stages.add(command)


def run(options: argparse.Namespace) -> int:
    """Skin every primitive of the scene and write positions and normals in world space."""
    from rigview.io.snapshot import WRITERS

    if options.out.suffix.lower() not in WRITERS:
        raise UsageError(f"{options.out}: the suffix must be one of {', '.join(WRITERS)}")
    if options.backend != "gl" and vertex_stages.are_given(options):
        raise UsageError("--joint-bits, --weight-bits and --dual-route go with --backend gl")
    choices.skin_options(options)
    choices.methods(options.method)
    loaded = opened(options)
    deformer = choices.deformer(options, loaded.rig, "literal")
    if options.clip == ALL:
        return _write_all(options, deformer)
    clip = choices.clip(loaded.rig, options.clip)
    time = choices.seconds(options, loaded.rig, clip)
    _write(options, deformer, Moment(clip, time), options.out)
    say(str(options.out))
    return OK


@dataclass(frozen=True)
class Moment:
    """A time of a clip; None is the rest pose."""

    clip: "Clip | None"
    time: float


def _write_all(options: argparse.Namespace, deformer: "Deformer") -> int:
    """Write every frame of every clip into a file of its own."""
    from rigview.core.motion.deltas import frame_times
    from rigview.io.describe import frame_rate

    rig = deformer.rig
    if options.time is not None or options.frame is not None:
        raise UsageError(f"--clip {ALL} writes every frame: leave --time and --frame out")
    if not rig.clips:
        raise UsageError(f"{options.file}: there is no clip whose frames could be written")
    if options.fps is not None and not options.fps > 0.0:
        raise UsageError("--fps must be above 0")
    rate = options.fps or frame_rate(rig)
    frames = [
        (place, Moment(clip, float(time)))
        for number, clip in enumerate(rig.clips)
        for place, time in _places(
            options.out, f"{number}.{rig.clip_names[number]}", frame_times(clip, rate)
        )
    ]
    for place, _ in frames:
        refuse_place(place, options)
    with Line() as line:
        for done, (place, moment) in enumerate(frames):
            line.tell_share("frames", done / len(frames))
            _write(options, deformer, moment, place)
            line.clear()
            say(str(place))
    return OK


def _places(out: Path, clip: str, times: "FloatArray") -> "Iterator[tuple[Path, float]]":
    """Yield the file of every frame of a clip, and its time: hero.0.Walk.0012.obj for hero.obj.

    Clips of one name differ by their numbers.
    """
    digits = max(4, len(str(len(times) - 1)))
    # Other characters mean something to a system or a shell.
    name = re.sub(r"[^\w.-]+", "_", clip)[:_LONGEST]
    for frame, time in enumerate(times):
        yield out.with_name(f"{out.stem}.{name}.{frame:0{digits}}{out.suffix}"), time


def _write(options: argparse.Namespace, deformer: "Deformer", moment: Moment, out: Path) -> None:
    """Skin one pose and write it."""
    from rigview.app.drawing import skinned_by_shaders
    from rigview.core.pose import sample
    from rigview.core.skinning import ASKED
    from rigview.io.snapshot import PosedScene, write

    settings, method = choices.skin_options(options), ASKED[choices.methods(options.method)[0]]
    frame = deformer.frame(sample(deformer.rig, moment.clip, moment.time))
    if options.backend == "gl":
        stage = vertex_stages.chosen(options)
        skinned = skinned_by_shaders(deformer, frame, method, settings, stage)
    else:
        skinned = deformer.skin_all(frame, method, settings)
    write(PosedScene.of(deformer.rig, skinned), out)
