"""Rules by name: ids, and families as in ``WGT-*``."""

from collections.abc import Iterable
from fnmatch import fnmatchcase

from rigview.check.catalogue import BY_ID
from rigview.core.errors import UnknownName
from rigview.core.text import unknown_name


def rules_named(names: Iterable[str]) -> tuple[str, ...]:
    """Return the ids that names stand for, each once, those of a family in the order of the table.

    Raises
    ------
    UnknownName
        If there is no such rule, or none in a family.
    """
    found: dict[str, None] = {}
    for name in names:
        if "*" in name:
            family = [rule for rule in BY_ID if fnmatchcase(rule, name)]
            if not family:
                raise UnknownName(f"no rule is called like {name}; rigview rules lists every rule")
            found |= dict.fromkeys(family)
        elif name in BY_ID:
            found[name] = None
        else:
            listing = "rigview rules lists every rule"
            raise UnknownName(unknown_name("rule", name, BY_ID, listing=listing))
    return tuple(found)
