"""What holds for a file, and where each value is from."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rigview.check.catalogue import LIMITS
from rigview.check.config import Config
from rigview.check.policy import USUAL, Configs
from rigview.check.rule import NOTE, PROFILES
from rigview.check.rule_words import bound

_COMMAND, _DEFAULT = "the command line", "the default"


@dataclass(frozen=True)
class HeldSetting:
    """A setting of a file: its key as a configuration states it, its value, and where that is from.

    Parameters
    ----------
    meaning
        Of a limit: what is held against it, and its value in the unit that findings print.
    """

    key: str
    value: Any
    source: str
    meaning: str = ""

    @property
    def line(self) -> str:
        """The setting as TOML, and where it is from."""
        value = "none" if self.value is None else json.dumps(self.value)
        return f"{self.key} = {value}  # {'; '.join(filter(None, (self.source, self.meaning)))}"


def held_settings(
    path: Path, named: Path | None = None, profile: str | None = None
) -> list[HeldSetting]:
    """Return what holds for a file; limits are told where they are not a rule's default.

    Parameters
    ----------
    named
        The configuration to take, as `Configs` takes it.
    profile
        Goes before the configuration's.

    Raises
    ------
    ConfigError
        If a configuration cannot be used.
    """
    config = Configs(named).of(path)
    return [*_plain(config, path, profile), *_of_rules(config, path, profile)]


def _plain(config: Config, path: Path, profile: str | None) -> Iterator[HeldSetting]:
    yield HeldSetting(
        "settings", None if config.file is None else str(config.file), "the nearest above"
    )
    yield HeldSetting("profile", *_profile(config, path, profile))
    yield HeldSetting("fail-on", config.fail_on or "error", _source(config, "fail-on"))
    yield HeldSetting("select", list(config.select), _source(config, "select"))
    for rule in dict.fromkeys(config.ignored_in(path)):
        yield HeldSetting("ignore", rule, _why_ignored(config, rule))
    baseline = None if config.baseline is None else str(config.baseline)
    yield HeldSetting("baseline", baseline, _source(config, "baseline"))
    yield HeldSetting("exclude", config.excludes(path), _source(config, "exclude"))
    allowed = config.allows_unreadable(path)
    yield HeldSetting("allow-unreadable", allowed, _source(config, "allow-unreadable"))


def _of_rules(config: Config, path: Path, profile: str | None) -> Iterator[HeldSetting]:
    for rule, severity in config.severities.items():
        value = NOTE if rule in config.notes else severity
        yield HeldSetting(f"severity.{rule}", value, _of_family(config, "severity", rule))
    name = _profile(config, path, profile)[0]
    target, held = PROFILES[name], config.at(path).limits
    for key in LIMITS:
        if key in held:
            yield _limit(key, held[key], _limit_source(config, path, key))
        elif key in target.limits:
            yield _limit(key, target.limits[key], f"the profile {name}")
    for rule, worst in config.accepted.items():
        yield HeldSetting(f"accept.{rule}", worst, _source(config, f"accept.{rule}"))


def _limit(key: str, value: float, source: str) -> HeldSetting:
    limit = LIMITS[key]
    return HeldSetting(f"limits.{key}", value, source, f"{limit.meaning}: {bound(limit, value)}")


def _profile(config: Config, path: Path, profile: str | None) -> tuple[str, str]:
    if profile is not None:
        return profile, _COMMAND
    for pattern, values in reversed(config.per_file):
        if "profile" in values and config.means((pattern,), path):
            return values["profile"], _pattern_source(config, pattern)
    return config.profile or USUAL, _source(config, "profile", "the default; vrm for a VRM")


def _limit_source(config: Config, path: Path, key: str) -> str:
    for pattern, values in reversed(config.per_file):
        if key in values.get("limits", {}) and config.means((pattern,), path):
            return _pattern_source(config, pattern)
    # A limit of several is a table within the table.
    return _source(config, f"limits.{key}", _source(config, f"limits.{key.partition('.')[0]}"))


def _pattern_source(config: Config, pattern: str) -> str:
    return f'{_source(config, f"per-file.{pattern}")}, per-file."{pattern}"'


def _why_ignored(config: Config, rule: str) -> str:
    if f"severity.{rule}" in config.sources and rule not in config.severities:
        return f"{config.sources[f'severity.{rule}']}, severity"
    found = _source(config, "ignore", "")
    patterns = [p for p, rules in config.per_file_ignores if rule in rules]
    return found or f"per-file-ignores: {', '.join(patterns)}"


def _of_family(config: Config, table: str, rule: str) -> str:
    own = config.sources.get(f"{table}.{rule}")
    if own is not None:
        return str(own)
    family = next((key for key in config.sources if key.startswith(f"{table}.") and "*" in key), "")
    return f"{_source(config, family)}, {family}"


def _source(config: Config, key: str, otherwise: str = _DEFAULT) -> str:
    return str(config.sources[key]) if key in config.sources else otherwise
