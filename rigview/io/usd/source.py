"""The files that a stage was read from, by which a copy of it is made later."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from rigview.core.text import system_reason
from rigview.io.files import read_file
from rigview.io.reading import SaveError

if TYPE_CHECKING:
    from pxr import Usd


@dataclass(frozen=True)
class UsdSource:
    """What a copy amends.

    Parameters
    ----------
    layers
        Every file that the stage was composed of, with the digest of its content; the first is the root.
    """

    layers: tuple[tuple[Path, bytes], ...]

    def check(self) -> None:
        """Refuse a file that is another than when it was opened.

        Raises
        ------
        SaveError
            If one has changed or is gone.
        """
        for path, digest in self.layers:
            try:
                found = _digest(path)
            except OSError as error:
                raise SaveError(
                    f"{path.name} cannot be read again: {system_reason(error)}"
                ) from None
            if found != digest:
                raise SaveError(f"{path.name} has changed since it was opened: open it again")


def source_of(path: Path, stage: "Usd.Stage") -> UsdSource:
    """Return the files of an open stage."""
    from rigview.io.usd.references import file_of

    used = (file_of(layer.realPath) for layer in stage.GetUsedLayers() if not layer.anonymous)
    files = dict.fromkeys((path.absolute(), *sorted({p.absolute() for p in used})))
    return UsdSource(tuple((file, _digest(file)) for file in files))


def _digest(path: Path) -> bytes:
    return sha256(read_file(path)).digest()
