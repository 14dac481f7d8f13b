"""Where the reports of one run go: pairs of a form and a file."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from rigview.app.facts import REPORTS
from rigview.cli.status import UsageError, is_colored, say

if TYPE_CHECKING:
    from rigview.check.report import Outcome

LINES = "jsonl"
_TEXT = "text"
_STDOUT = Path("-")


@dataclass(frozen=True)
class Destination:
    """A form of report, and the file that it goes to; None is stdout."""

    form: str
    out: Path | None

    @property
    def is_library(self) -> bool:
        """Whether a folder of pages is asked for: HTML, and the path of a folder."""
        return self.form == "html" and self.out is not None and self.out.is_dir()


def add_destinations(command: argparse.ArgumentParser) -> None:
    """Declare --format, -o and --rules-url."""
    command.add_argument(
        "--format",
        dest="forms",
        action="append",
        choices=REPORTS,
        help="default text; given several times, each form goes to the -o of its place; jsonl is written "
        "as results come",
    )
    command.add_argument(
        "-o",
        "--output",
        dest="outs",
        action="append",
        type=Path,
        metavar="OUT",
        help="instead of stdout (-); html into a folder that is there writes the pages of a library",
    )
    command.add_argument(
        "--rules-url",
        type=_page,
        metavar="URL",
        help="where the page of rules of your manual is: SARIF links each rule to it",
    )


def _page(text: str) -> str:
    """Return the address of a page."""
    address = urlsplit(text)
    if address.scheme not in ("http", "https") or not address.netloc or address.fragment:
        raise argparse.ArgumentTypeError("wanted http:// or https://, a host and a page")
    return text


def destinations(options: argparse.Namespace) -> list[Destination]:
    """Return the pairs in their order; a form more than files goes to stdout.

    Raises
    ------
    UsageError
        If forms and files make no pairs, or two reports would go to one place.
    """
    forms: Sequence[str] = options.forms or [_TEXT]
    outs: list[Path | None] = [None if out == _STDOUT else out for out in options.outs or ()]
    if len(outs) == len(forms) - 1:
        outs.append(None)
    if len(outs) != len(forms):
        raise UsageError(
            f"{len(forms)} --format and {len(outs)} -o make no pairs: one -o each is wanted"
        )
    seen: set[str | None] = set()
    for out in outs:
        name = None if out is None else str(out.absolute())
        if name in seen:
            where = "stdout" if out is None else str(out)
            raise UsageError(f"{where}: two reports would go there")
        seen.add(name)
    return [Destination(form, out) for form, out in zip(forms, outs, strict=True)]


def expect_places(options: argparse.Namespace, places: Sequence[Destination]) -> None:
    """Refuse, before the work, places where no report can be written."""
    from rigview.app.record_files import expect_records
    from rigview.cli.output import expect_place, refuse_place

    for place in places:
        if place.out is None:
            continue
        if not place.is_library:
            expect_place(place.out)
        refuse_place(place.out, options)
        if place.form == LINES:
            expect_records(place.out)


def deliver_all(outcome: "Outcome", places: Sequence[Destination]) -> None:
    """Write every report to its place."""
    from rigview.check.report import FORMATS, painted
    from rigview.cli.output import deliver

    for place in places:
        if not place.is_library or place.out is None:
            parts = FORMATS[place.form].parts(outcome)
            has_colors = place.form == _TEXT and place.out is None and is_colored(sys.stdout)
            deliver(painted(parts) if has_colors else parts, place.out)
            continue
        from rigview.app.library_page import write_library

        say(str(write_library(outcome, place.out)))
