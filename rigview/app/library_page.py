"""A check of a library as a folder of pages: an index, failures first, and a page per rig."""

import base64
import hashlib
import io
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Any

from msgspec.structs import replace
from PIL import Image

from rigview.assets import RESOURCES
from rigview.check.report import FORMATS, Fact, FileReport, Outcome, Record, Unchecked
from rigview.core import escape
from rigview.core.text import count
from rigview.io.files import save_bytes

# The former run of a folder, for the trend.
_FORMER = "runs.json"
# Names and bones stay sharp. Pages of 326 real rigs, a thousand pictures, take 9.7 MB; by 80 it is 16.3 MB.
_QUALITY = 45
# WebP tries hardest: a seventh less, for 20 ms a picture.
_EFFORT = 6
_STATUS = ("unchecked", "failed", "passed")


def write_library(outcome: Outcome, folder: Path) -> Path:
    """Write the pages, and return the index; the trend is against the run that the folder holds.

    Pictures are in the pages of rigs: a browser loads those of a rig when its page is opened.
    """
    former = _former(folder / _FORMER)
    (folder / "rigs").mkdir(parents=True, exist_ok=True)
    rows = [_row(answer, outcome, folder, former) for answer in outcome.files]
    rows.sort(key=lambda row: (_STATUS.index(row["status"]), -row["error"], row["file"]))
    index = folder / "index.html"
    save_bytes(index, _index(rows, is_first=not former).encode(errors="backslashreplace"))
    kept = {row["file"]: {"status": row["status"], "rules": row["rules"]} for row in rows}
    save_bytes(folder / _FORMER, json.dumps(kept, indent=1).encode())
    return index


def _former(path: Path) -> dict[str, Any]:
    """Return the files of the former run; none where there was none, or its record is damaged."""
    try:
        kept = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def _row(answer: Record, outcome: Outcome, folder: Path, former: dict[str, Any]) -> dict[str, Any]:
    """Write the page of a rig, and return its row of the index."""
    name = f"{hashlib.sha256(answer.file.encode(errors='surrogateescape')).hexdigest()[:16]}.html"
    page = answer
    rules: Counter[str] = Counter()
    severities: Counter[str] = Counter()
    status = "unchecked"
    if isinstance(answer, FileReport):
        page = replace(answer, findings=tuple(map(_smaller, answer.findings)))
        rules.update(fact.rule for fact in answer.told)
        severities.update(fact.severity for fact in answer.told)
        status = "failed" if answer.failed else "passed"
    text = FORMATS["html"].write(Outcome((page,), outcome.settings))
    # "RIFF" in base64: these pictures are WebP by now.
    text = text.replace("data:image/png;base64,UklGR", "data:image/webp;base64,UklGR")
    save_bytes(folder / "rigs" / name, text.encode(errors="backslashreplace"))
    before = former.get(answer.file, {}).get("rules", {})
    return {
        "file": answer.file,
        "page": f"rigs/{name}",
        "status": status,
        "rules": dict(rules),
        "error": severities["error"],
        "warning": severities["warning"],
        "info": severities["info"],
        "new": sorted(rules.keys() - before.keys()),
        "gone": sorted(before.keys() - rules.keys()),
        "reason": answer.reason if isinstance(answer, Unchecked) else "",
    }


def _smaller(fact: Fact) -> Fact:
    """Return a finding whose pictures are WebP."""
    outlooks = tuple(replace(one, picture=_webp(one.picture)) for one in fact.outlooks)
    picture = None if fact.picture is None else _webp(fact.picture)
    return replace(fact, picture=picture, outlooks=outlooks)


def _webp(png: bytes) -> bytes:
    out = io.BytesIO()
    with Image.open(io.BytesIO(png)) as picture:
        picture.save(out, "WEBP", quality=_QUALITY, method=_EFFORT)
    return out.getvalue()


def _index(rows: list[dict[str, Any]], *, is_first: bool) -> str:
    """Return the index; what comes out of files is escaped, and only its own script can run."""
    script, style = (
        (RESOURCES / "library" / f"index.{kind}").read_text("utf-8") for kind in ("js", "css")
    )
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    found = Counter(row["status"] for row in rows)
    summary = ", ".join(f"{found[status]} {status}" for status in reversed(_STATUS))
    body = "\n".join(part for row in rows for part in _line(row, is_first=is_first))
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Rig library</title>
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<style>{style}</style></head><body>
<h1>Rig library</h1><p>{count(len(rows), "rig")}: {summary}</p>
<form><input id=search type=search placeholder="Search names" aria-label="Search names">
{_choice("rule", sorted({rule for row in rows for rule in row["rules"]}))}
{_choice("severity", ["error", "warning", "info"])}
{_choice("folder", sorted({str(PurePath(row["file"]).parent) for row in rows}))}
<output id=shown></output></form>
<table><thead><tr><th>Rig<th>Status<th>Errors<th>Warnings<th>Information<th>Rules
<th>Since the run before</thead>
<tbody>
{body}
</tbody></table><script>{script}</script></body></html>
"""


def _choice(name: str, values: list[str]) -> str:
    options = "".join(f"<option>{escape.html(value)}</option>" for value in values)
    return f'<select id={name} aria-label={name}><option value="">any {name}</option>{options}</select>'


def _line(row: dict[str, Any], *, is_first: bool) -> Iterator[str]:
    rules = " ".join(row["rules"])
    severities = " ".join(s for s in ("error", "warning", "info") if row[s])
    folder = str(PurePath(row["file"]).parent)
    changes = [f"new {rule}" for rule in row["new"]] + [f"gone {rule}" for rule in row["gone"]]
    trend = "" if is_first else ", ".join(changes) or "the same"
    data = {"rules": rules, "severities": severities, "folder": folder}
    attributes = "".join(f' data-{k}="{escape.html(v)}"' for k, v in data.items())
    yield f"<tr class={row['status']}{attributes}>"
    yield f'<td><a href="{row["page"]}">{escape.html(row["file"])}</a>'
    yield f"<td>{row['status']}"
    yield from (f"<td>{row[severity] or ''}" for severity in ("error", "warning", "info"))
    yield f"<td>{escape.html(row['reason'] or rules)}<td>{escape.html(trend)}"
