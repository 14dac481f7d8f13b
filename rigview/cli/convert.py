"""``rigview convert``: any rig that rigview reads, as glTF."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rigview.cli.source import add_file, opened
from rigview.cli.status import OK, UsageError, say, tell

if TYPE_CHECKING:
    from rigview.check.rule import Finding
    from rigview.core.rig import Rig

HELP = "write any readable rig as glTF"
EXAMPLE = "rigview convert hero.fbx -o hero.glb"
# Rules about what glTF forbids and other formats may hold.
FORBIDDEN = ("HIE-ROOT", "WGT-ZERO", "WGT-DUP", "WGT-RANGE", "WGT-SUM", "BND-AFFINE", "ANI-QNORM")
# … and about what those mean otherwise: a glTF made of it would warn of what is no fault there.
IGNORED = {
    "HIE-MESH-XFORM": "which glTF ignores",
    "HIE-GAP": "which programs leave out of a glTF",
    "HIE-ORDER": "which not all programs read from a glTF",
}


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_file(command)
    command.add_argument("-o", dest="out", type=Path, metavar="OUT.glb|.gltf", required=True)


def run(options: argparse.Namespace) -> int:
    """Open the file and write its rig; say on stderr what the copy does not carry."""
    from rigview.io import is_amended, save, writer

    if options.out.suffix.lower() not in (".glb", ".gltf"):
        raise UsageError(f"{options.out}: end the name with .glb or .gltf")
    loaded = opened(options)
    writer(options.out)
    # A glTF stays what it is, faults included.
    rig = loaded.rig if is_amended(loaded, options.out) else _allowed(loaded.rig)
    for note in save(loaded, rig, options.out):
        tell(note)
    say(str(options.out))
    return OK


def _allowed(rig: "Rig") -> "Rig":
    """Mend what glTF forbids or ignores where nothing moves for it; say what was done, and what is left."""
    from rigview.check.applying.repair import repair
    from rigview.check.run import run as run_rules

    found = run_rules(rig, select=IGNORED)
    # What is a fault in the file already is for its maker to judge.
    own = {(f.rule, f.key) for f in found.findings if found.severity(f) != "info"}

    def wanted(finding: "Finding") -> bool:
        grave = finding.rule in FORBIDDEN or finding.severity != "info"
        return finding.fix.kind == "exact" and grave and (finding.rule, finding.key) not in own

    # Judged as the glTF that it becomes.
    as_gltf = replace(rig, origin=replace(rig.origin, format="glTF"))
    made = repair(as_gltf, rules=(*FORBIDDEN, *IGNORED), wanted=wanted)
    for finding in (done.finding for done in made.applied):
        why = IGNORED.get(finding.rule, "which glTF forbids")
        said = f"{finding.object}: {finding.message}, {why}: {finding.fix.label}"
        tell(f"{said}; nothing moves")
    for finding in run_rules(made.rig, select=FORBIDDEN).findings:
        said = f"{finding.object}: {finding.message}, which glTF forbids: left as it is"
        how = "" if finding.fix.kind == "none" else f"; rigview fix --rules {finding.rule} mends it"
        tell(f"{said}{how}")
    return replace(made.rig, origin=rig.origin)
