"""Running the rules over a rig."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial

from rigview.check.catalogue import BY_ID, RULES
from rigview.check.deadline import Deadline, TimeUp
from rigview.check.isolation import own
from rigview.check.rule import (
    SEVERITIES,
    Finding,
    Profile,
    Progress,
    Rule,
    Severity,
    Subject,
)
from rigview.check.rules.posed_skin.exclusions import told
from rigview.check.rules.posed_skin.motion_faults import motion_where_tame
from rigview.core.errors import UnknownName
from rigview.core.gc_pause import collector_paused
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence, joined
from rigview.core.text import count, unknown_name


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
    out_of_time
        The rules among them whose time was up.
    own
        The rules among those asked that are not in the table.
    """

    profile: Profile
    findings: tuple[Finding, ...]
    not_evaluated: tuple[tuple[str, str], ...]
    asked: tuple[str, ...] = ()
    out_of_time: tuple[str, ...] = ()
    own: tuple[Rule, ...] = ()

    def __repr__(self) -> str:
        counts = ", ".join(f"{number} {severity}" for severity, number in self.counts().items())
        return f"Report({self.profile.name}: {counts}, {count(len(self.notes), 'note')})"

    def rule(self, finding: Finding) -> Rule:
        """Return the rule that a finding is of."""
        own = next((rule for rule in self.own if rule.id == finding.rule), None)
        return own or BY_ID[finding.rule]

    def severity(self, finding: Finding) -> Severity:
        """Return a finding's severity under the report's profile."""
        if finding.failure:
            return "error"
        stated = self.profile.severities.get(finding.rule) or finding.severity
        return stated or self.rule(finding).severity_for(self.profile)

    def is_note(self, finding: Finding) -> bool:
        """Return whether a finding is information that asks for no action.

        A configuration that states "note" for the rule makes all its findings notes; any other severity
        that it states makes them count.
        """
        marked = finding.note or self.rule(finding).note
        if finding.rule in self.profile.severities:
            marked = finding.rule in self.profile.notes
        return marked and self.severity(finding) == "info"

    @property
    def notes(self) -> tuple[Finding, ...]:
        """The findings that ask for no action, in the order of the table."""
        return tuple(finding for finding in self.findings if self.is_note(finding))

    def counts(self) -> dict[Severity, int]:
        """Return how many findings there are of each severity, notes left out."""
        found = [self.severity(f) for f in self.findings if not self.is_note(f)]
        return {severity: found.count(severity) for severity in SEVERITIES}

    def ranked(self) -> tuple[Finding, ...]:
        """Return the findings, errors first and notes last, else in the order of the table."""
        return self.worst_first(self.findings)

    def worst_first(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Return some findings, errors first and notes last, else in the order that they have."""
        order = {severity: i for i, severity in enumerate(SEVERITIES)}
        return tuple(sorted(findings, key=lambda f: (order[self.severity(f)], self.is_note(f))))


def run(
    rig: Rig,
    profile: str | Profile = "gltf",
    select: Collection[str | Rule] = (),
    ignore: Collection[str] = (),
    progress: Progress | None = None,
    deadline: Deadline | None = None,
) -> Report:
    """Check a rig.

    Parameters
    ----------
    profile
        One of `PROFILES` by name, or one with severities and limits of its own.
    select, ignore
        Rule ids: only these (all if empty), and none of those. A rule that is not in the table is selected
        as a `Rule`.
    progress
        Hears the rule under way and the share done; may raise to stop.
    deadline
        The time that the rules have; those that it leaves out are listed as not evaluated.

    Raises
    ------
    UnknownName
        If the profile or a rule does not exist.
    """
    subject = Subject.of(rig, profile)
    asked = _asked(subject.profile, select, ignore)
    findings: list[Finding] = []
    not_evaluated: list[tuple[str, str]] = []
    out_of_time: list[str] = []
    with collector_paused():
        for rule in _in_turn(asked, progress):
            evaluate = partial(_evaluated, rule, subject, not_evaluated)
            try:
                with deadline.limited(deadline.rule_seconds) if deadline else nullcontext():
                    findings.extend(own(rule.id, evaluate))
            except TimeUp:
                if deadline is None:
                    raise
                not_evaluated.append((rule.id, deadline.reason()))
                out_of_time.append(rule.id)
    return Report(
        subject.profile,
        tuple(findings),
        tuple(not_evaluated),
        tuple(rule.id for rule in asked),
        tuple(out_of_time),
        tuple(rule for rule in asked if rule is not BY_ID.get(rule.id)),
    )


def _evaluated(
    rule: Rule, subject: Subject, not_evaluated: list[tuple[str, str]]
) -> tuple[Finding, ...]:
    """Return what a rule finds; list it where it cannot be evaluated, or finds nothing in part of a rig."""
    reason = _unasked(rule, subject)
    found = () if reason else subject.found(rule)
    if not found:
        unseen = _left_out(rule, subject.rig)
        why = reason or joined([*filter(None, (unseen, told(rule, subject)))], "{first}; {rest}")
        not_evaluated += [(rule.id, why)] if why else []
    return found


def findings_of(
    rig: Rig,
    profile: str | Profile = "gltf",
    select: Collection[str] = (),
    progress: Progress | None = None,
) -> Iterator[Finding]:
    """Yield what `run` finds, in its order, as it is found: who needs the first pays for no other."""
    subject = Subject.of(rig, profile)
    for rule in _in_turn(_asked(subject.profile, select), progress):
        yield from own(rule.id, partial(_found_in_turn, rule, subject))


def _found_in_turn(rule: Rule, subject: Subject) -> Iterator[Finding]:
    if not _unasked(rule, subject):
        yield from rule(subject)


def _asked(
    profile: Profile, select: Collection[str | Rule], ignore: Collection[str] = ()
) -> list[Rule]:
    """Return the chosen rules, in the order of the table; those that are not in it come last.

    Rules about a template are asked where there is one, or where they are named.

    Raises
    ------
    UnknownName
        If one does not exist.
    ValueError
        If one has the id of another.
    """
    own = [rule for rule in select if isinstance(rule, Rule) and rule is not BY_ID.get(rule.id)]
    for number, rule in enumerate(own):
        if rule.id in BY_ID or rule.id in {other.id for other in own[:number]}:
            raise ValueError(f"the id {rule.id} is in use by another rule")
    ids = {rule.id if isinstance(rule, Rule) else rule for rule in select}
    known = BY_ID.keys() | {rule.id for rule in own}
    for wanted in (*ids, *ignore):
        if wanted not in known:
            listing = "rigview rules lists every rule"
            raise UnknownName(unknown_name("rule", wanted, sorted(known), listing))
    every = [r for r in (*RULES, *own) if (not ids or r.id in ids) and r.id not in ignore]
    without = profile.template is None and not ids
    return [r for r in every if not (without and "template" in r.needs.split())]


def _in_turn(asked: Sequence[Rule], progress: Progress | None) -> Iterator[Rule]:
    """Yield the rules as their turn comes."""
    for i, rule in enumerate(asked):
        if progress is not None:
            progress(rule.title, i / len(asked))
        yield rule


def _unasked(rule: Rule, subject: Subject) -> str:
    """Return why a rule is not to be asked; empty where it is."""
    return _nothing_to_see(rule, subject) or (_left_out(rule, subject.rig) if rule.whole else "")


def _nothing_to_see(rule: Rule, subject: Subject) -> str:
    """Return why a rule cannot be evaluated on a rig; empty where it can."""
    rig = subject.rig
    if rule.tree and rig.nodes.faults:
        return Sentence("the hierarchy has loops")
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
    return joined(
        [unseen.reason for unseen in rig.unseen if unseen.what in sees], "{first}; {rest}"
    )


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
    "poses": (
        lambda s: bool(s.rig.clips) or s.kept(motion_where_tame) is not None,
        "there is no clip, and no range of motion of its joints: none can be turned, or there are too many "
        "of them or of meshes",
    ),
    "pairs": (lambda s: bool(s.anatomy.pairs), "no names of joints pair left with right"),
    "template": (lambda s: s.profile.template is not None, "no template is named"),
    "humanoid": (
        lambda s: bool(s.facts.bodies),
        "no joints are hips, head, arms and legs of a human, by their names and places",
    ),
}
