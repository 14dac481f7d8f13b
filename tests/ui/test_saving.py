"""Saving a repaired copy, and the question before changes are lost."""

from dataclasses import replace
from pathlib import Path

import pytest
from hands import click, press_key, until, when_asked_for_a_file, write_text
from PySide6.QtWidgets import QLabel
from two_heads import TWO_HEADS

from rigview.check.run import run
from rigview.core.deform import Deformer
from rigview.io import load
from rigview.ui.dialogs.question import Question
from rigview.ui.widgets.controls import Button


@pytest.fixture
def fixed(broken):
    """A window with a repair that is not saved."""
    hands = broken("SCL-INHERIT")
    click(hands.finding("SCL-INHERIT").button)
    hands.rest()
    assert hands.document.is_changed
    return hands


def texts(widget):
    return [w.text() for w in widget.findChildren(QLabel) if w.isVisible()]


def found(hands):
    """Return the rules that find something; SCL-INHERIT is a note, which has no row of its own."""
    return [finding.rule for finding in hands.bench.checker.report.findings]


def answer(hands, words):
    """Press a button of the question that is open."""
    question = hands.dialog
    assert isinstance(question, Question)
    click(next(b for b in question.buttons if b.text() == words))


def test_the_copy_s_dialog_says_what_changed_and_proposes_a_name(fixed):
    fixed.key("Ctrl+S")
    dialog = fixed.dialog
    source = fixed.document.path
    assert dialog.path.text() == str(source.with_name("SCL-INHERIT.repaired.glb"))
    lines = texts(dialog)
    assert f"{source.name} stays as it is. The copy differs in:" in lines
    assert f"•  {fixed.document.changes[0]}" in lines
    assert any("0 errors, 0 warnings" in line for line in lines)
    assert not dialog.warning.isVisible()


def test_the_dialog_says_what_is_left_when_the_checks_end(fixed):
    fixed.bench.checker.check()
    dialog = fixed.bench.saver.ask(fixed.window)
    assert dialog.verdict.text() == "The checks are still running."
    fixed.rest()
    assert dialog.verdict.text().startswith("Left in the gltf profile: 0 errors")
    press_key("Escape", dialog)
    fixed.bench.checker.check()
    fixed.rest()


def test_many_changes_fit_in_the_dialogs_and_those_left_out_are_counted(fixed):
    for number in range(40):
        fixed.document.replace(fixed.document.deformer, f"Change {number}")
    fixed.key("Ctrl+S")
    lines = [line for line in texts(fixed.dialog) if line.startswith("•")]
    assert lines[:2] == [f"•  {fixed.document.changes[0]}", "•  Change 0"]
    assert lines[-1] == f"•  {41 - len(lines) + 1} more"
    assert fixed.dialog.height() <= 640
    press_key("Escape", fixed.dialog)


def test_a_saved_copy_re_opens_clean_and_leaves_the_source_alone(fixed):
    source = fixed.document.path
    before = source.read_bytes()
    fixed.key("Ctrl+S")
    fixed.key("Return")
    fixed.rest()
    copy = source.with_name("SCL-INHERIT.repaired.glb")
    assert source.read_bytes() == before
    assert not fixed.document.is_changed
    assert not fixed.window.isWindowModified()
    assert fixed.bench.status.said.text() == f"Saved {copy}"
    assert run(load(copy).rig, "thesis").findings == ()
    fixed.open(copy)
    assert fixed.document.path == copy
    assert found(fixed) == []
    assert not fixed.bench.checks.notes.isVisible()


def test_undo_after_saving_makes_the_document_changed_again(fixed):
    fixed.key("Ctrl+S")
    fixed.key("Return")
    fixed.rest()
    fixed.key("Ctrl+Z")
    assert fixed.document.is_changed
    fixed.key("Ctrl+Shift+Z")
    assert not fixed.document.is_changed


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("name", "words", "usable"),
    [
        ("copy.fbx", "The name must end in ", False),
        ("nowhere/copy.glb", "There is no folder", False),
        ("SCL-INHERIT.glb", "the file you opened", True),
        ("other.glb", "This replaces other.glb.", True),
    ],
)
def test_the_dialog_warns_of_what_is_in_the_way(fixed, name, words, usable):
    folder = fixed.document.path.parent
    (folder / "other.glb").write_bytes(b"")
    fixed.key("Ctrl+S")
    write_text(fixed.dialog.path, str(folder / name))
    assert words in fixed.dialog.warning.text()
    assert fixed.dialog.save.isEnabled() is usable


def test_what_cannot_be_written_is_said_and_loses_nothing(fixed):
    folder = fixed.document.path.parent / "taken.glb"
    folder.mkdir()
    fixed.key("Ctrl+S")
    write_text(fixed.dialog.path, str(folder))
    click(fixed.dialog.save)
    fixed.rest()
    assert fixed.bench.message.isVisible()
    assert fixed.bench.message.title.text() == "taken.glb could not be saved"
    assert fixed.document.is_changed
    assert list(folder.iterdir()) == []


def test_an_unchanged_rig_is_saved_byte_for_byte(broken):
    hands = broken("WGT-ZERO")
    hands.key("Ctrl+S")
    assert any("byte for byte" in line for line in texts(hands.dialog))
    hands.key("Return")
    hands.rest()
    path = hands.document.path
    assert path.with_name("WGT-ZERO.repaired.glb").read_bytes() == path.read_bytes()


def test_an_fbx_is_saved_as_that_fbx_and_any_rig_as_gltf(hands, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[1] / "io")
    import fbx_arm

    source = tmp_path / "arm.fbx"
    source.write_bytes(fbx_arm.binary())
    hands.open(source)
    hands.key("Ctrl+S")
    dialog = hands.dialog
    assert dialog.path.text() == str(tmp_path / "arm.repaired.fbx")
    assert "byte for byte" in dialog.manner.text()
    write_text(dialog.path, str(tmp_path / "arm.glb"))
    assert "as a new glTF file" in dialog.manner.text()
    write_text(dialog.path, str(tmp_path / "arm.bvh"))
    assert not dialog.save.isEnabled()
    write_text(dialog.path, str(tmp_path / "copy.fbx"))
    hands.key("Return")
    hands.rest()
    assert (tmp_path / "copy.fbx").read_bytes() == source.read_bytes()
    hands.document.replace(Deformer(hands.rig), "Nothing much")
    dialog = hands.bench.saver.ask(hands.window)
    assert "FBX states no order of joints and influences" in dialog.manner.text()
    write_text(dialog.path, str(tmp_path / "other.glb"))
    assert "order" not in dialog.manner.text()
    hands.close_dialogs()


# --- losing changes ------------------------------------------------------------------------------


def test_opening_another_file_asks_first_and_cancel_keeps_everything(fixed, samples):
    rig, path = fixed.rig, fixed.document.path
    assert fixed.drop(samples / "box.glb")
    assert f"These changes to {path.name} are not saved:" in texts(fixed.dialog)
    assert f"•  {fixed.document.changes[0]}" in texts(fixed.dialog)
    press_key("Escape", fixed.dialog)
    fixed.rest()
    assert fixed.rig is rig
    assert fixed.document.path == path


def test_discard_opens_the_other_file(fixed, samples):
    fixed.drop(samples / "box.glb")
    answer(fixed, "Discard")
    fixed.rest()
    assert fixed.document.path == samples / "box.glb"


def test_save_copy_saves_and_then_opens_the_other_file(fixed, samples):
    copy = fixed.document.path.with_name("SCL-INHERIT.repaired.glb")
    fixed.drop(samples / "box.glb")
    answer(fixed, "Save copy…")
    press_key("Return", fixed.dialog.path)
    until(lambda: fixed.document.path == samples / "box.glb")
    fixed.rest()
    assert copy.is_file()


def test_closing_the_window_asks_first(fixed):
    fixed.key("Ctrl+Q")
    assert fixed.window.isVisible()
    assert isinstance(fixed.dialog, Question)
    press_key("Escape", fixed.dialog)
    assert fixed.window.isVisible()
    assert fixed.document.is_changed


def test_reloading_asks_first(fixed):
    rig = fixed.rig
    fixed.key("Ctrl+R")
    press_key("Escape", fixed.dialog)
    fixed.rest()
    assert fixed.rig is rig
    assert found(fixed) == []
    fixed.key("Ctrl+R")
    answer(fixed, "Discard")
    fixed.rest()
    assert not fixed.document.is_changed
    assert found(fixed) == ["SCL-INHERIT"]
    assert fixed.bench.checks.notes.text().startswith("1 note")


def test_browsing_fills_in_the_name(fixed, tmp_path):
    fixed.key("Ctrl+S")
    dialog, target = fixed.dialog, tmp_path / "chosen.glb"
    when_asked_for_a_file(target)
    click(next(b for b in dialog.findChildren(Button) if b.text() == "Browse…"))
    assert dialog.path.text() == str(target)


def test_a_file_keeps_its_format_or_becomes_gltf_and_the_dialog_says_so(hands, tmp_path):
    source = tmp_path / "walk.bvh"
    source.write_text(BVH, encoding="ascii")
    hands.open(source)
    dialog = hands.bench.saver.ask(hands.window)
    assert dialog.path.text().endswith("walk.repaired.bvh")
    assert dialog.manner.text().endswith("byte for byte.")
    for suffix, kind in ((".usda", "USD"), (".glb", "glTF")):
        dialog.path.setText(str(tmp_path / f"walk.repaired{suffix}"))
        assert f"as a new {kind} file" in dialog.manner.text()
    dialog.save.click()
    until((tmp_path / "walk.repaired.glb").exists)
    hands.rest()
    again = load(tmp_path / "walk.repaired.glb").rig
    assert [again.nodes.names[j] for j in again.joints][:2] == ["Hips", "Spine"]


BVH = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Spine
  {
    OFFSET 0 10 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 10 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.1
0 90 0 0 0 0 0 0 0
0 90 0 0 10 0 0 20 0
"""


def test_the_button_says_that_it_replaces_the_file_that_is_open(fixed):
    source = fixed.document.path
    link = source.with_name("link.glb")
    link.symlink_to(source)
    fixed.key("Ctrl+S")
    assert fixed.dialog.save.text() == "Save copy"
    for name in (source, link):
        write_text(fixed.dialog.path, str(name))
        assert fixed.dialog.save.text() == "Replace the file you opened"
    click(fixed.dialog.save)
    fixed.rest()
    assert not fixed.document.is_changed
    assert load(source).rig.clip_names == fixed.rig.clip_names


def test_a_copy_replaces_no_file_beside_the_one_that_is_open(fixed):
    source = fixed.document.path
    beside = source.with_name("beside.glb")
    beside.write_bytes(b"")
    fixed.document.held.loaded = replace(fixed.document.loaded, files=(source, beside))
    fixed.bench.saver.write(beside)
    fixed.rest()
    assert beside.read_bytes() == b""


def test_of_fixes_that_the_format_refuses_in_part_the_others_are_offered_and_saved(hands, tmp_path):
    source = tmp_path / "heads.bvh"
    source.write_text(TWO_HEADS)
    hands.open(source)
    for rule in ("HIE-NAMES", "ANI-CONST"):
        finding = next(f for f in hands.bench.checker.report.findings if f.rule == rule)
        hands.bench.checker.fix(finding)
        hands.rest()
    changes = hands.document.changes
    hands.key("Ctrl+S")
    click(hands.dialog.save)
    until(lambda: hands.dialog is not None and "Save these alone" in answers(hands.dialog))
    lines = hands.dialog.lines
    assert lines[0] == "heads.repaired.bvh can hold these fixes:"
    assert lines[1].removeprefix("•  ") == changes[0]
    assert any(line.startswith("•  ANI-CONST: ") for line in lines)
    copy = tmp_path / "heads.repaired.bvh"
    assert not copy.exists()
    click(hands.dialog.buttons[-1])
    until(copy.exists)
    hands.rest()
    again = {finding.rule for finding in run(load(copy).rig).findings}
    assert "HIE-NAMES" not in again
    assert "ANI-CONST" in again
    # What could not be saved is still there, and not on disk.
    assert hands.document.changes == changes
    assert hands.document.is_changed


def answers(dialog):
    return [button.text() for button in getattr(dialog, "buttons", [])]


def test_where_one_fix_alone_is_refused_nothing_is_offered(hands, tmp_path):
    source = tmp_path / "heads.bvh"
    source.write_text(TWO_HEADS)
    hands.open(source)
    finding = next(f for f in hands.bench.checker.report.findings if f.rule == "ANI-CONST")
    hands.bench.checker.fix(finding)
    hands.rest()
    hands.key("Ctrl+S")
    click(hands.dialog.save)
    until(hands.bench.message.isVisible)
    hands.rest()
    assert hands.dialog is None
    assert not (tmp_path / "heads.repaired.bvh").exists()
