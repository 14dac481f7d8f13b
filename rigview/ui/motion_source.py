"""The rig that a motion is of, beside the one that it is retargeted to."""

from dataclasses import dataclass, replace

from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.mesh import Weights
from rigview.core.motion.joint_mapping import JointMapping
from rigview.core.pose import sample
from rigview.render.look import COMPARING, Chosen, Look
from rigview.render.scene import Before


@dataclass(frozen=True, eq=False)
class MotionSource:
    """A second rig that plays the clips which the first one has of it.

    Parameters
    ----------
    name
        Of the motion's file.
    deformer
        The motion's rig where it is seen beside the other one (`placed_motion`).
    mapping
        Joints of the document's rig → their counterparts.
    first
        The number that its first clip has in the rig beside it.
    host
        The document's rig.
    """

    name: str
    deformer: Deformer
    mapping: JointMapping
    first: int
    host: Deformer
    heat: None = None

    def reading(self, weights: Weights) -> "MotionSource":
        """Return it with the weights read so."""
        deformer = self.deformer.reading(weights)
        return self if deformer is self.deformer else replace(self, deformer=deformer)

    def clip(self, clip: int | None) -> int | None:
        """Return the number of its clip that is played on the rig beside it as that number."""
        own = -1 if clip is None else clip - self.first
        return own if 0 <= own < len(self.deformer.rig.clips) else None

    def frame(self, clip: int | None, time: float) -> Frame:
        """Return its pose in that clip, at rest where it has none."""
        own = self.clip(clip)
        chosen = None if own is None else self.deformer.rig.clips[own]
        return self.deformer.frame(sample(self.deformer.rig, chosen, time))

    def look(self, look: Look) -> Look:
        """Return how it looks: the counterpart of the selected joint is selected.

        Bones stand for a mesh that a motion does not have.
        """
        matches = self.mapping.matches
        match = None if look.joint is None else matches.get(look.joint)
        beyond = () if match is None or match.beyond is None else (match.beyond,)
        others = tuple(matches[node].source for node in look.others if node in matches)
        return replace(
            look,
            joint=None if match is None else match.source,
            others=others,
            vertex=None,
            marked=(),
            chosen=(),
            involved=beyond,
            hidden=self.deformer.rig.hidden,
            shading="clay" if look.shading in COMPARING else look.shading,
            bones=look.bones or not self.deformer.rig.parts,
            lent=self._lent,
        )

    @property
    def _lent(self) -> tuple[tuple[int, int], ...]:
        """Its joints that have the colours of their counterparts."""
        places, colours = self.host.skeleton.places, self.host.joint_colours
        pairs = {match.source: joint for joint, match in self.mapping.matches.items()}
        return tuple((own, int(colours[places[joint]])) for own, joint in pairs.items())

    def before(self, _host: Deformer, _frame: Frame) -> Before | None:
        """Return that nothing of it is drawn against the other rig."""
        return None

    def host_joint(self, joint: int) -> int | None:
        """Return a joint of the document's rig that one of this rig turns, if there is one."""
        pairs = self.mapping.matches.items()
        own = [node for node, match in pairs if match.source == joint]
        also = [node for node, match in pairs if match.beyond == joint]
        return next(iter((*own, *also)), None)

    def host_marks(self, _host: Deformer) -> Chosen:
        """Return that no vertex beside it is pointed out."""
        return ()
