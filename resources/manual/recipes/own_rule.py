"""Check a rig by a rule of your own: ``python own_rule.py hero.glb hero_``."""

import sys
from collections.abc import Iterator

import rigview

path, prefix = sys.argv[1:]


def stu_prefix(subject: rigview.Subject) -> Iterator[rigview.Finding]:
    """STU-PREFIX: Joint without the studio's prefix."""
    for joint in subject.rig.joints:
        name = subject.rig.nodes.label(joint)
        if not name.startswith(prefix):
            words = f"its name does not begin with {prefix}"
            yield rigview.Finding(joint, words, name, joints=(joint,))


report = rigview.check(rigview.load(path), "unreal", ["HIE-NAMES", stu_prefix])
for finding in report.ranked():
    print(f"{report.severity(finding)}: {finding.object}: {finding.message}")
