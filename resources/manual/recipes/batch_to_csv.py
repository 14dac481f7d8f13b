"""Write a table of the findings in all rigs of a folder: ``python batch_to_csv.py rigs/ findings.csv``."""

import csv
import sys
from pathlib import Path

import rigview

folder, out = map(Path, sys.argv[1:])
with out.open("w", newline="", encoding="utf-8") as file:
    table = csv.writer(file)
    table.writerow(["file", "rule", "severity", "object", "message"])
    for path in sorted(folder.glob("*.glb")):
        try:
            report = rigview.check(rigview.load(path), "unreal")
        except rigview.RigviewError as error:
            table.writerow([path.name, "", "error", "", str(error)])
            continue
        for found in report.ranked():
            row = [path.name, found.rule, report.severity(found), found.object, found.message]
            table.writerow(row)
print(f"wrote {out}")
