"""What a studio has decided for its rigs: ``[tool.rigview]`` of a pyproject.toml, or a rigview.toml.

::

    [tool.rigview]                      # in a rigview.toml: the keys at the top
    profile = "unity"
    fail-on = "warning"
    ignore = ["WGT-SORT"]
    baseline = "rigview-baseline.json"  # beside this file
    template = "hero.skel.toml"         # the skeleton that rigs conform to, or a shipped one: "unreal"
    rest-pose = "T"                     # or "A": how the arms are to rest

    [tool.rigview.severity]
    ORI-PRIMARY = "error"               # or "warning", "info", "note", "off"

    [tool.rigview.limits]
    WGT-COUNT = 8                       # what a rule finds, and by which its fix goes
    SCL-UNIT.highest = 30               # of a rule with several limits

    [tool.rigview.accept]
    ORI-PRIMARY = 25                    # findings no worse than this, in the rule's unit, are left out

    [tool.rigview.per-file-ignores]
    "props/**" = ["WGT-*"]              # relative to this file; * crosses folders

    [tool.rigview.per-file."crowd/*"]   # profile and limits of the files that a pattern means
    profile = "unreal"
    limits.WGT-COUNT = 4

``extend`` names a file whose keys count where this one states none, key by key; its patterns are
relative to the file that extends it. ``exclude`` and ``allow-unreadable`` are lists of patterns.
"""

import os
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, get_args

from rigview.check.catalogue import BY_ID, LIMITS
from rigview.check.report.records import FAIL_ON
from rigview.check.rule import NOTE, PROFILES, SEVERITIES
from rigview.check.rule_names import rules_named
from rigview.check.studio_config import Config, accepts
from rigview.check.template_files import named_template, read_template, shipped_names
from rigview.check.untrusted_files import is_within, read_text
from rigview.core.errors import RigviewError, UnknownName
from rigview.core.motion.arm_pose import RestPose
from rigview.core.templates.making import TemplateError
from rigview.core.text import system_reason, unknown_name

__all__ = [
    "OFF",
    "OWN_FILE",
    "SHARED_FILE",
    "STATED",
    "Config",
    "ConfigError",
    "accepts",
    "find",
    "read",
    "unknown",
]

OWN_FILE, SHARED_FILE = "rigview.toml", "pyproject.toml"
OFF = "off"
STATED = (*SEVERITIES, NOTE, OFF)
# Every rule with all its limits takes less than a tenth of it.
_MOST_BYTES = 1 << 20


class ConfigError(RigviewError):
    """A configuration that cannot be used: which file, which key, and why, in one sentence."""


def find(start: Path) -> Path | None:
    """Return the nearest configuration in a folder or above it, or None.

    A pyproject.toml counts only if it has a ``[tool.rigview]``.

    Raises
    ------
    ConfigError
        If a pyproject.toml on the way is no TOML.
    """
    nearest = Path(os.path.realpath(start))
    for folder in (nearest, *nearest.parents):
        own = folder / OWN_FILE
        if _is_there(own):
            return own
        shared = folder / SHARED_FILE
        if _is_there(shared) and _table(shared) is not None:
            return shared
    return None


def _is_there(path: Path) -> bool:
    """Tell whether there is such a file; one in a folder that cannot be entered is as good as none."""
    try:
        return path.is_file()
    except OSError:
        return False


def read(path: Path) -> Config:
    """Return what a configuration file decides.

    Raises
    ------
    ConfigError
        If it cannot be read, or a key or value of it means nothing.
    """
    values = _values(path, ())
    values.pop("stated_rules")
    values["ignore"] = (*values.get("ignore", ()), *values.pop("off", ()))
    return Config(**values)


def _values(path: Path, extending: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields that a file and those that it extends state, and what is off.

    Parameters
    ----------
    extending
        The real paths of the files that extend this one.
    """
    place = os.path.realpath(path)
    if place in extending:
        raise ConfigError(f"{path}: extend: the file extends itself")
    table = _table(path)
    if table is None:
        raise ConfigError(f"{path}: there is no [tool.rigview]")
    base: dict[str, Any] = {}
    if "extend" in table:
        name = table.pop("extend")
        if not isinstance(name, str) or not name or "\0" in name:
            raise ConfigError(f"{path}: extend: the name of a file is wanted")
        base = _values(path.parent / name, (*extending, place))
    prefix = "tool.rigview." if path.name == SHARED_FILE else ""
    values: dict[str, Any] = {"file": path}
    for key, value in table.items():
        if key == "tool" and not prefix:
            reason = f"the keys of a {path.name} stand at its top, not under [tool.rigview]"
            raise ConfigError(f"{path}: {reason}")
        if key not in _KEYS:
            raise ConfigError(f"{path}: {prefix}{key}: {unknown('key', key, _KEYS)}")
        try:
            values |= _KEYS[key](value, path.parent)
        except _Wrong as wrong:
            raise ConfigError(f"{path}: {prefix}{key}{wrong.place}: {wrong.reason}") from None
    sources: dict[str, Path] = {}
    for key, value in table.items():
        inner = [f"{key}.{name}" for name in value] if isinstance(value, dict) else [key]
        sources |= dict.fromkeys(inner, path)
    stated = {"stated_rules": frozenset[str](), "sources": sources}
    return _merged(base, {**stated, **values})


def _merged(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of two files, key by key; those of the second go first."""
    values = {**base, **own}
    for name in ("severities", "limits", "accepted", "sources"):
        if name in base and name in own:
            values[name] = {**base[name], **own[name]}
    for name in ("per_file_ignores", "per_file"):
        if name in base and name in own:
            values[name] = (*base[name], *own[name])
    for name in ("off", "notes"):
        left = tuple(rule for rule in base.get(name, ()) if rule not in own["stated_rules"])
        values[name] = (*left, *own.get(name, ()))
    return values


def _table(path: Path) -> dict[str, Any] | None:
    """Return the keys of a configuration file; None for a pyproject.toml that says nothing of us."""
    try:
        document = tomllib.loads(read_text(path, _MOST_BYTES))
    except OSError as error:
        raise ConfigError(f"{path}: {system_reason(error)}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: this is no TOML: {error}") from None
    except RecursionError:
        raise ConfigError(f"{path}: this is nested too deeply") from None
    if path.name != SHARED_FILE:
        return document
    tools = document.get("tool")
    table = tools.get("rigview") if isinstance(tools, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"{path}: tool.rigview: a table is wanted")
    return table


class _Wrong(Exception):  # noqa: N818 - becomes a ConfigError where file and key are known
    """A value that means nothing; `place` is what stands within the key."""

    def __init__(self, reason: str, place: str = "") -> None:
        super().__init__(reason)
        self.reason, self.place = reason, place


def unknown(kind: str, name: str, known: Mapping[str, Any] | tuple[str, ...]) -> str:
    """Return what is said of a name that means nothing: the nearest one that does, else all."""
    return unknown_name(kind, name, known, listing=f"rigview rules lists every {kind}")


def _one_of(kind: str, known: Mapping[str, Any] | tuple[str, ...], value: object) -> str:
    if not isinstance(value, str):
        raise _Wrong("a text is wanted")
    if value not in known:
        raise _Wrong(unknown(kind, value, known))
    return value


def _rules(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise _Wrong("a list of rules is wanted")
    return tuple(rule for name in value for rule in _family(name))


def _family(name: object) -> tuple[str, ...]:
    """Return the rules that an id or a family stands for."""
    if not isinstance(name, str):
        raise _Wrong("a text is wanted")
    try:
        return rules_named([name])
    except UnknownName as error:
        raise _Wrong(str(error)) from None


def _patterns(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise _Wrong("a list of patterns is wanted")
    return tuple(value)


def _entries(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _Wrong("a table is wanted")
    return value


def _severity(value: object, _folder: Path) -> dict[str, Any]:
    chosen = {}
    stated_names = _entries(value)
    for rule, severity in stated_names.items():
        try:
            stated = _one_of("severity", STATED, severity)
            for one in _family(rule):
                # What is stated of a rule itself goes before what is of its family.
                if one == rule or one not in stated_names:
                    chosen[one] = stated
        except _Wrong as wrong:
            raise _Wrong(wrong.reason, f".{rule}") from None
    off = tuple(rule for rule, severity in chosen.items() if severity == OFF)
    notes = tuple(rule for rule, severity in chosen.items() if severity == NOTE)
    severities = {r: "info" if s == NOTE else s for r, s in chosen.items() if s != OFF}
    stated_rules = frozenset(chosen)
    return {"severities": severities, "notes": notes, "off": off, "stated_rules": stated_rules}


def _accept(value: object, _folder: Path) -> dict[str, Any]:
    for rule, worst in _entries(value).items():
        if rule not in BY_ID:
            raise _Wrong(unknown("rule", rule, BY_ID), f".{rule}")
        if isinstance(worst, bool) or not isinstance(worst, (int, float)) or worst != worst:
            raise _Wrong("a number is wanted", f".{rule}")
        outdated = next((limit.outdated(worst) for limit in BY_ID[rule].limits), "")
        if outdated:
            raise _Wrong(outdated, f".{rule}")
    return {"accepted": value}


def _limits(value: object, _folder: Path) -> dict[str, Any]:
    chosen = {}
    for name, stated in _entries(value).items():
        # What TOML reads of SCL-UNIT.lowest is a table within a table.
        inner = stated if isinstance(stated, dict) else {"": stated}
        for part, number in inner.items():
            key = f"{name}.{part}" if part else name
            if key not in LIMITS:
                raise _Wrong(_no_limit(key), f".{key}")
            fault = LIMITS[key].fault(number)
            if fault:
                raise _Wrong(fault, f".{key}")
            chosen[key] = number
    return {"limits": chosen}


def _no_limit(key: str) -> str:
    rule = BY_ID.get(key.partition(".")[0])
    if rule is None:
        return unknown("limit", key, LIMITS)
    known = [limit.key for limit in rule.limits]
    if not known:
        return f"{rule.id} has no limit: [accept] and [severity] are for what is there or is not"
    return f"there is no limit {key}; {rule.id} has {_listed(known)}"


def _listed(names: list[str]) -> str:
    """Return "a, b and c"."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _per_file(value: object, _folder: Path) -> dict[str, Any]:
    pairs = []
    for pattern, rules in _entries(value).items():
        try:
            pairs.append((pattern, _rules(rules)))
        except _Wrong as wrong:
            raise _Wrong(wrong.reason, f'."{pattern}"') from None
    return {"per_file_ignores": tuple(pairs)}


def _of_files(value: object, folder: Path) -> dict[str, Any]:
    """Read profile and limits per pattern."""
    pairs = []
    for pattern, table in _entries(value).items():
        stated: dict[str, Any] = {}
        for key, one in _entries(table).items():
            if key not in ("profile", "limits"):
                raise _Wrong(unknown("key", key, ("profile", "limits")), f'."{pattern}"')
            try:
                stated |= _KEYS[key](one, folder)
            except _Wrong as wrong:
                raise _Wrong(wrong.reason, f'."{pattern}".{key}{wrong.place}') from None
        pairs.append((pattern, stated))
    return {"per_file": tuple(pairs)}


def _baseline(value: object, folder: Path) -> dict[str, Any]:
    return {"baseline": _below(value, folder)}


def _below(value: object, folder: Path) -> Path:
    """Return the file that is named, which is in the configuration's folder or below it."""
    if not isinstance(value, str) or not value:
        raise _Wrong("the name of a file is wanted")
    try:
        inside = is_within(folder / value, folder)
    except ValueError:
        raise _Wrong("no file can have this name") from None
    if not inside:
        # The configuration may be that of a repository which is checked, and is not trusted.
        raise _Wrong("a file in the folder of this configuration or below it is wanted")
    return folder / value


def _template(value: object, folder: Path) -> dict[str, Any]:
    if value == "":
        return {}
    if value in shipped_names():
        return {"template": named_template(str(value))}
    path = _below(value, folder)
    try:
        return {"template": read_template(path)}
    except TemplateError as error:
        raise _Wrong(str(error)) from None


# Every key, and what turns its value into fields of `Config`.
_KEYS: dict[str, Callable[[object, Path], dict[str, Any]]] = {
    "profile": lambda value, _: {"profile": _one_of("profile", PROFILES, value)},
    "fail-on": lambda value, _: {"fail_on": _one_of("severity", FAIL_ON, value)},
    "select": lambda value, _: {"select": _rules(value)},
    "ignore": lambda value, _: {"ignore": _rules(value)},
    "baseline": _baseline,
    "template": _template,
    "rest-pose": lambda value, _: {"rest_pose": _one_of("pose", get_args(RestPose), value)},
    "severity": _severity,
    "limits": _limits,
    "accept": _accept,
    "per-file-ignores": _per_file,
    "per-file": _of_files,
    "exclude": lambda value, _: {"exclude": _patterns(value)},
    "allow-unreadable": lambda value, _: {"allow_unreadable": _patterns(value)},
}
