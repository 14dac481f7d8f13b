"""``rigview notes``: what reviewers wrote on a rig, and theirs taken in."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from rigview.cli import output
from rigview.cli.status import OK, UsageError, say, tell

if TYPE_CHECKING:
    from rigview.core.review_notes import ReviewNotes

HELP = "list the notes on a rig, and take in those of a reviewer"
EXAMPLE = "rigview notes hero.glb --import review.json"


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.add_argument("file", type=Path, metavar="FILE", help="the rig")
    command.add_argument(
        "--import",
        dest="reviews",
        type=Path,
        nargs="+",
        default=(),
        metavar="REVIEW",
        help="merge notes into those beside the rig: JSON that a review page saved, or its text",
    )
    output.add_form(command, "mail")


def run(options: argparse.Namespace) -> int:
    """Merge what is to be merged, then list all notes."""
    from rigview.core.review_notes import merged
    from rigview.core.text import count
    from rigview.io.review_notes import notes_beside, read_notes, save_notes, sidecar

    file: Path = options.file
    if not file.is_file():
        raise UsageError(f"{file}: there is no such file")
    notes = notes_beside(file)
    if options.reviews:
        # All are read before anything is written.
        reviews = [read_notes(path) for path in options.reviews]
        before, added, changed, deleted = notes, 0, 0, 0
        for review in reviews:
            taken = merged(notes, review)
            notes, added, changed = taken.notes, added + taken.added, changed + taken.changed
            deleted += taken.deleted
        if notes != before:
            save_notes(sidecar(file), notes)
        gone = f", {deleted} deleted" if deleted else ""
        tell(f"{sidecar(file)}: {count(added, 'note')} added, {changed} changed{gone}")
    _list(notes, options.format, file)
    return OK


def _list(notes: "ReviewNotes", form: str, file: Path) -> None:
    from rigview.io.review_notes import as_json, as_mail, said

    if form == "json":
        print(as_json(notes), end="")
        return
    if form == "mail":
        print(as_mail(notes), end="")
        return
    for number, note in enumerate(notes.each, 1):
        for line in said(number, note):
            say(line)
    if not notes.each:
        tell(f"there are no notes on {file.name}")
