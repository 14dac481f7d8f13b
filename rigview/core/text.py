"""Words out of files, made fit to be shown."""

import unicodedata


def one_line(text: str) -> str:
    """Return a text as one printable line: what is not printable in it is escaped."""
    return "".join(
        c if c.isprintable() or unicodedata.category(c) == "Zs" else ascii(c)[1:-1] for c in text
    )
