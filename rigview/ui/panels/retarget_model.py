"""The rows of a map of joints: a joint of the rig, what turns it, what tells that, how far off it is."""

import math
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from rigview.core.motion.joint_mapping import JointMapping, Match, plain
from rigview.core.motion.mapping_faults import told_by
from rigview.core.motion.retarget_errors import JointError
from rigview.core.rig import Rig
from rigview.ui.widgets.theme import colour
from rigview.ui.widgets.tips import plain as plain_tip
from rigview.ui.widgets.words import tr
from rigview.ui.workers.retargeting import Draft, Retargeter

_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
JOINT, SOURCE, TOLD, BONE, PLACE = range(5)
_TITLES = ("This rig", "Motion", "Told by", "Bone off", "Place off")
_TIPS = (
    "The joint of the rig",
    "The joint of the motion that turns it; double-click or Return chooses another",
    "Its part of a body, and what tells that: its name, its place in the tree, or the same name there",
    "The largest angle between the two bones in the clips",
    "The largest distance from where the motion has the joint, of the length of a leg",
)
# What a row is sorted by in a column.
KEY = Qt.ItemDataRole.UserRole
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
NONE = "none"
# The parts of a body that joints are, and what tells them (`told_by`).
_TOLD = (
    "face", "thumb", "palm", "finger", "toes", "clavicle", "upper arm", "lower arm", "hand",
    "upper leg", "lower leg", "foot", "neck", "jaw", "eye", "head", "spine", "tail", "hips", "root",
    "name", "place", "same name", "by hand",
)  # fmt: skip


class RetargetModel(QAbstractTableModel):
    """Joints of the rig × what is known of each; those without counterpart come first.

    They stay in their order while the map is edited, so that nothing moves under the hand.
    """

    def __init__(self, retargeter: Retargeter) -> None:
        super().__init__()
        self._retargeter = retargeter
        self._draft: Draft | None = None
        self._errors: dict[int, JointError] = {}
        self.joints: tuple[int, ...] = ()

    @property
    def motion(self) -> Rig | None:
        """The rig of the motion."""
        return None if self._draft is None else self._draft.motion

    @property
    def matches(self) -> dict[int, Match]:
        """Joint of the rig → its counterpart."""
        return {} if self._draft is None else dict(self._draft.mapping.matches)

    def refresh(self) -> None:
        """Read the draft, and what was measured of it."""
        before, self._draft = self._draft, self._retargeter.draft
        self._errors = self._retargeter.errors
        order = self.joints if _is_edit(before, self._draft) else _order(self._draft)
        if order != self.joints or (before is None) != (self._draft is None):
            self.beginResetModel()
            self.joints = order
            self.endResetModel()
        elif self.joints:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.joints) - 1, PLACE))

    def rowCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self.joints)

    def columnCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(_TITLES)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() == SOURCE else flags

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:  # noqa: ANN401 - whatever the role holds
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.ToolTipRole:
            return tr(_TIPS[section])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section >= BONE else None
        return tr(_TITLES[section]) if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401
        draft = self._draft
        if draft is None or not index.isValid() or index.row() >= len(self.joints):
            return None
        joint, column = self.joints[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(draft, joint, column)
        if role == Qt.ItemDataRole.EditRole:
            match = draft.mapping.matches.get(joint)
            return "" if match is None else draft.motion.nodes.label(match.source)
        if role == KEY:
            return self._key(draft, joint, column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column >= BONE else None
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._colour(draft, joint, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self._text(draft, joint, column))
        return None

    def _text(self, draft: Draft, joint: int, column: int) -> str:
        if column == JOINT:
            return draft.character.rig.nodes.label(joint)
        if column == SOURCE:
            return match_words(draft.motion, draft.mapping.matches.get(joint))
        if column == TOLD:
            return _told_words(draft.character.rig, draft.mapping, joint)
        error = self._errors.get(joint)
        if error is None:
            return ""
        if column == PLACE:
            return f"{100.0 * error.distance:.1f} %"
        return "" if math.isnan(error.degrees) else f"{error.degrees:.1f}°"

    def _key(self, draft: Draft, joint: int, column: int) -> float | str:
        error = self._errors.get(joint)
        if column == BONE:
            return -1.0 if error is None or math.isnan(error.degrees) else error.degrees
        if column == PLACE:
            return -1.0 if error is None else error.distance
        return self._text(draft, joint, column).casefold()

    def _colour(self, draft: Draft, joint: int, column: int) -> Any:  # noqa: ANN401
        if joint not in draft.mapping.matches:
            return colour("warning" if column == SOURCE else "text2")
        return colour("text3" if column == TOLD else "text")

    def setData(self, index: _Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Let a joint be turned by what is named; a name that is none changes nothing, and is told."""
        motion = self.motion
        if motion is None or role != Qt.ItemDataRole.EditRole or index.column() != SOURCE:
            return False
        joint = self.joints[index.row()]
        if isinstance(value, int):
            self._retargeter.map_joint(joint, Match(value, how="map"))
            return True
        text = str(value).strip()
        if text in ("", tr(NONE)):
            self._retargeter.map_joint(joint, None)
            return True
        found = named_joints(motion, text)
        if len(found) != 1:
            several = "More than one joint of the motion is called {name}."
            words = several if found else "No joint of the motion is called {name}."
            self._retargeter.said.emit(tr(words, name=text), False)
            return False
        self._retargeter.map_joint(joint, Match(found[0], how="map"))
        return True


def named_joints(rig: Rig, text: str) -> list[int]:
    """Return the joints that are called so: by the whole name, else without namespace and in any case."""
    exact = [joint for joint in rig.joints if rig.nodes.label(joint) == text]
    return exact or [j for j in rig.joints if plain(rig.nodes.label(j)) == plain(text)]


def match_words(motion: Rig, match: Match | None) -> str:
    """Return what turns a joint, in words."""
    if match is None:
        return tr(NONE)
    source = motion.nodes.label(match.source)
    if match.beyond is None:
        return source
    return f"{source} → {motion.nodes.label(match.beyond)} {100.0 * match.share:.0f} %"


def _told_words(rig: Rig, mapping: JointMapping, joint: int) -> str:
    part, by = told_by(rig, mapping, joint)
    return ", ".join(tr(word) for word in (part, by) if word)


def _is_edit(before: Draft | None, after: Draft | None) -> bool:
    """Return whether a draft is of the same motion and the same joints as the one before."""
    if before is None or after is None or before.motion is not after.motion:
        return False
    return before.character.rig.joints == after.character.rig.joints


def _order(draft: Draft | None) -> tuple[int, ...]:
    if draft is None:
        return ()
    rig = draft.character.rig
    joints = set(rig.joints)
    tree = [node for node in rig.nodes.depth_first if node in joints]
    return tuple(sorted(tree, key=lambda joint: joint in draft.mapping.matches))
