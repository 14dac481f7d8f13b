"""The session in a picture, and the rig that it names. Without Qt: the command line asks it, too."""

from pathlib import Path

from rigview.core.text import system_reason
from rigview.io import LoadError
from rigview.render.image import png_text
from rigview.render.session import Session, from_text


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
    stored = Path(session.file)
    for candidate in (stored, picture.parent / stored, picture.parent / stored.name):
        if candidate.is_file():
            return candidate
    raise LoadError(picture, "", f"the rig it shows, {stored.name}, is neither there nor beside it")
