"""The range of motion that fixes are tried in where no clip bends a rig much.

Fixes follow each other, and most change nothing that it depends on: who tries several hands one
`RomTrials` on, and rigs that would go through the same motion share it.
"""

from threading import Lock

from rigview.assets import resource
from rigview.check.measures.facts import measured
from rigview.core.clip import Clip
from rigview.core.deform import Deformer
from rigview.core.motion.joint_limits import LimitTable
from rigview.core.motion.range_of_motion import RestSkeleton, range_of_motion, with_clip
from rigview.core.motion.rom_fallback import TAME, largest_bend
from rigview.core.nodes import Nodes
from rigview.core.rig import Rig


class RomTrials:
    """What was measured and made for the last rig; several threads may ask."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._full: tuple[Rig, Deformer | None] | None = None
        self._bent: tuple[Nodes, tuple[int, ...]] | None = None
        self._bends: dict[Clip, float] = {}
        self._made: tuple[RestSkeleton, Clip] | None = None

    def bends(self, rig: Rig) -> bool:
        """Tell whether any clip bends a rig much; each is measured once."""
        with self._lock:
            known = self._bends if self._are_bent_alike(rig) else {}
            self._bent, self._bends = (rig.nodes, rig.joints), {}
            for clip in rig.clips:
                bend = known[clip] if clip in known else largest_bend(rig, clip)
                self._bends[clip] = bend
                if bend >= TAME:
                    return True
            return False

    def _are_bent_alike(self, rig: Rig) -> bool:
        """Tell whether clips bend a rig as they did the last one."""
        if self._bent is None:
            return False
        nodes, joints = self._bent
        return joints == rig.joints and nodes.rests_like(rig.nodes)

    def bent(self, rig: Rig) -> Deformer | None:
        """Return what skins a rig with a range of motion as another clip; None where one bends it much."""
        with self._lock:
            if self._full is not None and self._full[0] is rig:
                return self._full[1]
        full = None
        if not self.bends(rig):
            full = measured(rig).deformer.of_changed(with_clip(rig, self.of(rig)))
        with self._lock:
            self._full = rig, full
        return full

    def of(self, rig: Rig) -> Clip:
        """Return the range of motion of a rig."""
        skeleton = RestSkeleton.of(rig)
        with self._lock:
            if self._made is None or not self._made[0].is_like(skeleton):
                self._made = skeleton, range_of_motion(rig, limits()).clip
            return self._made[1]


def limits() -> LimitTable:
    """Return how far joints turn in it."""
    return LimitTable.of(resource("joint_limits.json"))
