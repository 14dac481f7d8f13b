"""FBX 6.1 and 7.0 to 7.7, binary and ASCII: reading into a `Rig`."""

from rigview.io.fbx.reader import load, recognises

__all__ = ["load", "recognises"]
