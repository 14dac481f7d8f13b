"""JUnit XML, the form in which build servers take tests: a suite per file, a case per rule.

The dialect is the one that Jenkins, GitLab and GitHub's reporters have in common.
"""

import unicodedata
from xml.etree import ElementTree as ET

from rigview.check.catalogue import BY_ID
from rigview.check.report.facts import FileReport, Outcome


def as_junit(outcome: Outcome) -> str:
    """Return the document; findings below what fails are told in the output of a passed case."""
    root = ET.Element("testsuites", name="rigview")
    for file in outcome.files:
        if isinstance(file, FileReport):
            _suite(root, file)
            continue
        suite = ET.SubElement(
            root, "testsuite", name=_text(file.file), tests="1", failures="0", errors="1"
        )
        suite.set("skipped", "0")
        case = ET.SubElement(suite, "testcase", classname=_text(file.file), name="open")
        ET.SubElement(case, "error", message=_text(file.reason), type="unchecked")
    ET.indent(root, " ")
    return ET.tostring(root, encoding="unicode", xml_declaration=False).join(
        ('<?xml version="1.0" encoding="UTF-8"?>\n', "\n")
    )


def _suite(root: ET.Element, report: FileReport) -> None:
    suite = ET.SubElement(root, "testsuite", name=_text(report.file))
    skipped = dict(report.not_evaluated)
    failures = 0
    for rule in report.asked:
        case = ET.SubElement(suite, "testcase", classname=_text(report.file))
        case.set("name", _text(f"{rule} {BY_ID[rule].title}"))
        if rule in skipped:
            ET.SubElement(case, "skipped", message=_text(skipped[rule]))
        found = [fact for fact in report.findings if fact.rule == rule]
        failing = [fact for fact in found if report.fails(fact)]
        failures += bool(failing)
        # Most readers show one failure of a case: it says all that the rule found.
        if failing:
            failure = ET.SubElement(case, "failure", type=failing[0].severity)
            failure.set("message", _text(failing[0].sentence))
            failure.text = _text("\n".join(f"{f.severity}: {f.sentence}" for f in found))
        elif found:
            said = "\n".join(f"{f.severity}: {f.sentence}" for f in found)
            ET.SubElement(case, "system-out").text = _text(said)
    if report.notes:
        ET.SubElement(suite, "system-out").text = _text("\n".join(report.notes))
    suite.set("tests", str(len(report.asked)))
    suite.set("failures", str(failures))
    suite.set("errors", "0")
    suite.set("skipped", str(len(skipped)))


def _text(text: str) -> str:
    """Return a text without the characters that no XML document can hold (XML 1.0, §2.2)."""
    return "".join(
        c
        if c in "\t\n" or (unicodedata.category(c) not in ("Cc", "Cs") and c not in "\ufffe\uffff")
        else "�"
        for c in text
    )
