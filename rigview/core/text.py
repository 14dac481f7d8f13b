"""Words to be shown: those out of files made fit for it, numbers with their nouns, the system's reasons."""

import re
import unicodedata
from collections.abc import Collection, Sequence
from difflib import get_close_matches

from rigview.core.sentence import Sentence

# Nouns that take more than an s.
_PLURALS = {
    "fix": "fixes",
    "matrix": "matrices",
    "mesh": "meshes",
    "severity": "severities",
    "vertex": "vertices",
}


# Bytes that a name we propose has at most: systems take 255, and what writes it may add some.
_LONGEST_NAME = 200


def file_name(stem: str, ending: str) -> str:
    """Return what a file can be called: a stem, cut if it is longer than systems take, and an ending."""
    while stem and len((stem + ending).encode("utf-8", "surrogateescape")) > _LONGEST_NAME:
        stem = stem[:-1]
    return stem + ending


def shortened(name: str, most: int = 48) -> str:
    """Return a name with so many letters at most, its middle left out: names differ in their ends."""
    if len(name) <= most:
        return name
    end = (most - 1) // 2
    return f"{name[: most - 1 - end]}…{name[len(name) - end :]}"


# Lines that build servers obey: those of GitHub begin so, those of Azure and others stand anywhere.
_COMMAND = re.compile(r"^(\s*):(?=:)|#(?=#(?:\[|vso\[|teamcity\[))")


def one_line(text: str) -> str:
    """Return a text as one printable line of a terminal or a log: what is not printable is escaped.

    So is what would make a command for a build server of it.
    """
    if not text.isprintable():
        text = "".join(
            c if c.isprintable() or unicodedata.category(c) == "Zs" else ascii(c)[1:-1]
            for c in text
        )
    return _COMMAND.sub(_spelt_out, text)


def _spelt_out(found: re.Match[str]) -> str:
    """Return a command's first sign as its number."""
    return f"{found[1]}\\x3a" if found[1] is not None else r"\x23"


def verb(number: int, singular: str, plural: str) -> Sentence:
    """Return the form of a verb that goes with a number."""
    return Sentence(singular if number == 1 else plural)


def spaced(number: float) -> str:
    """Return a whole number in groups of three digits: "1 234"."""
    return f"{number:,.0f}".replace(",", " ")


def length_words(metres: float) -> str:
    """Return a length with the digits that matter: "0.012 mm", "1 234 mm", from 10 m on "184.2 m"."""
    mm = 1000.0 * metres
    if mm < 100.0:
        return f"{mm:.3f} mm"
    if mm < 1e4:
        return f"{spaced(mm)} mm"
    return f"{metres:.1f} m" if metres < 1e3 else f"{spaced(metres)} m"


def plural(noun: str) -> str:
    """Return what several are called; of several words the last one changes."""
    *before, last = noun.split(" ")
    return " ".join((*before, _PLURALS.get(last, f"{last}s")))


def count(number: int, noun: str) -> Sentence:
    """Return "1 joint", "4 joints"."""
    return Sentence(f"{{number}} {noun if number == 1 else plural(noun)}", number=spaced(number))


def some_of(names: Sequence[str], most: int) -> str:
    """Return "hips, spine and 4 more": as many names as are wanted at most, and how many are left."""
    shown, left = ", ".join(names[:most]), len(names) - most
    return Sentence("{names} and {left} more", names=shown, left=left) if left > 0 else shown


# A list of more names than this helps nobody who has mistyped one.
_MOST_NAMED = 12


def unknown_name(kind: str, name: str, known: Collection[str], listing: str = "") -> str:
    """Return what is said of a name that means nothing: the nearest one that does, else all of them.

    Parameters
    ----------
    kind
        The noun: "joint".
    listing
        What is said in place of a long list of names.
    """
    by_letters = {one.lower(): one for one in known}
    near = get_close_matches(name.lower(), by_letters, 1)
    if near:
        hint = f"did you mean {by_letters[near[0]]}?"
    elif not known:
        hint = f"there is no {kind} at all"
    elif len(known) > _MOST_NAMED and listing:
        hint = listing
    else:
        hint = f"choose {some_of(list(known), _MOST_NAMED)}"
    return f"there is no {kind} {name}; {hint}"


def system_reason(error: OSError) -> str:
    """Return why the system could not read or write a file."""
    reason = error.strerror or str(error) or "the system does not say why"
    return f"{reason[0].lower()}{reason[1:]}"
