"""What the commands that draw ask for: panes, size, shading, overlays and the view."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rigview.app.facts import (
    MEASURES,
    OVERLAYS,
    PICTURE_SIDES,
    SHADINGS,
    VIEWS,
    switches,
)
from rigview.cli import choices
from rigview.cli.status import UsageError, tell
from rigview.core.text import unknown_name

if TYPE_CHECKING:
    from rigview.core.clip import Clip
    from rigview.core.deform import Deformer
    from rigview.core.review_notes import ReviewNotes
    from rigview.core.rig import Rig
    from rigview.io import Loaded
    from rigview.render.look import Look
    from rigview.render.motion import RigMotion
    from rigview.render.review import Review
    from rigview.render.session import Session

_SMALLEST, _LARGEST = PICTURE_SIDES
# Overlays that are drawn unasked.
_GIVEN = ("grid", "shadow")
_OVERLAYS = [name for name in OVERLAYS if name not in _GIVEN]


def add(command: argparse.ArgumentParser, default_size: str) -> None:
    """Declare the arguments."""
    command.add_argument(
        "--panes",
        "--method",
        metavar="METHODS",
        help=f"of {choices.METHOD_HELP} and file, which is what the file itself asks for; "
        "comma-separated (default lbs,dqs,compensated, and lbs where there is no mesh)",
    )
    add_frame(command, default_size)
    command.add_argument("--shade", choices=tuple(SHADINGS), help="default clay")
    command.add_argument(
        "--measure",
        choices=MEASURES,
        help="what --shade heat shows, default collapse",
    )
    command.add_argument("--joint", metavar="NAME", help="select a joint")
    for name in _OVERLAYS:
        flag, text = f"--{name.replace('_', '-')}", OVERLAYS[name].text.lower()
        command.add_argument(flag, action="store_true", default=None, help=text)
    command.add_argument("--transparent", action="store_true", default=None)


def add_notes(command: argparse.ArgumentParser) -> None:
    """Declare --no-notes."""
    command.add_argument(
        "--no-notes", action="store_true", help="leave out the notes that stand beside the rig"
    )


def notes(options: argparse.Namespace) -> "ReviewNotes":
    """Return the notes on the file that shall be shown."""
    from rigview.core.review_notes import ReviewNotes
    from rigview.io.review_notes import notes_beside

    return ReviewNotes() if options.no_notes else notes_beside(options.file)


def add_session(command: argparse.ArgumentParser) -> None:
    """Declare the picture whose view shall be shown again."""
    command.add_argument(
        "--session", type=Path, metavar="FILE.png", help="take view, clip and time from a picture"
    )


def taken_over(options: argparse.Namespace) -> "Session | None":
    """Return the session of the picture that is named, in the place of arguments that are not given."""
    from rigview.app.sessions import picture_session

    if options.session is None:
        return None
    saved = picture_session(options.session)
    if options.clip is None:
        options.clip = saved.clip or "none"
        if options.time is None and options.frame is None:
            options.time = saved.time
    options.joint = options.joint or saved.joint
    options.weights = options.weights or saved.weights
    return saved


def with_made_clip(
    options: argparse.Namespace, saved: "Session | None", loaded: "Loaded"
) -> "Loaded":
    """Return the file with the clip of a picture that was made, if it is that which is asked for."""
    from rigview.app.sessions import remade

    made = None if saved is None else saved.made
    if saved is None or made is None or options.clip != saved.clip or options.clips_from:
        return loaded
    again = remade(loaded.rig, made, options.session)
    if again.clip is None:
        raise UsageError(f"{options.session}: {again.missing}")
    if again.missing:
        tell(f"{options.session}: {again.missing}")
    clips = list(again.rig.clips)
    own = clips.pop(again.clip)
    rig = replace(again.rig, clips=(own, *clips))
    options.clip = rig.clip_names[0]
    options.recipes = {options.clip: made}
    return replace(loaded, rig=rig)


def add_frame(command: argparse._ActionsContainer, default_size: str) -> None:
    """Declare size and view."""
    command.add_argument("--size", type=_size, metavar="WxH", help=f"default {default_size}")
    command.add_argument(
        "--view",
        choices=VIEWS,
        help="default three-quarter",
    )


def _size(text: str) -> tuple[int, int]:
    try:
        width, height = (int(number) for number in text.lower().split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is not like 1280x720") from None
    if not (_SMALLEST <= width <= _LARGEST and _SMALLEST <= height <= _LARGEST):
        raise argparse.ArgumentTypeError(f"sides must be {_SMALLEST} to {_LARGEST} pixels")
    return width, height


def must_be_png(options: argparse.Namespace) -> None:
    """Check the name of the picture."""
    if options.out.suffix.lower() != ".png":
        raise UsageError(f"{options.out}: pictures are PNG; end the name with .png")


def look(options: argparse.Namespace, motion: "RigMotion", base: "Look | None" = None) -> "Look":
    """Return what the picture shows: what is given, over `base` or the plain mesh.

    An overlay that is asked for and shows nothing is told.
    """
    from rigview.render.look import Look
    from rigview.render.overlay_legend import absence

    rig = motion.deformer.rig
    base = base or Look(bones=False, axes=False)
    joint = None
    if options.joint is not None:
        joint = next((n for n in rig.joints if rig.nodes.label(n) == options.joint), None)
        if joint is None:
            known = [rig.nodes.label(node) for node in rig.joints]
            raise UsageError(unknown_name("joint", options.joint, dict.fromkeys(known)))
    given = {
        "shading": options.shade or ("heat" if options.measure else None),
        "measure": options.measure,
        "transparent": options.transparent,
    }
    changed = {name: value for name, value in given.items() if value is not None}
    for name in _OVERLAYS:
        if getattr(options, name):
            changed |= dict.fromkeys(switches(name), True)
    changed["hidden"] = rig.hidden
    if not rig.parts:
        changed["bones"] = True
    if options.transparent:
        changed["grid"] = False
    wanted = replace(
        base, joint=joint, options=choices.skin_options(options, base.options), **changed
    )
    shown = motion.shown(wanted)
    for name in _OVERLAYS:
        why = absence(name, motion.deformer, shown) if getattr(options, name) else ""
        if why:
            tell(f"{why[0].lower()}{why[1:]}")
    return shown


def methods(
    options: argparse.Namespace, rig: "Rig", usual: "tuple[str, ...] | None" = None
) -> tuple[str, ...]:
    """Return the panes that are asked for; else `usual`, else what there is to compare in the rig."""
    from rigview.core.skinning import DEFAULT_PANES

    if options.panes:
        return choices.methods(options.panes)
    # Bones are the same by every method.
    return usual or (DEFAULT_PANES if rig.parts else DEFAULT_PANES[:1])


def motion(
    options: argparse.Namespace, loaded: "Loaded", deformer: "Deformer", clip: "Clip | None"
) -> "RigMotion":
    """Return the rig as the clip moves it."""
    from rigview.app.drawing import motion_of

    return motion_of(deformer, clip, loaded.path.name, options.fps)


def session(
    options: argparse.Namespace,
    loaded: "Loaded",
    motion: "RigMotion",
    shown: "Review",
    time: float,
) -> "Session":
    """Return what brings a picture's view back."""
    from rigview.app.sessions import session_of

    made = getattr(options, "recipes", {}).get(motion.name)
    return session_of(loaded.path, motion, shown, time, made)
