"""Names of joints where there is little room: what tells them apart stays."""

from collections import Counter
from collections.abc import Collection

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF

# Names that begin or end with so many characters alike have a namespace or the name of their rig there.
_ALIKE = 5


def elision(names: Collection[str]) -> Qt.TextElideMode:
    """Return where to cut long names: at the end where most are alike, so that their own part stays."""
    ends = {
        Qt.TextElideMode.ElideLeft: [name[:_ALIKE] for name in names],
        Qt.TextElideMode.ElideRight: [name[-_ALIKE:] for name in names],
    }
    for mode, parts in ends.items():
        most = max(Counter(parts).values(), default=0)
        if 2 * most > max(len(names), 2):
            return mode
    return Qt.TextElideMode.ElideMiddle


def fitted_name(
    name: str,
    room: float,
    metrics: QFontMetricsF,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
) -> str:
    """Return a name as it fits into some pixels: whole, without its namespace, or shortened."""
    for shown in (name, name.rpartition(":")[2]):
        if metrics.horizontalAdvance(shown) <= room:
            return shown
    return metrics.elidedText(shown, elide, max(room, 0.0))
