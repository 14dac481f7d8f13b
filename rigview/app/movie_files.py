"""Where a turntable goes: an animated picture, or numbered ones."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from rigview.io.files import save_bytes, save_together
from rigview.render.camera import Camera
from rigview.render.image import png
from rigview.render.movie import BY_SUFFIX, MOVIES, Reel
from rigview.render.turntable import TurntableFrame

# The last run of these in a name is where the numbers of single pictures stand, as in Maya and Nuke.
_PLACE = re.compile(r"#+(?=[^#]*$)")


@dataclass(frozen=True)
class Form:
    """What pictures can be written as.

    Parameters
    ----------
    says
        What it is good for.
    ending
        What names of it end in.
    carries
        Whether it can carry the view.
    """

    name: str
    says: str
    ending: str
    carries: bool


# What one picture is written as.
PICTURE = Form("PNG", "one picture", ".png", carries=True)
_NUMBERED = Form("PNGs", "numbered", ".####.png", carries=True)
# One row each; the first is the default.
FORMS: tuple[Form, ...] = (
    *(Form(m.name, m.says, m.suffixes[0], carries=".png" in m.suffixes) for m in MOVIES),
    _NUMBERED,
)


def form_of(path: Path) -> Form | None:
    """Return what a file of that name would be; None where nothing is called so."""
    suffix = path.suffix.lower()
    if is_numbered(path):
        return _NUMBERED if suffix == ".png" else None
    name = BY_SUFFIX[suffix].name if suffix in BY_SUFFIX else ""
    return next((form for form in FORMS if form.name == name), None)


def renamed(path: Path, ending: str) -> Path:
    """Return a path with another ending in the place of the one it has, if it has one."""
    name = path.name
    if form_of(path) is not None:
        name = name[: -len(path.suffix)]
        name = _PLACE.sub("", name).rstrip("._") if is_numbered(path) else name
    return path.with_name(f"{name}{ending}") if name else path


def is_numbered(path: Path) -> bool:
    """Tell whether a name stands for a sequence of pictures."""
    return "#" in path.name


def numbered(path: Path, number: int) -> Path:
    """Return the name of one picture of a sequence: turn.####.png is turn.0007.png."""
    name = _PLACE.sub(lambda place: f"{number:0{len(place[0])}d}", path.name)
    return path.with_name(name)


def refusal(path: Path, size: tuple[int, int], rate: float) -> str | None:
    """Return why a turntable cannot go to a file of that name, in one sentence; None where it can."""
    if is_numbered(path):
        return None if form_of(path) else f"{path.name}: numbered pictures end in .png"
    movie = BY_SUFFIX.get(path.suffix.lower())
    if movie is None:
        names = ", ".join(BY_SUFFIX)
        return f"{path.name}: end the name with {names}, or .####.png for single pictures"
    if max(size) > movie.largest:
        return f"{path.name}: the sides of a {movie.name} are at most {movie.largest} pixels"
    if rate > movie.fastest:
        return f"{path.name}: a {movie.name} shows at most {movie.fastest:g} pictures a second"
    return None


def save_turn(
    path: Path,
    pictures: Iterable[TurntableFrame],
    reel: Reel,
    text: Callable[[Camera, float], Mapping[str, str]],
) -> None:
    """Write a turntable to wherever its name says: all of it or nothing.

    Parameters
    ----------
    text
        What a PNG that shows a time by a camera carries.

    Raises
    ------
    SaveError
        If it cannot be written.
    """
    if is_numbered(path):
        files = (
            (numbered(path, i), png(p.pixels, text(p.camera, p.time), clear=reel.clear))
            for i, p in enumerate(pictures, 1)
        )
        save_together(path, files)
    else:
        encode = BY_SUFFIX[path.suffix.lower()].encode
        save_bytes(path, encode((p.pixels for p in pictures), reel))
