"""The first file of the bundled rigview: its child processes start it again with a marker."""

import multiprocessing
import runpy
import sys

if __name__ == "__main__":
    multiprocessing.freeze_support()
    if sys.argv[1:2] == ["--rigview-child"]:
        runpy.run_module("rigview.io.child_entry", run_name="__main__")
    else:
        from rigview.cli import main

        sys.exit(main())
