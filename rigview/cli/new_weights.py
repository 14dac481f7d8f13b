"""What commands that set weights have in common: which vertices, how far they move, and the copy."""

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rigview.cli.status import OK, UsageError, say, tell

if TYPE_CHECKING:
    from rigview.core.arrays import BoolArray
    from rigview.core.rig import Rig
    from rigview.core.weights.displacement import Displacement
    from rigview.core.weights.making import MeshReport
    from rigview.core.weights.transferring import TransferReport
    from rigview.io import Loaded

# Words that name no mesh.
VERTICES = ("unweighted", "all")


def add_replacing(command: argparse.ArgumentParser, copy: str) -> None:
    """Declare the copy, which vertices are set, by how many joints, and how it is told."""
    command.add_argument("-o", dest="out", type=Path, metavar="OUT", help=copy)
    command.add_argument(
        "--vertices",
        default="unweighted",
        metavar="unweighted|all|MESHES",
        help="which vertices are set: those without weight, all, or those of the named meshes, "
        "comma-separated (default %(default)s)",
    )
    command.add_argument(
        "--influences",
        type=int,
        default=4,
        metavar="N",
        help="the most joints that a vertex follows (default %(default)s)",
    )
    command.add_argument(
        "--dry-run", action="store_true", help="only say what would be set, and how far it moves"
    )
    command.add_argument("--json", action="store_true", help="print the report as JSON")


def ask_for_copy(options: argparse.Namespace) -> None:
    """Refuse options of `add_replacing` that ask for nothing, or for a copy that cannot be written."""
    from rigview.io import writer

    if options.out is None and not options.dry_run:
        raise UsageError("name the copy with -o, or ask for --dry-run")
    if options.influences < 1:
        raise UsageError(f"--influences {options.influences}: wanted 1 or more")
    if is_saved(options):
        writer(options.out)


def is_saved(options: argparse.Namespace) -> bool:
    """Return whether a copy is to be written."""
    return options.out is not None and not options.dry_run


def conclude(
    options: argparse.Namespace,
    loaded: "Loaded",
    rig: "Rig",
    report: dict[str, Any],
    speak: Callable[[str], None],
) -> int:
    """Write the copy if one is asked for, tell the report, and return the status.

    Parameters
    ----------
    report
        What JSON has beside `dry_run` and `out`.
    speak
        Says the same in sentences, by the verb that it is given.
    """
    from rigview.io import save

    saved = is_saved(options)
    notes: Sequence[str] = save(loaded, rig, options.out) if saved else ()
    if options.json:
        out = str(options.out) if saved else None
        print(json.dumps(report | {"dry_run": options.dry_run, "out": out}, indent=2))
    else:
        speak("would set" if options.dry_run else "set")
        if saved:
            say(f"wrote {options.out}")
    for note in notes:
        tell(note)
    return OK


def meshes_as_json(
    reports: "Iterable[MeshReport | TransferReport]", moved: "dict[int, dict[str, Displacement]]"
) -> list[dict[str, Any]]:
    """Return reports about meshes as values for JSON; displacements are shares of the height."""
    from dataclasses import asdict

    result = []
    for report in reports:
        moves = {id_: asdict(of) for id_, of in moved.get(report.mesh, {}).items()}
        result.append(asdict(report) | {"displacement": moves or None})
    return result


def named(given: str, words: tuple[str, ...]) -> str | tuple[str, ...]:
    """Return a word as it is, and anything else as names, comma-separated."""
    return given if given in words else tuple(name.strip() for name in given.split(","))


def moved_by(
    old: "Rig", new: "Rig", replaced: "dict[tuple[int, int], BoolArray]"
) -> "dict[int, dict[str, Displacement]]":
    """Return mesh → method → how far vertices move whose weights were replaced; none where none were.

    Parameters
    ----------
    replaced
        Mesh and primitive → ``(V,)``.
    """
    from rigview.assets import resource
    from rigview.core.motion.joint_limits import LimitTable
    from rigview.core.motion.range_of_motion import range_of_motion
    from rigview.core.weights.displacement import displacements, telling_poses

    meshes = dict.fromkeys(member[0] for member, picked in replaced.items() if picked.any())
    if not meshes:
        return {}
    motion = range_of_motion(old, LimitTable.of(resource("joint_limits.json")))
    poses = telling_poses(old, motion)
    if not poses:
        return {}
    return {
        mesh: displacements(old, new, poses, {m: v for m, v in replaced.items() if m[0] == mesh})
        for mesh in meshes
    }


def say_moved(name: str, moved: "dict[str, Displacement]") -> None:
    """Print how far the vertices of a mesh move against the weights before."""
    for id_, moves in moved.items():
        said = f"rms {100.0 * moves.rms:.3g} % of the height, p99 {100.0 * moves.p99:.3g} %"
        say(f"{name}: against the weights before, {id_}: {said}")
