"""The baseline: what is known does not count, what is new or worse does."""

import json
import sys

import pytest
from msgspec.structs import replace

from rigview.check import baseline
from rigview.check.baseline import Baseline, BaselineError
from rigview.check.report import Fact, FileReport
from rigview.check.report.records import FactPlace, FixOffer, ReportedVertices

FACT = Fact(
    rule="WGT-SUM", title="", severity="warning", message="5 vertices", object="Tube", joint=None,
    clip=None, time=None, vertices=ReportedVertices(5, (1,)), value=0.1, limit=0.001, unit="",
    fix=FixOffer("shape"),
)  # fmt: skip


def report(*facts, file="hero.glb", folder=None):
    return FileReport(str(file if folder is None else folder / file), "gltf", (), facts, ())


@pytest.fixture
def listed(tmp_path):
    """A baseline that lists `FACT` once, through its file."""

    def make(*reports):
        path = tmp_path / "known.json"
        path.write_text(Baseline(tmp_path, {}).updated(reports).text())
        return baseline.read(path)

    return make


def test_what_is_listed_is_known_though_its_numbers_changed(listed, tmp_path):
    known = listed(report(FACT, folder=tmp_path))
    now = replace(FACT, value=0.2, message="9 vertices", vertices=ReportedVertices(9))
    split = known.split(report(now, folder=tmp_path))
    assert (split.findings, split.known) == ((), (now,))
    assert not split.failed
    assert known.gone(split) == 0


@pytest.mark.parametrize(
    "new",
    [
        replace(FACT, severity="error"),
        replace(FACT, object="Coat"),
        replace(FACT, rule="WGT-ZERO"),
        replace(FACT, clip="Walk"),
    ],
)
def test_what_is_worse_or_elsewhere_is_new(listed, tmp_path, new):
    known = listed(report(FACT, folder=tmp_path))
    split = known.split(report(new, folder=tmp_path))
    assert (split.findings, split.known) == ((new,), ())
    assert known.gone(split) == 1


def several(*names):
    """Return `FACT` about several objects."""
    places = tuple(FactPlace(name, 0.1, ReportedVertices(5, (1,))) for name in names)
    return replace(FACT, object=names[0], places=places)


def test_a_finding_about_several_objects_is_known_if_each_is_listed(listed, tmp_path):
    apart = report(FACT, replace(FACT, object="Coat"), folder=tmp_path)
    both = several("Coat", "Tube")
    for known in (listed(apart), listed(report(both, folder=tmp_path))):
        split = known.split(report(both, folder=tmp_path))
        assert (split.findings, split.known) == ((), (both,))
        assert known.gone(split) == 0
        assert known.gone(known.split(report(FACT, folder=tmp_path))) == 1


def test_a_finding_about_one_more_object_than_is_listed_is_new(listed, tmp_path):
    known = listed(report(FACT, folder=tmp_path))
    both = several("Coat", "Tube")
    split = known.split(report(both, folder=tmp_path))
    assert (split.findings, split.known) == ((both,), ())
    assert known.gone(split) == 0


def test_what_got_milder_stays_known(listed, tmp_path):
    known = listed(report(replace(FACT, severity="error"), folder=tmp_path))
    assert known.split(report(FACT, folder=tmp_path)).known == (FACT,)


def test_a_second_finding_like_a_listed_one_is_new(listed, tmp_path):
    known = listed(report(FACT, folder=tmp_path))
    split = known.split(report(FACT, FACT, folder=tmp_path))
    assert (len(split.findings), len(split.known)) == (1, 1)


def test_a_baseline_is_of_its_file(listed, tmp_path):
    known = listed(report(FACT, folder=tmp_path))
    assert known.split(report(FACT, folder=tmp_path, file="other.glb")).findings == (FACT,)


def test_files_are_named_from_the_baseline_wherever_one_stands(listed, tmp_path, monkeypatch):
    (tmp_path / "rigs").mkdir()
    known = listed(report(FACT, folder=tmp_path, file="rigs/hero.glb"))
    assert list(known.files) == ["rigs/hero.glb"]
    monkeypatch.chdir(tmp_path / "rigs")
    assert known.split(report(FACT)).known == (FACT,)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_file_has_one_name_whichever_links_lead_to_it(tmp_path):
    (tmp_path / "real" / "rigs").mkdir(parents=True)
    (tmp_path / "store").mkdir()
    (tmp_path / "door").symlink_to(tmp_path / "real")
    (tmp_path / "real" / "rigs" / "hero.glb").symlink_to(tmp_path / "store" / "1f3a")
    for way in ("real", "door"):
        for base in ("real", "door"):
            baseline = Baseline(tmp_path / base, {})
            assert baseline.name_of(str(tmp_path / way / "rigs" / "hero.glb")) == "rigs/hero.glb"


def test_an_update_lists_anew_and_forgets_nothing_else(listed, tmp_path):
    (tmp_path / "b.glb").touch()
    files = ("hero.glb", "b.glb", "deleted.glb")
    known = listed(*(report(FACT, folder=tmp_path, file=name) for name in files))
    other = replace(FACT, rule="WGT-ZERO")
    later = known.updated([report(other, folder=tmp_path)])
    assert [k.rule for k in later.files["hero.glb"]] == ["WGT-ZERO"]
    assert [k.rule for k in later.files["b.glb"]] == ["WGT-SUM"]
    assert "deleted.glb" not in later.files
    assert list(known.updated([report(folder=tmp_path)]).files) == ["b.glb"]


def test_the_file_does_not_depend_on_the_order_of_findings(tmp_path):
    empty = Baseline(tmp_path, {})
    other = replace(FACT, rule="WGT-ZERO", object="Coat")
    one, two = report(FACT, other), report(other, FACT)
    assert empty.updated([one]).text() == empty.updated([two]).text()


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        json.dumps({"version": 2, "files": {}}),
        json.dumps({"version": 1, "files": []}),
        json.dumps({"version": 1, "files": {"a": [{"rule": "X"}]}}),
        json.dumps({"version": 1, "files": {"a": [1]}}),
        "[" * 100_000,
    ],
)
def test_what_is_no_baseline_is_one_sentence(tmp_path, content):
    path = tmp_path / "known.json"
    path.write_text(content)
    with pytest.raises(BaselineError) as caught:
        baseline.read(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("place", "folder", "name"),
    [
        ("C:\\studio\\rigs\\hero.glb", "C:\\studio", "rigs/hero.glb"),
        ("C:\\rigs\\hero.glb", "C:\\studio\\ci", "../../rigs/hero.glb"),
        ("D:\\rigs\\hero.glb", "C:\\studio", "D:/rigs/hero.glb"),
        ("\\\\server\\rigs\\hero.glb", "C:\\studio", "//server/rigs/hero.glb"),
    ],
)
def test_on_windows_a_file_of_another_drive_is_named_in_full(place, folder, name):
    from pathlib import PureWindowsPath

    from rigview.check.baseline import relative_name

    assert relative_name(PureWindowsPath(place), PureWindowsPath(folder)) == name
