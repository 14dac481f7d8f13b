"""Morph targets of the rig on show: every weight with a slider that tries another one, never saved."""

from collections import Counter
from dataclasses import dataclass
from math import prod

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea

from rigview.check.rule import count
from rigview.core.arrays import FloatArray
from rigview.core.clip import Clip
from rigview.core.corrective import morph_weights
from rigview.core.rig import Rig
from rigview.ui.panels.corrective_fields import targets_of
from rigview.ui.panels.morph_rows import ROW, MorphRow, MorphRows, Target
from rigview.ui.stage import Stage
from rigview.ui.view_state import State, ViewState
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import Button
from rigview.ui.widgets.fields import Search
from rigview.ui.widgets.headings import Section
from rigview.ui.widgets.layout import column, label, row
from rigview.ui.widgets.words import tr

# Rows that are seen at once; more scroll.
_SEEN = 7
# Points of the little curve of a keyed target, and the least change of a weight that counts as keyed.
_POINTS, _MOVES = 24, 1e-4
# Numbers of the targets of a mesh that are looked at when a file is opened, in the window's thread.
_LOOKED_AT = 6_000_000


@dataclass(frozen=True)
class _Listing:
    """Targets of a rig with their curves in one clip."""

    rig: Rig
    clip: Clip | None
    rows: tuple[MorphRow, ...]


class MorphSection(Section):
    """Section of the Inspector; it is there where the rig has morph targets."""

    def __init__(self, stage: Stage, state: State) -> None:
        self._stage, self._state = stage, state
        self._listing: _Listing | None = None
        self.search = Search("Search morph targets")
        self.search.textChanged.connect(self._list)
        self.changed, self.keyed = (
            Button("Changed", tip="Only those that are tried"),
            Button("Keyed", tip="Only those that the clip changes"),
        )
        for chip in (self.changed, self.keyed):
            chip.setCheckable(True)
            chip.toggled.connect(self._list)
        self.reset = Button("", "arrow-counter-clockwise", "ghost", "Take all of them back", 22)
        self.reset.clicked.connect(lambda: self._state.update(morphs={}))
        self.rows = MorphRows()
        self.rows.tried.connect(self._try)
        self.rows.moved_to.connect(self._scroll_to)
        self.search.left_downwards.connect(self.rows.setFocus)
        self._scroll = QScrollArea()
        self._scroll.setWidget(self.rows)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._none = label("", "text3", theme.SMALL, wrap=True)
        chips = row(self.changed, self.keyed, None, self.reset, spacing=4)
        body = column(self.search, chips, self._scroll, self._none, spacing=4)
        super().__init__("Morph targets", body)
        stage.rig_changed.connect(self._refresh)
        stage.pose_changed.connect(self._show_weights)
        state.changed.connect(self._follow)
        self._refresh()

    def _follow(self, old: ViewState, new: ViewState) -> None:
        if old.clip != new.clip:
            self._refresh()
        elif old.morphs != new.morphs:
            self._list()

    def _refresh(self) -> None:
        """Read targets and curves anew where rig or clip are other ones."""
        rig, clip = self._stage.rig, self._stage.clip
        if rig is None:
            self._listing = None
        elif self._listing is None or (self._listing.rig, self._listing.clip) != (rig, clip):
            self._listing = _Listing(rig, clip, rows_of(rig, clip))
        has_any = self._listing is not None and bool(self._listing.rows)
        self.setVisible(has_any)
        if has_any:
            self._list()

    def _list(self) -> None:
        """List the targets that search and chips let through."""
        if self._listing is None:
            return
        every, tried = self._listing.rows, self._state.value.morphs
        wanted = self.search.text().strip().lower()
        shown = [
            one
            for one in every
            if wanted in one.name.lower()
            and (not self.changed.isChecked() or not tried.keys().isdisjoint(one.targets))
            and (not self.keyed.isChecked() or one.curve is not None)
        ]
        self.set_note(
            tr("{number} of {all} tried, not saved", number=len(tried), all=len(every))
            if tried
            else str(len(every))
        )
        self.changed.setEnabled(bool(tried) or self.changed.isChecked())
        self.reset.setEnabled(bool(tried))
        self.keyed.setEnabled(any(one.curve is not None for one in every) or self.keyed.isChecked())
        self.rows.show_rows(shown)
        self._scroll.setFixedHeight(ROW * min(max(len(shown), 1), _SEEN))
        self._scroll.setVisible(bool(shown))
        self._none.setVisible(not shown)
        self._none.setText(
            tr("None of {targets} matches.", targets=count(len(every), "morph target"))
        )
        self._show_weights()

    def _show_weights(self) -> None:
        frame = self._stage.frame if self._listing is not None else None
        if self._listing is None or frame is None:
            return
        nodes = {node for one in self._listing.rows for node, _ in one.targets}
        known = {node: morph_weights(self._listing.rig, frame.pose, node) for node in nodes}
        weights = {
            (node, target): float(known[node][target])
            for one in self._listing.rows
            for node, target in one.targets
            if target < len(known[node])
        }
        self.rows.show_weights(weights, frozenset(self._state.value.morphs))

    def _try(self, chosen: MorphRow, weight: float | None) -> None:
        morphs = {k: v for k, v in self._state.value.morphs.items() if k not in chosen.targets}
        if weight is not None:
            morphs |= dict.fromkeys(chosen.targets, weight)
        self._state.update(morphs=morphs)

    def _scroll_to(self, number: int) -> None:
        self._scroll.ensureVisible(0, number * ROW + ROW // 2, 0, ROW // 2)


def rows_of(rig: Rig, clip: Clip | None) -> tuple[MorphRow, ...]:
    """Return a row for each name of morph targets that the scene shows, with its curve in a clip."""
    groups: dict[tuple[str, int], list[Target]] = {}
    met: Counter[tuple[str, int]] = Counter()
    for node, target, name in targets_of(rig):
        # Targets that share a name within a node are different ones.
        groups.setdefault((name, met[name, node]), []).append((node, target))
        met[name, node] += 1
    curves = {node: _curve(clip, node) for node in {n for own in groups.values() for n, _ in own}}
    rows = []
    moving_ones = _moving(rig)
    for (name, _), targets in groups.items():
        keyed = (
            curves[node][:, target] for node, target in targets if target < curves[node].shape[1]
        )
        moving = next((own for own in keyed if float(np.ptp(own)) > _MOVES), None)
        moves = not moving_ones.isdisjoint(targets)
        rows.append(MorphRow(tuple(targets), name, moving, moves))
    return tuple(rows)


def _moving(rig: Rig) -> set[Target]:
    """Return the targets under which any vertex is elsewhere, and those too large to look at."""
    found: set[Target] = set()
    for part in rig.parts:
        morphs = rig.primitive(part).morphs
        if morphs is not None and 3 * prod(morphs.shape[:2]) > _LOOKED_AT:
            found |= {(part.node, target) for target in range(morphs.count)}
        elif morphs is not None:
            moved = np.any(morphs.positions != 0.0, axis=(1, 2))
            found |= {(part.node, int(target)) for target in np.flatnonzero(moved)}
    return found


def _curve(clip: Clip | None, node: int) -> FloatArray:
    """Return ``(n, T)`` the weights of a node over a clip; ``(n, 0)`` where it keys none."""
    curve = clip.curve(node, "weights") if clip is not None else None
    if clip is None or curve is None:
        return np.zeros((_POINTS, 0))
    return curve.at(np.linspace(clip.start, clip.end, _POINTS))
