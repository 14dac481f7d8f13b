"""The files that a layer names, and which of them may be read: those in the rig's folder.

OpenUSD opens whatever a layer names and asks nobody. So every file is checked before it is opened, and
its own layers are looked through before OpenUSD composes any of them.
"""

import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pxr import Ar, Sdf, Usd

from rigview.io.inputs import note
from rigview.io.reading import LoadError, quoted

# A rig refers to a handful of other files.
_MOST_LAYERS = 1000
# How a path begins that OpenUSD computes from variables.
_EXPRESSION = "`"
# Of value clips: where the number stands in the name of each file.
_NUMBER = "#"


def check_layers(path: Path, root: Sdf.Layer, earn: Callable[[int], object]) -> None:
    """Refuse a file that would compose layers from outside its folder, or damaged ones.

    Parameters
    ----------
    earn
        Called with the size of every further file, before it is read.

    Raises
    ------
    LoadError
        If it refers to something outside its folder, whatever arc, variant or clip does so.
    """
    folder = path.resolve().parent
    context = Ar.GetResolver().CreateDefaultContextForAsset(str(path))
    waiting, seen = [root], {root.identifier}
    with Ar.ResolverContextBinder(context):
        while waiting:
            layer = waiting.pop()
            clips = _check_children(path, layer)
            # What a layer refers to within itself has no name.
            for asset in filter(None, (*layer.GetCompositionAssetDependencies(), *clips)):
                found = _resolved(path, folder, layer, asset)
                if found is None or found[0] in seen:
                    continue
                target, size = found
                seen.add(target)
                if len(seen) > _MOST_LAYERS:
                    raise LoadError(path, "", f"it refers to more than {_MOST_LAYERS} files")
                earn(size)
                opened = Sdf.Layer.FindOrOpen(target)
                if opened is not None:
                    waiting.append(opened)


def check_used(path: Path, stage: Usd.Stage) -> None:
    """Refuse a stage that uses a layer outside its folder after all, whatever made it do so."""
    folder = path.resolve().parent
    for layer in stage.GetUsedLayers():
        if not layer.anonymous and not is_inside(folder, layer.realPath):
            raise _outside(path, layer.identifier)


def _resolved(path: Path, folder: Path, layer: Sdf.Layer, asset: str) -> tuple[str, int] | None:
    """Return the identifier and size of the file that a layer names; None where there is none."""
    if asset.startswith(_EXPRESSION):
        reason = f"it computes the name of a file, {quoted(asset)}, which rigview does not follow"
        raise LoadError(path, "", reason)
    target = layer.ComputeAbsolutePath(asset)
    name = Sdf.Layer.SplitIdentifier(target)[0]
    if "://" in name or (file_of(name).is_absolute() and not is_inside(folder, name)):
        raise _outside(path, asset)
    if _NUMBER in asset:
        _check_numbered(path, folder, file_of(name))
    found = str(Ar.GetResolver().Resolve(name))
    if not found:
        return None
    if not is_inside(folder, found):
        raise _outside(path, asset)
    note(file_of(found))
    facts = file_of(found).stat()
    if not stat.S_ISREG(facts.st_mode):
        raise LoadError(path, "", f"it refers to {_named(asset)}, a folder, device or pipe")
    return target, facts.st_size


def _outside(path: Path, asset: str) -> LoadError:
    return LoadError(path, "", f"it refers to {_named(asset)}, outside its folder")


def _named(asset: str) -> str:
    """Return a path for a message; of a long one its end says more than its beginning."""
    most = 60
    return quoted(asset if len(asset) <= most else f"…{asset[1 - most :]}")


def _check_numbered(path: Path, folder: Path, pattern: Path) -> None:
    """Note the numbered files of value clips, and refuse them where one is a link that leads outside."""
    parts = pattern.name.split(_NUMBER)
    first, last = parts[0], parts[-1]
    for entry in pattern.parent.iterdir() if pattern.parent.is_dir() else ():
        named = entry.name.startswith(first) and entry.name.endswith(last)
        if named and not is_inside(folder, str(entry)):
            raise _outside(path, entry.name)
        if named:
            note(entry)


def is_inside(folder: Path, target: str) -> bool:
    """Return whether a path of OpenUSD, which may lead into a package, is in a folder.

    Links are followed.
    """
    outer = file_of(target)
    if "://" in target:
        return False
    try:
        return outer.is_absolute() and outer.resolve().is_relative_to(folder)
    except (OSError, RuntimeError, ValueError):
        return False


def file_of(target: str) -> Path:
    """Return the file of a path that may lead into a package."""
    if Ar.IsPackageRelativePath(target):
        target = Ar.SplitPackageRelativePathOuter(target)[0]
    return Path(target)


def _check_children(path: Path, layer: Sdf.Layer) -> list[str]:
    """Refuse a layer whose specs list children that do not exist: composing it ends the process.

    Only damage does that, and OpenUSD checks it nowhere.

    Returns
    -------
    What its value clips read, also those in variants, which OpenUSD does not count among the files
    that a layer refers to.
    """
    waiting, assets = [layer.pseudoRoot], []
    while waiting:
        spec = waiting.pop()
        for child, goes_on in _children(spec):
            found = layer.GetObjectAtPath(child) if child else None
            if not found:
                name = quoted(child.name or child.pathString) if child else "a child"
                raise LoadError(path, str(spec.path), f"{name} in it does not exist")
            if goes_on:
                waiting.append(found)
        assets += _clip_assets(spec.GetInfo("clips") if spec.HasInfo("clips") else {})
    return assets


def _children(spec: Sdf.Spec) -> Iterator[tuple[Sdf.Path | None, bool]]:
    """Yield the paths of what a prim, variant set or variant lists, and whether that lists more.

    None stands for a name that is none.
    """
    at: Sdf.Path = spec.path
    if isinstance(spec, Sdf.VariantSetSpec):
        for name in _listed(spec, "variantChildren"):
            owner = at.GetParentPath()
            yield (None if not name else owner.AppendVariantSelection(spec.name, name)), True
        return
    for name in _listed(spec, "primChildren"):
        yield (None if not name else at.AppendChild(name)), True
    for name in _listed(spec, "properties"):
        yield (None if not name else at.AppendProperty(name)), False
    for name in _listed(spec, "variantSetChildren"):
        yield (None if not name else at.AppendVariantSelection(name, "")), True


def _listed(spec: Sdf.Spec, key: str) -> Iterator[str]:
    for name in spec.GetInfo(key) if spec.HasInfo(key) else ():
        yield name if isinstance(name, str) else ""


def _clip_assets(sets: dict[str, Any]) -> list[str]:
    """Return the files that some sets of value clips read; of numbered ones the pattern.

    What is of another type than it should be OpenUSD does not read.
    """
    assets: list[str] = []
    for stated in (found for found in sets.values() if isinstance(found, dict)):
        listed = stated.get("assetPaths")
        listed = listed if isinstance(listed, Sdf.AssetPathArray) else ()
        assets += [asset.path for asset in listed]
        if isinstance(manifest := stated.get("manifestAssetPath"), Sdf.AssetPath):
            assets.append(manifest.path)
        if isinstance(pattern := stated.get("templateAssetPath"), str):
            assets.append(pattern)
    return assets
