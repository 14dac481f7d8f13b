"""rigview: see, check and repair skinned rigs."""

import os

__version__ = "0.1.0"

# pyqtgraph takes the first binding it finds in the process; ours is PySide6 even beside PyQt6.
os.environ.setdefault("PYQTGRAPH_QT_LIB", "PySide6")
