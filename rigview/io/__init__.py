"""Files: ``load(path)`` reads any format of the table, ``save`` writes a repaired copy."""

from rigview.io.formats import (
    FORMATS,
    Format,
    expect_writable,
    formats,
    is_amended,
    is_layer_over,
    load,
    proposed,
    recognise,
    save,
    suffix_filter,
    unstated_in,
    writer,
    written_suffixes,
)
from rigview.io.overrides import Overrides
from rigview.io.reading import Cancelled, Listener, Loaded, LoadError, SaveError

__all__ = [
    "FORMATS",
    "Cancelled",
    "Format",
    "Listener",
    "LoadError",
    "Loaded",
    "Overrides",
    "SaveError",
    "expect_writable",
    "formats",
    "is_amended",
    "is_layer_over",
    "load",
    "proposed",
    "recognise",
    "save",
    "suffix_filter",
    "unstated_in",
    "writer",
    "written_suffixes",
]
