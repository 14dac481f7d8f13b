"""Biovision hierarchies (.bvh): reading into a `Rig`."""

from rigview.io.bvh.reader import load

__all__ = ["load", "recognises"]


def recognises(head: bytes) -> bool:
    """Tell a BVH by its first word."""
    return head.removeprefix(b"\xef\xbb\xbf").lstrip()[:9].upper() == b"HIERARCHY"
