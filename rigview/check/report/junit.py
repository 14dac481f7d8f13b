"""JUnit XML, the form in which build servers take tests: a suite per file, a case per rule that failed.

The dialect is the one that Jenkins, GitLab and GitHub's reporters have in common.
"""

from collections.abc import Iterable
from xml.etree import ElementTree as ET

from rigview.check.report.records import Fact, FileReport, NotEvaluated, Outcome, Unchecked
from rigview.check.report.text import totals, unevaluated
from rigview.core import escape

# The case of each file that holds its time, and what it says where nothing failed.
TOTAL = "total"


def as_junit(outcome: Outcome) -> str:
    """Return the document; findings below what fails are told in the output of the total of a file."""
    root = ET.Element("testsuites", name="rigview")
    for file in outcome.files:
        suite = ET.SubElement(root, "testsuite", name=escape.xml(file.file))
        if isinstance(file, FileReport):
            _checked(suite, file, outcome)
        else:
            _unchecked(suite, file)
    for count in ("tests", "failures", "errors"):
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in root)))
    root.set("time", _seconds(sum(report.seconds for report in outcome.reports)))
    ET.indent(root, " ")
    return ET.tostring(root, encoding="unicode", xml_declaration=False).join(
        ('<?xml version="1.0" encoding="UTF-8"?>\n', "\n")
    )


def _unchecked(suite: ET.Element, file: Unchecked) -> None:
    _count(suite, tests=1, errors=0 if file.allowed else 1)
    suite.set("skipped", "1" if file.allowed else "0")
    told = "skipped" if file.allowed else "error"
    case = ET.SubElement(_case(suite, "open"), told, message=escape.xml(file.reason))
    case.set("type", "unchecked")


def _checked(suite: ET.Element, report: FileReport, outcome: Outcome) -> None:
    failing = [fact for fact in report.findings if report.fails(fact)]
    rules = dict.fromkeys(fact.rule for fact in failing)
    _count(suite, len(rules) + len(report.late) + 1, len(rules), len(report.late))
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


def _count(suite: ET.Element, tests: int, failures: int = 0, errors: int = 0) -> None:
    for name, number in (("tests", tests), ("failures", failures), ("errors", errors)):
        suite.set(name, str(number))
    suite.set("skipped", "0")


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"


def _lines(texts: Iterable[str]) -> str:
    return "\n".join(map(escape.xml, texts))
