"""Processor time of each form of report against that of text: ``python report_forms.py RIG...``.

The forms for programs may take 1.3 times as long: they state fixes without trying them.
"""

import contextlib
import io
import sys
import time

from rigview.cli import main

FORMS = ("text", "json", "sarif", "junit")
# The least of so many runs is told: other processes make it longer, never shorter.
RUNS = 3


def seconds(form: str, rig: str) -> float:
    """Return how long the processor checks a rig and writes a form."""
    taken = []
    for _ in range(RUNS):
        began = time.process_time()
        with contextlib.redirect_stdout(io.StringIO()):
            main(["check", rig, "--config", "none", "--format", form])
        taken.append(time.process_time() - began)
    return min(taken)


if __name__ == "__main__":
    for rig in sys.argv[1:]:
        seconds("text", rig)  # loads the modules
        found = {form: seconds(form, rig) for form in FORMS}
        words = [f"{form} {taken / found['text']:.2f}" for form, taken in found.items()]
        print(f"{rig}: text takes {found['text']:.2f} s; {', '.join(words)}")
