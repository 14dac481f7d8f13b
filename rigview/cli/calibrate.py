"""``rigview calibrate``: a copy whose compensation is as strong at each vertex as flesh wants it."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from rigview.cli import output
from rigview.cli.progress import Line
from rigview.cli.source import add_file, opened
from rigview.cli.status import OK, UsageError, say, tell

if TYPE_CHECKING:
    from rigview.core.elastic.calibration import Calibrated
    from rigview.core.rig import Rig
    from rigview.core.skinning import Method

HELP = "fit the strength of the compensation to elastic flesh, vertex by vertex"
EXAMPLE = "rigview calibrate hero.glb -o hero.calibrated.glb"


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_file(command)
    command.add_argument(
        "-o",
        "--output",
        dest="out",
        type=Path,
        metavar="OUT",
        help="the copy, a glTF: its _COMPENSATION",
    )
    command.add_argument(
        "--method",
        default="compensated",
        metavar="METHOD",
        help="whose strength is fitted: compensated, capsule, bulging-free or flesh "
        "(default %(default)s)",
    )
    command.add_argument(
        "--joints",
        metavar="NAMES",
        help="comma-separated (default: elbows and knees; where no name tells, all that bend)",
    )
    command.add_argument(
        "--spacing",
        type=float,
        default=0.25,
        metavar="S",
        help="of the lattice that stands for flesh, in radii of the limb; larger is quicker and coarser "
        "(default %(default)s)",
    )
    output.add_form(command)


def run(options: argparse.Namespace) -> int:
    """Fit, say per joint what it gains, and write the copy; it takes minutes."""
    from rigview.assets import resource
    from rigview.core.elastic.calibration import calibrate
    from rigview.core.motion.joint_limits import LimitTable
    from rigview.io import save, writer
    from rigview.io.inputs import refuse_inputs

    if options.out is not None:
        writer(options.out)
    if not 0.1 <= options.spacing <= 1.0:
        raise UsageError(f"--spacing {options.spacing}: wanted 0.1 to 1")
    method = _method(options.method)
    loaded = opened(options)
    if options.out is not None:
        # Before what takes minutes.
        refuse_inputs(options.out)
    joints = None if options.joints is None else _joints(loaded.rig, options.joints)
    with Line() as line:
        made = calibrate(
            loaded.rig,
            LimitTable.of(resource("joint_limits.json")),
            method,
            joints,
            lambda share: line.tell_share("bending joints", share),
            options.spacing,
        )
    if not made.fitted:
        reasons = "; ".join(f"{joint}: {reason}" for joint, reason in made.left_out.items())
        raise UsageError(f"{options.file}: no joint could be fitted ({reasons or 'none bends'})")
    notes = save(loaded, made.rig, options.out) if options.out is not None else ()
    if options.format == "json":
        print(json.dumps(_as_json(options, made), indent=2))
    else:
        _say(options, made, method)
    for note in notes:
        tell(note)
    return OK


def _method(name: str) -> "Method":
    from rigview.core.elastic.calibration import FITTING
    from rigview.core.skinning import METHODS

    if name not in FITTING:
        raise UsageError(f"no strength of {name} can be fitted; there are {', '.join(FITTING)}")
    return METHODS[name]


def _joints(rig: "Rig", names: str) -> list[int]:
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    joints = {rig.nodes.label(joint): joint for joint in rig.joints}
    missing = [name for name in wanted if name not in joints]
    if missing:
        raise UsageError(f"no joint {', '.join(missing)}")
    return [joints[name] for name in wanted]


def _as_json(options: argparse.Namespace, made: "Calibrated") -> dict[str, object]:
    from dataclasses import asdict

    from rigview.core.elastic.calibration import FITTED, HELD

    return {
        "file": str(options.file),
        "method": options.method,
        "fitted_degrees": list(FITTED),
        "held_degrees": HELD,
        "joints": [asdict(of) for of in made.fitted],
        "left_out": dict(made.left_out),
        "out": None if options.out is None else str(options.out),
    }


def _say(options: argparse.Namespace, made: "Calibrated", method: "Method") -> None:
    from rigview.core.elastic.calibration import FITTED, HELD
    from rigview.core.text import count

    say(
        f"fitted at {', '.join(map(str, FITTED))}°; how far off at {HELD}°, which was not fitted, "
        "in radii of the limb:"
    )
    for of in made.fitted:
        say(
            f"{of.joint}: DQS {of.dqs:.3f}, {method.label} {of.full:.3f}, "
            f"calibrated {of.calibrated:.3f} ({count(of.vertices, 'vertex')})"
        )
    for joint, reason in made.left_out.items():
        say(f"{joint}: left out, {reason}")
    if options.out is not None:
        say(f"wrote {options.out}")
