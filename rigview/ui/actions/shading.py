"""Actions of the menu View: shadings and overlays, which the view state holds."""

from collections.abc import Callable

from rigview.app.facts import OVERLAYS, SHADINGS
from rigview.render.overlay_legend import absence
from rigview.ui.actions.row import Action
from rigview.ui.workbench import Workbench

Keys = tuple[str, ...]


def _shading(
    id_: str, keys: Keys = (), icon: str = "", *, button: str = "", divider: bool = False
) -> Action:
    """Return the row of a shading."""
    return Action(
        id_,
        "View",
        SHADINGS[id_],
        lambda bench: bench.state.update(shading=id_),
        keys,
        icon,
        is_on=lambda bench: bench.state.value.shading == id_,
        kind="shading",
        button=button,
        divider=divider,
        contexts=("pane",) if button else (),
    )


def _overlay(
    id_: str, keys: Keys = (), icon: str = "", *, in_bar: bool = False, divider: bool = False
) -> Action:
    """Return the row of an overlay.

    One that is an option of another is seen only with that other: both are switched on.
    """
    text, of = OVERLAYS[id_].text, OVERLAYS[id_].of
    switches = (of, id_) if of else (id_,)

    def is_on(bench: Workbench) -> bool:
        return all(getattr(bench.state.value, name) for name in switches)

    return Action(
        id_,
        "Overlays",
        text,
        _switch(id_, switches, is_on),
        keys,
        icon,
        is_on=is_on,
        kind="overlay",
        button=icon if in_bar else "",
        divider=divider,
    )


def _switch(
    id_: str, switches: Keys, is_on: Callable[[Workbench], bool]
) -> Callable[[Workbench], None]:
    """Return what switches an overlay, and says why where it is on and shows nothing."""

    def switch(bench: Workbench) -> None:
        bench.state.update(**({id_: False} if is_on(bench) else dict.fromkeys(switches, True)))
        if bench.stage.deformer is not None and is_on(bench):
            why = absence(id_, bench.stage.deformer, bench.stage.look)
            if why:
                bench.status.say(why, undoable=False)

    return switch


def _switch_literal_weights(bench: Workbench) -> None:
    """Draw weights as the file states them, or divided by their sum; say where that is the same."""
    state, deformer = bench.state, bench.stage.deformer
    literal = state.value.weights == "literal"
    state.update(weights="normalised" if literal else "literal")
    if deformer is not None and deformer.sums_to_one:
        words = "The weights of every vertex sum to one: both ways draw the same."
        bench.status.say(words, undoable=False)


ROWS: tuple[Action, ...] = (
    _shading("textured", ("T",), "image-square", button="Textured", divider=True),
    _shading("clay", ("C",), "person", button="Clay"),
    _shading("weights", ("W",), "paint-brush", button="Weights"),
    _shading("joints", ("Shift+W",), "palette", button="Joints"),
    _shading("count", ("I",), "hash", button="Influences"),
    _shading("mask", icon="mdi6.drama-masks"),
    _shading("difference", ("D",), "git-diff", button="Difference"),
    Action(
        "file_look",
        "View",
        "First pane textured beside clay",
        lambda bench: bench.state.update(file_look=not bench.state.value.file_look),
        icon="image-square",
        is_on=lambda bench: bench.state.value.file_look,
        kind="switch",
        contexts=("pane",),
    ),
    Action(
        "literal_weights",
        "View",
        "Weights as in the file, not normalised",
        _switch_literal_weights,
        icon="equals",
        is_on=lambda bench: bench.state.value.weights == "literal",
        kind="switch",
    ),
    _shading("heat", ("Shift+D",), "thermometer-hot", button="Heat"),
    _overlay("bones", ("B",), "mdi6.bone", in_bar=True, divider=True),
    _overlay("sticks", ("Shift+B",), "line-segment"),
    _overlay("xray", ("X",), "selection-all", in_bar=True),
    _overlay("wires", ("Z",), "polygon", in_bar=True),
    _overlay("axes", ("J",), "mdi6.axis-arrow", in_bar=True),
    _overlay("names", ("L",), "tag", in_bar=True),
    _overlay("grid", ("G",), "grid-four", in_bar=True),
    _overlay("shadow", icon="circle-half"),
    _overlay("rest_ghost", ("R",), "ghost", in_bar=True),
    _overlay("bind_ghost", ("Shift+R",), "link", in_bar=True),
    _overlay("trail", ("M",), "path", in_bar=True),
    _overlay("bounds", ("Shift+G",), "bounding-box"),
)
