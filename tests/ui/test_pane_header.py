"""What the header of a narrow pane says of the joint that breaks most."""

import pytest
from PySide6.QtGui import QFont, QFontMetricsF

from rigview.ui.panes.pane_header import name_within

pytestmark = pytest.mark.window


@pytest.mark.parametrize(
    ("name", "fits", "said"),
    [
        ("hand_r", "hand_r", "hand_r"),
        ("hand_r", "hand", ""),
        ("mixamorig:LeftHand", "LeftHand", "LeftHand"),
        ("mixamorig:LeftHand", "Left", ""),
    ],
)
def test_a_short_name_is_whole_or_missing(qapp, name, fits, said):
    metrics = QFontMetricsF(QFont())
    assert name_within(name, metrics.horizontalAdvance(fits), metrics) == said


def test_of_a_long_name_the_middle_goes(qapp):
    metrics = QFontMetricsF(QFont())
    name = "left_forearm_twist_joint_03"
    said = name_within(name, 0.6 * metrics.horizontalAdvance(name), metrics)
    start, _, end = said.partition("…")
    assert start
    assert end
    assert name.startswith(start)
    assert name.endswith(end)
