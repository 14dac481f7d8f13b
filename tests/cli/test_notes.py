"""``rigview notes``: lists what stands beside a rig and takes in what reviewers send."""

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from rigview.core.review_notes import NoteStroke, ReviewNote, ReviewNotes, Viewpoint
from rigview.io import load
from rigview.io.review_notes import as_json, as_mail, read_notes, save_notes, sidecar

OWN = ReviewNotes("box.glb", (ReviewNote("a", "Mine."),))
THEIRS = ReviewNotes(
    "box.glb",
    (
        ReviewNote("a", "Mine."),
        ReviewNote(
            "b",
            "Theirs.",
            "Mara",
            clip="Walk",
            time=0.5,
            strokes=(NoteStroke("arrow", ((0, 0), (1, 1))),),
        ),
    ),
)


@pytest.fixture
def rig(box, tmp_path):
    return shutil.copyfile(box, tmp_path / "box.glb")


def test_a_rig_without_notes_says_so(rig, rigview):
    told = rigview("notes", rig)
    assert (told.status, told.out) == (0, "")
    assert told.err == "rigview: there are no notes on box.glb\n"
    assert not sidecar(rig).exists()


@pytest.mark.parametrize("form", [as_json, as_mail])
def test_notes_of_a_reviewer_are_merged_once(form, rig, rigview, tmp_path):
    save_notes(sidecar(rig), OWN)
    review = tmp_path / "review"
    review.write_text(form(THEIRS))
    told = rigview("notes", rig, "--import", review)
    assert told.status == 0
    assert told.err.endswith("box.notes.json: 1 note added, 0 changed\n")
    assert told.out.splitlines() == [
        "1. rest pose",
        "   | Mine.",
        "2. Walk, 0.500 s (Mara)",
        "   | Theirs.",
        "   drawn: 1 arrow",
    ]
    before = sidecar(rig).read_bytes()
    assert rigview("notes", rig, "--import", review, review).err.endswith(
        "0 notes added, 0 changed\n"
    )
    assert sidecar(rig).read_bytes() == before
    assert json.loads(rigview("notes", rig, "--format", "json").out) == json.loads(before)


def test_what_is_mailed_can_be_taken_in(rig, rigview, tmp_path):
    save_notes(sidecar(rig), THEIRS)
    mail = tmp_path / "mail.txt"
    mail.write_text(rigview("notes", rig, "--format", "mail").out)
    sidecar(rig).unlink()
    assert rigview("notes", rig, "--import", mail).status == 0
    assert read_notes(sidecar(rig)).each == THEIRS.each


def test_a_bad_review_changes_nothing(rig, rigview, tmp_path):
    save_notes(sidecar(rig), OWN)
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(as_json(THEIRS))
    bad.write_text('{"format": "rigview notes", "version": 1, "notes": [7]}')
    told = rigview("notes", rig, "--import", good, bad)
    assert told.status == 2
    assert told.err == f"rigview: {bad}: notes/0: wanted an object\n"
    assert read_notes(sidecar(rig)) == OWN
    assert rigview("notes", tmp_path / "none.glb").status == 2


@pytest.mark.gl
def test_a_picture_shows_a_note_as_its_author_saw_it(samples, rigview, tmp_path):
    rig = shutil.copyfile(samples / "arm.glb", tmp_path / "arm.glb")
    clip = load(rig).rig.clip_names[0]
    view = Viewpoint((0.0, 0.2, 0.0), 2.0, 1.0, 0.3, 1.5)
    box = NoteStroke("box", ((0.2, 0.2), (0.8, 0.8)))
    note = ReviewNote("a", "Here", clip=clip, time=0.5, method="lbs", view=view, strokes=(box,))
    bare = replace(note, words="", strokes=())
    pictures = []
    for notes in (note, bare):
        save_notes(sidecar(rig), ReviewNotes("arm.glb", (notes,)))
        out = tmp_path / "out.png"
        given = ("--note", 1, "--panes", "lbs,dqs", "--size", "640x240")
        assert rigview("shot", rig, "-o", out, *given).status == 0
        with Image.open(out) as picture:
            pictures.append(np.asarray(picture.convert("RGB")).astype(int))
    changed = np.abs(pictures[0] - pictures[1]).max(axis=2) > 20
    assert changed[:, :319].sum() > 200
    assert not changed[:, 321:].any()
    save_notes(sidecar(rig), ReviewNotes("arm.glb", (note,)))
    told = rigview("sheet", rig, "-o", tmp_path / "s.png", "--times", "notes", "--size", "320x240")
    assert told.status == 0
    html = tmp_path / "r.html"
    rigview("check", rig, "--format", "html", "-o", html)
    text = html.read_text()
    assert "review 1" in text
    assert "Here" in text
    assert 'alt="note 1"' in text
    told = rigview("shot", rig, "-o", tmp_path / "x.png", "--note", 2)
    assert (told.status, told.err.count("\n")) == (2, 1)
    assert "none is number 2" in told.err
    assert rigview("shot", rig, "-o", tmp_path / "x.png", "--note", 1, "--time", 1).status == 2


def test_a_report_of_a_rig_with_damaged_notes_says_so(rig, rigview):
    sidecar(rig).write_text("{")
    told = rigview("check", rig, "--format", "html")
    assert told.status in (0, 1)
    assert "Without notes: " in told.out
