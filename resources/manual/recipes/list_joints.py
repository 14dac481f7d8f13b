"""List the joints of a rig as a tree: ``python list_joints.py hero.glb``."""

import sys

import rigview

rig = rigview.load(sys.argv[1]).rig


def show(joint: int, depth: int) -> None:
    """Print a joint and what is below it."""
    print(f"{'  ' * depth}{rig.nodes.label(joint)}")
    for child in rig.joint_children[joint]:
        show(child, depth + 1)


for joint, parent in rig.joint_parents.items():
    if parent < 0:
        show(joint, 0)
