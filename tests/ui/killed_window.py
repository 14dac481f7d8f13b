"""A window that is made to be killed: it brings back what was left, and then changes its rigs for ever.

``python killed_window.py FILE...``. It prints "back N" once it shows what was left behind, N changes in it
(0 where nothing was), and "kept N" when N changes are on disk.
"""

import os
import sys
from dataclasses import replace
from pathlib import Path

sys.path.append(str(Path(__file__).parent))

import numpy as np
from hands import opened_window, until

from rigview.core.deform import Deformer
from rigview.ui.app import make_application
from rigview.ui.settings import Settings


def tell(words):
    os.write(1, f"{words}\n".encode())


def reweighted(rig, number):
    """Return a rig with the weights of a vertex changed, so that all changes can be told apart."""
    part = rig.parts[0]
    old = rig.primitive(part)
    weights = np.array(old.influences.weights)
    weights[number % len(weights), 0] = 1.0 / (number + 2)
    influences = replace(old.influences, weights=weights)
    return rig.with_primitive(part.mesh, part.primitive, replace(old, influences=influences))


def wait_until_kept(bench, kept):
    """Wait until all that is open now is on disk."""
    for _ in range(2):
        # The first may be of a moment before.
        before = len(kept)
        bench.sessions.journal.stir()
        until(lambda before=before: len(kept) > before)


def main(files):
    make_application()
    settings = Settings()
    settings.write("autosave", 0.01)
    with opened_window(settings) as window:
        bench = window.bench
        bench.sessions.look_for_left()
        if bench.sessions.left is not None:
            assert bench.message.isVisible()
            bench.message.action.click()
            until(lambda: len(bench.rigs.rigs) == len(files))
            assert "Not all" not in bench.message.title.text() or bench.message.isHidden()
        else:
            bench.open_beside(files)
            until(lambda: len(bench.rigs.rigs) == len(files) and not bench.opener.is_busy)
        kept = []
        bench.sessions.journal.written.connect(lambda: kept.append(1))
        wait_until_kept(bench, kept)
        tell(f"back {bench.document.at} {bench.document.path.name} {bench.state.value.time:.3f}")
        while True:
            number = bench.document.at + 1
            bench.document.replace(
                Deformer(reweighted(bench.document.rig, number)), f"Change {number}"
            )
            bench.state.update(time=0.001 * number)
            wait_until_kept(bench, kept)
            tell(f"kept {number}")


main([Path(name) for name in sys.argv[1:]])
