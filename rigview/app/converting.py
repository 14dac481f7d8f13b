"""Make a glTF of a rig of another format: what glTF forbids or ignores is repaired where nothing moves."""

from dataclasses import dataclass, replace

from rigview.check.applying.repair import repair
from rigview.check.rule import Finding
from rigview.check.rules.bind_matrices import not_affine
from rigview.check.rules.hierarchy import joint_order
from rigview.check.rules.influence_slots import doubles
from rigview.check.rules.keys import not_unit
from rigview.check.rules.tree import gaps, mesh_transforms, scattered
from rigview.check.rules.weights import ranges, sums, unweighted
from rigview.check.run import run
from rigview.core.rig import Rig

# Rules about what glTF forbids and other formats may hold.
FORBIDDEN = tuple(
    rule.id for rule in (scattered, unweighted, doubles, ranges, sums, not_affine, not_unit)
)
# … and about what those mean otherwise: a glTF made of it would warn of what is no fault there.
IGNORED = {
    mesh_transforms.id: "which glTF ignores",
    gaps.id: "which programs leave out of a glTF",
    joint_order.id: "which not all programs read from a glTF",
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
