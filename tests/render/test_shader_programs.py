"""Shader texts: includes and defines written out, and errors that name file and line."""

import re

import pytest

from rigview.assets import SHADERS
from rigview.render import gl as opengl
from rigview.render import shader_programs
from rigview.render.shader_programs import Program, ShaderError, source


@pytest.fixture
def shaders(tmp_path, monkeypatch):
    """A folder of shaders of the test's own."""
    monkeypatch.setattr(shader_programs, "SHADERS", tmp_path)
    (tmp_path / "lib").mkdir()
    return tmp_path


def lines_by_place(text):
    """Return the text's lines with the file and line that #line says they stand in."""
    file, number, result = None, None, []
    for line in text.splitlines():
        directive = re.match(r"#line (\d+) (\d+)$", line)
        if directive:
            number, file = int(directive[1]), int(directive[2])
            continue
        if file is not None:
            result.append((file, number, line))
            number += 1
    return result


@pytest.mark.parametrize("name", sorted(p.name for p in SHADERS.glob("*.*")))
def test_every_line_is_said_to_stand_where_it_does(name):
    text, files = source(name, {"METHOD": 1})
    assert files[0] == name
    assert len(files) == len(set(files))
    seen = set()
    for file, number, line in lines_by_place(text):
        stands = (SHADERS / files[file]).read_text(encoding="utf-8").splitlines()
        chooses = stands[number - 1] == '#include "../methods/*.glsl"' and line.startswith(
            ("#if ", "#endif")
        )
        assert chooses or stands[number - 1] == line
        seen.add((file, number))
    for file, path in enumerate(files):
        lines = (SHADERS / path).read_text(encoding="utf-8").splitlines()
        missing = [n for n in range(1, len(lines) + 1) if (file, n) not in seen]
        assert all(lines[n - 1].lstrip().startswith("#include") for n in missing)


def test_an_include_is_found_beside_the_file_that_names_it_and_taken_once(shaders):
    (shaders / "a.vert").write_text(
        '#include "lib/b.glsl"\n#include "lib/c.glsl"\nvoid main() {}\n'
    )
    (shaders / "lib" / "b.glsl").write_text('#include "c.glsl"\nint b;\n')
    (shaders / "lib" / "c.glsl").write_text("int c;\n")
    text, files = source("a.vert", {})
    assert files == ["a.vert", "lib/b.glsl", "lib/c.glsl"]
    assert text.count("int c;") == 1
    assert lines_by_place(text)[-1] == (0, 3, "void main() {}")


def test_of_a_folder_the_method_is_compiled_and_what_methods_share_stands_before_them(shaders):
    (shaders / "methods").mkdir()
    (shaders / "a.vert").write_text('#include "methods/*.glsl"\nvoid main() { skin(); }\n')
    (shaders / "lib" / "b.glsl").write_text("int b;\n")
    (shaders / "lib" / "c.glsl").write_text('#include "b.glsl"\nint c;\n')
    for name, include in (("one", "c"), ("two", "b"), ("three", "c")):
        text = f'#include "../lib/{include}.glsl"\nvoid {name}() {{}}\n'
        (shaders / "methods" / f"{name}.glsl").write_text(text)
    text, files = source("a.vert", {"ONE": 1, "TWO": 2, "THREE": 3, "METHOD": 2})
    assert files[1:3] == ["lib/b.glsl", "lib/c.glsl"]
    assert [text.count(f"int {name};") for name in "bc"] == [1, 1]
    assert "#if METHOD == ONE || METHOD == THREE || METHOD == TWO\n#line 1 1\nint b;" in text
    assert "#if METHOD == ONE || METHOD == THREE\n#line 1 2\n" in text
    assert lines_by_place(text)[-1] == (0, 2, "void main() { skin(); }")


def test_the_version_comes_first_and_every_define_is_written(shaders):
    (shaders / "a.vert").write_text("void main() {}\n")
    text, _ = source("a.vert", {"A": 0, "B": 3, "C": 0.5, "D": 1e-6, "E": False, "F": True})
    lines = text.splitlines()
    assert lines[0] == "#version 330 core"
    assert lines[1:7] == [
        "#define A 0",
        "#define B 3",
        "#define C 0.5",
        "#define D 1e-06",
        "#define E 0",
        "#define F 1",
    ]


@pytest.mark.gl
def test_a_false_define_switches_off(gl, shaders):
    (shaders / "a.vert").write_text(
        "#if A\nthis does not compile\n#endif\nvoid main() { gl_Position = vec4(B); }\n"
    )
    Program("a.vert", None, {"A": 0, "B": 1e-6}).close()
    with pytest.raises(ShaderError):
        Program("a.vert", None, {"A": 1, "B": 1e-6})


@pytest.mark.gl
@pytest.mark.parametrize(
    ("broken", "place"),
    [
        ({"a.vert": "\nwrong;\n"}, r"a\.vert:2\("),
        ({"lib/b.glsl": "float x;\n\n\nwrong;\n"}, r"lib/b\.glsl:4\("),
        ({"lib/c.glsl": "wrong;\n"}, r"lib/c\.glsl:1\("),
    ],
)
def test_a_compile_error_names_file_and_line(gl, shaders, broken, place):
    good = {
        "a.vert": '#include "lib/b.glsl"\nvoid main() { gl_Position = vec4(0.0); }\n',
        "lib/b.glsl": '#include "c.glsl"\n',
        "lib/c.glsl": "float c;\n",
    }
    for name, text in {**good, **broken}.items():
        kept = good[name] if name == "a.vert" and name in broken else ""
        (shaders / name).write_text(text + kept)
    if "lib/b.glsl" in broken:
        (shaders / "lib" / "b.glsl").write_text(broken["lib/b.glsl"] + good["lib/b.glsl"])
    with pytest.raises(ShaderError, match=place) as error:
        Program("a.vert", None, {})
    assert str(error.value).startswith("shaders/a.vert does not compile")


@pytest.mark.gl
def test_an_error_after_an_include_keeps_its_line(gl, shaders):
    (shaders / "lib" / "b.glsl").write_text("float b;\n" * 1 + "\n" * 30)
    (shaders / "a.vert").write_text('\n#include "lib/b.glsl"\n\nwrong;\n')
    with pytest.raises(ShaderError, match=r"a\.vert:4\("):
        Program("a.vert", None, {})


@pytest.mark.gl
def test_stages_that_do_not_fit_together_do_not_link(gl, shaders):
    (shaders / "a.vert").write_text(
        "out vec3 v;\nvoid main() { v = vec3(1.0); gl_Position = vec4(v, 1.0); }\n"
    )
    (shaders / "a.frag").write_text(
        "in vec2 v;\nout vec4 o;\nvoid main() { o = vec4(v, 0.0, 1.0); }\n"
    )
    with pytest.raises(ShaderError, match=r"a\.vert and a\.frag do not link"):
        Program("a.vert", "a.frag", {})


@pytest.mark.gl
def test_a_shader_that_is_not_there_is_named(gl, shaders):
    with pytest.raises(FileNotFoundError, match=r"nothing\.vert"):
        Program("nothing.vert", None, {})


@pytest.mark.gl
def test_failures_leave_no_opengl_error_behind(gl, shaders):
    (shaders / "a.vert").write_text("wrong;\n")
    with pytest.raises(ShaderError):
        Program("a.vert", None, {})
    assert opengl.GL.glGetError() == opengl.GL.GL_NO_ERROR


@pytest.mark.parametrize("name", ["pytestmark", "__wrapped__", "shape"])
def test_looking_at_the_door_to_opengl_does_not_open_it(name):
    assert not hasattr(opengl.GL, name)
