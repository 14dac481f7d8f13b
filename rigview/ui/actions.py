"""The one table of what can be done: menus, shortcuts, and the sheet of keys read it."""

from dataclasses import dataclass
from typing import Literal

from rigview.app.facts import OVERLAYS, SHADINGS

# What an action is: something done, a switch that is on or off, or one that the view state holds: the
# shading of its name, or the overlay of its name.
Kind = Literal["command", "switch", "shading", "overlay"]
Menu = Literal["File", "Edit", "View", "Look from", "Overlays", "Rig", "Weights", "Help"]
MENUS: tuple[Menu, ...] = ("File", "Edit", "View", "Rig", "Weights", "Help")
# Menus that stand in another one, at the place of their first row: a menu must fit on a small screen.
WITHIN: dict[Menu, Menu] = {"Look from": "View", "Overlays": "View"}


@dataclass(frozen=True)
class Action:
    """One action.

    Parameters
    ----------
    id
        The method of `Commands` that does it; of a shading or overlay, what the view state calls it.
    keys
        Shortcuts; the first one is shown.
    where
        "anywhere", or "time": keys that lists and fields need for themselves work on panes and
        timeline only. Text fields keep the keys that write; buttons and ticks are pressed by Return.
    always
        Whether it can be done while no rig is open.
    button
        What stands for it in the bar: the word of a shading, the icon of an overlay.
    of
        The overlay that it is an option of: there is no seeing the one without the other.
    """

    id: str
    menu: Menu
    text: str
    keys: tuple[str, ...] = ()
    where: Literal["anywhere", "time"] = "anywhere"
    kind: Kind = "command"
    divider: bool = False
    always: bool = False
    button: str = ""
    of: str = ""

    def is_on(self, overlays: object) -> bool:
        """Tell whether an overlay can be seen, by the fields of its name and of what it is an option of."""
        return all(getattr(overlays, name) for name in self.switches)

    def switched(self, overlays: object) -> dict[str, bool]:
        """Return the fields that change when an overlay is switched."""
        return {self.id: False} if self.is_on(overlays) else dict.fromkeys(self.switches, True)

    @property
    def switches(self) -> tuple[str, ...]:
        """The fields that are on where an overlay can be seen."""
        return (self.of, self.id) if self.of else (self.id,)


def _shading(
    id_: str, keys: tuple[str, ...] = (), *, button: str = "", divider: bool = False
) -> Action:
    """Return the row of a shading."""
    text = SHADINGS[id_]
    return Action(id_, "View", text, keys, kind="shading", button=button, divider=divider)


def _overlay(
    id_: str, keys: tuple[str, ...] = (), *, button: str = "", divider: bool = False
) -> Action:
    """Return the row of an overlay."""
    text, of = OVERLAYS[id_].text, OVERLAYS[id_].of
    return Action(
        id_, "Overlays", text, keys, kind="overlay", button=button, divider=divider, of=of
    )


ACTIONS: tuple[Action, ...] = (
    Action("open_file", "File", "Open…", ("Ctrl+O",), always=True),
    Action("reload", "File", "Reload", ("Ctrl+R",)),
    Action("units", "File", "Unit and axes…"),
    Action("compare", "File", "Compare with…", ("Ctrl+Shift+O",)),
    Action("save_copy", "File", "Save repaired copy…", ("Ctrl+S", "Ctrl+Shift+S"), divider=True),
    Action("screenshot", "File", "Export picture or turntable…", ("F12",)),
    Action("review_page", "File", "Export review page…"),
    Action("close", "File", "Quit", ("Ctrl+Q",), always=True, divider=True),
    Action("undo", "Edit", "Undo", ("Ctrl+Z",)),
    Action("redo", "Edit", "Redo", ("Ctrl+Shift+Z", "Ctrl+Y")),
    Action("history", "Edit", "History…", ("Ctrl+H",)),
    Action("search", "Edit", "Search joints", ("Ctrl+F",), divider=True),
    Action("clear_selection", "Edit", "Select nothing", ("Ctrl+D",)),
    Action("frame_selected", "View", "Frame selected", ("F",)),
    Action("frame_all", "View", "Frame all", ("A",)),
    Action("view_front", "Look from", "Front", ("1",)),
    Action("view_back", "Look from", "Back", ("Ctrl+1",)),
    Action("view_right", "Look from", "Right", ("3",)),
    Action("view_left", "Look from", "Left", ("Ctrl+3",)),
    Action("view_top", "Look from", "Top", ("7",)),
    Action("worst_pose", "View", "Worst pose", ("N",)),
    Action("next_worst", "View", "Next worst pose", ("Shift+N",)),
    Action("previous_worst", "View", "Worst pose before", ("Ctrl+Shift+N",)),
    Action("view_before", "View", "View before the worst pose", ("Backspace",)),
    Action("worst_strip", "View", "Strip of worst poses", ("Ctrl+4",), kind="switch"),
    Action("orthographic", "Look from", "Orthographic", ("5",), kind="switch"),
    _shading("textured", ("T",), button="Textured", divider=True),
    _shading("clay", ("C",), button="Clay"),
    _shading("weights", ("W",), button="Weights"),
    _shading("joints", ("Shift+W",), button="Joints"),
    _shading("count", ("I",), button="Influences"),
    _shading("mask"),
    _shading("difference", ("D",), button="Difference"),
    Action("literal_weights", "View", "Weights as in the file, not normalised", kind="switch"),
    _shading("heat", ("Shift+D",), button="Heat"),
    _overlay("bones", ("B",), button="mdi6.bone", divider=True),
    _overlay("sticks", ("Shift+B",)),
    _overlay("xray", ("X",), button="selection-all"),
    _overlay("wires", ("Z",), button="polygon"),
    _overlay("axes", ("J",), button="mdi6.axis-arrow"),
    _overlay("names", ("L",), button="tag"),
    _overlay("grid", ("G",), button="grid-four"),
    _overlay("rest_ghost", ("R",), button="ghost"),
    _overlay("bind_ghost", ("Shift+R",), button="link"),
    _overlay("trail", ("M",), button="path"),
    _overlay("bounds", ("Shift+G",)),
    Action("hide", "View", "Hide mesh", ("H",), divider=True),
    Action("isolate", "View", "Show only this mesh", ("Shift+H",)),
    Action("show_all", "View", "Show all meshes", ("Alt+H",)),
    Action("toggle_play", "Rig", "Play", ("Space",)),
    Action("next_frame", "Rig", "Next frame", ("Right",), "time"),
    Action("previous_frame", "Rig", "Previous frame", ("Left",), "time"),
    Action("ten_on", "Rig", "Ten frames on", ("Shift+Right",), "time"),
    Action("ten_back", "Rig", "Ten frames back", ("Shift+Left",), "time"),
    Action("tenth_on", "Rig", "A tenth of a frame on", ("Alt+Right",), "time"),
    Action("tenth_back", "Rig", "A tenth of a frame back", ("Alt+Left",), "time"),
    Action("next_key", "Rig", "Next key", ("Down",), "time"),
    Action("previous_key", "Rig", "Previous key", ("Up",), "time"),
    Action("first_frame", "Rig", "First frame", ("Home",), "time"),
    Action("last_frame", "Rig", "Last frame", ("End",), "time"),
    Action("start_here", "Rig", "Play from here", ("[",), "time", divider=True),
    Action("end_here", "Rig", "Play up to here", ("]",), "time"),
    Action("play_whole", "Rig", "Play the whole clip", ("\\",), "time"),
    Action("load_clips", "Rig", "Load clips from…", ("Ctrl+L",), divider=True),
    Action("range_of_motion", "Rig", "Add a range of motion"),
    Action("rotate", "Rig", "Rotate the joint", ("E",), kind="switch"),
    Action("paint_mask", "Rig", "Paint compensation mask"),
    Action("calibrate_mask", "Rig", "Fit compensation mask to flesh"),
    Action("check_again", "Rig", "Check again", ("F5",), divider=True),
    Action("fix_all_exact", "Rig", "Fix all exact", ("Ctrl+Shift+F",)),
    Action("studio_settings", "Rig", "Studio settings", kind="switch", always=True),
    Action("keep_pose", "Rig", "Add pose to worst poses"),
    Action("reset_trial", "Rig", "Take trial pose back", ("Ctrl+Backspace",)),
    Action("vertex_table", "Weights", "Table of vertices", ("Ctrl+5",), kind="switch"),
    Action("choose_joint", "Weights", "Choose all of the joint", divider=True),
    Action("choose_by_weight", "Weights", "Choose by weight…"),
    Action("choose_shells", "Weights", "Choose whole shells"),
    Action("choose_more", "Weights", "Choose a ring more", ("Ctrl++", "Ctrl+=")),
    Action("choose_less", "Weights", "Choose a ring less", ("Ctrl+-",)),
    Action("lasso", "Weights", "Choose with a lasso", ("Q",), kind="switch"),
    Action("lock_joint", "Weights", "Lock the joint", ("K",), kind="switch", divider=True),
    Action("lock_others", "Weights", "Lock all other joints", ("Shift+K",)),
    Action("unlock_all", "Weights", "Unlock all joints", ("Alt+K",)),
    Action(
        "paint", "Weights", "Paint weights, or the mask where it is shown", ("P",), divider=True
    ),
    Action("flood", "Weights", "Flood with the brush"),
    Action("smooth_weights", "Weights", "Smooth"),
    Action("fill_weights", "Weights", "Fill by geodesic voxels"),
    Action("hammer", "Weights", "Hammer: take the mean of the ring"),
    Action("mirror_left", "Weights", "Mirror left to right"),
    Action("mirror_right", "Weights", "Mirror right to left"),
    Action("normalise", "Weights", "Normalise"),
    Action("prune", "Weights", "Prune below 0.01"),
    Action("keep_largest", "Weights", "Keep the 4 largest"),
    Action("show_keys", "Help", "Keys and mouse", ("F1",), always=True),
    Action("next_region", "Help", "Next region", ("F6",), always=True),
    Action("about", "Help", "About rigview", always=True),
)

# What the mouse does beside moving the camera, which is the presets' matter.
MOUSE = (
    ("Click", "Select a joint or a vertex"),
    ("Shift+click", "Choose one more vertex or take it out"),
    (
        "Shift+drag, Ctrl+drag (with Alt where they move the camera)",
        "Choose vertices or take them out by a box or a lasso (Q)",
    ),
    ("Drag while painting weights, Shift smooths, Ctrl takes away", "Paint"),
    ("Hold B and drag", "Radius and strength of the brush"),
    ("Alt+click while painting", "Take the weight into the brush"),
    ("Double-click", "Frame selected"),
    ("Drag a ring of the joint (E), Ctrl by 15°, Shift finer", "Try a rotation"),
    ("Drag on the ruler, with Alt between frames", "Scrub"),
    ("Shift-drag on the ruler", "Play only what is marked"),
    ("Shift-click on the ruler", "Play the whole clip"),
    ("Drag on a number, Shift finer, Ctrl coarser", "Change it"),
)
