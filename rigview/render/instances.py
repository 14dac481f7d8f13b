"""Streams of small shapes: the lines, dots and faces of overlays."""

import ctypes
from collections.abc import Sequence

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.render.buffers import Buffer
from rigview.render.gl import GL


class Instances:
    """A stream of rows of floats: one row per instance of a four-cornered strip, or per corner."""

    def __init__(self, widths: tuple[int, ...], *, instanced: bool = True) -> None:
        self._instanced, self._count = instanced, 0
        self._buffer = Buffer()
        self._vertex_array = int(GL.glGenVertexArrays(1))
        GL.glBindVertexArray(self._vertex_array)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self._buffer.id)
        stride, offset = 4 * sum(widths), 0
        for location, width in enumerate(widths):
            GL.glEnableVertexAttribArray(location)
            GL.glVertexAttribPointer(
                location, width, GL.GL_FLOAT, False, stride, ctypes.c_void_p(offset)
            )
            if instanced:
                GL.glVertexAttribDivisor(location, 1)
            offset += 4 * width
        GL.glBindVertexArray(0)

    def upload(self, rows: Sequence[FloatArray]) -> bool:
        """Take what is to be drawn, in pieces; tell whether there is anything."""
        self._count = sum(map(len, rows))
        if self._count:
            data = np.concatenate(rows, dtype=np.float32, casting="same_kind")
            self._buffer.upload(GL.GL_ARRAY_BUFFER, data, GL.GL_STREAM_DRAW)
        return self._count > 0

    def draw(self) -> None:
        """Draw it."""
        GL.glBindVertexArray(self._vertex_array)
        if self._instanced:
            GL.glDrawArraysInstanced(GL.GL_TRIANGLE_STRIP, 0, 4, self._count)
        else:
            GL.glDrawArrays(GL.GL_TRIANGLES, 0, self._count)

    def close(self) -> None:
        """Delete the buffers."""
        GL.glDeleteVertexArrays(1, [self._vertex_array])
        self._buffer.close()
