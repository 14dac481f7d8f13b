"""Palettes: matrices split the same way whatever noise is on them, one pose or many."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import given
from hypothesis import strategies as st

from rigview.core import quat
from rigview.core.methods import palette
from rigview.core.pose import model_from_nodes, rest_pose, sample

seeds = st.integers(0, 2**32 - 1)


def palette_of(rig, pose):
    return palette.of_skin(rig, 0, pose, model_from_nodes(rig, pose))


def apart(q, p):
    return np.minimum(np.linalg.norm(q - p, axis=-1), np.linalg.norm(q + p, axis=-1))


@given(rig=rigs.rigs(mirrored=st.booleans(), stretched=st.booleans()))
def test_rotation_and_stretch_make_up_the_matrix(rig):
    of = palette_of(rig, rest_pose(rig))
    linear = quat.to_matrix(of.rotations) @ of.stretches
    assert np.abs(linear - of.matrices[:, :3, :3]).max() <= 1e-12 * np.abs(linear).max()


@given(rig=rigs.rigs(clips=1, mirrored=st.booleans(), animated=("rotation", "scale")))
def test_many_poses_at_once_are_the_same_as_one_by_one(rig):
    times = np.linspace(0.0, 2.0, 7)
    poses = sample(rig, rig.clips[0], times)
    stack = palette_of(rig, poses)
    for i, time in enumerate(times):
        one = palette_of(rig, sample(rig, rig.clips[0], float(time)))
        for name in ("matrices", "dual_quaternions", "stretches"):
            assert np.array_equal(getattr(stack[i], name), getattr(one, name)), name


def scaled_chain(scale):
    """Return a rig whose second joint has a scale, bound at rest without it."""
    rig = rigs.make(rigs.Recipe(seed=4, joints=4, shape="chain"))
    joint = rig.skins[0].joints[1]
    return rigs.with_nodes(rig, scales=rigs.with_row(rig.nodes.scales, joint, scale))


@pytest.mark.parametrize(
    "scale", [(-1, 1, 1), (1, -1, 1), (1, 1, -1), (-1, -1, -1), (1, 1, 0), (0, 1, 1), (0, 0, 0)]
)
@given(seed=seeds)
def test_noise_on_a_mirrored_or_crushed_joint_does_not_turn_it(scale, seed):
    rig = scaled_chain(scale)
    steady = palette_of(rig, rest_pose(rig))
    noise = 1e-9 * np.random.default_rng(seed).uniform(-1, 1, (len(rig.nodes), 3))
    # Noise on a scale of exactly zero would be a scale of its own.
    noise[rig.nodes.scales == 0.0] = 0.0
    noisy = palette_of(rig, replace(rest_pose(rig), scales=rig.nodes.scales + noise))
    assert apart(noisy.rotations, steady.rotations).max() < 1e-6


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_mirrored_joint_is_turned_as_it_would_be_unmirrored(axis):
    plain = scaled_chain((1.0, 1.0, 1.0))
    rig = scaled_chain(np.where(np.arange(3) == axis, -1.0, 1.0))
    rotations = palette_of(rig, rest_pose(rig)).rotations
    assert apart(rotations, palette_of(plain, rest_pose(plain)).rotations).max() <= 1e-12


@given(rig=rigs.rigs(mirrored=True, clips=1, animated=("rotation", "translation")))
def test_a_mirrored_joint_turns_continuously(rig):
    clip = rig.clips[0]
    times = np.linspace(clip.start, clip.end, 9)
    for time in times[1:-1]:
        before, after = (palette_of(rig, sample(rig, clip, t)) for t in (time, time + 1e-7))
        moved = np.abs(before.matrices - after.matrices)[:, :3, :3].max(initial=0.0)
        steps = [c for c in clip.channels if c.sampler.interpolation == "STEP"]
        if moved < 1e-4 or not steps:
            assert apart(before.rotations, after.rotations).max() <= 100.0 * moved + 1e-9


def test_a_palette_is_rigid_up_to_rounding():
    rng = np.random.default_rng(1)
    matrices = np.stack([rigs.random_rigid(rng) for _ in range(5)])
    assert palette.of_matrices(matrices).rigid
    matrices[2, :3, :3] *= 1.0 + 1e-7
    assert palette.of_matrices(matrices).rigid
    matrices[2, :3, :3] *= 1.0 + 1e-5
    assert not palette.of_matrices(matrices).rigid
