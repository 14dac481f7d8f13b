"""The shaders in both dialects, by the reference compiler; in OpenGL ES 3.00 by a real browser, too."""

import itertools
import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from rigview.core.skinning import METHODS
from rigview.render.mesh_program import CONSTANTS
from rigview.render.shader_programs import Defines, Dialect, source
from rigview.render.surfaces import MAP_BITS
from tests.chromium import Browser, chromium

COMPILE = """(() => {
  const gl = document.createElement("canvas").getContext("webgl2");
  globalThis.compiled = (kind, text) => {
    const shader = gl.createShader(kind === "vert" ? gl.VERTEX_SHADER : gl.FRAGMENT_SHADER);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    const fine = gl.getShaderParameter(shader, gl.COMPILE_STATUS);
    return [shader, fine ? "" : gl.getShaderInfoLog(shader)];
  };
  globalThis.linked = (vertex, fragment) => {
    const [a, wrong_a] = compiled("vert", vertex), [b, wrong_b] = compiled("frag", fragment);
    if (wrong_a || wrong_b) return wrong_a + wrong_b;
    const program = gl.createProgram();
    gl.attachShader(program, a);
    gl.attachShader(program, b);
    gl.linkProgram(program);
    const fine = gl.getProgramParameter(program, gl.LINK_STATUS);
    const log = fine ? "" : gl.getProgramInfoLog(program);
    gl.deleteProgram(program);
    gl.deleteShader(a);
    gl.deleteShader(b);
    return log;
  };
})()"""
NO_FRAGMENT = "#version 300 es\nvoid main() {}\n"
PLAIN: Defines = {
    **CONSTANTS, "METHOD": 1, "STRETCH": 0, "DUAL_AS_MATRIX": 0, "ANGLE_FACTOR": 0,
    "FURTHER_INFLUENCES": 0, "CROWD": 0, "SHADING": CONSTANTS["CLAY"], "ALPHA": CONSTANTS["OPAQUE"],
    "UNLIT": 0, "DIFFERENCE": 0, "MAPS": 0,
}  # fmt: skip


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if chromium() is None:
        pytest.skip("Chromium is not installed")
    with Browser() as browser:
        browser.run(COMPILE)
        yield browser


def fault(browser: Browser, vertex: str, fragment: str | None, defines: Defines) -> str:
    """Return what the browser says against two shaders."""
    everything = {**PLAIN, **defines}
    texts = [source(vertex, everything, "300 es")[0]]
    texts.append(NO_FRAGMENT if fragment is None else source(fragment, everything, "300 es")[0])
    answer: str = browser.run(f"linked({json.dumps(texts[0])}, {json.dumps(texts[1])})")
    return answer


@pytest.mark.parametrize("method", METHODS)
def test_every_method_compiles_as_opengl_es(browser: Browser, method: str) -> None:
    number = CONSTANTS[method.upper().replace("-", "_")]
    stretches = (0,) if method == "lbs" else (0, CONSTANTS["VERTEX"], CONSTANTS["ORIGIN"])
    for stretch, further in itertools.product(stretches, (0, 1)):
        defines = {"METHOD": number, "STRETCH": stretch, "FURTHER_INFLUENCES": further}
        assert fault(browser, "skin.vert", None, defines) == "", defines


def test_every_shading_compiles_as_opengl_es(browser: Browser) -> None:
    for shading in ("TEXTURED", "CLAY", "SCALAR", "EDGES", "TINT"):
        for difference in (0, CONSTANTS["OUTWARD"], CONSTANTS["MOVED"]):
            defines = {"SHADING": CONSTANTS[shading], "DIFFERENCE": difference}
            assert fault(browser, "mesh.vert", "mesh.frag", defines) == "", defines
    maps = {"SHADING": CONSTANTS["TEXTURED"], "MAPS": sum(MAP_BITS.values())}
    assert fault(browser, "mesh.vert", "mesh.frag", maps) == ""


@pytest.mark.parametrize("name", ["line", "dot", "facet", "ghost", "backdrop"])
def test_what_is_drawn_around_the_mesh_compiles_as_opengl_es(browser: Browser, name: str) -> None:
    assert fault(browser, f"{name}.vert", f"{name}.frag", {}) == ""


@pytest.mark.skipif(
    shutil.which("glslangValidator") is None,
    reason="glslangValidator is not installed (Debian's glslang-tools)",
)
@pytest.mark.parametrize("dialect", get_args(Dialect))
def test_the_reference_compiler_takes_every_method(tmp_path: Path, dialect: Dialect) -> None:
    stretches = (0, CONSTANTS["VERTEX"], CONSTANTS["ORIGIN"])
    chosen = itertools.product(METHODS, stretches, (0, 1), (0, 1))
    for number, (method, stretch, further, matrix) in enumerate(chosen):
        defines = {
            "METHOD": CONSTANTS[method.upper().replace("-", "_")],
            "STRETCH": stretch,
            "FURTHER_INFLUENCES": further,
            "DUAL_AS_MATRIX": matrix,
            "CROWD": further,
        }
        text, _ = source("mesh.vert", {**PLAIN, **defines}, dialect)
        (tmp_path / f"{number}-{method}.vert").write_text(text, encoding="utf-8")
    files = sorted(map(str, tmp_path.glob("*.vert")))
    done = subprocess.run(
        ["glslangValidator", *files], capture_output=True, text=True, check=False, timeout=60
    )
    assert [line for line in done.stdout.splitlines() if line.startswith("ERROR")] == []
    assert done.returncode == 0


@pytest.mark.parametrize("dialect", get_args(Dialect))
def test_a_shader_begins_with_its_dialect(dialect: Dialect) -> None:
    text, files = source("skin.vert", PLAIN, dialect)
    assert text.startswith(f"#version {dialect}\n")
    assert "skinning.glsl" in Path(files[1]).name
    assert text.count("#version") == 1
