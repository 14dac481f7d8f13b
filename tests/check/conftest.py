"""What tests of the checker share."""

import pytest

from rigview.core.deform import Deformer


@pytest.fixture
def skinned(monkeypatch):
    """How many vertices were skinned, call by call."""
    counts = []
    skin = Deformer._skin

    def counted(self, number, posed, method, options):
        counts.append(len(posed.positions))
        return skin(self, number, posed, method, options)

    monkeypatch.setattr(Deformer, "_skin", counted)
    return counts
