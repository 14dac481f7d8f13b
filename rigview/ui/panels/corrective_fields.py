"""A corrective shape tried out on the selected joint: which morph target, and from which bend to which."""

import math

from rigview.core.corrective import Corrective, bend_of
from rigview.core.deform import Deformer
from rigview.core.rig import Rig
from rigview.ui.stage import Stage
from rigview.ui.view_state import State
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import Chooser
from rigview.ui.widgets.fields import Number
from rigview.ui.widgets.headings import Section
from rigview.ui.widgets.layout import column, label, row
from rigview.ui.widgets.words import tr

_FROM, _TO = 0.0, 90.0


def targets_of(rig: Rig) -> list[tuple[int, int, str]]:
    """Return (node, target, name) of every morph target that the scene shows."""
    found: dict[tuple[int, int], str] = {}
    for part in rig.parts:
        morphs = rig.primitive(part).morphs
        if morphs is None:
            continue
        for target in range(morphs.count):
            name = morphs.names[target] if target < len(morphs.names) else ""
            found.setdefault((part.node, target), name or tr("target {number}", number=target))
    return [(node, target, name) for (node, target), name in found.items()]


class CorrectiveFields(Section):
    """Section of the inspector; nothing of it is saved."""

    def __init__(self, stage: Stage, state: State) -> None:
        self._stage, self._state = stage, state
        self._targets: list[tuple[int, int, str]] = []
        self._of: Rig | None = None
        self.target = Chooser((), "Morph target that the bend drives")
        self.low = Number("°", 0, name="Bend at which the shape begins", step=0.5)
        self.high = Number("°", 0, name="Bend at which the shape is whole", step=0.5)
        for field, start in ((self.low, _FROM), (self.high, _TO)):
            field.setRange(0.0, 180.0)
            field.show_value(start)
            field.setFixedWidth(58)
            field.valueChanged.connect(self._set)
        self._now = label("", "text2", theme.SMALL, numbers=True)
        self.target.activated.connect(self._set)
        angles = row(label("from", "text2"), self.low, label("to", "text2"), self.high, None)
        body = column(row(self.target, None), angles, self._now, spacing=4)
        super().__init__("Corrective shape", body)
        self.set_note(tr("not saved"))

    def show_joint(self, deformer: Deformer, joint: int) -> None:
        """Show what is tried out on a joint; hide where the rig has no morph targets."""
        if deformer.rig is not self._of:
            self._of, self._targets = deformer.rig, targets_of(deformer.rig)
            self.target.clear()
            self.target.addItems([tr("none"), *(name for _, _, name in self._targets)])
        self.setVisible(bool(self._targets) and joint in deformer.rig.joints)
        if self.isHidden() or self._stage.frame is None:
            return
        mine = next((c for c in self._state.value.correctives if c.joint == joint), None)
        chosen = 0
        if mine is not None:
            places = [(node, target) for node, target, _ in self._targets]
            chosen = places.index((mine.node, mine.target)) + 1
            self.low.show_value(math.degrees(mine.curve[0][0]))
            self.high.show_value(math.degrees(mine.curve[-1][0]))
        self.target.setCurrentIndex(chosen)
        bend = bend_of(deformer, self._stage.frame.pose, joint)
        bent = math.degrees(bend)
        if mine is None:
            words = tr("bend {bend:.0f}°", bend=bent)
        else:
            words = tr("bend {bend:.0f}°, weight {weight:.2f}", bend=bent, weight=mine.weight(bend))
        self._now.setText(words)

    def _set(self) -> None:
        joint, chosen = self._state.value.joint, self.target.currentIndex() - 1
        if joint is None:
            return
        others = tuple(c for c in self._state.value.correctives if c.joint != joint)
        if chosen < 0:
            self._state.update(correctives=others)
            return
        node, target, _ = self._targets[chosen]
        low, high = sorted((self.low.value(), self.high.value()))
        high = max(high, low + 1.0)
        curve = ((math.radians(low), 0.0), (math.radians(high), 1.0))
        self._state.update(correctives=(*others, Corrective(joint, node, target, curve)))
