"""The one table of rules; the window, the command line, the reports and the documentation read it.

Its rows stand in one module per family. Rules that wait for others come behind them.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rigview.check.catalogue import (
    animation,
    bind,
    hierarchy,
    orientation,
    reading,
    scale,
    shape,
    weights,
)
from rigview.check.limits import Limit
from rigview.check.own_rules import RulesError
from rigview.check.plugins import third_party
from rigview.check.rule import Rule

_TABLE: tuple[Rule, ...] = (
    *reading.ROWS,
    *hierarchy.ROWS,
    *orientation.ROWS,
    *scale.ROWS,
    *bind.ROWS,
    *weights.ROWS,
    *animation.ROWS,
    *shape.ROWS,
)
# These three change together, by `extended_by` alone.
RULES: list[Rule] = [*_TABLE, *third_party({rule.id for rule in _TABLE})]
BY_ID: dict[str, Rule] = {rule.id: rule for rule in RULES}
LIMITS: dict[str, Limit] = {limit.key: limit for rule in RULES for limit in rule.limits}


@contextmanager
def extended_by(rules: Sequence[Rule]) -> Iterator[None]:
    """Let the table have further rules at its end, for the length of a ``with`` block.

    Raises
    ------
    RulesError
        If one has an id that is in use.
    """
    used = next((rule.id for rule in rules if rule.id in BY_ID), None)
    if used is not None:
        raise RulesError(f"the id {used} is in use: rigview has a rule of that id")
    limits = {limit.key: limit for rule in rules for limit in rule.limits}
    RULES.extend(rules)
    BY_ID.update((rule.id, rule) for rule in rules)
    LIMITS.update(limits)
    try:
        yield
    finally:
        for rule in rules:
            RULES.remove(rule)
            del BY_ID[rule.id]
        for key in limits:
            del LIMITS[key]
