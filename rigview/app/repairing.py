"""Repair a rig."""

from collections.abc import Iterable

from rigview.app.arguments import rig_of, wrong_type
from rigview.check.applying.repair import Repair
from rigview.check.applying.repair import repair as apply_fixes
from rigview.check.catalogue import BY_ID
from rigview.check.policy import usual_profile
from rigview.check.rule import Profile
from rigview.core.errors import UnknownName
from rigview.core.rig import Rig
from rigview.core.text import unknown_name
from rigview.io import Loaded

EXACT = "exact"


def repair(
    rig: Rig | Loaded,
    rules: str | Iterable[str] = EXACT,
    profile: str | Profile | None = None,
) -> tuple[Rig, Repair]:
    """Apply fixes until none of the wanted ones is left.

    Parameters
    ----------
    rig
        The rig, or an opened file. It is not changed.
    rules
        "exact": all fixes that move nothing in any clip. Or the ids of rules: their findings are fixed,
        whatever that moves.
    profile
        As in `check`.

    Returns
    -------
    The repaired rig, and the receipt: what was applied and what it moved, and what was declined and why.

    Raises
    ------
    UnknownName
        If there is no such rule or profile.
    """
    broken = rig_of(rig)
    receipt = apply_fixes(
        broken, usual_profile(broken) if profile is None else profile, _ids(rules)
    )
    return receipt.rig, receipt


def _ids(rules: object) -> tuple[str, ...]:
    """Return the ids of rules; none for "exact".

    Raises
    ------
    UnknownName, TypeError
        If there is no such rule.
    """
    if isinstance(rules, str):
        rules = () if rules == EXACT else (rules,)
    if not isinstance(rules, Iterable):
        raise wrong_type("rules", '"exact", or ids of rules', rules)
    ids = tuple(rules)
    for id_ in ids:
        if not isinstance(id_, str):
            raise wrong_type("rules", "the id of a rule", id_)
        if id_ not in BY_ID:
            raise UnknownName(unknown_name("rule", id_, BY_ID, "rigview rules lists every rule"))
    return ids
