"""``rigview fix``: a repaired copy."""

import argparse
import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rigview.app.facts import SEVERITIES
from rigview.cli import many, output
from rigview.cli.choices import (
    FAIL_ON_HELP,
    PROFILE_HELP,
    add_config,
    add_rename,
    add_rest_pose,
    add_rules_from,
    add_template,
    ids,
    known_profile,
    known_rules,
    renamed,
    rested,
    template,
)
from rigview.cli.progress import Line
from rigview.cli.source import add_file, opened, read
from rigview.cli.status import FINDINGS, OK, UsageError, say, tell
from rigview.core import escape

if TYPE_CHECKING:
    from rigview.app.partial_repair import PartialRepair
    from rigview.check.applying.propagate import Propagated
    from rigview.check.applying.repair import Repair
    from rigview.check.policy import Policy
    from rigview.check.run import Report
    from rigview.core.rig import Rig
    from rigview.io import Loaded

HELP = "write a repaired copy"
EXAMPLE = "rigview fix hero.glb -o hero.repaired.glb --rules ORI-PRIMARY,SCL-INHERIT"
# Joints without namesake that a message names.
_MOST_NAMED = 5


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_file(command, several=True)
    output.add_out(
        command,
        "OUT",
        "the repaired copy: in FILE's own format, where that is "
        "written, an amended copy that keeps every byte that no fix changes; .glb or .gltf of any FILE; "
        "of several files a folder",
        ".glb",
    )
    output.add_form(command)
    command.add_argument(
        "--fail-on", choices=(*SEVERITIES, "never"), default="error", help=FAIL_ON_HELP
    )
    command.add_argument("--profile", metavar="P", help=PROFILE_HELP)
    command.add_argument(
        "--rules",
        metavar="IDS|exact",
        help="rule ids, comma-separated, whatever their fixes change; default: all exact fixes, with "
        "--rename or --rest-pose none",
    )
    add_rename(command)
    add_rest_pose(command)
    command.add_argument("--dry-run", action="store_true", help="only say what would be done")
    command.add_argument(
        "--also",
        nargs="+",
        type=Path,
        default=[],
        metavar="OTHER",
        help="give the joints of other files of this skeleton, clips say, the same new axes, scales, "
        "parents and names; each is saved beside OUT as NAME.repaired with its suffix",
    )
    command.add_argument(
        "--in-place",
        "--overwrite",
        dest="in_place",
        action="store_true",
        help="write the repaired copy over FILE itself, without -o",
    )
    command.add_argument(
        "--flatten",
        action="store_true",
        help="of USD, write one file with all its layers instead of a layer over FILE",
    )
    command.add_argument(
        "--skip-refused",
        action="store_true",
        help="where FILE's own format cannot hold some fixes, say which and save the others",
    )
    add_config(command)
    add_template(command)
    add_rules_from(command)


def run(options: argparse.Namespace) -> int:
    """Repair every file."""
    return many.each(options, many.Each(repair, _suffix))


def _suffix(_options: argparse.Namespace, file: Path) -> str:
    """Return the suffix of a file's repaired copy in a folder: its own, where that is written."""
    from rigview.io import written_suffixes

    return file.suffix if file.suffix.lower() in written_suffixes() else ".glb"


def repair(options: argparse.Namespace) -> int:
    """Apply fixes until none of the wanted ones is left, and write the copy."""
    from rigview.app.partial_repair import PartialRepair
    from rigview.app.repairing import Copy, left_in_copy
    from rigview.check.policy import Configs, Policy
    from rigview.io import expect_writable
    from rigview.io.inputs import protect, release

    known_profile(options.profile)
    config = Configs(options.config).of(options.file)
    standard = Policy.of(options.file, config, options.profile).with_template(template(options))
    standard = standard.with_rest_pose(options.rest_pose)
    rules = () if options.rules in (None, "exact") else ids(options.rules)
    rules = known_rules(rules)
    _check_name(options)
    siblings = _siblings(options)
    with Line() as line:
        loaded, result = _repaired(options, standard, rules, line)
    saved = options.out is not None and not options.dry_run
    fixing = _Fixing(options, standard, rules, loaded)
    part = fixing.part(result) if saved and options.skip_refused else PartialRepair(result)
    result = part.made
    others = [read(options, path) for path in options.also]
    carried = _carried(loaded.rig, result, options, others)
    if options.in_place:
        release(loaded.files)
        protect(path for other in others for path in other.files)
    if saved:
        for out, other in zip(siblings, others, strict=True):
            expect_writable(other, out)
        with fixing.narrowing(result):
            _save(loaded, result.rig, options.out, flatten=options.flatten)
    with Line() as line:
        line.begin("what is left")
        copy = Copy(options.out, is_written=saved)
        rest = left_in_copy(standard, loaded, result.rig, copy, line)
    _report(options, part, rest)
    for path, (_, after) in zip(options.also, carried, strict=True):
        if options.format == "text":
            _tell(path, after, "would carry" if options.dry_run else "carried")
    if saved:
        _say_written(options.out, options)
        for out, (other, after) in zip(siblings, carried, strict=True):
            _save(other, after.rig, out, flatten=options.flatten)
            _say_written(out, options)
    return FINDINGS if _fails(rest, options.fail_on) else OK


def _report(options: argparse.Namespace, part: "PartialRepair", rest: "Report") -> None:
    """Print what was fixed and what is left, in the form that is asked for."""
    from rigview.io import unstated_in

    if options.format == "json":
        _print_facts(options, part, rest)
        return
    _tell_fixes(part.made, "would fix" if options.dry_run else "fixed")
    for rule, reason in part.refused.items():
        say(f"not saved {rule}: {reason}")
    _tell_left(part, rest)
    again = _found_again(part, rest)
    if again:
        unstated = unstated_in(options.out or options.file)
        say(f"still found in the copy: {', '.join(again)}" + (f"; {unstated}" if unstated else ""))


def _found_again(part: "PartialRepair", rest: "Report") -> list[str]:
    """Return the rules whose fixed findings a copy still has, since its format cannot state the fix."""
    left = {(finding.rule, finding.key, finding.object) for finding in rest.findings}
    fixed = (done.finding for done in part.made.applied)
    again = (one.rule for one in fixed if (one.rule, one.key, one.object) in left)
    return list(dict.fromkeys(again))


def _say_written(out: Path, options: argparse.Namespace) -> None:
    if options.format == "text":
        say(f"wrote {out}")


def _fails(rest: "Report", fail_on: str) -> bool:
    """Return whether what is left is as severe as --fail-on."""
    if fail_on == "never":
        return False
    counts = rest.counts()
    grave = SEVERITIES[: SEVERITIES.index(fail_on) + 1]
    notes = len(rest.notes) if "info" in grave else 0
    return sum(number for severity, number in counts.items() if severity in grave) > notes


def _print_facts(options: argparse.Namespace, part: "PartialRepair", rest: "Report") -> None:
    """Print as JSON what was fixed, what was not, and how much is left."""
    fixed = [
        {
            "rule": done.finding.rule,
            "object": done.finding.object,
            "fix": done.finding.fix.label,
            "moves_m": done.dry_run.largest,
        }
        for done in part.made.applied
    ]
    declined = [
        {"rule": left.finding.rule, "object": left.finding.object, "reason": left.reason}
        for left in part.made.declined
    ]
    facts = {
        "out": None if options.out is None else str(options.out),
        "dry_run": options.dry_run,
        "fixed": fixed,
        "declined": declined,
        "refused": [{"rule": rule, "reason": reason} for rule, reason in part.refused.items()],
        "left": rest.counts(),
        "still_found": _found_again(part, rest),
    }
    print(escape.json(json.dumps(facts)))


def _tell_fixes(result: "Repair", verb: str) -> None:
    """Print what was fixed, what that moves, and what was not fixed and why."""
    from rigview.app.resting import movement_words
    from rigview.core.text import length_words

    for done in result.applied:
        finding, moved = done.finding, f"moves {length_words(done.dry_run.largest)}"
        if finding.fix.reposes:
            moved = movement_words(result.rig, done.dry_run)
        say(f"{verb} {finding.rule} {finding.object}: {finding.fix.label}; {moved}")
    for left in result.declined:
        say(f"not fixed {left.finding.rule} {left.finding.object}: {left.reason}")


def _tell_left(part: "PartialRepair", rest: "Report") -> None:
    """Print how much is left, and what of it would be fixed if it was named."""
    from rigview.check.rule import count

    result, counts = part.made, rest.counts()
    say(
        f"{count(len(result.applied), 'fix')}; left: {count(counts['error'], 'error')}, "
        f"{count(counts['warning'], 'warning')}, {counts['info']} for information"
        + (f", {count(len(rest.notes), 'note')}" if rest.notes else "")
    )
    # What was fixed may be found again where a format has no order to keep.
    tried = {*part.refused} | {declined.finding.rule for declined in result.declined}
    tried |= {done.finding.rule for done in result.applied}
    fixable = dict.fromkeys(f.rule for f in rest.findings if f.fix.repair is not None)
    on_request = [rule for rule in fixable if rule not in tried]
    if on_request:
        say(f"can be fixed on request: --rules {','.join(on_request)}")


def _check_name(options: argparse.Namespace) -> None:
    """Refuse what the copy cannot be called before anything is done for it."""
    if _has_wish(options) and options.skip_refused:
        flag = "--rename" if options.rename is not None else "--rest-pose"
        raise UsageError(f"--skip-refused picks among fixes, and {flag} is none: run fix twice")
    from rigview.io import proposed, writer, written_suffixes
    from rigview.io.inputs import is_same_file

    if options.in_place and options.out is None:
        options.out = options.file
    if options.out is None and not options.dry_run:
        name = proposed(options.file, written_suffixes()).name
        raise UsageError(
            f"name the repaired copy with -o, as in -o {name}, or ask for --in-place or --dry-run"
        )
    if options.in_place and not is_same_file(options.out, options.file):
        raise UsageError(f"--in-place writes over {options.file}, and -o names another file")
    if options.out is not None and not options.dry_run:
        writer(options.out)


def _has_wish(options: argparse.Namespace) -> bool:
    """Return whether something is asked for that is the fix of no finding."""
    return options.rename is not None or options.rest_pose is not None


def _repaired(
    options: argparse.Namespace, standard: "Policy", rules: Sequence[str], line: Line
) -> "tuple[Loaded, Repair]":
    """Return the file, and what the wanted fixes make of it."""
    from rigview.app.repairing import repaired_by
    from rigview.check.applying.repair import Repair
    from rigview.io import expect_writable

    line.begin(options.file.name)
    loaded = opened(options, line)
    if options.out is not None and not options.dry_run:
        expect_writable(loaded, options.out)
    rig = rested(options, renamed(options, loaded.rig))
    if _has_wish(options) and options.rules is None:
        return loaded, Repair(rig, (), ())
    return loaded, repaired_by(standard, rig, rules, line)


@dataclass(frozen=True)
class _Fixing:
    """What the fixes of a file are made by, so that fewer of them can be."""

    options: argparse.Namespace
    standard: "Policy"
    rules: Sequence[str]
    loaded: "Loaded"

    def part(self, made: "Repair") -> "PartialRepair":
        """Return the fixes that the file's own format holds."""
        from rigview.app.partial_repair import CopyTarget, saved_part
        from rigview.app.repairing import repaired_by

        target = CopyTarget(self.loaded, self.options.out, self.options.flatten)
        with Line() as line:
            line.begin(self.options.file.name)

            def again(only: Collection[str]) -> "Repair":
                return repaired_by(self.standard, self.loaded.rig, self.rules, line, only)

            return saved_part(target, made, again, line)

    @contextmanager
    def narrowing(self, made: "Repair") -> Iterator[None]:
        """Say, where a copy of several fixes is refused, which of them can be saved."""
        from rigview.app.partial_repair import rules_of
        from rigview.io import SaveError, is_amended

        try:
            yield
        except SaveError as error:
            if len(rules_of(made)) < 2 or not is_amended(self.loaded, self.options.out):
                raise
            kept = self.part(made).rules
            if not kept:
                raise
            raise SaveError(
                f"{error}; --skip-refused saves the fixes of {', '.join(kept)} without the others"
            ) from None


def _save(loaded: "Loaded", rig: "Rig", out: Path, *, flatten: bool) -> None:
    from rigview.io import save

    for note in save(loaded, rig, out, flatten=flatten):
        tell(note)


def _siblings(options: argparse.Namespace) -> list[Path]:
    """Return where the repaired siblings go; none where nothing is written.

    A sibling of a format that is not written becomes a glTF like OUT.
    """
    from rigview.io import written_suffixes
    from rigview.io.inputs import is_same_file

    if options.out is None:
        return []
    outs: list[Path] = []
    for path in options.also:
        suffix = path.suffix if path.suffix.lower() in written_suffixes() else options.out.suffix
        out = options.out.with_name(f"{path.stem}.repaired{suffix}")
        inputs = (options.file, *options.also)
        if out in (options.out, *outs) or any(is_same_file(out, other) for other in inputs):
            raise UsageError(f"{path} would be saved as {out}, which is another of the files")
        outs.append(out)
    return outs


def _carried(
    before: "Rig", made: "Repair", options: argparse.Namespace, siblings: Sequence["Loaded"]
) -> list[tuple["Loaded", "Propagated"]]:
    """Return each sibling with what was carried over to it; one that cannot take it refuses all."""
    from rigview.app.repairing import reframing_of
    from rigview.check.applying.propagate import propagate
    from rigview.check.rule import Refused

    if not siblings:
        return []
    try:
        change = reframing_of(before, made)
    except Refused as refusal:
        raise UsageError(
            f"{options.file}: --also cannot follow: {refusal}; narrow the fixes with --rules"
        ) from None
    result = []
    for path, sibling in zip(options.also, siblings, strict=True):
        try:
            result.append((sibling, propagate(change, sibling.rig)))
        except Refused as refusal:
            raise UsageError(f"{path}: not a file of the same skeleton: {refusal}") from None
    return result


def _tell(path: Path, carried: "Propagated", verb: str) -> None:
    from rigview.check.rule import count

    frames, names = count(carried.turned, "new frame"), count(carried.renamed, "new name")
    parents, whole = count(carried.rehung, "new parent"), ", its place" if carried.placed else ""
    say(f"{verb} {frames}, {names}{whole} and {parents} over to {path}")
    _tell_names(f"{path}: joints not in it", carried.missing)
    _tell_names(f"{path}: joints only in it, left as they are", carried.extra)


def _tell_names(what: str, names: Sequence[str]) -> None:
    from rigview.core.text import some_of

    if names:
        tell(f"{what}: {some_of(names, _MOST_NAMED)}")
