"""Tool tips that hold names out of files."""

from PySide6.QtGui import Qt

from rigview.core import escape


def plain(text: str) -> str:
    """Return a text for a tool tip that shows it as it stands, whatever markup a name in it holds.

    What Qt takes for rich text could load images of this machine or of the network.
    """
    if not Qt.mightBeRichText(text):
        return text
    return f"<qt>{'<br>'.join(map(escape.rich, text.splitlines()))}</qt>"
