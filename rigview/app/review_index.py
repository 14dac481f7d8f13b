"""The page that a review folder begins with: it explains and links the others, and nothing in it runs."""

from collections.abc import Sequence
from dataclasses import dataclass

from rigview import __version__
from rigview.assets import theme
from rigview.core import escape
from rigview.core.review_notes import ReviewNote, ReviewNotes, place_in_words

INDEX = "index.html"
# What tells a review's index from other pages of that name.
MARK = '<meta name="generator" content="rigview review">'
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; "
    "img-src 'self' file: data:; media-src 'self' file:"
)
_TOKENS = ("background0", "background1", "background3", "text", "text2", "accent", "warning")
_STYLE = """
* { box-sizing: border-box; }
body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem; background: var(--background0);
  color: var(--text); font: 15px/1.5 Inter, "Segoe UI", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.5rem; margin-bottom: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin-top: 2.5rem; }
p, li, figcaption { color: var(--text2); overflow-wrap: anywhere; }
a { color: var(--accent); }
.parts { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr));
  padding: 0; list-style: none; }
.parts a { display: block; height: 100%; min-height: 44px; padding: .75rem 1rem; border-radius: 4px;
  background: var(--background1); border-left: 4px solid var(--accent); text-decoration: none; }
.parts a:hover, .parts a:focus-visible { background: var(--background3); }
.parts b { color: var(--text); } .parts span { display: block; color: var(--text2); }
.missing { padding: .75rem 1rem; border-radius: 4px; background: var(--background1);
  border-left: 4px solid var(--warning); }
figure { margin: 1rem 0; } figure :is(img, video) { display: block; width: 100%; height: auto;
  border-radius: 4px; }
.notes li { margin: .5rem 0; } .notes b { color: var(--text); }
"""


@dataclass(frozen=True)
class FolderFile:
    """One file of the folder.

    Parameters
    ----------
    says
        What it is good for, in a few words.
    shown
        Whether the index shows the picture or movie itself.
    size
        Bytes.
    """

    name: str
    title: str
    says: str
    shown: bool = False
    size: int = 0


def index_page(
    heading: tuple[str, str],
    parts: Sequence[FolderFile],
    left_out: Sequence[str],
    notes: ReviewNotes,
) -> str:
    """Return the page; all that comes out of files is escaped.

    Parameters
    ----------
    heading
        The name of the rig's file, and a line about it.
    left_out
        What could not be made, and why; a sentence each.
    """
    name = escape.html(heading[0])
    missing = "".join(f'<p class="missing">{escape.html(sentence)}</p>' for sentence in left_out)
    return "\n".join(
        (
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">{MARK}',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>Review of {name}</title><style>{_palette()}{_STYLE}</style></head><body>",
            f"<h1>Review of {name}</h1><p>{escape.html(heading[1])}</p>",
            f'<ul class="parts">{"".join(map(_link, parts))}</ul>',
            f"{missing}<h2>How to answer</h2>",
            "<p>Open the review page, write and draw notes on the frames that they are about, save them "
            "there, and send back the file. "
            "<code>rigview notes FILE --import THAT_FILE</code> takes them in.</p>",
            *(_figure(part) for part in parts if part.shown),
            "<h2>Notes</h2>",
            f'<ol class="notes">{"".join(map(_note, notes.each))}</ol>'
            if notes.each
            else "<p>There are no notes yet.</p>",
            f"<p>Made by rigview {escape.html(__version__)}.</p></body></html>\n",
        )
    )


def _link(part: FolderFile) -> str:
    size = f"{part.size / 1e6:.1f} MB" if part.size >= 1e5 else f"{max(part.size // 1000, 1)} kB"
    return (
        f'<li><a href="{escape.html(part.name)}"><b>{escape.html(part.title)}</b>'
        f"<span>{escape.html(part.says)}</span><span>{escape.html(part.name)}, {size}</span></a></li>"
    )


def _figure(part: FolderFile) -> str:
    name, words = escape.html(part.name), escape.html(f"{part.title}: {part.says}")
    if name.endswith(".mp4"):
        shown = f'<video controls preload="metadata" src="{name}" aria-label="{words}"></video>'
    else:
        shown = f'<a href="{name}"><img alt="{words}" src="{name}"></a>'
    return f"<figure>{shown}<figcaption>{words}</figcaption></figure>"


def _note(note: ReviewNote) -> str:
    author = f" ({note.author})" if note.author else ""
    lines = "<br>".join(escape.html(line) for line in note.words.splitlines())
    return f"<li><b>{escape.html(f'{place_in_words(note)}{author}')}</b><br>{lines}</li>"


def _palette() -> str:
    """Return the colours of the theme that the reader's system prefers."""

    def variables(name: str) -> str:
        colours = theme(name)
        return ":root {" + " ".join(f"--{token}: {colours[token]};" for token in _TOKENS) + "}"

    return f"{variables('light')}\n@media (prefers-color-scheme: dark) {{{variables('dark')}}}"
