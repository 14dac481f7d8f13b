"""``rigview convert``: any rig that rigview reads, as glTF or USD."""

import argparse
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rigview.cli import choices, many, output
from rigview.cli.source import add_file, expect_suited, opened
from rigview.cli.status import OK, UsageError, say, tell
from rigview.core import escape
from rigview.core.text import unknown_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rigview.core.rig import Rig

HELP = "write any readable rig as glTF or USD"
EXAMPLE = "rigview convert hero.fbx -o hero.glb"
USD = (".usda", ".usdc", ".usdz", ".usd")
SUFFIXES = (".glb", ".gltf", *USD)


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_file(command, several=True)
    output.add_out(
        command,
        "OUT",
        f"the file to write: {', '.join(SUFFIXES)}; a folder for several",
        ".glb",
        required=True,
    )
    command.add_argument(
        "--to",
        choices=[suffix[1:] for suffix in SUFFIXES],
        default="glb",
        help="what a folder is filled with (default %(default)s)",
    )
    output.add_form(command)
    command.add_argument(
        "--clips-from",
        dest="lenders",
        nargs="+",
        type=Path,
        default=[],
        metavar="OTHER",
        help="take the clips of other files in, on joints of the same names",
    )
    command.add_argument(
        "--play-anyway",
        action="store_true",
        help="take the clips of --clips-from also where the rigs rest too differently for them",
    )
    command.add_argument(
        "--clips",
        metavar="NAMES",
        help="write these clips only, comma-separated; none takes all out",
    )
    choices.add_rename(command)
    choices.add_rest_pose(command)


def run(options: argparse.Namespace) -> int:
    """Convert every file."""
    return many.each(options, many.Each(write, lambda options, _file: f".{options.to}"))


def write(options: argparse.Namespace) -> int:
    """Open the file and write its rig; say on stderr what the copy does not carry."""
    from rigview.io import is_amended, save, writer

    if options.out.suffix.lower() not in SUFFIXES:
        raise UsageError(f"{options.out}: end the name with {' or '.join(SUFFIXES)}")
    loaded = opened(options)
    writer(options.out)
    rig = choices.renamed(options, _chosen(gathered(loaded.rig, options), options))
    rig = choices.rested(options, rig)
    if is_amended(loaded, options.out) and options.out.suffix.lower() in USD:
        if rig is loaded.rig and options.out.suffix.lower() != ".usdz":
            notes = save(loaded, rig, options.out, flatten=True)
        else:
            notes = save(replace(loaded, source=None), rig, options.out)
    else:
        # A glTF stays what it is, faults included.
        if not is_amended(loaded, options.out) and options.out.suffix.lower() not in USD:
            rig = _allowed(rig)
        notes = save(loaded, rig, options.out)
    _tell(options, rig, notes)
    return OK


def _tell(options: argparse.Namespace, rig: "Rig", notes: "Sequence[str]") -> None:
    """Tell what the copy does not carry, and where it is."""
    for note in notes:
        tell(note)
    for clip in rig.clips:
        if clip.start > 0.0:
            tell(f"clip {clip.name} starts at {clip.start:g} s, and stays so")
    if options.format == "json":
        facts = {"out": str(options.out), "notes": [*notes], "clips": [*rig.clip_names]}
        print(escape.json(json.dumps(facts)))
    else:
        say(str(options.out))


def gathered(rig: "Rig", options: argparse.Namespace) -> "Rig":
    """Return a rig with the clips of other files behind its own.

    Clips of one name, as services give to all their files, are called as their files are.
    """
    from rigview.core.motion.clips_by_name import borrow_clips
    from rigview.io import load

    lenders = [(path, load(path).rig) for path in options.lenders]
    every = [*rig.clips, *(clip for _, lender in lenders for clip in lender.clips)]
    several = {name for name, count in Counter(clip.name for clip in every).items() if count > 1}
    for path, lender in lenders:
        named = tuple(
            replace(clip, name=path.stem if len(lender.clips) == 1 else f"{path.stem} {clip.name}")
            if clip.name in several or not clip.name
            else clip
            for clip in lender.clips
        )
        borrowed = borrow_clips(rig, replace(lender, clips=named))
        expect_suited(borrowed, path, options)
        rig = borrowed.rig
    return rig


def _chosen(rig: "Rig", options: argparse.Namespace) -> "Rig":
    """Return a rig with the clips that are asked for, in the order in which they are named."""
    if options.clips is None:
        return rig
    wanted = [] if options.clips == "none" else options.clips.split(",")
    by_name = dict(zip(rig.clip_names, rig.clips, strict=True))
    for name in wanted:
        if name not in by_name:
            raise UsageError(f"{options.file}: {unknown_name('clip', name, by_name)}")
    return replace(rig, clips=tuple(by_name[name] for name in dict.fromkeys(wanted)))


def _allowed(rig: "Rig") -> "Rig":
    """Repair what glTF forbids or ignores where nothing moves; say what was done, and what is left."""
    from rigview.app.converting import convert

    made = convert(rig)
    for said in made.repaired:
        tell(f"{said}; nothing moves")
    for finding in made.left:
        said = f"{finding.object}: {finding.message}, which glTF forbids: left as it is"
        how = "" if finding.fix.kind == "none" else f"; rigview fix --rules {finding.rule} mends it"
        tell(f"{said}{how}")
    return made.rig
