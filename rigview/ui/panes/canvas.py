"""The canvas below all panes: one OpenGL widget, or pictures where a window cannot have OpenGL."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QImage, QOffscreenSurface, QOpenGLContext, QPainter, QPaintEvent
from PySide6.QtOpenGL import QOpenGLPaintDevice
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from rigview.render.context import HeadlessContext, headless
from rigview.render.gl import GLError, current_api
from rigview.render.image import Framebuffer, clear
from rigview.ui.panes.picture_words import rehearse
from rigview.ui.panes.viewport import Panes
from rigview.ui.widgets import theme


class GLCanvas(QOpenGLWidget):
    """The canvas in the window's own OpenGL context."""

    def __init__(self, panes: Panes) -> None:
        super().__init__()
        self._panes = panes
        self._has_stopped = False
        # Surfaces are made in the window's thread; one serves all workers, one after the other.
        self._surface = QOffscreenSurface(None, self)
        self._has_surface = threading.Lock()
        panes.attach(self, self.current, self.apart)

    def initializeGL(self) -> None:
        # PyOpenGL, shaders and fonts wait for the first rig, or for `prepare`: no window waits for them.
        self._surface.setFormat(self.context().format())
        self._surface.create()
        self.context().aboutToBeDestroyed.connect(self._context_goes)

    def _context_goes(self) -> None:
        # From within the widget's own destructor it can no longer be asked for anything.
        if not self._has_stopped and isValid(self):
            with self.current():
                self._panes.painter.stop()

    def api(self) -> str | None:
        """Return which library makes the canvas's context, see `current_api`, once it has one."""
        if self.context() is None:
            return None
        with self.current():
            return current_api()

    def prepare(self) -> None:
        """Make what the first picture needs, ahead of it."""
        if self.context() is not None and not self._has_stopped:
            with self.current():
                self._panes.guarded(lambda: self._make_ready(self._device()))
            self.update()

    def _make_ready(self, device: QOpenGLPaintDevice) -> None:
        if self._panes.painter.has_renderer:
            return
        self._panes.painter.start()
        # The first words take as long as ten pictures.
        painter = QPainter(device)
        rehearse(painter)
        painter.end()

    def _device(self) -> QOpenGLPaintDevice:
        ratio = self.devicePixelRatioF()
        device = QOpenGLPaintDevice(
            QSize(round(self.width() * ratio), round(self.height() * ratio))
        )
        device.setDevicePixelRatio(ratio)
        return device

    def stop(self) -> None:
        """Delete all that is in the context, while there is one; nothing is drawn any more."""
        if not self._has_stopped:
            self._has_stopped = True
            with self.current():
                self._panes.painter.stop()

    @contextmanager
    def current(self) -> Iterator[None]:
        """Make the context current for the length of a ``with`` block."""
        self.makeCurrent()
        try:
            yield
        finally:
            self.doneCurrent()

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Make a context of a worker's own current for the length of a ``with`` block.

        Raises
        ------
        GLError
            If the driver gives none.
        """
        with self._has_surface:
            context = QOpenGLContext()
            context.setFormat(self._surface.requestedFormat())
            if not (context.create() and context.makeCurrent(self._surface)):
                raise GLError("the driver gives no second OpenGL context to draw pictures with")
            try:
                yield
            finally:
                context.doneCurrent()

    def paintGL(self) -> None:
        if not self._has_stopped:
            self._panes.guarded(self._paint)

    def _paint(self) -> None:
        device = self._device()
        if self._panes.are_empty:
            painter = QPainter(device)
            painter.fillRect(self.rect(), theme.colour("background0"))
        else:
            self._make_ready(device)
            clear(self.defaultFramebufferObject(), theme.hex_of("background0"))
            size, ratio = device.size(), device.devicePixelRatio()
            panes = self._panes.divide(size.width(), size.height(), ratio)
            whole = (size.width(), size.height())
            self._panes.painter.draw(self.defaultFramebufferObject(), panes, whole, ratio)
            painter = QPainter(device)
        self._panes.write(painter)
        painter.end()
        self._panes.drawn.emit()


class ImageCanvas(QWidget):
    """The canvas as pictures of a headless context: where a window cannot have OpenGL."""

    def __init__(self, panes: Panes) -> None:
        super().__init__()
        self._panes = panes
        self._context: HeadlessContext | None = None
        self._target: Framebuffer | None = None
        panes.attach(self, self.current, self.apart)

    @contextmanager
    def current(self) -> Iterator[None]:
        """Make the context current, and the context itself on first use."""
        if self._context is None:
            self._context = HeadlessContext()
            self._panes.painter.start()
        self._context.make_current()
        yield

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Make a context of a worker's own current for the length of a ``with`` block."""
        with headless():
            yield

    def paintEvent(self, _event: QPaintEvent) -> None:
        self._panes.guarded(self._paint)

    def _paint(self) -> None:
        with self.current():
            self._paint_picture()

    def _paint_picture(self) -> None:
        painter = QPainter(self)
        painter.drawImage(QPointF(0, 0), self._picture())
        self._panes.write(painter)
        painter.end()
        self._panes.drawn.emit()

    def _picture(self) -> QImage:
        ratio = self.devicePixelRatioF()
        width, height = round(self.width() * ratio), round(self.height() * ratio)
        if self._target is None or (self._target.width, self._target.height) != (width, height):
            if self._target is not None:
                self._target.close()
            self._target = Framebuffer(width, height)
        clear(self._target.framebuffer, theme.hex_of("background0"))
        panes = self._panes.divide(width, height, ratio)
        self._panes.painter.draw(self._target.framebuffer, panes, (width, height), ratio)
        pixels = np.ascontiguousarray(self._target.read())
        picture = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGBX8888)
        picture = picture.copy()
        picture.setDevicePixelRatio(ratio)
        return picture

    def api(self) -> None:
        """Return None: the context is made with the first picture."""

    def prepare(self) -> None:
        """Do nothing: the first picture makes what it needs."""

    def stop(self) -> None:
        """Delete the context and all that is in it."""
        if self._context is not None:
            self._context.make_current()
            self._panes.painter.stop()
            if self._target is not None:
                self._target.close()
            self._context.close()
            self._context = None
