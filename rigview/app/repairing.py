"""Repair a rig."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from rigview.app.arguments import rig_of, wrong_type
from rigview.app.watching import Watcher
from rigview.check.applying.reframing import Reframing, reframing
from rigview.check.applying.repair import Applied, Repair
from rigview.check.applying.repair import repair as apply_fixes
from rigview.check.catalogue import BY_ID
from rigview.check.policy import Policy, judge, usual_profile
from rigview.check.rule import GLTF, Finding, Profile, count
from rigview.check.rules.arms import arms_out
from rigview.check.rules.bind_pose import off_rest
from rigview.check.rules.stance import upright
from rigview.check.rules.units import other_units
from rigview.check.run import Report
from rigview.core.errors import UnknownName
from rigview.core.rig import Rig
from rigview.core.text import unknown_name
from rigview.io import Loaded
from rigview.io import load as load_file
from rigview.io import save as save_file

EXACT = "exact"
# Rules whose fixes move a file as a whole, clips and all; and those that move joints at rest alone.
PLACING = frozenset((upright.id, other_units.id))
POSING = frozenset((off_rest.id, arms_out.id))


def repair(
    rig: Rig | Loaded,
    rules: str | Iterable[str] = EXACT,
    profile: str | Profile | None = None,
) -> tuple[Rig, Repair]:
    """Apply fixes until none of the wanted ones is left.

    Parameters
    ----------
    rig
        The rig, or an opened file. It is not changed.
    rules
        "exact": all fixes that move nothing in any clip. Or the ids of rules: their findings are fixed,
        whatever that moves.
    profile
        As in `check`.

    Returns
    -------
    The repaired rig, and the receipt: what was applied and what it moved, and what was declined and why.

    Raises
    ------
    UnknownName
        If there is no such rule or profile.
    """
    broken = rig_of(rig)
    receipt = apply_fixes(
        broken, usual_profile(broken) if profile is None else profile, _ids(rules)
    )
    return receipt.rig, receipt


def _ids(rules: object) -> tuple[str, ...]:
    """Return the ids of rules; none for "exact".

    Raises
    ------
    UnknownName, TypeError
        If there is no such rule.
    """
    if isinstance(rules, str):
        rules = () if rules == EXACT else (rules,)
    if not isinstance(rules, Iterable):
        raise wrong_type("rules", '"exact", or ids of rules', rules)
    ids = tuple(rules)
    for id_ in ids:
        if not isinstance(id_, str):
            raise wrong_type("rules", "the id of a rule", id_)
        if id_ not in BY_ID:
            raise UnknownName(unknown_name("rule", id_, BY_ID, "rigview rules lists every rule"))
    return ids


def repaired_by(
    policy: Policy,
    rig: Rig,
    rules: Sequence[str],
    watcher: Watcher,
    only: Collection[str] | None = None,
) -> Repair:
    """Apply fixes as a policy wants them; rules that are named are fixed though it lets them be.

    Parameters
    ----------
    rules
        Ids; none stands for all exact fixes.
    only
        Leaves out the fixes of all other rules.
    watcher
        Hears how many fixes are made, and what is under way.
    """
    made: list[Applied] = []

    def progress(text: str, share: float) -> None:
        watcher.tell_share(f"{count(len(made), 'fix')} made, {text}", share)

    def wanted(found: Finding) -> bool:
        chosen = only is None or found.rule in only
        return chosen and (bool(rules) or policy.excuse(found) is None)

    return apply_fixes(rig, policy.for_rig(rig).profile, rules, progress, wanted, made.append)


@dataclass(frozen=True)
class Copy:
    """The repaired copy of a file.

    Parameters
    ----------
    path
        Where it is, or would be; None where no name is known.
    is_written
        Whether it is there.
    """

    path: Path | None
    is_written: bool


def left_in_copy(policy: Policy, loaded: Loaded, rig: Rig, copy: Copy, watcher: Watcher) -> Report:
    """Return what is found in a repaired copy, which of a file of another format is another rig.

    Rules are stricter about what glTF alone states so, and writing sorts weights and keys curves.
    """
    if loaded.rig.origin.format in GLTF:
        return judge(rig, policy, progress=watcher.tell_share).report
    if copy.is_written and copy.path is not None:
        return judge(load_file(copy.path).rig, policy, progress=watcher.tell_share).report
    with TemporaryDirectory() as folder:
        tried = Path(folder) / (copy.path.name if copy.path is not None else "copy.glb")
        save_file(loaded, rig, tried)
        return judge(load_file(tried).rig, policy, progress=watcher.tell_share).report


def reframing_of(before: Rig, made: Repair) -> Reframing:
    """Return what fixes did to the joints, for other files of the same skeleton.

    Raises
    ------
    Refused
        If other files cannot follow.
    """
    rules = {done.finding.rule for done in made.applied}
    return reframing(before, made.rig, placed=bool(rules & PLACING) and not rules & POSING)
