"""A studio's settings in the window: what counts, what is hidden, and what cannot be used."""

import threading

import pytest
from glb import joined, parts
from hands import choose, click, until

from rigview.check import baseline
from rigview.check.baseline import Baseline
from rigview.check.policy import Configs, Policy, ignored, judge
from rigview.check.report import state
from rigview.check.rule import Refused
from rigview.check.run import run
from rigview.io import load
from rigview.ui.workers import checking


@pytest.fixture
def studio(hands, samples, tmp_path):
    """Opens a rig of one fault that stands below settings with a text, and returns the hands."""
    rig = tmp_path / "rigs" / "arm.glb"
    rig.parent.mkdir()
    rig.write_bytes((samples / "broken" / "ORI-PRIMARY.glb").read_bytes())

    def open_below(text, *, rest=True):
        (tmp_path / "rigview.toml").write_text(text)
        if rest:
            hands.open(rig)
        else:
            hands.bench.open_path(rig)
        return hands

    open_below.rig, open_below.folder = rig, tmp_path
    return open_below


def rows(hands):
    """Return the rules that are listed, each with its severity and why it is let be."""
    return {row.finding.rule: (row.severity, row.excuse) for row in hands.bench.checks.rows}


def check_again(hands):
    hands.key("F5")
    until(lambda: hands.bench.checker.is_current)
    hands.rest()


SOME = """
profile = "dqs"
ignore = ["ORI-PRIMARY"]
[severity]
WGT-COUNT = "info"
[limits]
WGT-COUNT = 1
"""


def test_the_window_finds_what_the_command_finds(studio):
    hands = studio(SOME)
    standard = Policy.of(studio.rig, Configs().of(studio.rig))
    report = judge(load(studio.rig).rig, standard).report
    wanted = {f.rule: (report.severity(f), "") for f in report.findings}
    assert rows(hands) == wanted
    assert wanted["WGT-COUNT"] == ("info", "")
    assert hands.bench.checks.profile.currentText() == "dqs profile"
    strip = hands.bench.checks.studio
    assert strip.isVisible()
    assert strip.words.text() == "Studio settings: rigview.toml"
    assert strip.words.toolTip().startswith(str(studio.folder / "rigview.toml"))


def test_without_settings_nothing_is_said_of_them(arm):
    assert not arm.bench.checks.studio.isVisible()


def test_what_is_hidden_is_counted_and_listed_when_asked_for(studio):
    hands = studio(SOME)
    panel = hands.bench.checks
    before = rows(hands)
    assert panel.studio.button.text() == "Show 1 hidden"
    assert panel.studio.button.toolTip() == "1 ignored"
    badges = hands.bench.checker.badges
    click(panel.studio.button)
    assert rows(hands) == before | {"ORI-PRIMARY": ("warning", "ignored")}
    assert panel.rows[-1].finding.rule == "ORI-PRIMARY"
    assert hands.bench.checker.badges == badges
    assert hands.window.arrangement.titles["Checks"].count.text() == str(len(before))
    until(lambda: hands.bench.checker.dry_run(panel.rows[-1].finding) is not None)
    assert not isinstance(hands.bench.checker.dry_run(panel.rows[-1].finding), Refused)
    click(panel.studio.button)
    assert rows(hands) == before


def test_what_counts_is_shown_before_what_is_ignored_is_counted(studio, monkeypatch):
    going_on = threading.Event()

    def waiting(*given):
        going_on.wait(30.0)
        return ignored(*given)

    monkeypatch.setattr(checking, "ignored", waiting)
    hands = studio("ignore = ['ORI-PRIMARY']", rest=False)
    until(lambda: hands.bench.checker.is_current and hands.bench.checker.is_counting)
    panel = hands.bench.checks
    assert panel.studio.button.text() == "Counting what is ignored…"
    assert not panel.studio.button.isEnabled()
    assert "what is ignored is being counted" in panel.words.text()
    going_on.set()
    hands.rest()
    assert panel.studio.button.text() == "Show 1 hidden"
    assert panel.studio.button.isEnabled()
    assert panel.words.text() == "Nothing to find fault with, but 1 finding is hidden."


def test_fix_all_leaves_what_the_studio_lets_be(studio):
    hands = studio("[accept]\nORI-PRIMARY = 40")
    before = hands.rig
    assert rows(hands) == {}
    assert hands.bench.checks.words.text() == (
        "Nothing to find fault with, but 1 finding is hidden."
    )
    click(hands.bench.checks.studio.button)
    assert rows(hands) == {"ORI-PRIMARY": ("info", "accepted")}
    assert not hands.bench.checks.fix_all.isEnabled()
    hands.key("Ctrl+Shift+F")
    hands.rest()
    assert hands.rig is before


@pytest.fixture
def listed(studio):
    """The same with a baseline that lists all that is found."""
    rig = load(studio.rig).rig
    report = run(rig)
    stated = state(str(studio.rig), report, rig)
    place = studio.folder / "known.json"
    place.write_text(Baseline(studio.folder, {}).updated([stated]).text())
    assert baseline.read(place).files
    studio.found = {f.rule for f in report.findings}
    return studio


def test_what_a_baseline_lists_is_hidden_and_mended_only_while_it_is_shown(listed):
    hands = listed('baseline = "known.json"')
    before = hands.rig
    panel = hands.bench.checks
    assert rows(hands) == {}
    assert not panel.fix_all.isEnabled()
    hands.key("Ctrl+Shift+F")
    hands.rest()
    assert hands.rig is before
    click(panel.studio.button)
    assert {why for _, why in rows(hands).values()} == {"in the baseline"}
    assert set(rows(hands)) == listed.found
    click(panel.fix_all)
    hands.rest()
    assert hands.rig is not before
    assert rows(hands) == {}


def test_settings_can_be_switched_off_and_on_again(studio):
    hands = studio(SOME)
    with_settings = rows(hands)
    hands.menu("Rig", "Studio settings")
    hands.rest()
    plain = run(load(studio.rig).rig)
    assert rows(hands) == {f.rule: (plain.severity(f), "") for f in plain.findings}
    assert not hands.window.commands.actions["studio_settings"].isChecked()
    strip = hands.bench.checks.studio
    assert strip.words.text() == "Studio settings are switched off"
    click(strip.button)
    hands.rest()
    assert rows(hands) == with_settings
    assert hands.window.commands.actions["studio_settings"].isChecked()


def test_the_users_profile_wins_until_the_studios_is_chosen_again(studio):
    hands = studio(SOME)
    checker = hands.bench.checker
    choose(hands.bench.checks.profile, "unreal profile")
    hands.rest()
    assert checker.report.profile.name == "unreal"
    assert checker.report.profile.limits["WGT-COUNT"] == 1
    (studio.folder / "rigview.toml").write_text('profile = "vrm"')
    check_again(hands)
    assert checker.report.profile.name == "unreal"
    choose(hands.bench.checks.profile, "vrm profile")
    hands.rest()
    (studio.folder / "rigview.toml").write_text('profile = "godot"')
    check_again(hands)
    assert checker.report.profile.name == "godot"


def test_settings_that_cannot_be_used_are_told_and_the_rig_is_checked(studio):
    hands = studio('profil = "dqs"')
    reason = "there is no key profil; did you mean profile?"
    message, strip = hands.bench.message, hands.bench.checks.studio
    assert message.isVisible()
    assert message.title.text() == "The studio's settings cannot be used"
    assert reason in message.reason.text()
    assert list(rows(hands)) == ["ORI-PRIMARY"]
    click(message.dismiss)
    assert not message.isVisible()
    assert strip.words.text() == "Studio settings cannot be used"
    assert reason in strip.words.toolTip()
    # Not told again after every step, but where it is asked for.
    hands.key("Ctrl+Shift+F")
    hands.rest()
    assert rows(hands) == {}
    assert not message.isVisible()
    check_again(hands)
    assert message.isVisible()


def test_axes_are_held_to_the_studios_limit_as_it_is_when_checked_again(studio):
    hands = studio("[limits]\nORI-PRIMARY.angle = 60")
    hands.bench.state.update(joint=hands.rig.joints[1])
    assert hands.bench.checker.deviations == {}
    assert hands.bench.inspector.limit.text() == "limit 60°"
    (studio.folder / "rigview.toml").write_text("")
    check_again(hands)
    assert max(hands.bench.checker.deviations.values()) == pytest.approx(34, abs=0.1)
    assert hands.bench.inspector.limit.text() == "limit 15°"


def test_what_the_reader_left_out_is_told_below_the_findings(studio):
    document, binary = parts(studio.rig.read_bytes())
    document["extensionsUsed"] = ["VRMC_node_constraint"]
    studio.rig.write_bytes(joined(document, binary))
    hands = studio("")
    missing = hands.bench.checks.missing
    number = len(hands.bench.checker.report.not_evaluated)
    assert missing.text().startswith(f"{number} not evaluated, 1 note   ")
    reason = "the extension VRMC_node_constraint is ignored"
    assert f"DEF-FLIP: {reason}" in missing.toolTip().splitlines()
    assert f"note: {reason}" in missing.toolTip().splitlines()
