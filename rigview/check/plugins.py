"""Rules that other packages add: entry points of the group `rigview.rules`.

An entry point names a `Rule` or several. Whatever goes wrong with one, when it is loaded or when it
looks at a rig, becomes a finding about that rule: a studio's gate then says so instead of breaking
down, and instead of staying silent about what was not checked.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from importlib.metadata import EntryPoint, entry_points

from rigview.check.isolation import described, failure, isolated
from rigview.check.rule import SEVERITIES, Finding, Rule, Subject
from rigview.core.rig import Rig

GROUP = "rigview.rules"


def third_party(taken: Collection[str]) -> tuple[Rule, ...]:
    """Return the rules of all installed packages, each guarded.

    Parameters
    ----------
    taken
        Ids that are in use: rigview's own rules cannot be replaced.
    """
    rules: dict[str, Rule] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        for rule in _loaded(entry):
            used = rule.id in taken or rule.id in rules
            usable = _faulty(entry.name, f"its id {rule.id} is in use") if used else rule
            rules[usable.id] = guarded(usable)
    return tuple(rules.values())


def guarded(rule: Rule) -> Rule:
    """Return a rule whose mistakes are findings about it."""

    def find(subject: Subject) -> Iterator[Finding]:
        def found() -> Iterator[Finding]:
            for finding in rule.find(subject):
                yield _own(rule, finding, subject.rig)

        yield from isolated(rule.id, found)

    find.__doc__ = rule.find.__doc__
    return replace(rule, find=find)


def _loaded(entry: EntryPoint) -> Iterable[Rule]:
    try:
        offered = entry.load()
        rules = (offered,) if isinstance(offered, Rule) else tuple(offered)
    except Exception as error:  # noqa: BLE001 - the edge to code that is not ours
        return (_faulty(entry.name, f"it cannot be loaded: {described(error)}"),)
    wrong = next((rule for rule in rules if not isinstance(rule, Rule)), None)
    if wrong is not None:
        return (_faulty(entry.name, f"it offers a {type(wrong).__name__} in place of a rule"),)
    return rules


def _faulty(name: str, reason: str) -> Rule:
    """Return a rule in place of one that cannot be used: it finds that, in every rig."""

    def find(_subject: Subject) -> Iterator[Finding]:
        yield failure(name, reason)

    measures = "whether a rule of another package can be used"
    return Rule(name, "Rule of another package is at fault", measures, "error", "none", find)


def _own(rule: Rule, finding: object, rig: Rig) -> Finding:
    """Return a finding that reports and panels can rely on.

    Raises
    ------
    TypeError, ValueError
        If it is none, is another rule's, or points to what the rig does not have.
    """
    if not isinstance(finding, Finding):
        raise TypeError(f"it found a {type(finding).__name__} in place of a Finding")
    if finding.rule not in ("", rule.id):
        raise ValueError(f"its finding bears the id {finding.rule}")
    words: tuple[object, ...] = (finding.message, finding.object)
    if not all(isinstance(word, str) for word in words):
        raise TypeError("message and object of its finding are texts")
    if finding.severity not in (None, *SEVERITIES):
        raise ValueError(f"its finding has the severity {finding.severity}")
    if not set(finding.joints) <= set(range(len(rig.nodes))):
        raise ValueError(f"its finding names the joints {finding.joints}, not nodes of the rig")
    shown = (finding.vertices, *(place.vertices for place in finding.places))
    if any(vertices is not None and vertices.part not in rig.parts for vertices in shown):
        raise ValueError("its finding names a part that the rig does not show")
    return finding
