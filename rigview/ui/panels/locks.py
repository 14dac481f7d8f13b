"""Locks on joints, whose weights no edit changes."""

from rigview.ui.stage import Stage
from rigview.ui.view_state import State


def lock(state: State, stage: Stage, node: int, *, others: bool = False) -> None:
    """Lock a joint or free it; with `others` free it alone, or all where it was free alone."""
    rig, locked = stage.rig, state.value.locked
    if rig is None:
        return
    if others:
        alone = frozenset(rig.joints) - {node}
        state.update(locked=frozenset() if locked == alone else alone)
    else:
        state.update(locked=locked ^ {node})
