"""Files that a USD refers to: those in its folder are read, no other is, whatever refers to it."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from survival import refusal

from rigview.io import Listener, LoadError, load

pxr = pytest.importorskip("pxr", reason="needs rigview[usd]")
from pxr import Sdf, Usd  # noqa: E402

from rigview.io.usd.reader import read  # noqa: E402

# What stands outside: a prim at (7, 0, 0), also as a value clip.
SECRET = """#usda 1.0
(
    defaultPrim = "Prop"
)
def Xform "Prop"
{
    double3 xformOp:translate.timeSamples = { 1: (7, 0, 0) }
    uniform token[] xformOpOrder = ["xformOp:translate"]
}
"""
PROP = """def Xform "Prop" ({metadata}
)
{{
    double3 xformOp:translate
    uniform token[] xformOpOrder = ["xformOp:translate"]
    {inside}
}}
"""
CLIPS = """
    clips = {
        dictionary default = {
            string primPath = "/Prop"
            asset[] assetPaths = [@FILE@]
            double2[] active = [(1, 0)]
            double2[] times = [(1, 1)]
        }
    }"""
NUMBERED = """
    clips = {
        dictionary default = {
            string primPath = "/Prop"
            string templateAssetPath = "NUMBERED"
            double templateStartTime = 1
            double templateEndTime = 1
            double templateStride = 1
        }
    }"""
MANIFEST = CLIPS.replace("asset[] assetPaths = [@FILE@]", "asset manifestAssetPath = @FILE@")


def prop(metadata="", inside=""):
    return "#usda 1.0\n" + PROP.format(metadata=metadata, inside=inside)


def variant(metadata="", inside=""):
    """Return a prim whose chosen variant has that metadata."""
    chosen = '\n    variants = {\n string v = "on"\n }\n    prepend variantSets = "v"'
    return prop(chosen, f'variantSet "v" = {{\n "on" ({metadata}\n) {{\n {inside}\n }}\n }}')


def deeper(metadata):
    """Return such a variant within a variant, in a child."""
    inner = variant(metadata).removeprefix("#usda 1.0\n").replace('"Prop"', '"Child"')
    return variant("", inner)


REFERENCE, PAYLOAD = "\n    references = @FILE@", "\n    payload = @FILE@"
NAMING = {
    "a reference": prop(REFERENCE),
    "a payload": prop(PAYLOAD),
    "a sublayer": "#usda 1.0\n(\n    subLayers = [@FILE@]\n)\n",
    "clips": prop(CLIPS),
    "the manifest of clips": prop(MANIFEST),
    "numbered clips": prop(NUMBERED),
    "a reference in a variant": variant(REFERENCE),
    "a payload in a variant": variant(PAYLOAD),
    "clips in a variant": variant(CLIPS),
    "numbered clips in a variant": variant(NUMBERED),
    "a reference in a variant of a variant": deeper(REFERENCE),
    "clips in a variant of a variant": deeper(CLIPS),
    "clips of an inherited class": prop("\n    inherits = </_class>")
    + f'class "_class" ({CLIPS}\n)\n{{\n}}\n',
    "a reference of an inherited class": prop("\n    inherits = </_class>")
    + f'class "_class" ({REFERENCE}\n)\n{{\n}}\n',
}


def written(folder, text, file, numbered, name="scene.usda"):
    path = folder / name
    path.write_text(text.replace("FILE", file).replace("NUMBERED", numbered), encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path):
    """A folder with a file outside it, of either kind of name."""
    (tmp_path / "inside").mkdir()
    for name in ("secret.usda", "secret.1.usda"):
        (tmp_path / name).write_text(SECRET, encoding="utf-8")
    return tmp_path / "inside"


def refused(path, name):
    """Read a file in this process, which is quicker, and see that it is refused."""
    with pytest.raises(LoadError) as told:
        read(path, Listener())
    error = told.value
    assert error.reason.endswith("outside its folder"), error.reason
    assert name in error.reason


@pytest.mark.parametrize("naming", NAMING)
def test_no_arc_variant_or_clip_reads_outside_the_folder(naming, folder):
    text = NAMING[naming]
    refused(written(folder, text, "../secret.usda", "../secret.#.usda"), "../secret.")
    outside = str(folder.parent / "secret")
    refused(written(folder, text, f"{outside}.usda", f"{outside}.#.usda", "b.usda"), "secret.")


@pytest.mark.parametrize("naming", NAMING)
def test_what_the_same_names_inside_the_folder_is_read(naming, folder):
    for name in ("secret.usda", "secret.1.usda"):
        (folder / name).write_text(SECRET, encoding="utf-8")
    path = written(folder, NAMING[naming], "./secret.usda", "./secret.#.usda")
    rig = read(path, Listener()).rig
    if "manifest" not in naming:
        assert 7.0 in np.round(rig.nodes.translations[:, 0] / rig.origin.unit_m, 6)


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
@pytest.mark.parametrize("naming", NAMING)
def test_a_link_inside_the_folder_that_leads_outside_is_not_followed(naming, folder):
    for name in ("secret.usda", "secret.1.usda"):
        (folder / name).symlink_to(folder.parent / name)
    refused(written(folder, NAMING[naming], "./secret.usda", "./secret.#.usda"), "secret")


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
@pytest.mark.parametrize(
    "name", ["./secret.usda:SDF_FORMAT_ARGS:target=usd", "./a[b/secret.usda", "a[b/secret.usda"]
)
def test_no_odd_name_hides_a_link_that_leads_outside(name, folder):
    (folder / "secret.usda").symlink_to(folder.parent / "secret.usda")
    (folder / "a[b").symlink_to(folder.parent)
    refused(written(folder, NAMING["a reference"], name, ""), "secret.usda")


@pytest.mark.parametrize("naming", ["a reference", "a sublayer", "clips in a variant"])
def test_a_name_that_variables_make_is_refused(naming, folder):
    text = NAMING[naming]
    path = written(folder, text, '`"${UP}/secret.usda"`', "")
    variables = '#usda 1.0\n(\n    expressionVariables = {\n string UP = ".."\n }\n'
    text = path.read_text(encoding="utf-8")
    whole = "#usda 1.0\n(\n" in text
    start = "#usda 1.0\n(\n" if whole else "#usda 1.0\n"
    path.write_text(variables + ("" if whole else ")\n") + text.removeprefix(start))
    error = refusal(path)
    assert error is not None
    assert error.reason.startswith("it computes the name of a file, `")


def test_files_of_the_working_directory_are_not_found(folder, monkeypatch):
    elsewhere = folder.parent / "elsewhere"
    (elsewhere / "parts").mkdir(parents=True)
    (elsewhere / "parts" / "secret.usda").write_text(SECRET, encoding="utf-8")
    path = written(folder, NAMING["a reference"], "parts/secret.usda", "")
    monkeypatch.chdir(elsewhere)
    assert "refers to parts/secret.usda, outside its folder" in str(refusal(path))
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PXR_AR_DEFAULT_SEARCH_PATH", str(elsewhere))
    assert load(path).rig.nodes.names == ("Prop",)


def test_a_package_reads_nothing_beside_it(folder):
    written(folder, NAMING["clips in a variant"], str(folder.parent / "secret.usda"), "")
    package = folder / "scene.usdz"
    # OpenUSD 25.05 has it in Usd.
    package_writer = getattr(Sdf, "ZipFileWriter", None) or Usd.ZipFileWriter
    with package_writer.CreateNew(str(package)) as writer:
        writer.AddFile(str(folder / "scene.usda"), "scene.usda")
    assert str(refusal(package)).endswith("secret.usda, outside its folder")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_pipe_in_the_folder_is_not_waited_for(folder):
    os.mkfifo(folder / "pipe.usda")
    error = refusal(written(folder, NAMING["a reference"], "./pipe.usda", ""))
    assert "./pipe.usda, a folder, device or pipe" in error.reason


def test_openusd_is_never_loaded_into_the_process_that_asks(folder):
    script = (
        "import sys\nfrom rigview.io import load\nload(sys.argv[1])\n"
        "print(sum(name.split('.')[0] == 'pxr' for name in sys.modules))"
    )
    path = folder.parent / "secret.usda"
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "0\n"


def test_a_file_keeps_the_name_by_which_it_was_asked_for(folder, monkeypatch):
    written(folder, NAMING["a reference"], "./parts.usda", "")
    (folder / "parts.usda").write_text(SECRET, encoding="utf-8")
    monkeypatch.chdir(folder)
    loaded = load("scene.usda")
    assert loaded.path == Path("scene.usda")
    assert [path.name for path in loaded.files] == ["scene.usda", "parts.usda"]
