"""Opening a stage: nothing outside the file's folder, and what OpenUSD says becomes notes."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from pxr import Ar, Gf, Sdf, Tf, Usd, UsdUtils

from rigview.core.arrays import FloatArray
from rigview.io.inputs import note
from rigview.io.reading import LARGEST_NUMBER, LoadError, quoted

# A rig refers to a handful of other files.
_MOST_LAYERS = 1000
_MOST_WARNINGS = 3


class BadValueError(ValueError):
    """A value that cannot be used; its text is a sentence for the user."""


@contextmanager
def quiet(path: Path, notes: list[str]) -> Iterator[None]:
    """Turn OpenUSD's errors into one LoadError, and its warnings into notes instead of prints.

    Raises
    ------
    LoadError
        If OpenUSD raises an error.
    """
    delegate = UsdUtils.CoalescingDiagnosticDelegate()
    try:
        yield
    except Tf.ErrorException as error:
        raise LoadError(path, "", f"OpenUSD cannot read it: {_message(error)}") from None
    except UnicodeError:
        # Its Python module passes the file's bytes on as text.
        raise LoadError(path, "", "a text in it is not UTF-8") from None
    except BadValueError as error:
        raise LoadError(path, "", str(error)) from None
    except (TypeError, ValueError) as error:
        # A damaged layer holds values of other types than its schemas state, and OpenUSD hands them out.
        reason = "a value in it is not of the type or size that its schema states"
        raise LoadError(path, "", reason) from error
    finally:
        warnings = delegate.TakeUncoalescedDiagnostics()
    said = dict.fromkeys(_reason(warning.commentary) for warning in warnings)
    notes.extend(f"OpenUSD warns: {text}" for text in list(said)[:_MOST_WARNINGS])


def _message(error: Tf.ErrorException) -> str:
    try:
        return _reason(str(error))
    except UnicodeError:
        return "a text in it is not UTF-8"


def _reason(text: str) -> str:
    """Return the sentence in one of OpenUSD's errors, without the place in its source."""
    line = next((part.strip() for part in text.splitlines() if part.strip()), "no reason given")
    start = line.find(" : '")
    sentence = line[start + 4 :].rstrip("'") if start >= 0 else line
    return quoted(sentence.rstrip(". "))


def open_stage(path: Path) -> Usd.Stage:
    """Open a file with everything it refers to.

    Raises
    ------
    LoadError
        If something it refers to lies outside its folder.
    """
    known = Sdf.Layer.Find(str(path))
    if known is not None:
        known.Reload(force=True)  # the library keeps what it has read; the file may have changed
    layer = Sdf.Layer.FindOrOpen(str(path))
    if layer is None:
        raise LoadError(path, "", "OpenUSD cannot read it")
    _stay_inside(path, layer)
    stage = Usd.Stage.Open(layer)
    for used in stage.GetUsedLayers(includeClipLayers=True):
        if used.realPath:
            note(outer_file(used.realPath))
    return stage


def _stay_inside(path: Path, root: Sdf.Layer) -> None:
    """Refuse a file that would compose layers from elsewhere.

    Only those that lie inside are opened to look further.
    """
    folder = path.resolve().parent
    waiting, seen = [root], {root.identifier}
    while waiting:
        layer = waiting.pop()
        clips = _be_whole(path, layer)
        # What a layer refers to within itself has no name.
        for asset in filter(None, (*layer.GetCompositionAssetDependencies(), *clips)):
            target = layer.ComputeAbsolutePath(asset)
            if target in seen:
                continue
            seen.add(target)
            if not is_inside(folder, target):
                raise LoadError(path, "", f"it refers to {quoted(asset)}, outside its folder")
            if len(seen) > _MOST_LAYERS:
                raise LoadError(path, "", f"it refers to more than {_MOST_LAYERS} files")
            resolved = Ar.GetResolver().Resolve(target)
            found = Sdf.Layer.FindOrOpen(target) if resolved else None
            if found is not None:
                waiting.append(found)


def _be_whole(path: Path, layer: Sdf.Layer) -> list[str]:
    """Refuse a layer whose prims list children that do not exist: composing it ends the process.

    Only damage does that, and OpenUSD checks it nowhere.

    Returns
    -------
    What its value clips read, which OpenUSD does not count among the files it refers to.
    """
    waiting, assets = [layer.pseudoRoot], []
    while waiting:
        spec = waiting.pop()
        for key, join in (("primChildren", "AppendChild"), ("properties", "AppendProperty")):
            for name in spec.GetInfo(key) if spec.HasInfo(key) else ():
                whole = isinstance(name, str) and bool(name)
                found = whole and layer.GetObjectAtPath(getattr(spec.path, join)(name))
                if not found:
                    raise LoadError(
                        path, str(spec.path), f"{quoted(str(name))} in it does not exist"
                    )
                if key == "primChildren":
                    waiting.append(found)
        assets += _clip_assets(spec.GetInfo("clips") if spec.HasInfo("clips") else {})
    return assets


def _clip_assets(sets: dict[str, dict[str, Any]]) -> list[str]:
    """Return the files that some sets of value clips read; of numbered ones the pattern."""
    assets: list[str] = []
    for stated in sets.values():
        listed = (*stated.get("assetPaths", ()), stated.get("manifestAssetPath"))
        assets += [asset.path for asset in listed if asset]
        assets += [stated["templateAssetPath"]] if "templateAssetPath" in stated else []
    return assets


def outer_file(target: str) -> Path:
    """Return the file that a path of OpenUSD leads to, which may go on within a package."""
    return Path(target.partition("[")[0])


def is_inside(folder: Path, target: str) -> bool:
    """Tell whether a path of OpenUSD, which may lead into a package, is in a folder."""
    outer = outer_file(target)
    if "://" in target:
        return False
    try:
        return outer.is_absolute() and outer.resolve().is_relative_to(folder)
    except (OSError, RuntimeError, ValueError):
        return False


def floats(values: object) -> FloatArray:
    """Return an array of USD as 64-bit floats; some of what is no number warns when it is made wider."""
    with np.errstate(invalid="ignore"):
        return np.array(values, dtype=np.float64)


def matrices(values: list[Gf.Matrix4d]) -> FloatArray:
    """Return ``(n, 4, 4)`` matrices for column vectors.

    Raises
    ------
    BadValueError
        If a number is not finite, or larger than any program computes with.
    """
    result = floats(values).reshape(-1, 4, 4).swapaxes(-1, -2)
    if not np.all(np.abs(result) <= LARGEST_NUMBER):
        raise BadValueError("a matrix has a number that is not finite or too large")
    return result
