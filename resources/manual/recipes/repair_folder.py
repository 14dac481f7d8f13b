"""Repair all glTF files of a folder into another one: ``python repair_folder.py rigs/ repaired/``."""

import sys
from pathlib import Path

import rigview

source, target = map(Path, sys.argv[1:])
target.mkdir(exist_ok=True)
for path in sorted(source.glob("*.gl*")):
    loaded = rigview.load(path)
    rig, receipt = rigview.repair(loaded, rules="exact")
    rigview.save(rig, target / path.name, source=loaded)
    print(f"{path.name}: {len(receipt.applied)} repaired")
    for left in receipt.declined:
        print(f"  not repaired: {left.finding.object}: {left.reason}")
