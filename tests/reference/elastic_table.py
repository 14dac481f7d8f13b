"""Compare all methods with the elastic reference: a Markdown table.

    PYTHONPATH=tests:tests/reference python tests/reference/elastic_table.py [--tuning] [--methods a,b]
        [--spacing S] [--cases N,…] [--keep FOLDER] > tests/data/elastic_judging.md

README has the table that this writes; `tests/test_documents.py` compares them.

The cases are those of `elastic_cases.JUDGING`; characters of the corpus are left out, and named, where
it is absent (RIGVIEW_CORPUS). A case takes minutes; what the reference gave is kept in a folder if one is
named, and is read there the next time, so that a further method takes seconds.
"""

import argparse
import os
import sys
import time
from pathlib import Path

import numpy as np
from bent_limb import Limb, Reading
from elastic_cases import JUDGING, TUNING

from rigview.core.elastic.calibration import FITTED, MOVED
from rigview.core.elastic.limb import NoFleshError
from rigview.core.skinning import METHODS
from rigview.io import load

REPOSITORY = Path(__file__).parents[2]
CORPUS = Path(os.environ.get("RIGVIEW_CORPUS", REPOSITORY.parent / "shared" / "corpus"))
# Before the name of a method whose strength is fitted.
CALIBRATED = "calibrated "
BANDS = {"≤ 60°": (0, 60), "75–90°": (75, 90), "120°": (120, 120), "150°": (150, 150)}


def path_of(case):
    """Return where the character lies; None where it is absent."""
    root = REPOSITORY if case.path.startswith("samples/") else CORPUS / "rigs"
    path = root / case.path
    return path if path.is_file() else None


def driven(limb, angles, kept):
    """Yield what the reference gives at the angles, from the folder's file where it is kept."""
    if kept is not None and kept.is_file():
        with np.load(kept) as file:
            found = {int(name): file[name] for name in file.files}
        if set(angles) <= set(found):
            yield from ((angle, found[angle]) for angle in sorted(angles))
            return
    got = {}
    for angle, positions in limb.drive(angles, limb.degrees_of_twist):
        got[angle] = positions
        yield angle, positions
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        np.savez(kept, **{str(angle): positions for angle, positions in got.items()})


def measure(cases, methods, spacing, say, folder=None):
    """Return a row (case, angle, method → reading) per pose."""
    rows = []
    for case in cases:
        name = f"{Path(case.path).stem} {case.role}" + (f", twist {case.twist}" * bool(case.twist))
        path = path_of(case)
        if path is None:
            say(f"{name}: left out, no such file")
            continue
        start = time.perf_counter()
        try:
            limb = Limb(load(path).rig, case.role, case.twist, spacing)
        except NoFleshError as error:
            say(f"{name}: left out, {error}")
            continue
        kept = folder and folder / f"{name} {spacing:g}.npz"
        for angle, readings in limb.read(case.angles, methods, driven(limb, case.angles, kept)):
            rows.append((name, angle, readings))
            say(f"{name} {angle}: " + cells(readings))
        say(f"{name}: {len(limb.lattice.cells)} cells, {time.perf_counter() - start:.0f} s")
    return rows


def calibrate(rows, method):
    """Add to each row, under the method's name and a word, the method of fitted strength.

    Per case and vertex it is fitted to the poses to 60° (`rigview.core.elastic.calibration`).
    """
    for case in {name for name, _, _ in rows}:
        of_case = [(angle, readings) for name, angle, readings in rows if name == case]
        mixed = square = 0.0
        for angle, readings in of_case:
            moved = readings[method].along - readings["dqs"].along
            if angle <= FITTED[-1]:
                mixed = mixed - moved * readings["dqs"].along
                square = square + moved * moved
        strength = np.clip(mixed / np.maximum(square, MOVED**2), 0.0, 1.0)
        for _, readings in of_case:
            plain, full = readings["dqs"], readings[method]
            along = plain.along + strength * (full.along - plain.along)
            share = np.sqrt(np.mean(along**2) / max(np.mean(plain.along**2), 1e-30))
            readings[CALIBRATED + method] = Reading(plain.error * share, None, along)


def cells(readings):
    """Write one pose's readings."""
    return "  ".join(f"{m} {r.error:.3f}/{r.flips}" for m, r in readings.items())


def table(rows, methods):
    """Return the lines of the table, a row a method: mean errors in ρ, the worst ratio, and flips."""
    bands = {
        title: chosen
        for title, (low, high) in BANDS.items()
        if (chosen := [readings for _, angle, readings in rows if low <= angle <= high])
    }
    bands["all"] = [readings for _, _, readings in rows]
    lines = [f"| | {' | '.join(bands)} | worst / DQS | flips |"]
    lines.append("|---" + "|--:" * (len(bands) + 2) + "|")
    for method in methods:
        cells_ = [f"{np.mean([r[method].error for r in chosen]):.3f}" for chosen in bands.values()]
        cells_.append(f"{max(r[method].error / r['dqs'].error for _, _, r in rows):.2f}")
        if method.startswith(CALIBRATED):
            # Fitted to these.
            cells_[0], label = f"({cells_[0]})", METHODS[method.removeprefix(CALIBRATED)].label
            cells_.append("")
            label += ", calibrated"
        else:
            cells_.append(str(sum(r[method].flips for _, _, r in rows)))
            label = METHODS[method].label
        lines.append(f"| {label} | {' | '.join(cells_)} |")
    return lines


def main():
    """Print the table on the output, and every pose on the errors' output."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tuning", action="store_true", help="the cases for tuning instead")
    parser.add_argument("--methods", default=",".join(METHODS), help="dqs has to be among them")
    parser.add_argument("--spacing", type=float, default=0.25, help="of the lattice, in ρ")
    parser.add_argument("--cases", help="which of them, counted from 0")
    parser.add_argument("--keep", type=Path, help="the folder where references are kept")
    parser.add_argument(
        "--calibrated",
        default="compensated,capsule",
        help="of them, those shown calibrated as well",
    )
    chosen = parser.parse_args()
    cases = TUNING if chosen.tuning else JUDGING
    if chosen.cases:
        cases = [cases[int(number)] for number in chosen.cases.split(",")]
    methods = chosen.methods.split(",")

    def say(line):
        sys.stderr.write(line + "\n")
        sys.stderr.flush()

    rows = measure(cases, methods, chosen.spacing, say, chosen.keep)
    fitting = [m for m in chosen.calibrated.split(",") if m in methods]
    for method in fitting:
        calibrate(rows, method)
    methods += [CALIBRATED + method for method in fitting]
    names = sorted({name for name, _, _ in rows})
    sys.stderr.write(f"{len(names)} of {len(cases)} cases, {len(rows)} poses: {', '.join(names)}\n")
    sys.stdout.write("\n".join(table(rows, methods)) + "\n" if rows else "no case is here\n")


if __name__ == "__main__":
    main()
