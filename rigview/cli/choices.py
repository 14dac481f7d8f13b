"""What several commands ask for: rules and profiles, clips and times, methods and their options."""

import argparse
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from rigview.app.facts import METHODS, PROFILES
from rigview.cli.source import add_clips, add_file
from rigview.cli.status import UsageError, tell
from rigview.core.text import unknown_name

if TYPE_CHECKING:
    from rigview.core.clip import Clip
    from rigview.core.deform import Deformer
    from rigview.core.mesh import Weights
    from rigview.core.methods.bulge import Profile
    from rigview.core.rig import Rig
    from rigview.core.skinning import Options
    from rigview.core.templates.template import Template


METHOD_HELP = ", ".join(METHODS)
PROFILE_HELP = (
    f"{PROFILES[0]} (default), {', '.join(PROFILES[1:-1])} or {PROFILES[-1]} (default of a VRM)"
)
# Joints that a message names.
_MOST_TOLD = 5
# Frames of clips whose length was rounded may end so many seconds after them.
_ROUNDED = 1e-3
FAIL_ON_HELP = "the least severity that exits with 1 (default error)"
DEFAULT_CLIP = "the first that moves anything"


def ids(text: str) -> tuple[str, ...]:
    """Parse a comma-separated list of rule ids."""
    return tuple(part.strip().upper() for part in text.split(",") if part.strip())


def add_config(command: argparse.ArgumentParser) -> None:
    """Declare where profile, severities and limits are configured."""
    command.add_argument(
        "--config",
        type=Path,
        metavar="FILE|none",
        help="default: the nearest rigview.toml or pyproject.toml with [tool.rigview] above each "
        "file, else above here",
    )


def add_rules_from(command: argparse.ArgumentParser) -> None:
    """Declare the folder of a studio's own rules."""
    command.add_argument(
        "--rules-from",
        dest="rules_from",
        type=Path,
        metavar="DIR",
        help="ask the rules in the Python files of this folder as well; the files are run",
    )


def add_template(command: argparse.ArgumentParser, *, required: bool = False) -> None:
    """Declare the skeleton to conform to."""
    command.add_argument(
        "--template",
        metavar="T",
        required=required,
        help="hold the skeleton to this template, a .skel.toml or a shipped one "
        "(rigview template --list): rules TPL-*",
    )


def add_rename(command: argparse.ArgumentParser) -> None:
    """Declare the renaming of joints from one standard to another."""
    command.add_argument(
        "--rename",
        metavar="FROM->TO",
        help="rename joints from one template to another, in quotes: 'mixamo->unreal', 'auto->vrm' "
        "(auto goes by the parts of the body); skins, curves and VRM's bones follow",
    )


def renamed(options: argparse.Namespace, rig: "Rig") -> "Rig":
    """Return a rig with the names that are asked for; say on stderr how many joints got others."""
    if options.rename is None:
        return rig
    from rigview.app.renaming import renamed_as
    from rigview.core.text import count, some_of

    done = renamed_as(rig, options.rename)
    pairs = [f"{old} is {new}" for old, new in done.names]
    told = f": {some_of(pairs, _MOST_TOLD)}" if pairs else ""
    tell(f"renamed {count(len(pairs), 'joint')}{told}")
    if done.kept:
        named = some_of(done.kept, _MOST_TOLD)
        tell(f"{count(len(done.kept), 'joint')} without a name there, left as they are: {named}")
    return done.rig


def add_rest_pose(command: argparse.ArgumentParser) -> None:
    """Declare the pose that the arms are to rest in."""
    command.add_argument(
        "--rest-pose",
        choices=("T", "A"),
        help="turn the arms of the rest pose into a T- or an A-pose: the bind stays, clips get keys where "
        "a joint had none, and no frame of any clip changes",
    )
    command.add_argument(
        "--bind-anew",
        action="store_true",
        help="with --rest-pose: pose the mesh as well and bind it there; vertices that blend joints turned "
        "differently move in clips, which is said",
    )


def rested(options: argparse.Namespace, rig: "Rig") -> "Rig":
    """Return a rig that rests as is asked for; say on stderr what that changes."""
    if options.rest_pose is None:
        if options.bind_anew:
            raise UsageError("--bind-anew binds the mesh in the pose that --rest-pose T or A names")
        return rig
    from rigview.app import resting
    from rigview.core.text import count

    done = resting.rested(rig, options.rest_pose, bind_anew=options.bind_anew)
    moved = resting.movement_words(rig, done.movement)
    tell(
        f"the arms rest in {resting.named(options.rest_pose)}; "
        f"{count(done.keyed, 'key')} added to clips; {moved}"
    )
    return done.rig


def template(options: argparse.Namespace) -> "Template | None":
    """Return the template that is asked for; its file is kept from being written over."""
    if options.template is None:
        return None
    from rigview.check.template_files import named_template
    from rigview.io.inputs import protect

    found = named_template(options.template)
    protect([Path(options.template)])
    return found


def known_profile(name: str | None) -> None:
    """Check a profile's name, where one is given."""
    from rigview.check.config import unknown
    from rigview.check.rule import PROFILES

    if name is not None and name not in PROFILES:
        raise UsageError(unknown("profile", name, PROFILES))


def known_rules(rules: Sequence[str]) -> tuple[str, ...]:
    """Return the ids that rules and families, as in WGT-*, stand for."""
    from rigview.check.rule_names import rules_named

    return rules_named(rules)


def add_pose(
    command: argparse.ArgumentParser,
    weights: "Weights" = "normalised",
    *,
    several: bool = False,
    clips: str = "",
) -> None:
    """Declare file, clip, time and the options of the methods.

    Parameters
    ----------
    weights
        How weights are read where nothing is asked for.
    several
        Whether there may be several files.
    clips
        What else --clip takes, for its help.
    """
    add_file(command, fps=False, several=several)
    add_clips(command)
    command.add_argument(
        "--clip",
        metavar="NAME|INDEX",
        help=f'default: {DEFAULT_CLIP}; "none" is the rest pose{clips}',
    )
    add_time(command)
    command.add_argument("--fps", type=float, metavar="F", help="default: the file's, else 30")
    command.add_argument(
        "--strength", type=float, metavar="S", help="of the compensation, 0 to 1 (default 1)"
    )
    command.add_argument("--axis", help="auto (default), +x, -x, +y, -y, +z or -z")
    command.add_argument(
        "--scale",
        choices=("vertex", "origin"),
        help="default vertex; the method file stretches at the origin, as Maya and OpenUSD do",
    )
    command.add_argument(
        "--polynomial",
        metavar="P",
        help="of the compensation: p1 (default), p0, p2, c1, or three coefficients like 2.2,-9.6,10.4",
    )
    command.add_argument(
        "--angle",
        choices=("code", "slide", "sine", "linear"),
        help="how the compensation grows with the bend (default code)",
    )
    command.add_argument(
        "--blend",
        type=float,
        metavar="W",
        help="how much of DQS the method blended takes, 0 to 1 (default: the file's weights)",
    )
    command.add_argument(
        "--weights",
        choices=("normalised", "literal"),
        help="weights that do not sum to one: divided by their sum, as engines draw them, or as the "
        f"file states them (default {weights})",
    )


def add_time(command: argparse._ActionsContainer) -> None:
    """Declare --time and --frame."""
    command.add_argument("--time", type=float, metavar="S", help="seconds (default 0)")
    command.add_argument("--frame", type=float, metavar="N", help="instead of --time")


def deformer(
    options: argparse.Namespace, rig: "Rig", usual: "Weights" = "normalised"
) -> "Deformer":
    """Return what skins a rig, its weights read as is asked for."""
    from rigview.core.deform import Deformer

    return Deformer(rig, options.weights or usual)


def skin_options(options: argparse.Namespace, base: "Options | None" = None) -> "Options":
    """Return the options of the methods: what is given, over `base` or what is usual."""
    from rigview.core.skinning import Options, fault

    given = {f.name: getattr(options, f.name) for f in fields(Options)}
    if options.polynomial is not None:
        given["polynomial"] = _polynomial(options.polynomial)
    chosen = replace(base or Options(), **{k: v for k, v in given.items() if v is not None})
    wrong = fault(chosen)
    if wrong is not None:
        raise UsageError(wrong)
    return chosen


def _polynomial(text: str) -> "Profile":
    """Return what the text names or states; `fault` tells whether it can be used."""
    try:
        numbers = tuple(float(part) for part in text.split(","))
    except ValueError:
        return cast("Profile", text)
    return cast("Profile", numbers)


def clip(rig: "Rig", wanted: str | None) -> "Clip | None":
    """Return a clip by name or number, a name winning; `Rig.default_clip` where nothing is wanted."""
    if wanted is None:
        return None if rig.default_clip is None else rig.clips[rig.default_clip]
    named = next((c for c in rig.clips if c.name == wanted), None)
    if named is not None or wanted == "none":
        return named
    if wanted.isdecimal() and int(wanted) < len(rig.clips):
        return rig.clips[int(wanted)]
    raise UsageError(unknown_name("clip", wanted, rig.clip_names))


def clip_name(rig: "Rig", chosen: "Clip | None") -> str | None:
    """Return a clip's name, or its number where it has none."""
    return None if chosen is None else rig.clip_names[rig.clips.index(chosen)]


def seconds(options: argparse.Namespace, rig: "Rig", chosen: "Clip | None") -> float:
    """Return the wanted time in seconds; without one, 0 or the start of the clip.

    Raises
    ------
    UsageError
        If the clip does not reach there.
    """
    from rigview.io.describe import frame_rate

    if options.fps is not None and not options.fps > 0.0:
        raise UsageError("--fps must be above 0")
    time = options.time if options.time is not None else 0.0
    frame = getattr(options, "frame", None)
    if frame is not None:
        if options.time is not None:
            raise UsageError("--time and --frame exclude each other")
        time = frame / (options.fps or frame_rate(rig))
    if time != time:
        raise UsageError("the time is not a number")
    if chosen is None:
        return time
    if chosen.start == chosen.end:
        return chosen.start  # one pose, which holds at all times
    within = min(max(time, chosen.start), chosen.end)
    if abs(within - time) > _ROUNDED and (options.time is not None or frame is not None):
        given = f"--time {time:g}" if frame is None else f"--frame {frame:g}, which is {time:g} s,"
        raise UsageError(
            f"{given} is outside the clip {clip_name(rig, chosen)}: it lasts from "
            f"{chosen.start:g} to {chosen.end:g} s"
        )
    return within


def methods(text: str) -> tuple[str, ...]:
    """Parse a comma-separated list of methods."""
    from rigview.core.skinning import ASKED

    names = tuple(part.strip() for part in text.split(",") if part.strip())
    for name in names:
        if name not in ASKED:
            raise UsageError(unknown_name("method", name, ASKED))
    if not names:
        raise UsageError("name at least one method")
    return names
