"""Running the rules over a rig."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from rigview.check.catalogue import BY_ID, RULES
from rigview.check.rule import (
    SEVERITIES,
    Finding,
    Profile,
    Progress,
    Rule,
    Severity,
    Subject,
)
from rigview.check.rules.left_out import told
from rigview.core.garbage import collector_paused
from rigview.core.rig import Rig


@dataclass(frozen=True)
class Report:
    """What a run found.

    Parameters
    ----------
    asked
        The rules that were chosen, in the order of the table.
    not_evaluated
        (rule, reason) of rules that had nothing to look at, or found nothing in what is not all, so that
        silence never looks like health.
    """

    profile: Profile
    findings: tuple[Finding, ...]
    not_evaluated: tuple[tuple[str, str], ...]
    asked: tuple[str, ...] = ()

    def severity(self, finding: Finding) -> Severity:
        """Return a finding's severity under the report's profile."""
        stated = self.profile.severities.get(finding.rule) or finding.severity
        return stated or BY_ID[finding.rule].severity_for(self.profile)

    def counts(self) -> dict[Severity, int]:
        """Return how many findings there are of each severity."""
        found = [self.severity(f) for f in self.findings]
        return {severity: found.count(severity) for severity in SEVERITIES}

    def ranked(self) -> tuple[Finding, ...]:
        """Return the findings, errors first, else in the order of the table."""
        return self.worst_first(self.findings)

    def worst_first(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Return some findings, errors first, else in the order that they have."""
        order = {severity: i for i, severity in enumerate(SEVERITIES)}
        return tuple(sorted(findings, key=lambda f: order[self.severity(f)]))


def run(
    rig: Rig,
    profile: str | Profile = "gltf",
    select: Collection[str] = (),
    ignore: Collection[str] = (),
    progress: Progress | None = None,
) -> Report:
    """Check a rig.

    Parameters
    ----------
    profile
        One of `PROFILES` by name, or one with severities and limits of its own.
    select, ignore
        Rule ids: only these (all if empty), and none of those.
    progress
        Hears the rule under way and the share done; may raise to stop.

    Raises
    ------
    KeyError
        If the profile or a rule does not exist.
    """
    subject, asked = Subject.of(rig, profile), _asked(select, ignore)
    findings: list[Finding] = []
    not_evaluated: list[tuple[str, str]] = []
    with collector_paused():
        for rule, reason in _in_turn(asked, subject, progress):
            found = () if reason else subject.found(rule.find)
            findings.extend(found)
            if not found:
                unseen = _left_out(rule, rig)
                why = reason or "; ".join(filter(None, (unseen, told(rule, subject))))
                not_evaluated += [(rule.id, why)] if why else []
    return Report(
        subject.profile,
        tuple(findings),
        tuple(not_evaluated),
        tuple(rule.id for rule in asked),
    )


def findings_of(
    rig: Rig,
    profile: str | Profile = "gltf",
    select: Collection[str] = (),
    progress: Progress | None = None,
) -> Iterator[Finding]:
    """Yield what `run` finds, in its order, as it is found: who needs the first pays for no other."""
    subject = Subject.of(rig, profile)
    for rule, reason in _in_turn(_asked(select), subject, progress):
        if not reason:
            yield from subject.findings(rule.find)


def _asked(select: Collection[str], ignore: Collection[str] = ()) -> list[Rule]:
    """Return the chosen rules, in the order of the table.

    Raises
    ------
    KeyError
        If one does not exist.
    """
    unknown = [rule for rule in (*select, *ignore) if rule not in BY_ID]
    if unknown:
        raise KeyError(unknown[0])
    return [r for r in RULES if (not select or r.id in select) and r.id not in ignore]


def _in_turn(
    asked: Sequence[Rule], subject: Subject, progress: Progress | None
) -> Iterator[tuple[Rule, str]]:
    """Yield the rules as their turn comes, and why one is not to be asked; empty where it is."""
    for i, rule in enumerate(asked):
        if progress is not None:
            progress(rule.title, i / len(asked))
        yield rule, _unasked(rule, subject)


def _unasked(rule: Rule, subject: Subject) -> str:
    """Return why a rule is not to be asked; empty where it is."""
    return _nothing_to_see(rule, subject) or (_left_out(rule, subject.rig) if rule.whole else "")


def _nothing_to_see(rule: Rule, subject: Subject) -> str:
    """Return why a rule cannot be evaluated on a rig; empty where it can."""
    rig = subject.rig
    if rule.tree and rig.nodes.faults:
        return "the hierarchy has loops"
    for need in rule.needs.split():
        has, without = _HAS[need]
        if not subject.kept(has):
            return without
    return ""


def _left_out(rule: Rule, rig: Rig) -> str:
    """Return what a reader left out that a rule would have to see; empty where that is nothing."""
    if not rig.unseen:
        return ""
    sees = {"motion"} if rule.motion else set()
    sees |= {"influences"} & set(rule.needs.split())
    return "; ".join(unseen.reason for unseen in rig.unseen if unseen.what in sees)


def _shows_skin(rig: Rig) -> bool:
    return any(
        part.skin is not None and rig.primitive(part).influences is not None for part in rig.parts
    )


def _has_bones(rig: Rig) -> bool:
    """Tell whether there is a skin, or a skeleton alone: things that move one by one are none."""
    return (
        any(skin.joints for skin in rig.skins) or max(rig.joint_parents.values(), default=-1) >= 0
    )


# What a rule may need: whether a rig has it, and what is said where it has not.
_HAS: dict[str, tuple[Callable[[Subject], bool], str]] = {
    "skins": (lambda s: any(skin.joints for skin in s.rig.skins), "there is no skin"),
    "bones": (lambda s: _has_bones(s.rig), "there is no skin, and no joint below another"),
    "influences": (lambda s: _shows_skin(s.rig), "there is no skinned mesh"),
    "clips": (lambda s: bool(s.rig.clips), "there is no clip"),
    "pairs": (lambda s: bool(s.anatomy.pairs), "no names of joints pair left with right"),
    "humanoid": (
        lambda s: bool(s.facts.bodies),
        "no joints are hips, head, arms and legs of a human, by their names and places",
    ),
}
