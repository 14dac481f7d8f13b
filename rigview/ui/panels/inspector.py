"""The Inspector dock: the numbers of the selected joint or vertex."""

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QWidget

from rigview.check.measures.axes import ANGLE, AXIS_NAMES, Axes, skin_axes
from rigview.check.measures.facts import Facts, measured
from rigview.core import affine, euler
from rigview.core.arrays import FloatArray
from rigview.core.deform import Deformer
from rigview.core.rig import Rig
from rigview.ui.lengths import METRES, LengthUnit
from rigview.ui.panels.corrective_fields import CorrectiveFields
from rigview.ui.panels.curves import channel_curves
from rigview.ui.panels.morph_targets import MorphSection
from rigview.ui.panels.trial_pose import TrialPose
from rigview.ui.stage import Stage
from rigview.ui.view_state import State, ViewState
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import Button, SegmentedControl
from rigview.ui.widgets.fields import Number
from rigview.ui.widgets.gauges import Gauge, InfluenceBars, Waterfall
from rigview.ui.widgets.headings import Section
from rigview.ui.widgets.layout import Elided, column, label, row
from rigview.ui.widgets.words import tr

_SPACES = ("Local", "Model", "World")
_ROWS = (("Move", "", 4), ("Rotate", "°", 2), ("Scale", "", 3))
_AXES = ("x", "y", "z")
# The row of rotations, which can be tried.
_TURNED = 1


class Inspector(QScrollArea):
    """Reads the stage; writes nothing but the trial pose."""

    frame_asked = Signal()

    def __init__(self, stage: Stage, state: State) -> None:
        super().__init__()
        self._stage, self._state = stage, state
        self._axes: dict[int, Axes] | None = None
        # Angles that are being tried: they are shown as they were entered.
        self._tried: FloatArray | None = None
        self._length = METRES
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        # Its fields are what Tab stops at.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._empty = label("Select a joint or a vertex to read its numbers.", "text3", wrap=True)
        self._name = Elided("text", theme.NAME, Qt.TextElideMode.ElideMiddle)
        self._name.setFont(theme.font(theme.NAME, theme.SEMIBOLD))
        self._number = label("", "text3", theme.SMALL, numbers=True)
        self.space = SegmentedControl(_SPACES, 0, "Space of the numbers")
        self.space.chosen.connect(self._refresh)
        self.fields = _transform_fields()
        for field in self.fields[_TURNED]:
            field.valueChanged.connect(self._try_rotation)
        self.waterfall, self._gauge = Waterfall(), Gauge()
        self._axis_words, self.limit = Elided("text2"), label("", "text2", theme.SMALL)
        self.scale_section = Section("Scale, local to skin", self.waterfall)
        words = row(self._axis_words, self.limit)
        self.axis_section = Section("Primary axis", column(self._gauge, words, spacing=2))
        self.trial = TrialPose(stage, state)
        self.corrective = CorrectiveFields(stage, state)
        self.influences = InfluenceBars()
        self.vertex_section = Section("Vertex", self.influences)
        self._joint_body = self._joint_panel()
        self.morphs = MorphSection(stage, state)
        parts = self._empty, self.vertex_section, self._joint_body, self.morphs
        body = column(*parts, None, margins=(10, 8, 10, 8), spacing=9)
        self.setWidget(body)
        self._axis_limit = ANGLE.default
        stage.rig_changed.connect(self._forget)
        stage.pose_changed.connect(self._refresh)
        state.changed.connect(self._follow)
        self._refresh()

    def _joint_panel(self) -> QWidget:
        frame = Button("", "crosshair", "ghost", "Frame the joint  F", 22)
        copy = Button("", "copy", "ghost", "Copy the numbers", 22)
        frame.clicked.connect(self.frame_asked)
        copy.clicked.connect(self._copy)
        head = row((self._name, 1), self._number, frame, copy)
        grid = QWidget()
        layout = QGridLayout(grid)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(4)
        layout.setVerticalSpacing(4)
        layout.setColumnMinimumWidth(0, 46)
        for i, (name, _, _) in enumerate(_ROWS):
            layout.addWidget(label(name, "text2"), i, 0)
            for j in range(3):
                layout.addWidget(self.fields[i][j], i, j + 1)
        self.units = label("", "text3", theme.SMALL)
        self.units.setToolTip(tr("Lengths, and degrees in the order of rotations of the file"))
        return column(
            head,
            row(self.space, None, self.units),
            grid,
            self.trial,
            self.scale_section,
            self.axis_section,
            self.corrective,
            spacing=9,
        )

    def _forget(self) -> None:
        self._axes = None
        self._refresh()

    def show_lengths_in(self, unit: LengthUnit) -> None:
        """Show lengths in another unit."""
        self._length = unit
        for field in self.fields[0]:
            field.setDecimals(unit.decimals)
        self._refresh()

    def hold_axes_to(self, degrees: float) -> None:
        """Set the limit for how far a bone may be off the rig's axis."""
        if degrees != self._axis_limit:
            self._axis_limit = degrees
            self._refresh()

    def _follow(self, old: ViewState, new: ViewState) -> None:
        read = ("joint", "vertex", "trial", "correctives")
        if new.differs(old, read):
            self._refresh()

    def _refresh(self) -> None:
        deformer, joint, vertex = self._stage.deformer, self._stage.joint, self._stage.vertex
        self._empty.setVisible(joint is None and vertex is None)
        self._joint_body.setVisible(joint is not None)
        self.vertex_section.setVisible(vertex is not None)
        if deformer is not None and joint is not None:
            self._show_joint(deformer, joint)
        if deformer is not None and vertex is not None:
            self._show_vertex(deformer.rig, *vertex)

    def _show_joint(self, deformer: Deformer, joint: int) -> None:
        rig = deformer.rig
        self._name.setText(rig.nodes.label(joint))
        is_joint = joint in rig.joints
        words = "joint {number}" if is_joint else "node {number}"
        self._number.setText(tr(words, number=joint))
        order = self._order(rig, joint)
        self.units.setText(f"{self._length.sign} · ° {order}")
        for i, values in enumerate(self._transform(joint)):
            for j in range(3):
                self.fields[i][j].show_value(float(values[j]))
        frame = self._stage.frame
        has_angles = frame is not None and joint not in frame.pose.matrices
        may = has_angles and is_joint and self.space.current == 0
        for field in self.fields[_TURNED]:
            field.let_change(may=may)
        self.scale_section.setVisible(is_joint)
        self.trial.refresh()
        if is_joint:
            self._show_scale(deformer, joint)
        self._show_axis(deformer, joint)
        self.corrective.show_joint(deformer, joint)

    def _transform(self, joint: int) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return translation in the unit of lengths, angles in degrees and scale, in the chosen space."""
        frame, rig = self._stage.frame, self._stage.rig
        if frame is None or rig is None:
            return np.zeros(3), np.zeros(3), np.ones(3)
        if self.space.current == 0:
            if joint in frame.pose.matrices:
                trs = affine.decompose(frame.pose.matrices[joint])
            else:
                pose = frame.pose
                trs = affine.TRS(
                    pose.translations[joint], pose.rotations[joint], pose.scales[joint]
                )
        else:
            trs = affine.decompose(frame.model_from_node[joint])
        order = self._order(rig, joint)
        angles = euler.to_angles(trs.rotation, order)
        if self.space.current == 0:
            angles = self._as_plotted(joint, angles, order)
            if self._tried is not None:
                angles = euler.unwrapped(np.stack([self._tried, angles]), order)[1]
        return self._length.per_metre * trs.translation, np.degrees(angles), trs.scale

    def _try_rotation(self) -> None:
        """Try the local rotation that the fields say."""
        rig, joint = self._stage.rig, self._stage.joint
        if rig is None or joint is None:
            return
        self._tried = np.radians([field.value() for field in self.fields[_TURNED]])
        self.trial.turn_to(euler.from_angles(self._tried, self._order(rig, joint)))
        self._tried = None

    def _order(self, rig: Rig, joint: int) -> str:
        """Return the order of the Euler angles: the file's, whose angles are local."""
        is_local = self.space.current == 0
        return rig.origin.rotation_order(rig.nodes.names[joint]) if is_local else euler.USUAL

    def _as_plotted(self, joint: int, angles: FloatArray, order: str) -> FloatArray:
        """Return the angles of the same rotation that are nearest to the curve at the present time."""
        clip, rig = self._stage.clip, self._stage.rig
        if clip is None or rig is None or clip.curve(joint, "rotation") is None:
            return angles
        times, curve = channel_curves(rig, clip, joint, "rotation")
        place = int(np.abs(times - self._state.value.time).argmin())
        return euler.unwrapped(np.stack([np.radians(curve[place]), angles]), order)[1]

    def _show_scale(self, deformer: Deformer, joint: int) -> None:
        """Follow the scale from the local transform over the world and the bind to the skin."""
        frame = self._stage.frame
        skin = next((s for s in deformer.skins if joint in deformer.rig.skins[s].joints), None)
        if frame is None or skin is None:
            self.scale_section.hide()
            return
        number = deformer.rig.skins[skin].joints.index(joint)
        local = frame.pose.scales[joint]
        steps = [
            float(np.cbrt(np.abs(np.prod(local)))),
            _mean_scale(frame.model_from_node[joint]),
            _mean_scale(deformer.rig.skins[skin].joint_from_mesh[number]),
            _mean_scale(frame.palettes[skin].matrices[number]),
        ]
        self.waterfall.show_steps(steps)
        world_scales = abs(steps[1] - 1.0) > 1e-4
        skin_scales = abs(steps[3] - 1.0) > 1e-4
        if skin_scales:
            self.scale_section.set_note(tr("reaches the skin"), "warning")
        elif world_scales:
            self.scale_section.set_note(tr("cancelled in the bind"), "warning")
        else:
            self.scale_section.set_note(tr("none"), "ok")

    def _show_axis(self, deformer: Deformer, joint: int) -> None:
        if self._axes is None:
            self._axes = {}
            known = measured(deformer.rig)
            facts = known if known.deformer is deformer else Facts(deformer)
            for skin in range(len(deformer.rig.skins)):
                axes = skin_axes(facts, skin)
                if axes is not None:
                    self._axes |= {int(j): axes for j in axes.joints}
        axes = self._axes.get(joint)
        self.axis_section.setVisible(axes is not None)
        if axes is None:
            return
        place = int(np.flatnonzero(axes.joints == joint)[0])
        off = float(np.degrees(axes.deviations[place]))
        limit = self._axis_limit
        bad = off > limit
        self.axis_section.set_note(tr("{off:.1f}° off", off=off), "warning" if bad else "ok")
        self._gauge.show_value(off, limit, max(3.0 * limit, off))
        self._axis_words.setText(tr("the rig's bones use {axis}", axis=AXIS_NAMES[axes.axis]))
        self.limit.setText(tr("limit {limit:g}°", limit=limit))

    def _show_vertex(self, rig: Rig, number: int, vertex: int) -> None:
        part = rig.parts[number]
        influences = rig.primitive(part).influences
        mesh = rig.meshes[part.mesh].name or tr("mesh {number}", number=part.mesh)
        entries: list[tuple[str, float]] = []
        if influences is not None and part.skin is not None:
            joints = rig.skins[part.skin].joints
            for slot, weight in zip(
                influences.joints[vertex], influences.weights[vertex], strict=True
            ):
                if weight != 0.0:
                    known = 0 <= slot < len(joints)
                    unknown = tr("joint {number}?", number=slot)
                    name = rig.nodes.label(joints[slot]) if known else unknown
                    entries.append((name, float(weight)))
        entries.sort(key=lambda e: -e[1])
        self.influences.show_entries(entries, skinned=influences is not None)
        self.vertex_section.set_note(tr("{vertex} of {mesh}", vertex=vertex, mesh=mesh))

    def _copy(self) -> None:
        """Put name and numbers on the clipboard, tab-separated."""
        lines = [self._name.text()]
        for (name, _, _), fields in zip(_ROWS, self.fields, strict=True):
            lines.append("\t".join([name, *(f"{f.value():.6g}" for f in fields)]))
        QGuiApplication.clipboard().setText("\n".join(lines))


def _transform_fields() -> list[list[Number]]:
    """Return three rows of three numbers, of which rotations can be tried."""
    return [
        [
            Number(
                unit,
                decimals,
                axis,
                step=step,
                name=f"{tr(name)} {axis.upper()}",
                read_only=not step,
            )
            for axis in _AXES
        ]
        for (name, unit, decimals), step in zip(_ROWS, (0.0, 0.5, 0.0), strict=True)
    ]


def _mean_scale(matrix: FloatArray) -> float:
    return float(np.cbrt(np.abs(affine.determinant(matrix[:3, :3]))))
