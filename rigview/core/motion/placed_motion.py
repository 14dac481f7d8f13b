"""The rig of a motion put where it can be seen beside the character that its clips are played on."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rigview.core import affine
from rigview.core.arrays import FloatArray
from rigview.core.clip import Channel, Clip
from rigview.core.nodes import Nodes
from rigview.core.rig import Rig
from rigview.core.sampler import Sampler


def placed_motion(rig: Rig, clips: Sequence[Clip], placements: Sequence[FloatArray]) -> Rig:
    """Return the rig with these clips, each placed as large and where the character is.

    All stands below a node more, which is the last: all others keep their numbers.

    Parameters
    ----------
    placements
        Per clip ``(4, 4)`` ``character_from_motion``, which differ in their translations only
        (`Retargeted.placements`).
    """
    first = affine.decompose(placements[0])
    old, node = rig.nodes, len(rig.nodes)
    tops = tuple(n for n, parent in enumerate(old.parents) if parent < 0)
    nodes = Nodes(
        (*old.names, "placement"),
        (*old.children, tops),
        np.concatenate([old.translations, first.translation[None]]),
        np.concatenate([old.rotations, first.rotation[None]]),
        np.concatenate([old.scales, first.scale[None]]),
        old.matrices,
    )
    moved = tuple(
        replace(clip, channels=(*clip.channels, _at(node, placement)))
        for clip, placement in zip(clips, placements, strict=True)
    )
    return replace(
        rig,
        nodes=nodes,
        node_meshes=(*rig.node_meshes, None),
        node_skins=(*rig.node_skins, None),
        roots=(node,),
        clips=moved,
        # Of a file without skin every node is a joint, unless it says which are.
        bones=frozenset(rig.joints),
    )


def _at(node: int, placement: FloatArray) -> Channel:
    return Channel(node, "translation", Sampler(np.zeros(1), placement[None, :3, 3]))
