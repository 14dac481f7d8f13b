"""``rigview fix``: a repaired copy."""

import argparse
from pathlib import Path

from rigview.cli.choices import ids, known_profile, known_rules, same_file
from rigview.cli.status import OK, UsageError

HELP = "write a repaired copy"
EXAMPLE = "rigview fix hero.glb -o hero.repaired.glb --rules ORI-PRIMARY,SCL-INHERIT"


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.add_argument("file", type=Path, metavar="FILE")
    command.add_argument("-o", dest="out", type=Path, metavar="OUT", help="the repaired copy")
    command.add_argument("--profile", default="gltf", help="gltf, dqs, thesis, unity, unreal, godot, vrm")
    command.add_argument(
        "--rules",
        default="exact",
        metavar="IDS|exact",
        help="rule ids, comma-separated, whatever their fixes change; default: all exact fixes",
    )
    command.add_argument("--dry-run", action="store_true", help="only say what would be done")
    command.add_argument("--overwrite", action="store_true", help="allow OUT to be FILE itself")


def run(options: argparse.Namespace) -> int:
    """Apply fixes until none of the wanted ones is left, and write the copy."""
    from rigview.check.repair import millimetres, repair
    from rigview.check.run import run as run_rules
    from rigview.io import load, save

    known_profile(options.profile)
    rules = () if options.rules == "exact" else ids(options.rules)
    known_rules(rules)
    if options.out is None and not options.dry_run:
        raise UsageError("name the repaired copy with -o, or ask for --dry-run")
    loaded = load(options.file)
    if options.out is not None and same_file(options.out, options.file) and not options.overwrite:
        raise UsageError(f"{options.out} is the file itself; --overwrite allows that")
    result = repair(loaded.rig, options.profile, rules)
    verb = "would fix" if options.dry_run else "fixed"
    for done in result.applied:
        finding, moved = done.finding, millimetres(done.dry_run.largest)
        print(f"{verb} {finding.rule} {finding.object}: {finding.fix.label}; moves {moved}")
    for left in result.declined:
        print(f"not fixed {left.finding.rule} {left.finding.object}: {left.reason}")
    counts = run_rules(result.rig, options.profile).counts()
    print(
        f"{len(result.applied)} fixes; left: {counts['error']} errors, "
        f"{counts['warning']} warnings, {counts['info']} for information"
    )
    if options.out is not None and not options.dry_run:
        save(loaded, result.rig, options.out)
        print(f"wrote {options.out}")
    return OK
