"""Files as wholes: read ones that are files, written so that a reader never sees half of one."""

import contextlib
import errno
import io
import os
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import FileIO
from pathlib import Path

from rigview.core.text import system_reason
from rigview.io.inputs import note, refuse_inputs
from rigview.io.memory_budget import MOST_READ
from rigview.io.partial_files import PartialFile, sync_folder
from rigview.io.reading import SaveError

# What the length field of a GLB can state.
LARGEST_FILE = 2**32 - 1
# What a slow disk gives in a tenth of a second.
_CHUNK = 1 << 23
# What a checkout without Git LFS has in the place of a large file, and its most bytes.
_LFS_POINTER = b"version https://git-lfs.github.com/spec/"
_LARGEST_LFS_POINTER = 1024
# What a file is to hold: all of it, or its parts one after the other.
Content = bytes | Iterable[bytes]


def read_file(path: Path, tell: Callable[[], object] | None = None, most: int = MOST_READ) -> bytes:
    """Return the content of a file.

    Parameters
    ----------
    tell
        Called every few milliseconds; what it raises ends the reading.
    most
        How many bytes the file may have.

    Raises
    ------
    OSError
        If it cannot be read, is no regular file (a pipe would hang), is larger than it may be, or
        a pointer of Git LFS.
    """
    with _opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > most:
            left = f"{most >> 20:,} MiB" if most >> 20 else f"{most:,} bytes"
            raise OSError(errno.EFBIG, f"it has {size >> 20:,} MiB, and {left} may be read")
        # Asked for more than there is, Python takes memory for all of it.
        if tell is None or size <= _CHUNK:
            return file.read()
        content = io.BytesIO()
        while chunk := file.read(_CHUNK):
            content.write(chunk)
            tell()
        return content.getvalue()


def read_head(path: Path, count: int) -> bytes:
    """Return the first bytes of a file, with the errors of `read_file`."""
    with _opened(path) as file:
        return file.read(count)


def _opened(path: Path) -> FileIO:
    note(path)
    try:
        facts = path.stat()
    except ValueError:
        raise OSError(errno.EINVAL, "no file can have this name") from None
    if stat.S_ISDIR(facts.st_mode):
        raise OSError(errno.EISDIR, "this is a folder, not a file")
    if not stat.S_ISREG(facts.st_mode):
        raise OSError(errno.EINVAL, "this is a device or a pipe, not a file")
    if facts.st_size > LARGEST_FILE:
        raise OSError(errno.EFBIG, "the file is larger than 4 GiB")
    if facts.st_size < _LARGEST_LFS_POINTER:
        with FileIO(path) as file:
            if file.read(len(_LFS_POINTER)) == _LFS_POINTER:
                reason = "only a pointer of Git LFS is here, not the file: git lfs pull fetches it"
                raise OSError(errno.EINVAL, reason)
    return FileIO(path)


def write_atomically(path: Path, data: Content) -> None:
    """Write a file beside its final name and move it there in one step.

    A link stays one: what it leads to is written. So is what is no file, such as /dev/stdout, but at once.

    Parameters
    ----------
    data
        All of it, or its parts one after the other; if they raise, nothing is written.

    Raises
    ------
    OSError
        If it cannot be written, or is an input; the old file, if any, is untouched and nothing is left
        behind.
    """
    refuse_inputs(path)
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            file.writelines(_parts(data))
        return
    path = led_to(path)
    with PartialFile() as unfinished:
        _stage(path, data, unfinished).replace(path)
    sync_folder(path.parent)


def save_bytes(path: Path, data: Content) -> None:
    """Write a result as `write_atomically` does.

    Raises
    ------
    SaveError
        If it cannot be written.
    """
    with _told(path):
        write_atomically(path, data)


def save_together(name: Path, files: Iterable[tuple[Path, bytes]]) -> None:
    """Write results that are called by one name as `write_together` does.

    Raises
    ------
    SaveError
        If one cannot be written.
    """
    with _told(name):
        write_together(files)


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise SaveError(f"{path}: {system_reason(error)}") from None


def write_together(files: Mapping[Path, bytes] | Iterable[tuple[Path, bytes]]) -> None:
    """Write files that belong together: all of them or none, each in one step.

    All are written beside their final names before the first is moved; if one cannot be moved,
    those before it are taken back. Missing folders are made. Files may be made one after the other as they
    are asked for; if that raises, nothing is written.

    Raises
    ------
    OSError
        If one cannot be written, or is an input; the old files are untouched and nothing is left behind.
    """
    with (
        contextlib.ExitStack() as made,
        PartialFile() as unfinished,
        contextlib.ExitStack() as undo,
    ):
        staged = []
        for path, data in files.items() if isinstance(files, Mapping) else files:
            refuse_inputs(path)
            _make_folder(path.parent, made)
            staged.append((_stage(path, data, unfinished), path))
        for temporary, path in staged:
            _keep(path, undo, unfinished)
            temporary.replace(path)
        undo.pop_all()
        made.pop_all()
    for folder in {path.parent for _, path in staged}:
        sync_folder(folder)


def led_to(path: Path) -> Path:
    """Return what a link leads to, also if there is no file yet; what is no link is itself.

    Raises
    ------
    OSError
        If links lead round.
    """
    if not path.is_symlink():
        return path
    with contextlib.suppress(FileNotFoundError):
        path.stat()
    return Path(os.path.realpath(path))


def _make_folder(folder: Path, made: contextlib.ExitStack) -> None:
    missing = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    for new in reversed(missing):
        new.mkdir()
        made.callback(_quietly_remove_folder, new)


def _parts(data: Content) -> Iterable[bytes]:
    return (data,) if isinstance(data, bytes) else data


def _stage(path: Path, data: Content, unfinished: PartialFile) -> Path:
    """Write data to a new file in the folder of `path`."""
    handle, temporary = unfinished.make(path.parent)
    with os.fdopen(handle, "wb") as file:
        file.writelines(_parts(data))
        file.flush()
        os.fsync(file.fileno())
    temporary.chmod(_mode(path))
    return temporary


def _keep(path: Path, undo: contextlib.ExitStack, unfinished: PartialFile) -> None:
    """Make sure that `path` can be put back to what it is, or to nothing."""
    if not path.exists():
        undo.callback(_quietly_remove, path)
        return
    handle, backup = unfinished.make(path.parent)
    os.close(handle)
    backup.unlink()
    try:
        backup.hardlink_to(path)
    except OSError:
        shutil.copy2(path, backup)  # not every file system has links
    undo.callback(_quietly_put_back, backup, path)


def _quietly_put_back(backup: Path, path: Path) -> None:
    with contextlib.suppress(OSError):
        backup.replace(path)


def _quietly_remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


def _quietly_remove_folder(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.rmdir()


def _mode(path: Path) -> int:
    """Return the permissions that the file has or, when new, would be given."""
    try:
        return path.stat().st_mode & 0o777
    except FileNotFoundError:
        return mode_when_new(0o666)


def mode_when_new(asked: int) -> int:
    """Return what this process gives of the permissions that are asked for something new."""
    mask = os.umask(0)
    os.umask(mask)
    return asked & ~mask
