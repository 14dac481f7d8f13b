"""``rigview review``: page, report, worst poses, sheet, movie and notes in one folder, ready to send."""

import argparse
from pathlib import Path

from rigview.app.facts import VIEWS
from rigview.cli import choices, pictures
from rigview.cli.output import expect_name
from rigview.cli.progress import Line
from rigview.cli.source import add_clips, add_file, opened
from rigview.cli.status import OK, UsageError, say, tell

HELP = "write a folder for review: page, report, worst poses, sheet, movie, notes"
EXAMPLE = "rigview review hero.glb -o hero_review --clip Walk"


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_file(command)
    add_clips(command)
    command.add_argument(
        "-o",
        "--output",
        dest="out",
        type=Path,
        metavar="DIR",
        required=True,
        help="a new folder or an empty one; index.html in it leads to the rest",
    )
    command.add_argument(
        "--overwrite", action="store_true", help="replace the review that DIR holds"
    )
    command.add_argument(
        "--clip",
        metavar="NAME|INDEX",
        help=f"of contact sheet and movie, default: {choices.DEFAULT_CLIP}; the page has all clips",
    )
    command.add_argument(
        "--panes",
        "--method",
        type=choices.methods,
        default=("lbs", "dqs", "compensated"),
        metavar="M,M",
        help="methods side by side, comma-separated (default lbs,dqs,compensated)",
    )
    command.add_argument(
        "--view", choices=VIEWS, default="three-quarter", help="default three-quarter"
    )
    command.add_argument("--profile", metavar="P", help=choices.PROFILE_HELP)
    choices.add_config(command)
    command.add_argument("--no-movie", action="store_true", help="leave the movie out")
    pictures.add_notes(command)


def run(options: argparse.Namespace) -> int:
    """Make everything, and write all of it or nothing."""
    from rigview.app.review_folder import ReviewPlan, write_review
    from rigview.check.policy import Configs, Policy

    choices.known_profile(options.profile)
    _expect_folder(options)
    loaded = opened(options)
    rig, path = loaded.rig, loaded.path
    config = Configs(options.config).of(path)
    plan = ReviewPlan(
        policy=Policy.of(path, config, options.profile),
        clip=choices.clip(rig, options.clip),
        methods=options.panes,
        notes=pictures.notes(options),
        rate=options.fps,
        view=options.view,
        movie=not options.no_movie,
    )
    with Line() as line:
        written = write_review(loaded, options.out, plan, line.tell_share)
    for sentence in written.left_out:
        tell(f"{sentence[0].lower()}{sentence[1:].removesuffix('.')}")
    for name in written.names:
        say(str(options.out / name))
    return OK


def _expect_folder(options: argparse.Namespace) -> None:
    """Refuse, before the work, a place where no review can be written."""
    from rigview.app.review_folder import refusal

    expect_name(options.out)
    reason = refusal(options.out, overwrite=options.overwrite)
    if reason:
        hint = "; --overwrite replaces it" if reason.endswith("already") else ""
        raise UsageError(f"{options.out}: {reason}{hint}")
