"""The HTML of a review page: style, script, values and blocks in one file that asks for nothing else."""

import base64
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from rigview.assets import RESOURCES, colour_map, theme
from rigview.core import escape
from rigview.render.mesh_program import CONSTANTS
from rigview.render.page.blocks import packed
from rigview.render.shader_programs import HEADS, expanded, literal

_SCRIPTS = (
    "bytes.js",
    "programs.js",
    "camera.js",
    "scene.js",
    "notes.js",
    "ink.js",
    "view.js",
    "panels.js",
    "main.js",
)
_SHADERS = ("mesh.vert", "mesh.frag", "skin.vert", "backdrop.vert", "backdrop.frag")
# Of a script in HTML nothing but its end may look like one.
_ENDS = ("</script", "<!--")


def page(manifest: Mapping[str, Any], blocks: Mapping[str, str], *, extra: str = "") -> str:
    """Return the page.

    Parameters
    ----------
    manifest
        JSON values; names out of files are made harmless here.
    blocks
        Name → text of `blocks.block`.
    extra
        Script behind the page's own, by which tests look inside.
    """
    folder = RESOURCES / "page"
    style = (folder / "page.css").read_text(encoding="utf-8")
    script = "\n".join((folder / name).read_text(encoding="utf-8") for name in _SCRIPTS) + extra
    if any(end in script.lower() for end in _ENDS):
        raise ValueError("the script would end the element that it stands in")
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; base-uri 'none'; "
        "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )
    filled = {
        "policy": policy,
        "title": escape.html(f"{manifest['file']} · review"),
        "style": style,
        "manifest": _json({**manifest, **_assets()}),
        "blocks": "\n".join(
            f'<script type="text/plain" id="block-{name}">{text}</script>'
            for name, text in {**blocks, "shaders": packed(_shaders())}.items()
        ),
        "script": script,
    }
    text = (folder / "page.html").read_text(encoding="utf-8")
    pieces = text.split("%%")
    return "".join(filled[p] if i % 2 else p for i, p in enumerate(pieces))


def _assets() -> dict[str, Any]:
    """Return what all pages have: the numbers that shaders are compiled with, colours."""
    return {
        "head": HEADS["300 es"],
        "constants": {name: literal(value) for name, value in CONSTANTS.items()},
        "theme": {name: theme(name) for name in ("dark", "light")},
        "maps": {
            name: "".join(c[1:] for c in colour_map(name)) for name in ("viridis", "CET-D1", "heat")
        },
    }


def _shaders() -> bytes:
    """Return the shaders as JSON, name → text."""
    return _json({name: _dense(expanded(name)[0]) for name in _SHADERS}).encode()


def _dense(shader: str) -> str:
    """Return a shader without comments, indentation, empty lines and the numbers of its lines."""
    lines = (line.split("//")[0].strip() for line in shader.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("#line"))


def _hash(text: str) -> str:
    """Return what the policy lets through."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _json(value: object) -> str:
    """Return JSON that nothing in HTML ends."""
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
