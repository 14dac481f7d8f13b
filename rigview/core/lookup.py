"""Things of a rig found by name: the one that is called so, or a sentence that says why there is none."""

from collections.abc import Mapping

from rigview.core.errors import UnknownName
from rigview.core.text import plural, some_of, unknown_name

# Numbers that a message lists.
_MOST_LISTED = 8


def find_one(kind: str, named: str | int, *tables: Mapping[int, str]) -> int:
    """Return the number of the thing that is called so.

    Parameters
    ----------
    kind
        The noun for messages: "joint".
    named
        Its name, or its number.
    tables
        Number → name; the first table that has the name decides.

    Raises
    ------
    UnknownName
        If none has the name or number, or several have the name.
    """
    if isinstance(named, int):
        if named in tables[0]:
            return named
        raise UnknownName(f"there is no {kind} of number {named}")
    for names in tables:
        found = [number for number, name in names.items() if name == named]
        if len(found) == 1:
            return found[0]
        if found:
            numbers = some_of(list(map(str, found)), _MOST_LISTED)
            many = f"{len(found)} {plural(kind)} are called {named}"
            raise UnknownName(f"{many}: name one by its number, of {numbers}")
    known = dict.fromkeys(name for names in tables for name in names.values() if name)
    raise UnknownName(unknown_name(kind, named, known))
