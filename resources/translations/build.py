"""Write the translations anew: find all words of the window, keep what is translated, compile for Qt.

``python resources/translations/build.py`` writes ``rigview_LANGUAGE.ts`` and ``.qm`` beside it, and says
what has no translation yet; that is written into the ``.ts`` by hand (or with pyside6-linguist), and built
once more.
``--check`` writes nothing and exits with 1 where something is missing.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent, parse

HERE = Path(__file__).parent
WINDOW = HERE.parents[1] / "rigview" / "ui"
LANGUAGES = ("de",)
# Which arguments of our widgets, and of what tells something, are words.
PLACES: dict[str, tuple[int | str, ...]] = {
    "tr": (0,),
    "label": (0, "text"),
    "Button": (0, 3, "text", "tip"),
    "toggle": (1, "tip"),
    "Title": (0,),
    "EdgeTab": (0,),
    "Chooser": (0, 1, "name"),
    "SegmentedControl": (0, 2, "name"),
    "Tick": (0,),
    "Search": (0,),
    "Number": ("name",),
    "Action": (1, 2, "text", "button"),
    "Preference": (1, 2, 3, "note"),
    "DockPanel": (),
    "say": (0,),
    "show_message": (1, 2, "action"),
    "offer": (0,),
    "explain": (0,),
    "Question": (1, 2, 3),
    "Sample": (0, 1),
}
# Tables of words that stand by themselves: module → the names of dictionaries (values and keys) and tuples.
TABLES = {
    "appearance.py": ("CHOICES",),
    "dock_layout.py": ("PANELS",),
    "actions/__init__.py": ("MENUS", "MOUSE"),
    "preferences/rows.py": ("_SHADINGS",),
    "dialogs/units_dialog.py": ("_UNITS",),
    "panes/axis_corner.py": ("_TIPS",),
    "toolbar.py": ("_SCREENSHOT",),
    "panels/checks.py": ("_COUNTED",),
    "panels/retarget_model.py": ("_TITLES", "_TIPS", "_TOLD"),
}
# Words that are the same in every language, or no words.
_NAMES = {"rigview", "Maya", "Blender", "XYZ"}


def words() -> list[str]:
    """Return all words of the window, each once, in the order of the files."""
    found: dict[str, None] = dict.fromkeys(filter(_is_words, _in_open_tables()))
    for path in sorted(WINDOW.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        place = path.relative_to(WINDOW).as_posix()
        for text in (*_in_calls(tree), *_in_tables(tree, TABLES.get(place, ()))):
            if _is_words(text):
                found.setdefault(text)
    return list(found)


def _is_words(text: str) -> bool:
    return any(letter.isalpha() for letter in text) and text not in _NAMES and len(text) > 1


def _in_open_tables() -> Iterator[str]:
    """Give the words of tables that are filled from others: actions, plots, measures, preferences."""
    from rigview.core.measures.joint_measures import MEASURES
    from rigview.ui.actions import ACTIONS
    from rigview.ui.panels.plot_kinds import KINDS
    from rigview.ui.preferences.rows import PREFERENCES

    for row in ACTIONS:
        yield from (row.menu, row.text, row.button if row.kind == "shading" else "")
    yield from (kind.label for kind in KINDS)
    yield from (measure.title for measure in MEASURES.values())
    for preference in PREFERENCES:
        yield from (preference.section, preference.title, preference.note)
        if preference.key in ("theme", "autosave", "shading at first"):
            yield from preference.choices.values()
        if "none" in preference.choices:
            yield preference.choices["none"]


def _in_calls(tree: ast.AST) -> Iterator[str]:
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call):
            continue
        function = call.func
        name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
        for place in PLACES.get(name, ()):
            if isinstance(place, int):
                given = call.args[place : place + 1]
            else:
                given = [k.value for k in call.keywords if k.arg == place]
            for part in given:
                yield from _texts(part)
        if name == "__init__" and len(call.args) == 2 and ast.unparse(function).startswith("super"):
            yield from _texts(call.args[1])


def _texts(part: ast.AST) -> Iterator[str]:
    """Give the texts of an argument: itself, the items of a list, both sides of a choice."""
    if isinstance(part, ast.Constant) and isinstance(part.value, str):
        yield part.value
    elif isinstance(part, ast.List | ast.Tuple):
        for item in part.elts:
            yield from _texts(item)
    elif isinstance(part, ast.IfExp):
        yield from _texts(part.body)
        yield from _texts(part.orelse)
    elif isinstance(part, ast.Dict):
        for value in part.values:
            yield from _texts(value)


def _in_tables(tree: ast.Module, names: tuple[str, ...]) -> Iterator[str]:
    for statement in tree.body:
        target = getattr(statement, "target", None) or next(
            iter(getattr(statement, "targets", [])), None
        )
        if isinstance(target, ast.Name) and target.id in names:
            value = statement.value
            if isinstance(value, ast.Dict) and target.id == "PANELS":
                value = ast.List([key for key in value.keys if key is not None], ast.Load())
            yield from _texts(value)


def translations(language: str) -> dict[str, str]:
    """Return what is translated into a language so far."""
    file = HERE / f"rigview_{language}.ts"
    if not file.is_file():
        return {}
    known = {}
    for message in parse(file).getroot().iter("message"):
        known[message.findtext("source") or ""] = message.findtext("translation") or ""
    return {source: text for source, text in known.items() if text}


def write(language: str, wanted: list[str], known: dict[str, str]) -> None:
    """Write the ``.ts`` of a language, and compile it."""
    root = Element("TS", version="2.1", language=language, sourcelanguage="en")
    context = SubElement(root, "context")
    SubElement(context, "name").text = "rigview"
    for source in wanted:
        message = SubElement(context, "message")
        SubElement(message, "source").text = source
        if source in known:
            SubElement(message, "translation").text = known[source]
        else:
            SubElement(message, "translation", type="unfinished")
    indent(root)
    file = HERE / f"rigview_{language}.ts"
    ElementTree(root).write(file, encoding="utf-8", xml_declaration=True)
    subprocess.run(
        ["pyside6-lrelease", "-silent", str(file), "-qm", str(file.with_suffix(".qm"))], check=True
    )


def main(arguments: list[str]) -> int:
    """Write all languages, or check them."""
    wanted, missing = words(), 0
    for language in LANGUAGES:
        known = translations(language)
        lacking = [source for source in wanted if source not in known]
        missing += len(lacking)
        for source in lacking:
            print(f"{language}: {source!r} is not translated")
        if "--check" not in arguments:
            write(language, wanted, known)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
