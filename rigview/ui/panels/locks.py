"""Locks on joints, whose weights no edit changes."""

from collections.abc import Sequence

from rigview.ui.stage import Stage
from rigview.ui.view_state import State


def lock(state: State, stage: Stage, nodes: Sequence[int], *, others: bool = False) -> None:
    """Lock joints as the first is not, or free them; with `others` free them alone, or all if they were."""
    rig, locked = stage.rig, state.value.locked
    if rig is None:
        return
    if others:
        alone = frozenset(rig.joints).difference(nodes)
        state.update(locked=frozenset() if locked == alone else alone)
    else:
        state.update(locked=locked.difference(nodes) if nodes[0] in locked else locked.union(nodes))
