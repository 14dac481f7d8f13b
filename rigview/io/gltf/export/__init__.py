"""A glTF written from a rig alone: what saving does for files of other formats."""

from rigview.io.gltf.export.document import save

__all__ = ["save"]
