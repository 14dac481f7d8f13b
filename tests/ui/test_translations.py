"""The window speaks German: every word it is made of is translated, and what a file says stays as it is."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hands import Hands, opened_window
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QLabel, QPushButton

from rigview.core.sentence import Sentence, joined
from rigview.core.text import count
from rigview.ui.widgets.words import LANGUAGES, language_of, speak, tr

TRANSLATIONS = Path(__file__).parents[2] / "resources" / "translations"
sys.path.append(str(TRANSLATIONS))
import build  # noqa: E402 - found by the line above
from prose import prose, untranslatable  # noqa: E402 - as above


@pytest.fixture
def german(qapp):
    installed = speak("de")
    yield
    for translator in installed:
        QCoreApplication.removeTranslator(translator)


def test_no_word_of_the_window_lacks_its_translation():
    words = build.words()
    for language in build.LANGUAGES:
        known = build.translations(language)
        assert not [word for word in words if word not in known]
        assert not [word for word in known if word not in words], "of words that are gone"


def test_the_check_finds_a_word_that_is_not_translated(monkeypatch):
    monkeypatch.setattr(build, "translations", lambda _language: {})
    assert build.main(["--check"]) == 1


def test_translations_keep_what_stands_around_the_words():
    for source, text in build.translations("de").items():
        assert source.endswith("…") == text.endswith("…"), source
        assert source.endswith(".") == text.endswith("."), source
        assert ("  " in source) == ("  " in text), source


def test_translations_name_the_values_that_their_sentences_do():
    """A value that a translation forgot would be missing, and one that it invented raise an error."""
    for source, text in build.translations("de").items():
        named, given = (set(re.findall(r"{([^}]*)}", each)) for each in (source, text))
        # German puts a verb elsewhere, or says it otherwise.
        assert not {name for name in named ^ given if not name.startswith("verb")}, source


def test_no_sentence_of_the_window_or_of_rules_is_out_of_reach_of_translations():
    assert not build.english_only()


@pytest.mark.parametrize("place", build.STILL_ENGLISH)
def test_what_is_listed_as_english_still_is(place):
    assert build.english_in(build.RIGVIEW / place), (
        "its sentences are translated: take it off the list"
    )


@pytest.mark.parametrize(
    "code",
    [
        'say(f"Saved {name}")',
        'say("Saved " + name)',
        'say("Saved %s" % name)',
        'say("Saved {}".format(name))',
        "say(f\"{name}, {count(3, 'joint')}\")",
    ],
)
def test_sentences_past_the_translations_are_found(code):
    assert list(untranslatable(ast.parse(code)))


@pytest.mark.parametrize("code", ['say(tr("Saved {file}", file=name))', 'say(f"{name}: {words}")'])
def test_templates_and_values_are_no_sentences_past_the_translations(code):
    assert not list(untranslatable(ast.parse(code)))


def test_fixed_texts_are_found_wherever_they_stand_but_no_docstrings():
    code = "'''Return a text.'''\nreturn \"Nothing is open\" if x else \"hand_l\""
    assert list(prose(ast.parse(code))) == ["Nothing is open"]


def test_a_sentence_is_said_in_german_with_its_parts(german):
    marked = joined([count(1, "joint"), count(3, "vertex")], "{first} and {rest}")
    words = Sentence("{rule}: {objects} marked", rule="WGT-SUM", objects=marked)
    assert words == "WGT-SUM: 1 joint and 3 vertices marked"
    assert tr(words) == "WGT-SUM: 1 Gelenk und 3 Punkte markiert"


def test_a_name_within_a_sentence_is_not_looked_up(german):
    assert tr("Select {name}", name="head") == "head auswählen"
    assert tr("Select {name}", name="{name}") == "{name} auswählen"


def test_what_is_compiled_is_what_is_written(german, tmp_path):
    for source, text in build.translations("de").items():
        assert tr(source) == text


def test_the_window_shows_no_english_word_that_is_translated(german, samples):
    known = build.translations("de")
    english = {source for source, text in known.items() if source != text}
    with opened_window() as window:
        hands = Hands(window)
        hands.open(samples / "faulty_arm.glb")
        hands.window.commands.do("preferences")
        shown = [w.text() for kind in (QLabel, QPushButton) for w in window.findChildren(kind)]
        shown += [action.text() for action in window.commands.actions.values()]
        shown += [menu.text() for menu in window.bar.menus.actions()]
        left = sorted(english & set(shown))
        assert not left, "; ".join(left)
        assert "Datei" in shown
        assert window.bench.tree.search.placeholderText() == "Gelenke suchen"


def test_english_is_spoken_where_a_language_is_not_known():
    assert language_of("tlh") in LANGUAGES
    assert language_of("de") == "de"
    assert tr("File") == "File"


def test_numbers_and_names_are_not_looked_up(german):
    assert not [word for word in build.words() if re.fullmatch(r"[\d\W]+", word)]
    assert tr("hand_l") == "hand_l"


def test_the_script_says_what_is_missing():
    done = subprocess.run(
        [sys.executable, str(TRANSLATIONS / "build.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")
