"""The strip of worst poses under the panes: filter by measure and method, choose one to go there."""

from collections import Counter

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from rigview.core.measures.joint_measures import MEASURES
from rigview.core.measures.measure_words import limit_said, said
from rigview.core.measures.worst_poses import WorstPose
from rigview.core.sentence import Sentence
from rigview.core.skinning import ASKED
from rigview.core.text import count
from rigview.ui.panels.worst_cards import CARD, GAP, HIGH, WorstCard, WorstCards
from rigview.ui.stage import Stage
from rigview.ui.view_state import State, ViewState
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import Button, Chooser
from rigview.ui.widgets.layout import Elided, column, down, fill, label, row
from rigview.ui.widgets.names import elision
from rigview.ui.widgets.words import tr
from rigview.ui.workers.thumbnails import Thumbnails
from rigview.ui.workers.tried_poses import AddedPose
from rigview.ui.workers.worst_scanning import WorstScanner

OPEN, FOLDED = theme.TITLE + HIGH + 22, theme.TITLE
# Cards at most: what is further down the list is not what breaks.
_MOST = 60
# Poses whose severity is beyond this are named in a folded strip.
_NAMED = 3


class WorstStrip(QWidget):
    """Reads the worst scanner; `chosen` carries a pose to go to.

    `back_asked` asks for the view before, `folded` says whether only the title is left, `listed` that
    other poses may be listed.
    """

    chosen = Signal(object)
    back_asked = Signal()
    folded = Signal(bool)
    listed = Signal()
    motion_asked = Signal()

    def __init__(
        self, stage: Stage, state: State, scanner: WorstScanner, thumbnails: Thumbnails
    ) -> None:
        super().__init__()
        self._stage, self._state = stage, state
        self._scanner, self._thumbnails = scanner, thumbnails
        self._measure: str | None = None
        self._method = ""
        self._chosen: WorstPose | None = None
        self.cards = WorstCards(self._picture)
        self.cards.chosen.connect(self.choose)
        self.cards.gone_back.connect(self.back_asked)
        self.cards.removed.connect(self.remove_chosen)
        self.chips = {key: self._chip(key) for key in (None, *MEASURES)}
        self.cards.left_upwards.connect(self._enter_chips)
        self.every = Button(
            "All poses", kind="ghost", tip="More than one pose of a joint", height=20
        )
        self.every.setCheckable(True)
        self.every.toggled.connect(self._refresh)
        self.method = Chooser((), "Skinning method of the worst poses", flat=True)
        self.method.activated.connect(self._take_method)
        self.place = label("", "text2", theme.SMALL, numbers=True)
        self.before = Button("", "caret-left", "ghost", "Pose before  Ctrl+Shift+N", 20)
        self.after = Button("", "caret-right", "ghost", "Next worst pose  Shift+N", 20)
        self.before.clicked.connect(lambda: self.step(-1))
        self.after.clicked.connect(lambda: self.step(1))
        self.fold = Button("", "caret-down", "ghost", "Fold the worst poses", 20)
        self.fold.clicked.connect(lambda: self.set_folded(folded=not self.is_folded))
        self.remove = Button(
            "Remove", kind="ghost", tip="Take the tried pose off the list  Delete", height=20
        )
        self.remove.clicked.connect(self.remove_chosen)
        self.cancel = Button("Cancel", kind="ghost", tip="Stop looking", height=20)
        self.cancel.clicked.connect(scanner.cancel)
        self.motion = Button("Add a range of motion", kind="ghost", height=20)
        self.motion.clicked.connect(self.motion_asked)
        self.said = Elided()
        self._build()
        scanner.changed.connect(self._refresh)
        scanner.told.connect(self._tell)
        thumbnails.drawn.connect(self.cards.update)
        stage.rig_changed.connect(self._forget)
        state.changed.connect(self._follow)
        self._refresh()

    def _chip(self, measure: str | None) -> Button:
        chip = Button("All" if measure is None else MEASURES[measure].title, "", "ghost", height=20)
        chip.setCheckable(True)
        chip.clicked.connect(lambda: self._take_measure(measure))
        return chip

    def _enter_chips(self) -> None:
        self.chips[self._measure].setFocus()

    def _build(self) -> None:
        under = label("under", "text3", theme.SMALL)
        self._under = row(under, self.method, spacing=2)
        head = row(
            label("Worst poses", weight=theme.SEMIBOLD),
            2,
            *self.chips.values(),
            (self.said, 1),
            self.motion,
            self.remove,
            self.cancel,
            self.every,
            self._under,
            self.before,
            self.place,
            self.after,
            self.fold,
            margins=(10, 0, 6, 0),
            spacing=4,
        )
        fill(head, "background2")
        head.setFixedHeight(theme.TITLE)
        self._scroll = QScrollArea()
        self._scroll.setWidget(self.cards)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.viewport().installEventFilter(self)
        self._body = column(self._scroll, margins=(8, 5, 8, 3), spacing=0)
        fill(self._body, "background1")
        down(self, head, (self._body, 1))
        self.setFixedHeight(OPEN)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the wheel move the cards sideways."""
        if watched is self._scroll.viewport() and event.type() == QEvent.Type.Wheel:
            turned = event.angleDelta()  # type: ignore[attr-defined]
            bar = self._scroll.horizontalScrollBar()
            bar.setValue(bar.value() - (turned.y() or turned.x()))
            return True
        return False

    @property
    def is_folded(self) -> bool:
        """Whether only the title is shown."""
        return self._body.isHidden()

    def set_folded(self, *, folded: bool) -> None:
        """Show only the title, or the cards too."""
        self._body.setVisible(not folded)
        self.setFixedHeight(FOLDED if folded else OPEN)
        self.fold.set_icon("caret-up" if folded else "caret-down")
        self.fold.explain("Show the worst poses" if folded else "Fold the worst poses")
        self._refresh()
        self.folded.emit(folded)

    def _forget(self) -> None:
        self._chosen, self._measure = None, None
        self._refresh()

    def _follow(self, old: ViewState, new: ViewState) -> None:
        if (old.methods, old.pane, old.theme) != (new.methods, new.pane, new.theme):
            self._refresh()

    def _take_measure(self, measure: str | None) -> None:
        self._measure = measure
        self._refresh()

    def _take_method(self, number: int) -> None:
        self._method = self._methods[number]
        self._refresh()

    @property
    def _methods(self) -> list[str]:
        """The methods that are scanned: the file's own first."""
        scan = self._scanner.scan
        return list(scan.plan.methods) if scan is not None else []

    @property
    def poses(self) -> tuple[WorstPose, ...]:
        """The poses that are listed."""
        found = self._scanner.poses(self._method, self._measure, every=self.every.isChecked())
        return found[:_MOST]

    @property
    def has_poses(self) -> bool:
        """Whether the chosen method has poses, of any measure."""
        return bool(self._scanner.poses(self._method))

    def _refresh(self) -> None:
        """Show what is known now."""
        self.setVisible(self._scanner.stand != "nothing")
        methods = self._methods
        if self._method not in methods:
            pane = self._state.value.pane
            wanted = self._state.value.methods[min(pane, len(self._state.value.methods) - 1)]
            self._method = wanted if wanted in methods else next(iter(methods), "")
        self._list_methods(methods)
        every = self._scanner.poses(self._method)
        counts = Counter(one.measure for one in every)
        for key, chip in self.chips.items():
            number = len(every) if key is None else counts[key]
            title = tr("All" if key is None else MEASURES[key].title)
            chip.setText(f"{title} {number}" if number else title)
            chip.setChecked(key == self._measure)
            chip.setVisible(key is None or number > 0 or key == self._measure)
            chip.updateGeometry()
        self._show_cards()
        self._say(len(every))
        self.listed.emit()

    def _tell(self) -> None:
        if self._scanner.stand == "scanning":
            self.said.setText(self._scanner.words)

    def _list_methods(self, methods: list[str]) -> None:
        titles = [ASKED[method].label for method in methods]
        if [self.method.itemText(i) for i in range(self.method.count())] != titles:
            self.method.clear()
            self.method.addItems(titles)
        if self._method in methods:
            self.method.setCurrentIndex(methods.index(self._method))
        self._under.setVisible(bool(methods))

    def _show_cards(self) -> None:
        poses, scan, rig = self.poses, self._scanner.scan, self._stage.rig
        if scan is None or rig is None:
            self.cards.show_cards(())
            return
        cards = [self._card(worst) for worst in poses]
        self.cards.elide = elision(rig.nodes.names)
        self.cards.show_cards(cards, ranked=self._scanner.stand == "done")
        same = [i for i, one in enumerate(poses) if _is_same(one, self._chosen)]
        self.cards.select(same[0] if same else None)
        if not self.is_folded and poses:
            view = self._state.value
            self._thumbnails.ask(scan, poses, view.options, view.theme)

    def _card(self, worst: WorstPose) -> WorstCard:
        rig, clip = self._stage.rig, self._scanner.clip(worst)
        name = clip.name or "clip"
        tried = " (tried)" if self._scanner.is_tried(worst) else ""
        joint = rig.nodes.label(worst.joint) if rig is not None else ""
        return WorstCard(worst, joint, worst.time * self._state.value.fps, f"{name}{tried}")

    def _picture(self, worst: WorstPose) -> QImage | None:
        return self._thumbnails.picture(worst, self._state.value.theme)

    def _say(self, total: int) -> None:
        """Say how far the scan is, or what it has come to."""
        stand, poses = self._scanner.stand, self.poses
        self.cancel.setVisible(stand == "scanning")
        self.remove.setVisible(self._chosen_tried() is not None)
        listed = len(poses)
        now = self.cards.current
        number = now + 1 if now is not None else "–"
        self.place.setText(tr("{number} of {all}", number=number, all=listed) if listed else "")
        for button in (self.before, self.after):
            button.setEnabled(listed > 0)
        nothing = stand in ("done", "stopped") and not total
        self.motion.setVisible(nothing and self._scanner.has_clips)
        self.every.setVisible(total > 0)
        words = ""
        if stand in ("scanning", "waiting"):
            words = self._scanner.words or "looking for the worst poses"
        elif stand == "failed":
            words = tr("The poses could not be measured: {reason}", reason=self._scanner.failure)
        elif nothing:
            words = self._none_found()
        elif stand == "stopped":
            words = "stopped; these were found before"
        elif not listed:
            words = ""
            if self._measure:
                words = tr("No {measure}", measure=Sentence(MEASURES[self._measure].title.lower()))
        elif self.is_folded:
            words = ", ".join(
                f"{card.joint} {said(card.worst.measure, card.worst.value)}"
                for card in self.cards.cards[:_NAMED]
            )
        elif not self._scanner.has_clips:
            words = "The file has no clips: poses of a range of motion"
        words = tr(words)
        self.said.setText(words)

    def _none_found(self) -> str:
        """Return what comes nearest to a limit where nothing goes over one."""
        scan = self._scanner.scan
        clips = count(len(scan.clips), "clip") if scan is not None else Sentence("the clips")
        nearest = self._scanner.nearest(self._method)
        rig = self._stage.rig
        if nearest is None or rig is None:
            return tr("No pose goes over a limit in {clips}", clips=clips)
        title, joint = tr(MEASURES[nearest.measure].title.lower()), rig.nodes.label(nearest.joint)
        value = said(nearest.measure, nearest.value)
        limit = limit_said(nearest.measure, nearest.limit)
        return tr(
            "No pose goes over a limit in {clips} (worst: {joint}, {measure} {value} of {limit})",
            clips=clips,
            joint=joint,
            measure=title,
            value=tr(value),
            limit=limit,
        )

    def choose(self, number: int) -> None:
        """Go to a card's pose."""
        poses = self.poses
        if not 0 <= number < len(poses):
            return
        self._chosen = poses[number]
        self.cards.select(number)
        self._scroll.ensureVisible(number * (CARD + GAP) + CARD // 2, 0, CARD, 0)
        self._say(len(self._scanner.poses(self._method)))
        self.chosen.emit(poses[number])

    def forget_choice(self) -> None:
        """Have no card chosen."""
        self._chosen = None
        self.cards.select(None)
        self._say(len(self._scanner.poses(self._method)))

    def _chosen_tried(self) -> AddedPose | None:
        """Return the tried pose whose card is chosen."""
        now, poses = self.cards.current, self.poses
        if now is None or not now < len(poses):
            return None
        return self._scanner.tried_pose(poses[now])

    def remove_chosen(self) -> None:
        """Take the chosen card off the list, where somebody has added its pose."""
        tried = self._chosen_tried()
        if tried is not None:
            self._chosen = None
            self._scanner.tried.remove(tried)

    def step(self, by: int) -> None:
        """Go to the next card, or the one before; the first where none is chosen."""
        now = self.cards.current
        self.choose(0 if now is None else min(max(now + by, 0), len(self.poses) - 1))

    def choose_worst(self) -> bool:
        """Go to the worst pose of all; return whether there is one."""
        self._measure = None
        self._refresh()
        self.choose(0)
        return bool(self.poses)


def _is_same(one: WorstPose, other: WorstPose | None) -> bool:
    return other is not None and (one.joint, one.clip, one.time, one.measure, one.method) == (
        other.joint,
        other.clip,
        other.time,
        other.measure,
        other.method,
    )
