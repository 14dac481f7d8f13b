"""What commands that set weights have in common: which vertices, how far they move, and the copy."""

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rigview.cli import output
from rigview.cli.progress import Line
from rigview.cli.status import OK, UsageError, say, tell

if TYPE_CHECKING:
    from rigview.core.arrays import BoolArray
    from rigview.core.measures.deformation_change import DeformationChange
    from rigview.core.rig import Rig
    from rigview.core.weights.displacement import Displacement
    from rigview.core.weights.making import MeshReport
    from rigview.core.weights.transferring import TransferReport
    from rigview.io import Loaded

# Joints whose deformation is told.
_MOST_JOINTS = 20
# Words that name no mesh.
VERTICES = ("unweighted", "all")


def add_replacing(command: argparse.ArgumentParser, copy: str) -> None:
    """Declare the copy, which vertices are set, by how many joints, and how it is told."""
    command.add_argument("-o", "--output", dest="out", type=Path, metavar="OUT", help=copy)
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
        "--dry-run",
        action="store_true",
        help="only say what would be set, how far it moves, and how much better or worse joints deform",
    )
    output.add_form(command)


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
    change = _change(loaded.rig, rig) if options.dry_run else None
    if options.format == "json":
        out = str(options.out) if saved else None
        measured = {"deformation": None if change is None else _change_as_json(change, rig)}
        told = report | {"dry_run": options.dry_run, "out": out} | measured
        print(json.dumps(told, indent=2))
    else:
        speak("would set" if options.dry_run else "set")
        if change is not None:
            _say_change(change, rig)
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
    from rigview.app.arguments import rom_of
    from rigview.core.weights.displacement import displacements, telling_poses

    meshes = dict.fromkeys(member[0] for member, picked in replaced.items() if picked.any())
    if not meshes:
        return {}
    motion = rom_of(old)
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


def _change(old: "Rig", new: "Rig") -> "DeformationChange | None":
    """Measure how otherwise joints deform; None where no weight is another, or the joints are others."""
    from rigview.app.arguments import rom_of
    from rigview.core.measures.deformation_change import change_between

    if new is old or new.nodes is not old.nodes:
        return None
    motion = rom_of(old)
    with Line() as line:
        return change_between(old, new, motion, line.tell_share)


def _change_as_json(change: "DeformationChange", rig: "Rig") -> dict[str, Any]:
    """Return measure by measure what changes at every joint, as values for JSON."""
    from rigview.core.measures.deformation_change import Extreme
    from rigview.core.measures.joint_measures import MEASURES

    def end(extreme: Extreme | None) -> dict[str, Any] | None:
        if extreme is None:
            return None
        return {"value": extreme.value, "pose": change.poses[extreme.pose].words}

    joints: dict[str, dict[str, Any]] = {}
    for one in change.changes:
        row = {
            "before": end(one.before),
            "after": end(one.after),
            "limit": MEASURES[one.measure].limit,
            "unit": MEASURES[one.measure].unit,
        }
        joints.setdefault(rig.nodes.label(one.joint), {})[one.measure] = row
    return {"poses": len(change.poses), "verdict": change.verdict(), "joints": joints}


def _say_change(change: "DeformationChange", rig: "Rig") -> None:
    """Print what changes at the joints that deform otherwise."""
    from rigview.core.measures.change_words import joint_lines
    from rigview.core.text import count

    poses = count(len(change.poses), "pose")
    lines = joint_lines(change, rig.nodes.label, _MOST_JOINTS)
    if not change.poses:
        say("deformation: not measured, since no clip and no range of motion turns a joint")
    elif not lines:
        say(f"deformation: no joint deforms otherwise in {poses}")
    else:
        say(f"deformation, each joint at its worst in {poses}, before → after:")
        for line in lines:
            say(f"  {line}")
