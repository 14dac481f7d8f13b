"""Open a stage, turn what OpenUSD says into notes, and its values into arrays."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from pxr import Gf, Sdf, Tf, Usd, UsdUtils

from rigview.core.arrays import FloatArray
from rigview.io.reading import LARGEST_NUMBER, LoadError, quoted
from rigview.io.usd.references import check_layers, check_used

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


def open_stage(path: Path, earn: Callable[[int], object] = int) -> Usd.Stage:
    """Open a file with everything it refers to.

    Parameters
    ----------
    earn
        Called with the size of every further file, before it is read.

    Raises
    ------
    LoadError
        If something it refers to lies outside its folder.
    """
    layer = Sdf.Layer.FindOrOpen(str(path))
    if layer is None:
        raise LoadError(path, "", "OpenUSD cannot read it")
    check_layers(path, layer, earn)
    stage = Usd.Stage.Open(layer)
    check_used(path, stage)
    return stage


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
