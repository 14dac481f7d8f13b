"""An OpenGL context without a window: EGL, by ctypes alone, for the command line, servers and tests."""

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rigview.render.gl import MINIMUM, GLError, require

_pointer = ctypes.c_void_p
_NONE, _SURFACE_TYPE, _PBUFFER_BIT = 0x3038, 0x3033, 0x0001
_RENDERABLE_TYPE, _OPENGL_BIT, _OPENGL_API = 0x3040, 0x0008, 0x30A2
_MAJOR, _MINOR, _PROFILE, _CORE = 0x3098, 0x30FB, 0x30FD, 0x0001
_EXTENSIONS = 0x3055
_PLATFORM_SURFACELESS, _PLATFORM_DEVICE = 0x31DD, 0x313F
_SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    "eglGetProcAddress": (_pointer, [ctypes.c_char_p]),
    "eglGetDisplay": (_pointer, [_pointer]),
    "eglInitialize": (ctypes.c_uint, [_pointer, _pointer, _pointer]),
    "eglBindAPI": (ctypes.c_uint, [ctypes.c_uint]),
    "eglChooseConfig": (ctypes.c_uint, [_pointer, _pointer, _pointer, ctypes.c_int, _pointer]),
    "eglCreateContext": (_pointer, [_pointer, _pointer, _pointer, _pointer]),
    "eglMakeCurrent": (ctypes.c_uint, [_pointer] * 4),
    "eglDestroyContext": (ctypes.c_uint, [_pointer, _pointer]),
    "eglQueryString": (ctypes.c_char_p, [_pointer, ctypes.c_int]),
}


class HeadlessContext:
    """An OpenGL 3.3 core context with no surface; draw into a framebuffer object of your own.

    Raises
    ------
    GLError
        If there is no EGL library, as on Windows and macOS, or no driver behind it that gives OpenGL 3.3.
    """

    def __init__(self) -> None:
        self._egl = _library()
        for display in _displays(self._egl):
            context = _create(self._egl, display)
            if context:
                self._display = display
                self._context: int | None = context
                break
        else:
            raise GLError(
                "EGL finds no driver with OpenGL 3.3: install one (Debian: libgl1-mesa-dri) "
                "or the graphics card's own"
            )
        self.make_current()
        require()

    def make_current(self) -> None:
        """Make this the context that OpenGL calls of this thread go to."""
        if not self._egl.eglMakeCurrent(self._display, None, None, self._context):
            raise GLError("EGL cannot make its context current")

    def release(self) -> None:
        """Leave this thread without a context."""
        self._egl.eglMakeCurrent(self._display, None, None, None)

    def close(self) -> None:
        """Release and destroy the context."""
        if self._context:
            self.release()
            self._egl.eglDestroyContext(self._display, self._context)
            self._context = None


@contextmanager
def headless() -> Iterator[HeadlessContext]:
    """Give a current context for the length of a ``with`` block."""
    context = HeadlessContext()
    try:
        yield context
    finally:
        context.close()


def _library(platform: str = sys.platform) -> Any:  # noqa: ANN401 - a ctypes library
    if not platform.startswith("linux"):
        # Contexts of other systems (WGL, CGL) are bound to windows; none of it was ever run there.
        raise GLError(
            "pictures without a window are drawn through EGL, on Linux only: "
            "open the file in the window and save them there"
        )
    try:
        egl = ctypes.CDLL("libEGL.so.1")
    except OSError:
        raise GLError(
            "drawing without a window needs EGL: install libEGL (Debian: libegl1 libgl1-mesa-dri)"
        ) from None
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(egl, name)
        function.restype, function.argtypes = result, arguments
    return egl


def _displays(egl: Any) -> Iterator[int]:  # noqa: ANN401
    """Yield initialised displays: surfaceless first, then every device, then the default one."""
    extensions = (egl.eglQueryString(None, _EXTENSIONS) or b"").decode().split()
    candidates: list[int | None] = []
    address = egl.eglGetProcAddress(b"eglGetPlatformDisplayEXT")
    if address:
        prototype = ctypes.CFUNCTYPE(_pointer, ctypes.c_uint, _pointer, _pointer)
        platform_display = prototype(address)
        if "EGL_MESA_platform_surfaceless" in extensions:
            candidates.append(platform_display(_PLATFORM_SURFACELESS, None, None))
        if "EGL_EXT_platform_device" in extensions:
            candidates.extend(
                platform_display(_PLATFORM_DEVICE, device, None) for device in _devices(egl)
            )
    candidates.append(egl.eglGetDisplay(None))
    for display in candidates:
        if display and egl.eglInitialize(display, None, None):
            yield display


def _devices(egl: Any) -> list[int]:  # noqa: ANN401
    address = egl.eglGetProcAddress(b"eglQueryDevicesEXT")
    if not address:
        return []
    query = ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.c_int, _pointer, _pointer)(address)
    devices, count = (_pointer * 32)(), ctypes.c_int()
    query(32, devices, ctypes.cast(ctypes.byref(count), _pointer))
    return [device for device in devices[: count.value] if device]


def _create(egl: Any, display: int) -> int | None:  # noqa: ANN401
    if not egl.eglBindAPI(_OPENGL_API):
        return None
    config, count = _pointer(), ctypes.c_int()
    wanted = (ctypes.c_int * 5)(_SURFACE_TYPE, _PBUFFER_BIT, _RENDERABLE_TYPE, _OPENGL_BIT, _NONE)
    egl.eglChooseConfig(display, wanted, ctypes.byref(config), 1, ctypes.byref(count))
    attributes = (ctypes.c_int * 7)(_MAJOR, MINIMUM[0], _MINOR, MINIMUM[1], _PROFILE, _CORE, _NONE)
    context: int | None = egl.eglCreateContext(
        display, config if count.value else None, None, attributes
    )
    return context
