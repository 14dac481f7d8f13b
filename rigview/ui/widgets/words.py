"""Words of the window in the user's language, through Qt's own translations.

Labels, buttons, titles, choices, menus and messages look their words up as they are made, so wherever they
stand they are written in English; what is set later goes through `tr`. `resources/translations/build.py`
finds all of them, and every text that does not go through here. A sentence made of values is looked up by
its template: `tr("Saved {file}", file=name)`. What rules and fixes say is made of sentences, too
(`core.sentence`), which are looked up in the same way. Names and numbers stay as they are.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar, cast

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from rigview.assets import RESOURCES
from rigview.core.sentence import Sentence

_CONTEXT = "rigview"
_Value = TypeVar("_Value")
# The setting, which "desktop" leaves to the desktop.
LANGUAGE = "language"
# Language → what it calls itself; the first is what the code is written in.
LANGUAGES = {"en": "English", "de": "Deutsch"}


def tr(text: str, /, **values: object) -> str:
    """Return a text in the language of the window; itself where no translation is known.

    Parameters
    ----------
    text
        Words, a sentence, or with `values` a template; values that are sentences are looked up, too.
    """
    sentence = Sentence(text, **values) if values else text
    if not isinstance(sentence, Sentence):
        return QCoreApplication.translate(_CONTEXT, text) if text else text
    if not sentence.values:
        return tr(sentence.template)
    said = {name: spoken(value) for name, value in sentence.values.items()}
    return tr(sentence.template).format(**said)


def spoken(value: _Value) -> _Value:
    """Return a sentence in the language of the window; a name and whatever else is no sentence as it is."""
    return cast(_Value, tr(value)) if isinstance(value, Sentence) else value


def file_kinds(kinds: Mapping[str, str]) -> str:
    """Return what a file dialog offers: its name → its endings, "*.json *.txt"."""
    return ";;".join(f"{tr(name)} ({endings})" for name, endings in kinds.items())


def capital(words: str) -> str:
    """Return words as a sentence or a title begins with them."""
    return words[:1].upper() + words[1:]


def language_of(choice: str) -> str:
    """Return the language that a choice means: itself, else the desktop's, else English."""
    if choice in LANGUAGES:
        return choice
    desktop = QLocale().name().split("_")[0]
    return desktop if desktop in LANGUAGES else next(iter(LANGUAGES))


def speak(choice: str) -> list[QTranslator]:
    """Let the application speak a language; what is made before stays as it is.

    Return what translates, for who wants to take it back.
    """
    language = language_of(choice)
    own = RESOURCES / "translations" / f"rigview_{language}.qm"
    qt = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    installed = []
    for file in (qt / f"qtbase_{language}.qm", own):
        translator = QTranslator(QCoreApplication.instance())
        if file.is_file() and translator.load(str(file)):
            QCoreApplication.installTranslator(translator)
            installed.append(translator)
    return installed
