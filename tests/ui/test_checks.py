"""The checks panel: profiles, findings, previews, fixes, undo and redo."""

from dataclasses import replace

import numpy as np
import pytest
from glb import without_clips
from hands import choose, click, idle, pick_segment, press_key, until
from PySide6.QtCore import QPointF

from rigview.check.applying.rom_trials import RomTrials
from rigview.check.run import run
from rigview.core.deform import Deformer
from rigview.core.motion.range_of_motion import with_clip
from rigview.core.skinning import DEFAULT_PANES, METHODS, Options
from rigview.io import load, save
from rigview.ui.panels.finding_row import FindingRow, measured_words
from rigview.ui.widgets.controls import Button


def rules(hands):
    """Return the rules of the rows, from the top."""
    return [row.finding.rule for row in hands.bench.checks.rows]


def said(hands):
    """Return what the status line says of the last fix."""
    return hands.bench.status.said.text() if hands.bench.status.said.isVisible() else ""


def choose_finding(hands, rule):
    click(hands.finding(rule), QPointF(60, 20))
    idle()


def test_the_panel_lists_what_the_checker_finds_the_worst_first(faulty):
    report = run(faulty.rig, "gltf")
    told = [f.rule for f in report.ranked() if not report.is_note(f)]
    assert rules(faulty) == told
    assert rules(faulty)[0] == "WGT-ZERO"
    counts = {s: int(w.text()) for s, w in faulty.bench.checks.counts.items()}
    assert counts == report.counts()
    assert faulty.window.arrangement.titles["Checks"].count.text() == str(len(told))


def test_notes_are_folded_into_one_row_that_lists_them(faulty):
    panel, report = faulty.bench.checks, faulty.bench.checker.report
    folded = [finding.rule for finding in report.notes]
    assert folded
    assert not set(folded) & set(rules(faulty))
    assert panel.notes.isVisible()
    assert panel.notes.text().startswith(f"{len(folded)} note")
    assert all(rule in panel.notes.text() for rule in folded)
    before = rules(faulty)
    click(panel.notes)
    idle()
    assert rules(faulty) == [*before, *folded]
    tops = [row.mapTo(panel, row.rect().topLeft()).y() for row in panel.rows]
    assert tops == sorted(tops)
    assert tops[len(before) - 1] < panel.notes.mapTo(panel, panel.notes.rect().topLeft()).y()
    assert tops[len(before)] > panel.notes.mapTo(panel, panel.notes.rect().topLeft()).y()
    click(panel.notes)
    idle()
    assert rules(faulty) == before


def test_keys_lead_from_the_findings_to_the_notes(faulty):
    panel = faulty.bench.checks
    last = panel.rows[-1].button
    assert last.nextInFocusChain() is panel.notes
    panel.notes.click()
    idle()
    noted = panel.rows[-len(faulty.bench.checker.report.notes)]
    assert panel.notes.nextInFocusChain() is noted


def test_a_note_names_no_joint_in_the_tree(faulty):
    checker = faulty.bench.checker
    noted = {joint for finding in checker.report.notes for joint in finding.joints}
    told = {j for f in checker.report.findings if not checker.report.is_note(f) for j in f.joints}
    assert noted - told
    assert not (noted - told) & set(checker.badges)


def test_a_sound_rig_has_nothing_to_find_fault_with(hands, samples):
    hands.show(samples / "chain.glb")
    assert rules(hands) == []
    assert hands.bench.checks.words.text() == "Nothing to find fault with."
    assert not hands.bench.checks.fix_all.isEnabled()


def test_another_profile_ranks_the_findings_anew(faulty):
    panel = faulty.bench.checks
    panel.notes.click()
    before = {row.finding.rule: row.severity for row in panel.rows}
    choose(panel.profile, "thesis profile")
    until(lambda: faulty.bench.checker.is_current)
    after = {row.finding.rule: row.severity for row in panel.rows}
    assert before["ORI-PRIMARY"] == "info"
    # Which methods it is held to decides what deforms too much, and how badly.
    del before["DEF-COLLAPSE"]
    after = {rule: after[rule] for rule in after if not rule.startswith("DEF-")}
    assert after == dict.fromkeys(before, "error")


def test_a_finding_shows_value_and_limit_and_what_each_method_would_move(broken):
    hands = broken("ORI-PRIMARY")
    hands.wait_for_dry_runs()
    choose_finding(hands, "ORI-PRIMARY")
    row = hands.finding("ORI-PRIMARY")
    assert row.is_selected
    assert measured_words(row.finding) == "34° > 15°"
    texts = {w.text() for w in row.findChildren(type(hands.bench.checks.words)) if w.isVisible()}
    measured = hands.bench.checker.dry_run(row.finding)
    assert measured.exact
    assert set(DEFAULT_PANES) <= set(measured.displacement)
    assert {METHODS[name].label for name in measured.displacement} <= texts
    assert row.finding.explanation in texts


def test_a_finding_selects_its_worst_joint_and_frames_nothing_else(faulty):
    choose_finding(faulty, "ORI-PRIMARY")
    joints = faulty.finding("ORI-PRIMARY").finding.joints
    assert faulty.state.joint == joints[0]
    choose_finding(faulty, "ORI-PRIMARY")
    assert not faulty.finding("ORI-PRIMARY").is_selected


def test_arrow_keys_go_through_findings_and_return_opens_one(faulty):
    first, second = faulty.bench.checks.rows[:2]
    first.setFocus()
    press_key("Down", first)
    assert second.hasFocus()
    press_key("Return", second)
    assert second.is_selected


def test_a_finding_names_its_joints_as_links(faulty):
    choose_finding(faulty, "ORI-PRIMARY")
    row = faulty.finding("ORI-PRIMARY")
    other = row.finding.joints[1]
    name = faulty.rig.nodes.names[other]
    link = next(b for b in row.findChildren(type(row.button)) if b.text() == name)
    faulty.bench.checks.scroll_area.ensureWidgetVisible(link)
    click(link)
    assert faulty.state.joint == other


# --- fixing --------------------------------------------------------------------------------------


def test_one_fix_is_made_undone_and_made_again(broken):
    hands = broken("ORI-PRIMARY")
    before = hands.rig
    click(hands.finding("ORI-PRIMARY").button)
    hands.rest()
    fixed = hands.rig
    assert fixed is not before
    assert rules(hands) == []
    assert "Nothing moved in any clip." in said(hands)
    assert hands.window.isWindowModified()
    assert run(fixed, "gltf").findings == ()
    hands.key("Ctrl+Z")
    hands.rest()
    assert hands.rig is before
    assert rules(hands) == ["ORI-PRIMARY"]
    assert not hands.window.isWindowModified()
    hands.key("Ctrl+Shift+Z")
    hands.rest()
    assert hands.rig is fixed
    assert rules(hands) == []


def test_the_status_line_offers_undo(broken):
    hands = broken("SCL-INHERIT")
    before = hands.rig
    click(hands.finding("SCL-INHERIT").button)
    hands.rest()
    click(hands.bench.status.undo)
    hands.rest()
    assert hands.rig is before
    assert said(hands).startswith("Undone: ")
    assert not hands.bench.status.undo.isVisible()


def test_an_exact_fix_leaves_the_picture_alone(broken):
    hands = broken("HIE-ORDER")
    hands.bench.state.update(time=0.5, bones=False, axes=False)
    hands.rest()
    before = hands.picture()
    click(hands.finding("HIE-ORDER").button)
    hands.rest()
    hands.bench.status.say("", undoable=False)
    after = hands.picture()
    away = abs(before.astype(int) - after.astype(int)).max(axis=-1)
    assert (away > 8).sum() < 20


def test_ctrl_shift_f_makes_all_exact_fixes_in_one_step(faulty):
    before = faulty.rig
    faulty.key("Ctrl+Shift+F")
    faulty.rest()
    # What a bend by 120 degrees does under LBS has no exact fix.
    assert rules(faulty) == ["DEF-COLLAPSE"]
    step = faulty.document.undo_name
    number = int(step.removeprefix("Fix ").removesuffix(" findings"))
    assert number >= 3
    # What the step consists of is told one by one where it is saved, or would be lost.
    assert set(faulty.document.changes) == {
        "Bind 12 vertices to a neutral joint",
        "Re-orient 2 joints",
        "Bake inherited scale",
    }
    assert said(faulty) == f"Fixed {number}. Nothing moved in any clip."
    assert {f.rule for f in run(faulty.rig, "thesis").findings} <= {"DEF-STRETCH"}
    faulty.key("Ctrl+Z")
    faulty.rest()
    assert faulty.rig is before


def test_the_selection_survives_a_fix(broken):
    hands = broken("HIE-ORDER")
    hands.click_joint("upper")
    hands.bench.state.update(time=0.4)
    click(hands.finding("HIE-ORDER").button)
    hands.rest()
    assert hands.rig.nodes.names[hands.state.joint] == "upper"
    assert hands.state.time == 0.4


def test_what_has_no_fix_says_why_and_offers_no_button(broken):
    hands = broken("BND-COUNT")
    choose_finding(hands, "BND-COUNT")
    row = hands.finding("BND-COUNT")
    assert not row.button.isVisible()
    labels = [w.text() for w in row.findChildren(type(hands.bench.checks.words)) if w.isVisible()]
    assert any(text.startswith("No automatic fix: ") for text in labels)


# --- previews ------------------------------------------------------------------------------------


@pytest.fixture
def preview(broken):
    """A window in which a fix that changes the shape is on trial."""
    hands = broken("WGT-SUM")
    hands.bench.state.update(time=0.5, bones=False, axes=False)
    hands.wait_for_dry_runs()
    row = hands.finding("WGT-SUM")
    assert row.button.text() == "Preview…"
    hands.before = hands.rig
    click(row.button)
    hands.rest()
    return hands


def skinned(stage):
    parts = stage.deformer.skin_all(stage.frame, METHODS["lbs"], Options())
    return np.concatenate([part.positions for part in parts])


def test_a_preview_shows_after_and_before_without_changing_the_rig(preview):
    rig, strip, stage = preview.before, preview.bench.preview_strip, preview.bench.stage
    assert strip.isVisible()
    assert preview.rig is rig
    assert stage.rig is not rig
    moved = skinned(stage)
    after = preview.picture(0)[30:-60]
    pick_segment(strip.sides, 0)
    assert stage.rig is rig
    assert np.abs(skinned(stage) - moved).max() > 0.001 * stage.deformer.size
    pick_segment(strip.sides, 1)
    assert (preview.picture(0)[30:-60] == after).all()
    assert not preview.document.is_changed


def farthest(stage, strip):
    """Return how far any vertex is after a fix from where it was before, under any pane's method."""
    sides = []
    for side in (0, 1):
        pick_segment(strip.sides, side)
        for name in DEFAULT_PANES:
            parts = stage.deformer.skin_all(stage.frame, METHODS[name], Options())
            sides.append(np.concatenate([part.positions for part in parts]))
    half = len(DEFAULT_PANES)
    pairs = zip(sides[:half], sides[half:], strict=True)
    return max(np.linalg.norm(after - before, axis=1).max() for before, after in pairs)


def previewed(hands, path):
    """Open a file of stray weights and return what its preview moved, and the farthest that it shows."""
    hands.open(path)
    hands.wait_for_dry_runs()
    row = hands.finding("WGT-STRAY")
    click(row.button)
    hands.rest()
    measured = hands.bench.checker.dry_run(row.finding)
    return measured, farthest(hands.bench.stage, hands.bench.preview_strip)


def test_a_preview_goes_to_the_frame_in_which_most_moves(hands, samples, tmp_path):
    loaded, path = load(samples / "broken" / "WGT-STRAY.glb"), tmp_path / "bending.glb"
    save(loaded, with_clip(loaded.rig, RomTrials().of(loaded.rig)), path)
    measured, shown = previewed(hands, path)
    assert hands.rig.clips[hands.state.clip].name == measured.clip == "Range of motion"
    assert hands.state.time == measured.time > 0
    assert shown == pytest.approx(measured.largest, rel=1e-3)
    assert said(hands) == f"Frame {30 * measured.time:.4g} of {measured.clip}, where most moves."


def test_without_clips_a_preview_shows_a_pose_of_the_range_of_motion(hands, samples, tmp_path):
    path = tmp_path / "still.glb"
    path.write_bytes(without_clips((samples / "broken" / "WGT-STRAY.glb").read_bytes()))
    measured, shown = previewed(hands, path)
    assert shown == pytest.approx(measured.largest, rel=1e-3)
    assert "range of motion" in said(hands)
    posed = skinned(hands.bench.stage)
    press_key("Escape", hands.canvas)
    assert np.abs(skinned(hands.bench.stage) - posed).max() > 0.01
    rest = Deformer(hands.rig).rest
    assert np.array_equal(hands.bench.stage.frame.model_from_node, rest.model_from_node)


def test_another_file_opens_while_a_pose_of_the_range_of_motion_is_shown(hands, samples, tmp_path):
    path = tmp_path / "still.glb"
    path.write_bytes(without_clips((samples / "broken" / "WGT-STRAY.glb").read_bytes()))
    previewed(hands, path)
    box = tmp_path / "box.glb"
    box.write_bytes(without_clips((samples / "box.glb").read_bytes()))
    hands.open(box)
    rest = Deformer(hands.rig).rest
    assert np.array_equal(hands.bench.stage.frame.model_from_node, rest.model_from_node)


def test_a_smaller_file_opens_while_a_pose_is_shown_beside_another_file(hands, samples, tmp_path):
    path = tmp_path / "still.glb"
    path.write_bytes(without_clips((samples / "broken" / "WGT-STRAY.glb").read_bytes()))
    hands.open(path)
    hands.wait_for_dry_runs()
    hands.bench.comparer.open(samples / "biped.glb")
    hands.rest()
    click(hands.finding("WGT-STRAY").button)
    hands.rest()
    assert hands.bench.comparer.is_active
    assert hands.sees_preview
    hands.open(samples / "box.glb")
    assert len(hands.rig.nodes) < len(load(path).rig.nodes)
    assert not hands.bench.comparer.is_active


def test_a_preview_is_kept_by_apply(preview):
    shown = preview.bench.stage.rig
    click(preview.bench.preview_strip.apply)
    preview.rest()
    assert preview.rig is shown
    assert rules(preview) == []
    assert preview.document.is_changed
    assert not preview.bench.preview_strip.isVisible()
    preview.key("Ctrl+Z")
    assert preview.rig is preview.before


def test_escape_leaves_a_preview(preview):
    press_key("Escape", preview.canvas)
    assert preview.bench.stage.rig is preview.rig is preview.before
    assert not preview.bench.preview_strip.isVisible()
    assert not preview.document.is_changed


def test_check_again_finds_the_same(broken):
    hands = broken("WGT-ZERO")
    before = hands.bench.checker.report
    hands.key("F5")
    until(lambda: hands.bench.checker.report is not before)
    hands.rest()
    assert rules(hands) == ["WGT-ZERO"]


# --- with keys alone -----------------------------------------------------------------------------


def test_tab_goes_from_the_profile_through_the_findings_to_the_timeline(faulty):
    panel = faulty.bench.checks
    stops, widget = [], panel.profile
    while widget is not faulty.bench.timeline.play:
        stops.append(widget)
        widget = widget.nextInFocusChain()
        assert len(stops) < 500
    wanted = [stop for row in panel.rows for stop in (row, row.button)]
    assert [stop for stop in stops if stop in wanted] == wanted


def test_f6_enters_the_findings_at_the_first_one(faulty):
    faulty.bench.plots.graph.setFocus()
    faulty.key("F6")
    assert faulty.bench.checks.rows[0].hasFocus()


def test_the_focus_stays_among_the_findings_when_one_is_fixed(faulty):
    faulty.bench.checks.notes.click()
    row = faulty.finding("ORI-PRIMARY")
    place = faulty.bench.checks.rows.index(row)
    row.button.setFocus()
    press_key("Return", row.button)
    faulty.rest()
    rows = faulty.bench.checks.rows
    assert rows
    assert rows[min(place, len(rows) - 1)].hasFocus()


def test_a_finding_speaks_of_the_rig_that_was_checked_until_the_next_is(faulty, samples):
    rows = faulty.bench.checks.rows
    entry = next(row for row in rows if row.finding.joints)
    names = [faulty.rig.nodes.label(joint) for joint in entry.finding.joints]
    box = load(samples / "box.glb").rig
    assert len(box.nodes) <= max(entry.finding.joints)
    faulty.document.replace(Deformer(box), "Exchange everything")
    faulty.bench.checks.choose(entry.finding)
    links = {button.text() for button in entry.findChildren(Button)}
    assert set(names[:1]) <= links
    faulty.key("Ctrl+Z")


def list_many(hands, monkeypatch):
    """List one finding 200 times under as many keys, and return them."""
    panel, checker = hands.bench.checks, hands.bench.checker
    found = checker.report.findings[0]
    many = tuple(replace(found, key=number) for number in range(200))
    judged = replace(checker.last.judged, report=replace(checker.report, findings=many))
    monkeypatch.setattr(checker, "last", replace(checker.last, judged=judged))
    panel.refill()
    return many


def test_a_dry_run_changes_the_row_of_its_own_finding_alone(hands, samples, monkeypatch):
    hands.show(samples / "broken" / "WGT-DUP.glb")
    hands.wait_for_dry_runs()
    many = list_many(hands, monkeypatch)
    panel, checker = hands.bench.checks, hands.bench.checker
    until(lambda: len(panel.rows) == len(many))
    shown = []
    monkeypatch.setattr(FindingRow, "refresh", lambda row: shown.append(row.finding))
    for finding in many[5:15]:
        checker.measured.emit(finding)
    assert shown == list(many[5:15])
    monkeypatch.undo()
    panel.refill()


def test_rows_of_many_findings_are_made_while_the_window_goes_on(hands, samples, monkeypatch):
    hands.show(samples / "broken" / "WGT-DUP.glb")
    panel, checker = hands.bench.checks, hands.bench.checker
    many = list_many(hands, monkeypatch)
    assert 0 < len(panel.rows) < len(many)
    assert panel.fix_all.isEnabled()
    heights = set()
    while len(panel.rows) < len(many):
        panel.fill(20)
        heights |= {row.height() for row in panel.rows}
    # None is painted in less room than its two lines need while others are added.
    assert heights == {panel.rows[0].sizeHint().height()}
    panel.refill()
    panel.choose(many[-1])
    until(lambda: len(panel.rows) == len(many))
    assert [row.finding for row in panel.rows] == list(many)
    assert [row.is_selected for row in panel.rows] == [False] * 199 + [True]
    monkeypatch.undo()
    panel.refill()
    assert [row.finding for row in panel.rows] == list(checker.report.ranked())
