"""The configuration: what it may say, where it is found, and how it says what is wrong with it."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
import rigs

from rigview.check import config
from rigview.check.config import Config, ConfigError
from rigview.check.rule import PROFILES, Finding
from rigview.check.run import run

FULL = """
profile = "dqs"
fail-on = "warning"
select = ["WGT-SUM", "WGT-ZERO"]
ignore = ["HIE-ORDER"]
baseline = "known.json"
[severity]
WGT-SUM = "info"
HIE-PARENT = "off"
HIE-LIMIT = "note"
[limits]
WGT-SUM.sum = 0.002
SCL-UNIT.highest = 30
[accept]
WGT-SUM = 0.01
[per-file-ignores]
"props/*" = ["WGT-ZERO"]
"*.vrm" = ["MSH-READ"]
"""


def own(folder, text):
    path = folder / "rigview.toml"
    path.write_text(text)
    return path


def shared(folder, text):
    folder.mkdir(exist_ok=True)
    path = folder / "pyproject.toml"
    path.write_text(text)
    return path


def test_every_key_is_read(tmp_path):
    read = config.read(own(tmp_path, FULL))
    assert read == Config(
        file=tmp_path / "rigview.toml",
        profile="dqs",
        fail_on="warning",
        select=("WGT-SUM", "WGT-ZERO"),
        ignore=("HIE-ORDER", "HIE-PARENT"),
        baseline=tmp_path / "known.json",
        severities={"WGT-SUM": "info", "HIE-LIMIT": "info"},
        notes=("HIE-LIMIT",),
        limits={"WGT-SUM.sum": 0.002, "SCL-UNIT.highest": 30},
        accepted={"WGT-SUM": 0.01},
        per_file_ignores=(("props/*", ("WGT-ZERO",)), ("*.vrm", ("MSH-READ",))),
    )


def test_a_pyproject_says_the_same_in_its_table(tmp_path):
    text = FULL.replace("[severity]", "[tool.rigview.severity]")
    text = text.replace("[limits]", "[tool.rigview.limits]")
    text = text.replace("[accept]", "[tool.rigview.accept]")
    text = text.replace("[per-file-ignores]", "[tool.rigview.per-file-ignores]")
    path = shared(tmp_path, f"[project]\nname = 'hero'\n[tool.rigview]{text}")
    assert config.read(path) == replace(config.read(own(tmp_path, FULL)), file=path)


def test_an_empty_file_decides_nothing(tmp_path):
    assert config.read(own(tmp_path, "")) == Config(file=tmp_path / "rigview.toml")


@pytest.mark.parametrize(
    ("text", "key", "words"),
    [
        ("profil = 'dqs'", "profil", "profile"),
        ("profile = 'gtlf'", "profile", "gltf"),
        ("profile = 3", "profile", "text"),
        ("fail-on = 'sometimes'", "fail-on", "error, warning, info, never"),
        ("ignore = ['WGT-SUMM']", "ignore", "WGT-SUM"),
        ("ignore = ['wgt-sum']", "ignore", "did you mean WGT-SUM?"),
        ("ignore = ['FOO']", "ignore", "rigview rules lists every rule"),
        ("ignore = 'WGT-SUM'", "ignore", "list"),
        ("select = [1]", "select", "text"),
        ("baseline = ''", "baseline", "name"),
        ("severity = 'error'", "severity", "table"),
        ("[severity]\nWGT-SUM = 'bad'", "severity.WGT-SUM", "off"),
        ("[severity]\nWGT-SUMM = 'error'", "severity.WGT-SUMM", "WGT-SUM"),
        ("[accept]\nWGT-SUMM = 1", "accept.WGT-SUMM", "WGT-SUM"),
        ("[accept]\nWGT-SUM = true", "accept.WGT-SUM", "number"),
        ("limits = 4", "limits", "table"),
        ("[per-file-ignores]\n'a/*' = ['X']", 'per-file-ignores."a/*"', "X"),
    ],
)
def test_what_means_nothing_is_one_sentence_with_file_and_key(tmp_path, text, key, words):
    path = own(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        config.read(path)
    said = str(caught.value)
    assert said.startswith(f"{path}: {key}: ")
    assert words in said
    assert "\n" not in said


@pytest.mark.parametrize("rule", ["ORI-TPOSE", "ORI-UPFWD"])
@pytest.mark.parametrize("table", ["limits", "accept"])
def test_a_cosine_of_an_older_configuration_is_refused_with_the_angle(tmp_path, rule, table):
    path = own(tmp_path, f"[{table}]\n{rule} = 0.5")
    with pytest.raises(ConfigError, match=f"{rule}: degrees are wanted.*: 60 in place of 0.5"):
        config.read(path)
    config.read(own(tmp_path, f"[{table}]\n{rule} = 60"))


def test_a_key_of_a_pyproject_is_named_in_full(tmp_path):
    path = shared(tmp_path, "[tool.rigview]\nfail-on = 1")
    with pytest.raises(ConfigError, match=r"pyproject\.toml: tool\.rigview\.fail-on: a text"):
        config.read(path)


@pytest.mark.parametrize(
    "content", [b"a = ", b"\xff\xfe", b"[tool]\nrigview = 1", b"a = " + b"[" * 20_000]
)
def test_what_is_no_configuration_is_said(tmp_path, content):
    path = tmp_path / "pyproject.toml"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=str(path)):
        config.read(path)


def test_keys_under_a_table_of_tools_are_told_where_they_belong(tmp_path):
    with pytest.raises(ConfigError, match="stand at its top"):
        config.read(own(tmp_path, "[tool.rigview]\nprofile = 'dqs'"))
    assert config.find(shared(tmp_path / "a", "tool = [1]").parent) == tmp_path / "rigview.toml"


# Where it is found.


def test_the_nearest_one_above_counts_and_the_own_file_before_the_shared(tmp_path):
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    top = shared(tmp_path, "[tool.rigview]")
    assert config.find(deep) == top
    shared(tmp_path / "a", "[tool.other]")
    assert config.find(deep) == top
    near = own(tmp_path / "a", "")
    shared(tmp_path / "a", "[tool.rigview]")
    assert config.find(deep) == near
    assert config.find(tmp_path) == top


# What it does.


def test_patterns_are_relative_to_the_file_and_cross_folders(tmp_path):
    read = config.read(own(tmp_path, FULL))
    always = ("HIE-ORDER", "HIE-PARENT")
    assert read.ignored_in(tmp_path / "hero.glb") == always
    assert read.ignored_in(tmp_path / "props" / "deep" / "a.glb") == (*always, "WGT-ZERO")
    assert read.ignored_in(tmp_path / "props" / "a.vrm") == (*always, "WGT-ZERO", "MSH-READ")
    assert read.ignored_in(Path("/elsewhere/props/a.glb")) == always


def test_a_pattern_that_begins_with_any_folder_means_the_top_too(tmp_path):
    read = config.read(own(tmp_path, '[per-file-ignores]\n"**/*.vrm" = ["MSH-READ"]'))
    for name in ("a.vrm", "deep/a.vrm", "deep/down/a.vrm"):
        assert read.ignored_in(tmp_path / name) == ("MSH-READ",)
    assert read.ignored_in(tmp_path / "a.glb") == ()


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_patterns_see_a_file_as_it_was_named_and_where_links_lead(tmp_path):
    (tmp_path / "share").mkdir()
    (tmp_path / "repository").mkdir()
    (tmp_path / "repository" / "props").symlink_to(tmp_path / "share")
    (tmp_path / "door").symlink_to(tmp_path / "repository")
    text = '[per-file-ignores]\n"props/*" = ["MSH-READ"]'
    read = config.read(own(tmp_path / "repository", text))
    for name in ("repository/props/a.glb", "door/props/a.glb"):
        assert read.ignored_in(tmp_path / name) == (("MSH-READ",) if "door" not in name else ())


@pytest.mark.parametrize(
    ("value", "limit", "worst", "accepted"),
    [
        (20.0, 15.0, 25.0, True),
        (30.0, 15.0, 25.0, False),
        (20.0, 15.0, 10.0, False),
        (0.6, 0.7, 0.5, True),
        (0.4, 0.7, 0.5, False),
        (None, 0.7, 0.5, False),
        (3.0, None, 5.0, False),
    ],
)
def test_what_is_no_worse_than_accepted_is_left_out(value, limit, worst, accepted):
    finding = Finding(0, "", "Body", value, limit, rule="WGT-SUM")
    assert config.accepts({"WGT-SUM": worst}, finding) is accepted
    assert config.accepts({"WGT-ZERO": worst}, finding) is False


@pytest.mark.parametrize(
    ("rule", "value", "limit", "unit", "accepted"),
    [
        ("BND-REST", 20.0, 1.0, "°", True),
        # What moved by half its size is not accepted with what turned by 30°.
        ("BND-REST", 0.5, 0.01, "share", False),
        ("BND-CONFLICT", 0.5, 0.01, "share", False),
        ("ANI-LOOP", 0.5, 0.01, "m", False),
        ("SCL-UNIT", 25.0, 20.0, "×", False),
        ("SCL-UNIT", 18.0, 10.0, "m", True),
        ("HIE-SIDE", 3, 0, "joint", True),
    ],
)
def test_what_is_accepted_of_turns_is_not_accepted_of_moves(rule, value, limit, unit, accepted):
    finding = Finding(0, "", "Body", value, limit, unit, rule=rule)
    assert config.accepts({rule: 30.0}, finding) is accepted


def test_a_stated_severity_wins_over_rule_profile_and_finding():
    rig = rigs.tidy()
    weights = rig.meshes[0].primitives[0].influences.weights * 0.5
    broken = rigs.with_influences(rig, weights=weights)
    only = ["WGT-SUM"]
    assert run(broken, "thesis", only).counts()["error"] == 1
    profile = Config(severities={"WGT-SUM": "info"}).applied(PROFILES["thesis"])
    assert run(broken, profile, only).counts() == {"error": 0, "warning": 0, "info": 1}


# A configuration of somebody else's repository.


def hostile_files(folder):
    """Return files that would be waited for, or read without end."""
    import os

    pipe = folder / "pipe"
    os.mkfifo(pipe)
    (folder / "endless").symlink_to("/dev/zero")
    (folder / "folder").mkdir()
    large = folder / "large"
    with large.open("wb") as file:
        file.truncate(1 << 32)
    (folder / "loop").symlink_to("loop")
    return {name: folder / name for name in ("pipe", "endless", "folder", "large", "loop")}


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX's special files")
def test_only_small_regular_files_are_read(tmp_path):
    from rigview.check import baseline

    words = {
        "pipe": "this is a device or a pipe, not a file",
        "endless": "this is a device or a pipe, not a file",
        "folder": "this is a folder, not a file",
        "large": "the file is larger than",
        "loop": "too many levels of symbolic links",
    }
    for name, path in hostile_files(tmp_path).items():
        for read, error in ((config.read, ConfigError), (baseline.read, baseline.BaselineError)):
            with pytest.raises(error, match=words[name]):
                read(path)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("../known.json", "a file in the folder of this configuration or below it is wanted"),
        ("/dev/zero", "a file in the folder of this configuration or below it is wanted"),
        ("link/known.json", "a file in the folder of this configuration or below it is wanted"),
        ("known.link", "a file in the folder of this configuration or below it is wanted"),
        ("a\\u0000b", "no file can have this name"),
    ],
)
def test_a_baseline_lies_in_the_folder_of_its_configuration(tmp_path, name, words):
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "link").symlink_to(tmp_path)
    (folder / "known.link").symlink_to(tmp_path / "known.json")
    with pytest.raises(ConfigError, match=words):
        config.read(own(folder, f'baseline = "{name}"'))


def test_a_baseline_below_its_configuration_or_linked_within_it_is_taken(tmp_path):
    (tmp_path / "inner").mkdir()
    (tmp_path / "link.json").symlink_to(tmp_path / "inner" / "known.json")
    for name in ("inner/known.json", "link.json", "./known.json"):
        read = config.read(own(tmp_path, f'baseline = "{name}"'))
        assert read.baseline == tmp_path / name
