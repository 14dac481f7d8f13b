"""The session in a picture: the one that a picture is given, and the rig that one names."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rigview.app.arguments import rom_of
from rigview.app.retargeting import retarget_clips
from rigview.core.motion.clips_by_name import borrow_clips
from rigview.core.motion.range_of_motion import with_clip
from rigview.core.motion.retarget import RetargetError
from rigview.core.rig import Rig
from rigview.core.text import system_reason
from rigview.io import LoadError, load
from rigview.render.image import png_text
from rigview.render.session import Recipe, Session, from_text

if TYPE_CHECKING:
    from rigview.render.motion import RigMotion
    from rigview.render.review import Review


def picture_session(path: Path) -> Session:
    """Return the session that a picture carries.

    Raises
    ------
    LoadError
        If it carries none.
    """
    try:
        session = from_text(png_text(path.read_bytes()))
    except OSError as error:
        raise LoadError(path, "", system_reason(error)) from None
    if session is None:
        raise LoadError(path, "", "the picture holds no session of rigview")
    return session


def session_file(picture: Path, session: Session) -> Path:
    """Return the rig that a session names: where it was, else beside the picture.

    Raises
    ------
    LoadError
        If it is at neither place.
    """
    found = _found(session.file, picture)
    if found is None:
        name = Path(session.file).name
        raise LoadError(picture, "", f"the rig it shows, {name}, is neither there nor beside it")
    return found


def _found(file: str, picture: Path) -> Path | None:
    """Return a file where it was, else beside the picture; None at neither place."""
    stored = Path(file)
    places = (stored, picture.parent / stored, picture.parent / stored.name)
    return next((place for place in places if place.is_file()), None)


@dataclass(frozen=True, eq=False)
class Remade:
    """A rig with the clip of a session, as far as that could be made again.

    Parameters
    ----------
    rig
        Without the clip where it could not be made.
    clip
        The clip's number in the rig; None where it is missing.
    missing
        Why it is, or what differs from when it was made, in a sentence without its end; empty where
        all is as it was.
    """

    rig: Rig
    clip: int | None
    missing: str = ""


def remade(rig: Rig, made: Recipe, picture: Path) -> Remade:
    """Make the clip of a session again that the session's file does not have."""
    if made.kind == "range of motion":
        motion = rom_of(rig)
        if not motion.steps:
            return Remade(rig, None, "no joint of the file moves anything any more")
        return Remade(with_clip(rig, motion.clip), len(rig.clips))
    name = Path(made.file).name
    path = _found(made.file, picture)
    if path is None:
        return Remade(rig, None, f"{name}, which its clip is of, is neither there nor beside it")
    try:
        other = load(path).rig
    except LoadError as error:
        return Remade(rig, None, f"{name}, which its clip is of, cannot be opened: {error.reason}")
    if made.clip not in other.clip_names:
        return Remade(rig, None, f"{name} has no clip {made.clip} any more")
    if made.kind == "retargeted":
        try:
            taken = retarget_clips(other, rig).made.rig
        except RetargetError as error:
            return Remade(rig, None, f"{name}, which its clip is of: {error}")
    else:
        taken = borrow_clips(rig, other).rig
    changed = made.sha256 not in ("", digest(path))
    words = f"{name}, which its clip is of, has changed since" if changed else ""
    return Remade(taken, len(rig.clips) + other.clip_names.index(made.clip), words)


def session_of(
    path: Path, motion: "RigMotion", shown: "Review", time: float, made: Recipe | None = None
) -> Session:
    """Return what brings a picture's view back.

    Parameters
    ----------
    path
        The file of the rig.
    made
        How the clip was made that the file does not have.
    """
    look, rig = shown.look, motion.deformer.rig
    return Session(
        file=str(path),
        sha256=digest(path),
        clip=motion.name,
        time=time,
        methods=shown.methods,
        camera=shown.camera,
        cameras=shown.cameras,
        look=look,
        joint=None if look.joint is None else rig.nodes.label(look.joint),
        weights=motion.deformer.weights,
        made=made,
    )


def recipes_of(
    path: Path,
    other: Rig,
    made: tuple[str, ...],
    kind: Literal["borrowed", "retargeted"] = "borrowed",
) -> dict[str, Recipe]:
    """Return what each clip of another file is called → how it was made.

    Parameters
    ----------
    other
        The rig that was borrowed from.
    made
        The names of the borrowed clips, as the other rig has them.
    """
    file, known = str(path.resolve()), digest(path)
    names = zip(made, other.clip_names, strict=True)
    return {own: Recipe(kind, file, known, name) for own, name in names}


def digest(path: Path) -> str:
    """Return the SHA-256 of a file; empty where it is gone."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
