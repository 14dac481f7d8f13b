"""JUnit XML, the form in which build servers take tests: a suite per file, a case per rule that failed.

The dialect is the one that Jenkins, GitLab and GitHub's reporters have in common.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from xml.etree import ElementTree as ET

from rigview.check.report.records import (
    Fact,
    FileReport,
    NotEvaluated,
    Outcome,
    Record,
    Unchecked,
)
from rigview.check.report.text import totals, unevaluated
from rigview.core import escape

# The case of each file that holds its time, and what it says where nothing failed.
TOTAL = "total"


def as_junit(outcome: Outcome) -> Iterator[str]:
    """Yield the document; findings below what fails are told in the output of the total of a file."""
    root = ET.Element("testsuites", name="rigview")
    found, seconds = Counter[str](), 0.0
    for file in outcome.files:
        found.update(_counts(file))
        seconds += file.seconds if isinstance(file, FileReport) else 0.0
    for name in ("tests", "failures", "errors"):
        root.set(name, str(found[name]))
    root.set("time", _seconds(seconds))
    opened = ET.tostring(root, encoding="unicode").removesuffix(" />")
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n{opened}'
    if not outcome.files:
        yield " />\n"
        return
    yield ">\n"
    for file in outcome.files:
        suite = _suite(file, outcome)
        ET.indent(suite, " ", level=1)
        yield f" {ET.tostring(suite, encoding='unicode')}\n"
    yield "</testsuites>\n"


def _suite(file: Record, outcome: Outcome) -> ET.Element:
    suite = ET.Element("testsuite", name=escape.xml(file.file))
    for name, number in _counts(file).items():
        suite.set(name, str(number))
    if isinstance(file, FileReport):
        _checked(suite, file, outcome)
    else:
        _unchecked(suite, file)
    return suite


def _counts(file: Record) -> dict[str, int]:
    if isinstance(file, Unchecked):
        allowed = int(file.allowed)
        return {"tests": 1, "failures": 0, "errors": 1 - allowed, "skipped": allowed}
    failed, late = len(_failing(file)), len(file.late)
    return {"tests": failed + late + 1, "failures": failed, "errors": late, "skipped": 0}


def _failing(report: FileReport) -> dict[str, None]:
    """Return the rules that failed, in the order of their findings."""
    return dict.fromkeys(fact.rule for fact in report.findings if report.fails(fact))


def _unchecked(suite: ET.Element, file: Unchecked) -> None:
    told = "skipped" if file.allowed else "error"
    case = ET.SubElement(_case(suite, "open"), told, message=escape.xml(file.reason))
    case.set("type", "unchecked")


def _checked(suite: ET.Element, report: FileReport, outcome: Outcome) -> None:
    rules = _failing(report)
    suite.set("time", _seconds(report.seconds))
    for rule in rules:
        _failed(suite, [fact for fact in outcome.told(report) if fact.rule == rule], report)
    for one in report.late:
        _late(suite, one)
    total = _case(suite, TOTAL)
    total.set("time", _seconds(report.seconds))
    lines = [totals(report)]
    below = (fact for fact in outcome.told(report) if fact.rule not in rules)
    lines += [f"{fact.severity}: {fact.rule} {fact.sentence}" for fact in below]
    lines += [f"not evaluated: {', '.join(rules)} ({why})" for why, rules in unevaluated(report)]
    ET.SubElement(total, "system-out").text = _lines((*lines, *report.notes))


def _failed(suite: ET.Element, found: list[Fact], report: FileReport) -> None:
    """Add the case of a rule: most readers show one failure of it, which says all that was found."""
    worst = next(fact for fact in found if report.fails(fact))
    case = _case(suite, f"{worst.rule} {worst.title}")
    failure = ET.SubElement(case, "failure", type=worst.severity)
    failure.set("message", escape.xml(worst.sentence))
    failure.text = _lines(f"{fact.severity}: {fact.sentence}" for fact in found)


def _late(suite: ET.Element, one: NotEvaluated) -> None:
    case = _case(suite, f"{one.rule} out of time")
    ET.SubElement(case, "error", message=escape.xml(one.reason), type="timeout")


def _case(suite: ET.Element, name: str) -> ET.Element:
    case = ET.SubElement(suite, "testcase", classname=suite.get("name", ""), name=escape.xml(name))
    case.set("time", _seconds(0.0))
    return case


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"


def _lines(texts: Iterable[str]) -> str:
    return "\n".join(map(escape.xml, texts))
