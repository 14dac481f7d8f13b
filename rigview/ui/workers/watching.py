"""Watching the open file: whether another program has written it since it was read."""

from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from rigview.ui.document import Document

# Programs write large files in several steps: wait until they have been quiet this long.
_QUIET_MS = 300


class FileWatcher(QObject):
    """Says `rewritten` when the open file is another than the one that was read."""

    rewritten = Signal()

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self._system = QFileSystemWatcher(self)
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(_QUIET_MS)
        self._quiet.timeout.connect(self._look)
        # The folder is watched too, since many programs write a new file and rename it.
        self._system.fileChanged.connect(self._stirred)
        self._system.directoryChanged.connect(self._stirred)
        document.opened.connect(self._watch)
        document.saved.connect(self.forgive)

    def _watch(self) -> None:
        watched = self._system.files() + self._system.directories()
        if watched:
            self._system.removePaths(watched)
        path = self._document.path
        if path is not None:
            if self._document.held.stamp is None:
                self._document.held.stamp = _stamp(path)
            else:
                # It may have been written while another rig was shown.
                self._quiet.start()
            self._system.addPaths([str(p) for p in (path, path.parent) if p.exists()])

    def forgive(self) -> None:
        """Take the file as it is now for the one that was read: we wrote it ourselves."""
        if self._document.path is not None:
            self._document.held.stamp = _stamp(self._document.path)

    def _stirred(self, _path: str) -> None:
        self._quiet.start()

    def _look(self) -> None:
        path = self._document.path
        if path is None:
            return
        stamp = _stamp(path)
        if stamp is None or stamp == self._document.held.stamp:
            return
        self._document.held.stamp = stamp
        if str(path) not in self._system.files():
            self._system.addPath(str(path))
        self.rewritten.emit()


def _stamp(path: Path) -> tuple[int, int] | None:
    """Return when a file was written and how long it is; None while it is not there."""
    try:
        facts = path.stat()
    except OSError:
        return None
    return facts.st_mtime_ns, facts.st_size
