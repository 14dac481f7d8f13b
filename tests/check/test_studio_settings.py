"""Settings of a studio: one file extends another, families of rules, what holds for some files alone."""

import pytest

from rigview.check import config
from rigview.check.catalogue import BY_ID
from rigview.check.config import Config, ConfigError
from rigview.check.policy import Policy

WEIGHTS = tuple(rule for rule in BY_ID if rule.startswith("WGT-"))


@pytest.fixture
def studio(tmp_path):
    """Write a show's file below the studio's, and read it."""
    (tmp_path / "show").mkdir()

    def read(studio, show):
        (tmp_path / "rigview.toml").write_text(studio)
        (tmp_path / "show" / "rigview.toml").write_text(f'extend = "../rigview.toml"\n{show}')
        return config.read(tmp_path / "show" / "rigview.toml")

    return read


def test_what_a_file_states_goes_before_what_it_extends_key_by_key(studio, tmp_path):
    found = studio(
        'profile = "unity"\nfail-on = "info"\nignore = ["ORI-PRIMARY"]\n'
        "[limits]\nWGT-COUNT = 8\nSCL-UNIT.highest = 30\n[accept]\nWGT-SUM = 0.5\n"
        '[severity]\nWGT-ZERO = "off"\nHIE-ORDER = "note"\nWGT-SUM = "info"',
        'fail-on = "error"\n[limits]\nWGT-COUNT = 4\n[severity]\nWGT-ZERO = "warning"\nHIE-LEAF = "off"',
    )
    assert (found.profile, found.fail_on) == ("unity", "error")
    assert found.limits == {"WGT-COUNT": 4, "SCL-UNIT.highest": 30}
    assert found.accepted == {"WGT-SUM": 0.5}
    assert found.severities == {"WGT-ZERO": "warning", "HIE-ORDER": "info", "WGT-SUM": "info"}
    assert found.notes == ("HIE-ORDER",)
    assert set(found.ignore) == {"ORI-PRIMARY", "HIE-LEAF"}
    assert found.file == tmp_path / "show" / "rigview.toml"
    assert found.sources["profile"] == tmp_path / "show" / ".." / "rigview.toml"
    assert found.sources["limits.WGT-COUNT"] == tmp_path / "show" / "rigview.toml"


def test_lists_of_patterns_and_rules_are_replaced_and_tables_of_patterns_joined(studio):
    found = studio(
        'exclude = ["a"]\nignore = ["WGT-SUM"]\n[per-file-ignores]\n"x*" = ["WGT-SUM"]',
        'exclude = ["b"]\nignore = []\n[per-file-ignores]\n"y*" = ["WGT-ZERO"]',
    )
    assert (found.exclude, found.ignore) == (("b",), ())
    assert [pattern for pattern, _ in found.per_file_ignores] == ["x*", "y*"]


@pytest.mark.parametrize(
    ("studio_text", "show", "words"),
    [
        ('extend = "show/rigview.toml"', "", "the file extends itself"),
        ('profile = "x"', "", "profile"),
        ("", 'exclude = "a"', "a list of patterns is wanted"),
        ("", 'ignore = ["XYZ-*"]', "no rule is called like XYZ-*"),
        ("", '[per-file."a"]\nfail-on = "error"', "fail-on"),
        ("", '[per-file."a"]\nlimits.WGT-COUNT = "many"', '."a".limits.WGT-COUNT'),
    ],
)
def test_what_means_nothing_is_told(studio, studio_text, show, words):
    with pytest.raises(ConfigError) as told:
        studio(studio_text, show)
    assert words in str(told.value)
    assert "\n" not in str(told.value)


def test_a_file_that_extends_what_is_not_there_says_so(tmp_path):
    path = tmp_path / "rigview.toml"
    path.write_text('extend = "nowhere.toml"')
    with pytest.raises(ConfigError, match=r"nowhere\.toml"):
        config.read(path)


def test_a_family_is_all_its_rules_and_one_of_them_goes_before_it(tmp_path):
    path = tmp_path / "rigview.toml"
    path.write_text(
        'ignore = ["WGT-*"]\n[severity]\n"WGT-*" = "info"\nWGT-ZERO = "error"\n'
        '[per-file-ignores]\n"a" = ["WGT-*", "HIE-LEAF"]'
    )
    found = config.read(path)
    assert found.ignore == WEIGHTS
    assert found.severities == dict.fromkeys(WEIGHTS, "info") | {"WGT-ZERO": "error"}
    assert found.per_file_ignores == (("a", (*WEIGHTS, "HIE-LEAF")),)


def test_profile_and_limits_hold_for_the_files_of_a_pattern(tmp_path):
    path = tmp_path / "rigview.toml"
    path.write_text(
        'profile = "unity"\n[limits]\nWGT-COUNT = 8\n'
        '[per-file."crowd/*"]\nprofile = "unreal"\nlimits.WGT-COUNT = 4'
    )
    found = config.read(path)
    crowd, hero = (Policy.of(tmp_path / name, found) for name in ("crowd/deep/a.glb", "hero/a.glb"))
    assert (crowd.profile.name, crowd.profile.limits["WGT-COUNT"]) == ("unreal", 4)
    assert (hero.profile.name, hero.profile.limits["WGT-COUNT"]) == ("unity", 8)
    assert Policy.of(tmp_path / "crowd/a.glb", found, "dqs").profile.name == "dqs"


def test_patterns_mean_files_below_the_configuration_alone(tmp_path):
    held = Config(file=tmp_path / "show" / "rigview.toml", exclude=("wip/*",))
    assert held.excludes(tmp_path / "show" / "wip" / "a.glb")
    assert not held.excludes(tmp_path / "wip" / "a.glb")
