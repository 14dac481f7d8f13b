"""What rules leave out since others name it: single vertices, joints with what follows them, clips.

A fault in one place would show as others there; the rest of the rig is judged all the same.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rigview.check.measures.influences import twice, weighted
from rigview.check.measures.instances import repeated_nodes
from rigview.check.measures.soundness import BEYOND_LIST, OUT_OF_RANGE, SUM, ZERO, without_vertices
from rigview.check.rule import Rule, Subject, count, verb
from rigview.check.rules import bind, bind_conflict, bind_matrices, bind_reach, keys
from rigview.check.rules.influence_slots import doubles
from rigview.check.rules.scale import NOTHING, mirrored
from rigview.check.rules.scale_time import nothing, vanishing
from rigview.check.rules.stray_weights import strays
from rigview.core import affine
from rigview.core.arrays import BoolArray
from rigview.core.deform import Deformer
from rigview.core.memo import Remembers
from rigview.core.rig import Part
from rigview.core.sentence import Sentence, joined

# Rules that name joints of a skin, whatever the pose.
_OF_SKINS: tuple[Rule, ...] = (
    bind.missing,
    bind.too_few,
    bind_matrices.not_affine,
    bind_matrices.crushed,
    bind_matrices.mirrored,
)
# Rules that name clips as a whole.
_OF_CLIPS: dict[str, Callable[[Subject], frozenset[int]]] = {
    keys.not_numbers.id: keys.with_lost_keys,
    keys.bad_times.id: keys.out_of_order,
}

# Rules about single vertices, joints and keys, whose faults show as faults of the shape.
FAULTS = (
    BEYOND_LIST,
    OUT_OF_RANGE,
    ZERO.rule,
    SUM.rule,
    mirrored.id,
    nothing.id,
    *(rule.id for rule in _OF_SKINS),
    *_OF_CLIPS,
)


@dataclass(frozen=True, eq=False)
class Exclusions(Remembers):
    """What is left of a rig for the rules about its shape, clip by clip; for `Subject.kept`."""

    subject: Subject

    @cached_property
    def clips(self) -> tuple[int, ...]:
        """The clips that are judged."""
        gone = frozenset[int]().union(*(find(self.subject) for find in _OF_CLIPS.values()))
        return tuple(i for i in range(len(self.subject.rig.clips)) if i not in gone)

    @cached_property
    def characters(self) -> tuple[int, ...]:
        """The numbers of the characters that have a skin (`Anatomy.characters`), in the scene's order."""
        return tuple(dict.fromkeys(self._wearers.values()))

    def deformer(self, clip: int | None, character: int) -> Deformer:
        """Return what skins the vertices of a character that are judged in a clip of the file.

        Of nodes that show one mesh in one place, the first is judged (`repeated_nodes`). Clips that lose
        the same share it. With None it is for poses that no clip has: those are judged without the
        vertices that WGT-STRAY names, too.
        """
        gone = self._vanishing.get(None, frozenset()) | self._vanishing.get(clip, frozenset())
        return self.once(Exclusions._of_character, gone, clip is None, character)

    def _of_character(
        self, vanished: frozenset[int], also_strays: bool, character: int
    ) -> Deformer:
        among = self.once(Exclusions._without, vanished, also_strays)
        repeated = self.subject.of_rig(repeated_nodes)
        others = {node for node, wearer in self._wearers.items() if wearer != character}
        # Kept with the facts, like what is measured of them: a rig is also checked for other targets.
        return among.once(_without_meshes, frozenset(repeated | others))

    @cached_property
    def _wearers(self) -> dict[int, int]:
        """Node of a mesh that joints move → the character whose they are."""
        of = self.subject.facts.anatomy.characters
        skins = self.subject.rig.skins
        return {
            part.node: next((of[joint] for joint in skins[part.skin].joints if joint in of), -1)
            for part in self.subject.rig.parts
            if part.skin is not None
        }

    @cached_property
    def _vanishing(self) -> dict[int | None, frozenset[int]]:
        """Clip, or None for the rest pose → the joints without size there, and all below."""
        nodes = self.subject.rig.nodes
        found = self.subject.facts.once(vanishing, self.subject.limit(NOTHING))
        return {
            clip: frozenset(below for node in lost for below in nodes.subtree(node))
            for clip, lost in found.items()
        }

    @cached_property
    def _badly_bound(self) -> dict[int, frozenset[int]]:
        """Skin → its joints that rules about the bind name."""
        result: dict[int, frozenset[int]] = {}
        for rule in _OF_SKINS:
            for finding in self.subject.found(rule):
                result[finding.key] = result.get(finding.key, frozenset()).union(finding.joints)
        for skin, joints in enumerate(_turned_out(self.subject)):
            result[skin] = result.get(skin, frozenset()) | joints
        return result

    @cached_property
    def _strays(self) -> dict[Part, BoolArray]:
        """Part → ``(V,)`` the vertices that WGT-STRAY names; parts without any are left out."""
        result: dict[Part, BoolArray] = {}
        for vertices in (of for found in self.subject.found(strays) for of in found.all_vertices):
            none = np.zeros(len(self.subject.rig.primitive(vertices.part).positions), np.bool_)
            result.setdefault(vertices.part, none)[list(vertices.ids)] = True
        return result

    def _without(self, vanished: frozenset[int], also_strays: bool) -> Deformer:
        lost: dict[tuple[int, int], BoolArray] = {}
        for part in self.subject.rig.parts:
            masks = [*self.subject.faulty(part).values(), self._following(part, vanished)]
            if also_strays and part in self._strays:
                masks.append(self._strays[part])
            for gone in masks:
                if gone.any():
                    place = part.mesh, part.primitive
                    lost[place] = lost[place] | gone if place in lost else gone
        if not lost:
            return self.subject.deformer
        masks_of = ((place, gone.tobytes()) for place, gone in lost.items())
        return self.subject.deformer.once(_without_vertices, *masks_of)

    def _following(self, part: Part, vanished: frozenset[int]) -> BoolArray:
        """Return ``(V,)`` which vertices of a part follow a joint that is left out."""
        rig = self.subject.rig
        influences = rig.primitive(part).influences
        if part.skin is None or influences is None:
            return np.zeros(0, dtype=np.bool_)
        gone = vanished | self._badly_bound.get(part.skin, frozenset())
        named = np.array([joint in gone for joint in rig.skins[part.skin].joints], dtype=np.bool_)
        if not named.any():
            return np.zeros(0, dtype=np.bool_)
        followed = named.take(influences.joints, mode="clip") & (influences.weights != 0.0)
        return np.asarray(followed.any(axis=1), dtype=np.bool_)


def _without_vertices(of: Deformer, *lost: tuple[tuple[int, int], bytes]) -> Deformer:
    """Return what skins a rig without some vertices: (mesh, primitive) and the mask's bytes."""
    masks = {place: np.frombuffer(mask, np.bool_) for place, mask in lost}
    return Deformer(without_vertices(of.rig, masks), of.weights)


def _without_meshes(among: Deformer, nodes: frozenset[int]) -> Deformer:
    """Return what skins a rig without the meshes of some nodes."""
    if not nodes:
        return among
    meshes = among.rig.node_meshes
    kept = tuple(None if node in nodes else mesh for node, mesh in enumerate(meshes))
    return Deformer(replace(among.rig, node_meshes=kept), among.weights)


def _turned_out(subject: Subject) -> Iterator[frozenset[int]]:
    """Yield of each skin the joints that SCL-NEG names, or below those, which turn the mesh inside out."""
    rig, named = subject.rig, {j for f in subject.found(mirrored) for j in f.joints}
    below = rig.nodes.with_descendants(named)
    determinants = affine.determinant(subject.deformer.rest_nodes[:, :3, :3])
    for skin in rig.skins:
        chosen = [i for i, joint in enumerate(skin.joints) if joint in below]
        binds = affine.determinant(skin.joint_from_mesh[chosen][:, :3, :3])
        joints = [skin.joints[i] for i in chosen]
        pairs = zip(joints, determinants[joints] * binds, strict=True)
        yield frozenset(joint for joint, determinant in pairs if determinant < 0.0)


def told(rule: Rule, subject: Subject) -> str:
    """Return what a rule left out because others name it, in words; empty for nothing."""
    in_clips, said = not {"clips", "poses"}.isdisjoint(rule.needs.split()), []
    for other in rule.beside:
        number, noun, where = NAMED[other](subject, in_clips) if other in NAMED else (0, "", "")
        if number:
            named = Sentence("{objects} that {rule} names", objects=count(number, noun), rule=other)
            said.append(
                Sentence(
                    "{objects} {verb} left out{where}",
                    objects=named,
                    verb=verb(number, "is", "are"),
                    where=where,
                )
            )
    return joined(said, "{first}; {rest}")


# How many things a rule names, what they are, and where they are left out if not everywhere. Asked is for a
# rule about the rest pose, or for one about clips, too.
_Count = Callable[[Subject, bool], tuple[int, str, str]]


def _joints(rule: Rule) -> _Count:
    return lambda s, _: (len({j for f in s.found(rule) for j in f.joints}), "joint", "")


def _clips(find: Callable[[Subject], frozenset[int]]) -> _Count:
    return lambda s, _: (len(find(s)), "clip", "")


def _vertices(rule: str) -> _Count:
    return lambda s, _: (s.kept(_faulty_vertices)[rule], "vertex", "")


def _vanished(subject: Subject, in_clips: bool) -> tuple[int, str, str]:
    found = subject.facts.once(vanishing, subject.limit(NOTHING))
    found = {clip: joints for clip, joints in found.items() if in_clips or clip is None}
    where = "" if None in found else Sentence(" in {clips}", clips=count(len(found), "clip"))
    return len(frozenset[int]().union(*found.values())), "joint", where


def _faulty_vertices(subject: Subject) -> Counter[str]:
    """Return rule → how many vertices of all primitives it names; for `Subject.kept`."""
    shown = {(part.mesh, part.primitive): part for part in subject.rig.parts}.values()
    named = Counter[str]()
    for part in shown:
        for rule, vertices in subject.faulty(part).items():
            named[rule] += int(np.count_nonzero(vertices))
    doubled = (twice(own.influences) for own in subject.of_rig(weighted))
    named[doubles.id] = sum(int(np.count_nonzero(vertices)) for vertices in doubled)
    return named


# Every rule that others stand `beside`.
NAMED: dict[str, _Count] = {
    **{
        rule: _vertices(rule)
        for rule in (BEYOND_LIST, OUT_OF_RANGE, ZERO.rule, SUM.rule, doubles.id)
    },
    **{rule.id: _joints(rule) for rule in _OF_SKINS},
    **{rule: _clips(find) for rule, find in _OF_CLIPS.items()},
    bind_conflict.conflicts.id: _joints(bind_conflict.conflicts),
    bind_reach.far.id: lambda s, _: (len(s.found(bind_reach.far_of_each_skin)), "skin", ""),
    mirrored.id: lambda s, _: (len(frozenset[int]().union(*_turned_out(s))), "joint", ""),
    nothing.id: _vanished,
}
