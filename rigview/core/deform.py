"""A whole rig skinned: the static bindings of its parts, and their vertices in any pose."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core import affine, bind_frame, bones, joint_colours, memo, morphing, quat, skinning
from rigview.core.arrays import FloatArray, IntArray, owned, unit
from rigview.core.bones import Axis, BoundJoints, Segments, Skeleton
from rigview.core.brief import brief_repr
from rigview.core.frame import Frame
from rigview.core.mesh import Influences, Weights
from rigview.core.methods import binding, bone_frames, bulge, palette
from rigview.core.methods.bone_frames import BoneFrames
from rigview.core.methods.centres import Progress
from rigview.core.methods.palette import Palette
from rigview.core.methods.posed import Posed, Skinned
from rigview.core.methods.vertex_constants import SLOW, Static, VertexConstants
from rigview.core.numeric import row_ops
from rigview.core.numeric.lazy import Lazy
from rigview.core.pose import Pose, model_from_nodes, rest_pose
from rigview.core.rest_boxes import RestingRig
from rigview.core.rig import Part, Rig
from rigview.core.skinning import Method, Options

# What is computed of a rig whatever its weights sum to.
_WITHOUT_WEIGHTS = {"rest_nodes", "rest", "skeleton", "total_weights", "bind_bones", "bind_sizes"}


@dataclass(frozen=True)
class Deformer(memo.Remembers):
    """The static half of skinning a rig; everything in it is computed once, on first use.

    Parameters
    ----------
    weights
        Whether weights are divided by their sum, as engines do, or skin as the file states them.
    """

    __repr__ = brief_repr

    rig: Rig
    weights: Weights = "literal"

    def reading(self, weights: Weights) -> "Deformer":
        """Return what skins the rig with its weights read so: this, where they sum to one."""
        if weights == self.weights or self.sums_to_one:
            return self
        return self.once(_reading, weights)

    @cached_property
    def sums_to_one(self) -> bool:
        """Whether the file states weights that sum to one, for every vertex that has any."""
        stated = {
            (part.mesh, part.primitive, bound[0]): bound
            for part in self.rig.parts
            if (bound := self._stated_by(part)) is not None
        }
        return not any(
            influences.off_one(len(self.rig.skins[skin].joints)).any()
            for skin, influences in stated.values()
        )

    def of_changed(self, rig: Rig) -> "Deformer":
        """Return what skins a rig that was made of this one; what cannot have changed is taken over."""
        result = Deformer(rig, self.weights)
        memo.tell(result, _kept_corners=Lazy(lambda: self._corners_left_by(result)))
        if not rig.nodes.rests_like(self.rig.nodes):
            return result
        memo.tell(result, rest_nodes=self.rest_nodes)
        if rig.joints != self.rig.joints:
            return result
        if result.total_weights == self.total_weights or self.skeleton.is_like(result.skeleton):
            memo.tell(result, skeleton=self.skeleton)
            bones = {
                skin: self.bind_bones[skin]
                if rig.skins[skin] is self.rig.skins[skin] and self.bind_sizes.get(skin) == size
                else result._bones_of(skin)
                for skin, size in result.bind_sizes.items()
            }
            memo.tell(result, bind_bones=bones)
        return result

    def _corners_left_by(self, other: "Deformer") -> dict[Part, FloatArray]:
        """Return the boxes (`rest_corners`) around parts that rest in another rig bit for bit as here."""
        left = self.resting.parts_left(other.resting)
        return {p: c for p, c in zip(self.rig.parts, self.rest_corners, strict=True) if p in left}

    @property
    def resting(self) -> RestingRig:
        """The rig in its rest pose, to compare with another rig's."""
        return RestingRig(self.rig, self.rest_nodes, self.rest_matrices, self.bound_by)

    @cached_property
    def skeleton(self) -> Skeleton:
        """The joints as a forest with their primary children."""
        return bones.skeleton(self.rig, self.rest_nodes, self.total_weights)

    @cached_property
    def total_weights(self) -> dict[int, float]:
        """Joint → the sum of its weights (`bones.joint_weights`)."""
        return bones.joint_weights(self.rig)

    @cached_property
    def skins(self) -> tuple[int, ...]:
        """The skins that parts of the scene use."""
        used = set(map(self.skin_of, self.rig.parts))
        return tuple(sorted(skin for skin in used if skin is not None))

    def bound_by(self, part: Part) -> tuple[int, Influences] | None:
        """Return the skin whose joints move the part, and its influences; None where its node does.

        Their weights are read as `weights` says.
        """
        stated = self._stated_by(part)
        if stated is None or self.weights == "literal":
            return stated
        skin = stated[0]
        joints = len(self.rig.skins[skin].joints)
        return skin, self.once(_normalised, part.mesh, part.primitive, joints)

    def _stated_by(self, part: Part) -> tuple[int, Influences] | None:
        """Return the skin whose joints move the part, and its influences as the file states them."""
        influences = self.rig.primitive(part).influences
        if part.skin is None or influences is None or not self.rig.skins[part.skin].joints:
            return None
        return part.skin, influences

    def skin_of(self, part: Part) -> int | None:
        """Return the skin whose joints move the part; None where its node does."""
        stated = self._stated_by(part)
        return None if stated is None else stated[0]

    def is_skinned(self, part: Part) -> bool:
        """Tell whether joints move the part; else its node does."""
        return self.skin_of(part) is not None

    @cached_property
    def bind_sizes(self) -> dict[int, float]:
        """Skin → the diagonal of the box around its meshes, in mesh space at bind time."""
        return {
            skin: bones.box_diagonal(
                *(self.rig.primitive(part).box for part in self.rig.skinned_parts(skin))
            )
            for skin in self.skins
        }

    @cached_property
    def bind_bones(self) -> dict[int, Segments]:
        """Skin → its bones in mesh space at bind time, one per joint of the skin."""
        return {skin: self._bones_of(skin) for skin in self.skins}

    def _bones_of(self, skin: int) -> Segments:
        bound = self.once(_bound_joints, self.rig.alike[skin])
        return bound.segments(self.bind_sizes[skin])

    @cached_property
    def bindings(self) -> tuple[binding.Binding, ...]:
        """The binding of every part; nodes that show one mesh on one skin share it."""
        known: dict[tuple[int, int, int | None], binding.Binding] = {}
        for part in self.rig.parts:
            place = part.mesh, part.primitive, part.skin
            if place not in known:
                known[place] = self._binding(part)
        return tuple(known[part.mesh, part.primitive, part.skin] for part in self.rig.parts)

    def _binding(self, part: Part) -> binding.Binding:
        points, bound = self.rig.primitive(part).positions, self.bound_by(part)
        if bound is None:
            return binding.single(points)
        skin, influences = bound
        return binding.bind(self.rig, skin, influences, self.bind_bones[skin], points)

    @cached_property
    def rest(self) -> Frame:
        """The rest pose."""
        return self._framed(rest_pose(self.rig), self.rest_nodes)

    @cached_property
    def bind(self) -> Frame | None:
        """The pose in which the meshes were attached (`bind_frame`); None where no skin states one."""
        return bind_frame.of(self.rig, self.skins, self.size)

    @cached_property
    def rest_nodes(self) -> FloatArray:
        """``(N, 4, 4)`` ``model_from_node`` in the rest pose."""
        return owned(model_from_nodes(self.rig, rest_pose(self.rig)))

    @cached_property
    def rest_matrices(self) -> tuple[FloatArray, ...]:
        """Per skin the skin matrices ``(J, 4, 4)`` of its joints in the rest pose."""
        alike, skins = self.rig.alike, self.rig.skins
        every = {i: self.rest_nodes[skins[i].nodes] @ skins[i].joint_from_mesh for i in set(alike)}
        return tuple(every[i] for i in alike)

    @cached_property
    def rest_positions(self) -> FloatArray:
        """``(V, 3)`` all parts' vertices in the rest pose, model space."""
        rows = [self._at_rest(part) for part in self.rig.parts]
        return np.concatenate([np.zeros((0, 3)), *rows])

    def _at_rest(self, part: Part, *, box: bool = False) -> FloatArray:
        """Return a part's vertices in the rest pose under LBS, without what makes further poses quick.

        Parameters
        ----------
        box
            Whether those will do that touch the box around all.
        """
        primitive = self.rig.primitive(part)
        points = morphing.positions(self.rig, part, rest_pose(self.rig))
        bound = self.bound_by(part)
        if bound is None:
            return affine.transform_points(self.rest_nodes[part.node], points)
        skin, influences = bound
        matrices = self.rest_matrices[skin]
        if box:
            around = primitive.box if points is primitive.positions else row_ops.corners(points)
            chosen = binding.outermost(influences, matrices, points, around)
            if len(chosen) < len(points):
                influences, points = influences.of(chosen), points[chosen]
        return binding.moved_once(influences, matrices, points)

    @cached_property
    def rest_corners(self) -> tuple[FloatArray, ...]:
        """Per part the box around it in the rest pose, ``(2, 3)``, or ``(0, 3)`` around nothing."""
        kept = self._kept_corners.value
        return tuple(
            kept[part] if part in kept else row_ops.corners(self._at_rest(part, box=True))
            for part in self.rig.parts
        )

    @cached_property
    def _kept_corners(self) -> Lazy[dict[Part, FloatArray]]:
        """Part → the box that another rig knew (`of_changed`)."""
        return Lazy(dict)

    @cached_property
    def size(self) -> float:
        """H: the diagonal of the skinned bounds at rest, in metres; of the joints without mesh.

        What the file hides is no part of it.
        """
        parts, hidden = self.rig.parts, self.rig.hidden
        shown = [c for p, c in zip(parts, self.rest_corners, strict=True) if p.node not in hidden]
        if any(map(len, shown)):
            return bones.box_diagonal(*shown)
        nodes = list(self.rig.joints) or list(self.rig.scene)
        return bones.box_diagonal(self.rest_nodes[nodes][:, :3, 3])

    def frame(self, pose: Pose) -> Frame:
        """Return one pose's nodes and palettes."""
        return self._framed(pose, model_from_nodes(self.rig, pose))

    def _framed(self, pose: Pose, model: FloatArray) -> Frame:
        palettes = {s: palette.of_skin(self.rig, s, pose, model) for s in self.skins}
        return Frame(pose, model, palettes)

    def part_palette(self, frame: Frame, part: Part) -> Palette:
        """Return the palette that a part reads."""
        skin = self.skin_of(part)
        if skin is not None:
            return frame.palettes[skin]
        return palette.of_matrices(frame.model_from_node[part.node][None])

    def bone_directions(self, skin: int, of: Palette, axis: Axis) -> FloatArray:
        """Return ``(J, 3)`` posed unit bone directions of a skin's joints.

        A mirrored joint's is where its matrix takes the bone: the rotation alone is only half of the way.
        """
        bound = self.bind_directions(skin, axis)
        directions = quat.rotate(of.rotations, bound)
        mirrored = affine.determinant(of.stretches) < 0.0
        taken = np.einsum("jab,jb->ja", of.matrices[mirrored, :3, :3], bound[mirrored])
        directions[mirrored] = unit(taken, directions[mirrored])
        return directions

    def bind_directions(self, skin: int, axis: Axis) -> FloatArray:
        """Return ``(J, 3)`` unit bone directions in mesh space at bind time.

        "auto" follows the bones; a signed axis is that local axis of every joint.
        """
        if axis == "auto":
            return self.bind_bones[skin].directions
        joint_from_mesh = self.rig.skins[skin].joint_from_mesh[:, :3, :3]
        return unit(np.einsum("jab,a->jb", joint_from_mesh, bones.axis_vector(axis)))

    def posed_bones(self, frame: Frame) -> Segments:
        """Return the bones in model space, one per joint of the rig."""
        posed = frame.model_from_node[self.skeleton.joints]
        return bones.posed_segments(self.skeleton, self._bones_in_joints, posed)

    @cached_property
    def _bones_in_joints(self) -> tuple[FloatArray, FloatArray]:
        return bones.in_joints(self.rest_bones, self.rest_nodes[self.skeleton.joints])

    @cached_property
    def rest_bones(self) -> Segments:
        """The bones in the rest pose, model space, one per joint of the rig."""
        frames = self.rest_nodes[self.skeleton.joints]
        return bones.segments(self.skeleton, frames[:, :3, 3], frames[:, :3, :3], self.size)

    @cached_property
    def limbs(self) -> dict[int, BoneFrames]:
        """Skin → its bones at bind time and how they hang on one another."""
        return {
            skin: bone_frames.of_skin(self.rig, skin, self.skeleton, self.bind_bones[skin])
            for skin in self.skins
        }

    @cached_property
    def statics(self) -> dict[int, VertexConstants]:
        """Skinned part → what its methods read that no pose changes."""
        return {
            number: VertexConstants(
                self.bindings[number], self.limbs[skin], self.rig.primitive(part)
            )
            for number, part in enumerate(self.rig.parts)
            if (skin := self.skin_of(part)) is not None
        }

    @cached_property
    def joint_colours(self) -> IntArray:
        """``(J,)`` each joint's number in `joint_colours.palette`, one per joint of the rig."""
        labels = [self.rig.nodes.label(joint) for joint in self.skeleton.joints.tolist()]
        return owned(joint_colours.choose(labels, self.skeleton.parents.tolist()))

    def joint_weights(self, number: int, joint: int | None) -> FloatArray:
        """Return ``(V,)`` a part's weights of one joint, by its node; 0 where it does not move it."""
        skin, binding = self.skin_of(self.rig.parts[number]), self.bindings[number]
        result = np.zeros(len(binding.weights))
        if joint is None or skin is None:
            return result
        for position, node in enumerate(self.rig.skins[skin].joints):
            if node == joint:
                result += np.where(binding.joints == position, binding.weights, 0.0).sum(axis=1)
        return result

    def morphed(self, number: int, pose: Pose) -> tuple[FloatArray, FloatArray]:
        """Return a part's positions and unit normals ``(V, 3)`` in mesh space, morph targets added."""
        part = self.rig.parts[number]
        return morphing.positions(self.rig, part, pose), morphing.normals(self.rig, part, pose)

    def amplitude(self, number: int, options: Options) -> FloatArray:
        """Return ``(V,)`` the static lengths of a part's compensation."""
        return self.latest(_amplitude, number, options.polynomial, per=number)

    def prepare(self, method: Method, progress: Progress | None = None) -> None:
        """Compute what a method needs of every part once; only `vertex_constants.SLOW` takes long.

        Who has a window calls this in a worker before a pane shows the method (`is_prepared`).

        Parameters
        ----------
        progress
            Hears the share done, 0 to 1; may raise to stop.
        """
        due = self._slow_statics(method)
        tell = progress or (lambda _share: None)
        for done, (statics, name) in enumerate(due):

            def tell_all(share: float, before: int = done) -> None:
                tell((before + share) / len(due))

            statics.find(name, tell_all)

    def is_prepared(self, method: Method) -> bool:
        """Tell whether skinning by a method starts at once."""
        return all(statics.has(name) for statics, name in self._slow_statics(method))

    def _slow_statics(self, method: Method) -> list[tuple[VertexConstants, Static]]:
        """Return what takes long to find of the parts that a method moves."""
        return [
            (statics, name)
            for number, statics in self.statics.items()
            for name in self.method_of(number, method.id).statics
            if name in SLOW
        ]

    def method_of(self, number: int, wanted: str) -> Method:
        """Return the method that moves a part: the wanted one, by its id.

        That of `skinning.FILE` is what the file asks for, LBS where it says nothing. A part without skin
        moves with its node, which is LBS on one joint.
        """
        part = self.rig.parts[number]
        if wanted == skinning.FILE.id:
            wanted = self.rig.primitive(part).method or "lbs"
        return skinning.METHODS[wanted if self.is_skinned(part) else "lbs"]

    def files_methods(self) -> tuple[Method, ...]:
        """Return the methods that `skinning.FILE` comes to, each once, in the order of the parts."""
        numbers = (n for n, part in enumerate(self.rig.parts) if self.is_skinned(part))
        found = (self.method_of(number, skinning.FILE.id) for number in numbers)
        return tuple({method.id: method for method in found}.values())

    def posed(self, number: int, frame: Frame, options: Options) -> Posed:
        """Return one part in a pose, as any method takes it."""
        part = self.rig.parts[number]
        positions, normals = self.morphed(number, frame.pose)
        of = self.part_palette(frame, part)
        skin = self.skin_of(part)
        axis = options.axis
        directions = np.zeros((1, 3)) if skin is None else self.bone_directions(skin, of, axis)
        return Posed(
            self.bindings[number],
            of,
            directions,
            positions,
            normals,
            self.amplitude(number, options),
            self.statics.get(number),
        )

    def skin(self, number: int, frame: Frame, method: Method, options: Options) -> Skinned:
        """Skin one part."""
        posed = self.posed(number, frame, options)
        return self._skin(number, posed, method, options)

    def _skin(self, number: int, posed: Posed, method: Method, options: Options) -> Skinned:
        minded = skinning.options_for(method.id, options)
        return self.method_of(number, method.id).skin(posed, minded)

    def skin_all(self, frame: Frame, method: Method, options: Options) -> list[Skinned]:
        """Skin every part of the scene."""
        return [self.skin(i, frame, method, options) for i in range(len(self.rig.parts))]

    def skin_by(
        self, frame: Frame, methods: Iterable[Method], options: Options
    ) -> Iterator[list[Skinned]]:
        """Yield `skin_all` of several methods; what they have in common is computed once."""
        parts = [self.posed(i, frame, options) for i in range(len(self.rig.parts))]
        for method in methods:
            yield [self._skin(i, posed, method, options) for i, posed in enumerate(parts)]


def _reading(of: Deformer, weights: Weights) -> Deformer:
    result = Deformer(of.rig, weights)
    memo.hand_over(of, result, _WITHOUT_WEIGHTS)
    return result


def _normalised(of: Deformer, mesh: int, primitive: int, joint_count: int) -> Influences:
    influences = of.rig.meshes[mesh].primitives[primitive].influences
    assert influences is not None
    return influences.normalised(joint_count)


def _bound_joints(of: Deformer, skin: int) -> BoundJoints:
    return BoundJoints.of(of.rig, skin, of.skeleton, of.rest_nodes)


def _amplitude(of: Deformer, number: int, polynomial: bulge.Profile) -> FloatArray:
    amplitude = bulge.amplitudes(of.bindings[number], polynomial)
    part = of.rig.parts[number]
    if of.is_skinned(part):
        amplitude = amplitude * of.rig.primitive(part).mask
    return owned(amplitude)
