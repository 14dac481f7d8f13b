"""A window in a process of its own, for who reads it over a bus: ``python heard_window.py FILE``.

It stays open until it is killed.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))

from hands import opened_window

from rigview.ui.app import make_application

application = make_application()
with opened_window() as window:
    window.bench.open_path(Path(sys.argv[1]))
    application.exec()
