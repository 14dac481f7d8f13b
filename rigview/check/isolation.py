"""Keep one rule's error from ending the check of a file: it becomes a finding about that rule.

This is the one place where rules and fixes are called under ``except Exception``. rigview's own tests set
the environment variable `RAISE`, so that there an error of rigview's own rules fails the test.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from types import TracebackType

from rigview.check.rule import Finding, Fix, Refused
from rigview.core.rig import Rig

# While this environment variable is set to 1, errors of rigview's own rules are raised.
RAISE = "RIGVIEW_RAISE_RULE_ERRORS"


def isolated(
    rule: str, found: Callable[[], Iterable[Finding]], hint: str = ""
) -> Iterator[Finding]:
    """Yield what a rule finds; if it raises an error, the last finding says so.

    Parameters
    ----------
    rule
        The id of the rule.
    found
        Runs the rule.
    hint
        What the finding says after the error.
    """
    try:
        for finding in found():
            yield replace(finding, fix=isolated_fix(finding.fix))
    except MemoryError:
        raise  # it says nothing of the rule: the file is too large
    except Exception as error:  # noqa: BLE001 - one rule must not end the check of a file
        yield failure(rule, f"it fails on this rig: {described(error)}{hint}")


def own(rule: str, found: Callable[[], Iterable[Finding]]) -> Iterator[Finding]:
    """Yield what one of rigview's own rules finds; if it raises an error, the last finding says so."""
    if os.environ.get(RAISE) == "1":
        yield from found()
    else:
        yield from isolated(rule, found, "; this is an error in rigview: please report it")


def failure(rule: str, reason: str) -> Finding:
    """Return the finding that a rule does not work."""
    return Finding(0, reason, f"rule {rule}", severity="error", failure=True, rule=rule)


def isolated_fix(fix: Fix) -> Fix:
    """Return a fix whose errors are refusals."""
    repair = fix.repair
    if repair is None:
        return fix

    def careful(rig: Rig) -> Rig:
        try:
            return repair(rig)
        except Refused:
            raise
        except Exception as error:
            raise Refused(f"the fix fails on this rig: {described(error)}") from error

    return replace(fix, repair=careful)


def described(error: Exception) -> str:
    """Return an error in one line, with the file and line that raised it."""
    place = _last(error.__traceback__)
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return f"{text} ({place})" if place else text


def _last(trace: TracebackType | None) -> str:
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return ""
    code = trace.tb_frame.f_code
    return f"{code.co_filename}:{trace.tb_lineno}"
