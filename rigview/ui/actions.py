"""The one table of what can be done: menus, shortcuts, and the sheet of keys read it."""

from dataclasses import dataclass
from typing import Literal

# What an action is: something done, a switch that is on or off, or one that the view state holds: the
# shading of its name, or the overlay of its name.
Kind = Literal["command", "switch", "shading", "overlay"]
Menu = Literal["File", "Edit", "View", "Look from", "Overlays", "Rig", "Weights", "Help"]
MENUS: tuple[Menu, ...] = ("File", "Edit", "View", "Rig", "Weights", "Help")
# Menus that stand in another one, at the place of their first row: a menu must fit on a small screen.
WITHIN: dict[Menu, Menu] = {"Look from": "View", "Overlays": "View"}


@dataclass(frozen=True)
class Row:
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


ACTIONS: tuple[Row, ...] = (
    Row("open_file", "File", "Open…", ("Ctrl+O",), always=True),
    Row("reload", "File", "Reload", ("Ctrl+R",)),
    Row("units", "File", "Unit and axes…"),
    Row("compare", "File", "Compare with…", ("Ctrl+Shift+O",)),
    Row("save_copy", "File", "Save repaired copy…", ("Ctrl+S", "Ctrl+Shift+S"), divider=True),
    Row("screenshot", "File", "Export picture or turntable…", ("F12",)),
    Row("close", "File", "Quit", ("Ctrl+Q",), always=True, divider=True),
    Row("undo", "Edit", "Undo", ("Ctrl+Z",)),
    Row("redo", "Edit", "Redo", ("Ctrl+Shift+Z", "Ctrl+Y")),
    Row("search", "Edit", "Search joints", ("Ctrl+F",), divider=True),
    Row("clear_selection", "Edit", "Select nothing", ("Ctrl+D",)),
    Row("frame_selected", "View", "Frame selected", ("F",)),
    Row("frame_all", "View", "Frame all", ("A",)),
    Row("view_front", "Look from", "Front", ("1",)),
    Row("view_back", "Look from", "Back", ("Ctrl+1",)),
    Row("view_right", "Look from", "Right", ("3",)),
    Row("view_left", "Look from", "Left", ("Ctrl+3",)),
    Row("view_top", "Look from", "Top", ("7",)),
    Row("worst_pose", "View", "Worst pose", ("N",)),
    Row("next_worst", "View", "Next worst pose", ("Shift+N",)),
    Row("previous_worst", "View", "Worst pose before", ("Ctrl+Shift+N",)),
    Row("view_before", "View", "View before the worst pose", ("Backspace",)),
    Row("worst_strip", "View", "Strip of worst poses", ("Ctrl+4",), kind="switch"),
    Row("orthographic", "Look from", "Orthographic", ("5",), kind="switch"),
    Row("textured", "View", "Textured", ("T",), kind="shading", button="Textured", divider=True),
    Row("clay", "View", "Clay", ("C",), kind="shading", button="Clay"),
    Row("weights", "View", "Weights", ("W",), kind="shading", button="Weights"),
    Row("joints", "View", "Weights of all joints", ("Shift+W",), kind="shading", button="Joints"),
    Row("count", "View", "Number of influences", ("I",), kind="shading", button="Influences"),
    Row("mask", "View", "Compensation mask", kind="shading"),
    Row(
        "difference",
        "View",
        "Difference to the first pane",
        ("D",),
        kind="shading",
        button="Difference",
    ),
    Row("literal_weights", "View", "Weights as in the file, not normalised", kind="switch"),
    Row("heat", "View", "Heat of a measure", ("Shift+D",), kind="shading", button="Heat"),
    Row("bones", "Overlays", "Bones", ("B",), kind="overlay", button="mdi6.bone", divider=True),
    Row("sticks", "Overlays", "Bones as sticks", ("Shift+B",), kind="overlay", of="bones"),
    Row("xray", "Overlays", "X-ray", ("X",), kind="overlay", button="selection-all"),
    Row("wires", "Overlays", "Wireframe", ("Z",), kind="overlay", button="polygon"),
    Row("axes", "Overlays", "Joint axes", ("J",), kind="overlay", button="mdi6.axis-arrow"),
    Row("names", "Overlays", "Names", ("L",), kind="overlay", button="tag"),
    Row("grid", "Overlays", "Grid", ("G",), kind="overlay", button="grid-four"),
    Row("rest_ghost", "Overlays", "Ghost of the rest pose", ("R",), kind="overlay", button="ghost"),
    Row(
        "bind_ghost",
        "Overlays",
        "Ghost of the bind pose",
        ("Shift+R",),
        kind="overlay",
        button="link",
    ),
    Row("trail", "Overlays", "Root trail", ("M",), kind="overlay", button="path"),
    Row("bounds", "Overlays", "Box of the bind pose, for culling", ("Shift+G",), kind="overlay"),
    Row("hide", "View", "Hide mesh", ("H",), divider=True),
    Row("isolate", "View", "Show only this mesh", ("Shift+H",)),
    Row("show_all", "View", "Show all meshes", ("Alt+H",)),
    Row("toggle_play", "Rig", "Play", ("Space",)),
    Row("next_frame", "Rig", "Next frame", ("Right",), "time"),
    Row("previous_frame", "Rig", "Previous frame", ("Left",), "time"),
    Row("ten_on", "Rig", "Ten frames on", ("Shift+Right",), "time"),
    Row("ten_back", "Rig", "Ten frames back", ("Shift+Left",), "time"),
    Row("tenth_on", "Rig", "A tenth of a frame on", ("Alt+Right",), "time"),
    Row("tenth_back", "Rig", "A tenth of a frame back", ("Alt+Left",), "time"),
    Row("next_key", "Rig", "Next key", ("Down",), "time"),
    Row("previous_key", "Rig", "Previous key", ("Up",), "time"),
    Row("first_frame", "Rig", "First frame", ("Home",), "time"),
    Row("last_frame", "Rig", "Last frame", ("End",), "time"),
    Row("start_here", "Rig", "Play from here", ("[",), "time", divider=True),
    Row("end_here", "Rig", "Play up to here", ("]",), "time"),
    Row("play_whole", "Rig", "Play the whole clip", ("\\",), "time"),
    Row("load_clips", "Rig", "Load clips from…", ("Ctrl+L",), divider=True),
    Row("range_of_motion", "Rig", "Add a range of motion"),
    Row("rotate", "Rig", "Rotate the joint", ("E",), kind="switch"),
    Row("paint_mask", "Rig", "Paint compensation mask"),
    Row("calibrate_mask", "Rig", "Fit compensation mask to flesh"),
    Row("check_again", "Rig", "Check again", ("F5",), divider=True),
    Row("fix_all_exact", "Rig", "Fix all exact", ("Ctrl+Shift+F",)),
    Row("studio_settings", "Rig", "Studio settings", kind="switch", always=True),
    Row("reset_trial", "Rig", "Take trial pose back", ("Ctrl+Backspace",)),
    Row("vertex_table", "Weights", "Table of vertices", ("Ctrl+5",), kind="switch"),
    Row("choose_joint", "Weights", "Choose all of the joint", divider=True),
    Row("choose_shells", "Weights", "Choose whole shells"),
    Row("choose_more", "Weights", "Choose a ring more", ("Ctrl++", "Ctrl+=")),
    Row("choose_less", "Weights", "Choose a ring less", ("Ctrl+-",)),
    Row("lock_joint", "Weights", "Lock the joint", ("K",), kind="switch", divider=True),
    Row("lock_others", "Weights", "Lock all other joints", ("Shift+K",)),
    Row("unlock_all", "Weights", "Unlock all joints", ("Alt+K",)),
    Row("paint", "Weights", "Paint weights, or the mask where it is shown", ("P",), divider=True),
    Row("flood", "Weights", "Flood with the brush"),
    Row("smooth_weights", "Weights", "Smooth"),
    Row("fill_weights", "Weights", "Fill by geodesic voxels"),
    Row("hammer", "Weights", "Hammer: take the mean of the ring"),
    Row("mirror_left", "Weights", "Mirror left to right"),
    Row("mirror_right", "Weights", "Mirror right to left"),
    Row("normalise", "Weights", "Normalise"),
    Row("prune", "Weights", "Prune below 0.01"),
    Row("keep_largest", "Weights", "Keep the 4 largest"),
    Row("show_keys", "Help", "Keys and mouse", ("F1",), always=True),
    Row("next_region", "Help", "Next region", ("F6",), always=True),
    Row("about", "Help", "About rigview", always=True),
)

# What the mouse does beside moving the camera, which is the presets' matter.
MOUSE = (
    ("Click", "Select a joint or a vertex"),
    ("Shift+click", "Choose one more vertex or take it out"),
    (
        "Shift+drag, Ctrl+drag (with Alt where they move the camera)",
        "Choose vertices or take them out",
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
