"""Check a rig by the rules of the table, and by rules of one's own."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rigview.app.arguments import rig_of, wrong_type
from rigview.check.catalogue import BY_ID, extended_by
from rigview.check.own_rules import rule_of, rules_in
from rigview.check.policy import usual_profile
from rigview.check.rule import Finding, Profile, Rule, Subject
from rigview.check.run import Report, run
from rigview.core.rig import Rig
from rigview.io import Loaded

# A rule by its id, as a value, or as the function that finds.
AnyRule = str | Rule | Callable[[Subject], Iterator[Finding]]
ALL = "all"


def check(
    rig: Rig | Loaded,
    profile: str | Profile | None = None,
    rules: AnyRule | Iterable[AnyRule] = ALL,
) -> Report:
    """Check a rig.

    No configuration file is read: what is found depends on the arguments alone.

    Parameters
    ----------
    rig
        The rig, or an opened file.
    profile
        What the rig is for: gltf, dqs, thesis, unity, unreal, godot or vrm. By default vrm for a VRM, and
        gltf for others.
    rules
        Which rules are asked: ids, `Rule` values, and functions of one's own, whose docstring begins with
        an id and a title ("STU-PREFIX: Joint without prefix"). "all" stands for all rules of the table.

    Returns
    -------
    The findings in the order of the table, their severities, and which rules were not evaluated and why.

    Raises
    ------
    UnknownName
        If there is no such rule or profile.
    """
    checked = rig_of(rig)
    wanted = chosen_rules(rules)
    return run(checked, usual_profile(checked) if profile is None else profile, wanted)


def chosen_rules(rules: object) -> tuple[str | Rule, ...]:
    """Return rules as `run` selects them.

    Raises
    ------
    TypeError, ValueError
        If one is no rule.
    """
    if isinstance(rules, str | Rule) or callable(rules):
        rules = [rules]
    if not isinstance(rules, Iterable):
        raise wrong_type("rules", "ids of rules, Rules or functions", rules)
    chosen: list[str | Rule] = []
    for one in rules:
        if one == ALL:
            chosen += BY_ID
        elif isinstance(one, str | Rule):
            chosen.append(one)
        elif callable(one):
            chosen.append(rule_of(one))
        else:
            raise wrong_type("rules", "an id, a Rule or a function", one)
    if not chosen:
        raise ValueError('rules: at least one is wanted; "all" asks all')
    return tuple(chosen)


@contextmanager
def with_rules_from(folder: Path | None) -> Iterator[None]:
    """Let the table have the rules of a folder as well, for the length of a ``with`` block.

    Raises
    ------
    RulesError
        If the folder cannot be used.
    """
    if folder is None:
        yield
        return
    with extended_by(rules_in(folder)):
        yield
