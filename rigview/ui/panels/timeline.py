"""The Timeline dock: clip, play, loop, speed, steps by frame, key and in between; the ruler below."""

import math

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from rigview.core.arrays import FloatArray
from rigview.core.measures.measure_words import said
from rigview.io.describe import frame_rate
from rigview.ui.panels.lanes import FindingsLane, KeysLane, NotesLane, WorstLane, key_times
from rigview.ui.panels.ruler import Ruler
from rigview.ui.panes.ink import Ink
from rigview.ui.stage import Stage
from rigview.ui.view_state import State, ViewState
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import Button, Chooser, toggle
from rigview.ui.widgets.fields import Number
from rigview.ui.widgets.layout import down, label, row
from rigview.ui.widgets.words import tr
from rigview.ui.workers.checking import Checker
from rigview.ui.workers.clip_choice import ClipChoice
from rigview.ui.workers.worst_scanning import WorstScanner

SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0)
RATES = (24.0, 25.0, 30.0, 50.0, 60.0)
NO_CLIP = "Rest pose"
_TICK_MS = 15


class Player(QObject):
    """Moves the time while playing, by the clock and not by frames drawn."""

    def __init__(self, stage: Stage, state: State) -> None:
        super().__init__()
        self._stage, self._state = stage, state
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._advance)
        state.changed.connect(self._follow)

    def _follow(self, old: ViewState, new: ViewState) -> None:
        if old.playing == new.playing:
            return
        if new.playing:
            self._clock.start()
            self._timer.start()
        else:
            self._timer.stop()

    def _advance(self) -> None:
        played, state = self._stage.played, self._state.value
        if played is None:
            self._state.update(playing=False)
            return
        start, end = played
        time = state.time + state.speed * self._clock.restart() / 1000.0
        if time > end:
            if not state.loop:
                self._state.update(time=end, playing=False)
                return
            time = start + math.fmod(time - start, end - start)
        self._state.update(time=time)


class Timeline(QWidget):
    """Transport above, ruler and lanes below; `worst_asked` asks for the worst pose of all."""

    worst_asked = Signal()

    def __init__(
        self,
        stage: Stage,
        state: State,
        checker: Checker,
        worst: WorstScanner,
        choice: ClipChoice,
        ink: Ink,
    ) -> None:
        super().__init__()
        self._stage, self._state, self._worst = stage, state, worst
        self._choice = choice
        self.player = Player(stage, state)
        self.first = Button("", "skip-back", "ghost", "First frame  Home", theme.BUTTON)
        self.back = Button("", "caret-left", "ghost", "Previous frame  ←", theme.BUTTON)
        self.play = Button("", "play-fill", "plain", "Play  Space", theme.BUTTON)
        self.play.setFixedWidth(40)
        self.forward = Button("", "caret-right", "ghost", "Next frame  →", theme.BUTTON)
        self.last = Button("", "skip-forward", "ghost", "Last frame  End", theme.BUTTON)
        self.loop = toggle("repeat", "Loop", checked=True)
        self.clips = Chooser((), "Clip")
        self.speed = Chooser([f"{s:g}×" for s in SPEEDS], "Speed")
        self.speed.setCurrentIndex(SPEEDS.index(1.0))
        self.rate = Chooser([tr("{rate:g} fps", rate=r) for r in RATES], "Frames per second")
        self.worst = Button("Worst pose", "warning-circle", "ghost", "", theme.BUTTON)
        self.seconds = label("", "text2", numbers=True)
        self.frame = Number("", 1, name="Frame", step=0.1)
        self.frame.setFixedWidth(64)
        self.total = label("", "text3", numbers=True)
        lanes = (
            KeysLane(stage, state),
            FindingsLane(stage, checker),
            NotesLane(stage, state, ink),
            WorstLane(state, worst),
        )
        self.ruler = Ruler(stage, state, lanes)
        down(self, self._transport(), (self.ruler, 1))
        self._connect()
        self._rebuild()

    def _transport(self) -> QWidget:
        bar = row(
            self.first,
            self.back,
            self.play,
            self.forward,
            self.last,
            self.loop,
            8,
            self.clips,
            self.speed,
            self.rate,
            None,
            self.worst,
            4,
            self.seconds,
            2,
            self.frame,
            self.total,
            margins=(8, 0, 10, 0),
            spacing=4,
        )
        bar.setFixedHeight(34)
        return bar

    def _connect(self) -> None:
        for button, slot in (
            (self.first, self.go_to_start),
            (self.back, lambda: self.step(-1.0)),
            (self.play, self.toggle_play),
            (self.forward, lambda: self.step(1.0)),
            (self.last, self.go_to_end),
            (self.worst, self.worst_asked),
        ):
            button.clicked.connect(slot)
        self.loop.toggled.connect(lambda on: self._state.update(loop=on))
        self.clips.activated.connect(self._choose_clip)
        self.speed.activated.connect(lambda i: self._state.update(speed=SPEEDS[i]))
        self.rate.activated.connect(lambda i: self._state.update(fps=self._rates()[i]))
        self.frame.valueChanged.connect(lambda f: self._seek(f / self._state.value.fps))
        self._stage.rig_changed.connect(self._rebuild)
        self._choice.changed.connect(self._show)
        self._worst.changed.connect(self._show_worst)
        self._state.changed.connect(self._follow)

    def toggle_play(self) -> None:
        """Play from here, from the start at the end or outside of what is played, or stop."""
        played, state = self._stage.played, self._state.value
        if played is None:
            return
        start, end = played
        if not state.playing and not start <= state.time < end:
            self._state.update(time=start)
        self._state.update(playing=not state.playing)

    def start_here(self) -> None:
        """Play from the present time on, to where it was played before if that is later."""
        self._play(start=self._state.value.time)

    def end_here(self) -> None:
        """Play up to the present time, from where it was played before if that is earlier."""
        self._play(end=self._state.value.time)

    def _play(self, start: float | None = None, end: float | None = None) -> None:
        clip, played = self._stage.clip, self._stage.played
        if clip is None or played is None:
            return
        if start is not None:
            self._stage.play_between(start, played[1] if played[1] > start else clip.end)
        elif end is not None:
            self._stage.play_between(played[0] if played[0] < end else clip.start, end)

    def play_whole(self) -> None:
        """Play the whole clip again."""
        self._state.update(stretch=None)

    def step(self, frames: float) -> None:
        """Go some frames on or back; whole steps land on whole frames."""
        state = self._state.value
        at = state.time * state.fps
        if float(frames).is_integer():
            nudge = 1e-6
            at = math.floor(at + nudge) if frames > 0 else math.ceil(at - nudge)
        self._seek((at + frames) / state.fps)

    def go_to_key(self, direction: int) -> None:
        """Go to the next (1) or previous (−1) key: of the selected joint, else of the clip."""
        times = self._stage_keys()
        now = self._state.value.time
        ahead = times[times > now + 1e-6] if direction > 0 else times[times < now - 1e-6]
        if len(ahead):
            self._seek(float(ahead[0] if direction > 0 else ahead[-1]))

    def _stage_keys(self) -> FloatArray:
        return key_times(self._stage.clip, self._state.value.joint)

    def go_to_frame(self, frame: float) -> None:
        """Go to a frame by its number."""
        self._seek(frame / self._state.value.fps)

    def go_to_start(self) -> None:
        """Go to the clip's first key."""
        if self._stage.clip is not None:
            self._seek(self._stage.clip.start)

    def go_to_end(self) -> None:
        """Go to the clip's last key."""
        if self._stage.clip is not None:
            self._seek(self._stage.clip.end)

    def _show_worst(self) -> None:
        """Say what the worst pose is under the chosen pane's method."""
        view, rig = self._state.value, self._stage.rig
        method = view.methods[min(view.pane, len(view.methods) - 1)]
        found = self._worst.poses(method)
        self.worst.setEnabled(bool(found))
        words = "The worst pose over all clips  N"
        if found and rig is not None:
            joint, value = rig.nodes.label(found[0].joint), said(found[0].measure, found[0].value)
            clip, frame = self._worst.clip(found[0]).name, found[0].time * view.fps
            found_at = "{joint} {value} at frame {frame:.0f} of {clip}"
            where = tr(found_at, joint=joint, value=value, frame=frame, clip=clip)
            words = f"{tr(words)}\n{where}"
        self.worst.explain(words)

    def _seek(self, time: float) -> None:
        clip = self._stage.clip
        if clip is not None:
            time = min(max(time, clip.start), clip.end)
            self._state.update(time=time, playing=False)

    def _choose_clip(self, row_number: int) -> None:
        rig = self._stage.rig
        has = rig is not None and row_number < len(rig.clips)
        self._choice.choose(row_number if has else None)

    def _rates(self) -> list[float]:
        rig = self._stage.rig
        own = frame_rate(rig) if rig is not None else 30.0
        return sorted({*RATES, own})

    def _rebuild(self) -> None:
        """Offer the clips of the rig on show."""
        rig = self._stage.rig
        clips = rig.clips if rig is not None else ()
        names = [clip.name or tr("clip {number}", number=i) for i, clip in enumerate(clips)]
        wanted = [*names, tr(NO_CLIP)] if rig is not None else [tr("No clip")]
        if wanted != [self.clips.itemText(i) for i in range(self.clips.count())]:
            self.clips.clear()
            self.clips.addItems(wanted)
        rates = [tr("{rate:g} fps", rate=r) for r in self._rates()]
        if rates != [self.rate.itemText(i) for i in range(self.rate.count())]:
            self.rate.clear()
            self.rate.addItems(rates)
        self._show()
        self._show_worst()

    def _follow(self, old: ViewState, new: ViewState) -> None:
        shown = ("clip", "time", "playing", "fps", "loop", "speed")
        if (old.pane, old.fps) != (new.pane, new.fps):
            self._show_worst()
        if new.differs(old, shown):
            self._show()

    def _show(self) -> None:
        rig, clip, state = self._stage.rig, self._stage.clip, self._state.value
        moving = clip is not None and clip.end > clip.start
        for widget in (self.first, self.back, self.play, self.forward, self.last, self.loop):
            widget.setEnabled(moving)
        for chooser in (self.clips, self.speed, self.rate):
            chooser.setEnabled(rig is not None)
        self.frame.setVisible(moving)
        self.play.set_icon("pause-fill" if state.playing else "play-fill")
        self.loop.setChecked(state.loop)
        waiting = self._choice.waiting
        if rig is not None:
            number = state.clip if waiting is None else waiting
            self.clips.setCurrentIndex(len(rig.clips) if number is None else number)
        distance = [abs(rate - state.fps) for rate in self._rates()]
        self.rate.setCurrentIndex(distance.index(min(distance)))
        now = f"{state.time:.3f} s" if moving else ""
        self.seconds.setText(now if waiting is None else tr("Reading the clip…"))
        self.frame.show_value(state.time * state.fps)
        self.total.setText(self._extent())
        self.ruler.update()

    def _extent(self) -> str:
        """Return what stands beside the frame: the last one, or that there is only one."""
        clip = self._stage.clip
        if clip is None:
            return ""
        last = tr("of {frame:.0f}", frame=clip.end * self._state.value.fps)
        return last if clip.end > clip.start else tr("one frame")
