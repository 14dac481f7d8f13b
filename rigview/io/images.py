"""Textures: found beside the rig or inside it, decoded within bounds; shared by all readers."""

import io
import struct
import warnings
import zlib
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from urllib.parse import unquote, urlsplit

import numpy as np
from PIL import Image as Pillow
from PIL import UnidentifiedImageError

from rigview.core.arrays import ByteArray, owned
from rigview.core.materials import Image, Unread
from rigview.core.text import system_reason
from rigview.io.files import read_file
from rigview.io.image_headers import is_whole_png, stated_size
from rigview.io.memory_budget import MOST_PIXELS, MOST_PIXELS_OF, DocumentPlace, MemoryBudget
from rigview.io.reading import LoadError, quoted

_BYTES_A_PIXEL = 4
# Pixels that are converted at once.
_BAND = 1 << 20
# A picture of one colour takes a byte for some 300 pixels of PNG; more than one of the largest size
# has to bring the bytes for it.
_GROWTH = 256
_TOO_LARGE = "the image has more pixels than rigview decodes"
# What Pillow's decoders raise on damaged files, as its own fuzzing and ours found.
_DAMAGED = (
    OSError,
    ValueError,
    SyntaxError,
    EOFError,
    TypeError,
    AttributeError,
    LookupError,
    ArithmeticError,
    MemoryError,
    struct.error,
    zlib.error,
)
Bytes = bytes | memoryview
WEB = ("PNG", "JPEG", "WEBP")
# What programs write beside formats that do not say which images they allow.
ANY = (*WEB, "TGA", "BMP", "TIFF", "GIF", "DDS")


@dataclass(frozen=True)
class Spot:
    """A place in a file, by its name."""

    path: Path
    where: str

    def error(self, reason: str) -> LoadError:
        """Return the error that names this place."""
        return LoadError(self.path, self.where, reason)


def allowance() -> MemoryBudget:
    """Return what the images of one file may claim together."""
    return MemoryBudget(MOST_PIXELS * _BYTES_A_PIXEL, _GROWTH)


def picture(
    place: DocumentPlace, data: Bytes, within: MemoryBudget, kinds: tuple[str, ...] = WEB
) -> "Picture":
    """See of what kind and how large an image is, and leave the rest for later.

    Raises
    ------
    LoadError
        If the data are of no kind in `kinds`, or too large.
    """
    within.earn(len(data))
    stated = stated_size(data)
    if stated is not None and stated[0] in kinds and min(stated[1:]) > 0:
        size = stated[1:]
    else:
        with _opened(place, data, kinds) as opened:
            size = opened.size
            _claim(place, opened.format, *size)
    _claim(place, None, *size)
    within.spend(place, size[0] * size[1] * _BYTES_A_PIXEL)
    # The place may hold a whole document; its name is enough.
    named = place.error("")
    return Picture(Spot(named.path, named.where), data, kinds, size)


@dataclass(frozen=True)
class Picture:
    """An image in the bytes of a file, of some kinds and of the size that was seen first."""

    spot: Spot
    data: Bytes
    kinds: tuple[str, ...]
    size: tuple[int, int]

    def decode(self) -> ByteArray | Unread:
        """Return ``(H, W, 4)`` sRGB bytes, the top row first, or why there are none."""
        try:
            with self._opened() as opened:
                _claim(self.spot, opened.format, *opened.size)
                return _rgba(opened)
        except LoadError as error:
            return Unread(error.where, error.reason, "material")

    def is_whole(self) -> bool:
        """Tell whether it is certain, at less cost, that it can be decoded.

        Of a PNG its checksums say so. A JPEG is read to its end, and an eighth of its rows made.
        """
        if is_whole_png(self.data):
            return "PNG" in self.kinds
        try:
            with self._opened() as opened:
                if opened.format != "JPEG" or opened.mode not in ("L", "RGB"):
                    return False
                opened.draft("L", (1, 1))
                opened.load()
                return True
        except LoadError:
            return False

    @contextmanager
    def _opened(self) -> Iterator[Pillow.Image]:
        with _opened(self.spot, self.data, self.kinds) as opened:
            if opened.size != self.size:
                raise self.spot.error("the image is damaged: it states two sizes")
            yield opened


@contextmanager
def _opened(place: DocumentPlace, data: Bytes, kinds: tuple[str, ...]) -> Iterator[Pillow.Image]:
    """Open an image; what goes wrong with it is an error of its place."""
    try:
        with warnings.catch_warnings():
            # Pillow warns of large images; the bounds below decide.
            warnings.simplefilter("ignore")
            with Pillow.open(io.BytesIO(data), formats=kinds) as opened:
                yield opened
    except Pillow.DecompressionBombError:
        raise place.error(_TOO_LARGE) from None
    except UnidentifiedImageError:
        raise place.error(f"the image is none of {', '.join(kinds)}") from None
    except _DAMAGED as error:
        raise place.error(f"the image is damaged: {quoted(str(error))}") from None


class Pictures:
    """The images of a file in the order in which materials meet them, each once.

    Attributes
    ----------
    images
        None where one cannot be shown.
    unread
        Why not; readers add what else of a material they cannot show.
    notes
        Which maps that textured shading does not show cannot be read.
    """

    def __init__(self) -> None:
        self.images: list[Image | None] = []
        self.unread: list[Unread] = []
        self.notes: list[str] = []
        self._numbers: dict[Hashable, int] = {}
        self._within = allowance()

    def number(
        self, key: Hashable, name: str, place: DocumentPlace, read: Callable[[], Bytes]
    ) -> int:
        """Return the number of an image, which is read when its key is first met."""
        if key not in self._numbers:
            self._numbers[key] = len(self.images)
            try:
                self.images.append(Image(name, picture(place, read(), self._within, ANY)))
            except LoadError as error:
                self.leave_out(error)
                self.images.append(None)
        return self._numbers[key]

    def further(
        self, key: Hashable, name: str, place: DocumentPlace, read: Callable[[], Bytes]
    ) -> int | None:
        """Return the number of an image that is only converted; None where it cannot be read."""
        if key in self._numbers:
            number = self._numbers[key]
            return None if self.images[number] is None else number
        try:
            image = Image(name, picture(place, read(), self._within, ANY))
        except LoadError as error:
            self.notes.append(f"a map of a material is left out: {error.where}: {error.reason}")
            return None
        self._numbers[key] = len(self.images)
        self.images.append(image)
        return self._numbers[key]

    def leave_out(self, error: LoadError) -> None:
        """List what cannot be shown."""
        self.unread.append(Unread(error.where, error.reason, "material"))


def _claim(place: DocumentPlace, kind: str | None, width: int, height: int) -> None:
    most = MOST_PIXELS if kind is None else MOST_PIXELS_OF.get(kind, MOST_PIXELS)
    if width * height > most:
        raise place.error(f"{_TOO_LARGE}: {width:,} × {height:,}, and {most:,} at most")


def _rgba(opened: Pillow.Image) -> ByteArray:
    """Return ``(H, W, 4)`` the pixels of an image.

    Pillow converts and hands over all of an image in three further copies; so it is done in bands.
    """
    opened.load()
    width, height = opened.size
    result = np.zeros((height, width, 4), dtype=np.uint8)
    rows = max(1, _BAND // width)
    for top in range(0, height, rows):
        band = opened.crop((0, top, width, min(top + rows, height)))
        result[top : top + rows] = np.asarray(band.convert("RGBA"))
    return owned(result)


def read_beside(place: DocumentPlace, file: Path, reference: str) -> bytes:
    """Return the bytes of the file that a reference in `file` means, never outside its folder.

    Programs write absolute paths of the machine they ran on; of a path that leads nowhere or out of
    the folder, the name alone is tried beside the file.

    Raises
    ------
    LoadError
        If it is remote, or neither place has such a file.
    """
    folder = file.resolve().parent
    path = _path(place, reference)
    name = PureWindowsPath(path).name
    if not name:
        raise place.error("the image names no file")
    for candidate in (path.replace("\\", "/"), name):
        target = _inside(folder, candidate)
        if target is not None and target.is_file():
            try:
                return read_file(target)
            except OSError as error:
                raise place.error(
                    f"{quoted(name)} cannot be read: {system_reason(error)}"
                ) from None
    raise place.error(f"{quoted(name)} is not in the folder of the file")


def _path(place: DocumentPlace, reference: str) -> str:
    """Return the path in a reference, which is a path or a URI."""
    try:
        parts = urlsplit(reference)
    except ValueError:
        raise place.error("the uri is malformed") from None
    if parts.scheme in ("", "file") and "%" in reference:
        return unquote(parts.path)
    # One letter is a drive.
    if len(parts.scheme) > 1 and parts.scheme != "file":
        raise place.error(f"the image is not a file: {quoted(reference)}")
    return parts.path if parts.scheme == "file" else reference


def _inside(folder: Path, relative: str) -> Path | None:
    """Return the path below a folder, or None where it is no relative one or leads out."""
    if PurePosixPath(relative).is_absolute() or PureWindowsPath(relative).drive:
        return None
    try:
        target = (folder / relative).resolve()
    except (OSError, RuntimeError, ValueError):
        return None
    return target if target.is_relative_to(folder) else None
