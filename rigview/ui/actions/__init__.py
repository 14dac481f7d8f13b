"""The one table of what can be done: menus, bar, context menus, palette and keys read it.

A row is added to the `ROWS` of the module of its subject.
"""

from rigview.ui.actions import (
    editing,
    files,
    helping,
    looking,
    playing,
    reviewing,
    rigging,
    shading,
    weights,
)
from rigview.ui.actions.row import Action, Context, Menu

MENUS: tuple[Menu, ...] = ("File", "Edit", "View", "Rig", "Weights", "Review", "Help")
# Menus that stand in another one, at the place of their first row: a menu must fit on a small screen.
WITHIN: dict[Menu, Menu] = {"Look from": "View", "Overlays": "View"}

# In the order of the menus.
ACTIONS: tuple[Action, ...] = (
    *files.ROWS,
    *editing.ROWS,
    *looking.ROWS,
    *shading.ROWS,
    *looking.MESH_ROWS,
    *playing.ROWS,
    *rigging.ROWS,
    *weights.ROWS,
    *reviewing.ROWS,
    *helping.ROWS,
)
BY_ID: dict[str, Action] = {row.id: row for row in ACTIONS}

# What the mouse does beside moving the camera, which is the presets' matter.
MOUSE = (
    ("Click", "Select a joint or a vertex"),
    ("Shift+click", "Select one more joint or vertex, or take it out"),
    (
        "Shift+drag, Ctrl+drag (with Alt where they move the camera)",
        "Select vertices or joints, or take them out, by a box or a lasso (Q)",
    ),
    ("Drag while painting weights, Shift smooths, Ctrl takes away", "Paint"),
    ("Hold B and drag", "Radius and strength of the brush"),
    ("Alt+click while painting", "Take the weight into the brush"),
    ("Double-click", "Frame selected"),
    ("Click an axis in a pane's corner", "Look from there, or from the other side"),
    ("Right click, Shift+F10", "What can be done with what is there"),
    ("Drag a ring of the joint (E), Ctrl by 15°, Shift finer", "Try a rotation"),
    ("Drag on the ruler, with Alt between frames", "Scrub"),
    ("Shift-drag on the ruler", "Play only what is marked"),
    ("Shift-click on the ruler", "Play the whole clip"),
    ("Drag on a number, Shift finer, Ctrl coarser", "Change it"),
)

__all__ = ["ACTIONS", "BY_ID", "MENUS", "MOUSE", "WITHIN", "Action", "Context", "Menu"]
