"""Notes of reviewers: the same after writing and reading, merged by id, and refused in one sentence."""

import json
import random

import jsonschema
import pytest

from rigview.assets import resource
from rigview.core.review_notes import (
    NotedVertex,
    NoteStroke,
    ReviewNote,
    ReviewNotes,
    Viewpoint,
    merged,
    placed,
    rounded,
)
from rigview.io import LoadError
from rigview.io.review_notes import (
    as_json,
    as_mail,
    notes_beside,
    notes_of,
    read_notes,
    save_notes,
    sidecar,
)

SCHEMA = jsonschema.Draft202012Validator(resource("notes-1.schema.json"))
VIEW = Viewpoint((0.1, 1.2, -0.3), 2.5, 0.6, 0.2, 0.75)
STROKES = (
    NoteStroke("arrow", ((0.1, 0.2), (0.5, 0.6))),
    NoteStroke("line", ((0.1, 0.2), (0.5, 0.6))),
    NoteStroke("box", ((0.1, 0.2), (0.5, 0.6))),
    NoteStroke("pen", ((0.1, 0.2), (0.5, 0.6), (0.7, 0.6))),
    NoteStroke("text", ((0.1, 0.2),), "folds"),
)
FULL = ReviewNote(
    "a1",
    "Folds to a thread.\nSee the wrist ⚠ \ud800",
    author="Mara",
    changed="2026-11-28T13:05:00Z",
    clip="Walk",
    time=0.7,
    frame=21.0,
    method="lbs",
    joint="hand_l",
    vertex=NotedVertex("Body", 3284),
    view=VIEW,
    strokes=STROKES,
)
BARE = ReviewNote("b2", "Fine otherwise.")
NOTES = ReviewNotes("hero.glb", (FULL, BARE))


def stated():
    return json.loads(as_json(NOTES))


def test_what_is_written_is_read_again_and_is_as_the_schema_says(tmp_path):
    path = tmp_path / "hero.notes.json"
    save_notes(path, NOTES)
    assert read_notes(path) == NOTES
    SCHEMA.validate(stated())
    assert notes_beside(tmp_path / "hero.glb") == NOTES
    assert sidecar(tmp_path / "hero.glb") == path
    assert notes_beside(tmp_path / "other.glb") == ReviewNotes("other.glb")


def test_an_email_is_read_again_also_where_an_answer_quotes_it(tmp_path):
    text = as_mail(NOTES)
    assert "Walk, frame 21 (0.700 s), lbs, hand_l, vertex 3284 of Body (Mara)" in text
    assert max(map(len, text.splitlines())) <= 80
    assert notes_of(text) == NOTES
    quoted = "Hi,\r\nsee below.\r\n" + "".join(f"> {line}\r\n" for line in text.splitlines())
    path = tmp_path / "mail.txt"
    path.write_text(quoted)
    assert read_notes(path) == NOTES


def test_nothing_is_there_twice_and_the_later_words_are_kept():
    newer = ReviewNote("a1", "Better now.", changed="2026-11-29T09:00:00Z")
    older = ReviewNote("b2", "An older one", changed="")
    new = ReviewNote("c3", "And this.")
    taken = merged(NOTES, ReviewNotes("hero.glb", (newer, older, new)))
    assert taken.notes.each == (newer, BARE, new)
    assert (taken.added, taken.changed) == (1, 1)
    again = merged(taken.notes, ReviewNotes("hero.glb", (newer, older, new)))
    assert (again.notes, again.added, again.changed) == (taken.notes, 0, 0)
    assert taken.notes.number("c3") == 3
    assert taken.notes.without("a1", "2026-11-30").number("c3") == 2


def test_what_was_deleted_comes_back_only_where_it_was_written_since():
    here = NOTES.without("a1", "2026-11-29T09:00:00Z")
    SCHEMA.validate(json.loads(as_json(here)))
    assert notes_of(as_json(here)) == here
    assert notes_of(as_mail(here)) == here
    # Theirs still has it: it stays deleted, however often it is taken in.
    again = merged(here, NOTES)
    assert (again.notes, again.added, again.changed, again.deleted) == (here, 0, 0, 0)
    # Theirs was written after that here: it is back, and nothing says it were deleted.
    newer = ReviewNote("a1", "Not yet good.", changed="2026-11-30T09:00:00Z")
    back = merged(here, ReviewNotes("hero.glb", (newer,)))
    assert back.notes == ReviewNotes("hero.glb", (BARE, newer))
    assert back.added == 1
    # Deleted there, it goes here as well, unless it was written here since.
    gone = merged(NOTES, here)
    assert (gone.notes, gone.deleted) == (here, 1)
    own = NOTES.with_note(newer)
    kept = merged(own, here)
    assert (kept.notes, kept.deleted) == (own, 0)
    # A note that nobody here had ever seen is not counted.
    assert merged(ReviewNotes("hero.glb", (BARE,)), here).deleted == 0
    wrong = json.loads(as_json(here))
    wrong["deleted"].append({"id": "a1", "when": ""})
    with pytest.raises(ValueError, match="two deleted notes have this id"):
        notes_of(json.dumps(wrong))


def test_strokes_keep_their_place_in_the_picture_in_panes_of_other_shapes():
    # In a wider pane of the same height the character keeps its size, and so does what is drawn on it.
    assert placed((0.0, 0.0), VIEW, (300, 400)) == (0.0, 0.0)
    assert placed((1.0, 1.0), VIEW, (500, 400)) == (400.0, 400.0)
    # In a narrower one the camera steps back.
    assert placed((1.0, 1.0), VIEW, (150, 400)) == (150.0, 300.0)
    assert placed((0.25, 0.5), None, (200, 100)) == (50.0, 50.0)
    assert rounded([(0.12344, 0.0), (0.12341, 0.0), (0.2, 0.1)]) == ((0.1234, 0.0), (0.2, 0.1))


WRONG = {
    "format": (lambda d: d.update(format="x"), 'is not "rigview notes"'),
    "version": (lambda d: d.update(version=2), "version: this rigview reads version 1"),
    "list": (lambda d: d.update(notes={}), "notes: wanted a list"),
    "twice": (lambda d: d["notes"].append(d["notes"][0]), "notes/2/id: two notes have this id"),
    "words": (lambda d: d["notes"][0].update(words=3), "notes/0/words: wanted a text"),
    "no id": (lambda d: d["notes"][1].update(id=""), "notes/1/id: it is empty"),
    "long": (lambda d: d["notes"][1].update(words="x" * 20_001), "20,001 letters"),
    "time": (lambda d: d["notes"][0].update(time=1e400), "notes/0/time: wanted a number"),
    "large": (lambda d: d["notes"][0].update(time=10**400), "notes/0/time: wanted a number"),
    "kind": (lambda d: d["notes"][0]["strokes"][0].update(kind="x"), "notes/0/strokes/0/kind"),
    "ends": (lambda d: d["notes"][0]["strokes"][0]["points"].pop(), "arrow has 2 points, not 1"),
    "point": (lambda d: d["notes"][0]["strokes"][3]["points"].append([1]), "points/3: wanted two"),
    "text": (lambda d: d["notes"][0]["strokes"][4].update(words=" "), "text without words"),
    "view": (
        lambda d: d["notes"][0]["view"].update(distance=0),
        "view/distance: wanted a number above",
    ),
    "target": (lambda d: d["notes"][0]["view"].update(target=[1, 2]), "target: wanted three"),
    "vertex": (lambda d: d["notes"][0]["vertex"].update(number=-1), "vertex/number"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_in_a_file_is_said_with_its_place(what, tmp_path):
    damage, words = WRONG[what]
    document = stated()
    damage(document)
    path = tmp_path / "hero.notes.json"
    path.write_text(json.dumps(document).replace("Infinity", "1e400"))
    with pytest.raises(LoadError) as told:
        read_notes(path)
    assert words in str(told.value)
    assert str(told.value).startswith(f"{path}: ")
    assert "\n" not in str(told.value)


def test_files_of_other_kinds_are_refused(tmp_path):
    path = tmp_path / "x.notes.json"
    for data in (b"", b"\xff\xfe", b"hello", b"{", b"[]", b"{" * 100_000, b'{"a":NaN}'):
        path.write_bytes(data)
        with pytest.raises(LoadError):
            read_notes(path)


def test_damaged_notes_are_read_or_refused_and_nothing_else_happens(tmp_path):
    data, random_ = as_json(NOTES).encode(), random.Random(3)
    path = tmp_path / "x.notes.json"
    for _ in range(300):
        damaged = bytearray(data)
        for _ in range(random_.randint(1, 4)):
            damaged[random_.randrange(len(damaged))] = random_.choice(b'0123456789"[]{},:-eE. x')
        path.write_bytes(damaged)
        try:
            notes = read_notes(path)
        except LoadError:
            continue
        assert notes_of(as_json(notes)) == notes
