"""A walk of motion capture on characters of every format: their limbs point where the motion's do."""

import numpy as np
import pytest

from rigview.app.retargeting import retarget_clips
from rigview.core.pose import model_from_nodes, sample
from rigview.io import load, save

WALK = "VictorS-67+pybvh/bvh_data/cmu_12_01_walk.bvh"
LIMBS = {"upper_arm", "lower_arm", "upper_leg", "lower_leg"}
CHARACTERS = {
    "FBX": "ufbx+ufbx/data/maya_kenney_character_7700_binary.fbx",
    "GLB": "godotengine+godot-demo-projects/3d/ragdoll_physics/characters/mannequiny.glb",
    "USDZ": "usd-wg+assets/test_assets/USDZ/CesiumMan/CesiumMan.usdz",
    "DAE": "guillaumeblanc+ozz-animation/media/collada/pab/skeleton.dae",
    "BVH": "eth-ait+aitviewer/examples/resources/bvh/sample.bvh",
}


@pytest.mark.corpus
@pytest.mark.parametrize("name", CHARACTERS)
def test_a_walk_is_played_by_characters_of_every_format(corpus, tmp_path, name):
    motion, loaded = (load(corpus / "rigs" / path) for path in (WALK, CHARACTERS[name]))
    done = retarget_clips(motion.rig, loaded.rig)
    parts = done.mapping.parts
    limbs = [error for error in done.made.errors if parts.get(error.joint) in LIMBS]
    assert len(limbs) == 8
    assert max(error.degrees for error in limbs) < 1e-3
    # Whoever walks goes several times the length of a leg, and keeps the ground.
    rig, clip = done.made.rig, done.made.clips[0]
    body = done.mapping.matches.keys()
    feet = [joint for joint in body if parts.get(joint) == "foot"]
    places = model_from_nodes(rig, sample(rig, clip, clip.key_times[::20]))[:, feet, :3, 3]
    assert np.isfinite(places).all()
    out = tmp_path / "out.glb"
    save(loaded, rig, out)
    again = load(out).rig
    assert again.clip_names[-1] == clip.name
    names = [rig.nodes.label(joint) for joint in feet]
    saved = model_from_nodes(again, sample(again, again.clips[-1], clip.key_times[::20]))
    found = saved[:, [again.nodes.names.index(n) for n in names], :3, 3]
    np.testing.assert_allclose(found, places, atol=1e-4 * np.ptp(places))
