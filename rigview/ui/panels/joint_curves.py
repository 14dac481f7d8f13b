"""A plot of what heat shows: the measure of the selected joint over the clip, under every pane's method."""

from dataclasses import dataclass

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.clip import Clip
from rigview.core.measures.joint_measures import MEASURES
from rigview.core.skinning import ASKED
from rigview.ui.panels.charts import NOT_SKINNED, PlotCurve, PlotInput
from rigview.ui.panels.curves import SERIES, OverClip
from rigview.ui.widgets.words import tr


@dataclass(frozen=True)
class JointMeasure(OverClip):
    """The measure that heat shows: of the selected joint, else of the region that is worst."""

    def missing(self, subject: PlotInput) -> str:
        """Ask for a clip, for a skin, and for patience."""
        words = super().missing(subject)
        if words or subject.clip is None:
            return words
        if not subject.deformer.skins:
            return NOT_SKINNED
        if subject.joint_scan is None:
            return "Measuring the joints in all clips…"
        if not self.curves(subject, subject.clip):
            title, joint = tr(MEASURES[subject.measure].title), subject.joint
            if joint is None:
                return tr("Not measured in this clip: {measure}.", measure=title)
            name = subject.deformer.rig.nodes.label(joint)
            return tr("Not measured in this clip: {measure} of {joint}.", measure=title, joint=name)
        return ""

    def of(self, subject: PlotInput) -> str:
        """Name the measure and the joint."""
        title, joint = MEASURES[subject.measure].title, subject.joint
        nodes = subject.deformer.rig.nodes
        whose = nodes.label(joint) if joint is not None else tr("the worst joint")
        words = "{measure} of {joint} under every pane's method"
        return tr(words, measure=tr(title), joint=whose)

    def unit_of(self, subject: PlotInput) -> str:
        """Return the unit of the measure."""
        row = MEASURES[subject.measure]
        ratio = row.unit == "×" and row.id != "volume"
        return "°" if row.unit == "rad" else " ×" if ratio else " %"

    def limit(self, subject: PlotInput) -> tuple[str, float] | None:
        """Return the limit of the measure."""
        row = MEASURES[subject.measure]
        return tr("{measure}: limit", measure=tr(row.title)), float(
            _shown(row.id, np.array(row.limit))
        )

    def curves(self, subject: PlotInput, _clip: Clip) -> list[PlotCurve]:
        """Return one curve per method that was scanned."""
        if subject.joint_scan is None:
            return []
        meter, scan = subject.joint_scan
        regions = np.arange(len(meter.regions))
        if subject.joint is not None:
            regions = np.flatnonzero([one.joint == subject.joint for one in meter.regions.each])
        result: list[PlotCurve] = []
        for token, method in zip(SERIES, dict.fromkeys(subject.methods), strict=False):
            values = scan.values.get(method, {}).get(subject.measure)
            if values is None or not len(regions):
                continue
            times, worst = _worst(scan.times, values, regions, subject.measure)
            if len(times):
                shown = _shown(subject.measure, worst)
                result.append(PlotCurve(ASKED[method].label, token, times, shown))
        return result


def _worst(
    times: FloatArray, values: FloatArray, regions: IntArray, measure: str
) -> tuple[FloatArray, FloatArray]:
    """Return the times at which some regions were measured, and the worst value of theirs."""
    own = values[:, regions]
    severities = np.where(np.isnan(own), -np.inf, MEASURES[measure].severity(own))
    known = np.isfinite(severities).any(axis=1)
    places = severities.argmax(axis=1)
    return times[known], own[np.arange(len(own)), places][known]


def _shown(measure: str, values: FloatArray) -> FloatArray:
    """Return values as they are plotted: losses downward and shares in per cent, angles in degrees."""
    row = MEASURES[measure]
    if row.unit == "rad":
        return np.degrees(values)
    if measure == "volume":
        return 100.0 * (values - 1.0)
    if row.unit == "×":
        return values
    return -100.0 * values if measure == "collapse" else 100.0 * values
