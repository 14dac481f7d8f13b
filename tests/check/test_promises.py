"""Fixes keep the promise of their class on random rigs: every clip, every method."""

import pytest
import rigs
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rigview.check.catalogue import RULES
from rigview.check.rule import Refused
from rigview.check.run import run

EXACT = [r.id for r in RULES if r.fix == "exact"]
ANY = rigs.rigs(
    vertices=12, joints=st.integers(3, 9), clips=1, morphs=st.integers(0, 1), prop=st.booleans(),
    mesh_transform=st.booleans(), helpers=st.booleans(), stretched=st.booleans(),
)  # fmt: skip


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(rig=ANY, turns=st.integers(0, 2**16))
def test_what_calls_itself_exact_moves_nothing_on_random_rigs(rig, turns):
    found = [f for f in run(rig, "thesis", select=EXACT).findings if f.fix.kind == "exact"]
    if not found:
        return
    finding = found[turns % len(found)]
    try:
        fixed = finding.fix.repair(rig)
    except Refused:
        pytest.fail("a fix that is offered can be made")
    worst = rigs.largest_difference(rig, fixed)
    assert max(worst.values()) <= 1e-5, (finding.rule, worst)
    again = {(f.rule, f.key) for f in run(fixed, "thesis", select=[finding.rule]).findings}
    assert (finding.rule, finding.key) not in again, finding.message


@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow])
@given(rig=ANY)
def test_every_rule_can_look_at_every_rig(rig):
    for finding in run(rig, "vrm").findings:
        assert finding.message
        if finding.fix.repair is not None:
            finding.fix.repair(rig)
