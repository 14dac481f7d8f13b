"""glTF 2.0, GLB and VRM: reading into a `Rig`, and writing back only what changed."""

from rigview.io.gltf.container import recognises
from rigview.io.gltf.reader import load
from rigview.io.gltf.writer import save

__all__ = ["load", "recognises", "save"]
