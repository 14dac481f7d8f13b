"""A report for programs, as ``resources/report-1.schema.json`` describes it."""

import json
from typing import Any

from rigview import __version__
from rigview.check.report.facts import Fact, FactPlace, FileReport, Outcome
from rigview.core import escape


def as_json(outcome: Outcome) -> str:
    """Return the report of one file as an object, of several as ``{"reports": [...]}``.

    Files that could not be checked are listed under ``"errors"``.
    """
    reports = [as_dict(report) for report in outcome.reports]
    document: dict[str, Any] = {"reports": reports}
    if outcome.unchecked:
        document["errors"] = [{"file": u.file, "message": u.reason} for u in outcome.unchecked]
    elif len(reports) == 1:
        document = reports[0]
    return escape.json(json.dumps(document, indent=1, allow_nan=False)) + "\n"


def as_dict(report: FileReport) -> dict[str, Any]:
    """Return the report of one file as JSON values."""
    folded = {"notes": len(report.folded)} if report.folded else {}
    known = {"known": len(report.known)} if report.known else {}
    accepted = {"accepted": report.accepted} if report.accepted else {}
    settings = {"settings": report.settings} if report.settings else {}
    notes = {"notes": list(report.notes)} if report.notes else {}
    return {
        "version": __version__,
        "file": report.file,
        "profile": report.profile,
        **settings,
        "findings": [_finding(fact) for fact in report.findings],
        "not_evaluated": [{"rule": rule, "reason": why} for rule, why in report.not_evaluated],
        **notes,
        "summary": {**report.counts, **folded, **known, **accepted},
    }


def _finding(fact: Fact) -> dict[str, Any]:
    several = {"joints": {"count": fact.joints, "names": list(fact.joint_names)}}
    joints = several if fact.joints > 1 else {}
    return {
        "rule": fact.rule,
        "severity": fact.severity,
        **({"note": True} if fact.note else {}),
        "message": fact.message,
        "object": fact.object,
        "joint": fact.joint,
        "clip": fact.clip,
        "time": fact.time,
        **({"range_of_motion": True} if fact.range_of_motion else {}),
        **joints,
        "vertices": _vertices(fact),
        **({"places": [_place(place) for place in fact.places]} if fact.places else {}),
        "value": fact.value,
        "limit": fact.limit,
        "unit": fact.unit,
        "fix": {"class": fact.fix, "max_displacement_m": fact.max_displacement},
    }


def _place(place: FactPlace) -> dict[str, Any]:
    return {"object": place.object, "value": place.value, "vertices": _vertices(place)}


def _vertices(of: Fact | FactPlace) -> dict[str, Any]:
    return {"count": of.vertices, "ids": list(of.vertex_ids)}
