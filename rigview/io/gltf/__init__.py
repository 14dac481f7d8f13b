"""glTF 2.0, GLB and VRM: reading into a `Rig`, and writing back only what changed."""

from pathlib import Path

from rigview.core.rig import Rig
from rigview.io.gltf import export, saving
from rigview.io.gltf.container import GltfSource, recognises
from rigview.io.gltf.reader import load
from rigview.io.reading import Loaded

__all__ = ["load", "recognises", "save"]


def save(loaded: Loaded, rig: Rig, out: Path) -> tuple[str, ...]:
    """Write a rig: a glTF as a changed copy of its file, any other format as a glTF written anew.

    Returns
    -------
    What of the rig the new file does not carry; nothing of a copy.
    """
    if isinstance(loaded.source, GltfSource):
        saving.save(loaded, rig, out)
        return ()
    return export.save(rig, out)
