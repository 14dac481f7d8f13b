"""Finds texts in the window's source: prose to translate, and sentences that nobody could translate.

Prose is every fixed text of two words or more. A sentence made of values must be a template that `tr` or
`Sentence` fills in: an f-string, a sum of texts or `"…".format()` is English in every language.
"""

import ast
import re
from collections.abc import Iterator

# Texts that no one reads in the window, by their beginning or as a whole, and why.
NOT_SHOWN = {
    "QLineEdit": "style sheet",
    "QListWidget": "style sheet",
    "QMainWindow": "style sheet",
    "Overrides | None": "type",
    "keys preset": "key of a setting",
    "keys own": "key of a setting",
    "open in tabs": "key of a setting",
    "reload by itself": "key of a setting",
    "shading at first": "key of a setting",
    "HTML (": "file type of a dialog",
    "{} rest and bind": "what a limit is of, for the configuration",
    "the angle between {}": "what a limit is of, for the configuration",
    "the distance, in sizes, between {}": "what a limit is of, for the configuration",
    "{}, of a joint in model space": "what a limit is of, for the configuration",
    "{}, of a skin matrix at rest": "what a limit is of, for the configuration",
    "{}, to be told as info": "what a limit is of, for the configuration",
    "{} on the other side": "what a limit is of, for the configuration",
    "count: wanted": "mistake of a program",
    "joint_{}": "name of a joint",
    "root_{}": "name of a joint",
    "{}_twist_{}": "name of a joint",
    "more {}": "noun that is counted",
    "Draw: {}": "menu, whose texts are found in the table of actions",
    "Pane {}": "preference, found in the table of preferences",
    "After {} s": "preference, found in the table of preferences",
    "*{} *.toml": "endings of files",
    "{}px": "size of a font",
    "{} mm": "unit",
    "{}.record": "file name",
    "*.json": "endings of files",
    "{} cannot be locked": "reason of the system",
    "{}[*] — rigview": "title that Qt marks while something is unsaved",
    "<qt>": "markup around a translated text",
    "{}\\s*": "regular expression",
    "rigview_": "file name",
    "qtbase_": "file name",
    "pane {": "key of a setting",
    "draw_": "id of an action",
    "ph.": "name of an icon",
    "(?": "regular expression",
    "<span": "markup around what a file says",
    "QToolTip": "style sheet",
    "qtawesome": "mistake of an installation",
    "{} holds no font": "mistake of an installation",
    "{} token": "name of a colour",
    "rigview {}": "diagnostics, which are copied for us to read",
    "Python {}": "diagnostics, which are copied for us to read",
    "System: {}": "diagnostics, which are copied for us to read",
    "Qt {}": "diagnostics, which are copied for us to read",
    "OpenGL": "diagnostics, which are copied for us to read",
    "Screen: {}": "diagnostics, which are copied for us to read",
    "{}: not installed": "diagnostics, which are copied for us to read",
}
# Modules whose texts reach a terminal, before there is a window that could translate them.
BEFORE_THE_WINDOW = ("preflight.py",)
# What gives a sentence that is to be looked up.
_SENTENCES = ("count", "verb", "some_of", "joined", "Sentence")
_TEMPLATE = re.compile(r"{[a-z_]+(?::[^{}]*)?}")
_WORD = re.compile(r"[A-Za-z]{2,}")


def prose(tree: ast.AST) -> Iterator[str]:
    """Give the fixed texts of two words or more; docstrings and types are none."""
    passed = {id(node) for statement in ast.walk(tree) for node in _not_text(statement)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in passed
        ):
            text = node.value
            if " " in text.strip() and len(_WORD.findall(text)) > 1 and not _excused(text):
                yield text


def templates(tree: ast.AST) -> Iterator[str]:
    """Give the fixed texts that name values, which a sentence is made of: "{vertices} without weight"."""
    yield from (text for text in prose(tree) if _TEMPLATE.search(text))


def untranslatable(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Give the line and the text of each sentence that is made of values past every translation."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            text = "".join(
                p.value if isinstance(p, ast.Constant) else _value(p) for p in node.values
            )
        elif _is_sum(node) or _is_filled(node):
            text = " ".join(_constants(node))
        else:
            continue
        if _WORD.search(text) and not _excused(text):
            yield node.lineno, text


def _value(part: ast.expr) -> str:
    """Return what stands for a value; one that is a sentence itself stands as its call."""
    call = getattr(part, "value", None)
    is_sentence = isinstance(call, ast.Call) and getattr(call.func, "id", "") in _SENTENCES
    return ast.unparse(part) if is_sentence else "{}"


def _excused(text: str) -> bool:
    return text.lstrip().startswith(tuple(NOT_SHOWN))


def _not_text(node: ast.AST) -> Iterator[ast.AST]:
    """Give what is inside a docstring, an annotation or an f-string."""
    if isinstance(node, ast.Expr):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        for part in node.values:
            if isinstance(part, ast.Constant):
                yield part
    annotations = (getattr(node, "annotation", None), getattr(node, "returns", None))
    for annotation in annotations:
        if annotation is not None:
            yield from ast.walk(annotation)


def _is_sum(node: ast.AST) -> bool:
    """Return whether texts are put together by + or %."""
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Add | ast.Mod)
        and any(_is_prose(side) for side in (node.left, node.right))
    )


def _is_filled(node: ast.AST) -> bool:
    """Return whether a text is filled in without being looked up before: "…".format()."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "format"
        and _is_prose(node.func.value)
    )


def _is_prose(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and bool(_WORD.search(node.value))
    )


def _constants(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value
