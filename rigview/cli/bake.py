"""``rigview bake``: the skinned vertices of one pose."""

import argparse
from pathlib import Path

from rigview.cli import choices, vertex_stages
from rigview.cli.source import opened
from rigview.cli.status import OK, UsageError, say

HELP = "write the skinned vertices of one pose"
EXAMPLE = "rigview bake hero.glb -o pose.npz --clip Walk --time 0.5 --method dqs"


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    choices.add_pose(command, "literal")
    command.add_argument(
        "-o", "--output", dest="out", type=Path, metavar="OUT.npz|.obj|.ply", required=True
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
    from rigview.app.drawing import skinned_by_shaders
    from rigview.core.pose import sample
    from rigview.core.skinning import ASKED
    from rigview.io.snapshot import WRITERS, PosedScene, write

    if options.out.suffix.lower() not in WRITERS:
        raise UsageError(f"{options.out}: the suffix must be one of {', '.join(WRITERS)}")
    if options.backend != "gl" and vertex_stages.are_given(options):
        raise UsageError("--joint-bits, --weight-bits and --dual-route go with --backend gl")
    stage = vertex_stages.chosen(options) if options.backend == "gl" else None
    settings = choices.skin_options(options)
    method = ASKED[choices.methods(options.method)[0]]
    loaded = opened(options)
    clip = choices.clip(loaded.rig, options.clip)
    time = choices.seconds(options, loaded.rig, clip)
    deformer = choices.deformer(options, loaded.rig, "literal")
    frame = deformer.frame(sample(loaded.rig, clip, time))
    if options.backend == "gl":
        skinned = skinned_by_shaders(deformer, frame, method, settings, stage)
    else:
        skinned = deformer.skin_all(frame, method, settings)
    write(PosedScene.of(loaded.rig, skinned), options.out)
    say(str(options.out))
    return OK
