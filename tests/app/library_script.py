"""A script as a technical director writes it: it uses every public name, and mypy checks it strictly."""

import sys
from collections.abc import Iterator
from pathlib import Path

import rigview

samples, out = Path(sys.argv[1]), Path(sys.argv[2])


def stu_prefix(subject: rigview.Subject) -> Iterator[rigview.Finding]:
    """STU-PREFIX: Joint without the studio's prefix."""
    for joint in subject.rig.joints:
        name = subject.rig.nodes.label(joint)
        if not name.startswith("hero_"):
            yield rigview.Finding(joint, "its name lacks hero_", name)


loaded: rigview.Loaded = rigview.load(samples / "arm.glb", unit="cm", up="Y", fps=24.0)
rig: rigview.Rig = loaded.rig
assert rig.joint(rig.nodes.label(rig.joints[0])) == rig.joints[0]
assert rig.meshes[rig.mesh(0)].name
assert rig.clip(0).name

report: rigview.Report = rigview.check(loaded, "dqs", ["WGT-SUM", stu_prefix])
assert {finding.rule for finding in report.findings} == {"STU-PREFIX"}
assert report.counts()["warning"] == len(rig.joints)
rule: rigview.Rule = report.rule(report.findings[0])
assert rule.title == "Joint without the studio's prefix"

faulty = rigview.load(samples / "faulty_arm.glb")
fixed, receipt = rigview.repair(faulty, rules="exact")
assert receipt.applied
notes: tuple[str, ...] = rigview.save(fixed, out / "fixed.glb", source=faulty)
assert not notes
changes = rigview.diff(faulty, rigview.load(out / "fixed.glb"))
assert not changes.same

skinned = rigview.skin(rig, 0, 0.5, "compensated", strength=0.5)
assert skinned.positions.shape == skinned.normals.shape

measured = rigview.measure(loaded, 0, ["lbs", "dqs"], times=[0.0, 0.5])
assert measured.scan.curves.keys() == {"lbs", "dqs"}

image = rigview.shot(loaded, 0, 0.5, "lbs", size=(320, 240), joint=rig.joints[0], bones=True)
image.save(out / "shot.png")
assert image.size == (320, 240)

assert "dqs" in rigview.METHODS
try:
    rig.joint("nobody")
except rigview.RigviewError as error:
    sys.stdout.write(f"{error}\n")
