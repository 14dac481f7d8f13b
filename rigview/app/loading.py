"""Open a rig file as its user says it is, and write a rig."""

import os
from pathlib import Path
from typing import TypedDict, Unpack

from rigview.app.arguments import one_of, rig_of, wrong_type
from rigview.app.sessions import recipes_of
from rigview.core.motion.clips_by_name import Borrowed, borrow_clips
from rigview.core.placement import Up
from rigview.core.rig import Rig
from rigview.core.text import unknown_name
from rigview.io import Loaded, Overrides
from rigview.io import load as load_file
from rigview.io import save as save_file
from rigview.render.session import Recipe

# Units by the names that programs give them, in metres.
UNITS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}
_MOST_METRES = float("inf")


class FileOverrides(TypedDict, total=False):
    """What is known better than the file states it.

    `unit` is a name of `UNITS` or a number of metres, `up` is the axis of the file that points up, and
    `fps` is its frames a second.
    """

    unit: float | str | None
    up: Up | None
    fps: float | None


def load(path: str | os.PathLike[str], **overrides: Unpack[FileOverrides]) -> Loaded:
    """Open a rig file: glTF, GLB, VRM, FBX, Collada, USD or BVH.

    Parameters
    ----------
    path
        The file.
    **overrides
        ``unit``, ``up`` and ``fps``: what to believe instead of what the file states.

    Returns
    -------
    The opened file. Its ``rig`` is a frozen value in metres, +Y up, right-handed. Its ``notes`` say what
    the reader ignored or assumed.

    Raises
    ------
    LoadError
        If the file cannot be opened.
    """
    return load_file(_path(path), overrides=overrides_of(**overrides))


def overrides_of(**overrides: Unpack[FileOverrides]) -> Overrides:
    """Return overrides as the readers take them.

    Raises
    ------
    TypeError
        If there is no such override, or a value is of a wrong type.
    ValueError
        If a value cannot be used.
    """
    for name in overrides:
        if name not in FileOverrides.__annotations__:
            raise TypeError(unknown_name("override", name, FileOverrides.__annotations__))
    up, fps = overrides.get("up"), overrides.get("fps")
    if up is not None:
        one_of("up", up, ("X", "Y", "Z"))
    if fps is not None and (isinstance(fps, bool) or not isinstance(fps, int | float)):
        raise wrong_type("fps", "a number of frames a second", fps)
    return Overrides(metres(overrides.get("unit")), up, fps)


def metres(unit: float | str | None) -> float | None:
    """Return a unit in metres: a name of `UNITS`, or a number as text or as it is.

    Raises
    ------
    ValueError
        If it is neither.
    """
    if unit is None:
        return None
    try:
        value = UNITS.get(unit.lower()) or float(unit) if isinstance(unit, str) else float(unit)
    except (TypeError, ValueError):
        value = 0.0
    if not 0.0 < value < _MOST_METRES:
        raise ValueError(f"{unit} is no unit: m, cm, mm, in, ft or a number of metres")
    return value


def borrow(rig: Rig, other: Path) -> tuple[Borrowed, dict[str, Recipe]]:
    """Return the clips of another file for the joints of a rig that have the same names.

    Returns
    -------
    The clips, the rig with them behind its own, and what did not match; and how each clip was made, for the
    session of a picture.

    Raises
    ------
    LoadError
        If the other file cannot be opened.
    """
    lender = load_file(other).rig
    borrowed = borrow_clips(rig, lender)
    return borrowed, recipes_of(other, lender, borrowed.rig.clip_names[len(rig.clips) :])


def save(
    rig: Rig | Loaded,
    path: str | os.PathLike[str],
    *,
    source: Loaded | None = None,
    flatten: bool = False,
) -> tuple[str, ...]:
    """Write a rig; the suffix chooses the format.

    A glTF can be written of any rig. Other formats only amend the file that was opened: give it as
    `source`.

    Parameters
    ----------
    rig
        The rig to write, or an opened file to write as it is.
    source
        The opened file that the rig was made of. What was not changed then stays as it is in that file.
        Without it a glTF is written anew from the rig alone.
    flatten
        Whether a USD is one file that stands alone, in place of a layer over the one that was opened.

    Returns
    -------
    What of the rig the new file does not carry; one sentence each.

    Raises
    ------
    SaveError
        If the file cannot be written; then nothing is left behind.
    """
    out, written = _path(path), rig_of(rig)
    if source is None:
        source = rig if isinstance(rig, Loaded) else Loaded(out, written, None)
    elif not isinstance(source, Loaded):
        raise wrong_type("source", "what rigview.load returns", source)
    return save_file(source, written, out, flatten=flatten)


def _path(given: object) -> Path:
    """Return a path.

    Raises
    ------
    TypeError
        If it is none.
    """
    if not isinstance(given, str | os.PathLike):
        raise wrong_type("path", "a path", given)
    return Path(os.fspath(given))
