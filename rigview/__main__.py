"""``python -m rigview``: the command line."""

import sys

from rigview.cli import main

sys.exit(main())
