"""Records that are written as results come: reports of JSON lines, and the file of --resume."""

import argparse
import contextlib
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rigview.cli.destinations import LINES, Destination
from rigview.cli.status import UsageError

if TYPE_CHECKING:
    from rigview.app.record_files import Lines
    from rigview.check.baseline import Baseline
    from rigview.check.report import Record, RunSettings


class Streams:
    """What hears of every record.

    Parameters
    ----------
    told
        Get records as reports tell them.
    kept
        Get them as they were found, with pictures and without a word of baselines.
    """

    def __init__(self, told: "Sequence[Lines]", kept: "Sequence[Lines]") -> None:
        self._told, self._kept = told, kept

    def keep(self, record: "Record") -> None:
        """Write a new record where an interrupted run goes on."""
        for lines in self._kept:
            lines.add(record)

    def tell(self, record: "Record", baseline: "Baseline | None") -> None:
        """Write a record without the findings that a baseline lists."""
        if self._told:
            from rigview.app.known_findings import split

            told = split(record, baseline)
            for lines in self._told:
                lines.add(told)


@contextlib.contextmanager
def streaming(
    options: argparse.Namespace, places: Sequence[Destination], settings: "RunSettings"
) -> Iterator[Streams]:
    """Give what writes records as they come, in a block."""
    from rigview.app.record_files import Lines, expect_records, opened

    with contextlib.ExitStack() as stack:
        told, kept = [], []
        if options.resume is not None:
            _expect_alone(options, places)
            expect_records(options.resume)
            file, lines = opened(options.resume, settings, append=True)
            stack.enter_context(file)
            kept.append(lines)
        for place in places:
            if place.form != LINES:
                continue
            if place.out is None:
                if not sys.stdout:
                    raise UsageError("there is nothing to write to: the output is closed")
                told.append(Lines(sys.stdout, settings))
                continue
            file, lines = opened(place.out, settings)
            stack.enter_context(file)
            told.append(lines)
        yield Streams(told, kept)


def _expect_alone(options: argparse.Namespace, places: Sequence[Destination]) -> None:
    from rigview.io.inputs import is_same_file

    for place in places:
        if place.out is not None and (
            is_same_file(place.out, options.resume)
            or place.out.absolute() == options.resume.absolute()
        ):
            raise UsageError(f"{place.out}: --resume keeps the results there: choose another name")
