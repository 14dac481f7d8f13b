"""Names that hold markup are shown as they stand, in tool tips and beside numbers."""

import html
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import Qt, QTextDocument

from rigview.ui.panes.pane_header import PaneHeader
from rigview.ui.widgets.layout import folded
from rigview.ui.widgets.tips import plain

MARKUP = ["<b>bold</b>", "<img src='file:///etc/hostname'>", "<qt><a href='x'>y</a></qt>", "a&lt;b"]


def shown(tip):
    """Return the words of a tool tip as Qt shows them, and the images that it loads."""
    if not Qt.mightBeRichText(tip):
        return tip, []
    loaded = []

    class Document(QTextDocument):
        def loadResource(self, _kind, name):  # noqa: N802 - Qt's name
            loaded.append(name.toString())

    document = Document()
    document.setHtml(tip)
    return document.toPlainText(), loaded


PIECES = [*"<>&\"'/= ab\n", "<b>", "<img src=x>", "<qt>"]


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_a_tool_tip_shows_any_text_as_it_stands(text):
    for tip in (plain(text), folded(text)):
        words, loaded = shown(tip)
        assert loaded == []
        # Lines are broken elsewhere.
        assert "".join(words.split()) == "".join(text.split())


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("name", MARKUP)
def test_the_name_of_a_file_beside_is_no_markup_in_the_pane_s_header(name, arm):
    arm.bench.comparer.open(arm.document.path)
    arm.rest()
    guest = arm.bench.stage.guest
    arm.bench.stage.show_guest(replace(guest, name=name))
    arm.rest()
    written = [header.words for header in arm.window.findChildren(PaneHeader)]
    assert any(html.escape(name) in text for text in written)
    assert not any(name in text for text in written)
