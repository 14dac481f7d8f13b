"""Everything that can be focused or pressed has a name for screen readers, which the tree shows."""

from hands import click, until
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication

ROLE = QAccessible.Role
CONTROLS = {
    ROLE.Button,
    ROLE.CheckBox,
    ROLE.RadioButton,
    ROLE.ComboBox,
    ROLE.EditableText,
    ROLE.Slider,
    ROLE.SpinBox,
    ROLE.List,
    ROLE.Tree,
    ROLE.Table,
    ROLE.PageTabList,
    ROLE.PageTab,
    ROLE.MenuBar,
    ROLE.MenuItem,
    ROLE.Graphic,
    ROLE.Link,
    ROLE.Dialog,
}


def nameless(top):
    """Return the controls below a widget that have no name, each with where it is."""
    found = []

    def walk(here, place):
        for i in range(here.childCount()):
            child = here.child(i)
            if child is None or not child.isValid() or child.state().invisible:
                continue
            thing = child.object()
            what = type(thing).__name__ if thing is not None else child.role().name
            meant = child.role() in CONTROLS or child.state().focusable
            # What a list shows of rows is the rows' matter.
            if meant and not child.text(QAccessible.Text.Name) and thing is not None:
                found.append("/".join([*place[-3:], what]))
            walk(child, [*place, what])

    walk(QAccessible.queryAccessibleInterface(top), [type(top).__name__])
    return found


def test_the_walk_finds_a_control_without_name(hands):
    hands.bench.tree.search.setAccessibleName("")
    hands.bench.tree.search.setPlaceholderText("")
    try:
        assert any("Search" in place for place in nameless(hands.window))
    finally:
        hands.bench.tree.search.setAccessibleName("Search joints")
        hands.bench.tree.search.setPlaceholderText("Search joints")


def test_every_control_of_the_window_has_a_name(faulty):
    faulty.click_joint("lowerarm")
    faulty.bench.vertex_table.set_wanted(wanted=True)
    faulty.rest()
    assert not nameless(faulty.window)
    faulty.bench.vertex_table.set_wanted(wanted=False)


def test_every_control_of_the_dialogs_has_a_name(faulty):
    for action in (
        "preferences",
        "about",
        "screenshot",
        "save_copy",
        "units",
        "edit_keys",
        "show_keys",
        "history",
    ):
        faulty.window.commands.do(action)
        until(lambda: faulty.dialog is not None)
        faulty.rest()
        assert not nameless(faulty.dialog), action
        faulty.close_dialogs()
        until(lambda: faulty.dialog is None)


def test_every_menu_entry_has_a_name(faulty):
    for action in faulty.window.bar.menus.actions():
        assert all(entry.text() or entry.isSeparator() for entry in action.menu().actions())
    click(faulty.canvas)
    assert QApplication.activeWindow() is not None
