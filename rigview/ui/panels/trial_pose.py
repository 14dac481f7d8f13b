"""The trial pose of the selected joint: bend and twist with bars, or Euler angles; nothing is saved."""

import math
from functools import partial

import numpy as np
from PySide6.QtCore import QTimer, Signal

from rigview.core.arrays import FloatArray
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.motion.bone_turns import (
    BoneTurn,
    bone_axis,
    bone_turn,
    square_axis,
    trial_for,
    trial_to,
)
from rigview.core.motion.joint_axes import JointAxes
from rigview.ui.joint_ranges import are_known, usual_axes
from rigview.ui.stage import Stage
from rigview.ui.view_state import State
from rigview.ui.widgets import theme
from rigview.ui.widgets.angle_bar import AngleBar
from rigview.ui.widgets.controls import Button, SegmentedControl, Tick
from rigview.ui.widgets.fields import Number
from rigview.ui.widgets.headings import Section
from rigview.ui.widgets.layout import column, label, row
from rigview.ui.widgets.words import tr

_AXES = ("x", "y", "z")
_SNAP = 5.0
_NONE = (0.0, 0.0, 0.0)


class TrialPose(Section):
    """Section of the Inspector; `keep_asked` asks to add the pose on show to the worst poses."""

    keep_asked = Signal()

    def __init__(self, stage: Stage, state: State) -> None:
        self._stage, self._state = stage, state
        # The last axis that the joint was bent about: a drag through 0 goes on about it.
        self._hinge: tuple[int, FloatArray] | None = None
        self.under = label("", "text3", theme.SMALL)
        self.bend, self.bend_field = self._bar("Bend", "z")
        self.twist, self.twist_field = self._bar("Twist", "y")
        self.hint = label("lighter: the usual range", "text3", theme.SMALL)
        self._bars = column(
            row(label("Bend", "text2"), (self.bend, 1), self.bend_field),
            row(label("Twist", "text2"), (self.twist, 1), self.twist_field),
            self.hint,
            spacing=4,
        )
        self.euler = self._euler_fields()
        self._angles = row(*self.euler, spacing=4)
        self.split = SegmentedControl(("Bend, twist", "Euler"), 0, "Angles of the trial pose")
        self.split.chosen.connect(self._choose)
        self.snap = Tick("Snap")
        self.step = Number("°", 0, step=0.2, name="Step of the bars while they snap")
        self.step.setRange(1.0, 90.0)
        self.step.show_value(_SNAP)
        self.step.setFixedWidth(48)
        self.keep = Button("Add to worst poses", tip="Keep the pose on show as a tried pose")
        self.back = Button("Take back", kind="ghost", tip="Take all trial rotations back")
        self.back.clicked.connect(self._take_back)
        body = column(
            self.under,
            self._bars,
            self._angles,
            row(self.split, None, self.snap, self.step),
            row(self.keep, self.back, None),
            spacing=5,
        )
        super().__init__("Trial pose", body)
        self.keep.clicked.connect(self.keep_asked)
        # The usual ranges of a new rig are found when the window has had its turn.
        self._finding = QTimer(self)
        self._finding.setSingleShot(True)
        self._finding.timeout.connect(self._find_ranges)
        self._choose()

    def _bar(self, name: str, token: str) -> tuple[AngleBar, Number]:
        bar, field = (
            AngleBar(name, token),
            Number("°", 1, token, step=0.5, name=tr("{name}, on trial", name=tr(name))),
        )
        field.setRange(-180.0, 180.0)
        field.setFixedWidth(68)
        is_bend = name == "Bend"
        bar.turned.connect(partial(self._slide, is_bend))
        field.valueChanged.connect(partial(self._turn, is_bend))
        return bar, field

    def _euler_fields(self) -> list[Number]:
        fields = []
        for axis in _AXES:
            field = Number(
                "°", 1, axis, step=0.5, name=tr("Turn about {axis}, on trial", axis=axis)
            )
            field.setRange(-180.0, 180.0)
            field.valueChanged.connect(self._turn_by_euler)
            fields.append(field)
        return fields

    def _choose(self) -> None:
        is_split = self.split.current == 0
        self._bars.setVisible(is_split)
        self.snap.setVisible(is_split)
        self.step.setVisible(is_split)
        self._angles.setVisible(not is_split)

    def _take_back(self) -> None:
        self._state.update(trial={})

    def _pose(self) -> tuple[Deformer, Frame, int] | None:
        deformer, frame, joint = self._stage.deformer, self._stage.frame, self._stage.joint
        if deformer is None or frame is None or joint is None or joint not in deformer.rig.joints:
            return None
        return deformer, frame, joint

    def _turned(self, deformer: Deformer, frame: Frame, joint: int) -> BoneTurn:
        axes = usual_axes(deformer, joint) if are_known(deformer) else None
        forward = square_axis(deformer, joint) if axes is None else axes.flex
        hinge = _square(forward, deformer, joint)
        if self._hinge is not None and self._hinge[0] == joint:
            hinge = self._hinge[1]
        return bone_turn(deformer, frame.pose, joint, hinge, forward)

    def _find_ranges(self) -> None:
        shown = self._pose()
        if shown is not None:
            usual_axes(shown[0], shown[2])
            self.refresh()

    def refresh(self) -> None:
        """Show the selected joint's angles in the pose on show."""
        shown = self._pose()
        self.setVisible(shown is not None)
        if shown is None:
            return
        deformer, frame, joint = shown
        if self._hinge is not None and self._hinge[0] != joint:
            self._hinge = None
        rig, trial = deformer.rig, self._state.value.trial
        if not are_known(deformer):
            self._finding.start(0)
        turn = self._turned(deformer, frame, joint)
        axes = usual_axes(deformer, joint) if are_known(deformer) else None
        bends = None if axes is None else _usual_bend(axes, turn.hinge)
        twists = None if axes is None else _usual_twist(axes)
        self.bend.show_value(turn.bend, bends)
        self.twist.show_value(turn.twist, twists)
        self.bend_field.show_value(turn.bend)
        self.twist_field.show_value(turn.twist)
        self.hint.setVisible(axes is not None)
        for field, angle in zip(self.euler, trial.get(joint, _NONE), strict=True):
            field.show_value(angle)
        parent = rig.nodes.parents[joint]
        # Messages about deformation split turns about the limb above instead: a wrist's about the forearm.
        own = tr("about its own bone, from rest, to {joint}", joint=rig.nodes.label(parent))
        self.under.setText(own if parent >= 0 else "")
        self.under.setVisible(parent >= 0)
        self.keep.setEnabled(bool(deformer.skins))
        self.back.setEnabled(bool(trial))
        words = tr("not saved")
        if joint in trial:
            words = tr(
                "bend {bend:.0f}°, twist {twist:.0f}°, not saved", bend=turn.bend, twist=turn.twist
            )
        self.set_note(words.replace("-", "−"))

    def _slide(self, is_bend: bool, degrees: float) -> None:
        step = self.step.value()
        self._turn(is_bend, step * round(degrees / step) if self.snap.isChecked() else degrees)

    def _turn(self, is_bend: bool, degrees: float) -> None:
        shown = self._pose()
        if shown is None:
            return
        deformer, frame, joint = shown
        before = self._turned(deformer, frame, joint)
        after = BoneTurn(
            degrees if is_bend else before.bend,
            before.twist if is_bend else degrees,
            before.hinge,
        )
        self._hinge = joint, before.hinge
        trial = self._state.value.trial.get(joint, _NONE)
        self._set(joint, trial_for(deformer, frame.pose, trial, joint, after))

    def turn_to(self, rotation: FloatArray) -> None:
        """Try a local rotation ``(4,)`` of the selected joint."""
        shown = self._pose()
        if shown is not None:
            _, frame, joint = shown
            trial = self._state.value.trial.get(joint, _NONE)
            self._set(joint, trial_to(frame.pose, trial, joint, rotation))

    def _turn_by_euler(self) -> None:
        joint = self._state.value.joint
        if joint is not None:
            x, y, z = (field.value() for field in self.euler)
            self._set(joint, (x, y, z))

    def _set(self, joint: int, angles: tuple[float, float, float]) -> None:
        trial = {k: v for k, v in self._state.value.trial.items() if k != joint}
        if any(abs(angle) > 1e-9 for angle in angles):
            trial[joint] = angles
        self._state.update(trial=trial)


def _square(axis: FloatArray, deformer: Deformer, joint: int) -> FloatArray:
    """Return an axis made square to the bone; the joint's own where it runs along the bone."""
    own = square_axis(deformer, joint)
    other = np.cross(own, bone_axis(deformer, joint))
    across = own * (own @ axis) + other * (other @ axis)
    length = float(np.linalg.norm(across))
    return across / length if length > math.sqrt(0.5) else own


def _usual_bend(axes: JointAxes, hinge: FloatArray) -> tuple[float, float]:
    """Return the usual range about the hinge: of flexing, or of swinging sideways, whichever is nearer."""
    along, aside = float(hinge @ axes.flex), float(hinge @ axes.swing)
    _, low, high = axes.limits.flex if abs(along) >= abs(aside) else axes.limits.swing
    sign = along if abs(along) >= abs(aside) else aside
    return (low, high) if sign >= 0.0 else (-high, -low)


def _usual_twist(axes: JointAxes) -> tuple[float, float]:
    # Which way is positive depends on the side of the body: the wider of the two ways counts.
    most = max(map(abs, axes.limits.twist))
    return -most, most
