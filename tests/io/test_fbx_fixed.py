"""Fix, save and check again: what a fix settles in an FBX file stays settled, and nothing new is found."""

import pytest

from rigview.check.applying.repair import repair
from rigview.check.catalogue import RULES
from rigview.check.run import run
from rigview.io import SaveError, load, save

# File → the rules whose fixes are refused there, and why.
REFUSED = {
    # Vertices without weight follow the mesh's node, which a fix moves.
    "ufbx+ufbx/data/blender_293_half_skinned_7400_binary.fbx": {},
    "bexide+BxUni-Dual-Quaternion-Skinning/Assets/Models/skinned_cube.fbx": {},
    "ufbx+ufbx/data/maya_game_sausage_7500_ascii_deform.fbx": {"HIE-GAP": "no node of the file"},
    "ufbx+ufbx/data/maya_dq_weights_7500_binary.fbx": {},
    "assimp+assimp/test/models/FBX/animation_with_skeleton.fbx": {},
}
# FBX has no order of joints and of influences: these fixes are accepted and change nothing.
ORDERS = {"HIE-ORDER", "WGT-SORT", "WGT-GHOST"}
# Measures of how skin deforms take long, and no fix is about them.
ASKED = [rule.id for rule in RULES if not rule.id.startswith("DEF-")]


def findings(rig):
    return run(rig, select=ASKED).findings


def found(rig):
    """Return (rule, object) of all findings."""
    return {(finding.rule, finding.object) for finding in findings(rig)}


@pytest.mark.thorough(keep=2)
@pytest.mark.corpus
@pytest.mark.parametrize("name", REFUSED)
def test_a_saved_fix_is_settled_and_nothing_new_is_found(corpus, tmp_path, name):
    loaded, out = load(corpus / "rigs" / name), tmp_path / "out.fbx"
    before = found(loaded.rig)
    rules = {f.rule for f in findings(loaded.rig) if f.fix.repair is not None}
    refused, saved = {}, 0
    for rule in sorted(rules):
        made = repair(loaded.rig, rules=[rule])
        if not made.applied:
            continue
        done = () if rule in ORDERS else made.applied
        settled = {(one.finding.rule, one.finding.object) for one in done}
        try:
            save(loaded, made.rig, out)
        except SaveError as error:
            refused[rule] = str(error)
            continue
        saved += 1
        copy = load(out)
        after = found(copy.rig)
        # What the fix itself brings up is not the file's doing.
        assert after <= before | found(made.rig), rule
        assert not (settled & after) - found(made.rig), rule
        again = tmp_path / "again.fbx"
        save(copy, copy.rig, again)
        assert again.read_bytes() == out.read_bytes()
    assert refused.keys() == REFUSED[name].keys()
    assert all(REFUSED[name][rule] in words for rule, words in refused.items())
    assert saved
