"""Templates as files: what is written is read back, and whatever means nothing is one sentence."""

from pathlib import Path

import pytest

from rigview.check.config import ConfigError, read
from rigview.check.template_files import named_template, read_template, shipped, written
from rigview.core.deform import Deformer
from rigview.core.errors import UnknownName
from rigview.core.templates.making import TemplateError, template_of
from rigview.io import load

SAMPLES = Path(__file__).parents[2] / "samples"


def test_a_template_is_read_as_it_was_written(tmp_path):
    made = template_of(
        Deformer(load(SAMPLES / "biped.glb").rig), "biped", "biped.glb", "2026-11-28"
    )
    file = tmp_path / "biped.skel.toml"
    file.write_text(written(made))
    assert read_template(file) == made


@pytest.mark.parametrize("template", shipped(), ids=lambda template: template.name)
def test_a_shipped_template_is_found_by_its_name(template):
    assert named_template(template.name) == template


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("joints = [", "this is no TOML"),
        ("", "joints: wanted a list of joints"),
        ("joints = []", "joints: wanted a list of joints"),
        ('joints = ["Hips"]', "joints[0]: wanted a table of name, parent"),
        ("joints = [{}]", "joints[0]: a joint needs a name"),
        ("joints = [{ name = 3 }]", "joints[0].name: wanted a text in quotes"),
        ('joints = [{ name = "a" }, { name = "a" }]', "joints[1]: a second joint is called a"),
        ('joints = [{ name = "a", parent = "b" }]', "joints[0]: its parent b is no joint of this"),
        (
            'joints = [{ name = "a", parent = "b" }, { name = "b", parent = "a" }]',
            "joints: a hangs below itself",
        ),
        (
            'joints = [{ name = "a", bone = "hip" }]',
            "joints[0].bone: there is no bone hip; did you",
        ),
        (
            'joints = [{ name = "a", bone = "hips" }, { name = "b", bone = "hips" }]',
            "joints[1]: a second joint is the bone hips",
        ),
        ('joints = [{ name = "a", place = [1, 2] }]', "joints[0].place: wanted 3 numbers"),
        ('joints = [{ name = "a", place = [1, 2, nan] }]', "joints[0].place: wanted 3 numbers"),
        (
            'joints = [{ name = "a", rotation = [0, 0, 0, 2] }]',
            "joints[0].rotation: wanted a quaternion x, y, z, w of length 1; this one has 2",
        ),
        (
            'joints = [{ name = "a", requird = true }]',
            "there is no key requird; did you mean requi",
        ),
        ('tolerance = 3\njoints = [{ name = "a" }]', "tolerance: wanted a table of degrees, place"),
        (
            'tolerance = { degrees = -1 }\njoints = [{ name = "a" }]',
            "tolerance.degrees: wanted a n",
        ),
        ('budget = { joints = 1.5 }\njoints = [{ name = "a" }]', "budget.joints: wanted a whole"),
        ('extras = "*"\njoints = [{ name = "a" }]', "extras: wanted a list of texts in quotes"),
        ('ordered = 1\njoints = [{ name = "a" }]', "ordered: wanted true or false"),
        ('colour = 1\njoints = [{ name = "a" }]', "there is no key colour"),
    ],
)
def test_a_file_that_means_nothing_is_one_sentence(text, words, tmp_path):
    file = tmp_path / "bad.skel.toml"
    file.write_text(text)
    with pytest.raises(TemplateError) as told:
        read_template(file)
    assert str(told.value).startswith(f"{file}: ")
    assert words in str(told.value)


def test_what_is_no_file_and_no_name_is_told(tmp_path):
    with pytest.raises(UnknownName, match="there is no template unrael; did you mean unreal"):
        named_template("unrael")
    with pytest.raises(TemplateError, match="no such file"):
        named_template(str(tmp_path / "none.skel.toml"))
    with pytest.raises(TemplateError, match="folder"):
        read_template(tmp_path)


def test_a_configuration_names_a_template(tmp_path):
    config = tmp_path / "rigview.toml"
    config.write_text('template = "vrm"')
    assert read(config).template == named_template("vrm")
    config.write_text('template = ""')
    assert read(config).template is None
    config.write_text('template = "hero.skel.toml"')
    with pytest.raises(ConfigError, match=r"template: .*hero.skel.toml: no such file"):
        read(config)
    config.write_text('template = "../hero.skel.toml"')
    with pytest.raises(ConfigError, match="in the folder of this configuration or below it"):
        read(config)
