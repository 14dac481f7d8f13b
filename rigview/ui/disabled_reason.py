"""Why a command would do nothing now, in a sentence: menus and keys say so instead of being silent."""

from collections.abc import Callable

from rigview.ui.workbench import Workbench


def reason(action: str, bench: Workbench) -> str:
    """Return why a command has nothing to do; empty where it has."""
    ask = _REASONS.get(action)
    return ask(bench) if ask is not None else ""


def meshes_of_selection(bench: Workbench) -> set[int]:
    """Return the nodes of the meshes that the selection is about: the vertex's, or the joint's."""
    rig, look = bench.stage.rig, bench.stage.look
    if rig is None:
        return set()
    if look.vertex is not None:
        return {rig.parts[look.vertex[0]].node}
    return {
        part.node
        for part in rig.parts
        if part.skin is not None and look.joint in rig.skins[part.skin].joints
    }


def _no_mesh(bench: Workbench) -> str:
    rig, look = bench.stage.rig, bench.stage.look
    if rig is None or meshes_of_selection(bench):
        return ""
    if look.joint is None:
        return "Nothing is selected: click a joint or a vertex of the mesh first."
    return f"No mesh is skinned to {rig.nodes.label(look.joint)}."


def _nothing_hidden(bench: Workbench) -> str:
    return "" if bench.state.value.hidden else "No mesh is hidden."


def _nothing_moves(bench: Workbench) -> str:
    if bench.stage.played is not None:
        return ""
    rig, clip = bench.stage.rig, bench.stage.clip
    if clip is not None:
        return f"{clip.name or 'The clip'} has only one frame."
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


def _no_trial(bench: Workbench) -> str:
    view = bench.state.value
    return "" if view.trial or view.morphs else "No joint and no morph target is tried."


def _no_skin(bench: Workbench) -> str:
    deformer = bench.stage.deformer
    return "Nothing is skinned." if deformer is not None and not deformer.skins else ""


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


# Command → what it needs.
_REASONS: dict[str, Callable[[Workbench], str]] = {
    "hide": _no_mesh,
    "isolate": _no_mesh,
    "show_all": _nothing_hidden,
    **dict.fromkeys(
        (
            "toggle_play",
            "next_frame",
            "previous_frame",
            "ten_on",
            "ten_back",
            "tenth_on",
            "tenth_back",
            "first_frame",
            "last_frame",
            "next_key",
            "previous_key",
        ),
        _nothing_moves,
    ),
    "start_here": _no_start,
    "end_here": _no_end,
    "play_whole": _no_stretch,
    "reset_trial": _no_trial,
    "keep_pose": _no_skin,
    **dict.fromkeys(("choose_joint", "choose_by_weight", "lock_joint", "lock_others"), _no_joint),
    "unlock_all": _no_lock,
    **dict.fromkeys(
        (
            "choose_shells",
            "choose_more",
            "choose_less",
            "flood",
            "smooth_weights",
            "fill_weights",
            "hammer",
            "normalise",
            "prune",
            "keep_largest",
        ),
        _nothing_chosen,
    ),
}
