"""Write the translations anew: find all words of the window, keep what is translated, compile for Qt.

``python resources/translations/build.py`` writes ``rigview_LANGUAGE.ts`` and ``.qm`` beside it, and says
what has no translation yet; that is written into the ``.ts`` by hand (or with pyside6-linguist), and built
once more.
``--check`` writes nothing and exits with 1 where something is missing.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent, parse

HERE = Path(__file__).parent
sys.path.append(str(HERE))
from prose import BEFORE_THE_WINDOW, prose, templates, untranslatable  # noqa: E402 - found by the line above

from rigview.check.rule import COUNTED, count  # noqa: E402 - as above

RIGVIEW = HERE.parents[1] / "rigview"
WINDOW, RULES = RIGVIEW / "ui", RIGVIEW / "check"
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
    "Sentence": (0,),
    "joined": (1,),
    "Question": (1, 2, 3),
    "Sample": (0, 1),
}
# The same below the window, which knows no translations: what is said there is looked up when it is shown.
SAID: dict[str, tuple[int | str, ...]] = {
    "Sentence": (0,),
    "joined": (1,),
    "Finding": (1, "explanation"),
    "clip_finding": (3, 4),
    "Fix": (1, "reason"),
    "offer": (2,),
    "Advice": (0,),
    "Refused": (0,),
    "NotMade": (0,),
    "rule": ("title",),
    "Profile": (1, "sources"),
    "replace": ("explanation",),
    "about": (3, 4),
    "_about": (3,),
}
# Tables of sentences below the window: module → the names of dictionaries and tuples.
SAID_TABLES = {
    "check/rules/posed_skin/fault_words.py": ("_SAYS", "_INVERTED", "_MEANS", "_SINCE"),
    "check/rules/budget.py": ("_BUDGETS", "_OVER"),
    "check/run.py": ("_HAS",),
}
# Tables of words that stand by themselves: module → the names of dictionaries (values and keys) and tuples.
TABLES = {
    "panels/inspector.py": ("_SPACES", "_ROWS"),
    "actions/files.py": ("_PICTURES", "_SESSIONS"),
    "appearance.py": ("CHOICES",),
    "dock_layout.py": ("PANELS",),
    "actions/__init__.py": ("MENUS", "MOUSE"),
    "navigation.py": ("_KEYS", "_NAMES", "_TITLES"),
    "panels/worst_cards.py": ("_SHORT",),
    "preferences/rows.py": ("_SHADINGS",),
    "dialogs/units_dialog.py": ("_UNITS",),
    "panes/axis_corner.py": ("_TIPS",),
    "toolbar.py": ("_SCREENSHOT",),
    "panels/checks.py": ("_COUNTED",),
    "panels/retarget_model.py": ("_TITLES", "_TIPS", "_TOLD"),
}
# Of these dictionaries the keys are words.
KEYS = {"PANELS", "_PICTURES", "_SESSIONS"}
# What is counted by nouns out of tables.
NOUNS = (
    "error",
    "warning",
    "info",
    "severity",
    "limit",
    "accepted value",
    "skin",
    "more skin",
    "more mesh",
    "more primitive",
)
# Words by themselves that stand in no call and no table; they are looked up where they are shown.
SINGLE = (
    *(
        "Picture",
        "Turntable",
        "Viewport",
        "Transparent",
        "Custom",
        "Own",
        "Times",
        "Width",
        "Height",
    ),
    *(
        "Show",
        "Session",
        "Upwards",
        "Frames",
        "Mouse",
        "Wheel",
        "Pinch",
        "Angle",
        "Prune",
        "Keep 4",
    ),
    *(
        "Metres",
        "Centimetres",
        "Inches",
        "Touchpad",
        "Actions",
        "Methods",
        "Findings",
        "Worst",
        "Keys",
    ),
    *(
        "Arrow",
        "Line",
        "Box",
        "Text",
        "Sum",
        "Preview…",
        "Constant",
        "Sharp",
        "As the file",
        "info",
    ),
    *("error", "warning", "arrow", "line", "box", "free hand", "text", "replace", "add", "scale"),
    *("WebP, small", "APNG, lossless", "GIF, 256 colours", "PNGs, numbered", "Linear"),
)
# Words that are the same in every language, or no words.
_NAMES = {"rigview", "Maya", "Blender", "XYZ", "Unity", "Godot 4"}


def words() -> list[str]:
    """Return all words of the window, each once, in the order of the files."""
    found: dict[str, None] = dict.fromkeys(
        filter(_is_words, (*_in_open_tables(), *SINGLE, *_counted(), *_in_sentences()))
    )
    for path in sorted(WINDOW.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        place = path.relative_to(WINDOW).as_posix()
        told = () if place in BEFORE_THE_WINDOW else prose(tree)
        for text in (*_in_calls(tree), *_in_tables(tree, TABLES.get(place, ())), *told):
            if _is_words(text):
                found.setdefault(text)
    return list(found)


def _in_sentences() -> Iterator[str]:
    """Give what rules, fixes and refusals say: the templates of sentences, and fixed texts."""
    for path in sorted(RIGVIEW.rglob("*.py")):
        if WINDOW in path.parents:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        yield from _in_calls(tree, SAID)
        if RULES in path.parents:
            yield from templates(tree)
        yield from _in_tables(tree, SAID_TABLES.get(path.relative_to(RIGVIEW).as_posix(), ()))


# What tells its sentences to the window in English only, so far.
STILL_ENGLISH = {
    "core/measures/change_words.py": "what a cure of weights changes",
    "core/weights/making.py": "why weights cannot be made",
    "core/motion/retarget.py": "why a motion cannot be retargeted",
    "io": "why a file cannot be opened or saved, and what was left out of it",
}


def english_only() -> list[str]:
    """Return place and text of the sentences of window and checks that no translation reaches."""
    folders = (WINDOW, *(RULES / name for name in ("rules", "rig_edits", "applying")))
    files = (path for folder in folders for path in sorted(folder.rglob("*.py")))
    return [
        f"{path.relative_to(RIGVIEW).as_posix()}:{line}: {text}"
        for path in files
        if path.name not in BEFORE_THE_WINDOW
        for line, text in english_in(path)
    ]


def english_in(path: Path) -> list[tuple[int, str]]:
    """Return line and text of the sentences of a module, or of all of a folder, that stay English."""
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
    trees = (ast.parse(file.read_text(encoding="utf-8")) for file in files)
    return [found for tree in trees for found in untranslatable(tree)]


def _counted() -> Iterator[str]:
    """Give the templates of all nouns that are counted, one and several, and of both forms of verbs."""
    nouns = dict.fromkeys((*NOUNS, *sorted(COUNTED)))
    for path in sorted(RIGVIEW.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call):
                continue
            name = getattr(call.func, "id", getattr(call.func, "attr", ""))
            if name == "count" and len(call.args) == 2:
                nouns |= dict.fromkeys(_texts(call.args[1]))
            elif name == "verb":
                yield from (text for given in call.args[1:] for text in _texts(given))
    for noun in nouns:
        yield from (count(1, noun).template, count(2, noun).template)


def _is_words(text: str) -> bool:
    """Return whether there is anything to translate: names of values are no words."""
    said = re.sub(r"{[^{}]*}", "", text)
    return any(letter.isalpha() for letter in said) and text not in _NAMES and len(text) > 1


def _in_open_tables() -> Iterator[str]:
    """Give the words of tables that are filled from others: actions, plots, measures, preferences."""
    from rigview.core.measures.joint_measures import MEASURES
    from rigview.ui.actions import ACTIONS
    from rigview.ui.panels.plot_kinds import KINDS
    from rigview.ui.preferences.rows import PREFERENCES

    for row in ACTIONS:
        yield from (row.menu, row.text, row.button if row.kind == "shading" else "")
    yield from (kind.label for kind in KINDS)
    for measure in MEASURES.values():
        yield from (measure.title, measure.title.lower())
    for preference in PREFERENCES:
        yield from (preference.section, preference.title, preference.note)
        if preference.key in ("theme", "autosave", "shading at first"):
            yield from preference.choices.values()
        if "none" in preference.choices:
            yield preference.choices["none"]


def _in_calls(tree: ast.AST, places: dict[str, tuple[int | str, ...]] = PLACES) -> Iterator[str]:
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call):
            continue
        function = call.func
        name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
        for place in places.get(name, ()):
            if isinstance(place, int):
                given = call.args[place : place + 1]
            else:
                given = [k.value for k in call.keywords if k.arg == place]
            for part in given:
                yield from _texts(part)
        if name == "file_kinds" and isinstance(call.args[0], ast.Dict):
            for key in call.args[0].keys:
                yield from () if key is None else _texts(key)
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
            if isinstance(value, ast.Dict) and target.id in KEYS:
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
