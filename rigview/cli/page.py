"""``rigview page``: one HTML file in which reviewers turn, scrub and annotate the character."""

import argparse
from pathlib import Path

from rigview.cli import choices
from rigview.cli.progress import Line
from rigview.cli.source import add_clips, add_file, opened
from rigview.cli.status import OK, say, tell

HELP = "write a page for review that any browser opens"
EXAMPLE = "rigview page hero.glb -o review.html --clip Walk --panes lbs,dqs,compensated"
# Pages beyond are slow to send: which clips weigh most is told.
_LARGE = 20_000_000


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_file(command)
    add_clips(command)
    command.add_argument("-o", "--output", dest="out", type=Path, metavar="OUT.html", required=True)
    command.add_argument(
        "--clip",
        dest="chosen_clips",
        action="append",
        metavar="NAME|INDEX",
        help="only this one; may be repeated (default: all)",
    )
    command.add_argument(
        "--panes",
        "--method",
        type=choices.methods,
        default=("lbs", "dqs", "compensated"),
        metavar="M,M",
        help="methods side by side, comma-separated (default lbs,dqs,compensated)",
    )
    command.add_argument("--profile", metavar="P", help=choices.PROFILE_HELP)
    command.add_argument("--no-check", action="store_true", help="leave the findings out")


def run(options: argparse.Namespace) -> int:
    """Open, check and pack the file, and write the page."""
    import datetime as dt

    from rigview.app.checking import check
    from rigview.app.posing import deformer_of
    from rigview.app.review_page import PagePlan, review_page
    from rigview.cli.output import expect_place
    from rigview.io.describe import frame_rate
    from rigview.io.files import save_bytes
    from rigview.io.review_notes import notes_beside

    choices.known_profile(options.profile)
    expect_place(options.out)
    loaded = opened(options)
    rig = loaded.rig
    wanted = [choices.clip(rig, name) for name in options.chosen_clips or ()]
    clips = tuple(clip for clip in wanted if clip is not None) if wanted else rig.clips
    report = None if options.no_check else check(loaded, options.profile)
    plan = PagePlan(
        loaded.path.name,
        tuple(clips),
        options.fps or frame_rate(rig),
        options.panes,
        report=report,
        review=notes_beside(loaded.path),
        date=f"{dt.date.today():%d %B %Y}".lstrip("0"),
    )
    with Line() as line:
        text = review_page(deformer_of(rig), plan, line.tell_share)
    data = text.encode()
    save_bytes(options.out, data)
    say(str(options.out))
    tell(f"{len(data) / 1e6:.2f} MB")
    if len(data) > _LARGE:
        tell("it is large: --clip picks the clips that it carries")
    return OK
