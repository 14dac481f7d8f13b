"""What the Plots panel can show: one table; a new kind of plot is a row."""

from rigview.ui.panels.charts import PlotKind
from rigview.ui.panels.curves import ChannelPlot, Length, Metric, TurnPlot
from rigview.ui.panels.histograms import WeightHistogram
from rigview.ui.panels.joint_curves import JointMeasure

KINDS: tuple[PlotKind, ...] = (
    ChannelPlot("Rotation", "rotation", "°"),
    ChannelPlot("Translation", "translation", " m"),
    ChannelPlot("Scale", "scale", " ×"),
    TurnPlot("Deltas", "turn", "°"),
    Length("Length", "length", " %"),
    Metric("Volume", "volume", " %", lambda ratio: 100.0 * (ratio - 1.0)),
    Metric("Bulge", "bulge_99", " %", lambda share: 100.0 * share),
    Metric("Stretch", "stretch_99", " ×", lambda ratio: ratio),
    JointMeasure("Joint", "joint", ""),
    WeightHistogram("Weights", "weights"),
)
