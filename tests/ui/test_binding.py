"""The Qt binding keeps its accounts: PySide6 6.12 loses a reference to None in every void call.

Python 3.10 and 3.11 count references to None, so a window dies after some 5,000 calls of that
version; this is why pyproject.toml pins it.
"""

import sys

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel, QTreeWidgetItem, QWidget

CALLS = 400


@pytest.mark.parametrize(
    "name",
    [
        "QLabel.setText",
        "QWidget.update",
        "QTreeWidgetItem.setText",
        "QTimer.setInterval",
        "QImage.fill",
    ],
)
def test_a_call_that_returns_nothing_loses_no_reference_to_none(qapp, name):
    objects = {
        "QLabel": QLabel("x"),
        "QWidget": QWidget(),
        "QTreeWidgetItem": QTreeWidgetItem(["a"]),
        "QTimer": QTimer(),
        "QImage": QImage(8, 8, QImage.Format.Format_ARGB32),
    }
    arguments = {
        "QLabel.setText": ("y",),
        "QWidget.update": (),
        "QTreeWidgetItem.setText": (0, "q"),
        "QTimer.setInterval": (3,),
        "QImage.fill": (0,),
    }
    kind, method = name.split(".")
    call, given = getattr(objects[kind], method), arguments[name]
    before = sys.getrefcount(None)
    for _ in range(CALLS):
        call(*given)
    lost = before - sys.getrefcount(None)
    # Python itself takes and gives a few meanwhile.
    assert abs(lost) < CALLS // 10
