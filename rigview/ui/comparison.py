"""A second rig beside the document's: in the same pose as far as it has the same clips and joints."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from rigview.check.diff import Difference
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.mesh import Weights
from rigview.core.pose import sample
from rigview.core.weight_changes import Changes
from rigview.render.look import COMPARING, Chosen, Look
from rigview.render.scene import Before


@dataclass(frozen=True, eq=False)
class ComparedPane:
    """What one pane shows."""

    deformer: Deformer
    frame: Frame
    look: Look
    before: Before | None = None


class SecondRig(Protocol):
    """What the stage asks of a rig beside the document's."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def deformer(self) -> Deformer:
        """The rig, ready for skinning."""

    @property
    def heat(self) -> Changes | None:
        """What changed since the document's rig, where that is asked."""

    def reading(self, weights: Weights) -> "SecondRig":
        """Return it with its weights read so."""

    def clip(self, clip: int | None) -> int | None:
        """Return the number of its clip that is the document's of that number."""

    def frame(self, clip: int | None, time: float) -> Frame:
        """Return its pose in the clip that is the document's."""

    def look(self, look: Look) -> Look:
        """Return how it looks where the document's rig looks like this."""

    def before(self, host: Deformer, frame: Frame) -> Before | None:
        """Return what its changes are drawn against."""

    def host_joint(self, joint: int) -> int | None:
        """Return the document's joint that one of this rig is, if it has one."""

    def host_marks(self, host: Deformer) -> Chosen:
        """Return the vertices of the rig beside it that are pointed out."""


@dataclass(frozen=True, eq=False)
class ComparedRig:
    """The second rig.

    Parameters
    ----------
    difference
        From the document's rig to this one.
    host
        The document's rig, as it was compared with.
    """

    name: str
    deformer: Deformer
    difference: Difference
    host: Deformer

    def reading(self, weights: Weights) -> "ComparedRig":
        """Return the guest with the weights of both rigs read so."""
        deformer, host = self.deformer.reading(weights), self.host.reading(weights)
        if deformer is self.deformer and host is self.host:
            return self
        return replace(self, deformer=deformer, host=host)

    @property
    def heat(self) -> Changes:
        """By how much its weights and its shape are others."""
        return self.difference.heat

    def frame(self, clip: int | None, time: float) -> Frame:
        """Return its pose in the clip that is the document's, at rest where it has none."""
        own = self.clip(clip)
        chosen = None if own is None else self.deformer.rig.clips[own]
        return self.deformer.frame(sample(self.deformer.rig, chosen, time))

    def clip(self, clip: int | None) -> int | None:
        """Return the number of its clip that is the document's of that number."""
        return None if clip is None else self.difference.pairing.clips.second.get(clip)

    def look(self, look: Look) -> Look:
        """Return how it looks where the document's rig looks like this."""
        joints = self.difference.pairing.joints.second
        joint = None if look.joint is None else joints.get(look.joint)
        involved = tuple(joints[node] for node in look.involved if node in joints)
        marked = () if look.shading in COMPARING else self.changed[1]
        look = replace(look, joint=joint, others=(), vertex=None, hidden=self.deformer.rig.hidden)
        return replace(look, marked=marked, chosen=(), involved=involved, lent=self.lent)

    @cached_property
    def lent(self) -> tuple[tuple[int, int], ...]:
        """Its joints that have the colours of the document's (`Look.lent`): one joint, one colour."""
        places, colours = self.host.skeleton.places, self.host.joint_colours
        pairs = self.difference.pairing.joints.both
        return tuple((own, int(colours[places[joint]])) for joint, own in pairs)

    def before(self, host: Deformer, frame: Frame) -> Before | None:
        """Return the rig that its changes are drawn against; None while another rig is on show.

        Parameters
        ----------
        host, frame
            The rig beside it and its pose.
        """
        return Before(host, frame, self.difference.heat) if host is self.host else None

    def host_joint(self, joint: int) -> int | None:
        """Return the document's joint that one of this rig is, if it has one."""
        return self.difference.pairing.joints.first.get(joint)

    def host_marks(self, host: Deformer) -> Chosen:
        """Return the vertices with other weights of the rig beside it; none of one not compared with."""
        return self.changed[0] if host is self.host else ()

    @property
    def changed(self) -> tuple[Chosen, Chosen]:
        """The vertices with other weights, in the document's rig and in this one."""
        found = [(c, tuple(map(int, c.reweighted_vertices))) for c in self.difference.parts]
        return (
            tuple((c.was, numbers) for c, numbers in found if numbers),
            tuple((c.part, numbers) for c, numbers in found if numbers),
        )
