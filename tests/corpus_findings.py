"""Write what the rules find in the corpus: ``PYTHONPATH=. python tests/corpus_findings.py CORPUS``.

The table, tests/data/corpus_findings.json, is what limits are calibrated on: per file and severity the
rules that have findings, warnings and errors with their messages; notes are apart. Look at the change
before committing it: a limit that moved says why beside its constant.
"""

import json
import sys
from pathlib import Path

from rigview.check.run import run
from rigview.io import LoadError, load

TABLE = Path(__file__).parent / "data" / "corpus_findings.json"
# As the manifest names formats, and which of them are one.
FORMATS = {
    "gltf": "glTF", "glb": "glTF", "fbx": "FBX", "fbx-ascii": "FBX", "dae": "Collada", "usd": "USD",
    "bvh": "BVH",
}  # fmt: skip
# Of one source and format so many files, the largest first: many are variants of one rig.
PER_SOURCE = 4
# Every file of these is a rig of its own, or clean by what it is for.
WHOLE = (
    "CesiumMan/glTF-Binary", "RiggedFigure/glTF-Binary", "RiggedSimple/glTF-Binary",
    "Fox/glTF-Binary", "SimpleSkin/glTF/", "public/glb/", "Knight.glb",
    "kenney_character", "barbarian", "sausage_7500_binary_deform", "dq_weights_7500_binary",
)  # fmt: skip


def rigs(corpus):
    """Return files of the corpus that hold a skin, or a skeleton that moves, by name."""
    manifest = json.loads((corpus / "rigs" / "manifest.json").read_text(encoding="utf-8"))
    files = [
        e
        for e in manifest
        if e["format"] in FORMATS and (e["facts"].get("has_skin") or e["format"] == "bvh")
    ]
    chosen, taken = set(), {}
    for entry in sorted(files, key=lambda e: (-(e["facts"].get("n_verts") or 0), e["path"])):
        kind = entry["source"], FORMATS[entry["format"]]
        taken[kind] = taken.get(kind, 0) + 1
        if taken[kind] <= PER_SOURCE or any(w in entry["path"] for w in WHOLE):
            chosen.add(entry["path"])
    return sorted(chosen)


def facts(path):
    """Return what is found in one file under the default profile."""
    try:
        rig = load(path).rig
    except LoadError as error:
        return {"refused": error.reason}
    report = run(rig)
    table = {"error": {}, "warning": {}, "info": {}, "note": {}}
    for finding in report.findings:
        severity = "note" if report.is_note(finding) else report.severity(finding)
        rules = table[severity]
        if severity in ("info", "note"):
            rules[finding.rule] = rules.get(finding.rule, 0) + 1
        else:
            rules.setdefault(finding.rule, []).append(finding.message)
    return {severity: rules for severity, rules in table.items() if rules}


def main(corpus):
    """Write the table."""
    table = {}
    for name in rigs(corpus):
        table[name] = facts(corpus / "rigs" / name)
    text = json.dumps(table, indent=1, ensure_ascii=False, sort_keys=True)
    TABLE.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
