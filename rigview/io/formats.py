"""The one table of file formats: a new format is one row here and one module or folder beside."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Literal

from rigview.core.gc_pause import collector_paused
from rigview.core.rig import Rig
from rigview.core.text import file_name, system_reason
from rigview.io import bvh, collada, fbx, gltf, usd
from rigview.io.files import led_to, read_head
from rigview.io.inputs import noting, protect
from rigview.io.original import Original, own
from rigview.io.overrides import Overrides, apply
from rigview.io.reading import Cancelled, Listener, Loaded, LoadError, SaveError

# Enough to tell any format by its first bytes.
_SNIFFED_BYTES = 4096
# Third parties add a format by an entry point of this group that names a `Format`.
READERS = "rigview.readers"

# What a format can state; of the rest, rules say that they were not evaluated.
Content = Literal["skins", "morphs", "clips", "units", "names"]
_ALL: frozenset[Content] = frozenset(("skins", "morphs", "clips", "units", "names"))


@dataclass(frozen=True)
class Format:
    """One row.

    Parameters
    ----------
    recognises
        Tells from the first bytes of a file whether it is of this format.
    load
        ``(path, listener) → Loaded``.
    save
        ``(loaded, rig, out) → notes``, or None where rigview cannot write the format; the notes
        say what of the rig the file does not carry.
    carries
        What files of the format can hold.
    amends
        Whether `save` only amends the file that was opened: rigs of other formats are refused.
    flatten
        As `save`, for formats of which a copy may refer to the file: one that stands alone.
    unstated
        What no file of the format states, so that no copy can differ in it; empty for nothing.
    extra
        The optional part of rigview that reading needs, as in ``pip install 'rigview[usd]'``.
    """

    name: str
    suffixes: tuple[str, ...]
    recognises: Callable[[bytes], bool]
    load: Callable[[Path, Listener], Loaded]
    save: Callable[[Loaded, Rig, Path], tuple[str, ...]] | None
    carries: frozenset[Content] = _ALL
    extra: str | None = None
    amends: bool = False
    flatten: Callable[[Loaded, Rig, Path], tuple[str, ...]] | None = None
    unstated: str = ""


FORMATS: tuple[Format, ...] = (
    Format("glTF", (".gltf", ".glb", ".vrm"), gltf.recognises, gltf.load, gltf.save),
    Format("Collada", (".dae",), collada.recognises, collada.load, collada.save, amends=True),
    Format(
        fbx.NAME,
        (".fbx",),
        fbx.recognises,
        fbx.load,
        fbx.save,
        amends=True,
        unstated="order of joints and influences",
    ),
    Format(
        "USD",
        (".usd", ".usda", ".usdc", ".usdz"),
        usd.recognises,
        usd.load,
        usd.save,
        extra="usd",
        flatten=usd.save_flat,
    ),
    Format(
        "BVH",
        (".bvh",),
        bvh.recognises,
        bvh.load,
        bvh.save,
        carries=frozenset(("clips", "names")),
        amends=True,
    ),
)


@cache
def third_party() -> tuple[tuple[Format, ...], tuple[str, ...]]:
    """Return the formats of other installed packages, and why some of them cannot be used."""
    rows: list[Format] = []
    faults: list[str] = []
    for point in entry_points(group=READERS):
        row = _third_party(point)
        if isinstance(row, Format):
            rows.append(row)
        else:
            faults.append(row)
    return tuple(rows), tuple(faults)


def _third_party(point: EntryPoint) -> Format | str:
    try:
        row = point.load()
    except (ImportError, AttributeError) as error:
        return f"the reader {point.name} cannot be loaded: {error}"
    return row if isinstance(row, Format) else f"the reader {point.name} is no Format"


def formats() -> tuple[Format, ...]:
    """Return all formats: rigview's own first, then those of third parties."""
    return (*FORMATS, *third_party()[0])


def suffix_filter() -> tuple[str, ...]:
    """Return the suffixes of all formats."""
    return tuple(suffix for row in formats() for suffix in row.suffixes)


def written_suffixes(loaded: Loaded | None = None) -> tuple[str, ...]:
    """Return the suffixes of the formats that are written: of any rig, or of one that was opened."""
    rows = [row for row in formats() if row.save]
    if loaded is not None:
        rows = [row for row in rows if not row.amends or _is_own(row, loaded)]
    return tuple(suffix for row in rows for suffix in row.suffixes)


def _is_own(row: Format, loaded: Loaded) -> bool:
    """Tell whether a format can amend the file that a rig was read from."""
    source = loaded.source
    return isinstance(source, Original) and source.format == row.name and not source.refusal


def proposed(path: Path, suffixes: tuple[str, ...]) -> Path:
    """Return the name a repaired copy gets: hero.glb becomes hero.repaired.glb.

    Parameters
    ----------
    suffixes
        Those that can be written, as `written_suffixes` has them; of others it becomes a GLB.
    """
    stem = path.stem.removesuffix(".repaired")
    suffix = path.suffix if path.suffix.lower() in suffixes else ".glb"
    return path.with_name(file_name(stem, f".repaired{suffix}"))


def unstated_in(path: Path) -> str:
    """Return what files of a format, told by the suffix, do not state, in a sentence; empty for nothing."""
    row = next((row for row in formats() if path.suffix.lower() in row.suffixes), None)
    return f"{row.name} states no {row.unstated}" if row is not None and row.unstated else ""


def is_amended(loaded: Loaded, out: Path) -> bool:
    """Tell whether a copy of some name is the file that was opened, amended; else it is written anew."""
    row = next((row for row in formats() if out.suffix.lower() in row.suffixes), None)
    if row is None or loaded.source is None:
        return False
    if isinstance(loaded.source, Original):
        return _is_own(row, loaded)
    return row.load is not usd.load and not row.amends


def is_layer_over(loaded: Loaded, out: Path) -> bool:
    """Tell whether a changed copy of some name needs the file that was opened beside it."""
    row = next((row for row in formats() if out.suffix.lower() in row.suffixes), None)
    is_package = out.suffix.lower() == ".usdz"
    return (
        row is not None and row.flatten is not None and is_amended(loaded, out) and not is_package
    )


def expect_writable(loaded: Loaded, out: Path) -> None:
    """Expect that a rig can be saved by a name; to be asked before long work is done for it.

    Raises
    ------
    SaveError
        If the format only amends its own files, and the rig is of none.
    """
    row = next((row for row in formats() if out.suffix.lower() in row.suffixes and row.save), None)
    if row is not None and row.amends:
        try:
            own(loaded.source, row.name)
        except SaveError as error:
            raise SaveError(f"{out}: {error}") from None


def recognise(path: Path | str) -> Format | None:
    """Return the format of a file by its content, or None.

    Raises
    ------
    LoadError
        If the file cannot be read at all.
    """
    path = path if isinstance(path, Path) else Path(path)
    try:
        head = read_head(path, _SNIFFED_BYTES)
    except OSError as error:
        raise LoadError(path, "", system_reason(error)) from None
    if not head:
        raise LoadError(path, "", "the file is empty")
    for row in formats():
        with _told(row, path):
            if row.recognises(head):
                return row
    return None


@contextmanager
def _told(row: Format, path: Path) -> Iterator[None]:
    """Report a mistake in another package's reader as an error of the file."""
    try:
        yield
    except (LoadError, Cancelled, MemoryError, OSError):
        raise
    except Exception as error:
        if row in FORMATS:
            raise
        what = f"the reader {row.name} made a mistake: {type(error).__name__}: {error}"
        raise LoadError(path, "", what) from error


def load(
    path: Path | str, listener: Listener | None = None, overrides: Overrides | None = None
) -> Loaded:
    """Open a rig file of any known format.

    Parameters
    ----------
    overrides
        What to believe instead of what the file says of its unit, up axis and frame rate.

    Raises
    ------
    LoadError
        If it cannot be opened; nothing else but `Cancelled` leaves this function.
    """
    path = path if isinstance(path, Path) else Path(path)
    row = recognise(path)
    if row is None:
        names = ", ".join(f"{row.name} ({', '.join(row.suffixes)})" for row in formats())
        faults = "".join(f"; {fault}" for fault in third_party()[1])
        raise LoadError(
            path, "", f"the content is of no format that rigview reads: {names}{faults}"
        )
    try:
        with collector_paused(), _told(row, path), noting() as files:
            try:
                loaded = row.load(path, listener or Listener())
            finally:
                protect((path, *files))
        loaded = replace(loaded, files=tuple(dict.fromkeys((path, *files))))
        return apply(loaded, overrides) if overrides is not None else loaded
    except MemoryError:
        raise LoadError(path, "", "there is not enough memory to open it") from None
    except OSError as error:
        raise LoadError(path, "", system_reason(error)) from None


def writer(out: Path) -> Callable[[Loaded, Rig, Path], tuple[str, ...]]:
    """Return what writes a file of this name: the suffix tells.

    Raises
    ------
    SaveError
        If nothing does, or its folder is missing; to be asked before long work is done for it.
    """
    found = next((r.save for r in formats() if out.suffix.lower() in r.suffixes and r.save), None)
    if found is None:
        rows = [row for row in formats() if row.save]
        free, bound = (
            ", ".join(s for row in rows if row.amends == amends for s in row.suffixes)
            for amends in (False, True)
        )
        given = out.suffix or "a name without suffix"
        raise SaveError(
            f"{out}: rigview writes {free}, and {bound} as an amended copy of such a file, not {given}"
        )
    if not out.parent.is_dir():
        raise SaveError(f"{out}: there is no such folder")
    return found


def save(loaded: Loaded, rig: Rig, out: Path | str, *, flatten: bool = False) -> tuple[str, ...]:
    """Write a changed rig as a copy of the file it came from; the container follows the suffix.

    An unchanged file in its own format is the source byte for byte. A glTF can be written of any rig;
    other formats only amend the file that was opened. Writing is atomic.

    Parameters
    ----------
    flatten
        Whether a copy that would refer to the file is to stand alone; of other formats all do.

    Returns
    -------
    What of the rig the new file does not carry; one sentence each.

    Raises
    ------
    SaveError
        If it cannot be written.
    """
    out = Path(out)
    write = writer(out)
    if flatten:
        rows = (row for row in formats() if out.suffix.lower() in row.suffixes)
        write = next((row.flatten for row in rows if row.flatten is not None), write)
    try:
        led_to(out)
        return write(loaded, rig, out)
    except SaveError as error:
        raise SaveError(f"{out}: {error}") from None
    except LoadError as error:
        # What reading passed over may be damaged; a copy has to know all of the source.
        raise SaveError(f"{out}: {error.reason}") from None
    except OSError as error:
        raise SaveError(f"{out}: {system_reason(error)}") from None
    except MemoryError:
        raise SaveError(f"{out}: there is not enough memory to write it") from None
