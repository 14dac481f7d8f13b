"""Shader programs from the files of shaders/: includes, defines, and errors with file and line."""

import ctypes
import re
from collections.abc import Iterator, Mapping, Sequence
from os.path import normpath
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from rigview.assets import SHADERS
from rigview.render.camera import Camera
from rigview.render.gl import GL

Defines = Mapping[str, int | float]

Dialect = Literal["330 core", "300 es"]

# What each dialect begins with. OpenGL ES states no precision for floats in fragment shaders, and a low
# one for texels; skinning needs all of it everywhere.
HEADS: dict[Dialect, str] = {
    "330 core": "#version 330 core\n",
    "300 es": "#version 300 es\nprecision highp float;\nprecision highp int;\n"
    "precision highp sampler2D;\n",
}

_INCLUDE = re.compile(r'^\s*#include\s+"([^"]+)"\s*$')


class ShaderError(RuntimeError):
    """A shader that does not compile or link; the message names file and line."""


def source(name: str, defines: Defines, dialect: Dialect = "330 core") -> tuple[str, list[str]]:
    """Return a shader's text with its includes, and the files in it by the number that #line gives.

    Every define is written, false ones as 0, so that ``#if`` never reads an undefined name.
    """
    text, files = expanded(name)
    constants = "".join(f"#define {key} {literal(value)}\n" for key, value in defines.items())
    return f"{HEADS[dialect]}{constants}{text}\n", files


def expanded(name: str) -> tuple[str, list[str]]:
    """Return a shader's text with its includes but without version and defines, and the files in it.

    A file is included once. `#include "methods/*.glsl"` includes all files of a folder: that whose name in
    capitals is `METHOD` is compiled. What several of them include comes before them, compiled for these
    alone. Lines keep the numbers of the file they stand in.
    """
    files: list[str] = []
    return _expand(name, files), files


def _expand(name: str, files: list[str]) -> str:
    """Return a file's text with its includes, and add them all to `files`."""
    number = len(files)
    files.append(name)
    lines = []
    for i, line in enumerate(_lines(name), 1):
        included = _included(name, line)
        if included is None:
            lines.append(line)
            continue
        if included.endswith("*.glsl"):
            lines += _choice(Path(included).parent, f"#line {i} {number}", files)
        elif included not in files:
            lines.append(_expand(included, files))
        lines.append(f"#line {i + 1} {number}")
    return f"#line 1 {number}\n" + "\n".join(lines)


def _choice(folder: Path, place: str, files: list[str]) -> Iterator[str]:
    """Yield the text of all files of a folder, of which METHOD chooses one; first what they include."""
    shared: dict[str, list[str]] = {}
    methods = {
        str(folder / path.name): f"METHOD == {path.stem.upper()}"
        for path in sorted((SHADERS / folder).glob("*.glsl"))
    }
    for method, chosen in methods.items():
        for file in _all_included(method):
            shared.setdefault(file, []).append(chosen)
    for file, users in shared.items():
        if file not in files:
            yield from (place, f"#if {' || '.join(users)}", _expand(file, files), place, "#endif")
    for method, chosen in methods.items():
        yield from (place, f"#if {chosen}", _expand(method, files), place, "#endif")


def _lines(name: str) -> list[str]:
    return (SHADERS / name).read_text(encoding="utf-8").splitlines()


def _included(name: str, line: str) -> str | None:
    """Return the file of shaders/ that a line of another includes; None if it includes none."""
    include = _INCLUDE.match(line)
    return None if include is None else normpath(Path(name).parent / include.group(1))


def _all_included(name: str) -> list[str]:
    """Return what a file includes, directly or not, each file behind those that it includes itself."""
    found: dict[str, None] = {}
    for file in filter(None, (_included(name, line) for line in _lines(name))):
        found.update(dict.fromkeys([*_all_included(file), file]))
    return list(found)


def literal(value: float) -> str:
    """Return a number as shaders read it: integers stay integers."""
    return str(int(value)) if isinstance(value, int) else repr(float(value))


def compile_shader(kind: int, name: str, defines: Defines) -> int:
    """Compile one shader.

    Raises
    ------
    ShaderError
        With the driver's message, file numbers replaced by names.
    """
    text, files = source(name, defines)
    shader: int = GL.glCreateShader(kind)
    GL.glShaderSource(shader, text)
    GL.glCompileShader(shader)
    if not GL.glGetShaderiv(shader, GL.GL_COMPILE_STATUS):
        log = GL.glGetShaderInfoLog(shader).decode(errors="replace")
        GL.glDeleteShader(shader)
        named = re.sub(
            r"(?m)^(\d+)(?=[:(])",
            lambda m: files[int(m[1])] if int(m[1]) < len(files) else m[1],
            log,
        )
        raise ShaderError(f"shaders/{name} does not compile:\n{named}")
    return shader


class Program:
    """A linked program and its uniforms.

    Parameters
    ----------
    vertex, fragment
        Files of shaders/; without fragment shader the program only transforms.
    captured
        Outputs of the vertex stage to record by transform feedback, interleaved.
    """

    def __init__(
        self,
        vertex: str,
        fragment: str | None,
        defines: Defines,
        captured: Sequence[str] = (),
    ) -> None:
        stages = [compile_shader(GL.GL_VERTEX_SHADER, vertex, defines)]
        if fragment is not None:
            stages.append(compile_shader(GL.GL_FRAGMENT_SHADER, fragment, defines))
        self.id: int = GL.glCreateProgram()
        for stage in stages:
            GL.glAttachShader(self.id, stage)
        if captured:
            _record(self.id, captured)
        GL.glLinkProgram(self.id)
        for stage in stages:
            GL.glDeleteShader(stage)
        if not GL.glGetProgramiv(self.id, GL.GL_LINK_STATUS):
            log = GL.glGetProgramInfoLog(self.id).decode(errors="replace")
            raise ShaderError(f"shaders/{vertex} and {fragment} do not link:\n{log}")
        self._locations: dict[str, int] = {}

    def use(self) -> None:
        """Make it the current program."""
        GL.glUseProgram(self.id)

    def _location(self, name: str) -> int:
        if name not in self._locations:
            self._locations[name] = GL.glGetUniformLocation(self.id, name)
        return self._locations[name]

    def integer(self, name: str, value: int) -> None:
        """Set an int or sampler uniform of the current program."""
        GL.glUniform1i(self._location(name), value)

    def number(self, name: str, value: float) -> None:
        """Set a float uniform."""
        GL.glUniform1f(self._location(name), value)

    def vector(self, name: str, values: ArrayLike) -> None:
        """Set a vec2, vec3 or vec4 uniform."""
        array = np.asarray(values, dtype=np.float32)
        set_ = {2: GL.glUniform2fv, 3: GL.glUniform3fv, 4: GL.glUniform4fv}[len(array)]
        set_(self._location(name), 1, array)

    def matrix(self, name: str, values: ArrayLike) -> None:
        """Set a mat3 or mat4 uniform from a row-major array."""
        array = np.ascontiguousarray(np.asarray(values, dtype=np.float32))
        set_ = {3: GL.glUniformMatrix3fv, 4: GL.glUniformMatrix4fv}[len(array)]
        set_(self._location(name), 1, True, array)

    def see(self, camera: Camera, aspect: float) -> None:
        """Set the view of a camera in a pane of width / height `aspect`."""
        self.matrix("u_view", camera.view)
        self.matrix("u_projection", camera.projection(aspect))

    def close(self) -> None:
        """Delete the program."""
        GL.glDeleteProgram(self.id)


class Programs:
    """The programs of one context: each is made when it is first asked for, and kept.

    Parameters
    ----------
    constants
        What all of them are compiled with.
    """

    def __init__(self, constants: Defines) -> None:
        self._constants = constants
        self._made: dict[tuple[object, ...], Program] = {}

    def of(
        self,
        vertex: str,
        fragment: str | None,
        defines: Defines,
        captured: Sequence[str] = (),
    ) -> Program:
        """Return the `Program` of these files, compiled with these defines beside the constants."""
        key = (vertex, fragment, *sorted(defines.items()))
        if key not in self._made:
            everything = {**self._constants, **defines}
            self._made[key] = Program(vertex, fragment, everything, captured)
        return self._made[key]

    def close(self) -> None:
        """Delete all of them."""
        for program in self._made.values():
            program.close()
        self._made.clear()


def _record(program: int, names: Sequence[str]) -> None:
    """Name the outputs to record; PyOpenGL wants them as an array of pointers."""
    buffers = [ctypes.create_string_buffer(name.encode()) for name in names]
    pointer = ctypes.POINTER(ctypes.c_char)
    array = (pointer * len(names))(*(ctypes.cast(b, pointer) for b in buffers))
    GL.glTransformFeedbackVaryings(program, len(names), array, GL.GL_INTERLEAVED_ATTRIBS)
