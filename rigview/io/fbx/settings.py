"""What a file says of itself: units, axes, frame rate, program."""

from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.core.rig import Origin
from rigview.io.fbx.objects import Element
from rigview.io.fbx.tree import Node

_CENTIMETRE = 0.01
# FBX SDK, FbxTime::EMode; 0 stands for the default of 30, 14 for CustomFrameRate.
_RATES = {
    1: 120.0,
    2: 100.0,
    3: 60.0,
    4: 50.0,
    5: 48.0,
    6: 30.0,
    7: 30.0,
    8: 30000.0 / 1001.0,
    9: 30000.0 / 1001.0,
    10: 25.0,
    11: 24.0,
    12: 1000.0,
    13: 24000.0 / 1001.0,
    15: 96.0,
    16: 72.0,
    17: 60000.0 / 1001.0,
    18: 120000.0 / 1001.0,
}
_CUSTOM_RATE = 14
# Ticks a second. FBX SDK 2020: files that state another time code definition than 127 count 141120000.
# Headers before 1004 know no time code definition.
_TICKS = 46186158000
_NEW_TICKS = 141120000
_OLD_DEFINITION = 127
_DEFINING_HEADER = 1004
_AXES = "XYZ"
# What is our right, up and towards the viewer.
_STATED_AXES = ("CoordAxis", "UpAxis", "FrontAxis")


@dataclass(frozen=True, eq=False)
class GlobalSettings:
    """How a file counts.

    Parameters
    ----------
    unit_m
        Metres a unit.
    axes
        ``(3, 3)`` ``ours_from_file``: a rotation, with −1 in place of a determinant of 1 where the
        file is left-handed.
    """

    unit_m: float
    axes: FloatArray
    fps: float
    ticks: float
    origin: Origin
    faults: tuple[str, ...] = ()

    @cached_property
    def mirrored(self) -> bool:
        """Whether the file's axes are left-handed."""
        return self.origin.handedness == "left"

    @cached_property
    def ours_from_file(self) -> FloatArray:
        """``(3, 3)`` what lengths in a node's own space are multiplied by.

        Metres for units; and in left-handed files x is reversed everywhere, so that all spaces
        become right-handed. The axes themselves are turned at the roots only: a joint's own axes
        stay what the rigger sees in the program that wrote the file.
        """
        return np.diag(self._lengths)

    @cached_property
    def _lengths(self) -> FloatArray:
        """``(3,)`` metres a unit along each axis, negative where an axis is reversed."""
        return np.array((-1.0 if self.mirrored else 1.0, 1.0, 1.0)) * self.unit_m

    def between_nodes(self, matrices: FloatArray) -> FloatArray:
        """Return ``(…, 4, 4)`` from one node's space to another's, the file's turned into ours."""
        return _scaled(matrices, self._lengths)

    def back_between_nodes(self, matrices: FloatArray) -> FloatArray:
        """Return what `between_nodes` turns into ``(…, 4, 4)`` matrices."""
        return _scaled(matrices, 1.0 / self._lengths)


def _scaled(matrices: FloatArray, lengths: FloatArray) -> FloatArray:
    """Return matrices between spaces whose axes are scaled by some lengths."""
    # Diagonal: a row is multiplied, a column divided by the length along its axis.
    result = matrices.copy()
    result[..., :3, :3] *= lengths[:, None] / lengths
    result[..., :3, 3] *= lengths
    return result


def read_settings(root: Node, version: int) -> GlobalSettings:
    """Read GlobalSettings and the header; what is absent or impossible takes FBX's default."""
    place = root.child("GlobalSettings")
    if place is None:
        block = root.child("Objects")
        place = None if block is None else block.child("GlobalSettings")
    faults: list[str] = []
    unit, axes, fps, up, mirrored = _CENTIMETRE, np.eye(3), 30.0, "Y", False
    if place is not None:
        stated = Element(place)
        unit = _unit(stated, faults)
        axes, up, mirrored = _axes(stated, faults)
        fps = _rate(stated, root)
    header = root.child("FBXHeaderExtension")
    origin = Origin(
        f"FBX {version // 1000}.{version % 1000 // 100}",
        generator=_generator(root, header),
        unit_m=unit,
        up=up,
        handedness="left" if mirrored else "right",
        fps=fps,
    )
    return GlobalSettings(unit, axes, fps, _ticks(header), origin, tuple(faults))


def _unit(stated: Element, faults: list[str]) -> float:
    factor = stated.number("UnitScaleFactor", 1.0)
    if not (np.isfinite(factor) and factor > 0.0):
        faults.append(f"the unit is {factor:g} cm, which is impossible: 1 cm is taken")
        factor = 1.0
    return factor * _CENTIMETRE


def _axes(stated: Element, faults: list[str]) -> tuple[FloatArray, str, bool]:
    """Return ``ours_from_file``, the up axis in words, and whether the axes are left-handed.

    Ours are +X right, +Y up and +Z towards the viewer; the file names its axis for each.
    """
    axes = [stated.integer(name, default) for default, name in enumerate(_STATED_AXES)]
    signs = [-1.0 if stated.integer(f"{name}Sign", 1) < 0 else 1.0 for name in _STATED_AXES]
    if sorted(axes) != [0, 1, 2]:
        faults.append("the axes are not three different ones: +Y up is taken")
        return np.eye(3), "Y", False
    result = np.zeros((3, 3))
    for row, (axis, sign) in enumerate(zip(axes, signs, strict=True)):
        result[row, axis] = sign
    up = f"-{_AXES[axes[1]]}" if signs[1] < 0.0 else _AXES[axes[1]]
    in_turn = (axes[1] - axes[0]) % 3 == 1
    return result, up, (prod(signs) < 0.0) == in_turn


def _rate(stated: Element, root: Node) -> float:
    if not stated.states("TimeMode"):
        old = root.child("Version5")
        old = None if old is None else old.child("Settings")
        place = None if old is None else old.child("FrameRate")
        word = "" if place is None else place.text()
        return float(word) if word.isdecimal() and int(word) > 0 else 30.0
    mode = stated.integer("TimeMode", 0)
    if mode == _CUSTOM_RATE:
        rate = stated.number("CustomFrameRate", 30.0)
        return rate if np.isfinite(rate) and 0.0 < rate <= 1e4 else 30.0
    return _RATES.get(mode, 30.0)


def _ticks(header: Node | None) -> float:
    version = None if header is None else header.child("FBXHeaderVersion")
    flags = None if header is None else header.child("OtherFlags")
    stated = None if flags is None else flags.child("TCDefinition")
    if version is None or stated is None or version.integer(0, 0) < _DEFINING_HEADER:
        return float(_TICKS)
    return float(_TICKS if stated.integer(0, _OLD_DEFINITION) == _OLD_DEFINITION else _NEW_TICKS)


def _generator(root: Node, header: Node | None) -> str:
    info = None if header is None else header.child("SceneInfo")
    if info is not None:
        stated = Element(info)
        words = [stated.text(f"LastSaved|Application{part}") for part in ("Name", "Version")]
        words = (
            words
            if words[0]
            else [stated.text(f"Original|Application{p}") for p in ("Name", "Version")]
        )
        if words[0]:
            return " ".join(word for word in words if word)
    for place in (header, root):
        creator = None if place is None else place.child("Creator")
        if creator is not None and creator.text():
            return creator.text()
    return ""
