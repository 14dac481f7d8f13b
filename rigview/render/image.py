"""Framebuffers to draw into, reading them back, and pictures as PNG."""

import io
from collections.abc import Mapping

import numpy as np
from PIL import Image as Pillow
from PIL.PngImagePlugin import PngInfo

from rigview.assets import rgb
from rigview.core.arrays import ByteArray
from rigview.render.gl import GL, GLError


class Framebuffer:
    """A framebuffer with colour and depth, anti-aliased if `samples` is above 0."""

    def __init__(self, width: int, height: int, samples: int = 0) -> None:
        self.width, self.height = width, height
        self.samples = min(samples, int(GL.glGetIntegerv(GL.GL_MAX_SAMPLES)))
        self.framebuffer: int = GL.glGenFramebuffers(1)
        self._buffers = [int(b) for b in GL.glGenRenderbuffers(2)]
        formats = (GL.GL_RGBA8, GL.GL_DEPTH_COMPONENT24)
        for buffer, format_ in zip(self._buffers, formats, strict=True):
            GL.glBindRenderbuffer(GL.GL_RENDERBUFFER, buffer)
            GL.glRenderbufferStorageMultisample(
                GL.GL_RENDERBUFFER, self.samples, format_, width, height
            )
        self.bind()
        points = (GL.GL_COLOR_ATTACHMENT0, GL.GL_DEPTH_ATTACHMENT)
        for buffer, point in zip(self._buffers, points, strict=True):
            GL.glFramebufferRenderbuffer(GL.GL_FRAMEBUFFER, point, GL.GL_RENDERBUFFER, buffer)
        status = GL.glCheckFramebufferStatus(GL.GL_FRAMEBUFFER)
        if status != GL.GL_FRAMEBUFFER_COMPLETE:
            self.close()
            raise GLError(f"the driver cannot draw a picture of {width} × {height} pixels")

    def bind(self) -> None:
        """Draw into this target from now on."""
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self.framebuffer)

    def copy_to(self, framebuffer: int) -> None:
        """Copy the colours into another framebuffer of the same size, samples resolved."""
        GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, self.framebuffer)
        GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, framebuffer)
        GL.glDisable(GL.GL_SCISSOR_TEST)
        box = (0, 0, self.width, self.height)
        GL.glBlitFramebuffer(*box, *box, GL.GL_COLOR_BUFFER_BIT, GL.GL_NEAREST)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, framebuffer)

    def read(self) -> ByteArray:
        """Return ``(H, W, 4)`` premultiplied RGBA, the top row first."""
        if self.samples:
            plain = Framebuffer(self.width, self.height)
            try:
                self.copy_to(plain.framebuffer)
                return plain.read()
            finally:
                plain.close()
        self.bind()
        GL.glPixelStorei(GL.GL_PACK_ALIGNMENT, 1)
        data = GL.glReadPixels(0, 0, self.width, self.height, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE)
        pixels = np.frombuffer(data, dtype=np.uint8).reshape(self.height, self.width, 4)
        return pixels[::-1].copy()

    def close(self) -> None:
        """Delete the framebuffer and its storage."""
        GL.glDeleteFramebuffers(1, [self.framebuffer])
        GL.glDeleteRenderbuffers(2, self._buffers)


def clear(framebuffer: int, colour: str) -> None:
    """Bind a framebuffer and fill it with one opaque ``#rrggbb`` colour."""
    GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, framebuffer)
    GL.glDisable(GL.GL_SCISSOR_TEST)
    GL.glClearColor(*rgb(colour), 1.0)
    GL.glClear(GL.GL_COLOR_BUFFER_BIT)


def straight_alpha(pixels: ByteArray) -> ByteArray:
    """Return ``(H, W, 4)`` premultiplied pixels with the colours divided by alpha again."""
    alpha = pixels[..., 3]
    partly = (alpha != 0) & (alpha != 255)
    if not np.any(partly):
        return pixels
    result = pixels.copy()
    seen = pixels[partly].astype(np.float64)
    straight = np.rint(seen[:, :3] * 255.0 / seen[:, 3:])
    result[partly, :3] = np.minimum(straight, 255.0).astype(np.uint8)
    return result


def png(pixels: ByteArray, text: Mapping[str, str], *, clear: bool | None = None) -> bytes:
    """Return a PNG of ``(H, W, 4)`` pixels that carries text: ASCII plain, anything else as UTF-8.

    Parameters
    ----------
    clear
        Whether it says how transparent pixels are; None for where any is.
    """
    info = PngInfo()
    for key, value in text.items():
        if value.isascii():
            info.add_text(key, value)
        else:
            info.add_itxt(key, value)
    if clear is None:
        clear = not np.all(pixels[..., 3] == 255)
    picture = Pillow.fromarray(pixels if clear else pixels[..., :3])
    stream = io.BytesIO()
    picture.save(stream, format="PNG", pnginfo=info, optimize=False)
    return stream.getvalue()


def png_text(data: bytes) -> dict[str, str]:
    """Return the text that a PNG carries; nothing if it is no readable PNG."""
    try:
        with Pillow.open(io.BytesIO(data), formats=("PNG",)) as picture:
            picture.load()
            return {str(k): str(v) for k, v in picture.info.items() if isinstance(v, str)}
    except (OSError, ValueError, SyntaxError):
        return {}
