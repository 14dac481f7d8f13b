"""The file that a rig was read from, as a writer needs it that amends that file."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from rigview.core.text import system_reason
from rigview.io.files import read_file
from rigview.io.reading import SaveError


@dataclass(frozen=True, eq=False)
class Original:
    """A file that can be amended; its content is read again when a copy is saved.

    Parameters
    ----------
    format
        The name of its row in the table of formats.
    size, digest
        Bytes of the content and their SHA-256: a file that changed since is refused.
    maps
        What the reader knows of where the parts of the rig stand in the file; each format has its own.
    refusal
        Why this file cannot be amended, a sentence without the final stop; empty where it can.
    """

    format: str
    path: Path
    size: int
    digest: bytes
    maps: Any = None
    refusal: str = ""

    @classmethod
    def of(
        cls,
        name: str,
        path: Path,
        data: bytes,
        maps: Any = None,  # noqa: ANN401
        refusal: str = "",
    ) -> "Original":
        """Return the original of a format whose content was just read."""
        return cls(name, path, len(data), sha256(data).digest(), maps, refusal)

    def read(self) -> bytes:
        """Return the content.

        Raises
        ------
        SaveError
            If it cannot be read, or is not what was opened.
        """
        try:
            data = read_file(self.path)
        except OSError as error:
            raise SaveError(f"{self.path} cannot be read again: {system_reason(error)}") from None
        if len(data) != self.size or sha256(data).digest() != self.digest:
            raise SaveError(
                f"{self.path} has changed since it was opened, and the copy would mix both: "
                "open it again"
            )
        return data


def own(loaded_source: object, name: str) -> Original:
    """Return the original that a writer of a format amends.

    Parameters
    ----------
    loaded_source
        `Loaded.source`.
    name
        The name of the format's row.

    Raises
    ------
    SaveError
        If the rig was read from another format, is no longer the file's, or the file cannot be amended.
    """
    if isinstance(loaded_source, Original) and loaded_source.format == name:
        if loaded_source.refusal:
            raise SaveError(f"{loaded_source.refusal}; glTF can hold this rig")
        return loaded_source
    raise SaveError(
        f"a file of {name} is only written as an amended copy of the {name} file that was opened, with "
        "the unit and up axis that it states; glTF can hold this rig"
    )
