"""``rigview config`` tells what holds for a file, and where each value is from."""

import pytest

from rigview.check import config as settings


@pytest.fixture
def show(tmp_path):
    """A show's settings, which extend the studio's."""
    (tmp_path / "show" / "crowd").mkdir(parents=True)
    (tmp_path / "rigview.toml").write_text(
        'profile = "unity"\n[limits]\nSCL-UNIT.highest = 30\n[severity]\n"WGT-*" = "info"'
    )
    (tmp_path / "show" / "rigview.toml").write_text(
        'extend = "../rigview.toml"\nignore = ["HIE-LEAF"]\nexclude = ["wip/*"]\n'
        '[limits]\nWGT-COUNT = 8\n[per-file."crowd/*"]\nprofile = "unreal"\nlimits.WGT-COUNT = 4'
    )
    return tmp_path / "show"


def test_each_value_is_told_with_its_file(rigview, show):
    def held(file, *more):
        done = rigview("config", show / file, "--json", *more)
        return {one["key"]: (one["value"], one["source"]) for one in done.json["settings"]}

    studio, own = (str(show / name) for name in ("../rigview.toml", "rigview.toml"))
    hero = held("hero.glb")
    assert hero["profile"] == ("unity", studio)
    assert hero["fail-on"] == ("error", "the default")
    assert hero["ignore"] == ("HIE-LEAF", own)
    assert hero["limits.WGT-COUNT"] == (8, own)
    assert hero["limits.SCL-UNIT.highest"] == (30, studio)
    assert hero["severity.WGT-SUM"] == ("info", f"{studio}, severity.WGT-*")
    crowd = held("crowd/a.glb")
    assert crowd["profile"] == ("unreal", f'{own}, per-file."crowd/*"')
    assert crowd["limits.WGT-COUNT"] == (4, f'{own}, per-file."crowd/*"')
    assert held("wip/a.glb")["exclude"] == (True, own)
    assert held("hero.glb", "--profile", "dqs")["profile"] == ("dqs", "the command line")
    plain = held("hero.glb", "--config", "none")
    assert plain["settings"][0] is None
    assert plain["profile"] == ("gltf", "the default; vrm for a VRM")


def test_the_words_name_what_the_check_goes_by(rigview, show):
    lines = rigview("config", show / "hero.glb").out.splitlines()
    assert f'profile = "unity"  # {show / "../rigview.toml"}' in lines
    held = f"limits.WGT-COUNT = 8  # {show / 'rigview.toml'}; joints that move a vertex: at most 8 joints"
    assert held in lines
    assert settings.read(show / "rigview.toml").profile == "unity"


def test_settings_that_cannot_be_read_are_told(rigview, show):
    (show / "rigview.toml").write_text("profil = 1")
    done = rigview("config", show / "hero.glb")
    assert (done.status, done.out) == (2, "")
    assert "did you mean profile?" in done.err


def test_long_work_tells_a_log_how_far_it_is(monkeypatch, capsys):
    from rigview.cli import progress

    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    with progress.Line() as line:
        for second in range(0, 31, 3):
            now[0] = float(second)
            line.tell(f"{second} of 30")
    assert capsys.readouterr().err == "rigview: 12 of 30\nrigview: 24 of 30\n"
