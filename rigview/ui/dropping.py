"""What is dropped on the window: which of the files are to be opened, and for what."""

from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtGui import QDropEvent

from rigview.io import suffix_filter
from rigview.ui.workbench import Workbench


def dropped_files(event: QDropEvent) -> list[Path]:
    """Return the local files that look like rigs, also those in folders, else a picture or any."""
    urls = event.mimeData().urls()
    paths = [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
    rigs = [rig for path in paths for rig in _rigs_at(path)]
    pictures = [p for p in paths if p.suffix.lower() == ".png"]
    return rigs or (pictures or paths)[:1]


def take_dropped(bench: Workbench, paths: list[Path], at: QPoint) -> None:
    """Open what was dropped at a point of the window: notes, the motion that is asked for, or rigs."""
    if bench.noter.takes(paths):
        bench.shell.panel_asked.emit("Notes")
    elif bench.retarget_panel.takes_drop(at):
        bench.retargeter.open(paths[0])
    elif len(paths) > 1:
        bench.open_beside(paths)
    else:
        bench.open_path(paths[0])


def _rigs_at(path: Path) -> list[Path]:
    """Return a file if it looks like a rig, or those in a folder, by name."""
    try:
        files = sorted(path.iterdir()) if path.is_dir() else [path]
    except OSError:
        return []
    return [file for file in files if file.suffix.lower() in suffix_filter()]
