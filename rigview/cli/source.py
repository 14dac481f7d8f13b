"""The file that a command opens: what the user knows better than it, and clips from another one."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rigview.cli.jobs import add_jobs
from rigview.cli.status import UsageError, tell

if TYPE_CHECKING:
    from rigview.app.watching import Watcher
    from rigview.core.motion.clips_by_name import Borrowed
    from rigview.io import Loaded, Overrides

_MOST_NAMED = 8
_OVERRIDES = ("unit", "up", "fps")


def add_file(command: argparse.ArgumentParser, *, fps: bool = True, several: bool = False) -> None:
    """Declare the file and what may be said about it.

    Parameters
    ----------
    fps
        Whether to declare --fps as well.
    several
        Whether there may be several files and folders, done -j at once.
    """
    if several:
        command.add_argument(
            "paths",
            nargs="+",
            type=Path,
            metavar="FILE",
            help="files, folders or patterns like rigs/**/*.glb; - is stdin",
        )
        add_jobs(command)
    else:
        command.add_argument("file", type=Path, metavar="FILE", help="- is stdin")
    add_overrides(command, fps=fps)


def add_overrides(
    command: argparse.ArgumentParser, of: str = "the file", *, fps: bool = True, prefix: str = ""
) -> None:
    """Declare --unit, --up and --fps.

    Parameters
    ----------
    of
        Which file they are about, for the help.
    fps
        Whether to declare --fps as well.
    prefix
        Stands before the names where a command opens another file by other flags: "motion-".
    """
    command.add_argument(
        f"--{prefix}unit",
        metavar="U",
        help=f"the unit of {of}, whatever it states: m, cm, mm, in, ft or a number of metres",
    )
    command.add_argument(
        f"--{prefix}up",
        type=str.lower,
        choices=("x", "y", "z"),
        help=f"the axis of {of} that is up, whatever it states",
    )
    if fps:
        command.add_argument(
            f"--{prefix}fps", type=float, metavar="F", help=f"the frames a second of {of}"
        )


def add_clips(command: argparse.ArgumentParser) -> None:
    """Declare the file to take clips from."""
    command.add_argument(
        "--clips-from",
        dest="clips_from",
        type=Path,
        metavar="FILE",
        help="play the clips of another file on joints of the same names",
    )
    command.add_argument(
        "--play-anyway",
        action="store_true",
        help="take the clips of --clips-from also where the two rigs rest too differently for them",
    )


def overrides(options: argparse.Namespace, prefix: str = "") -> "Overrides":
    """Return what the user knows better than the files that the command opens.

    Parameters
    ----------
    prefix
        Of the flags, as `add_overrides` takes it.
    """
    from rigview.app.loading import metres, overrides_of

    unit, up, fps = _stated(options, prefix)
    if fps is not None and not 0.0 < fps < float("inf"):
        raise UsageError(f"--{prefix}fps must be above 0")
    try:
        metres(unit)
    except ValueError as error:
        raise UsageError(str(error)) from None
    return overrides_of(unit=unit, up=None if up is None else up.upper(), fps=fps)


def has_overrides(options: argparse.Namespace, prefix: str = "") -> bool:
    """Return whether any of the flags of `add_overrides` is given."""
    return any(value is not None for value in _stated(options, prefix))


def expect_file(options: argparse.Namespace) -> None:
    """Refuse --unit, --up and --fps where no file is named that they could be about."""
    if options.file is None and has_overrides(options):
        raise UsageError("--unit, --up and --fps are about a file: name one")


def override_words(options: argparse.Namespace) -> list[str]:
    """Return the flags of `add_overrides` as they were given, for another command."""
    given = zip(_OVERRIDES, _stated(options, ""), strict=True)
    return [f"--{name}={value}" for name, value in given if value is not None]


def _stated(options: argparse.Namespace, prefix: str) -> list[Any]:
    return [getattr(options, f"{prefix}{name}".replace("-", "_")) for name in _OVERRIDES]


def read(options: argparse.Namespace, path: Path, prefix: str = "") -> "Loaded":
    """Open a file as the user says it is, by the flags with this prefix."""
    from rigview.io import load

    return load(path, overrides=overrides(options, prefix))


def opened(options: argparse.Namespace, watcher: "Watcher | None" = None) -> "Loaded":
    """Open the file as the user says it is, with the clips of another one before its own."""
    from rigview.app.loading import borrow
    from rigview.app.watching import listener
    from rigview.io import load

    heard = None if watcher is None else listener(watcher)
    loaded = load(options.file, heard, overrides(options))
    other = getattr(options, "clips_from", None)
    if other is None:
        return loaded
    borrowed, options.recipes = borrow(loaded.rig, other)
    expect_suited(borrowed, other, options)
    return replace(loaded, rig=replace(borrowed.rig, clips=(*borrowed.clips, *loaded.rig.clips)))


def expect_suited(borrowed: "Borrowed", other: Path, options: argparse.Namespace) -> None:
    """Refuse clips of another file that move nothing here, or limbs wrongly; tell of joints left behind."""
    from rigview.core.text import some_of

    if not any(clip.channels for clip in borrowed.clips):
        raise UsageError(f"{other}: no clip of it moves a joint that {options.file} has")
    if borrowed.complaint and not options.play_anyway:
        raise UsageError(
            f"{other}: {borrowed.complaint}; rigview retarget fits them, "
            f"--play-anyway takes them as they are"
        )
    if borrowed.unmatched:
        tell(
            f"{len(borrowed.unmatched)} animated nodes of {other.name} have no namesake: "
            f"{some_of(borrowed.unmatched, _MOST_NAMED)}"
        )
