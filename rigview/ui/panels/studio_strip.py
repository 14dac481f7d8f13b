"""The line of the Checks dock that says which of a studio's settings count, and what they hide."""

from collections import Counter

from PySide6.QtWidgets import QWidget

from rigview.check.config import Config
from rigview.check.policy import Suppression
from rigview.check.rule import count
from rigview.ui.widgets.controls import Button
from rigview.ui.widgets.layout import Elided, across, fill, tint
from rigview.ui.widgets.words import tr
from rigview.ui.workers.checking import Checker

_HEIGHT = 26
EXCUSES: dict[Suppression, str] = {
    "known": "in the baseline",
    "ignored": "ignored",
    "accepted": "accepted",
}


class StudioStrip(QWidget):
    """Which configuration is in force, and a button that lists what it hides; gone without any."""

    def __init__(self, checker: Checker) -> None:
        super().__init__()
        self._checker = checker
        fill(self, "background2")
        self.setFixedHeight(_HEIGHT)
        self.words = Elided()
        self.button = Button("", "", "ghost", "", 20)
        self.button.clicked.connect(self._act)
        across(self, (self.words, 1), self.button, margins=(10, 0, 8, 0), spacing=6)
        checker.checked.connect(self.refresh)
        checker.shown.connect(self.refresh)
        checker.counted.connect(self.refresh)
        self.refresh()

    def _act(self) -> None:
        if self._checker.excused:
            self._checker.show_excused(not self._checker.shows_excused)
        else:
            self._checker.set_configured(True)

    def refresh(self) -> None:
        """Show what counts now."""
        last = self._checker.last
        if last is None:
            self.hide()
            return
        config, fault, hidden = last.held.standard.config, last.held.fault, self._checker.excused
        words = tr("Studio settings: {name}", name=_name(config))
        tip = _tip(config, self._checker.wish.profile)
        if fault:
            words, tip = tr("Studio settings cannot be used"), fault
        elif not last.wish.configured:
            words, tip = tr("Studio settings are switched off"), tr("Rig > Studio settings")
        template = last.wish.template
        if template is not None:
            name = template.title or template.name
            words = f"{tr('Template: {name}', name=name)} · {words}"
            tip = "\n".join(filter(None, (tr("Rig > Conform to template…"), tip)))
        self.words.setText(words)
        self.words.setToolTip(tip)
        tint(self.words, "warning" if fault else "text2")
        self._show_button(configured=last.wish.configured)
        shown = bool(fault or hidden or config.file or template)
        self.setVisible(shown or not last.wish.configured)

    def _show_button(self, *, configured: bool) -> None:
        hidden = self._checker.excused
        counting = self._checker.is_counting
        self.button.setVisible(bool(hidden) or counting or not configured)
        self.button.setEnabled(bool(hidden) or not counting)
        if counting and not hidden:
            self.button.setText(tr("Counting what is ignored…"))
            self.button.explain("The rules that the settings ignore are run after the others")
        elif hidden:
            shown = self._checker.shows_excused
            self.button.setText(
                tr("Hide again") if shown else tr("Show {number} hidden", number=len(hidden))
            )
            kinds = Counter(why for _, why in hidden)
            lines = [f"{kinds[w]} {tr(EXCUSES[w])}" for w in EXCUSES if kinds[w]]
            lines += [tr("counting what is ignored…")] * counting
            self.button.explain("\n".join(lines))
        else:
            self.button.setText(tr("Switch on"))
            self.button.explain("Let the studio's settings count again")
        self.button.updateGeometry()


def _name(config: Config) -> str:
    return config.file.name if config.file is not None else tr("none")


def _tip(config: Config, chosen: str | None) -> str:
    """Return where a configuration stands and what it decides, a line each."""
    if config.file is None:
        return ""
    lines = [str(config.file)]
    if config.profile is not None:
        aside = "{profile} profile, set aside for {chosen}"
        words = "{profile} profile" if chosen is None else aside
        lines.append(tr(words, profile=config.profile, chosen=chosen))
    decided = (
        (len(config.severities), "severity"),
        (len(config.limits), "limit"),
        (len(config.accepted), "accepted value"),
    )
    lines += [tr(count(number, what)) for number, what in decided if number]
    if config.baseline is not None:
        lines.append(tr("baseline {file}", file=config.baseline.name))
    return "\n".join(lines)
