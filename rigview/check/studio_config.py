"""What a studio's file decides for its rigs, as a value, and for which of them."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from rigview.check.catalogue import BY_ID
from rigview.check.rule import Finding, Profile, Severity
from rigview.core.motion.arm_pose import RestPose
from rigview.core.templates.template import Template


@dataclass(frozen=True)
class Config:
    """What a file decides; what it leaves open is None or empty.

    Parameters
    ----------
    file
        Where it was read from: patterns and the baseline are relative to its folder. None where there
        is none.
    severities
        Rule → severity, over that of the profile and of the finding itself.
    notes
        The rules among them whose findings are notes: information that reports fold.
    limits
        Key of a rule's limit → value, over that of the profile.
    accepted
        Rule → the worst value that a studio lives with.
    per_file_ignores
        (pattern, rules) in the file's order.
    per_file
        (pattern, profile and limits) in the file's order.
    exclude
        Patterns of files that are not checked.
    allow_unreadable
        Patterns of files that may be unreadable: they are told and do not fail.
    sources
        Key → the file that states it.
    """

    file: Path | None = None
    profile: str | None = None
    fail_on: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    baseline: Path | None = None
    template: Template | None = None
    rest_pose: RestPose | None = None
    severities: Mapping[str, Severity] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    limits: Mapping[str, float] = field(default_factory=dict)
    accepted: Mapping[str, float] = field(default_factory=dict)
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    per_file: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    exclude: tuple[str, ...] = ()
    allow_unreadable: tuple[str, ...] = ()
    sources: Mapping[str, Path] = field(default_factory=dict, compare=False)

    @property
    def folder(self) -> Path:
        """The folder of the file that states it."""
        return Path() if self.file is None else self.file.parent

    def ignored_in(self, path: Path) -> tuple[str, ...]:
        """Return the rules that are not evaluated for a file."""
        if not self.per_file_ignores:
            return self.ignore
        relative = self._relative(path)
        if relative is None:
            return self.ignore
        matched = (rules for pattern, rules in self.per_file_ignores if fits(relative, pattern))
        return (*self.ignore, *(rule for rules in matched for rule in rules))

    def at(self, path: Path) -> "Config":
        """Return these settings with the profile and limits that patterns state for a file."""
        found = self
        for pattern, values in self.per_file:
            if self.means((pattern,), path):
                limits = {**found.limits, **values.get("limits", {})}
                found = replace(found, **{**values, "limits": limits})
        return found

    def excludes(self, path: Path) -> bool:
        """Return whether a file is not checked."""
        return self.means(self.exclude, path)

    def allows_unreadable(self, path: Path) -> bool:
        """Return whether a file may be unreadable."""
        return self.means(self.allow_unreadable, path)

    def means(self, patterns: tuple[str, ...], path: Path) -> bool:
        """Return whether any pattern, relative to this configuration, means a file."""
        relative = self._relative(path) if patterns else None
        return relative is not None and any(fits(relative, pattern) for pattern in patterns)

    def _relative(self, path: Path) -> str | None:
        """Return a file's name as patterns see it: as it is named, or where links lead; None outside."""
        for placed in (os.path.abspath, os.path.realpath):
            file, folder = Path(placed(path)), Path(placed(self.folder))
            if file.is_relative_to(folder):
                return file.relative_to(folder).as_posix()
        return None

    def applied(self, profile: Profile) -> Profile:
        """Return a profile with the severities and limits of this configuration."""
        limits = {**profile.limits, **self.limits}
        severities = dict(self.severities)
        return replace(
            profile,
            severities=severities,
            notes=self.notes,
            limits=limits,
            template=self.template or profile.template,
            rest_pose=self.rest_pose or profile.rest_pose,
        )


def fits(relative: str, pattern: str) -> bool:
    """Tell whether a pattern means a file; what begins with ``**/`` means those at the top, too."""
    return fnmatch(relative, pattern) or fnmatch(relative, pattern.removeprefix("**/"))


def accepts(accepted: Mapping[str, float], finding: Finding) -> bool:
    """Tell whether a finding is no worse than what is accepted of its rule.

    A rule whose findings lie below its limit (a share that is too small) is accepted down to the
    value, others up to it. Where a rule measures turns and moves, the value is that of its first limit:
    what is told in another unit is not held against it.
    """
    value = accepted.get(finding.rule)
    if value is None or finding.value is None or finding.limit is None:
        return False
    units = [limit.unit for limit in BY_ID[finding.rule].limits]
    if finding.unit in units and finding.unit != units[0]:
        return False
    if finding.value < finding.limit:
        return finding.value >= value
    return finding.value <= value
