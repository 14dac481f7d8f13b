"""Repairs of which the file's own format holds a part: which rules' fixes can be saved, and which not.

A writer sees two rigs and no fix, so the fixes are tried: all of them, then rule by rule, each beside those
that were saved before it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from rigview.app.watching import Watcher
from rigview.check.applying.repair import Repair
from rigview.check.rule import Finding, Refused
from rigview.core.rig import Rig
from rigview.io import Loaded, SaveError
from rigview.io import save as save_file

# Ids of rules → what their fixes make of the rig.
Repairing = Callable[[Collection[str]], Repair]


@dataclass(frozen=True)
class CopyTarget:
    """A copy that is to be written.

    Parameters
    ----------
    loaded
        The file it is a copy of.
    flatten
        As in `save`.
    """

    loaded: Loaded
    path: Path
    flatten: bool = False

    def refusal(self, rig: Rig) -> str | None:
        """Return why a rig cannot be written, None where it can; nothing is left behind."""
        with TemporaryDirectory() as folder:
            tried = Path(folder) / self.path.name
            try:
                save_file(self.loaded, rig, tried, flatten=self.flatten)
            except SaveError as error:
                return str(error).removeprefix(f"{tried}: ")
        return None


@dataclass(frozen=True)
class PartialRepair:
    """The part of a repair that can be saved.

    Parameters
    ----------
    refused
        Rule → why its fixes cannot be saved.
    """

    made: Repair
    refused: Mapping[str, str] = field(default_factory=dict)

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules whose fixes are in it, in the order of their first fix."""
        return rules_of(self.made)


@dataclass(frozen=True, eq=False)
class PartialFixes:
    """Those fixes of a rig, made one after the other, that can be saved.

    Parameters
    ----------
    rig
        The file's rig with those fixes alone.
    kept
        The findings that they fix, in the order in which they were fixed.
    refused
        Rule → why its fixes cannot be saved.
    """

    rig: Rig
    kept: tuple[Finding, ...]
    refused: Mapping[str, str]


def saved_fixes(
    target: CopyTarget, fixed: Sequence[Finding], tell: Callable[[str, float], object]
) -> PartialFixes:
    """Return the fixes that can be saved, tried rule by rule.

    Parameters
    ----------
    fixed
        Findings in the order in which they were fixed, on the file's rig.
    """
    rules = tuple(dict.fromkeys(finding.rule for finding in fixed))
    kept: set[str] = set()
    refused: dict[str, str] = {}
    part = target.loaded.rig
    for number, rule in enumerate(rules):
        tell(f"trying what can be saved: {rule}", number / len(rules))
        try:
            tried = _fixed(target.loaded.rig, fixed, kept | {rule})
        except Refused as refusal:
            refused[rule] = str(refusal)
            continue
        reason = target.refusal(tried)
        if reason is None:
            kept.add(rule)
            part = tried
        else:
            refused[rule] = reason
    return PartialFixes(part, tuple(f for f in fixed if f.rule in kept), refused)


def _fixed(rig: Rig, findings: Sequence[Finding], rules: Collection[str]) -> Rig:
    for finding in findings:
        if finding.rule in rules and finding.fix.repair is not None:
            rig = finding.fix.repair(rig)
    return rig


def rules_of(made: Repair) -> tuple[str, ...]:
    """Return the rules whose fixes a repair consists of, in the order of their first fix."""
    return tuple(dict.fromkeys(done.finding.rule for done in made.applied))


def saved_part(
    target: CopyTarget, made: Repair, again: Repairing, watcher: Watcher
) -> PartialRepair:
    """Return the part of a repair that can be saved, which is all of it where nothing is refused.

    Parameters
    ----------
    again
        Repairs the file anew with the fixes of some rules only.
    """
    if target.refusal(made.rig) is None:
        return PartialRepair(made, {})
    kept: list[str] = []
    refused: dict[str, str] = {}
    part = again(())
    rules = rules_of(made)
    for number, rule in enumerate(rules):
        watcher.tell_share(f"trying what can be saved: {rule}", number / len(rules))
        tried = again((*kept, rule))
        reason = target.refusal(tried.rig)
        if reason is None:
            kept.append(rule)
            part = tried
        else:
            refused[rule] = reason
    return PartialRepair(part, refused)
