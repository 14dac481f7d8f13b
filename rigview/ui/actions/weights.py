"""The actions of the menu Weights: which vertices are chosen, locks, and edits of all of them."""

from collections.abc import Callable, Iterable

import numpy as np

from rigview.core.arrays import IntArray
from rigview.core.sentence import Sentence
from rigview.core.text import count, some_of
from rigview.core.weights import choosing, filling, flooding, prune
from rigview.core.weights.editable_rig import EditableRig, Points
from rigview.core.weights.edits import Freedom
from rigview.core.weights.flooding import BrushPoints, Edited
from rigview.core.weights.mirroring import Way, mirror_of
from rigview.core.weights.problem import NotMade
from rigview.core.weights.skin_points import SkinPoints
from rigview.ui.actions.row import Action, WhyNot
from rigview.ui.panels.locks import lock
from rigview.ui.widgets.words import capital, tr
from rigview.ui.workbench import Workbench
from rigview.ui.workers.weight_editing import Edit, as_chosen


def _no_joint(bench: Workbench) -> str:
    rig, joint = bench.stage.rig, bench.stage.joint
    if rig is None or (joint is not None and joint in rig.joints):
        return ""
    return "No joint is selected: click one in the tree or in a pane."


def _nothing_chosen(bench: Workbench) -> str:
    if bench.stage.rig is None or bench.stage.chosen:
        return ""
    return "No vertex is chosen: click one, drag a box with Shift, or choose all of a joint."


def _no_lock(bench: Workbench) -> str:
    return "" if bench.state.value.locked else "No joint is locked."


def _show_table(bench: Workbench) -> None:
    table = bench.vertex_table
    table.set_wanted(wanted=table.is_away)


def choose_joint(bench: Workbench) -> None:
    """Choose all vertices that the selected joints move."""
    joints, rig = bench.stage.joints, bench.stage.rig
    if joints and rig is not None:
        bench.weight_editor.choose(
            lambda of: tuple(
                np.unique(np.concatenate([choosing.of_joint(c, joint) for joint in joints]))
                for c in of.characters
            ),
            tr("No vertex follows {names}.", names=some_of([*map(rig.nodes.label, joints)], 1)),
        )


def _choose_by_weight(bench: Workbench) -> None:
    """Choose all of the joint, and ask in the table for the weight from which vertices stay chosen."""
    choose_joint(bench)
    bench.vertex_table.set_wanted(wanted=True)
    bench.vertex_table.filter.ask()


def _switch_lasso(bench: Workbench) -> None:
    """Let a drag that chooses draw a lasso, or a box again."""
    bench.state.update(lasso=not bench.state.value.lasso)
    lasso = "Drag a lasso with Shift to choose vertices, with Ctrl to take them out."
    box = "Drag a box with Shift to choose vertices, with Ctrl to take them out."
    bench.status.say(tr(lasso if bench.state.value.lasso else box), undoable=False)


def _switch_joints(bench: Workbench) -> None:
    """Let a drag select joints, or choose vertices again."""
    bench.state.update(drags_joints=not bench.state.value.drags_joints)
    joints = "Drag with Shift to select joints, with Ctrl to take them out."
    vertices = "Drag with Shift to select vertices, with Ctrl to take them out."
    bench.status.say(tr(joints if bench.state.value.drags_joints else vertices), undoable=False)


def _rechoose(change: Callable[[SkinPoints, IntArray], IntArray]) -> Callable[[Workbench], None]:
    """Return what chooses other vertices, by those that are chosen."""

    def choose(bench: Workbench) -> None:
        chosen = dict(bench.stage.chosen)

        def wanted(of: EditableRig) -> Points:
            each = zip(of.characters, of.points_of(chosen), strict=True)
            return tuple(change(c, p) if len(p) else p for c, p in each)

        bench.weight_editor.choose(wanted)

    return choose


def _lock(*, others: bool) -> Callable[[Workbench], None]:
    """Return what locks the selected joints or all others, and frees them where it is so already."""

    def change(bench: Workbench) -> None:
        rig = bench.stage.rig
        joints = [j for j in bench.stage.joints if rig is not None and j in rig.joints]
        if joints:
            lock(bench.state, bench.stage, joints, others=others)

    return change


def _paint(bench: Workbench) -> None:
    """Switch the brush on or off: a drag paints weights or the mask, or orbits again."""
    painting = bench.weight_painting
    if painting.is_active:
        painting.leave()
    elif bench.masker.is_active:
        bench.masker.leave()
    elif bench.state.value.shading in ("weights", "joints"):
        painting.start()
    else:
        bench.masker.start()


def _smooth(of: SkinPoints, points: IntArray, free: Freedom) -> Edited:
    return flooding.flood(of, points, BrushPoints("smooth"), free)


def _prune(of: SkinPoints, points: IntArray, free: Freedom) -> Edited:
    return flooding.prune_below(of, points, prune.LEAST, free)


def _keep_largest(of: SkinPoints, points: IntArray, free: Freedom) -> Edited:
    return flooding.keep_largest(of, points, prune.MOST, free)


def _editing(id_: str, text: str, edit: Edit, words: str, icon: str) -> Action:
    """Return the row of an edit of the chosen vertices; `words` name the step: `{vertices}`."""
    return Action(
        id_,
        "Weights",
        text,
        lambda bench: bench.weight_editor.edit(edit, lambda many: tr(words, vertices=many)),
        icon=icon,
        why_not=_nothing_chosen,
        contexts=("vertex",) if id_ in _OF_A_VERTEX else (),
    )


def _mirror(way: Way) -> Callable[[Workbench], None]:
    """Return what mirrors weights: to the images of the chosen vertices, or of all of that side."""

    def mirror(bench: Workbench) -> None:
        chosen = bench.stage.chosen
        alone: dict[int, IntArray] = {}
        reasons: list[str] = []

        def edit(of: SkinPoints, points: IntArray, free: Freedom) -> Edited:
            try:
                by = mirror_of(of)
            except NotMade as reason:
                # Beside a body there may be a thing that has no sides.
                reasons.append(f"{tr(str(reason))}.")
                return Edited(of, points[:0])
            # Those chosen on the side that gives stand for their images.
            images = by.image[points]
            wanted = np.union1d(points, images[images >= 0]) if chosen else None
            edited, result = flooding.mirror(of, by, way, free, wanted)
            alone[of.number] = result.unpaired
            return edited

        def then(after: EditableRig) -> str:
            points = tuple(alone.get(of.number, none) for of, none in _each(after))
            number = sum(map(len, points))
            bench.state.update(marked=as_chosen(after, points))
            if not alone and reasons:
                return capital(reasons[0])
            if not number:
                return ""
            return tr(
                "{vertices} without a pair, marked, kept their weights.",
                vertices=count(number, "vertex"),
            )

        bench.weight_editor.edit(
            edit,
            lambda many: tr("Mirror {way} on {vertices}", way=Sentence(way), vertices=many),
            everything=not chosen,
            then=then,
        )

    return mirror


def _each(of: EditableRig) -> Iterable[tuple[SkinPoints, IntArray]]:
    return zip(of.characters, of.nothing, strict=True)


# The edits that the context menu of a vertex offers.
_OF_A_VERTEX = ("smooth_weights", "hammer", "normalise")


def _row(
    id_: str,
    text: str,
    do: Callable[[Workbench], object],
    icon: str,
    why_not: WhyNot,
    keys: tuple[str, ...] = (),
) -> Action:
    return Action(id_, "Weights", text, do, keys, icon, why_not=why_not)


ROWS: tuple[Action, ...] = (
    Action(
        "vertex_table",
        "Weights",
        "Table of vertices",
        _show_table,
        ("Ctrl+5",),
        "table",
        kind="switch",
        is_on=lambda bench: not bench.vertex_table.is_away,
        contexts=("vertex",),
    ),
    Action(
        "choose_joint",
        "Weights",
        "Choose all of the joint",
        choose_joint,
        icon="selection-all",
        why_not=_no_joint,
        divider=True,
        contexts=("joint",),
    ),
    _row("choose_by_weight", "Choose by weight…", _choose_by_weight, "funnel", _no_joint),
    _row(
        "choose_shells",
        "Choose whole shells",
        _rechoose(choosing.of_shells),
        "selection-all",
        _nothing_chosen,
    ),
    _row(
        "choose_more",
        "Choose a ring more",
        _rechoose(choosing.grown),
        "selection-plus",
        _nothing_chosen,
        ("Ctrl++", "Ctrl+="),
    ),
    _row(
        "choose_less",
        "Choose a ring less",
        _rechoose(choosing.shrunk),
        "selection",
        _nothing_chosen,
        ("Ctrl+-",),
    ),
    Action(
        "lasso",
        "Weights",
        "Choose with a lasso",
        _switch_lasso,
        ("Q",),
        "mdi6.lasso",
        kind="switch",
        is_on=lambda bench: bench.state.value.lasso,
    ),
    Action(
        "drags_joints",
        "Weights",
        "Select joints by a drag",
        _switch_joints,
        icon="mdi6.select-drag",
        kind="switch",
        is_on=lambda bench: bench.state.value.drags_joints,
    ),
    Action(
        "lock_joint",
        "Weights",
        "Lock the joint",
        _lock(others=False),
        ("K",),
        "lock",
        why_not=_no_joint,
        kind="switch",
        is_on=lambda bench: bench.stage.joint in bench.state.value.locked,
        divider=True,
        contexts=("joint",),
    ),
    Action(
        "lock_others",
        "Weights",
        "Lock all other joints",
        _lock(others=True),
        ("Shift+K",),
        "lock-key",
        why_not=_no_joint,
        contexts=("joint",),
    ),
    _row(
        "unlock_all",
        "Unlock all joints",
        lambda bench: bench.state.update(locked=frozenset()),
        "lock-open",
        _no_lock,
        ("Alt+K",),
    ),
    Action(
        "paint",
        "Weights",
        "Paint weights, or the mask where it is shown",
        _paint,
        ("P",),
        "paint-brush",
        divider=True,
    ),
    _row(
        "flood",
        "Flood with the brush",
        lambda bench: bench.weight_painting.flood(),
        "paint-bucket",
        _nothing_chosen,
    ),
    _editing("smooth_weights", "Smooth", _smooth, "Smooth {vertices}", "drop"),
    _editing(
        "fill_weights",
        "Fill by geodesic voxels",
        filling.fill,
        "Fill {vertices} by geodesic voxels",
        "dots-nine",
    ),
    _editing(
        "hammer",
        "Hammer: take the mean of the ring",
        flooding.hammer,
        "Hammer {vertices}",
        "mdi6.hammer",
    ),
    Action(
        "mirror_left",
        "Weights",
        "Mirror left to right",
        _mirror("left to right"),
        icon="mdi6.flip-horizontal",
    ),
    Action(
        "mirror_right",
        "Weights",
        "Mirror right to left",
        _mirror("right to left"),
        icon="mdi6.flip-horizontal",
    ),
    _editing("normalise", "Normalise", flooding.normalise, "Normalise {vertices}", "equals"),
    _editing(
        "prune",
        "Prune below 0.01",
        _prune,
        "Prune weights below 0.01 of {vertices}",
        "scissors",
    ),
    _editing(
        "keep_largest",
        "Keep the 4 largest",
        _keep_largest,
        "Keep the 4 largest weights of {vertices}",
        "list-numbers",
    ),
)
