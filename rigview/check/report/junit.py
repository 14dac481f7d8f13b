"""JUnit XML, the form in which build servers take tests: a suite per file, a case per rule.

The dialect is the one that Jenkins, GitLab and GitHub's reporters have in common.
"""

from collections.abc import Iterable
from xml.etree import ElementTree as ET

from rigview.check.catalogue import BY_ID
from rigview.check.report.facts import FileReport, Outcome
from rigview.core import escape


def as_junit(outcome: Outcome) -> str:
    """Return the document; findings below what fails are told in the output of a passed case."""
    root = ET.Element("testsuites", name="rigview")
    for file in outcome.files:
        if isinstance(file, FileReport):
            _suite(root, file, outcome)
            continue
        suite = ET.SubElement(
            root, "testsuite", name=escape.xml(file.file), tests="1", failures="0", errors="1"
        )
        suite.set("skipped", "0")
        case = ET.SubElement(suite, "testcase", classname=escape.xml(file.file), name="open")
        ET.SubElement(case, "error", message=escape.xml(file.reason), type="unchecked")
    ET.indent(root, " ")
    return ET.tostring(root, encoding="unicode", xml_declaration=False).join(
        ('<?xml version="1.0" encoding="UTF-8"?>\n', "\n")
    )


def _suite(root: ET.Element, report: FileReport, outcome: Outcome) -> None:
    suite = ET.SubElement(root, "testsuite", name=escape.xml(report.file))
    skipped = dict(report.not_evaluated)
    failures = 0
    for rule in report.asked:
        case = ET.SubElement(suite, "testcase", classname=escape.xml(report.file))
        case.set("name", escape.xml(f"{rule} {BY_ID[rule].title}"))
        if rule in report.out_of_time:
            ET.SubElement(case, "error", message=escape.xml(skipped[rule]), type="timeout")
        elif rule in skipped:
            ET.SubElement(case, "skipped", message=escape.xml(skipped[rule]))
        found = [fact for fact in outcome.told(report) if fact.rule == rule]
        failing = [fact for fact in found if report.fails(fact)]
        failures += bool(failing)
        # Most readers show one failure of a case: it says all that the rule found.
        if failing:
            failure = ET.SubElement(case, "failure", type=failing[0].severity)
            failure.set("message", escape.xml(failing[0].sentence))
            failure.text = _lines(f"{f.severity}: {f.sentence}" for f in found)
        elif found:
            said = _lines(f"{f.severity}: {f.sentence}" for f in found)
            ET.SubElement(case, "system-out").text = said
    if report.notes:
        ET.SubElement(suite, "system-out").text = _lines(report.notes)
    suite.set("tests", str(len(report.asked)))
    suite.set("failures", str(failures))
    suite.set("errors", str(len(report.out_of_time)))
    suite.set("skipped", str(len(skipped) - len(report.out_of_time)))


def _lines(texts: Iterable[str]) -> str:
    return "\n".join(map(escape.xml, texts))
