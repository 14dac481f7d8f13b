"""Actions of the menu Rig: playing a clip and going through it."""

from collections.abc import Callable

from rigview.ui.actions.row import Action
from rigview.ui.panels.timeline import Timeline
from rigview.ui.widgets.words import tr
from rigview.ui.workbench import Workbench


def _nothing_moves(bench: Workbench) -> str:
    if bench.stage.played is not None:
        return ""
    rig, clip = bench.stage.rig, bench.stage.clip
    if clip is not None:
        return tr("{clip} has only one frame.", clip=clip.name or tr("The clip"))
    if rig is not None and rig.clips:
        return "No clip is chosen: the timeline has them."
    return "There is no clip: Rig > Add a range of motion makes one."


def _no_stretch(bench: Workbench) -> str:
    whole = "" if bench.state.value.stretch else "All of the clip is played already."
    return _nothing_moves(bench) or whole


def _no_start(bench: Workbench) -> str:
    clip, time = bench.stage.clip, bench.state.value.time
    if clip is not None and time >= clip.end:
        return _nothing_moves(bench) or "This is the clip's end: nothing is after it."
    return _no_stretch(bench) if clip is None or time <= clip.start else ""


def _no_end(bench: Workbench) -> str:
    clip, time = bench.stage.clip, bench.state.value.time
    if clip is not None and time <= clip.start:
        return _nothing_moves(bench) or "This is the clip's start: nothing is before it."
    return _no_stretch(bench) if clip is None or time >= clip.end else ""


def _moving(id_: str, text: str, key: str, icon: str, go: Callable[[Timeline], object]) -> Action:
    """Return the row of what goes to another time of the clip."""
    return Action(
        id_,
        "Rig",
        text,
        lambda bench: go(bench.timeline),
        (key,),
        icon,
        why_not=_nothing_moves,
        where="time",
        contexts=("key",) if id_.endswith("_key") else (),
    )


ROWS: tuple[Action, ...] = (
    Action(
        "toggle_play",
        "Rig",
        "Play",
        lambda bench: bench.timeline.toggle_play(),
        ("Space",),
        "play",
        why_not=_nothing_moves,
        text_now=lambda bench: "Pause" if bench.state.value.playing else "Play",
    ),
    _moving("next_frame", "Next frame", "Right", "caret-right", lambda t: t.step(1.0)),
    _moving("previous_frame", "Previous frame", "Left", "caret-left", lambda t: t.step(-1.0)),
    _moving("ten_on", "Ten frames on", "Shift+Right", "caret-double-right", lambda t: t.step(10.0)),
    _moving(
        "ten_back", "Ten frames back", "Shift+Left", "caret-double-left", lambda t: t.step(-10.0)
    ),
    _moving("tenth_on", "A tenth of a frame on", "Alt+Right", "caret-right", lambda t: t.step(0.1)),
    _moving(
        "tenth_back", "A tenth of a frame back", "Alt+Left", "caret-left", lambda t: t.step(-0.1)
    ),
    _moving("next_key", "Next key", "Down", "skip-forward", lambda t: t.go_to_key(1)),
    _moving("previous_key", "Previous key", "Up", "skip-back", lambda t: t.go_to_key(-1)),
    _moving("first_frame", "First frame", "Home", "skip-back", lambda t: t.go_to_start()),
    _moving("last_frame", "Last frame", "End", "skip-forward", lambda t: t.go_to_end()),
    Action(
        "start_here",
        "Rig",
        "Play from here",
        lambda bench: bench.timeline.start_here(),
        ("[",),
        "brackets-square",
        why_not=_no_start,
        where="time",
        divider=True,
        contexts=("key",),
    ),
    Action(
        "end_here",
        "Rig",
        "Play up to here",
        lambda bench: bench.timeline.end_here(),
        ("]",),
        "brackets-square",
        why_not=_no_end,
        where="time",
        contexts=("key",),
    ),
    Action(
        "play_whole",
        "Rig",
        "Play the whole clip",
        lambda bench: bench.timeline.play_whole(),
        ("\\",),
        "arrows-left-right",
        why_not=_no_stretch,
        where="time",
        contexts=("key",),
    ),
)
