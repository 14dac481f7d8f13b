"""Streams of small shapes: the lines, dots and faces of overlays."""

import ctypes

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.render.buffers import Buffer
from rigview.render.gl import GL


class Instances:
    """A stream of rows of floats: one row per instance of a four-cornered strip, or per corner."""

    def __init__(self, widths: tuple[int, ...], *, instanced: bool = True) -> None:
        self._instanced = instanced
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

    def draw(self, rows: FloatArray) -> None:
        """Upload and draw."""
        GL.glBindVertexArray(self._vertex_array)
        self._buffer.upload(GL.GL_ARRAY_BUFFER, rows.astype(np.float32), GL.GL_STREAM_DRAW)
        if self._instanced:
            GL.glDrawArraysInstanced(GL.GL_TRIANGLE_STRIP, 0, 4, len(rows))
        else:
            GL.glDrawArrays(GL.GL_TRIANGLES, 0, len(rows))

    def close(self) -> None:
        """Delete the buffers."""
        GL.glDeleteVertexArrays(1, [self._vertex_array])
        self._buffer.close()
