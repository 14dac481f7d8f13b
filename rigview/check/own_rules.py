"""Rules without a package: a function that somebody passes, or the functions in a folder of Python files.

The first line of such a function's docstring states the rule's id and title::

    def prefix(subject):
        \"\"\"STU-PREFIX: Joint without the studio's prefix.\"\"\"
        for joint in subject.rig.joints:
            name = subject.rig.nodes.label(joint)
            if not name.startswith("hero_"):
                yield Finding(joint, "its name lacks hero_", name, joints=(joint,))

What is in a folder of rules is run. So only a person names one, on the command line: no rig and no
configuration can.
"""

import re
import sys
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from inspect import isfunction
from pathlib import Path
from types import ModuleType

from rigview.check.isolation import described
from rigview.check.plugins import guarded
from rigview.check.rule import Finding, Rule, Subject
from rigview.core.errors import RigviewError

Find = Callable[[Subject], Iterator[Finding]]

_STATED = re.compile(r"([A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+): +(\S.*)")
# What the modules of such files are called, so that they hide no other.
_PREFIX = "rigview_own_rules_"


class RulesError(RigviewError):
    """A folder of rules that cannot be used: which file, and why."""


def rule_of(function: Find) -> Rule:
    """Return the rule that a function is; its findings are warnings where they state no severity.

    Raises
    ------
    ValueError
        If its docstring does not begin with an id and a title.
    """
    stated = _stated(function)
    if stated is None:
        name = getattr(function, "__name__", type(function).__name__)
        raise ValueError(
            f"{name} is no rule: the first line of its docstring states id and title, "
            '"STU-PREFIX: Joint without the studio\'s prefix"'
        )
    id_, title = stated
    return guarded(Rule(id_, title, title, "warning", "none", function))


def _stated(function: object) -> tuple[str, str] | None:
    """Return the id and the title that a docstring begins with."""
    found = _STATED.match((getattr(function, "__doc__", None) or "").lstrip())
    return None if found is None else (found[1], found[2].rstrip(" ."))


def rules_in(folder: Path) -> tuple[Rule, ...]:
    """Return the rules that the Python files of a folder define, in order of file and line.

    These are `Rule` values, and functions whose docstring begins with an id. Names that begin with _ are
    left out, files and functions alike. The files are run.

    Raises
    ------
    RulesError
        If there is no such folder, it has no rule, a file fails, or two rules have one id.
    """
    if not folder.is_dir():
        raise RulesError(f"{folder}: there is no such folder")
    rules: dict[str, Rule] = {}
    for path in sorted(folder.glob("*.py")):
        if path.name.startswith("_"):
            continue
        for rule in _rules_of(_module(path)):
            if rule.id in rules:
                raise RulesError(f"{path}: the id {rule.id} is in use in this folder")
            rules[rule.id] = rule
    if not rules:
        raise RulesError(
            f"{folder}: no Python file there has a rule: a Rule, or a function whose docstring begins "
            'with an id, "STU-PREFIX: …"'
        )
    return tuple(rules.values())


def _module(path: Path) -> ModuleType:
    """Run a file as a module."""
    name = f"{_PREFIX}{path.stem}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise RulesError(f"{path}: this is no Python file")
    module = module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise RulesError(f"{path}: it cannot be loaded: {described(error)}") from error
    return module


def _rules_of(module: ModuleType) -> Iterator[Rule]:
    for name, value in vars(module).items():
        if name.startswith("_"):
            continue
        if isinstance(value, Rule):
            yield guarded(value)
        elif isfunction(value) and value.__module__ == module.__name__ and _stated(value):
            yield rule_of(value)
