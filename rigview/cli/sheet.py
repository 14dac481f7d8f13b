"""``rigview sheet``: a contact sheet, times across and methods down."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from rigview.cli import choices, pictures
from rigview.cli.progress import Line
from rigview.cli.source import opened
from rigview.cli.status import OK, UsageError, say

if TYPE_CHECKING:
    from rigview.io import Loaded
    from rigview.render.motion import RigMotion
    from rigview.render.review import Review, SheetColumn

HELP = "render a contact sheet: times across, methods down"
EXAMPLE = "rigview sheet hero.glb -o walk.png --clip Walk --frames 6 --panes dqs,compensated"
_DEFAULT_SIZE = (1920, 1080)
_MOST_FRAMES = 64


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    choices.add_pose(command)
    command.add_argument("-o", "--output", dest="out", type=Path, metavar="OUT.png", required=True)
    command.add_argument(
        "--frames", type=int, metavar="N", default=6, help="times, evenly over the clip (default 6)"
    )
    command.add_argument(
        "--times",
        choices=("even", "keys", "findings", "worst", "notes"),
        default="even",
        help="evenly over the clip (default), at its keys, where rules find something, one panel per "
        "joint in its worst pose of all clips, or at its notes, each seen as its author saw it; at most "
        "--frames of them",
    )
    pictures.add(command, "1920x1080")
    pictures.add_notes(command)


def run(options: argparse.Namespace) -> int:
    """Render the clip at the chosen times under every method."""
    from rigview.core.stance import front
    from rigview.io.files import save_bytes
    from rigview.render import image, review
    from rigview.render.camera import Camera
    from rigview.render.context import headless

    pictures.must_be_png(options)
    if not 1 <= options.frames <= _MOST_FRAMES:
        raise UsageError(f"--frames must be 1 to {_MOST_FRAMES}")
    loaded = opened(options)
    rig = loaded.rig
    clip = choices.clip(rig, options.clip)
    methods = pictures.methods(options, rig)
    size = options.size or _DEFAULT_SIZE
    if options.times == "worst":
        return _worst(options, loaded, methods, size)
    start = choices.seconds(options, rig, clip)
    motion = pictures.motion(options, loaded, choices.deformer(options, rig), clip)
    look = pictures.look(options, motion)
    times = _times(options, motion) or motion.even_times(options.frames, start)
    frames = [motion.frame(time) for time in times]
    camera = Camera().looking(options.view or "three-quarter", front(motion.deformer))
    wanted = review.Review(methods, camera, look, size)
    wanted = review.framing_all(motion.deformer, frames, wanted)
    cells = _columns(options, motion, times, wanted)
    with Line() as line, headless():
        pixels = review.sheet(motion.deformer, cells, wanted, line.tell_share)
    save_bytes(options.out, image.png(pixels, {"Software": "rigview"}))
    say(str(options.out))
    return OK


def _columns(
    options: argparse.Namespace, motion: "RigMotion", times: list[float], wanted: "Review"
) -> "list[SheetColumn]":
    """Return the columns with the notes of their frames, and of notes that are asked for their cameras."""
    from rigview.render.note_view import camera_of, notes_at
    from rigview.render.review import SheetColumn, sheet_aspect

    notes, aspect, result = pictures.notes(options), sheet_aspect(wanted, len(times)), []
    for time in times:
        own, camera = notes_at(notes, motion.name, time, motion.rate), None
        views = [one.note.view for one in own if one.note.view is not None]
        if options.times == "notes" and views:
            camera = camera_of(views[0], wanted.camera, aspect)
        result.append(SheetColumn(motion.frame(time), motion.caption(time), own, camera))
    return result


def _times(options: argparse.Namespace, motion: "RigMotion") -> list[float]:
    """Return the times of keys or findings, some of them evenly where there are too many; else none."""
    import numpy as np

    from rigview.check.run import run as check

    clip = motion.clip
    if clip is None or options.times == "even":
        return []
    if options.times == "notes":
        notes = pictures.notes(options)
        found = sorted({n.time for n in notes.each if n.clip == motion.name})
        if not found:
            raise UsageError(f"{options.file}: there is no note on {motion.name}")
    elif options.times == "keys":
        found = [float(time) for time in clip.stated_times]
    else:
        findings = check(motion.deformer.rig).findings
        found = sorted({f.time for f in findings if f.time is not None and f.is_in(clip)})
        if not found:
            raise UsageError(f"no rule finds anything at a time of {motion.name}")
    places = np.unique(np.rint(np.linspace(0, len(found) - 1, min(options.frames, len(found)))))
    return [found[int(place)] for place in places]


def _worst(
    options: argparse.Namespace, loaded: "Loaded", methods: tuple[str, ...], size: tuple[int, int]
) -> int:
    """Render one panel per joint in its worst pose."""
    from rigview.app import worst_panels
    from rigview.app.measuring import worst_of_joints
    from rigview.core.measures.joint_meter import JointMeter
    from rigview.core.measures.joint_scan import JointPlan, scan_joints
    from rigview.io.files import save_bytes
    from rigview.render import image
    from rigview.render.context import headless

    rig = loaded.rig
    if options.time is not None:
        raise UsageError("--times worst and --time exclude each other")
    clips = rig.clips if options.clip is None else (choices.clip(rig, options.clip),)
    deformer = choices.deformer(options, rig)
    motion = pictures.motion(options, loaded, deformer, choices.clip(rig, options.clip))
    look = pictures.look(options, motion)
    meter = JointMeter(deformer)
    with Line() as line:
        plan = JointPlan(methods, look.options)
        scan = scan_joints(
            meter, [c for c in clips if c is not None], plan, progress=line.tell_share
        )
        poses = worst_of_joints(scan)
        beyond = [worst for worst in poses if worst.severity >= 1.0] or list(poses[:1])
        if not beyond:
            raise UsageError(f"{options.file}: no clip deforms a joint, so there is no worst pose")
        panels = [
            worst_panels.panel_of(meter, scan.clips[worst.clip], worst)
            for worst in beyond[: options.frames]
        ]
        with headless():
            pixels = worst_panels.sheet(meter, panels, look, size, methods, line.tell_share)
    save_bytes(options.out, image.png(pixels, {"Software": "rigview"}))
    say(str(options.out))
    return OK
