"""What findings say and advise is so: each on a case where it could be wrong."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from rigview.check.report import FORMATS, Outcome, state
from rigview.check.run import run
from rigview.io import load

SAMPLES = Path(__file__).parents[2] / "samples"


def found(path, rule, profile="gltf"):
    (finding,) = run(load(SAMPLES / path).rig, profile, select=[rule]).findings
    return finding


def test_linear_keys_of_opposite_sign_are_not_said_to_turn_the_long_way():
    finding = found("broken/ANI-QFLIP.glb", "ANI-QFLIP")
    assert "opposite sign" in finding.message
    assert "long way" not in finding.message


def test_splines_are_said_to_turn_the_long_way():
    rig = load(SAMPLES / "broken" / "ANI-QFLIP.glb").rig
    (clip,) = rig.clips
    channels = []
    for channel in clip.channels:
        values = channel.sampler.values[:, None].repeat(3, axis=1) * [[[0.0], [1.0], [0.0]]]
        sampler = replace(channel.sampler, values=values, interpolation="CUBICSPLINE")
        channels.append(replace(channel, sampler=sampler))
    spline = replace(rig, clips=(replace(clip, channels=tuple(channels)),))
    (finding,) = run(spline, select=["ANI-QFLIP"]).findings
    assert "the long way round" in finding.message


def method_values(message):
    """Return method → the value that a finding's message states of it."""
    head = message.partition(": ")[0]
    return dict(re.findall(r", (\w+) ([−\d.]+)", head))


def test_a_collapse_is_told_under_every_method_with_the_advice_that_the_numbers_support():
    finding = found("candy.glb", "DEF-COLLAPSE")
    assert finding.joint == "hand_l"
    assert "LBS loses 93 % of the width of hand_l" in finding.message
    assert "twisted by 170°" in finding.message
    values = method_values(finding.message)
    assert set(values) == {"DQS", "Compensated"}
    assert all(float(value) < 0.5 * 100.0 * finding.value for value in values.values())
    assert ": use DQS, though stretch is 3.1× then (limit 2.5×)" in finding.message


def test_no_method_is_advised_where_none_helps():
    finding = found("broken/DEF-VOLUME.glb", "DEF-VOLUME")
    assert "use " not in finding.message
    assert finding.fix.reason == "neither DQS nor Compensated makes it half as bad"


def test_the_compensation_is_spoken_of_only_under_profiles_that_use_it():
    for profile, speaks in (("gltf", False), ("dqs", True)):
        finding = found("broken/WGT-NEAREST.glb", "WGT-NEAREST", profile)
        assert ("compensation" in finding.explanation) == speaks


@pytest.mark.parametrize("metres", [0.0, 1e-8, 0.01])
def test_a_page_does_not_say_that_what_moves_nothing_changes_the_shape(metres):
    rig = load(SAMPLES / "broken" / "WGT-TINY.glb").rig
    report = state("a", run(rig, select=["WGT-TINY"]), rig)
    facts = tuple(replace(fact, max_displacement=metres) for fact in report.findings)
    page = FORMATS["html"].write(Outcome((replace(report, findings=facts),)))
    assert ("it changes the shape" in page) == (metres > 1e-3)
    assert ("at most 0.000 mm" in page) == (metres < 1e-3)
