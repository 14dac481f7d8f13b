"""A rig on the graphics card: vertex buffers that never change, and palettes that follow the pose."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.contact_spheres import PartSpheres, spheres
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.materials import Image, Texture
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.methods.vertex_constants import Static, VertexConstants
from rigview.core.skinning import ASKED, Method, Options
from rigview.core.weight_changes import Changes
from rigview.render import scalars
from rigview.render.buffers import (
    FrozenVertices,
    PartBuffers,
    TextureBuffer,
    image_texture,
)
from rigview.render.gl import GL
from rigview.render.heat import Heats
from rigview.render.look import Look, Shading
from rigview.render.surfaces import uv_sets
from rigview.render.texels import limb_texels, palette_bases, palette_texels
from rigview.render.tints import TINTS
from rigview.render.vertex_stage import VertexStage, pack

# How the numbers that only some methods read come into a part's buffers.
_GIVE: dict[Static, Callable[[PartBuffers, VertexConstants, Options], None]] = {
    "shares": lambda part, of, _: part.set_shares(of.shares),
    "dqs_weights": lambda part, of, _: part.set_static("DQS_WEIGHT", of.dqs_weights),
    "basic_amplitude": lambda part, of, options: part.set_static(
        "BASIC_AMPLITUDE", of.basic_amplitude(options.polynomial)
    ),
    "mask": lambda part, of, _: part.set_static("COMPENSATION_MASK", of.mask),
    "centres": lambda part, of, _: part.set_centres(of.centres),
    "moments": lambda part, of, _: part.set_moments(of.moments),
}


@dataclass(frozen=True, eq=False)
class Stills:
    """All parts of a rig in a pose that they keep, skinned by these options."""

    options: Options
    parts: tuple[FrozenVertices, ...]

    def close(self) -> None:
        """Delete them."""
        for part in self.parts:
            part.close()


@dataclass(frozen=True, eq=False)
class Before:
    """The first rig of a comparison, in the pose that the drawn one is in.

    Parameters
    ----------
    changes
        From that rig to the drawn one.
    """

    deformer: Deformer
    frame: Frame
    changes: Changes


@dataclass(frozen=True, eq=False)
class Past:
    """The rig that the drawn one is compared with, on the card."""

    scene: "Scene"
    before: Before


@dataclass(frozen=True, eq=False)
class LiveInfluences:
    """Vertices of a part whose weights a stroke is changing.

    Parameters
    ----------
    vertices
        ``(n,)``.
    joints, weights
        ``(n, 4)`` position in the skin and weight of the heaviest influences.
    shown
        ``(n,)`` what shading by a number shows.
    """

    part: int
    vertices: IntArray
    joints: IntArray
    weights: FloatArray
    shown: FloatArray


class Scene:
    """A rig's buffers, textures and palettes; belongs to the context that was current at its making.

    Attributes
    ----------
    past
        What shadings of change compare with; they are clay without it.
    heats
        What heat shows of the present pose, by method; who draws gives it.
    stills
        Ghost and method → what it looks like, once that has been asked for (`ghosts`).
    """

    def __init__(self, deformer: Deformer, stage: VertexStage | None = None) -> None:
        self.deformer = deformer
        self.stage = stage or VertexStage()
        rig = deformer.rig
        self.parts = [
            PartBuffers(
                rig.primitive(part),
                pack(deformer.bindings[i], self.stage),
                uv_sets(rig.material_of(part)),
            )
            for i, part in enumerate(rig.parts)
        ]
        self._palette = TextureBuffer(GL.GL_RGBA32F)
        self._limbs = TextureBuffer(GL.GL_RGBA32F)
        self._edge_lengths: dict[int, float] = {}
        self._limbs_due: Sequence[Frame] | None = None
        self.copies, self.palette_stride = 1, 0
        self._given: list[dict[str, object]] = [{} for _ in self.parts]
        self._bases = palette_bases(deformer)
        self._textures: dict[tuple[int, tuple[str, str], bool], int] = {}
        self.rigid: list[bool] = [True] * len(self.parts)
        self._amplitude_of: Options | None = None
        self._scalar_of: tuple[Shading, int | None, Changes | None] | None = None
        self._live_scalars: dict[int, FloatArray] = {}
        self._tint_of: object = None
        self.past: Past | None = None
        self.heats: Heats = {}
        self.stills: dict[tuple[str, str], Stills] = {}
        self._shapes: list[bytes] = [b""] * len(self.parts)
        white = Image("white", np.full((1, 1, 4), 255, dtype=np.uint8))
        self._white = image_texture(white, ("repeat", "repeat"), nearest=False)

    def pose(self, frame: Frame, options: Options) -> None:
        """Bring palettes, compensation and morphed shapes to one pose: one palette upload in all."""
        self.pose_crowd((frame,), options)
        self._upload_shapes(frame)

    def pose_crowd(self, frames: Sequence[Frame], options: Options) -> None:
        """Bring palettes and compensation to a crowd of poses, to be drawn by one call a part.

        Shapes stay those of the last `pose`: morph targets are per vertex and not per copy.
        """
        for i, skin in enumerate(map(self.deformer.skin_of, self.deformer.rig.parts)):
            if skin is not None:
                self.rigid[i] = all(frame.palettes[skin].rigid for frame in frames)
        each = [palette_texels(self.deformer, frame, options) for frame in frames]
        self.copies, self.palette_stride = len(frames), len(each[0])
        if self.palette_stride:
            self._palette.upload(np.concatenate(each))
        self._limbs_due = frames
        self._upload_amplitudes(options)

    def _upload_amplitudes(self, options: Options) -> None:
        if self._amplitude_of is None or self._amplitude_of.polynomial != options.polynomial:
            self._amplitude_of = options
            for i, part in enumerate(self.parts):
                part.set_amplitude(self.deformer.amplitude(i, options))

    def _upload_shapes(self, frame: Frame) -> None:
        for i, part in enumerate(self.deformer.rig.parts):
            if self.deformer.rig.primitive(part).morphs is None:
                continue
            weights = frame.pose.morph_weights.get(part.node)
            key = b"" if weights is None else np.asarray(weights).tobytes()
            default = self.deformer.rig.meshes[part.mesh].morph_weights
            key = key or default.tobytes()
            if key != self._shapes[i]:
                self._shapes[i] = key
                self.parts[i].set_shape(*self.deformer.morphed(i, frame.pose))

    def show_scalar(self, look: Look) -> None:
        """Give scalar shading its values."""
        changes = None if self.past is None else self.past.before.changes
        if self._scalar_of == (look.shading, look.joint, changes):
            return
        self._scalar_of = (look.shading, look.joint, changes)
        self._live_scalars = {}
        for i in range(len(self.parts)):
            self.parts[i].set_scalar(scalars.values(self.deformer, i, look, changes))

    def show_influences(self, of: LiveInfluences, joint: int | None) -> None:
        """Show other influences of some vertices, and in weights how much of the joint they have."""
        self.parts[of.part].show_influences(of.vertices, of.joints, of.weights)
        if self._shows_weights_of(joint):
            if of.part not in self._live_scalars:
                values = self.deformer.joint_weights(of.part, joint)
                self._live_scalars[of.part] = values.copy()
            self._live_scalars[of.part][of.vertices] = of.shown
            self.parts[of.part].set_scalar(self._live_scalars[of.part])

    def _shows_weights_of(self, joint: int | None) -> bool:
        return self._scalar_of is not None and self._scalar_of[:2] == ("weights", joint)

    @cached_property
    def joint_meter(self) -> JointMeter:
        """What measures the joints of the rig; pictures that show heat ask it."""
        return JointMeter(self.deformer)

    @cached_property
    def spheres(self) -> tuple[PartSpheres, ...]:
        """What stands for the skinned meshes where the ground is shaded."""
        return spheres(self.deformer)

    @cached_property
    def has_textures(self) -> bool:
        """Whether a part that is drawn has any texture."""
        rig = self.deformer.rig
        return any(rig.material_of(part).textures for part in rig.parts)

    def edge_length(self, number: int) -> float:
        """Return the mean length in metres of the edges of a part's triangles at rest."""
        if number not in self._edge_lengths:
            corners = self.deformer.skin(
                number, self.deformer.rest, ASKED["lbs"], Options()
            ).positions[self.deformer.rig.primitive(self.deformer.rig.parts[number]).triangles]
            sides = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=-1)
            sides = sides[np.isfinite(sides)]
            self._edge_lengths[number] = float(sides.mean()) if len(sides) else 0.0
        return self._edge_lengths[number]

    def show_heat(self, method: str) -> None:
        """Give heat the values of one method; without any all is as undeformed."""
        self._scalar_of = None
        given = self.heats.get(method)
        for i, part in enumerate(self.parts):
            part.set_scalar(np.zeros(part.vertices) if given is None else given[i])

    def show_tint(self, look: Look) -> None:
        """Give shading by a colour per vertex its colours."""
        if self._tint_of == (look.shading, look.lent):
            return
        self._tint_of = (look.shading, look.lent)
        for i, part in enumerate(self.parts):
            part.set_tint(TINTS[look.shading](self.deformer, i, look))

    def bind_palette(self, part: int, unit: int) -> int:
        """Bind the palette buffer and return where the part's joints begin in it."""
        self._palette.bind(unit)
        return self._bases[part]

    def give_statics(self, number: int, method: Method, options: Options) -> None:
        """Give a part what its method reads per vertex and no pose changes.

        It is computed and uploaded when a pane first shows the method, so that nobody else pays.
        """
        statics = self.deformer.statics.get(number)
        key = method.id, options.polynomial if "polynomial" in method.options else None
        if statics is None or self._given[number].get(method.id) == key:
            return
        self._given[number][method.id] = key
        for name in method.statics:
            _GIVE[name](self.parts[number], statics, options)

    def bind_limbs(self, unit: int) -> None:
        """Bind the buffer of posed limbs, brought up to date when a pane first shows them."""
        if self._limbs_due is not None:
            each = [
                limb_texels(self.deformer, frame, self.palette_stride) for frame in self._limbs_due
            ]
            self._limbs.upload(np.concatenate(each))
            self._limbs_due = None
        self._limbs.bind(unit)

    def bind_texture(self, texture: Texture | None, unit: int) -> None:
        """Bind a texture of a material; white where there is none, or its image is not there."""
        image = self.deformer.rig.images[texture.image] if texture is not None else None
        GL.glActiveTexture(GL.GL_TEXTURE0 + unit)
        if texture is None or image is None:
            GL.glBindTexture(GL.GL_TEXTURE_2D, self._white)
            return
        key = texture.image, texture.wrap, texture.nearest
        if key not in self._textures:
            self._textures[key] = image_texture(image, texture.wrap, nearest=texture.nearest)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._textures[key])

    def close(self) -> None:
        """Delete everything."""
        for still in self.stills.values():
            still.close()
        for part in self.parts:
            part.close()
        self._palette.close()
        self._limbs.close()
        textures = [self._white, *self._textures.values()]
        GL.glDeleteTextures(len(textures), textures)
