"""Folders as wholes: a new one appears with all its files, and one that is there gets all or none."""

import os
from collections.abc import Collection, Iterable
from pathlib import Path

from rigview.core.text import system_reason
from rigview.io.files import mode_when_new, save_together
from rigview.io.partial_files import PartialFile, sync_folder
from rigview.io.reading import SaveError


def save_folder(
    folder: Path, files: Iterable[tuple[str, bytes]], former: Collection[str] = ()
) -> None:
    """Write the files of a folder: all of them or none.

    A new folder is built beside its name under another one, and renamed when it is whole.

    Parameters
    ----------
    folder
        Its own folder must be there.
    files
        Name and content; they may be made one after the other as they are asked for. If that raises,
        nothing is written.
    former
        Names of files that are removed from a folder that is there, unless they are written anew.

    Raises
    ------
    SaveError
        If one cannot be written.
    """
    if folder.is_dir():
        _write_into(folder, files, former)
        return
    with PartialFile() as unfinished:
        try:
            building = unfinished.make_folder(folder.parent)
            for name, data in files:
                _write(building / name, data)
            building.chmod(mode_when_new(0o777))
            building.rename(folder)
        except OSError as error:
            raise SaveError(f"{folder}: {system_reason(error)}") from None
    sync_folder(folder.parent)


def _write_into(folder: Path, files: Iterable[tuple[str, bytes]], former: Collection[str]) -> None:
    written: set[str] = set()

    def each() -> Iterable[tuple[Path, bytes]]:
        for name, data in files:
            written.add(name)
            yield folder / name, data

    save_together(folder, each())
    for name in set(former) - written:
        try:
            (folder / name).unlink(missing_ok=True)
        except OSError as error:
            reason = f"a file of before is left: {system_reason(error)}"
            raise SaveError(f"{folder / name}: {reason}") from None


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
