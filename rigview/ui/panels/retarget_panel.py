"""The panel of retargeting: a motion, which of its joints turns which, and how far off they are."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from rigview.core.motion.retarget import RetargetOptions
from rigview.core.text import count
from rigview.ui.panels.retarget_model import RetargetModel
from rigview.ui.panels.retarget_table import RetargetTable
from rigview.ui.stage import Stage
from rigview.ui.view_state import State, ViewState
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import Button, Chooser, Tick
from rigview.ui.widgets.fields import Number
from rigview.ui.widgets.layout import Elided, column, down, fill, label, row
from rigview.ui.widgets.words import file_kinds, tr
from rigview.ui.workers.retargeting import Retargeter

WIDTH = 440
# Sentences about the map that are shown; the tool tip has all.
_MOST_TOLD = 3


class RetargetPanel(QWidget):
    """Reads the retargeter; edits go through it. `file_asked` wants the file of a motion."""

    file_asked = Signal()

    def __init__(self, retargeter: Retargeter, stage: Stage, state: State) -> None:
        super().__init__()
        self._retargeter, self._stage, self._state = retargeter, stage, state
        fill(self, "background1")
        self.setFixedWidth(WIDTH)
        self.model = RetargetModel(retargeter)
        self.table = RetargetTable(self.model)
        self.file = Elided("text2", theme.BODY, Qt.TextElideMode.ElideMiddle)
        self.clips = Chooser([], "Which clips are taken")
        self.count = label("", "text3", theme.SMALL, numbers=True)
        self.twist = Tick("Twist", checked=True)
        self.align = Tick("Align limbs", checked=True)
        self.scale = Number("", 3, name="How far hips and root move, of their way in the motion")
        self.faults = label("", "warning", theme.SMALL, wrap=True)
        self._make_buttons()
        self._build()
        self._connect()
        self.hide()

    def _make_buttons(self) -> None:
        self.other = Button("", "folder-open", "ghost", "Choose another motion", 22)
        self.legs = Button("", "arrow-counter-clockwise", "ghost", "As the legs are long", 22)
        self.reset = Button("Reset", "", "ghost", "Map by the names of joints again")
        self.load = Button("Load map…", "", "ghost", "Take a map that was saved (--map)")
        self.save = Button("Save map…", "", "ghost", "Write the map, for rigview retarget --map")
        self.again = Button("Preview", "", "plain", "Play the motion by this map")
        self.apply = Button("Add clips", "", "primary", "Give the rig the clips: one change")
        self.cancel = Button("Cancel", "", "plain", "Leave the rig as it is  Esc")
        self.choose = Button("Choose a motion…", "folder-open", "primary", height=28)

    def _build(self) -> None:
        self.twist.setToolTip(tr("Let arms and legs turn about their own bones as in the motion"))
        self.align.setToolTip(
            tr("Turn arms and legs that rest otherwise onto those of the motion first")
        )
        self.scale.setRange(0.0, 1000.0)
        self.scale.setFixedWidth(64)
        title = row(
            label("Retarget motion", weight=theme.SEMIBOLD),
            self.count,
            None,
            margins=(10, 0, 6, 0),
        )
        fill(title, "background2")
        title.setFixedHeight(theme.TITLE)
        file = row((self.file, 1), self.clips, self.other, spacing=6)
        moves = label("Moves ×", "text2")
        moves.setToolTip(self.scale.toolTip())
        how = row(self.twist, self.align, None, moves, self.scale, self.legs, spacing=6)
        maps = row(self.load, self.save, self.reset, None, spacing=4)
        head = column(file, how, maps, margins=(10, 6, 8, 6), spacing=4)
        told = column(self.faults, margins=(10, 4, 10, 4))
        foot = row(None, self.again, self.cancel, self.apply, margins=(8, 6, 8, 8))
        fill(foot, "background2")
        self.body = column(head, (self.table, 1), told, spacing=0)
        words = label("The clips of another skeleton, played on this rig.", "text2", wrap=True)
        drop = label("Or drop the file on the window.", "text3", wrap=True)
        for text in (words, drop):
            text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty = column(
            None,
            words,
            row(None, self.choose, None),
            drop,
            None,
            margins=(20, 0, 20, 0),
            spacing=10,
        )
        down(self, title, (self.body, 1), (self.empty, 1), foot)

    def _connect(self) -> None:
        retargeter = self._retargeter
        retargeter.changed.connect(self.refresh)
        self._state.changed.connect(self._follow)
        self.table.chosen.connect(self._select)
        self.clips.activated.connect(self._take_clip)
        for tick in (self.twist, self.align):
            tick.toggled.connect(lambda _: self._set_options(self.options.scale))
        self.scale.valueChanged.connect(self._scale)
        self.legs.clicked.connect(partial(self._set_options, None))
        self.other.clicked.connect(self.file_asked)
        self.choose.clicked.connect(self.file_asked)
        self.reset.clicked.connect(retargeter.propose_again)
        self.load.clicked.connect(self._load)
        self.save.clicked.connect(self._save)
        self.again.clicked.connect(retargeter.try_again)
        self.apply.clicked.connect(retargeter.apply)
        self.cancel.clicked.connect(retargeter.leave)

    @property
    def options(self) -> RetargetOptions:
        """How the motion is played now."""
        draft = self._retargeter.draft
        return RetargetOptions() if draft is None else draft.options

    def takes_drop(self, at: QPoint) -> bool:
        """Return whether a file that is dropped at a point of the window is meant for retargeting."""
        if self.isHidden():
            return False
        here = self.rect().contains(self.mapFrom(self.window(), at))
        return here or self._retargeter.draft is None

    def refresh(self) -> None:
        """Show the draft as it is."""
        retargeter, draft = self._retargeter, self._retargeter.draft
        self.setVisible(retargeter.is_active)
        self.body.setVisible(draft is not None)
        self.empty.setVisible(draft is None)
        self.apply.setVisible(draft is not None)
        waits = draft is not None and not retargeter.is_tried and not retargeter.is_trying
        self.again.setVisible(waits and not retargeter.refusal)
        self.apply.setEnabled(retargeter.is_tried)
        self.model.refresh()
        self._tell_faults()
        if draft is None:
            self.count.setText("")
            return
        self.reset.setEnabled(draft.mapping.matches != draft.proposed.matches)
        self.file.setText(draft.path.name)
        self._list_clips(draft.motion.clip_names, draft.clip)
        mapped, joints = len(draft.mapping.matches), draft.character.rig.joints
        self.count.setText(
            tr("{number} of {joints}", number=mapped, joints=count(len(joints), "joint"))
        )
        self.apply.setText(tr("Add clip") if len(draft.clips) == 1 else tr("Add clips"))
        self.apply.updateGeometry()
        self._show_options()
        self.table.show_selected(self._stage.joint)

    def _list_clips(self, names: tuple[str, ...], chosen: int | None) -> None:
        every = f"{tr('All clips')} ({len(names)})"
        wanted = [every, *names] if len(names) > 1 else list(names)
        if [self.clips.itemText(i) for i in range(self.clips.count())] != wanted:
            self.clips.clear()
            self.clips.addItems(wanted)
        self.clips.setCurrentIndex(0 if chosen is None or len(names) == 1 else chosen + 1)

    def _take_clip(self, number: int) -> None:
        self._retargeter.choose_clip(number - 1 if number > 0 else None)

    def _show_options(self) -> None:
        options, tried = self.options, self._retargeter.tried
        for tick, on in ((self.twist, options.twist), (self.align, options.align)):
            blocked = tick.blockSignals(True)
            tick.setChecked(on)
            tick.blockSignals(blocked)
        if options.scale is not None:
            self.scale.show_value(options.scale)
        elif tried is not None:
            self.scale.show_value(tried.done.made.scale)
        self.legs.setEnabled(options.scale is not None)

    def _scale(self, value: float) -> None:
        self._set_options(value)

    def _set_options(self, scale: float | None) -> None:
        options = RetargetOptions(scale, self.twist.isChecked(), self.align.isChecked())
        self._retargeter.set_options(options)

    def _tell_faults(self) -> None:
        faults = self._retargeter.faults
        told = faults[:_MOST_TOLD]
        if len(faults) > _MOST_TOLD:
            told.append(f"{tr(count(len(faults) - _MOST_TOLD, 'further remark'))}.")
        self.faults.setText("\n".join(told))
        self.faults.setToolTip("\n".join(faults))
        self.faults.setVisible(bool(told))

    def _select(self, joints: tuple[int, ...]) -> None:
        self._state.update(joints=joints, vertex=None)

    def _follow(self, old: ViewState, new: ViewState) -> None:
        if old.joints != new.joints and not self.isHidden():
            self.table.show_selected(self._stage.joint)

    def _load(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self.window(), tr("Load map"), self._folder(), file_kinds({"Maps": "*.toml"})
        )
        if name:
            self._retargeter.load_map(Path(name))

    def _save(self) -> None:
        name, _ = QFileDialog.getSaveFileName(
            self.window(),
            tr("Save map"),
            str(Path(self._folder()) / "map.toml"),
            file_kinds({"Maps": "*.toml"}),
        )
        if name:
            path = Path(name)
            self._retargeter.save_map(path if path.suffix else path.with_suffix(".toml"))

    def _folder(self) -> str:
        draft = self._retargeter.draft
        return "" if draft is None else str(draft.path.parent)
