"""The review page skins as the core does: every method, read back in a browser, on many kinds of rigs."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import rigs
from rigs import Recipe

from rigview.app.arguments import rom_of
from rigview.app.loading import load
from rigview.app.review_page import PagePlan
from rigview.assets import SAMPLES
from rigview.core.deform import Deformer
from rigview.core.motion.range_of_motion import with_clip
from rigview.core.rig import Rig
from rigview.core.skinning import METHODS
from tests.chromium import Browser, chromium
from tests.firefox import Firefox, firefox
from tests.review_pages import PageBrowser, apart, middle_frames, open_page, page_of

# Of the character's size; of a unit normal, which direct delta mush fits to less.
POSITION, NORMAL = 1e-6, 1e-4


def sample_rig(name: str) -> Callable[[], Rig]:
    return lambda: load(SAMPLES / f"{name}.glb").rig


def made_rig(recipe: Recipe) -> Callable[[], Rig]:
    return lambda: rigs.make(recipe)


RIGS = {
    "arm": sample_rig("arm"),
    "unequal scale": sample_rig("broken/SCL-NONUNI"),
    # Parts with and without skin, in the mesh's own units, with morph targets that the clip moves.
    "morphs and a part without skin": made_rig(
        Recipe(seed=4, morphs=3, prop=True, clips=1, bind_scale=0.01, mesh_transform=True)
    ),
    "biped": sample_rig("biped"),
    "twisted far": sample_rig("candy"),
    "stretching": sample_rig("broken/BND-NONRIGID"),
    "mirrored": sample_rig("broken/BND-MIRROR"),
    "six influences": sample_rig("broken/WGT-COUNT"),
    "twelve influences": made_rig(Recipe(seed=5, joints=14, influences=12, clips=1)),
    "joints that scale": made_rig(
        Recipe(seed=8, clips=1, skins=2, animated=("translation", "rotation", "scale"))
    ),
    "257 joints": sample_rig("broken/HIE-LIMIT"),
}  # fmt: skip
MESH2MOTION = "Mesh2Motion+mesh2motion-app/static/models-variation"
MOMENTUM = "facebookincubator+momentum/momentum/test/resources"
QUATERNIUS = "trebeljahr+quaternius-showcase/public/glb"
USD_SKEL = "PixarAnimationStudios+OpenUSD/pxr/usd/usdSkel/testenv/testUsdSkelBakeSkinning"
GHOST = "KhronosGroup+glTF-Test-Assets-Interactivity/Models/Ghost/glTF-Binary/ghost_v2.glb"
KAYKIT = "KayKit-Game-Assets+KayKit-Character-Pack-Adventures-1.0/addons/kaykit_character_pack_adventures"
REAL = {
    "FBX": "ufbx+ufbx/data/maya_kenney_character_7700_binary.fbx",
    "FBX, moving morph targets": "ufbx+ufbx/data/blender_293_barbarian_7400_binary.fbx",
    "VRM, range of motion": "V-Sekai+godot-vrm/vrm_samples/Godette_vrm_v4.vrm",
    "USD": "usd-wg+assets/test_assets/USDZ/CesiumMan/CesiumMan.usdz",
    "USD, blend shapes": f"{USD_SKEL}/blendshapes.usda",
    "25,000 vertices, range of motion": f"{MESH2MOTION}/human-sintel.glb",
    "mirrored and crushed": f"{QUATERNIUS}/cyberpunk_pack/Enemy_2Legs_Gun.glb",
    "two sets of influences": f"{MOMENTUM}/mesh-not-combined.glb",
    "meshes in other units": GHOST,
    "knight": f"{KAYKIT}/Characters/gltf/Knight.glb",
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if chromium() is None:
        pytest.skip("Chromium is not installed")
    with Browser(400, 300) as browser:
        yield browser


@pytest.fixture(scope="module")
def other_browser() -> Iterator[Firefox]:
    if firefox() is None or shutil.which("xvfb-run") is None:
        pytest.skip("Firefox or xvfb-run is not installed")
    with Firefox() as browser:
        yield browser


def assert_skinned_alike(browser: PageBrowser, folder: Path, rig: Rig) -> None:
    deformer = Deformer(rig, "normalised")
    plan = PagePlan("rig.glb", rig.clips[-1:], 30.0, tuple(METHODS), worst=False)
    open_page(browser, folder, page_of(deformer, plan))
    for frame in middle_frames(browser):
        for method, off in apart(browser, deformer, plan, frame).items():
            assert off.position <= POSITION, (method, frame)
            assert off.normal <= NORMAL, (method, frame)


@pytest.mark.thorough(keep=3)
@pytest.mark.parametrize("kind", RIGS)
def test_the_page_skins_as_the_core_does(browser: Browser, tmp_path: Path, kind: str) -> None:
    browser.events.clear()
    assert_skinned_alike(browser, tmp_path, RIGS[kind]())
    assert browser.messages == []


@pytest.mark.thorough
@pytest.mark.corpus
@pytest.mark.parametrize("kind", REAL)
def test_the_page_skins_real_rigs_as_the_core_does(
    browser: Browser, tmp_path: Path, corpus: Path, kind: str
) -> None:
    browser.events.clear()
    rig = load(corpus / "rigs" / REAL[kind]).rig
    if "range of motion" in kind:
        rig = with_clip(rig, rom_of(rig).clip)
    assert_skinned_alike(browser, tmp_path, rig)
    assert browser.messages == []


@pytest.mark.thorough
@pytest.mark.parametrize("kind", RIGS)
def test_the_page_skins_as_the_core_does_in_firefox(
    other_browser: Firefox, tmp_path: Path, kind: str
) -> None:
    assert_skinned_alike(other_browser, tmp_path, RIGS[kind]())
