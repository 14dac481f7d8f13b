"""What takes long before a rig can be shown, done in a worker: reading it, and what is computed once."""

from collections.abc import Callable

from rigview.check.measures.facts import measured
from rigview.core.deform import Deformer
from rigview.core.rig import Rig
from rigview.io import Listener
from rigview.ui.joint_ranges import find_ranges


class JobListener(Listener):
    """Passes a reader's progress on to a job, which can stop it so, and the joints to who shows them."""

    def __init__(
        self, progress: Callable[[str, float], None], show: Callable[[Rig], None] | None = None
    ) -> None:
        self._progress, self._show = progress, show

    def stage(self, text: str, fraction: float) -> None:
        """Tell of a stage; reading is four fifths of opening, binding the rest."""
        self._progress(text, 0.8 * fraction)

    def skeleton(self, rig: Rig) -> None:
        """Show the joints while the meshes are read."""
        if self._show is not None:
            self._show(rig)


def warmed(rig: Rig, progress: Callable[[str, float], None]) -> Deformer:
    """Return what skins a rig, with all that the window needs of it at once."""
    # The checks of the rig share what is computed here.
    deformer = measured(rig).deformer
    progress("binding the mesh", 0.85)
    for i in range(len(deformer.bindings)):
        deformer.morphed(i, deformer.rest.pose)
    for image in filter(None, rig.images):
        progress("decoding images", 0.9)
        image.decode()
    progress("measuring the rest pose", 0.95)
    deformer.posed_bones(deformer.rest)
    # The panes ask whether their methods are computed.
    _ = deformer.statics
    # The joint tree lists them.
    _ = rig.nodes.depth_first
    # The trial pose of any joint tells of them.
    find_ranges(deformer)
    return deformer
