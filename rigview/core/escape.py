"""Names out of files on their way to an output: one function for each kind of output.

A name may hold anything: line breaks, control sequences of terminals, marks that turn the direction of
writing, halves of surrogate pairs, markup, formulas, and commands that build servers take from a log.
For a terminal or a log `text.one_line` is the function.
"""

import re
from html import escape as _escape

from rigview.core.text import one_line, shortened

# What Markdown, or the HTML in it, would take for more than text.
_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~&@])")
# What forges make a link of without any mark: it is kept from that by a backslash before its last sign.
_LINK = re.compile(r"\b(https?|ftp|www)([:.])", re.IGNORECASE)
# What spreadsheets begin a formula with, also in the wide forms of East Asian scripts.
_FORMULA = tuple("=+-@＝＋－＠")
# No picture has room for more letters.
_MOST_ON_PICTURES = 400


def html(text: str) -> str:
    """Return a text as the content of an element or attribute of HTML, on one line."""
    return _escape(one_line(text))


def rich(text: str) -> str:
    """Return a text as what Qt shows as it stands in rich text, on one line."""
    return html(text)


def xml(text: str) -> str:
    """Return a text that XML can hold, on one line; what writes the document escapes its markup."""
    return one_line(text)


def markdown(text: str) -> str:
    """Return a text that Markdown shows as it is, on one line."""
    line = one_line(" ".join(text.split()))
    return _LINK.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", line))


def cell(text: str) -> str:
    """Return a text as a cell of a CSV table, on one line, which no spreadsheet takes for a formula."""
    line = one_line(text)
    return f"'{line}" if line.startswith(_FORMULA) else line


def label(text: str) -> str:
    """Return a text that fonts can draw, on one line, its middle left out where no picture has room."""
    return one_line(shortened(text, _MOST_ON_PICTURES))


def json(text: str) -> str:
    """Return a JSON document in which build servers find no command; parsed, it is the same."""
    # Two of these signs stand in strings only.
    return text.replace("##", r"#\u0023")
