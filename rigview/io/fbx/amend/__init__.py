"""An FBX file amended: what a fix changed is written into it, every other byte is kept."""

from rigview.io.fbx.amend.writer import save

__all__ = ["save"]
