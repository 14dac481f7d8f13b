"""Rules about a template: whether a skeleton has the joints, names, tree and axes that it asks for."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from rigview.check.labels import skin_label
from rigview.check.measures.facts import measured
from rigview.check.rig_edits.joint_list import reorder_joints
from rigview.check.rig_edits.reframe import may_reframe, reframe, rotations
from rigview.check.rig_edits.rename import renamed
from rigview.check.rig_edits.reparent import may_gather, reparent
from rigview.check.rule import Finding, Fix, Refused, Subject, count, offer, rule, verb
from rigview.core import quat
from rigview.core.arrays import FloatArray
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence, joined
from rigview.core.templates.fitting import Fit
from rigview.core.templates.making import keeps_order
from rigview.core.templates.template import Template
from rigview.core.text import some_of

# Joints that a message names.
_MOST_NAMED = 5


def template_of(subject: Subject) -> Template:
    """Return the template that rigs are held to."""
    template = subject.profile.template
    if template is None:
        raise ValueError("the profile has no template")
    return template


def _fit(subject: Subject) -> Fit:
    return Fit.of(subject.deformer, template_of(subject))


def _fitted(rig: Rig, template: Template) -> Fit:
    """Return a rig matched anew, as fixes do."""
    return Fit.of(measured(rig).deformer, template)


def _names(rig: Rig, joints: Sequence[int]) -> str:
    return some_of([rig.nodes.label(joint) for joint in joints], _MOST_NAMED)


@rule(
    "TPL-MISSING",
    title="Joint of the template missing",
    measures="joints that the template requires and the skeleton lacks",
    severity="error",
    needs="template bones",
    tree=True,
)
def missing(subject: Subject) -> Iterator[Finding]:
    """Joints that the template requires and the skeleton lacks."""
    fit = subject.kept(_fit)
    lacks = [joint.name for joint in fit.missing]
    if not lacks:
        return
    required = sum(joint.required for joint in fit.template.joints)
    yield Finding(
        0,
        Sentence(
            "{number} of {joints} that {template} requires {verb} missing: {names}",
            number=len(lacks),
            joints=count(required, "joint"),
            template=fit.template.name,
            verb=verb(len(lacks), "is", "are"),
            names=some_of(lacks, _MOST_NAMED),
        ),
        fit.template.name,
        value=len(lacks),
        limit=0,
        unit="joint",
        explanation="Motions and tools made for the template move joints that are not there.",
        fix=Fix("none", reason="a new joint needs a place and weights, which are a choice"),
    )


@rule(
    "TPL-NAME",
    title="Joint under another name",
    measures="names of joints that are the template's by namespace, part of the body or place",
    severity="warning",
    fix="exact",
    needs="template bones",
    tree=True,
)
def other_names(subject: Subject) -> Iterator[Finding]:
    """Joints that the template has under another name."""
    fit = subject.kept(_fit)
    if not fit.template.named:
        return
    rig = subject.rig
    joints = [joint for joint in fit.joints if fit.how[joint] != "name"]
    if not joints:
        return
    told = [f"{rig.nodes.label(j)} ({fit.joints[j].name})" for j in joints]
    by = {fit.how[joint] for joint in joints}
    words = {
        "namespace": Sentence("name"),
        "bone": Sentence("part of the body"),
        "place": Sentence("place"),
    }
    how = joined([word for key, word in words.items() if key in by], "{first} or {rest}")
    yield Finding(
        0,
        Sentence(
            "{joints} {verb} another name in {template}: {names}",
            joints=count(len(joints), "joint"),
            verb=verb(len(joints), "has", "have"),
            template=fit.template.name,
            names=some_of(told, _MOST_NAMED),
        ),
        rig.nodes.label(joints[0]),
        joints=tuple(joints),
        value=len(joints),
        limit=0,
        unit="joint",
        explanation=Sentence(
            "By their {how} these are joints of the template; whoever looks them up by the "
            "template's names does not find them.",
            how=how,
        ),
        fix=offer(
            rig,
            "exact",
            Sentence(
                "Rename {joints} as in {template}",
                joints=count(len(joints), "joint"),
                template=fit.template.name,
            ),
            partial(rename_as, template=fit.template),
        ),
    )


def rename_as(rig: Rig, template: Template) -> Rig:
    """Give the joints that a template has under another name the template's names.

    Raises
    ------
    Refused
        If another node has one of these names.
    """
    fit = _fitted(rig, template)
    new = {joint: own.name for joint, own in fit.joints.items() if fit.how[joint] != "name"}
    return renamed(rig, new)


@rule(
    "TPL-PARENT",
    title="Joint below another parent",
    measures="the nearest joint of the template above each joint",
    severity="error",
    fix="exact",
    needs="template bones",
    tree=True,
)
def parents(subject: Subject) -> Iterator[Finding]:
    """Joints that hang below another joint than the template's."""
    fit, rig = subject.kept(_fit), subject.rig
    for joint, own in fit.joints.items():
        now, wanted = fit.above(joint), fit.wanted_above(joint)
        if now == wanted:
            continue
        label = rig.nodes.label
        there = (
            Sentence("below {joint}", joint=label(wanted))
            if wanted >= 0
            else Sentence("at the top")
        )
        here = (
            Sentence("below {joint}", joint=label(now))
            if now >= 0
            else Sentence("below no joint of it")
        )
        yield Finding(
            joint,
            Sentence(
                "{joint} hangs {here}; {template} has it {there}",
                joint=label(joint),
                here=here,
                template=fit.template.name,
                there=there,
            ),
            label(joint),
            joints=(joint,) if now < 0 else (joint, now),
            explanation="Motions made for the template turn what hangs on a joint, and here that is not "
            "the same.",
            fix=_reparenting(fit, joint, wanted, own.name),
        )


def _reparenting(fit: Fit, joint: int, wanted: int, name: str) -> Fix:
    rig = fit.rig
    if wanted < 0:
        return Fix("none", reason="the template has no joint above it to hang it on")
    return offer(
        rig,
        "exact",
        Sentence(
            "Hang {joint} below {parent}",
            joint=rig.nodes.label(joint),
            parent=rig.nodes.label(wanted),
        ),
        partial(rehang_as, template=fit.template, name=name),
        trial=lambda rig: may_gather(rig, (joint,), wanted),
    )


def rehang_as(rig: Rig, template: Template, name: str) -> Rig:
    """Hang the joint that a template calls `name` below the joint that the template has above it.

    Raises
    ------
    Refused
        If what is between the two parents moves, or scales unequally.
    """
    fit = _fitted(rig, template)
    if name not in fit.found:
        raise Refused(Sentence("there is no joint {name}", name=name))
    joint = fit.found[name]
    wanted = fit.wanted_above(joint)
    if wanted < 0 or fit.above(joint) == wanted:
        raise Refused(
            Sentence("{joint} hangs as the template has it", joint=rig.nodes.label(joint))
        )
    return reparent(rig, joint, wanted)


@rule(
    "TPL-ORIENT",
    title="Axes turned from the template's",
    measures="the angle between a joint's axes and the template's, once the bones point alike",
    severity="warning",
    fix="exact",
    needs="template bones",
    tree=True,
    overlays=("axes",),
)
def orientations(subject: Subject) -> Iterator[Finding]:
    """Joints whose axes lie otherwise about their bones than in the template.

    In BVH every joint has the axes of the world, and nothing tells how those of a character lie.
    """
    fit, rig = subject.kept(_fit), subject.rig
    off = _off(fit)
    if not off or rig.origin.format == "BVH":
        return
    joints = sorted(off, key=lambda joint: -off[joint])
    worst, label = joints[0], rig.nodes.label
    yield Finding(
        0,
        Sentence(
            "axes of {joints} of {number} are turned by up to {angle:.1f}° from those of "
            "{template}, the most those of {joint}",
            joints=count(len(joints), "joint"),
            number=len(fit.angles),
            angle=off[worst],
            template=fit.template.name,
            joint=label(worst),
        ),
        label(worst),
        joints=tuple(joints),
        value=off[worst],
        limit=_degrees(fit, worst),
        unit="°",
        explanation="Motions state turns about a joint's own axes: about other axes the same numbers turn "
        "it otherwise. How the arms hang at rest is left out of the comparison.",
        fix=offer(
            rig,
            "exact",
            Sentence(
                "Turn the axes of {joints} as in {template}",
                joints=count(len(joints), "joint"),
                template=fit.template.name,
            ),
            partial(turn_axes_as, template=fit.template),
            trial=lambda rig: may_reframe(rig, rotations(_turns(fit, off))),
        ),
    )


def _degrees(fit: Fit, joint: int) -> float:
    own = fit.joints[joint].degrees
    asked = fit.template.degrees if own is None else own
    return np.inf if asked is None else asked


def _off(fit: Fit) -> dict[int, float]:
    """Return joint → how far its axes are off, in degrees, of those off by more than is allowed."""
    return {joint: angle for joint, angle in fit.angles.items() if angle > _degrees(fit, joint)}


def _turns(fit: Fit, off: dict[int, float]) -> dict[int, FloatArray]:
    """Return joint → its new frame ``(4,)`` as seen from its old one."""
    wanted, now = fit.wanted_turns, fit.stand.turns
    return {joint: quat.multiply(quat.conjugate(now[joint]), wanted[joint]) for joint in off}


def turn_axes_as(rig: Rig, template: Template) -> Rig:
    """Turn the axes of joints as a template has them; binds, children and keys follow, nothing moves.

    Raises
    ------
    Refused
        If no joint is off, or `reframe` refuses one.
    """
    fit = _fitted(rig, template)
    off = _off(fit)
    if not off:
        raise Refused("no joint is off")
    return reframe(rig, rotations(_turns(fit, off)))


@rule(
    "TPL-PLACE",
    title="Joint away from its place",
    measures="the distance of a joint from the template's place, in heights of the skeleton",
    severity="warning",
    needs="template bones",
    tree=True,
)
def places(subject: Subject) -> Iterator[Finding]:
    """Joints that are further from the template's place than it allows."""
    fit, rig = subject.kept(_fit), subject.rig
    allowed = {joint: _distance(fit, joint) for joint in fit.distances}
    off = {joint: d for joint, d in fit.distances.items() if d > allowed[joint]}
    if not off:
        return
    joints = sorted(off, key=lambda joint: -off[joint])
    worst, label = joints[0], rig.nodes.label
    yield Finding(
        0,
        Sentence(
            "{joints} of {number} {verb} up to {share:.1f} % of the height from {verb2} "
            "place in {template}, the furthest {joint}",
            joints=count(len(joints), "joint"),
            number=len(fit.distances),
            verb=verb(len(joints), "is", "are"),
            share=100.0 * off[worst],
            verb2=verb(len(joints), "its", "their"),
            template=fit.template.name,
            joint=label(worst),
        ),
        label(worst),
        joints=tuple(joints),
        value=100.0 * off[worst],
        limit=100.0 * allowed[worst],
        unit="%",
        explanation="Clothes, props and motions that fit the template are off by as much here.",
        fix=Fix("none", reason="where a joint is is a proportion or a pose of the character"),
    )


def _distance(fit: Fit, joint: int) -> float:
    own = fit.joints[joint].distance
    asked = fit.template.distance if own is None else own
    return np.inf if asked is None else asked


@rule(
    "TPL-EXTRA",
    title="Joint that the template does not have",
    measures="joints that the template neither has nor allows by a pattern",
    severity="warning",
    needs="template bones",
    tree=True,
)
def extra(subject: Subject) -> Iterator[Finding]:
    """Joints that the template neither has nor allows."""
    fit, rig = subject.kept(_fit), subject.rig
    if not fit.extra:
        return
    number = len(fit.extra)
    yield Finding(
        0,
        Sentence(
            "{joints} of {number} {verb} not in {template}: {names}",
            joints=count(number, "joint"),
            number=len(rig.joints),
            verb=verb(number, "is", "are"),
            template=fit.template.name,
            names=_names(rig, fit.extra),
        ),
        rig.nodes.label(fit.extra[0]),
        joints=fit.extra,
        value=number,
        limit=0,
        unit="joint",
        explanation="What the template's motions do not move stays where its parent takes it.",
        fix=Fix(
            "none",
            reason="what a joint carries needs another joint; HIE-UNUSED takes out those without use, and "
            "extras in the template allows names",
        ),
    )


@rule(
    "TPL-ORDER",
    title="Joints listed in another order",
    measures="the order of a skin's joints, where the template's counts",
    severity="info",
    fix="exact",
    needs="template skins",
    tree=True,
)
def order(subject: Subject) -> Iterator[Finding]:
    """Joints that a skin lists in another order than the template.

    It is asked of the skin that lists the most joints, as a template takes its order from.
    """
    fit, rig = subject.kept(_fit), subject.rig
    if not fit.template.ordered or not keeps_order(rig):
        return
    skin = max(range(len(rig.skins)), key=lambda number: len(rig.skins[number].joints))
    listed = [joint for joint in rig.skins[skin].joints if joint in fit.joints]
    wanted = [joint for joint in fit.joints if joint in set(listed)]
    moved = [joint for joint, other in zip(listed, wanted, strict=False) if joint != other]
    if len(listed) != len(wanted) or not moved:
        return
    yield Finding(
        skin,
        Sentence(
            "{joints} of {number} {verb} in another place of the list than in {template}, "
            "the first {joint}",
            joints=count(len(moved), "joint"),
            number=len(listed),
            verb=verb(len(moved), "stands", "stand"),
            template=fit.template.name,
            joint=rig.nodes.label(moved[0]),
        ),
        skin_label(rig, skin),
        joints=tuple(moved),
        value=len(moved),
        limit=0,
        unit="joint",
        explanation="Data that goes by the numbers of joints, such as baked motions, goes to others.",
        fix=offer(
            rig,
            "exact",
            Sentence(
                "List the joints of {skin} as in {template}",
                skin=skin_label(rig, skin),
                template=fit.template.name,
            ),
            partial(list_as, template=fit.template, skin=skin),
        ),
    )


def list_as(rig: Rig, template: Template, skin: int) -> Rig:
    """List a skin's joints in a template's order, those that it does not have behind them.

    Raises
    ------
    Refused
        If a mesh of the skin also hangs on another skin, or inverse bind matrices are missing.
    """
    fit, joints = _fitted(rig, template), rig.skins[skin].joints
    ranks = {joint: rank for rank, joint in enumerate(fit.joints)}
    ordered = sorted(range(len(joints)), key=lambda i: ranks.get(joints[i], len(ranks)))
    return reorder_joints(rig, skin, ordered)
