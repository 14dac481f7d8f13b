"""Give copies of one sample one rig in the tests of a process.

Hundreds of tests open the same few samples. Rigs are values that keep what was computed of them: of a rig
that was measured before, a check takes a tenth of the time. Runs with --thorough read every file anew, and
so do tests that use the fixture `own_rigs`.
"""

import hashlib
from collections import OrderedDict
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

from rigview.check.measures import facts
from rigview.io.formats import FORMATS

_SAMPLES = Path(__file__).parents[1] / "samples"
_KEPT = 16


class _Facts(facts._Latest):
    """The facts of all rigs that are kept, also of those that a window has closed."""

    def drop_all_but(self, rig):
        pass


@cache
def _samples():
    return {_key(path) for path in _SAMPLES.rglob("*.glb")}


def _key(path):
    return hashlib.sha256(path.read_bytes()).digest()


def share_rigs():
    """Give copies of one sample one rig from now on."""
    row, rigs = next(row for row in FORMATS if row.name == "glTF"), OrderedDict()
    read = row.load

    def load(path, listener):
        loaded = read(path, listener)
        is_shared = isinstance(facts._LATEST, _Facts) and path.suffix.lower() == ".glb"
        if not is_shared or (key := _key(path)) not in _samples():
            return loaded
        rig = rigs.setdefault(key, loaded.rig)
        rigs.move_to_end(key)
        while len(rigs) > _KEPT:
            rigs.popitem(last=False)
        return replace(loaded, rig=rig)

    object.__setattr__(row, "load", load)
    facts._LATEST = _Facts(_KEPT)


@contextmanager
def own_rigs():
    """Read every file anew in a block, and keep of closed rigs what rigview keeps."""
    shared, facts._LATEST = facts._LATEST, facts._Latest(2)
    try:
        yield
    finally:
        facts._LATEST = shared
