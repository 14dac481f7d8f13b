"""Skinned vertices read back from the graphics card: what the shaders compute, as numbers."""

import ctypes

import numpy as np

from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.methods.posed import Skinned
from rigview.core.skinning import Options
from rigview.render.buffers import Buffer
from rigview.render.gl import GL
from rigview.render.image import Framebuffer
from rigview.render.scene import Scene
from rigview.render.shader_programs import Programs
from rigview.render.skinning import CONSTANTS, record_with
from rigview.render.vertex_stage import VertexStage


class Feedback:
    """Skins a scene by transform feedback; needs a current context."""

    def __init__(self, deformer: Deformer, stage: VertexStage | None = None) -> None:
        self.scene = Scene(deformer, stage)
        self._programs = Programs(CONSTANTS)
        # Without a complete framebuffer a surfaceless context records nothing, and says nothing.
        self._target = Framebuffer(1, 1)

    def skin_all(self, frame: Frame, method: str, options: Options) -> list[Skinned]:
        """Return every part's positions and normals ``(V, 3)``, in float32 precision."""
        self._target.bind()
        self.scene.pose(frame, options)
        return [self._skin(i, method, options) for i in range(len(self.scene.parts))]

    def _skin(self, number: int, method: str, options: Options) -> Skinned:
        record_with(self._programs, self.scene, number, method, options)
        part, buffer = self.scene.parts[number], Buffer()
        part.record(buffer)
        result = np.zeros(6 * part.vertices, dtype=np.float32)
        if part.vertices:
            GL.glBindBuffer(GL.GL_TRANSFORM_FEEDBACK_BUFFER, buffer.id)
            GL.glGetBufferSubData(
                GL.GL_TRANSFORM_FEEDBACK_BUFFER,
                0,
                result.nbytes,
                result.ctypes.data_as(ctypes.c_void_p),
            )
        buffer.close()
        rows = result.reshape(-1, 6).astype(np.float64)
        return Skinned(rows[:, :3], lambda: rows[:, 3:])

    def close(self) -> None:
        """Delete everything."""
        self._programs.close()
        self._target.close()
        self.scene.close()
