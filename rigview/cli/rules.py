"""``rigview rules``: what is looked for, and what a studio can set."""

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rigview.cli.choices import PROFILE_HELP, add_rules_from, known_profile, known_rules
from rigview.cli.status import OK

if TYPE_CHECKING:
    from rigview.check.rule import Rule

HELP = "list the rules, explain some, or print every setting with its default"
EXAMPLE = "rigview rules --toml > rigview.toml"
# What a fix does, in a word or two.
_FIXES = {
    "exact": "moves nothing",
    "bounded": "moves a little",
    "shape": "changes shape",
    "none": "no fix",
}


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.add_argument("rules", nargs="*", metavar="RULE", help="explain these")
    command.add_argument("--profile", metavar="P", help=PROFILE_HELP)
    command.add_argument(
        "--toml",
        action="store_true",
        help="every setting with its default, to begin a rigview.toml",
    )
    add_rules_from(command)


def run(options: argparse.Namespace) -> int:
    """Print a line per rule, what there is to know of some, or a configuration."""
    from rigview.check.catalogue import BY_ID, RULES
    from rigview.check.default_settings import settings
    from rigview.check.rule import PROFILES

    known_profile(options.profile)
    named = known_rules([rule.upper() for rule in options.rules])
    profile = PROFILES[options.profile or "gltf"]
    if options.toml:
        print(settings(profile), end="")
    elif named:
        print("\n\n".join("\n".join(_explained(BY_ID[rule])) for rule in named))
    else:
        width = max(len(rule.id) for rule in RULES)
        for rule in RULES:
            severity, fix = rule.severity_for(profile), _FIXES[rule.fix]
            print(f"{rule.id:<{width}}  {severity:<7}  {fix:<16}  {rule.title}")
    return OK


def _explained(rule: "Rule") -> Iterator[str]:
    from rigview.check.rule_words import facts, sentence

    yield f"{rule.id}: {rule.title}"
    yield f"  {sentence(rule)}"
    for name, words in facts(rule):
        yield f"  {name}: {words}"
