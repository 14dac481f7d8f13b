"""Real files of every format that is amended: a rig that nothing changed is saved as the file it was."""

import json
import re
import shutil
from collections import Counter
from dataclasses import replace

import pytest

from rigview.io import LoadError, SaveError, load, save

# Suffix → how many files of the corpus are saved at least. Those of 6.1 are refused among the FBX.
LEAST = {".gltf": 110, ".fbx": 60, ".glb": 40, ".vrm": 25, ".dae": 20, ".bvh": 11}


def made_anew(rig):
    """Return a rig of the same values of which no part is the same object."""
    clips = [
        replace(clip, channels=tuple(replace(channel) for channel in clip.channels))
        for clip in rig.clips
    ]
    meshes = [
        replace(
            mesh,
            primitives=tuple(replace(p, positions=p.positions.copy()) for p in mesh.primitives),
        )
        for mesh in rig.meshes
    ]
    return replace(
        rig,
        nodes=replace(rig.nodes, translations=rig.nodes.translations.copy()),
        meshes=tuple(meshes),
        skins=tuple(replace(skin) for skin in rig.skins),
        clips=tuple(clips),
    )


# Writing and reading again all FBX of the corpus takes 7 s.
SLOW = ".fbx", "of equal values"
HOW = {"as it was read": lambda rig: rig, "of equal values": made_anew}
CASES = [
    pytest.param(suffix, how, marks=pytest.mark.thorough if (suffix, how) == SLOW else ())
    for suffix in LEAST
    for how in HOW
]


def outcome(path, how, folder):
    """Save a file; return whether the copy has its bytes, or why there is none."""
    try:
        loaded = load(path)
        save(loaded, HOW[how](loaded.rig), folder / path.name)
    except LoadError:
        return "not read"
    except SaveError as error:
        assert not list(folder.iterdir())
        return "6.1" if "FBX 6.1 is not amended" in str(error) else f"{path}: {error}"
    return "same" if (folder / path.name).read_bytes() == path.read_bytes() else f"{path} differs"


@pytest.mark.corpus
@pytest.mark.parametrize(("suffix", "how"), CASES)
def test_every_file_is_saved_byte_for_byte(corpus, tmp_path, suffix, how):
    outcomes = Counter()
    for number, path in enumerate(sorted((corpus / "rigs").rglob(f"*{suffix}"))):
        folder = tmp_path / str(number)
        folder.mkdir()
        outcomes[outcome(path, how, folder)] += 1
        shutil.rmtree(folder)
    assert set(outcomes) <= {"same", "6.1", "not read"}
    assert outcomes["same"] >= LEAST[suffix]


def usd_files(corpus):
    entries = json.loads((corpus / "rigs/manifest.json").read_text(encoding="utf-8"))
    return [corpus / "rigs" / entry["path"] for entry in entries if entry["format"] == "usd"]


def composed(path):
    """Return all that OpenUSD composes of a file, without the names of the files that it is made of."""
    from pxr import Usd

    text = Usd.Stage.Open(str(path)).Flatten(addSourceFileComment=False).ExportToString()
    return re.sub(r"@[^@]*/", "@", text.replace(path.name, "FILE"))


def expect_empty_layer(source):
    """Expect a file of equal values to be a layer that states nothing, over the file."""
    from pxr import Sdf

    loaded, over = load(source), source.with_name(f"over{source.suffix}")
    save(loaded, made_anew(loaded.rig), over)
    layer, stated = Sdf.Layer.FindOrOpen(str(over)), []
    layer.Traverse("/", stated.append)
    assert [str(path) for path in stated] == ["/"]
    assert len(layer.subLayerPaths) == 1
    assert composed(over) == composed(source)


@pytest.mark.corpus
@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("share", range(15))
def test_every_usd_is_saved_byte_for_byte_and_below_an_empty_layer(corpus, tmp_path, share):
    pytest.importorskip("pxr", reason="needs rigview[usd]")
    own = usd_files(corpus)[share::15]
    assert own
    for path in own:
        folder = tmp_path / path.name
        shutil.copytree(path.parent, folder)
        source = folder / path.name
        loaded, same = load(source), source.with_name(f"same{source.suffix}")
        save(loaded, loaded.rig, same)
        assert same.read_bytes() == source.read_bytes()
        expect_empty_layer(source)
