"""Vertices, textures and texture buffers on the graphics card; made and deleted by hand."""

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.materials import Image
from rigview.core.mesh import Primitive
from rigview.core.methods.delta_mush import Moments
from rigview.render.gl import GL
from rigview.render.texels import IN_ATTRIBUTES, further_texels, moment_texels
from rigview.render.vertex_stage import PackedInfluences

# Locations of the attributes.
_POSITION, _NORMAL, _JOINTS, _WEIGHTS, _AMPLITUDE, _UV, _COLOUR, _SCALAR, _FURTHER = range(9)
_SHARES, _STATICS, _CENTRE, _TINT, _FURTHER_UV = range(9, 14)
# The numbers in the attribute _STATICS as shaders call them; what its method has not asked for is 0.
STATICS = ("DQS_WEIGHT", "BASIC_AMPLITUDE", "COMPENSATION_MASK")
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

    def change(self, start: int, data: NDArray[np.generic]) -> None:
        """Replace a part of the content, from a byte on."""
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self.id)
        contiguous = np.ascontiguousarray(data)
        GL.glBufferSubData(GL.GL_ARRAY_BUFFER, start, contiguous.nbytes, contiguous)

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
    """One part's vertices in buffers of its own.

    Parameters
    ----------
    uv_sets
        Which texture coordinates its shader reads: three at most (`surfaces.uv_sets`).
    """

    def __init__(
        self, primitive: Primitive, packed: PackedInfluences, uv_sets: Sequence[int]
    ) -> None:
        self.vertex_array = int(GL.glGenVertexArrays(1))
        self.vertices = len(primitive.positions)
        GL.glBindVertexArray(self.vertex_array)
        self._buffers: dict[int, Buffer] = {}
        self._statics = np.zeros((self.vertices, 4), dtype=np.float32)
        self._attribute(_POSITION, primitive.positions, np.float32)
        self._attribute(_NORMAL, primitive.shading_normals, np.float32)
        self.packed = packed
        # Joints and weights ``(V, 4)`` while a stroke changes them.
        self._live: tuple[NDArray[np.generic], NDArray[np.generic]] | None = None
        self._influences(packed)
        # What direct delta mush reads, and of how many joints a vertex.
        self.moments: TextureBuffer | None = None
        self.moment_count = 0
        self._attribute(_AMPLITUDE, np.zeros((self.vertices, 1)), np.float32)
        self._attribute(_SCALAR, np.zeros((self.vertices, 1)), np.float32)
        no_uv = np.zeros((self.vertices, 2))
        uvs = [primitive.uvs.get(uv_set, no_uv) for uv_set in uv_sets]
        self._attribute(_UV, uvs[0], np.float32)
        if len(uvs) > 1:
            self._attribute(_FURTHER_UV, np.hstack([*uvs[1:], no_uv])[:, :4], np.float32)
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
        pad = ((0, 0), (0, max(0, IN_ATTRIBUTES - packed.joints.shape[1])))
        joints, weights = np.pad(packed.joints, pad), np.pad(packed.shares, pad)
        four = slice(IN_ATTRIBUTES)
        self._attribute(_JOINTS, joints[:, four], packed.joints.dtype.type)
        if packed.weights.dtype.kind == "f":
            self._attribute(_WEIGHTS, weights[:, four], np.float32)
        else:
            self._shares(_WEIGHTS, np.pad(packed.weights, pad)[:, four])
        self.further: TextureBuffer | None = None
        further = further_texels(packed)
        if further is None:
            return
        self._texels, self._further_of, self._used = further
        self.further = TextureBuffer(GL.GL_RGBA32F)
        self.further.upload(self._texels)
        self._attribute(_FURTHER, self._further_of, np.uint32)

    @property
    def influence_bytes(self) -> int:
        """What joints and weights take on the card."""
        further = 0 if self.further is None else self._texels.nbytes
        return self.vertices * self.packed.bytes_per_vertex + further

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
        self.index_buffer = Buffer()
        self.index_buffer.upload(GL.GL_ELEMENT_ARRAY_BUFFER, everything, GL.GL_STATIC_DRAW)
        return tuple(draws)

    def set_shape(self, positions: FloatArray, normals: FloatArray) -> None:
        """Replace rest positions and normals ``(V, 3)``, mesh space: morph targets."""
        self._replace(_POSITION, positions)
        self._replace(_NORMAL, normals)

    def set_amplitude(self, values: FloatArray) -> None:
        """Replace the static lengths ``(V,)`` of the compensation."""
        self._replace(_AMPLITUDE, values)

    def set_static(self, name: str, values: FloatArray) -> None:
        """Give one method the ``(V,)`` numbers that it reads per vertex and no pose changes."""
        self._statics[:, STATICS.index(name)] = values
        self._give(_STATICS, self._statics)

    def set_centres(self, centres: FloatArray) -> None:
        """Give the centres of rotation ``(V, 3)``."""
        self._give(_CENTRE, centres)

    def set_moments(self, moments: Moments) -> None:
        """Give direct delta mush its moments: what shaders/methods/delta_mush.glsl reads."""
        texels, most = moment_texels(moments), moments.joints.shape[1]
        if self.moments is None:
            self.moments = TextureBuffer(GL.GL_RGBA32F)
        self.moments.upload(texels)
        self.moment_count = most

    def _give(self, location: int, values: NDArray[np.generic]) -> None:
        GL.glBindVertexArray(self.vertex_array)
        self._attribute(location, values, np.float32)
        GL.glBindVertexArray(0)

    def set_shares(self, shares: FloatArray) -> None:
        """Give the capsule compensation its shares ``(V, K)``."""
        pad = ((0, 0), (0, max(0, IN_ATTRIBUTES - shares.shape[1])))
        shares = np.pad(shares, pad)
        self._give(_SHARES, shares[:, :IN_ATTRIBUTES])
        if self.further is not None:
            self._texels[:, 2] = shares[:, IN_ATTRIBUTES:][self._used]
            self.further.upload(self._texels)

    def set_scalar(self, values: FloatArray) -> None:
        """Replace what scalar shading shows, ``(V,)`` 0…1."""
        self._replace(_SCALAR, values)

    def set_tint(self, colours: FloatArray) -> None:
        """Give shading by colours per vertex its own, ``(V, 4)``: 0 throughout is none."""
        self._give(_TINT, colours)

    def _replace(self, location: int, values: FloatArray) -> None:
        data = np.ascontiguousarray(values, dtype=np.float32)
        self._buffers[location].upload(GL.GL_ARRAY_BUFFER, data, GL.GL_DYNAMIC_DRAW)

    def show_influences(self, vertices: IntArray, joints: IntArray, weights: FloatArray) -> None:
        """Give some vertices other influences while a stroke goes on: ``(n, 4)``, the heaviest ones.

        Further ones are not drawn; what the buffers hold for good comes from another `PartBuffers`.
        """
        if not len(vertices):
            return
        if self._live is None:
            pad = ((0, 0), (0, max(0, IN_ATTRIBUTES - self.packed.joints.shape[1])))
            four = slice(IN_ATTRIBUTES)
            live_joints = np.pad(self.packed.joints, pad)[:, four].copy()
            self._live = live_joints, np.pad(self.packed.weights, pad)[:, four].copy()
        own_joints, own_weights = self._live
        own_joints[vertices] = joints
        if own_weights.dtype.kind == "f":
            own_weights[vertices] = weights
        else:
            most = 2.0 ** (8 * own_weights.itemsize) - 1.0
            own_weights[vertices] = np.rint(weights * most)
        first, last = int(vertices.min()), int(vertices.max()) + 1
        for location, array in ((_JOINTS, own_joints), (_WEIGHTS, own_weights)):
            self._buffers[location].change(first * array[0].nbytes, array[first:last])
        if self.further is not None:
            self._further_of[vertices] = 0
            start = first * self._further_of[0].nbytes
            self._buffers[_FURTHER].change(start, self._further_of[first:last])

    def draw(self) -> None:
        """Draw all runs with the current program."""
        self.draw_crowd(1)

    def draw_crowd(self, copies: int) -> None:
        """Draw all runs, each copy on its own part of the palette."""
        self.draw_of(self.vertex_array, copies)

    def draw_of(self, vertex_array: int, copies: int = 1) -> None:
        """Draw all runs of vertices in another array."""
        GL.glBindVertexArray(vertex_array)
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

    def record_reference(self, source: "PartBuffers | None" = None) -> None:
        """Record what the current program makes of the vertices, for the difference to it.

        Parameters
        ----------
        source
            Another part with as many vertices, to be differed from instead.
        """
        GL.glBindVertexArray(self.vertex_array)
        reference = self._buffers.setdefault(_REFERENCE, Buffer())
        for location in (_REFERENCE, _REFERENCE + 1):
            GL.glDisableVertexAttribArray(location)
        (source or self).record(reference)
        GL.glBindVertexArray(self.vertex_array)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, reference.id)
        for i in range(2):
            start = ctypes.c_void_p(12 * i)
            GL.glVertexAttribPointer(_REFERENCE + i, 3, GL.GL_FLOAT, False, 24, start)
            GL.glEnableVertexAttribArray(_REFERENCE + i)

    def close(self) -> None:
        """Delete all buffers."""
        GL.glDeleteVertexArrays(1, [self.vertex_array])
        for buffer in (*self._buffers.values(), self.index_buffer):
            buffer.close()
        for buffer_of_texels in (self.further, self.moments):
            if buffer_of_texels is not None:
                buffer_of_texels.close()


class FrozenVertices:
    """One part's vertices in model space, as they were in one pose; they stay there."""

    def __init__(self, part: PartBuffers) -> None:
        self._part = part
        self._buffer = Buffer()
        self._vertex_array = int(GL.glGenVertexArrays(1))

    def record(self) -> None:
        """Take them from what the current program makes of the part (`PartBuffers.record`)."""
        self._part.record(self._buffer)
        GL.glBindVertexArray(self._vertex_array)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self._buffer.id)
        GL.glBindBuffer(GL.GL_ELEMENT_ARRAY_BUFFER, self._part.index_buffer.id)
        for location in (_POSITION, _NORMAL):
            start = ctypes.c_void_p(12 * location)
            GL.glVertexAttribPointer(location, 3, GL.GL_FLOAT, False, 24, start)
            GL.glEnableVertexAttribArray(location)
        GL.glBindVertexArray(0)

    def draw(self) -> None:
        """Draw all runs with the current program."""
        self._part.draw_of(self._vertex_array)

    def close(self) -> None:
        """Delete what is its own."""
        GL.glDeleteVertexArrays(1, [self._vertex_array])
        self._buffer.close()
