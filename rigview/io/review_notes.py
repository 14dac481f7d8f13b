"""Notes of reviewers as files: the sidecar ``hero.notes.json`` beside a rig, and text for an e-mail.

`resources/notes-1.schema.json` describes the JSON. The text says the same to people, and holds the JSON
again between two lines, in base64, so that what was mailed can be read back.
"""

import base64
import binascii
import json
import math
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NoReturn

from rigview.core import escape
from rigview.core.review_notes import (
    STROKE_KINDS,
    DeletedNote,
    NotedVertex,
    NoteStroke,
    ReviewNote,
    ReviewNotes,
    Viewpoint,
    place_in_words,
)
from rigview.core.text import count, one_line, system_reason
from rigview.io.files import read_file, save_bytes
from rigview.io.reading import LoadError

VERSION = 1
ENDING = ".notes.json"
_KIND = "rigview notes"
# What a year of reviews does not fill, and a hostile file must not.
_MOST_BYTES = 32 << 20
_MOST_NOTES, _MOST_STROKES, _MOST_POINTS, _MOST_LETTERS = 10_000, 1_000, 20_000, 20_000
_BEGIN, _END = "-----BEGIN RIGVIEW NOTES-----", "-----END RIGVIEW NOTES-----"
# Answers quote lines: what stands before them is no base64.
_QUOTE = re.compile(r"^[>\s]+", re.MULTILINE)
_COLUMNS = 76


class _NotesError(ValueError):
    """A value that is not what the schema wants: where, and why."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(where, reason)
        self.where, self.reason = where, reason


def sidecar(rig: Path) -> Path:
    """Return where the notes on a rig's file are."""
    return rig.with_name(f"{rig.stem}{ENDING}")


def notes_beside(rig: Path) -> ReviewNotes:
    """Return the notes on a rig's file; none where it has no sidecar.

    Raises
    ------
    LoadError
        If the sidecar cannot be read.
    """
    path = sidecar(rig)
    try:
        is_there = path.is_file()
    except ValueError:
        is_there = False
    return read_notes(path) if is_there else ReviewNotes(rig.name)


def read_notes(path: Path) -> ReviewNotes:
    """Read notes: JSON, or the text of an e-mail.

    Raises
    ------
    LoadError
        If the file cannot be read or is neither.
    """
    try:
        text = read_file(path, most=_MOST_BYTES).decode("utf-8-sig")
    except OSError as error:
        raise LoadError(path, "", system_reason(error)) from None
    except UnicodeDecodeError:
        raise LoadError(path, "", "these are no notes: the text is not UTF-8") from None
    try:
        return notes_of(text)
    except _NotesError as wrong:
        raise LoadError(path, wrong.where, wrong.reason) from None


def notes_of(text: str) -> ReviewNotes:
    """Return the notes that a text holds, JSON or the text of an e-mail."""
    if not text.lstrip().startswith("{"):
        text = _mailed(text)
    try:
        document = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, json.JSONDecodeError) else "it cannot be read"
        raise _NotesError("", f"this is no JSON: {reason}") from None
    return _notes(document)


def save_notes(path: Path, notes: ReviewNotes) -> None:
    """Write notes as JSON in one step; `read_notes` gives the same ones back.

    Raises
    ------
    SaveError
        If they cannot be written.
    """
    save_bytes(path, as_json(notes).encode())


def as_json(notes: ReviewNotes) -> str:
    """Return notes as the schema has them, in ASCII."""
    each = [stated(note) for note in notes.each]
    document = {"format": _KIND, "version": VERSION, "file": notes.file, "notes": each}
    if notes.deleted:
        document["deleted"] = [asdict(note) for note in notes.deleted]
    return escape.json(json.dumps(document, indent=1, allow_nan=False)) + "\n"


def as_mail(notes: ReviewNotes) -> str:
    """Return notes as text for an e-mail, from which `read_notes` reads them again."""
    lines = [f"Review notes on {one_line(notes.file)}", ""]
    for number, note in enumerate(notes.each, 1):
        lines += [*said(number, note), ""]
    data = base64.b64encode(as_json(notes).encode()).decode()
    return "\n".join([*lines, _BEGIN, *textwrap.wrap(data, _COLUMNS), _END, ""])


def said(number: int, note: ReviewNote) -> list[str]:
    """Return a note in words: a line that says where it is, then what was said and drawn."""
    author = f" ({note.author})" if note.author else ""
    lines = [one_line(f"{number}. {place_in_words(note)}{author}")]
    lines += [f"   | {one_line(line)}" for line in note.words.splitlines() if line.strip()]
    if note.strokes:
        kinds = [stroke.kind for stroke in note.strokes]
        drawn = ", ".join(count(kinds.count(k), _NOUNS[k]) for k in STROKE_KINDS if k in kinds)
        lines.append(f"   drawn: {drawn}")
    return lines


_NOUNS = {"arrow": "arrow", "line": "line", "box": "box", "pen": "free line", "text": "text"}


def _mailed(text: str) -> str:
    """Return the JSON between the two lines of an e-mail."""
    start, end = text.find(_BEGIN), text.rfind(_END)
    if start < 0 or end < start:
        raise _NotesError("", "these are no notes: neither JSON nor text with the block of notes")
    block = _QUOTE.sub("", text[start + len(_BEGIN) : end])
    try:
        return base64.b64decode("".join(block.split()), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        raise _NotesError("", "the block of notes is damaged: send the JSON instead") from None


def _no_number(constant: str) -> NoReturn:
    raise ValueError(constant)


def stated(note: ReviewNote) -> dict[str, Any]:
    """Return a note as JSON values, without what it does not say."""
    values = asdict(note)
    values["strokes"] = [
        {k: v for k, v in stroke.items() if k != "words" or v} for stroke in values["strokes"]
    ]
    return {key: value for key, value in values.items() if value is not None}


def _notes(stated: object) -> ReviewNotes:
    if not isinstance(stated, dict) or stated.get("format") != _KIND:
        raise _NotesError("", f'these are no notes: "format" is not "{_KIND}"')
    version = stated.get("version")
    if version != VERSION or isinstance(version, bool):
        raise _NotesError("version", f"this rigview reads version {VERSION}, not {version!r:.20}")
    listed = _list(stated, "notes", "", _MOST_NOTES)
    each = [_note(note, f"notes/{i}") for i, note in enumerate(listed)]
    known: set[str] = set()
    for i, note in enumerate(each):
        if note.id in known:
            raise _NotesError(f"notes/{i}/id", "two notes have this id")
        known.add(note.id)
    return ReviewNotes(_text(stated, "file", "", ""), tuple(each), _deleted(stated))


def _deleted(stated: Mapping[str, object]) -> tuple[DeletedNote, ...]:
    if "deleted" not in stated:
        return ()
    gone: dict[str, DeletedNote] = {}
    for i, entry in enumerate(_list(stated, "deleted", "", _MOST_NOTES)):
        table, where = _table(entry, f"deleted/{i}"), f"deleted/{i}"
        note = DeletedNote(_text(table, "id", where), _text(table, "when", where))
        if note.id in gone:
            raise _NotesError(f"{where}/id", "two deleted notes have this id")
        gone[note.id] = note
    return tuple(gone.values())


def _note(stated: object, where: str) -> ReviewNote:
    table = _table(stated, where)
    name = _text(table, "id", where)
    if not name:
        raise _NotesError(f"{where}/id", "it is empty")
    strokes = _list(table, "strokes", where, _MOST_STROKES) if "strokes" in table else []
    frame = table.get("frame")
    return ReviewNote(
        id=name,
        words=_text(table, "words", where),
        author=_text(table, "author", where, ""),
        changed=_text(table, "changed", where, ""),
        clip=_optional(table, "clip", where),
        time=_number(table.get("time", 0.0), f"{where}/time"),
        frame=None if frame is None else _number(frame, f"{where}/frame"),
        method=_optional(table, "method", where),
        joint=_optional(table, "joint", where),
        vertex=_vertex(table.get("vertex"), f"{where}/vertex"),
        view=_view(table.get("view"), f"{where}/view"),
        strokes=tuple(_stroke(s, f"{where}/strokes/{i}") for i, s in enumerate(strokes)),
    )


def _vertex(stated: object, where: str) -> NotedVertex | None:
    if stated is None:
        return None
    table = _table(stated, where)
    number = table.get("number")
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise _NotesError(f"{where}/number", "wanted a whole number from 0")
    return NotedVertex(_text(table, "mesh", where), number)


def _view(stated: object, where: str) -> Viewpoint | None:
    if stated is None:
        return None
    table = _table(stated, where)
    target = _list(table, "target", where, 3)
    if len(target) != 3:
        raise _NotesError(f"{where}/target", "wanted three numbers")
    x, y, z = (_number(value, f"{where}/target/{i}") for i, value in enumerate(target))
    numbers = {
        name: _number(table.get(name), f"{where}/{name}")
        for name in ("distance", "yaw", "pitch", "aspect")
    }
    for name in ("distance", "aspect"):
        if numbers[name] <= 0.0:
            raise _NotesError(f"{where}/{name}", "wanted a number above 0")
    orthographic = table.get("orthographic", False)
    if not isinstance(orthographic, bool):
        raise _NotesError(f"{where}/orthographic", "wanted true or false")
    return Viewpoint(target=(x, y, z), **numbers, orthographic=orthographic)


def _stroke(stated: object, where: str) -> NoteStroke:
    table = _table(stated, where)
    kind = next((k for k in STROKE_KINDS if k == table.get("kind")), None)
    if kind is None:
        raise _NotesError(f"{where}/kind", f"wanted one of {', '.join(STROKE_KINDS)}")
    points = []
    for i, stated_point in enumerate(_list(table, "points", where, _MOST_POINTS)):
        if not isinstance(stated_point, list) or len(stated_point) != 2:
            raise _NotesError(f"{where}/points/{i}", "wanted two numbers")
        x, y = (_number(value, f"{where}/points/{i}") for value in stated_point)
        points.append((x, y))
    stroke = NoteStroke(kind, tuple(points), _text(table, "words", where, ""))
    if stroke.fault is not None:
        raise _NotesError(where, stroke.fault)
    return stroke


def _table(stated: object, where: str) -> Mapping[str, object]:
    if not isinstance(stated, dict):
        raise _NotesError(where, "wanted an object")
    return stated


def _list(table: Mapping[str, object], name: str, where: str, most: int) -> Sequence[object]:
    value, place = table.get(name), f"{where}/{name}".lstrip("/")
    if not isinstance(value, list):
        raise _NotesError(place, "wanted a list")
    if len(value) > most:
        raise _NotesError(place, f"it has {len(value):,} entries, and {most:,} may be read")
    return value


def _text(table: Mapping[str, object], name: str, where: str, default: str | None = None) -> str:
    value, place = table.get(name, default), f"{where}/{name}".lstrip("/")
    if not isinstance(value, str):
        raise _NotesError(place, "wanted a text")
    if len(value) > _MOST_LETTERS:
        raise _NotesError(
            place, f"it has {len(value):,} letters, and {_MOST_LETTERS:,} may be read"
        )
    return value


def _optional(table: Mapping[str, object], name: str, where: str) -> str | None:
    return None if table.get(name) is None else _text(table, name, where)


def _number(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _NotesError(where, "wanted a number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    # What lies beyond moves no picture and overflows what draws it.
    if not abs(number) <= 1e9:
        raise _NotesError(where, "wanted a number within a thousand millions")
    return number
