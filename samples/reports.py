"""Write what rigview finds in each broken sample: ``python samples/reports.py``; then look at the change.

The reports lie beside the samples, and the tests hold the checker to them.
"""

import json
from pathlib import Path
from typing import Any

from rigview.check.report import as_dict, state
from rigview.check.run import run
from rigview.io import load

BROKEN = Path(__file__).parent / "broken"


def report(path: Path) -> dict[str, Any]:
    """Return a sample's findings under the default profile, without what fixes would move."""
    rig = load(path).rig
    found = as_dict(state(path.name, run(rig), rig))
    for finding in found["findings"]:
        for words in ("title", "explanation"):
            finding.pop(words, None)
        finding["fix"] = {"class": finding["fix"]["class"]}
    return {key: found[key] for key in ("file", "profile", "findings", "not_evaluated", "summary")}


def main() -> None:
    """Write all reports."""
    for path in sorted(BROKEN.glob("*.gl*")):
        text = json.dumps(report(path), indent=1, ensure_ascii=False)
        path.with_suffix(".report.json").write_text(f"{text}\n", encoding="utf-8")
        print(path.stem)


if __name__ == "__main__":
    main()
