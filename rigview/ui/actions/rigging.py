"""Actions of the menu Rig: motions, trial poses, the mask of compensation, checks and fixes."""

from rigview.ui.actions.files import ask_for_rig
from rigview.ui.actions.row import Action
from rigview.ui.dialogs.template_dialog import TemplateDialog
from rigview.ui.workbench import Workbench


def _load_clips(bench: Workbench) -> None:
    path = ask_for_rig(bench, "Load clips from")
    if path is not None:
        bench.motions.borrow(path)


def ask_for_motion(bench: Workbench) -> None:
    """Ask for the file of a motion, and show which joint turns which."""
    path = ask_for_rig(bench, "Retarget the motion of")
    if path is not None:
        bench.previewer.leave()
        bench.comparer.leave()
        bench.retargeter.open(path)


def _retarget(bench: Workbench) -> None:
    bench.retargeter.start()
    ask_for_motion(bench)


def _several_joints(bench: Workbench) -> str:
    many = len(bench.stage.joints) > 1 and not bench.state.value.rotating
    return "Several joints are selected, and the rings turn one: select it alone." if many else ""


def _switch_rings(bench: Workbench) -> None:
    """Put rings about the selected joint, or take them away."""
    bench.state.update(rotating=not bench.state.value.rotating)
    if bench.state.value.rotating and bench.panes.gizmo.joint is None:
        words = "Select a joint: rings to turn it stand about it then."
        bench.status.say(words, undoable=False)


def _paint_mask(bench: Workbench) -> None:
    """Let a drag paint the mask of compensation, or orbit again."""
    bench.weight_painting.leave()
    (bench.masker.leave if bench.masker.is_active else bench.masker.start)()


def _switch_studio_settings(bench: Workbench) -> None:
    bench.checker.set_configured(not bench.checker.wish.configured)


def _conform(bench: Workbench) -> TemplateDialog | None:
    """Ask for the template that the skeleton is to conform to."""
    if bench.document.path is None:
        return None
    dialog = TemplateDialog(bench.host, bench.document.path, bench.document.template)
    dialog.chosen.connect(bench.document.conform_to)
    dialog.open()
    return dialog


def _no_trial(bench: Workbench) -> str:
    view = bench.state.value
    return "" if view.trial or view.morphs else "No joint and no morph target is tried."


def _no_skin(bench: Workbench) -> str:
    deformer = bench.stage.deformer
    return "Nothing is skinned." if deformer is not None and not deformer.skins else ""


ROWS: tuple[Action, ...] = (
    Action(
        "load_clips",
        "Rig",
        "Load clips from…",
        _load_clips,
        ("Ctrl+L",),
        "film-strip",
        divider=True,
    ),
    Action("retarget", "Rig", "Retarget motion…", _retarget, icon="person-simple-walk"),
    Action(
        "range_of_motion",
        "Rig",
        "Add a range of motion",
        lambda bench: bench.motions.add_range_of_motion(),
        icon="person-simple",
    ),
    Action(
        "rotate",
        "Rig",
        "Rotate the joint",
        _switch_rings,
        ("E",),
        "arrows-clockwise",
        kind="switch",
        is_on=lambda bench: bench.state.value.rotating,
        why_not=_several_joints,
        contexts=("joint",),
    ),
    Action("paint_mask", "Rig", "Paint compensation mask", _paint_mask, icon="paint-brush"),
    Action(
        "calibrate_mask",
        "Rig",
        "Fit compensation mask to flesh",
        lambda bench: bench.masker.calibrate(),
        icon="chart-line",
    ),
    Action(
        "check_again",
        "Rig",
        "Check again",
        lambda bench: bench.checker.check_again(),
        ("F5",),
        "checks",
        divider=True,
    ),
    Action(
        "fix_all_exact",
        "Rig",
        "Fix all exact",
        lambda bench: bench.checker.fix_all_exact(),
        ("Ctrl+Shift+F",),
        "wrench",
    ),
    Action(
        "conform",
        "Rig",
        "Conform to template…",
        _conform,
        icon="tree-structure",
    ),
    Action(
        "studio_settings",
        "Rig",
        "Studio settings",
        _switch_studio_settings,
        icon="sliders-horizontal",
        kind="switch",
        is_on=lambda bench: bench.checker.wish.configured,
        always=True,
    ),
    Action(
        "keep_pose",
        "Rig",
        "Add pose to worst poses",
        lambda bench: bench.keep_pose(),
        icon="push-pin",
        why_not=_no_skin,
        contexts=("pane",),
    ),
    Action(
        "reset_trial",
        "Rig",
        "Take trial pose back",
        lambda bench: bench.state.update(trial={}, morphs={}),
        ("Ctrl+Backspace",),
        "arrow-counter-clockwise",
        why_not=_no_trial,
        contexts=("joint",),
    ),
)
