"""A rig on the graphics card: vertex buffers that never change, and palettes that follow the pose."""

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import FloatArray
from rigview.core.deform import Deformer, Frame
from rigview.core.palette import Palette
from rigview.core.rig import Image, Part, Primitive, Rig
from rigview.core.skinning import Method, Options
from rigview.render import scalars
from rigview.render.gl import GL
from rigview.render.look import Look
from rigview.render.vertex_stage import PackedInfluences, VertexStage, pack

# Texels a joint takes in the palette buffer: three matrix rows, two of the dual quaternion, one
# bone direction (shaders/lib/palette.glsl).
PALETTE_TEXELS = 6
_IN_ATTRIBUTES = 4
# Texels a joint takes in the buffer of limbs (shaders/lib/capsule.glsl).
LIMB_TEXELS = 6
_POSITION, _NORMAL, _JOINTS, _WEIGHTS, _AMPLITUDE, _UV, _COLOUR, _SCALAR, _FURTHER = range(9)
_SHARES, _STATICS, _CENTRE = range(9, 12)
# The numbers in the attribute _STATICS; what its method has not asked for is 0.
_CREASE_ONSET, _DQS_WEIGHT, _BASIC_AMPLITUDE, _MASK = range(4)
# Position and normal under the method that others are compared with.
_REFERENCE = 14
# Bytes of an unsigned integer → its name in OpenGL.
_INTEGERS = {1: "GL_UNSIGNED_BYTE", 2: "GL_UNSIGNED_SHORT", 4: "GL_UNSIGNED_INT"}
_WRAPS = {"repeat": "GL_REPEAT", "clamp": "GL_CLAMP_TO_EDGE", "mirror": "GL_MIRRORED_REPEAT"}


class Buffer:
    """A buffer object with its owner."""

    def __init__(self) -> None:
        self.id = int(GL.glGenBuffers(1))

    def upload(self, target: int, data: NDArray[np.generic], usage: int) -> None:
        """Replace the whole content."""
        GL.glBindBuffer(target, self.id)
        contiguous = np.ascontiguousarray(data)
        GL.glBufferData(target, contiguous.nbytes, contiguous if contiguous.nbytes else None, usage)

    def close(self) -> None:
        """Delete it."""
        GL.glDeleteBuffers(1, [self.id])


class TextureBuffer:
    """A buffer that shaders read as texels of four floats."""

    def __init__(self, texel_format: int) -> None:
        self._buffer = Buffer()
        self._texture = int(GL.glGenTextures(1))
        self._format = texel_format
        self.upload(np.zeros(4, dtype=np.float32))
        GL.glBindTexture(GL.GL_TEXTURE_BUFFER, self._texture)
        GL.glTexBuffer(GL.GL_TEXTURE_BUFFER, self._format, self._buffer.id)

    def upload(self, texels: NDArray[np.float32]) -> None:
        """Replace the content."""
        self._buffer.upload(GL.GL_TEXTURE_BUFFER, texels, GL.GL_STREAM_DRAW)

    def bind(self, unit: int) -> None:
        """Make it the buffer of a texture unit."""
        GL.glActiveTexture(GL.GL_TEXTURE0 + unit)
        GL.glBindTexture(GL.GL_TEXTURE_BUFFER, self._texture)

    def close(self) -> None:
        """Delete it."""
        GL.glDeleteTextures(1, [self._texture])
        self._buffer.close()


def image_texture(image: Image, wrap: tuple[str, str], *, nearest: bool) -> int:
    """Upload an image with mipmaps and return its texture."""
    texture = int(GL.glGenTextures(1))
    GL.glBindTexture(GL.GL_TEXTURE_2D, texture)
    height, width = image.pixels.shape[:2]
    GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 1)
    GL.glTexImage2D(
        GL.GL_TEXTURE_2D, 0, GL.GL_RGBA8, width, height, 0, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE,
        np.ascontiguousarray(image.pixels),
    )  # fmt: skip
    GL.glGenerateMipmap(GL.GL_TEXTURE_2D)
    magnify = GL.GL_NEAREST if nearest else GL.GL_LINEAR
    for name, value in (
        (GL.GL_TEXTURE_WRAP_S, getattr(GL, _WRAPS[wrap[0]])),
        (GL.GL_TEXTURE_WRAP_T, getattr(GL, _WRAPS[wrap[1]])),
        (GL.GL_TEXTURE_MAG_FILTER, magnify),
        (GL.GL_TEXTURE_MIN_FILTER, GL.GL_LINEAR_MIPMAP_LINEAR),
    ):
        GL.glTexParameteri(GL.GL_TEXTURE_2D, name, value)
    return texture


@dataclass(frozen=True)
class Draw:
    """A run of indices of one primitive type."""

    mode: int
    first_byte: int
    count: int


class PartBuffers:
    """One part's vertices in buffers of its own."""

    def __init__(self, primitive: Primitive, packed: PackedInfluences, uv_set: int) -> None:
        self.vertex_array = int(GL.glGenVertexArrays(1))
        self.vertices = len(primitive.positions)
        GL.glBindVertexArray(self.vertex_array)
        self._buffers: dict[int, Buffer] = {}
        self._statics = np.zeros((self.vertices, 4), dtype=np.float32)
        self._attribute(_POSITION, primitive.positions, np.float32)
        self._attribute(_NORMAL, primitive.shading_normals, np.float32)
        self.packed = packed
        self._influences(packed)
        self._attribute(_AMPLITUDE, np.zeros((self.vertices, 1)), np.float32)
        self._attribute(_SCALAR, np.zeros((self.vertices, 1)), np.float32)
        no_uv = np.zeros((self.vertices, 2))
        self._attribute(_UV, primitive.uvs.get(uv_set, no_uv), np.float32)
        colours = (
            primitive.colours if primitive.colours is not None else np.ones((self.vertices, 4))
        )
        self._attribute(_COLOUR, colours, np.float32)
        self.draws = self._indices(primitive)
        GL.glBindVertexArray(0)

    def _attribute(self, location: int, values: NDArray[np.generic], dtype: type) -> None:
        """Upload ``(V, n)`` values; integers stay integers in the shader."""
        array = self._upload(location, np.ascontiguousarray(values, dtype=dtype))
        width, start = array.shape[1], ctypes.c_void_p(0)
        if dtype is np.float32:
            GL.glVertexAttribPointer(location, width, GL.GL_FLOAT, False, 0, start)
        else:
            kind = getattr(GL, _INTEGERS[array.itemsize])
            GL.glVertexAttribIPointer(location, width, kind, 0, start)

    def _shares(self, location: int, values: NDArray[np.generic]) -> None:
        """Upload ``(V, 4)`` integers that the shader reads as 0 to 1."""
        array = self._upload(location, np.ascontiguousarray(values))
        kind = getattr(GL, _INTEGERS[array.itemsize])
        GL.glVertexAttribPointer(location, 4, kind, True, 0, ctypes.c_void_p(0))

    def _upload(self, location: int, array: NDArray[np.generic]) -> NDArray[np.generic]:
        buffer = self._buffers.setdefault(location, Buffer())
        buffer.upload(GL.GL_ARRAY_BUFFER, array, GL.GL_STATIC_DRAW)
        GL.glEnableVertexAttribArray(location)
        return array

    def _influences(self, packed: PackedInfluences) -> None:
        """Put the four heaviest into attributes and the rest of each vertex into a texture buffer."""
        pad = ((0, 0), (0, max(0, _IN_ATTRIBUTES - packed.joints.shape[1])))
        joints, weights = np.pad(packed.joints, pad), np.pad(packed.shares, pad)
        four = slice(_IN_ATTRIBUTES)
        self._attribute(_JOINTS, joints[:, four], packed.joints.dtype.type)
        if packed.weights.dtype.kind == "f":
            self._attribute(_WEIGHTS, weights[:, four], np.float32)
        else:
            self._shares(_WEIGHTS, np.pad(packed.weights, pad)[:, four])
        self.further: TextureBuffer | None = None
        more = weights[:, _IN_ATTRIBUTES:]
        if not np.any(more):
            return
        self._used = more != 0.0
        counts = self._used.sum(axis=1)
        starts = np.cumsum(counts) - counts
        self._texels = np.zeros((int(counts.sum()), 4), dtype=np.float32)
        self._texels[:, 0] = joints[:, _IN_ATTRIBUTES:][self._used]
        self._texels[:, 1] = more[self._used]
        self.further = TextureBuffer(GL.GL_RGBA32F)
        self.further.upload(self._texels)
        self._attribute(_FURTHER, np.stack([starts, counts], axis=1), np.uint32)

    def _indices(self, primitive: Primitive) -> tuple[Draw, ...]:
        runs = (
            (GL.GL_TRIANGLES, primitive.triangles.reshape(-1)),
            (GL.GL_LINES, primitive.lines.reshape(-1)),
            (GL.GL_POINTS, primitive.points),
        )
        draws, start = [], 0
        for mode, indices in runs:
            if len(indices):
                draws.append(Draw(mode, 4 * start, len(indices)))
                start += len(indices)
        everything = np.concatenate([indices for _, indices in runs]).astype(np.uint32)
        self._index_buffer = Buffer()
        self._index_buffer.upload(GL.GL_ELEMENT_ARRAY_BUFFER, everything, GL.GL_STATIC_DRAW)
        return tuple(draws)

    def set_shape(self, positions: FloatArray, normals: FloatArray) -> None:
        """Replace rest positions and normals: morph targets."""
        self._replace(_POSITION, positions)
        self._replace(_NORMAL, normals)

    def set_amplitude(self, values: FloatArray) -> None:
        """Replace the static lengths of the compensation."""
        self._replace(_AMPLITUDE, values)

    def set_static(self, number: int, values: FloatArray) -> None:
        """Give one method the ``(V,)`` numbers that it reads per vertex and no pose changes."""
        self._statics[:, number] = values
        self._give(_STATICS, self._statics)

    def set_centres(self, centres: FloatArray) -> None:
        """Give the centres of rotation ``(V, 3)``."""
        self._give(_CENTRE, centres)

    def _give(self, location: int, values: NDArray[np.generic]) -> None:
        GL.glBindVertexArray(self.vertex_array)
        self._attribute(location, values, np.float32)
        GL.glBindVertexArray(0)

    def set_shares(self, shares: FloatArray) -> None:
        """Give the capsule compensation its shares ``(V, K)``."""
        pad = ((0, 0), (0, max(0, _IN_ATTRIBUTES - shares.shape[1])))
        shares = np.pad(shares, pad)
        self._give(_SHARES, shares[:, :_IN_ATTRIBUTES])
        if self.further is not None:
            self._texels[:, 2] = shares[:, _IN_ATTRIBUTES:][self._used]
            self.further.upload(self._texels)

    def set_scalar(self, values: FloatArray) -> None:
        """Replace what scalar shading shows."""
        self._replace(_SCALAR, values)

    def _replace(self, location: int, values: FloatArray) -> None:
        data = np.ascontiguousarray(values, dtype=np.float32)
        self._buffers[location].upload(GL.GL_ARRAY_BUFFER, data, GL.GL_DYNAMIC_DRAW)

    def draw(self) -> None:
        """Draw all runs with the current program."""
        self.draw_crowd(1)

    def draw_crowd(self, copies: int) -> None:
        """Draw all runs, each copy on its own part of the palette."""
        GL.glBindVertexArray(self.vertex_array)
        for run in self.draws:
            start = ctypes.c_void_p(run.first_byte)
            GL.glDrawElementsInstanced(run.mode, run.count, GL.GL_UNSIGNED_INT, start, copies)

    def record(self, buffer: Buffer) -> None:
        """Write ``(V, 6)`` position and normal of every vertex into a buffer, in order.

        The current program records them; needs a complete framebuffer, else nothing is recorded.
        """
        empty = np.zeros(6 * self.vertices, dtype=np.float32)
        buffer.upload(GL.GL_TRANSFORM_FEEDBACK_BUFFER, empty, GL.GL_STREAM_READ)
        GL.glBindVertexArray(self.vertex_array)
        GL.glBindBufferBase(GL.GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer.id)
        GL.glEnable(GL.GL_RASTERIZER_DISCARD)
        GL.glBeginTransformFeedback(GL.GL_POINTS)
        GL.glDrawArrays(GL.GL_POINTS, 0, self.vertices)
        GL.glEndTransformFeedback()
        GL.glDisable(GL.GL_RASTERIZER_DISCARD)
        GL.glBindBufferBase(GL.GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0)

    def record_reference(self) -> None:
        """Record what the current program makes of the vertices, for the difference to it."""
        GL.glBindVertexArray(self.vertex_array)
        reference = self._buffers.setdefault(_REFERENCE, Buffer())
        for location in (_REFERENCE, _REFERENCE + 1):
            GL.glDisableVertexAttribArray(location)
        self.record(reference)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, reference.id)
        for i in range(2):
            start = ctypes.c_void_p(12 * i)
            GL.glVertexAttribPointer(_REFERENCE + i, 3, GL.GL_FLOAT, False, 24, start)
            GL.glEnableVertexAttribArray(_REFERENCE + i)

    def close(self) -> None:
        """Delete all buffers."""
        GL.glDeleteVertexArrays(1, [self.vertex_array])
        for buffer in (*self._buffers.values(), self._index_buffer):
            buffer.close()
        if self.further is not None:
            self.further.close()


class Scene:
    """A rig's buffers, textures and palettes; belongs to the context that was current at its making."""

    def __init__(self, deformer: Deformer, stage: VertexStage | None = None) -> None:
        self.deformer = deformer
        self.stage = stage or VertexStage()
        rig = deformer.rig
        self.parts = [
            PartBuffers(
                rig.primitive(part), pack(deformer.bindings[i], self.stage), _uv_set(rig, part)
            )
            for i, part in enumerate(rig.parts)
        ]
        self._palette = TextureBuffer(GL.GL_RGBA32F)
        self._limbs = TextureBuffer(GL.GL_RGBA32F)
        self._limbs_due: Sequence[Frame] | None = None
        self.copies, self.palette_stride = 1, 0
        self._given: list[dict[str, object]] = [{} for _ in self.parts]
        self._bases = self._palette_bases()
        self._textures: dict[int, int] = {}
        self.rigid: list[bool] = [True] * len(self.parts)
        self._amplitude_of: Options | None = None
        self._scalar_of: object = None
        self._shapes: list[bytes] = [b""] * len(self.parts)
        white = Image("white", np.full((1, 1, 4), 255, dtype=np.uint8))
        self._white = image_texture(white, ("repeat", "repeat"), nearest=False)

    def _palette_bases(self) -> list[int]:
        """Return for each part where its palette begins: skins share theirs, unskinned parts have one."""
        rig = self.deformer.rig
        bases, base = [], 0
        of_skin: dict[int, int] = {}
        for skin in self.deformer.skins:
            of_skin[skin] = base
            base += len(rig.skins[skin].joints)
        for part in rig.parts:
            if part.skin is not None and self.deformer.is_skinned(part):
                bases.append(of_skin[part.skin])
            else:
                bases.append(base)
                base += 1
        return bases

    def pose(self, frame: Frame, options: Options) -> None:
        """Bring palettes, compensation and morphed shapes to one pose: one palette upload in all."""
        self.pose_crowd((frame,), options)
        self._upload_shapes(frame)

    def pose_crowd(self, frames: Sequence[Frame], options: Options) -> None:
        """Bring palettes and compensation to a crowd of poses, to be drawn by one call a part.

        Shapes stay those of the last `pose`: morph targets are per vertex and not per copy.
        """
        for i, part in enumerate(self.deformer.rig.parts):
            if part.skin is not None and self.deformer.is_skinned(part):
                self.rigid[i] = all(frame.palettes[part.skin].rigid for frame in frames)
        each = [self._palettes(frame, options) for frame in frames]
        self.copies, self.palette_stride = len(frames), len(each[0])
        if self.palette_stride:
            self._palette.upload(np.concatenate(each))
        self._limbs_due = frames
        self._upload_amplitudes(options)

    def _palettes(self, frame: Frame, options: Options) -> NDArray[np.float32]:
        """Return the ``(E, 6, 4)`` texels of one pose: all skins', then those of parts without skin."""
        deformer = self.deformer
        texels = [np.zeros((0, PALETTE_TEXELS, 4), dtype=np.float32)]
        for skin in deformer.skins:
            directions = deformer.bone_directions(skin, frame.palettes[skin], options.axis)
            texels.append(_texels(frame.palettes[skin], directions))
        texels.extend(
            _texels(deformer.part_palette(frame, part), np.zeros((1, 3)))
            for part in deformer.rig.parts
            if not deformer.is_skinned(part)
        )
        return np.concatenate(texels)

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
        if self._scalar_of == (look.shading, look.joint):
            return
        self._scalar_of = (look.shading, look.joint)
        for i in range(len(self.parts)):
            self.parts[i].set_scalar(scalars.values(self.deformer, i, look))

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
        part = self.parts[number]
        if method.id == "capsule":
            part.set_shares(statics.shares)
            part.set_static(_CREASE_ONSET, statics.crease_onset)
        elif method.id == "blended":
            part.set_static(_DQS_WEIGHT, statics.dqs_weights)
        elif method.id == "basic":
            part.set_static(_BASIC_AMPLITUDE, statics.basic_amplitude(options.polynomial))
        elif method.id == "bulging-free":
            part.set_static(_MASK, statics.mask)
        elif method.id == "centres":
            part.set_centres(statics.centres)

    def bind_limbs(self, unit: int) -> None:
        """Bind the buffer of posed limbs, brought up to date when a pane first shows them."""
        if self._limbs_due is not None:
            each = [
                _limb_texels(self.deformer, frame, self.palette_stride) for frame in self._limbs_due
            ]
            self._limbs.upload(np.concatenate(each))
            self._limbs_due = None
        self._limbs.bind(unit)

    def bind_texture(self, part: Part, unit: int) -> None:
        """Bind the base colour texture of a part, white where it has none."""
        rig = self.deformer.rig
        number = rig.primitive(part).material
        texture = rig.materials[number].texture if number is not None else None
        image = rig.images[texture.image] if texture is not None else None
        GL.glActiveTexture(GL.GL_TEXTURE0 + unit)
        if number is None or texture is None or image is None:
            GL.glBindTexture(GL.GL_TEXTURE_2D, self._white)
            return
        if number not in self._textures:
            self._textures[number] = image_texture(image, texture.wrap, nearest=texture.nearest)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._textures[number])

    def close(self) -> None:
        """Delete everything."""
        for part in self.parts:
            part.close()
        self._palette.close()
        self._limbs.close()
        textures = [self._white, *self._textures.values()]
        GL.glDeleteTextures(len(textures), textures)


def _uv_set(rig: Rig, part: Part) -> int:
    """Return which texture coordinates the part's base colour texture reads."""
    number = rig.primitive(part).material
    texture = rig.materials[number].texture if number is not None else None
    return texture.uv_set if texture is not None else 0


def _texels(palette: Palette, directions: FloatArray) -> NDArray[np.float32]:
    """Return ``(J, 6, 4)`` texels of one palette, as shaders/lib/palette.glsl reads them."""
    texels = np.zeros((len(palette.matrices), PALETTE_TEXELS, 4), dtype=np.float32)
    texels[:, :3] = palette.matrices[:, :3]
    texels[:, 3] = palette.dual_quaternions[:, :4]
    texels[:, 4] = palette.dual_quaternions[:, 4:]
    texels[:, 5, :3] = directions
    return texels


def _limb_texels(deformer: Deformer, frame: Frame, entries: int) -> NDArray[np.float32]:
    """Return ``(E, 6, 4)`` texels of all skins' limbs, as shaders/lib/limbs.glsl reads them.

    They are numbered as the palette is, in which parts without skin come last.
    """
    result, start = np.zeros((entries, LIMB_TEXELS, 4), dtype=np.float32), 0
    for skin in deformer.skins:
        limbs = deformer.limbs[skin].posed(frame.palettes[skin])
        texels = result[start : start + len(limbs.lengths)]
        texels[:, 0, :3], texels[:, 0, 3] = limbs.rest_heads, limbs.lengths
        texels[:, 1, :3] = limbs.axes
        texels[:, 2, :3] = limbs.heads
        texels[:, 3, :3] = limbs.directions
        texels[:, 4], texels[:, 5] = limbs.head_planes, limbs.tail_planes
        start += len(texels)
    return result
