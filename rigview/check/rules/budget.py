"""The rule about a template's budget: joints, influences, vertices and morph targets that it allows."""

from collections.abc import Iterator

from rigview.check.rule import Finding, Fix, Subject, count, rule
from rigview.check.rules.conformity import template_of
from rigview.core.sentence import Sentence
from rigview.core.templates.making import counted

# Part of a budget → its unit, and what to do about it.
_BUDGETS = {
    "joints": ("joint", "which joints a character does without is a choice"),
    "influences": ("influence", "WGT-COUNT keeps the largest, under a limit of its own"),
    "vertices": ("vertex", "rigview thins out no mesh"),
    "morphs": ("morph target", "which morph targets a character does without is a choice"),
}
# Part of a budget → what is said of it, where that is not a number of the whole character.
_OVER = {
    "influences": "{counted} on one vertex; {template} allows {most}",
    "morphs": "{counted} on one mesh; {template} allows {most}",
}


@rule(
    "TPL-BUDGET",
    title="Over the template's budget",
    measures="joints, influences, vertices and morph targets against the template's budget",
    severity="warning",
    needs="template",
)
def budgets(subject: Subject) -> Iterator[Finding]:
    """More joints, influences, vertices or morph targets than the template allows."""
    template, have = template_of(subject), counted(subject.rig)
    for number, (part, (unit, reason)) in enumerate(_BUDGETS.items()):
        most, now = getattr(template.budget, part), getattr(have, part)
        if most is None or now <= most:
            continue
        yield Finding(
            number,
            Sentence(
                _OVER.get(part, "{counted}; {template} allows {most}"),
                counted=count(now, unit),
                template=template.name,
                most=most,
            ),
            template.name,
            value=now,
            limit=most,
            unit=unit,
            explanation="Memory and time of a crowd of characters are planned by these numbers.",
            fix=Fix("none", reason=reason),
        )
