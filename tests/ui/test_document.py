"""The document's steps: many of them keep the rigs, and ready for skinning only those near the present."""

from dataclasses import replace

import rigs

from rigview.core.deform import Deformer
from rigview.io import Loaded
from rigview.ui.document import READY, Document


def test_undo_comes_back_to_every_rig_and_far_steps_keep_nothing_that_is_computed(qapp):
    first = rigs.tidy()
    document = Document()
    document.open(Loaded(None, first, b""), Deformer(first))
    made = [first]
    for number in range(2 * READY):
        rig = replace(made[-1], hidden=frozenset({number}))
        deformer = Deformer(rig)
        assert len(deformer.bindings) == 1
        document.replace(deformer, f"step {number}")
        made.append(rig)
    ready = 0
    for rig in reversed(made):
        assert document.rig is rig
        ready += "bindings" in vars(document.deformer)
        document.undo()
    assert ready == READY + 1
