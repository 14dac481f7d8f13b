"""What a run found, as plain records."""

import math
from collections.abc import Callable

import numpy as np

from rigview.check.applying.dryrun import DryRun
from rigview.check.report.records import (
    Fact,
    FactPlace,
    FileReport,
    FixOffer,
    Joints,
    NotEvaluated,
    ReportedVertices,
    RigFacts,
)
from rigview.check.rule import MOST_IDS, Finding, Place, Vertices
from rigview.check.run import Report
from rigview.core.rig import Rig
from rigview.core.sentence import in_english


def state(
    file: str, report: Report, rig: Rig, measure: Callable[[Finding], DryRun | None] | None = None
) -> FileReport:
    """Return what a run found as plain values, the worst first.

    Parameters
    ----------
    measure
        Returns what a finding's fix would move, or None where it cannot be made; None measures
        nothing.
    """
    facts = tuple(
        _fact(report, rig, finding, measure(finding) if measure is not None else None)
        for finding in report.ranked()
    )
    unseen = tuple(
        NotEvaluated(rule, in_english(why), rule in report.out_of_time)
        for rule, why in report.not_evaluated
    )
    name = report.profile.name
    return FileReport(file, name, report.asked, facts, unseen, rig=_contents(rig))


def _contents(rig: Rig) -> RigFacts:
    primitives = [primitive for mesh in rig.meshes for primitive in mesh.primitives]
    return RigFacts(
        format=rig.origin.format,
        joints=len(rig.joints),
        vertices=sum(len(primitive.positions) for primitive in primitives),
        influences=max((p.influences.most for p in primitives if p.influences), default=0),
        clips=len(rig.clips),
    )


def _fact(report: Report, rig: Rig, finding: Finding, measured: DryRun | None) -> Fact:
    names = tuple(map(rig.nodes.label, finding.joints[:MOST_IDS]))
    return Fact(
        rule=finding.rule,
        title=report.rule(finding).title,
        severity=report.severity(finding),
        message=in_english(finding.message),
        object=finding.object,
        joint=finding.joint,
        clip=finding.clip,
        time=_stated(finding.time),
        vertices=_vertices(finding.vertices),
        value=_stated(finding.value),
        limit=_stated(finding.limit),
        unit=finding.unit,
        explanation=in_english(finding.explanation),
        fix=FixOffer(
            finding.fix.kind,
            in_english(finding.fix.label or finding.fix.reason),
            None if measured is None else float(measured.largest),
        ),
        joints=Joints(len(finding.joints), names) if len(names) > 1 else None,
        places=tuple(map(_place, finding.places)),
        note=report.is_note(finding),
        range_of_motion=finding.motion is not None,
    )


def _place(place: Place) -> FactPlace:
    return FactPlace(place.object, _stated(place.value), _vertices(place.vertices))


def _vertices(found: Vertices | None) -> ReportedVertices:
    if found is None:
        return ReportedVertices()
    return ReportedVertices(found.count, tuple(map(int, found.ids[:MOST_IDS])))


def _stated(number: float | None) -> float | None:
    """Return a number as every format can state it: what is not finite is told in the message."""
    if number is None or not math.isfinite(number):
        return None
    return number.item() if isinstance(number, np.generic) else number
