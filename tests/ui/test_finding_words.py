"""What is said of findings: rows of one rule can be told apart, and are seen to be apart."""

from dataclasses import replace

import pytest

from rigview.check.rule import Finding
from rigview.core.deform import Deformer
from rigview.ui.panels.finding_words import extent_words, measured_words, place_words, vertex_words


def found(key, name, rule="SCL-ANIM", **more):
    return Finding(key, "", name, rule=rule, **more)


def test_only_findings_of_a_rule_with_several_are_told_apart():
    findings = [found(0, "walk"), found(1, "run"), found(0, "skin", rule="ORI-ROLL")]
    assert place_words(findings) == {("SCL-ANIM", 0): "walk", ("SCL-ANIM", 1): "run"}


def test_objects_of_the_same_name_get_their_clip_their_joint_or_a_number():
    findings = [
        found(0, "a", clip="walk"),
        found(1, "a", clip="run", joint="hand"),
        found(2, "a", clip="run", joint="foot"),
        found(3, "b"),
        found(4, "b"),
    ]
    words = list(place_words(findings).values())
    assert words == ["a, walk", "a, run, hand", "a, run, foot", "b (1)", "b (2)"]


def test_two_primitives_with_one_fault_make_one_row_that_marks_both(faulty):
    rig = faulty.rig
    mesh = rig.meshes[0]
    twice = replace(mesh, primitives=(*mesh.primitives, *mesh.primitives))
    doubled = replace(rig, meshes=(twice, *rig.meshes[1:]))
    faulty.document.replace(Deformer(doubled), "Primitives twice")
    faulty.rest()
    (row,) = (row for row in faulty.bench.checks.rows if row.finding.rule == "WGT-ZERO")
    assert "also in 1 more primitive" in row.accessibleName()
    number = row.finding.vertices.count
    assert extent_words(row.finding) == f"{2 * number} vertices"
    words = vertex_words(row.finding, faulty.rig)
    assert len(words.splitlines()) == 2
    faulty.bench.checks.choose(row.finding)
    marked = dict(faulty.state.marked)
    assert [len(ids) for ids in marked.values()] == [number, number]


@pytest.mark.parametrize(
    ("value", "limit", "unit", "said"),
    [
        (34.0, 15.0, "°", "34° > 15°"),
        (177.412, 15.0, "°", "177° > 15°"),
        (0.01, 1.0, "×", "0.01 ≠ 1"),
        (3.2232, 2.5, "×", "3.22 > 2.5"),
        (0.40773, 0.7, "×", "0.408 < 0.7"),
        (0.03922, 0.01, "share", "3.92 % > 1 %"),
        (180.0, 10.0, "m", "180 m > 10 m"),
        (0.0, 0.0004243, "m", "0 mm < 0.424 mm"),
        (0.0, 1e-6, "", "0 < 10⁻⁶"),
        (2.5e-7, 1e-6, "", "2.5 · 10⁻⁷ < 10⁻⁶"),
        (1e300, 1e6, "", "10³⁰⁰ > 10⁶"),
        (12345.6, 4.0, "", "12346 > 4"),
        (15.02, 15.0, "°", "15.02° > 15°"),
        (-0.25, 0.0, "", "−0.25 < 0"),
        (257, 256, "joint", "257 > 256 joints"),
        (-1.0, 0.0, "", ""),
        (3, 0, "joint", "3 joints"),
    ],
)
def test_a_measured_value_stands_on_the_side_of_its_limit_that_it_is_on(value, limit, unit, said):
    assert measured_words(found(0, "a", value=value, limit=limit, unit=unit)) == said
