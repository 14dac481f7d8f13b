"""Part of a rig: where some of its nodes are at any time, at the cost of those and what is above them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import repeat

import numpy as np

from rigview.core.arrays import BoolArray, IntArray
from rigview.core.clip import Channel, Clip, Deferred
from rigview.core.nodes import Nodes
from rigview.core.rig import Rig, Skin


@dataclass(frozen=True, eq=False)
class SubRig:
    """Some nodes of a rig and all above them, as a rig without meshes.

    Parameters
    ----------
    rig
        Its skins list the joints among those nodes, its clips move those nodes; both are numbered as
        in the whole rig.
    places
        Node of the whole rig → node of the excerpt.
    rows
        Per skin ``(J,)``: where the excerpt lists each joint of the whole skin; −1 where it does not.
    """

    rig: Rig
    places: dict[int, int]
    rows: tuple[IntArray, ...]

    @classmethod
    def of(cls, rig: Rig, nodes: Iterable[int]) -> "SubRig":
        """Take nodes of a rig, and all above them."""
        chosen = sorted(rig.nodes.with_ancestors(nodes))
        places = {node: place for place, node in enumerate(chosen)}
        inside = np.zeros(len(rig.nodes), dtype=np.bool_)
        inside[chosen] = True
        rows = tuple(_rows(inside[skin.nodes]) for skin in rig.skins)
        small = Rig(
            _nodes(rig.nodes, chosen, places),
            (None,) * len(chosen),
            (None,) * len(chosen),
            (),
            skins=tuple(map(_skin, rig.skins, rows, repeat(places))),
            clips=tuple(_clip(clip, places) for clip in rig.clips),
            node_morph_weights={
                places[node]: w for node, w in rig.node_morph_weights.items() if node in places
            },
        )
        return cls(small, places, rows)

    def nodes(self, numbers: Iterable[int]) -> list[int]:
        """Return where nodes of the whole rig are in the excerpt."""
        return [self.places[node] for node in numbers]


def _nodes(whole: Nodes, chosen: list[int], places: dict[int, int]) -> Nodes:
    children: list[list[int]] = [[] for _ in chosen]
    for place, node in enumerate(chosen):
        parent = whole.parents[node]
        if parent >= 0:
            children[places[parent]].append(place)
    return Nodes(
        tuple(whole.names[node] for node in chosen),
        tuple(map(tuple, children)),
        whole.translations[chosen],
        whole.rotations[chosen],
        whole.scales[chosen],
        {places[node]: matrix for node, matrix in whole.matrices.items() if node in places},
    )


def _rows(listed: BoolArray) -> IntArray:
    return np.where(listed, np.cumsum(listed) - 1, -1)


def _skin(skin: Skin, rows: IntArray, places: dict[int, int]) -> Skin:
    listed = np.flatnonzero(rows >= 0)
    joints = tuple(places[skin.joints[row]] for row in listed.tolist())
    return Skin(skin.name, joints, skin.joint_from_mesh[listed])


def _clip(clip: Clip, places: dict[int, int]) -> Clip:
    def channels() -> list[Channel]:
        return [
            replace(channel, node=places[node]) for node in places for channel in clip.of_node(node)
        ]

    return replace(clip, channels=Deferred(channels))
