"""Collada 1.4 and 1.5 (.dae): reading into a `Rig`."""

from rigview.io.collada.reader import load
from rigview.io.collada.tree import recognises

__all__ = ["load", "recognises"]
