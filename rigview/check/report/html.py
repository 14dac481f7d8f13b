"""One HTML file that needs nothing beside it: for a review, or as the artefact of a build."""

from base64 import b64encode
from collections.abc import Iterator, Sequence

from rigview import __version__
from rigview.assets import theme
from rigview.check.report.curves import as_svg
from rigview.check.report.records import Fact, FileReport, NoteFact, Outcome, Outlook
from rigview.check.report.text import folded, held_to, totals, unevaluated
from rigview.check.rule import COUNTED, count
from rigview.core import escape
from rigview.core.text import length_words

_COLOURS = {
    **{c: c for c in ("background0", "background1", "background3", "text", "text2")},
    **{c: c for c in ("error", "warning", "info")},
    # The curves of the methods, in the order of the panes.
    "line0": "x",
    "line1": "y",
    "line2": "z",
}
# So many vertex numbers are listed; all are in the JSON report.
_LISTED = 10
_STYLE = """
body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem; background: var(--background0);
  color: var(--text); font: 15px/1.5 Inter, "Segoe UI", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; overflow-wrap: anywhere; }
p, ul { color: var(--text2); }
article { display: flex; gap: 1rem; margin: .75rem 0; padding: .75rem 1rem; border-radius: 4px;
  background: var(--background1); border-left: 4px solid var(--mark); }
article > div { flex: 1; min-width: 0; overflow-wrap: anywhere; }
article.error { --mark: var(--error); } article.warning { --mark: var(--warning); }
article.info { --mark: var(--info); } article.note { --mark: var(--text2); }
summary { cursor: pointer; color: var(--text2); }
h3 { margin: 0; font-size: 1rem; } h3 span { color: var(--mark); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; margin: .5rem 0 0;
  color: var(--text2); }
dd { margin: 0; } img { height: 240px; width: auto; max-width: 100%; border-radius: 4px; }
svg { width: 480px; max-width: 100%; margin: .5rem 1rem .5rem 0; font-size: 11px; }
svg text { fill: var(--text2); } svg path { fill: none; } .grid { stroke: var(--background3); }
.mark { stroke: var(--warning); } .curve { stroke-width: 1.5; }
article.compared { flex-wrap: wrap; } article.compared > div { flex-basis: 100%; }
.outlooks { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1rem;
  margin: .75rem 0 0; }
figure { max-width: 22rem; margin: 0; }
figure img { display: block; width: 100%; height: auto; }
figcaption { margin-top: .25rem; } figcaption b { font-weight: 600; white-space: nowrap; }
b.warning { color: var(--warning); } b.error { color: var(--error); }
@media (max-width: 45rem) { article { display: block; } }
"""


def as_html(outcome: Outcome) -> Iterator[str]:
    """Yield the document; everything out of files is escaped, and nothing in it can run."""
    return (f"{line}\n" for line in _document(outcome))


def _document(outcome: Outcome) -> Iterator[str]:
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8"><title>Rig check</title>'
    yield '<meta name="viewport" content="width=device-width">'
    # Should an escape ever be forgotten, the browser still runs and fetches nothing.
    yield (
        '<meta http-equiv="Content-Security-Policy"'
        " content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">"
    )
    yield f"<style>{_palette()}{_STYLE}</style></head><body>"
    yield "<h1>Rig check</h1>"
    yield f"<p>{_summary(outcome)}</p>"
    for unchecked in outcome.unchecked:
        yield f"<p class=error>{escape.html(unchecked.reason)}</p>"
    for report in outcome.reports:
        yield from _section(report, outcome)
    yield "</body></html>"


def _palette() -> str:
    """Return the theme's colours, those that the reader's system prefers."""

    def variables(name: str) -> str:
        colours = theme(name)
        return (
            ":root { "
            + " ".join(f"--{name}: {colours[token]};" for name, token in _COLOURS.items())
            + " }"
        )

    return f"{variables('light')}\n@media (prefers-color-scheme: dark) {{ {variables('dark')} }}"


def _summary(outcome: Outcome) -> str:
    found = outcome.totals
    text = f"{count(found['files'], 'file')}, {found['failed']} with findings that fail"
    if found["unchecked"]:
        text += f", {found['unchecked']} that could not be checked"
    return f"{text}; rigview {__version__}"


def _section(report: FileReport, outcome: Outcome) -> Iterator[str]:
    yield f"<section><h2>{escape.html(report.file)}</h2>"
    yield f"<p>{totals(report)} ({escape.html(held_to(report))})</p>"
    yield from (f"<p>{escape.html(sentence)}</p>" for sentence in report.left_out)
    for note in report.review:
        yield from _note(note)
    for fact in report.told:
        yield from _article(fact)
    if report.folded:
        yield f"<details{' open' if outcome.settings.notes else ''}><summary>{folded(report)}</summary>"
        for fact in report.folded:
            yield from _article(fact)
        yield "</details>"
    yield from (as_svg(plot) for plot in report.plots)
    remarks = [
        f"not evaluated: {', '.join(rules)} ({why})" for why, rules in unevaluated(report)
    ] + [f"note: {note}" for note in report.notes]
    if remarks:
        yield f"<ul>{''.join(f'<li>{escape.html(remark)}</li>' for remark in remarks)}</ul>"
    yield "</section>"


def _note(note: NoteFact) -> Iterator[str]:
    author = f" {escape.html(note.author)}" if note.author else ""
    yield f'<article class="note"><div><h3><span>review {note.number}</span>{author}</h3>'
    yield f"<p>{escape.html(note.place)}</p>"
    yield from (f"<div>{escape.html(line)}</div>" for line in note.words.splitlines())
    yield "</div>"
    if note.picture is not None:
        data = b64encode(note.picture).decode()
        alt = escape.html(f"note {note.number}")
        yield f'<img alt="{alt}" src="data:image/png;base64,{data}">'
    yield "</article>"


def _article(fact: Fact) -> Iterator[str]:
    shown = "note" if fact.note else fact.severity
    compared = " compared" if fact.outlooks else ""
    yield f'<article class="{shown}{compared}"><div>'
    yield f"<h3><span>{shown}</span> {escape.html(fact.rule)} {escape.html(fact.title)}</h3>"
    yield f"<div>{escape.html(fact.sentence)}</div>"
    if fact.explanation:
        yield f"<p>{escape.html(fact.explanation)}</p>"
    rows = "".join(
        f"<dt>{escape.html(name)}</dt><dd>{escape.html(value)}</dd>"
        for name, value in _details(fact)
    )
    yield f"<dl>{rows}</dl></div>"
    if fact.outlooks:
        figures = "".join(map(_figure, fact.outlooks))
        yield f'<div><div class="outlooks">{figures}</div>'
        yield "<p>The pose is the same; the colours run to twice the limit, and a line is at it.</p></div>"
    if fact.picture is not None:
        data = b64encode(fact.picture).decode()
        yield f'<img alt="{escape.html(fact.sentence)}" src="data:image/png;base64,{data}">'
    yield "</article>"


def _figure(outlook: Outlook) -> str:
    """Return the picture of a pose, with what it shows and the value below."""
    title, value = escape.html(outlook.title), escape.html(outlook.value)
    data = b64encode(outlook.picture).decode()
    return (
        f'<figure><img alt="{title}, {value}" src="data:image/png;base64,{data}">'
        f'<figcaption>{title} <b class="{outlook.level}">{value}</b></figcaption></figure>'
    )


def _details(fact: Fact) -> Iterator[tuple[str, str]]:
    if fact.value is not None:
        limit = "" if fact.limit is None else f" (limit {_amount(fact.limit, fact.unit)})"
        yield "measured", f"{_amount(fact.value, fact.unit)}{limit}"
    if fact.joints is not None:
        yield "joints", _some(fact.joints.count, fact.joints.names)
    elif fact.joint is not None:
        yield "joint", fact.joint
    if fact.clip is not None:
        name = f"{fact.clip} (not in the file)" if fact.range_of_motion else fact.clip
        yield "clip", name if fact.time is None else f"{name} at {fact.time:.3f} s"
    if fact.places:
        yield "found in", _some(len(fact.places), [place.object for place in fact.places])
    if fact.vertices.count:
        where = f" of {fact.object}" if fact.places else ""
        yield f"vertices{where}", _some(fact.vertices.count, fact.vertices.ids)
    moved = fact.fix.max_displacement_m
    if fact.fix.kind == "exact":
        yield "remedy", f"{fact.fix.label} (moves nothing)"
    elif fact.fix.kind != "none":
        moves = moved is None or bool(length_words(moved).strip("0. m"))
        effect = "it changes the shape" if moves else "it changes no shape that was tried"
        yield "remedy", f"{fact.fix.label} (on request: {effect})"
    if moved is not None:
        yield "it moves", f"at most {length_words(moved)}"


def _some(number: int, first: Sequence[object]) -> str:
    more = ", …" if number > _LISTED else ""
    return f"{number}: {', '.join(map(str, first[:_LISTED]))}{more}"


def _amount(value: float, unit: str) -> str:
    if unit == "share":
        return f"{100.0 * value:.3g} %"
    if unit in COUNTED:
        return count(int(value), unit)
    return f"{value:.4g}{'' if unit == '°' else ' '}{unit}".rstrip()
