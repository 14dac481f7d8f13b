"""Actions of the menu View: the camera, the worst poses, and which meshes are shown."""

from collections.abc import Callable
from dataclasses import replace

from rigview.core.skinning import DEFAULT_PANES, METHODS
from rigview.core.stance import front
from rigview.render.camera import View
from rigview.ui.actions.row import Action
from rigview.ui.widgets.words import tr
from rigview.ui.workbench import Workbench


def _look_from(view: View) -> Callable[[Workbench], None]:
    def look(bench: Workbench) -> None:
        deformer = bench.stage.deformer
        turn = 0.0 if deformer is None else front(deformer)
        bench.state.update(camera=bench.state.value.camera.looking(view, turn))

    return look


def _switch_perspective(bench: Workbench) -> None:
    camera = bench.state.value.camera
    bench.state.update(camera=replace(camera, orthographic=not camera.orthographic))


def _switch_link(bench: Workbench) -> None:
    view = bench.state.value
    bench.state.link(view.pane, linked=view.pane in view.apart)


def _one_pane(bench: Workbench) -> str:
    return "" if len(bench.state.value.methods) > 1 else "There is one pane only."


def go_to_worst(bench: Workbench) -> None:
    """Go to the worst pose of all, or to the next worst where it is shown already."""
    strip = bench.worst_strip
    if not strip.choose_worst():
        bench.status.say(strip.said.text() or "No pose goes over a limit.", undoable=False)


def _fold_worst_strip(bench: Workbench) -> None:
    strip = bench.worst_strip
    strip.set_folded(folded=not strip.is_folded)


def show_panes(bench: Workbench, count: int) -> None:
    """Show that many panes; a new one gets a method that no other shows yet."""
    state = bench.state
    methods = list(state.value.methods[:count])
    for name in (*DEFAULT_PANES, *METHODS):
        if len(methods) < count and name not in methods:
            methods.append(name)
    methods += ["lbs"] * (count - len(methods))
    state.update(methods=tuple(methods), pane=min(state.value.pane, count - 1))


def meshes_of_selection(bench: Workbench) -> set[int]:
    """Return the nodes of the meshes that the selection is about: the vertex's, or the joints'."""
    rig, look, joints = bench.stage.rig, bench.stage.look, bench.stage.joints
    if rig is None:
        return set()
    if look.vertex is not None:
        return {rig.parts[look.vertex[0]].node}
    return {
        part.node
        for part in rig.parts
        if part.skin is not None and set(rig.skins[part.skin].joints).intersection(joints)
    }


def _no_mesh(bench: Workbench) -> str:
    rig, look = bench.stage.rig, bench.stage.look
    if rig is None or meshes_of_selection(bench):
        return ""
    if look.joint is None:
        return "Nothing is selected: click a joint or a vertex of the mesh first."
    return tr("No mesh is skinned to {joint}.", joint=rig.nodes.label(look.joint))


def _nothing_hidden(bench: Workbench) -> str:
    return "" if bench.state.value.hidden else "No mesh is hidden."


def _hide(bench: Workbench) -> None:
    bench.state.update(hidden=bench.state.value.hidden | meshes_of_selection(bench))


def isolate(bench: Workbench) -> None:
    """Hide all meshes but those of the selection."""
    rig, chosen = bench.stage.rig, meshes_of_selection(bench)
    if rig is not None and chosen:
        bench.state.update(hidden=frozenset({part.node for part in rig.parts} - chosen))


ROWS: tuple[Action, ...] = (
    Action(
        "frame_selected",
        "View",
        "Frame selected",
        lambda bench: bench.panes.frame_selected(),
        ("F",),
        "corners-out",
        contexts=("joint", "vertex"),
    ),
    Action(
        "frame_all",
        "View",
        "Frame all",
        lambda bench: bench.panes.frame_all(),
        ("A",),
        "arrows-out",
        contexts=("pane",),
    ),
    Action("view_front", "Look from", "Front", _look_from("front"), ("1",), "cube"),
    Action("view_back", "Look from", "Back", _look_from("back"), ("Ctrl+1",), "cube"),
    Action("view_right", "Look from", "Right", _look_from("right"), ("3",), "cube"),
    Action("view_left", "Look from", "Left", _look_from("left"), ("Ctrl+3",), "cube"),
    Action("view_top", "Look from", "Top", _look_from("top"), ("7",), "cube"),
    Action(
        "link_camera",
        "View",
        "Link this pane's camera",
        _switch_link,
        icon="link",
        why_not=_one_pane,
        kind="switch",
        is_on=lambda bench: bench.state.value.pane not in bench.state.value.apart,
        contexts=("pane",),
    ),
    Action("worst_pose", "View", "Worst pose", go_to_worst, ("N",), "warning-circle"),
    Action(
        "next_worst",
        "View",
        "Next worst pose",
        lambda bench: bench.worst_strip.step(1),
        ("Shift+N",),
        "arrow-right",
    ),
    Action(
        "previous_worst",
        "View",
        "Worst pose before",
        lambda bench: bench.worst_strip.step(-1),
        ("Ctrl+Shift+N",),
        "arrow-left",
    ),
    Action(
        "view_before",
        "View",
        "View before the worst pose",
        lambda bench: bench.worst_strip.back_asked.emit(),
        ("Backspace",),
        "arrow-u-down-left",
    ),
    Action(
        "worst_strip",
        "View",
        "Strip of worst poses",
        _fold_worst_strip,
        ("Ctrl+4",),
        "cards",
        kind="switch",
        is_on=lambda bench: not bench.worst_strip.is_folded,
    ),
    Action(
        "orthographic",
        "Look from",
        "Orthographic",
        _switch_perspective,
        ("5",),
        "mdi6.perspective-more",
        kind="switch",
        is_on=lambda bench: bench.state.value.camera.orthographic,
    ),
)

MESH_ROWS: tuple[Action, ...] = (
    Action(
        "hide",
        "View",
        "Hide mesh",
        _hide,
        ("H",),
        "eye-slash",
        why_not=_no_mesh,
        divider=True,
        contexts=("joint", "vertex"),
    ),
    Action(
        "isolate",
        "View",
        "Show only this mesh",
        isolate,
        ("Shift+H",),
        "eye",
        why_not=_no_mesh,
        contexts=("joint", "vertex"),
    ),
    Action(
        "show_all",
        "View",
        "Show all meshes",
        lambda bench: bench.state.update(hidden=frozenset()),
        ("Alt+H",),
        "eye",
        why_not=_nothing_hidden,
        contexts=("pane",),
    ),
)
