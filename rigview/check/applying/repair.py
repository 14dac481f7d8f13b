"""Applying fixes: one finding, or everything that is exact until nothing exact is left."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from rigview.check.applying.dryrun import DryRun, dry_run
from rigview.check.applying.rom_trials import RomTrials
from rigview.check.catalogue import RULES
from rigview.check.rule import Finding, Profile, Progress, Refused
from rigview.check.run import findings_of
from rigview.core.brief import brief_repr
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence
from rigview.core.text import length_words

# A fix that comes back for the same object this often is not converging.
_MOST_ROUNDS = 3


@dataclass(frozen=True)
class Applied:
    """A fix that was made, and what it moved."""

    __repr__ = brief_repr

    finding: Finding
    dry_run: DryRun


@dataclass(frozen=True)
class Declined:
    """A fix that was not made, and why."""

    __repr__ = brief_repr

    finding: Finding
    reason: str


@dataclass(frozen=True)
class Repair:
    """A repaired rig and how it came about."""

    __repr__ = brief_repr

    rig: Rig
    applied: tuple[Applied, ...]
    declined: tuple[Declined, ...]


def try_fix(
    rig: Rig,
    finding: Finding,
    progress: Progress | None = None,
    rehearsals: RomTrials | None = None,
) -> tuple[Rig, DryRun]:
    """Return the fixed rig and what the fix moves.

    Parameters
    ----------
    rehearsals
        Of those who try several fixes.

    Raises
    ------
    Refused
        If there is no fix, or one that calls itself exact would move something.
    """
    if finding.fix.repair is None:
        raise Refused(finding.fix.reason or "there is no automatic fix")
    fixed = finding.fix.repair(rig)
    measured = dry_run(rig, fixed, progress, rehearsals, rest=not finding.fix.reposes)
    if finding.fix.kind == "exact" and not measured.exact:
        raise Refused(
            Sentence(
                "it would move {length}, {share:.2g} % of the rig, and so is not exact here",
                length=length_words(measured.largest),
                share=100.0 * measured.largest / measured.size,
            )
        )
    return fixed, measured


def repair(
    rig: Rig,
    profile: str | Profile = "gltf",
    rules: Collection[str] = (),
    progress: Progress | None = None,
    wanted: Callable[[Finding], bool] | None = None,
    made: Callable[[Applied], object] | None = None,
) -> Repair:
    """Apply fixes until none of the wanted ones is left.

    After each fix its rule runs again, since one fix may settle another finding; once the rule has none
    left, all rules do.

    Parameters
    ----------
    rules
        Whose findings to fix, whatever the class of the fix; without any: all exact ones.
    progress
        Hears what is under way and the share of it done; may raise to stop.
    wanted
        Narrows the findings further.
    made
        Hears of every fix that was made.
    """
    # Rules that never have an exact fix need not be asked again after each one.
    asked = rules or [rule.id for rule in RULES if rule.fix == "exact"]
    applied: list[Applied] = []
    rehearsals = RomTrials()
    declined: dict[tuple[str, int], Declined] = {}
    rounds: dict[tuple[str, int], int] = {}

    def first_left(ids: Collection[str]) -> Finding | None:
        for finding in findings_of(rig, profile, ids, progress):
            named = bool(rules) and finding.fix.kind != "none"
            chosen = named or (finding.fix.kind == "exact" and not finding.fix.on_request)
            settled = (finding.rule, finding.key) in declined
            if chosen and not settled and (wanted is None or wanted(finding)):
                return finding
        return None

    finding = first_left(asked)
    while finding is not None:
        key = (finding.rule, finding.key)
        rounds[key] = rounds.get(key, 0) + 1
        if rounds[key] > _MOST_ROUNDS:
            declined[key] = Declined(finding, "the fix does not settle the finding")
        else:
            try:
                rig, measured = try_fix(rig, finding, progress, rehearsals)
            except Refused as refusal:
                declined[key] = Declined(finding, str(refusal))
            else:
                applied.append(Applied(finding, measured))
                if made is not None:
                    made(applied[-1])
        finding = first_left((finding.rule,)) or first_left(asked)
    return Repair(rig, tuple(applied), tuple(declined.values()))
