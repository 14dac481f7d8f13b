"""What is remembered between sessions: recent files, the layout, and the user's preferences."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QByteArray, QSettings

from rigview.core.text import shortened
from rigview.ui.widgets.words import tr

RECENT = 10
_Value = TypeVar("_Value", str, int, float, bool)


class Settings:
    """The settings store; a value of a wrong type in it counts as not there.

    With ``RIGVIEW_SETTINGS`` set to a path that file is used; with ``:memory:`` nothing is kept.
    """

    def __init__(self) -> None:
        wanted = os.environ.get("RIGVIEW_SETTINGS", "")
        self._memory: dict[str, object] | None = {} if wanted == ":memory:" else None
        if self._memory is None:
            self._store = (
                QSettings(wanted, QSettings.Format.IniFormat)
                if wanted
                else QSettings("rigview", "rigview")
            )

    def read(self, key: str, default: _Value) -> _Value:
        """Return a value of the same type as `default`."""
        kind: Any = type(default)
        stored = self._raw(key)
        if kind is bool:
            stored = {"true": True, "false": False}.get(str(stored).lower(), default)
        try:
            return default if stored is None else kind(stored)
        except (TypeError, ValueError):
            return default

    def _raw(self, key: str) -> object:
        if self._memory is not None:
            return self._memory.get(key)
        value: object = self._store.value(key)
        return value

    def write(self, key: str, value: object) -> None:
        """Remember a value."""
        if self._memory is not None:
            self._memory[key] = value
        else:
            self._store.setValue(key, value)

    def fault(self) -> str:
        """Return why nothing is remembered, as a sentence; empty where it is."""
        if self._memory is not None:
            return ""
        self._store.sync()
        if self._store.status() != QSettings.Status.AccessError:
            return ""
        return tr(
            "Layout and recent files are not kept: {file} cannot be written.",
            file=self._store.fileName(),
        )

    def layout(self, key: str) -> QByteArray | None:
        """Return a saved window state."""
        value = self._raw(key)
        return value if isinstance(value, QByteArray) else None

    @property
    def recent(self) -> list[Path]:
        """The files opened last, newest first, as far as they still exist."""
        stored = self._raw("recent")
        names = stored if isinstance(stored, list) else [stored] if isinstance(stored, str) else []
        return [path for name in names if isinstance(name, str) and (path := Path(name)).is_file()]

    def add_recent(self, path: Path) -> None:
        """Put a file at the top of the recent ones."""
        path = path.resolve()
        others = [p for p in self.recent if p != path]
        self.write("recent", [str(p) for p in [path, *others][:RECENT]])


def told_apart(paths: Sequence[Path]) -> list[tuple[str, Path]]:
    """Return what a menu calls each path: its name, and of files of one name the folders that differ."""
    named = []
    for path in paths:
        alike = [p for p in paths if p.name == path.name]
        # So many folders above the file that no two read the same.
        depth = next(
            (
                n
                for n in range(len(path.parts))
                if len({p.parts[-n - 1 :] for p in alike}) == len(alike)
            ),
            0,
        )
        folders = "/".join(path.parts[-depth - 1 : -1])
        name = shortened(path.name)
        words = f"{name} — {folders}" if folders else name
        # Menus take a single one for the mark of a key.
        named.append((words.replace("&", "&&"), path))
    return named
