"""Files: ``load(path)`` reads any format of the table, ``save`` writes a repaired copy."""

from rigview.io.formats import FORMATS, Format, load, recognise, save, suffix_filter
from rigview.io.reading import Cancelled, Listener, Loaded, LoadError, SaveError

__all__ = [
    "FORMATS",
    "Cancelled",
    "Format",
    "Listener",
    "LoadError",
    "Loaded",
    "SaveError",
    "load",
    "recognise",
    "save",
    "suffix_filter",
]
