"""The new layer as a file: text, crate, or the first file of a package."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from pxr import Sdf, Usd, UsdUtils

from rigview.core.rig import Rig
from rigview.io.files import read_file
from rigview.io.reading import Listener, Notes, SaveError
from rigview.io.usd.amend.layer import amended
from rigview.io.usd.package import packed_files
from rigview.io.usd.reader import open_rig
from rigview.io.usd.references import file_of, is_inside
from rigview.io.usd.stage import quiet


def write_layer(
    path: Path,
    wanted: Rig,
    copy: Path,
    below: str | None,
    listener: Listener,
    earn: Callable[[int], object],
) -> None:
    """Write a layer over a file that makes it the wanted rig.

    Parameters
    ----------
    below
        By what name the layer refers to the file; empty for a package, None for one that stands alone.
    """
    notes = Notes()
    with quiet(path, notes):
        opened = open_rig(path, listener, notes, earn)
        earn(path.stat().st_size)
        stage = amended(opened, wanted)
        layer = stage.GetRootLayer()
        if below is None:
            layer = _flat(stage, copy.parent)
        elif below:
            layer.subLayerPaths[0] = below
        if below != "":
            _export(layer, copy)
            return
        copy.write_bytes(_package(path, layer))


def _export(layer: Sdf.Layer, file: Path) -> None:
    if not layer.Export(str(file)):
        raise SaveError("OpenUSD cannot write the layer")


def _flat(stage: Usd.Stage, folder: Path) -> Sdf.Layer:
    """Return all layers of a stage in one; images are named relative to a folder.

    Raises
    ------
    SaveError
        If an image is outside of the folder.
    """
    layer = stage.Flatten(addSourceFileComment=False)

    def relative(asset: str) -> str:
        file = file_of(asset)
        if not asset or not file.is_absolute():
            return asset
        if not is_inside(folder.resolve(), asset):
            raise SaveError(
                f"{file.name} is outside of the folder of the copy: save it beside the file"
            )
        below = file.resolve().relative_to(folder.resolve()).as_posix()
        return f"./{below}{asset[len(str(file)) :]}"

    UsdUtils.ModifyAssetPaths(layer, relative)
    return layer


def _package(path: Path, layer: Sdf.Layer) -> bytes:
    """Return a package with a new layer first and all that it held behind it, the bytes kept."""
    with zipfile.ZipFile(path) as package:
        held = [(info.filename, package.read(info)) for info in package.infolist()]
    names = {name for name, _ in held}
    root = held[0][0]
    stem, number = f"{Path(root).stem.removesuffix('.repaired')}.repaired", 1
    while f"{stem}.usdc" in names:
        number += 1
        stem = f"{Path(root).stem.removesuffix('.repaired')}.repaired{number}"
    layer.subLayerPaths[0] = f"./{root}"
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"{stem}.usdc"
        _export(layer, file)
        content = read_file(file)
    return packed_files([(f"{stem}.usdc", content), *held])
