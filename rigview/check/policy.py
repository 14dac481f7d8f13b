"""What a file is held to: the studio's configuration that stands above it, and what that lets be."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from rigview.check import config
from rigview.check.baseline import Baseline, BaselineError
from rigview.check.baseline import read as read_baseline
from rigview.check.catalogue import RULES
from rigview.check.config import Config, ConfigError, accepts
from rigview.check.deadline import Deadline
from rigview.check.report.records import fingerprints
from rigview.check.rule import PROFILES, Finding, Profile, Progress
from rigview.check.run import Report, run
from rigview.core.motion.arm_pose import RestPose
from rigview.core.rig import Rig
from rigview.core.templates.template import Template

# In place of a configuration's name: none shall be looked for.
NO_CONFIG = Path("none")
# The profile of rigs whose format asks for no other.
USUAL = "gltf"
# Why a finding is no matter: its rule is not asked, it is no worse than accepted, or it is listed.
Suppression = Literal["ignored", "accepted", "known"]


def usual_profile(rig: Rig) -> str:
    """Return the profile that a rig is held to where nobody names one: that of its format."""
    return "vrm" if rig.origin.format == "VRM" else USUAL


class Configs:
    """The configuration of each file; every one is found and read once.

    Parameters
    ----------
    named
        The one to take for all files, or `NO_CONFIG`; None looks for each file's own.
    """

    def __init__(self, named: Path | None = None) -> None:
        self._named = named
        self._nearest: dict[Path, Path | None] = {}
        self._read: dict[Path, Config] = {}

    def of(self, path: Path) -> Config:
        """Return what the nearest configuration above a file decides, else the one above here.

        Raises
        ------
        ConfigError
            If it cannot be used.
        """
        place = self.place(path)
        if place is None:
            return Config()
        if place not in self._read:
            self._read[place] = config.read(place)
        return self._read[place]

    def place(self, path: Path) -> Path | None:
        """Return the configuration that counts for a file, or None."""
        if self._named is not None:
            return None if self._named == NO_CONFIG else self._named
        for folder in (path.parent, *_here()):
            if folder not in self._nearest:
                self._nearest[folder] = config.find(folder)
            if self._nearest[folder] is not None:
                break
        return self._nearest[folder]


def _here() -> tuple[Path, ...]:
    """Return the working directory, if it is still there."""
    try:
        return (Path.cwd(),)
    except FileNotFoundError:
        return ()


@dataclass(frozen=True)
class Policy:
    """What one file is held to.

    Parameters
    ----------
    path
        The file.
    config
        What its studio decides.
    profile
        With the studio's severities and limits.
    select, ignore
        Rules that alone are asked (all if empty), and rules that are not.
    named
        Whether the user or the studio names the profile; else it follows the file (`for_rig`).
    """

    path: Path
    config: Config
    profile: Profile
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    named: bool = True

    @classmethod
    def of(cls, path: Path, config: Config, profile: str | None = None) -> "Policy":
        """Return what a file is held to; a profile that is named goes before the studio's."""
        config = config.at(path)
        name = profile or config.profile
        chosen = config.applied(PROFILES[name or USUAL])
        ignored = config.ignored_in(path)
        return cls(path, config, chosen, config.select, ignored, named=name is not None)

    def with_template(self, template: Template | None) -> "Policy":
        """Return the same, held to the skeleton of a template; None keeps the studio's."""
        if template is None:
            return self
        config = replace(self.config, template=template)
        return replace(self, config=config, profile=replace(self.profile, template=template))

    def with_rest_pose(self, pose: RestPose | None) -> "Policy":
        """Return the same, with the arms to rest in a pose; None keeps the studio's."""
        if pose is None:
            return self
        config = replace(self.config, rest_pose=pose)
        return replace(self, config=config, profile=replace(self.profile, rest_pose=pose))

    def for_rig(self, rig: Rig) -> "Policy":
        """Return the same, by the profile of the rig's own format where none is named."""
        if self.named:
            return self
        return replace(self, profile=self.config.applied(PROFILES[usual_profile(rig)]))

    def asks(self, rule: str) -> bool:
        """Tell whether a rule is asked, by its id."""
        return rule not in self.ignore and (rule in self.select or not self.select)

    def excuse(self, finding: Finding) -> Suppression | None:
        """Return why a finding is let be, by no fix touched unless it is named; None if it counts."""
        if not self.asks(finding.rule):
            return "ignored"
        return "accepted" if accepts(self.config.accepted, finding) else None


@dataclass(frozen=True)
class CheckResult:
    """What was found, and what of it is no matter.

    Parameters
    ----------
    report
        Only what counts.
    excused
        The rest and why, the worst first.
    """

    report: Report
    excused: tuple[tuple[Finding, Suppression], ...] = ()

    def with_ignored(self, findings: Iterable[Finding]) -> "CheckResult":
        """Return the same, what rules find that are not asked among the excused."""
        why: dict[int, Suppression] = {id(finding): excuse for finding, excuse in self.excused}
        every = self.report.worst_first((*(f for f, _ in self.excused), *findings))
        return replace(self, excused=tuple((f, why.get(id(f), "ignored")) for f in every))


def ignored(rig: Rig, standard: Policy, progress: Progress | None = None) -> tuple[Finding, ...]:
    """Return what the rules find that are not asked."""
    standard = standard.for_rig(rig)
    others = [rule.id for rule in RULES if not standard.asks(rule.id)]
    return run(rig, standard.profile, others, (), progress).findings if others else ()


def judge(
    rig: Rig,
    standard: Policy,
    baseline: Baseline | None = None,
    progress: Progress | None = None,
    deadline: Deadline | None = None,
) -> CheckResult:
    """Run the rules that are asked, and tell what counts from what does not."""
    standard = standard.for_rig(rig)
    report = run(
        rig, standard.profile, standard.select, standard.ignore, progress, deadline=deadline
    )
    excused: dict[int, Suppression] = {}
    for finding in report.findings:
        why = standard.excuse(finding)
        if why is not None:
            excused[id(finding)] = why
    if baseline is not None:
        ranked = report.worst_first(f for f in report.findings if id(f) not in excused)
        marks = [(fingerprints(f), report.severity(f)) for f in ranked]
        listed = baseline.knows(str(standard.path), marks)
        excused |= {id(f): "known" for f, known in zip(ranked, listed, strict=True) if known}
    return CheckResult(
        replace(report, findings=tuple(f for f in report.findings if id(f) not in excused)),
        tuple((f, excused[id(f)]) for f in report.ranked() if id(f) in excused),
    )


@dataclass(frozen=True)
class FilePolicy:
    """What a file is held to, as far as its studio's settings can be used.

    Parameters
    ----------
    fault
        What cannot be used, and why, in one sentence; empty where all can.
    """

    standard: Policy
    baseline: Baseline | None = None
    fault: str = ""


def held(
    path: Path,
    profile: str | None = None,
    *,
    configured: bool = True,
    template: Template | None = None,
) -> FilePolicy:
    """Return what a file is held to; settings that cannot be used are left out, and told.

    Parameters
    ----------
    profile
        Goes before the studio's.
    configured
        Whether a configuration is looked for at all.
    template
        The skeleton to conform to; goes before the studio's.
    """
    try:
        decided = Configs(None if configured else NO_CONFIG).of(path)
    except ConfigError as error:
        standard = Policy.of(path, Config(), profile).with_template(template)
        return FilePolicy(standard, fault=str(error))
    standard = Policy.of(path, decided, profile).with_template(template)
    if decided.baseline is None:
        return FilePolicy(standard)
    try:
        return FilePolicy(standard, read_baseline(decided.baseline))
    except BaselineError as error:
        return FilePolicy(standard, fault=str(error))
