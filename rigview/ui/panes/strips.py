"""Strips above the panes: messages, previews, comparisons, the brush; and the line at the window's foot."""

from collections.abc import Callable
from time import perf_counter

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from rigview.core.measures.deformation_change import Verdict
from rigview.render.look import COMPARING, Shading
from rigview.ui.view_state import MaskBrush
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import Button, SegmentedControl
from rigview.ui.widgets.fields import Number
from rigview.ui.widgets.layout import Elided, Mark, across, column, fill, folded, label, tint
from rigview.ui.widgets.words import tr

# Seconds over which frames are counted.
_PACE_WINDOW = 1.0
# What the items of the comparison's choice show.
_SHOWN: tuple[Shading | None, ...] = (None, *COMPARING)


class MessageStrip(QWidget):
    """A message that stays until it is dismissed: a title, a reason, and what can be done."""

    def __init__(self) -> None:
        super().__init__()
        fill(self, "background3")
        self.setFixedHeight(54)
        self._details = ""
        self._edge, self._mark = QWidget(), Mark(size=18)
        self._edge.setFixedWidth(3)
        # What was done stands after the name of the file, what stays open before the end.
        self.title = Elided("text", theme.BODY, Qt.TextElideMode.ElideMiddle)
        self.reason = Elided("text2", theme.BODY)
        self.title.setFont(theme.font(theme.BODY, theme.SEMIBOLD))
        self.copy = Button("Copy details", tip="Copy the whole message")
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._details))
        self.action = Button()
        self._do: Callable[[], None] = self.hide
        self.action.clicked.connect(self._act)
        self.other = Button("", kind="ghost")
        self._do_other: Callable[[], None] = self.hide
        self.other.clicked.connect(self._act_otherwise)
        self.dismiss = Button("", "x", "ghost", "Dismiss  Esc")
        self.dismiss.clicked.connect(self.hide)
        words = column(None, self.title, self.reason, None, spacing=1)
        buttons = self.action, self.other, self.copy, self.dismiss
        across(self, self._edge, self._mark, (words, 1), *buttons, margins=(0, 0, 8, 0), spacing=10)
        self.hide()

    def _act(self) -> None:
        self._do()

    def _act_otherwise(self) -> None:
        self._do_other()

    def show_message(
        self,
        severity: str,
        title: str,
        reason: str,
        details: str = "",
        action: tuple[str, Callable[[], None]] | None = None,
    ) -> None:
        """Show a message; `details` can be copied as errors can, `action` is a button with its slot."""
        icon, token = theme.SEVERITY_ICONS[severity]
        fill(self._edge, token)
        self._mark.show_icon(icon, token)
        title, reason = tr(title), tr(reason)
        self.title.setText(title)
        self.reason.setText(reason)
        self.reason.setToolTip(reason)
        self._details = details or f"{title}\n{reason}"
        self.copy.setVisible(severity == "error" or bool(details))
        self.action.setVisible(action is not None)
        if action is not None:
            self.action.setText(tr(action[0]))
            self.action.explain(action[0])
            self.action.updateGeometry()
            self._do = action[1]
        self.other.hide()
        self.setAccessibleName(f"{title}. {reason}")
        self.show()

    def offer(self, words: str, do: Callable[[], None]) -> None:
        """Add a second button to the message on show."""
        self.other.setText(tr(words))
        self.other.explain(words)
        self.other.updateGeometry()
        self._do_other = do
        self.other.show()


class PreviewStrip(QWidget):
    """A fix on trial: before and after, and whether to keep it."""

    toggled = Signal(int)
    applied = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        fill(self, "background1")
        self.setFixedHeight(38)
        self._name = Elided("text2", theme.BODY, Qt.TextElideMode.ElideMiddle)
        self.sides = SegmentedControl(("Before", "After"), 1, "Which state is shown")
        self.sides.chosen.connect(self.toggled)
        self.words = label("", "text2")
        self.apply = Button("Apply", "", "primary", "Keep the change")
        self.apply.clicked.connect(self.applied)
        close = Button("", "x", "ghost", "Leave the preview  Esc")
        close.clicked.connect(self.left)
        heading = label("Preview", weight=theme.SEMIBOLD)
        rest = self.sides, self.words, self.apply, close
        across(self, heading, (self._name, 1), *rest, margins=(12, 0, 8, 0), spacing=10)
        self.hide()

    def show_preview(self, name: str, outcome: str, verdict: Verdict = "better") -> None:
        """Show a previewed change and what it changes; only one for the better is offered in blue."""
        self._name.setText(name)
        self.words.setText(outcome)
        worse = verdict == "worse"
        tint(self.words, "warning" if worse else "text2")
        self.apply.set_kind("primary" if verdict == "better" else "plain")
        self.apply.setText(tr("Apply all the same") if worse else tr("Apply"))
        self.apply.updateGeometry()
        self.sides.select(1)
        self.show()


class CompareStrip(QWidget):
    """A second file beside the document's: what changed, in a line and in full."""

    left = Signal()
    asked = Signal()
    shading_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        fill(self, "background1")
        self.setFixedHeight(38)
        self.shading = SegmentedControl(
            ("Marks", "Weights", "Deformation"), 0, "What is shown of changes"
        )
        tip = (
            "Marks: dots on the vertices whose weights changed\n"
            "Weights: by how much they changed\n"
            "Deformation: how far the vertices stand from where they stood"
        )
        self.shading.setToolTip(tr(tip))
        self.shading.chosen.connect(lambda i: self.shading_chosen.emit(_SHOWN[i]))
        self.words = Elided("text2", theme.BODY)
        self.details = Button("All differences…", tip="Show what changed, to be copied")
        self.details.clicked.connect(self.asked)
        close = Button("", "x", "ghost", "Show one file again  Esc")
        close.clicked.connect(self.left)
        heading = label("Compared", weight=theme.SEMIBOLD)
        rest = self.shading, self.details, close
        across(self, heading, (self.words, 1), *rest, margins=(12, 0, 8, 0), spacing=10)
        self.hide()

    def show_shading(self, shading: Shading) -> None:
        """Show which shading of changes is on; the first stands for any other."""
        self.shading.select(_SHOWN.index(shading) if shading in _SHOWN else 0)

    def show_comparison(self, name: str, text: str) -> None:
        """Say what changed: each kind of thing, and what happened to it."""
        groups: dict[str, list[str]] = {}
        heading = ""
        for line in text.splitlines()[1:]:
            if line.startswith("    "):
                groups.setdefault(heading, []).append(line.strip().replace("- ", "− ", 1))
            else:
                heading = line.strip()
        said = [f"{heading}: {', '.join(lines)}" for heading, lines in groups.items()]
        self.words.setText(
            f"{tr('with {file}', file=name)}   {'; '.join(said) or tr('no difference')}"
        )
        self.words.setToolTip(text)
        self.details.setEnabled(bool(said))
        self.show()


class BrushStrip(QWidget):
    """The brush: what a drag in a pane paints into the mask of compensation."""

    changed = Signal(object)
    joint_asked = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        fill(self, "background1")
        self.setFixedHeight(38)
        self.value = Number("", 2, name="Value that is painted: 0 no compensation, 1 all of it")
        self.value.setRange(0.0, 1.0)
        self.radius = Number(" px", 0, name="Radius of the brush", step=1.0)
        self.radius.setRange(1.0, 400.0)
        for field, start in ((self.value, MaskBrush().value), (self.radius, MaskBrush().radius)):
            field.show_value(start)
            field.setFixedWidth(64)
            field.valueChanged.connect(lambda _: self.changed.emit(self.brush))
        joint = Button("Set by joint", tip="Set what the selected joint moves, by its weights")
        joint.clicked.connect(self.joint_asked)
        self.done = Button("Done", "", "primary", "Stop painting  Esc")
        self.done.clicked.connect(self.left)
        heading, words = (
            label("Compensation mask", weight=theme.SEMIBOLD),
            Elided("text2", theme.BODY),
        )
        words.setText(tr("Drag over the skin to paint."))
        fields = label("Value", "text2"), self.value, label("Radius", "text2"), self.radius
        rest = *fields, joint, self.done
        across(self, heading, (words, 1), *rest, margins=(12, 0, 8, 0), spacing=8)
        self.hide()

    @property
    def brush(self) -> MaskBrush:
        """The brush as it is set."""
        return MaskBrush(self.value.value(), self.radius.value())


class StatusStrip(QWidget):
    """The line at the bottom: what is open, what is under way, what came of it."""

    undo_asked = Signal()
    cancel_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        fill(self, "background2")
        self.setFixedHeight(24)
        self.facts = Elided("text2")
        self.job, self.said = _told(), _told()
        self.bar = _Bar()
        self.cancel = Button("Cancel  Esc", "", "ghost", "Stop the work", 20)
        self.cancel.clicked.connect(self.cancel_asked)
        self.undo = Button("Undo", "", "ghost", "Take the change back", 20)
        self.undo.clicked.connect(self.undo_asked)
        self.driver = label("", "text3", theme.SMALL, numbers=True)
        self.pace = Pace()
        passing = self.job, self.bar, self.cancel, self.said, self.undo
        lasting = (self.facts, 1), self.pace, self.driver
        across(self, *passing, *lasting, margins=(12, 0, 10, 0), spacing=8)
        for widget in passing:
            widget.hide()

    def show_driver(self, version: str, driver: str) -> None:
        """Say what draws the panes; the driver's whole name is the tip."""
        self.driver.setText(version)
        self.driver.setToolTip(folded(driver))

    def show_job(self, name: str, stage: str, share: float | None) -> None:
        """Show work under way, and how far it is where that is known."""
        words = tr(name)
        if share is not None:
            percent = f"{100 * share:.0f} %"
            words = f"{words}   {tr(stage)}, {percent}" if stage else f"{words}   {percent}"
            self.bar.show_share(share)
        self.job.setText(words)
        self.bar.setVisible(share is not None)
        for widget in (self.job, self.cancel):
            widget.show()
        self.said.hide()
        self.undo.hide()

    def end_job(self) -> None:
        """Remove the work."""
        for widget in (self.job, self.bar, self.cancel):
            widget.hide()

    def say(self, words: str, *, undoable: bool) -> None:
        """Say what came of something; with undo beside it where it can be taken back."""
        self.said.setText(tr(words))
        self.said.setVisible(bool(words))
        self.undo.setVisible(undoable)


def _told() -> Elided:
    """Return a text as wide as it is, but no wider than there is room; a path keeps its name."""
    result = Elided("text", elide=Qt.TextElideMode.ElideMiddle)
    result.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
    return result


class Pace(QLabel):
    """Frames per second that were drawn while a clip plays."""

    def __init__(self) -> None:
        super().__init__()
        self.setFont(theme.font(theme.SMALL, numbers=True))
        tint(self, "text2")
        self._times: list[float] = []
        self.hide()

    def count(self) -> None:
        """Take note of a frame that was drawn now."""
        now = perf_counter()
        self._times = [t for t in self._times if now - t < _PACE_WINDOW] + [now]
        span = now - self._times[0]
        if span > 0.5 * _PACE_WINDOW:
            self.setText(tr("{rate:.0f} fps", rate=(len(self._times) - 1) / span))
            self.show()

    def stop(self) -> None:
        """Forget the frames: nothing plays."""
        self._times = []
        self.hide()


class _Bar(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self._share = 0.0
        self.setFixedSize(180, 6)

    def show_share(self, share: float) -> None:
        """Show a share 0…1."""
        self._share = min(max(share, 0.0), 1.0)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("field"))
        painter.drawRoundedRect(QRectF(0, 0, self.width(), 6), 3, 3)
        painter.setBrush(theme.colour("accent"))
        painter.drawRoundedRect(QRectF(0, 0, self.width() * self._share, 6), 3, 3)
