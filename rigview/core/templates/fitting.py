"""How a rig is matched with a template: which joint is which, and how far each is off.

1. A joint of the template's very name is meant by it. Of the others one that has the name in another
   namespace or case; then one that is the same bone of a human body; then one that stands where the
   template has the joint, below the same joint.
2. Both skeletons are looked at facing +Z, where their meshes were bound, else at rest; places are measured
   from the ground below the topmost joint, in heights of what both have.
3. Arms may hang lower in one than in the other. So the template's axes are turned as those of the joint
   above, and then by the shortest arc that takes the bone to where it points in the rig, before they are
   compared; where no single joint below says the direction, the first of the two alone. What is left is
   how the axes lie about the bone.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from rigview.core import affine, quat, stance
from rigview.core.arrays import FloatArray
from rigview.core.deform import Deformer
from rigview.core.motion.body_bones import bones_of
from rigview.core.motion.joint_mapping import plain
from rigview.core.motion.reference_body import UP, ReferenceBody, rotations
from rigview.core.rig import Rig
from rigview.core.templates.template import Template, TemplateJoint

# By which a joint was found.
How = Literal["name", "namespace", "bone", "place"]
# As near as this, in heights, a joint is one that the template has under another name, where it states
# no distance of its own.
NEAR = 0.02
# So many joints that both have tell how large each is.
_ENOUGH = 3


@dataclass(frozen=True, eq=False)
class Stand:
    """A skeleton as templates see it: facing +Z, where its meshes were bound, else at rest.

    Parameters
    ----------
    heads
        ``(N, 3)`` where its nodes are.
    turns
        ``(N, 4)`` how their axes lie.
    front
        ``(4,)`` the turn that was taken out: by which a skeleton facing +Z looks where it does.
    """

    heads: FloatArray
    turns: FloatArray
    front: FloatArray

    @classmethod
    def of(cls, deformer: Deformer) -> "Stand":
        """Return how a rig stands."""
        nodes = ReferenceBody.of(deformer).nodes
        front = quat.from_axis_angle(UP, stance.front(deformer))
        back = quat.conjugate(front)
        return cls(quat.rotate(back, nodes[:, :3, 3]), quat.multiply(back, rotations(nodes)), front)


@dataclass(frozen=True, eq=False)
class Fit:
    """A rig matched with a template.

    Parameters
    ----------
    found
        Joint of the template, by its name → joint of the rig.
    how
        Joint of the rig → by what it was found.
    """

    deformer: Deformer
    template: Template
    found: Mapping[str, int]
    how: Mapping[int, How]

    @classmethod
    def of(cls, deformer: Deformer, template: Template) -> "Fit":
        """Match a rig with a template."""
        found = _by_name(deformer.rig, template)
        how: dict[int, How] = dict.fromkeys(found.values(), "name")
        keys: tuple[tuple[How, Keys], ...] = (("namespace", _plain_keys), ("bone", _bone_keys))
        for word, keyed in keys:
            more = _matched(deformer.rig, template, found, keyed)
            found |= more
            how |= dict.fromkeys(more.values(), word)
        more = _by_place(cls(deformer, template, found, how))
        return cls(deformer, template, found | more, how | dict.fromkeys(more.values(), "place"))

    @property
    def rig(self) -> Rig:
        """The rig."""
        return self.deformer.rig

    @cached_property
    def joints(self) -> dict[int, TemplateJoint]:
        """Joint of the rig → that of the template, in the template's order."""
        by_name = self.template.by_name
        return {self.found[name]: by_name[name] for name in by_name if name in self.found}

    @cached_property
    def missing(self) -> tuple[TemplateJoint, ...]:
        """The joints that the template requires and the rig lacks."""
        return tuple(j for j in self.template.joints if j.required and j.name not in self.found)

    @cached_property
    def extra(self) -> tuple[int, ...]:
        """The joints of the rig that the template neither has nor allows."""
        names, allows = self.rig.nodes.names, self.template.allows
        return tuple(j for j in self.rig.joints if j not in self.joints and not allows(names[j]))

    def above(self, joint: int) -> int:
        """Return the nearest joint above that the template has; −1 for none."""
        return next((n for n in self.rig.nodes.ancestors(joint) if n in self.joints), -1)

    def wanted_above(self, joint: int) -> int:
        """Return the joint that the template has right above one; −1 for none.

        Where the rig lacks the joint, the next one above counts, as VRM has it.
        """
        above = self.template.above(self.joints[joint])
        return next((self.found[one.name] for one in above if one.name in self.found), -1)

    @cached_property
    def stand(self) -> Stand:
        """How the rig stands."""
        return Stand.of(self.deformer)

    @cached_property
    def measured(self) -> bool:
        """Whether both have enough joints with places to tell how large each is."""
        return self._frames is not None

    @cached_property
    def _frames(self) -> tuple[FloatArray, float, FloatArray, float] | None:
        """The base ``(3,)`` and the height of what both have, in the rig and in the template."""
        placed = {joint: own.place for joint, own in self.joints.items() if own.place is not None}
        if len(placed) < _ENOUGH:
            return None
        depths = self.rig.nodes.depths
        top = min(placed, key=lambda joint: int(depths[joint]))
        own, other = self.stand.heads[[*placed]], np.array([*placed.values()])
        heights = (float(np.ptp(own[:, 1])), float(np.ptp(other[:, 1])))
        if not min(heights) > 0.0:
            return None
        bases = [
            np.array([point[0], rows[:, 1].min(), point[2]])
            for rows, point in ((own, self.stand.heads[top]), (other, np.array(placed[top])))
        ]
        return bases[0], heights[0], bases[1], heights[1]

    def places(self) -> FloatArray:
        """Return ``(N, 3)`` where the rig's nodes are, as the template counts, in its heights."""
        if self._frames is None:
            return self.stand.heads
        base, height, other, size = self._frames
        return np.asarray((self.stand.heads - base) * (size / height) + other)

    @cached_property
    def distances(self) -> dict[int, float]:
        """Joint → how far it is from its place, in heights of the template; empty where nothing tells."""
        if self._frames is None:
            return {}
        now = self.places()
        return {
            joint: float(np.linalg.norm(now[joint] - own.place))
            for joint, own in self.joints.items()
            if own.place is not None
        }

    @cached_property
    def wanted_turns(self) -> dict[int, FloatArray]:
        """Joint → ``(4,)`` how its axes are to lie, facing +Z, its bone staying where it points."""
        result: dict[int, FloatArray] = {}
        arcs: dict[int, FloatArray] = {-1: np.array(quat.IDENTITY)}
        depths = self.rig.nodes.depths
        for joint in sorted(self.joints, key=lambda j: int(depths[j])):
            own = self.joints[joint]
            arcs[joint] = self._arc(joint, arcs[self.above(joint)])
            if own.rotation is not None:
                turn = quat.normalise(np.array(own.rotation))
                result[joint] = quat.multiply(arcs[joint], turn)
        return result

    def _arc(self, joint: int, inherited: FloatArray) -> FloatArray:
        """Return ``(4,)`` the turn of the joint above, then the arc that takes the bone to the rig's."""
        own = self.joints[joint]
        ends = [end for end in self.template.below(own) if end.place and end.name in self.found]
        if len(ends) > 1:
            ends = [end for end in ends if end.bone]
        if len(ends) != 1 or own.place is None or ends[0].place is None:
            return inherited
        there = np.array(ends[0].place) - np.array(own.place)
        here = self.stand.heads[self.found[ends[0].name]] - self.stand.heads[joint]
        if not (np.any(there) and np.any(here)):
            return inherited
        return quat.multiply(quat.arc(quat.rotate(inherited, there), here), inherited)

    @cached_property
    def angles(self) -> dict[int, float]:
        """Joint → by how many degrees its axes lie otherwise about its bone."""
        return {
            joint: float(np.degrees(quat.angle_between(self.stand.turns[joint], wanted)))
            for joint, wanted in self.wanted_turns.items()
            if affine.determinant(self.deformer.rest_nodes[joint, :3, :3]) > 0.0
        }


Keys = Callable[[Rig, Template], tuple[dict[int, Hashable], dict[str, Hashable]]]


def _by_name(rig: Rig, template: Template) -> dict[str, int]:
    found: dict[str, int] = {}
    for joint in rig.joints:
        name = rig.nodes.names[joint]
        if name in template.by_name:
            found.setdefault(name, joint)
    return found


def _plain_keys(rig: Rig, template: Template) -> tuple[dict[int, Hashable], dict[str, Hashable]]:
    return (
        {joint: plain(rig.nodes.names[joint]) for joint in rig.joints},
        {joint.name: plain(joint.name) for joint in template.joints},
    )


def _bone_keys(rig: Rig, template: Template) -> tuple[dict[int, Hashable], dict[str, Hashable]]:
    return (
        dict(bones_of(rig)),
        {joint.name: joint.bone for joint in template.joints if joint.bone},
    )


def _matched(rig: Rig, template: Template, found: Mapping[str, int], keyed: Keys) -> dict[str, int]:
    """Return joints that one key tells, of those that were not found yet; a key of several tells none."""
    own, wanted = keyed(rig, template)
    used = set(found.values())
    joints_of: dict[Hashable, list[int]] = {}
    for joint, key in own.items():
        if joint not in used:
            joints_of.setdefault(key, []).append(joint)
    names_of: dict[Hashable, list[str]] = {}
    for name, key in wanted.items():
        if name not in found:
            names_of.setdefault(key, []).append(name)
    return {
        names[0]: joints_of[key][0]
        for key, names in names_of.items()
        if len(names) == 1 and len(joints_of.get(key, ())) == 1
    }


def _by_place(fit: Fit) -> dict[str, int]:
    """Return joints that stand where the template has one that was not found, below the same joint."""
    template, rig = fit.template, fit.rig
    if not fit.measured:
        return {}
    now, result = fit.places(), {}
    free = [joint for joint in rig.joints if joint not in fit.joints]
    open_ = [j for j in template.joints if j.name not in fit.found and j.place is not None]
    if not free or not open_:
        return {}
    gaps = np.linalg.norm(
        now[free][:, None] - np.array([joint.place for joint in open_])[None], axis=2
    )
    for column, joint in enumerate(open_):
        row = int(np.argmin(gaps[:, column]))
        near = gaps[row, column] <= (joint.distance or template.distance or NEAR)
        if near and int(np.argmin(gaps[row])) == column:
            above = next((a for a in template.above(joint) if a.name in fit.found), None)
            if fit.above(free[row]) == (-1 if above is None else fit.found[above.name]):
                result[joint.name] = free[row]
    return result
