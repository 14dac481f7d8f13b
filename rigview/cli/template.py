"""``rigview template``: a template of a skeleton made from a rig, and the list of those that ship."""

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from rigview.cli.source import add_overrides, expect_file, opened
from rigview.cli.status import OK, UsageError, say

if TYPE_CHECKING:
    from rigview.core.templates.template import Template

HELP = "make a template of a skeleton from a rig, which others are held to"
EXAMPLE = "rigview template hero.glb -o hero.skel.toml"


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the rig")
    command.add_argument(
        "-o",
        "--output",
        dest="out",
        type=Path,
        metavar="OUT",
        help="the template, .skel.toml by custom; - or nothing is stdout",
    )
    add_overrides(command)
    command.add_argument(
        "--list", dest="listed", action="store_true", help="list the templates that ship"
    )


def run(options: argparse.Namespace) -> int:
    """Write the template of a rig, or list those that ship."""
    from rigview.check.template_files import shipped, written
    from rigview.cli.output import deliver, expect_place

    expect_file(options)
    if options.listed:
        for template in shipped():
            print("\n".join(_told(template)))
        return OK
    if options.file is None:
        raise UsageError("name the rig, or ask for --list")
    if options.out is not None:
        expect_place(options.out)
    template = _made(options)
    deliver(written(template), options.out)
    if options.out is not None:
        say(f"{options.out}: {len(template.joints)} joints")
    return OK


def _made(options: argparse.Namespace) -> "Template":
    from rigview.core.deform import Deformer
    from rigview.core.templates.making import TemplateError, template_of

    file: Path = options.file
    today = datetime.now(tz=UTC).date().isoformat()
    try:
        return template_of(Deformer(opened(options).rig), file.stem, file.name, today)
    except TemplateError as error:
        raise UsageError(f"{file}: {error}") from None


def _told(template: "Template") -> list[str]:
    lines = [
        f"{template.name}: {template.title}, {len(template.joints)} joints",
        f"  from {template.source} ({template.date})",
    ]
    return lines + [f"  not verified: {words}" for words in template.unverified]
