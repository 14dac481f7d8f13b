"""Biovision hierarchies (.bvh): reading into a `Rig`, and amending its words."""

from rigview.io.bvh.reader import load
from rigview.io.bvh.saving import save

__all__ = ["load", "recognises", "save"]


def recognises(head: bytes) -> bool:
    """Tell a BVH by its first word."""
    return head.removeprefix(b"\xef\xbb\xbf").lstrip()[:9].upper() == b"HIERARCHY"
