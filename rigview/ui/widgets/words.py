"""Words of the window in the user's language, through Qt's own translations.

Labels, buttons, titles, choices, menus and messages look their words up as they are made, so wherever they
stand they are written in English; what is set later goes through `tr`. `resources/translations/build.py`
finds all of them. What is made of values (names, numbers) has no entry and stays as it is.
"""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from rigview.assets import RESOURCES

_CONTEXT = "rigview"
# The setting, which "desktop" leaves to the desktop.
LANGUAGE = "language"
# Language → what it calls itself; the first is what the code is written in.
LANGUAGES = {"en": "English", "de": "Deutsch"}


def tr(text: str) -> str:
    """Return a text in the language of the window; itself where no translation is known."""
    return QCoreApplication.translate(_CONTEXT, text) if text else text


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
