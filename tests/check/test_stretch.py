"""How unequally joints may scale what they move, told without looking at every pose."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import given
from hypothesis import strategies as st

from rigview.check.measures import stretch
from rigview.check.measures.facts import measured
from rigview.check.measures.stretch import stretches, suspects
from rigview.core.clip import Channel, Clip
from rigview.core.deform import Deformer
from rigview.core.pose import sample
from rigview.core.sampler import Sampler


def ratios(rig, times):
    """Return ``(J,)`` by how much one scale of each skin matrix exceeds another, as a share."""
    deformer, joints = Deformer(rig), list(rig.skins[0].joints)
    worst = np.zeros(len(joints))
    for clip in (None, *rig.clips):
        for time in times:
            model = deformer.frame(sample(rig, clip, time)).model_from_node[joints]
            values = np.linalg.svd((model @ rig.skins[0].joint_from_mesh)[:, :3, :3])[1]
            worst = np.maximum(worst, values[:, 0] / values[:, 2] - 1.0)
    return worst


def rescaled(rig, seed, spread, way):
    """Return the rig with scales that clips change, each component by a factor of its own."""
    rng = np.random.default_rng(seed)
    moved = rng.choice(rig.skins[0].joints, 2, replace=False)
    shape = (3, 3, 3) if way == "CUBICSPLINE" else (3, 3)
    channels = [
        Channel(int(n), "scale", Sampler(np.arange(3.0), np.exp(spread * rng.random(shape)), way))
        for n in moved
    ]
    return replace(rig, clips=(*rig.clips, Clip("scales", channels)))


@given(
    rig=rigs.rigs(
        vertices=12, clips=1, stretched=st.booleans(), bind_scale=1.0, joint_scale=st.booleans(),
        animated=st.just(("rotation", "scale")),
    ),
    seed=st.integers(0, 99), way=st.sampled_from(["LINEAR", "STEP", "CUBICSPLINE"]),
    spread=st.sampled_from([1e-3, 0.3]), limit=st.sampled_from([1e-4, 1e-2, 0.5]),
    longer=st.sampled_from([0.0, 1e-3]),
)  # fmt: skip
def test_who_is_no_suspect_stretches_nothing_in_any_pose(rig, seed, way, spread, limit, longer):
    rotations = rig.nodes.rotations * (1.0 + longer)
    rig = replace(rig, nodes=replace(rig.nodes, rotations=rotations))
    rig = rescaled(rig, seed, spread, way)
    spared = np.setdiff1d(
        np.arange(len(rig.skins[0].joints)), suspects(measured(rig), 0, limit), assume_unique=True
    )
    assert np.all(ratios(rig, np.linspace(0.0, 2.0, 9))[spared] <= limit)


@given(
    rig=rigs.rigs(vertices=12, stretched=st.booleans(), bind_scale=1.0),
    seed=st.integers(0, 99), way=st.sampled_from(["LINEAR", "CUBICSPLINE"]),
    spreads=st.lists(st.sampled_from([0.0, 1e-5, 1e-4, 3e-4, 1e-2]), min_size=1, max_size=3),
)  # fmt: skip
def test_clips_that_cannot_stretch_more_than_the_rest_need_not_be_played(rig, seed, way, spreads):
    for number, spread in enumerate(spreads):
        rig = rescaled(rig, seed + number, spread, way)
    places = {0: range(len(rig.skins[0].joints))}
    found = stretches(measured(rig), places)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            stretch,
            "_bounds",
            lambda facts, _: np.full((len(facts.rig.joints), 1 + len(facts.rig.clips)), np.inf),
        )
        assert stretches(measured(rig), places) == found


def test_a_clip_that_scales_nothing_is_not_played(monkeypatch):
    rig = rescaled(rigs.make(rigs.Recipe(shape="chain")), 1, 0.0, "LINEAR")
    monkeypatch.setattr(stretch, "scan_times", None)
    found = stretches(measured(rig), {0: range(len(rig.skins[0].joints))})
    assert {worst.clip for worst in found[0].values()} == {None}


@pytest.mark.parametrize(("spread", "suspected"), [(1e-5, False), (0.3, True)])
def test_suspects_are_joints_whose_scales_differ_and_those_below(spread, suspected):
    rig = rescaled(rigs.make(rigs.Recipe(shape="chain")), 1, spread, "LINEAR")
    found = suspects(measured(rig), 0, 1e-4)
    assert bool(found) == suspected
    assert not suspected or found == np.flatnonzero(ratios(rig, (0.0, 1.0, 2.0)) > 1e-4).tolist()
