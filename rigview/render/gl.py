"""The one door to OpenGL: loaded on first use, for the kind of context that is then current.

PyOpenGL guesses between GLX and EGL from environment variables and is often wrong (a Wayland session
running Qt on X11, a headless EGL context beside a display). So the platform is read off the context
that really is current, and only then is ``OpenGL.GL`` imported.
"""

import ctypes
import importlib
import os
import sys
from typing import Any

from rigview.core.errors import RigviewError

MINIMUM = (3, 3)


class GLError(RigviewError, RuntimeError):
    """OpenGL cannot be used; the message says what to install or set, in one sentence."""


class _Late:
    """Stands for ``OpenGL.GL``; each name is fetched when it is first used."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - PyOpenGL is untyped
        if not name.lower().startswith("gl"):
            # Whoever looks at the object (pytest, inspect) must not fix the platform by it.
            raise AttributeError(name)
        value = getattr(load(current_api()), name)
        setattr(self, name, value)
        return value


GL: Any = _Late()


def load(api: str | None) -> Any:  # noqa: ANN401
    """Import ``OpenGL.GL`` for contexts of a kind; in any thread, so ahead of its first use.

    Parameters
    ----------
    api
        What `current_api` gives where the context is current.

    Raises
    ------
    GLError
        If OpenGL was first used through the other one.
    """
    if api is not None:
        loaded = sys.modules.get("OpenGL.platform")
        wanted = {"glx": "GLXPlatform", "egl": "EGLPlatform"}[api]
        if loaded is None:
            os.environ["PYOPENGL_PLATFORM"] = api
        elif type(loaded.PLATFORM).__name__ != wanted:
            have = type(loaded.PLATFORM).__name__
            raise GLError(f"OpenGL was first used through {have}; this context needs {wanted}")
    package: Any = importlib.import_module("OpenGL")
    # Checking every call costs a third of its time; tests and RIGVIEW_GL_CHECK=1 switch it on.
    package.ERROR_CHECKING = bool(os.environ.get("RIGVIEW_GL_CHECK"))
    package.ERROR_LOGGING = False
    return importlib.import_module("OpenGL.GL")


def current_api() -> str | None:
    """Return "glx" or "egl" after the context that is current in this thread; None elsewhere."""
    if not sys.platform.startswith("linux"):
        return None
    probes = (
        ("glx", ("libGLX.so.0", "libGL.so.1"), "glXGetCurrentContext"),
        ("egl", ("libEGL.so.1",), "eglGetCurrentContext"),
    )
    for api, libraries, function in probes:
        for library in libraries:
            try:
                probe = getattr(ctypes.CDLL(library), function)
            except (OSError, AttributeError):
                continue
            probe.restype = ctypes.c_void_p
            if probe():
                return api
            break
    return None


def set_blending(*, enabled: bool) -> None:
    """Let what is drawn mix with what is there by its opacity, or replace it."""
    if enabled:
        GL.glEnable(GL.GL_BLEND)
        GL.glBlendFuncSeparate(
            GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA, GL.GL_ONE, GL.GL_ONE_MINUS_SRC_ALPHA
        )
    else:
        GL.glDisable(GL.GL_BLEND)


def describe() -> str:
    """Return the driver's own words: version and renderer."""
    version = GL.glGetString(GL.GL_VERSION).decode(errors="replace")
    renderer = GL.glGetString(GL.GL_RENDERER).decode(errors="replace")
    return f"OpenGL {version}, {renderer}"


def version() -> tuple[int, int]:
    """Return the version of the current context."""
    return int(GL.glGetIntegerv(GL.GL_MAJOR_VERSION)), int(GL.glGetIntegerv(GL.GL_MINOR_VERSION))


def require() -> None:
    """Check that the current context is new enough.

    Raises
    ------
    GLError
        If it is older than 3.3: some drivers give less than was asked for without a word.
    """
    text = GL.glGetString(GL.GL_VERSION)
    found = (text or b"nothing").decode(errors="replace")
    try:
        enough = version() >= MINIMUM
    except Exception as error:  # noqa: BLE001 - PyOpenGL raises its own kinds on old drivers
        raise GLError(f"rigview needs OpenGL 3.3; the driver gives {found} ({error})") from None
    if not enough:
        raise GLError(
            f"rigview needs OpenGL 3.3; the driver gives {found}: update the graphics driver"
        )


def is_software() -> bool:
    """Tell whether the driver rasterises on the processor."""
    renderer = GL.glGetString(GL.GL_RENDERER).decode(errors="replace").lower()
    return any(word in renderer for word in ("llvmpipe", "softpipe", "software", "swiftshader"))
