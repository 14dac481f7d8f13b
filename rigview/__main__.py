"""``python -m rigview``: the command line."""

import os
import sys

# Python puts the working directory first on the module path: what lies in it is not ours to run, unless
# it is the checkout itself. What Python imports before this line cannot be kept from it; the command
# `rigview` begins without that entry.
_CHECKOUT = __file__.removesuffix(f"{os.sep}rigview{os.sep}__main__.py")
if not sys.flags.safe_path and sys.path[0] != _CHECKOUT:
    del sys.path[0]

from rigview.cli import main  # noqa: E402 - the path first

sys.exit(main())
