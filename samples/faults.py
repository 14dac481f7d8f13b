"""The broken samples: one small rig per rule, sound but for the one fault that the rule is about.

The faults that later rules are about are in `faults_skeleton`, `faults_skin` and `faults_motion`. Where a
fault has a size, the function takes it, so that tests can ask for one within the limit.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import faults_motion  # noqa: F401 - adds its faults
import faults_skeleton  # noqa: F401
import faults_skin  # noqa: F401
import quaternions as qt
from draft import LENGTH, Draft, draft, turn_frame, written
from fault import FAULTS, fault

__all__ = ["FAULTS", "draft", "written"]


@fault("MSH-READ")
def msh_read() -> bytes:
    """Return a rig whose texture is not there."""
    rig = draft()

    def lose(document: dict[str, Any], _nodes: list[int]) -> None:
        document["images"] = [{"name": "Skin", "uri": "missing.png"}]
        document["textures"] = [{"source": 0}]
        surface = document["materials"][0]["pbrMetallicRoughness"]
        surface["baseColorTexture"] = {"index": 0}

    rig.change = lose
    return written(rig)


@fault("HIE-CYCLE")
def hie_cycle() -> bytes:
    """Return a rig whose upper joint has two parents."""
    rig = draft()

    def adopt(document: dict[str, Any], nodes: list[int]) -> None:
        document["nodes"][nodes[0]]["children"].append(nodes[2])

    rig.change = adopt
    return written(rig)


@fault("HIE-OOB")
def hie_oob() -> bytes:
    """Return a rig whose last ring of vertices names a joint that the skin does not have."""
    rig = draft()
    top = rig.positions[:, 1] > LENGTH - 1e-6
    rig.joints[top, 0] = 9
    return written(rig)


@fault("HIE-PARENT")
def hie_parent() -> bytes:
    """Return a rig whose skeleton hangs under a node that is moved, and whose mesh does not."""
    rig = draft()
    rig.armature = {"translation": [0.0, 0.5, 0.0]}
    rig.apart = {}
    return written(rig)


@fault("HIE-ORDER")
def hie_order() -> bytes:
    """Return a rig that lists the second joint before the first."""
    rig = draft()
    rig.listed = [1, 0, 2, 3]
    return written(rig)


@fault("ORI-PRIMARY", within={"degrees": 4.0})
def ori_primary(degrees: float = 34.0) -> bytes:
    """Return a rig whose second joint's frame is turned off its bone, bind and keys to match."""
    rig = draft()
    turn_frame(rig, 1, qt.about((0.0, 0.0, 1.0), degrees))
    return written(rig)


@fault("SCL-INHERIT")
def scl_inherit() -> bytes:
    """Return a rig in centimetres under an armature of 0.01, cancelled in the bind."""
    rig = draft()
    rig.armature = {"scale": [0.01, 0.01, 0.01]}
    rig.translations *= 100.0
    assert rig.binds is not None
    rig.binds[:, :3] *= 100.0
    return written(rig)


@fault("SCL-SKIN")
def scl_skin() -> bytes:
    """Return a rig whose mesh was attached at 1.04 times the skeleton's size."""
    rig = draft()
    rig.positions = rig.positions / 1.04
    assert rig.binds is not None
    rig.binds[:, :3, :3] *= 1.04
    return written(rig)


@fault("SCL-NEG")
def scl_neg() -> bytes:
    """Return a rig whose tip is mirrored on two axes, which is a half turn in disguise."""
    rig = draft()
    rig.scales[3] = (-1.0, -1.0, 1.0)
    assert rig.binds is not None
    rig.binds[3] = np.diag([-1.0, -1.0, 1.0, 1.0]) @ rig.binds[3]
    return written(rig)


@fault("BND-MISSING")
def bnd_missing() -> bytes:
    """Return a rig without inverse bind matrices: its mesh is stated in the root's own space."""
    rig = draft()
    rig.binds = None
    return written(rig)


@fault("BND-COUNT")
def bnd_count() -> bytes:
    """Return a rig with three inverse bind matrices for four joints."""
    rig = draft()
    assert rig.binds is not None
    rig.binds = rig.binds[:3]
    return written(rig)


def _top_ring(rig: Draft) -> NDArray[np.int64]:
    """Return a few vertices near the top."""
    return np.flatnonzero(rig.positions[:, 1] > LENGTH - 1e-6)[:5]


@fault("WGT-SUM")
def wgt_sum() -> bytes:
    """Return a rig with five vertices whose weights add up to 0.88."""
    rig = draft()
    rig.weights[_top_ring(rig)] *= 0.88
    return written(rig)


@fault("WGT-ZERO")
def wgt_zero() -> bytes:
    """Return a rig with five vertices that no joint moves."""
    rig = draft()
    rig.weights[_top_ring(rig)] = 0.0
    return written(rig)


@fault("WGT-RANGE")
def wgt_range() -> bytes:
    """Return a rig with five vertices of weights 1.25 and −0.25."""
    rig = draft()
    top = _top_ring(rig)
    rig.joints[top, :2] = (3, 2)
    rig.weights[top] = (1.25, -0.25, 0.0, 0.0)
    return written(rig)
