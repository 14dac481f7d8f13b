"""Make a glTF of a rig of another format: what glTF forbids or ignores is repaired where nothing moves."""

from dataclasses import dataclass, replace

from rigview.check.applying.repair import repair
from rigview.check.rule import Finding
from rigview.check.run import run
from rigview.core.rig import Rig

# Rules about what glTF forbids and other formats may hold.
FORBIDDEN = ("HIE-ROOT", "WGT-ZERO", "WGT-DUP", "WGT-RANGE", "WGT-SUM", "BND-AFFINE", "ANI-QNORM")
# … and about what those mean otherwise: a glTF made of it would warn of what is no fault there.
IGNORED = {
    "HIE-MESH-XFORM": "which glTF ignores",
    "HIE-GAP": "which programs leave out of a glTF",
    "HIE-ORDER": "which not all programs read from a glTF",
}


@dataclass(frozen=True)
class Conversion:
    """A rig that can be written as glTF.

    Parameters
    ----------
    repaired
        What was repaired, and why; one sentence each.
    left
        What glTF forbids and is left as it is.
    """

    rig: Rig
    repaired: tuple[str, ...]
    left: tuple[Finding, ...]


def convert(rig: Rig) -> Conversion:
    """Repair what glTF forbids or ignores where nothing moves for it."""
    found = run(rig, select=IGNORED)
    # What is a fault in the file already is for its maker to judge.
    own = {(f.rule, f.key) for f in found.findings if found.severity(f) != "info"}

    def wanted(finding: Finding) -> bool:
        grave = finding.rule in FORBIDDEN or finding.severity != "info"
        return finding.fix.kind == "exact" and grave and (finding.rule, finding.key) not in own

    # Judged as the glTF that it becomes.
    as_gltf = replace(rig, origin=replace(rig.origin, format="glTF"))
    made = repair(as_gltf, rules=(*FORBIDDEN, *IGNORED), wanted=wanted)
    repaired = tuple(
        f"{one.object}: {one.message}, {IGNORED.get(one.rule, 'which glTF forbids')}: {one.fix.label}"
        for one in (done.finding for done in made.applied)
    )
    left = run(made.rig, select=FORBIDDEN).findings
    return Conversion(replace(made.rig, origin=rig.origin), repaired, left)
