"""Conform to a template in the window: chosen, checked against, mended by a click, kept with the rig."""

import pytest
from hands import click, until, when_asked_for_a_file

from rigview.check.template_files import named_template, written
from rigview.ui.document import DocumentState
from rigview.ui.sessions.kept import KEPT

pytestmark = pytest.mark.window

WORDS = "Conform to template…"


@pytest.fixture
def biped(hands, samples):
    hands.show(samples / "biped.glb")
    hands.document.conform_to(None)
    hands.rest()
    return hands


def dialog_of(hands):
    hands.menu("Rig", WORDS)
    until(lambda: hands.dialog is not None)
    return hands.dialog


def pick(dialog, title):
    dialog.template.setCurrentIndex(dialog.template.findText(title))


def browse(dialog, path, done):
    """Choose a file; on a busy machine the file dialog may close before it has taken the path."""
    for _ in range(5):
        when_asked_for_a_file(path)
        click(dialog.browse)
        if done():
            return
    raise AssertionError(f"{path} was never taken")


def template_rules(hands):
    return {row.finding.rule for row in hands.bench.checks.rows if row.finding.rule[:3] == "TPL"}


def conform(hands, name):
    """Choose a shipped template in the dialog, and wait for what is found."""
    dialog = dialog_of(hands)
    pick(dialog, named_template(name).title)
    click(dialog.conform)
    hands.rest()


def test_a_shipped_template_is_chosen_and_what_is_off_is_found_and_mended_by_a_click(biped):
    assert template_rules(biped) == set()
    conform(biped, "mixamo")
    assert "TPL-NAME" in template_rules(biped)
    strip = biped.bench.checks.studio
    assert strip.isVisible()
    assert named_template("mixamo").title in strip.words.text()
    biped.wait_for_dry_runs()
    click(biped.finding("TPL-NAME").button)
    biped.rest()
    assert "TPL-NAME" not in template_rules(biped)
    assert any("LeftArm" in name for name in biped.rig.nodes.names)
    biped.key("Ctrl+Z")
    biped.rest()
    assert "TPL-NAME" in template_rules(biped)


def test_taking_the_template_back_ends_its_findings(biped):
    conform(biped, "mixamo")
    dialog = dialog_of(biped)
    assert dialog.template.currentText() == named_template("mixamo").title
    dialog.template.setCurrentIndex(0)
    click(dialog.conform)
    biped.rest()
    assert template_rules(biped) == set()
    assert biped.document.template is None


def test_a_file_can_be_chosen_and_a_damaged_one_is_said(biped, tmp_path):
    good, bad = tmp_path / "hero.skel.toml", tmp_path / "bad.skel.toml"
    good.write_text('joints = [{ name = "Hero_Hips" }]\n')
    bad.write_text("joints = 5\n")
    dialog = dialog_of(biped)
    browse(dialog, bad, dialog.fault.isVisible)
    assert "bad.skel.toml" in dialog.fault.text()
    browse(dialog, good, lambda: dialog.template.currentText() == "hero")
    assert not dialog.fault.isVisible()
    click(dialog.conform)
    biped.rest()
    assert "TPL-MISSING" in template_rules(biped)


def test_a_template_belongs_to_its_rig_and_not_to_the_window(biped, samples):
    conform(biped, "mixamo")
    biped.bench.open_path(samples / "arm.glb")
    biped.rest()
    assert biped.document.template is None
    assert template_rules(biped) == set()


def test_a_session_keeps_the_template(biped):
    conform(biped, "unity")
    (row,) = (row for row in KEPT if row.name == "template")
    told, back = row.told(biped.document.held), DocumentState()
    row.taken(back, told)
    assert back.template == biped.document.template
    assert told["text"] == written(named_template("unity"))
    row.taken(nothing := DocumentState(), row.told(DocumentState()))
    assert nothing.template is None
    with pytest.raises(ValueError, match="joints"):
        row.taken(DocumentState(), {"name": "x", "text": "joints = 5"})
