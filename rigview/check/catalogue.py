"""The table of rules, in the order of reports; the window, the command line and the pages read it.

Each rule is a function in `rules`, with its facts above it.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rigview.check.limits import Limit
from rigview.check.own_rules import RulesError
from rigview.check.plugins import third_party
from rigview.check.rule import Rule
from rigview.check.rules import (
    arms,
    bind,
    bind_conflict,
    bind_matrices,
    bind_pose,
    bind_reach,
    bounds,
    budget,
    channels,
    conformity,
    deformation,
    frame_grid,
    hierarchy,
    influence_slots,
    joints,
    keys,
    mirroring,
    motion,
    names,
    nearest,
    orientation,
    roll,
    scale,
    scale_time,
    seams,
    stance,
    stray_weights,
    symmetry,
    tree,
    units,
    unread,
    weights,
    winding,
)

_TABLE: tuple[Rule, ...] = (
    unread.unreadable,
    hierarchy.loops,
    hierarchy.missing_joints,
    tree.scattered,
    hierarchy.shared_parent,
    tree.mesh_transforms,
    hierarchy.joint_order,
    tree.gaps,
    names.bad_names,
    names.sides,
    joints.doubles,
    joints.idle,
    joints.ends,
    joints.too_many,
    joints.without_length,
    orientation.primary_axis,
    roll.rolls,
    mirroring.not_mirrored,
    stance.upright,
    arms.arms_out,
    scale.inherited,
    scale.in_skin,
    scale_time.unequal,
    scale.mirrored,
    scale_time.nothing,
    scale_time.animated_scale,
    units.other_units,
    bind.missing,
    bind.too_few,
    bind_matrices.not_affine,
    bind_matrices.crushed,
    bind_matrices.mirrored,
    bind_matrices.not_rigid,
    bind_conflict.conflicts,
    bind_pose.off_rest,
    bind_reach.far,
    weights.sums,
    weights.unweighted,
    weights.ranges,
    influence_slots.doubles,
    influence_slots.too_many,
    influence_slots.tiny,
    influence_slots.ghosts,
    influence_slots.unsorted,
    stray_weights.strays,
    seams.seams,
    symmetry.asymmetric,
    nearest.passed_over,
    keys.not_numbers,
    keys.bad_times,
    keys.not_unit,
    keys.long_ways,
    channels.without_effect,
    motion.travel,
    motion.jumps,
    motion.open_loops,
    frame_grid.off_grid,
    channels.constants,
    motion.lengths,
    winding.against_normals,
    bounds.bounds,
    deformation.collapse,
    deformation.bulge,
    deformation.volume,
    deformation.stretch,
    deformation.flips,
    deformation.intersections,
    conformity.missing,
    conformity.other_names,
    conformity.parents,
    conformity.orientations,
    conformity.places,
    conformity.extra,
    conformity.order,
    budget.budgets,
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
