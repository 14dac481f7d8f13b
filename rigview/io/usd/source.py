"""The files that a stage was read from, which a copy amends."""

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from rigview.io.original import Original

if TYPE_CHECKING:
    from pxr import Usd


def original_of(path: Path, stage: "Usd.Stage") -> Original:
    """Return a file with the layers beside it that its stage uses, each an `Original` of its own."""
    from rigview.io.usd.references import file_of

    used = (file_of(layer.realPath) for layer in stage.GetUsedLayers() if not layer.anonymous)
    root = path.absolute()
    others = sorted({file.absolute() for file in used} - {root, root.resolve()})
    return _original(root, tuple(_original(file, ()) for file in others))


def _original(path: Path, layers: tuple[Original, ...]) -> Original:
    data = path.read_bytes()  # OpenUSD has read it, and what is read is noted there
    return Original("USD", path, len(data), sha256(data).digest(), layers)
