"""The one table of rules; the window, the command line, the reports and the documentation read it.

Its rows stand in one module per family. Rules that wait for others come behind them.
"""

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
from rigview.check.plugins import third_party
from rigview.check.rule import Rule

RULES: tuple[Rule, ...] = (
    *reading.ROWS,
    *hierarchy.ROWS,
    *orientation.ROWS,
    *scale.ROWS,
    *bind.ROWS,
    *weights.ROWS,
    *animation.ROWS,
    *shape.ROWS,
)
RULES += third_party({rule.id for rule in RULES})
BY_ID: dict[str, Rule] = {rule.id: rule for rule in RULES}
LIMITS: dict[str, Limit] = {limit.key: limit for rule in RULES for limit in rule.limits}
