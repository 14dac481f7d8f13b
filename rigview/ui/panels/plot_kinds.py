"""What the Plots panel can show: one table; a new kind of plot is a row."""

from rigview.ui.panels.charts import Kind
from rigview.ui.panels.curves import Channel, Length, Metric, Turn
from rigview.ui.panels.histograms import Weights
from rigview.ui.panels.joint_curves import JointMeasure

KINDS: tuple[Kind, ...] = (
    Channel("Rotation", "rotation", "°"),
    Channel("Translation", "translation", " m"),
    Channel("Scale", "scale", " ×"),
    Turn("Deltas", "turn", "°"),
    Length("Length", "length", " %"),
    Metric("Volume", "volume", " %", lambda ratio: 100.0 * (ratio - 1.0)),
    Metric("Bulge", "bulge_99", " %", lambda share: 100.0 * share),
    Metric("Stretch", "stretch_99", " ×", lambda ratio: ratio),
    JointMeasure("Joint", "joint", ""),
    Weights("Weights", "weights"),
)
