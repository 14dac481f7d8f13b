"""Notes on pictures: strokes where they were drawn, and words at the foot of their pane."""

from collections.abc import Sequence

from PIL import Image as Pillow
from PIL import ImageDraw

from rigview.core import escape
from rigview.core.review_notes import NoteStroke, Point, arrow_head, placed
from rigview.render.camera import Camera
from rigview.render.note_view import NumberedNote, sees_as
from rigview.render.pane_text import Font, Paper, font, shortened

# At design size: a line and its halo, the disc of a number, and what surrounds words.
_WIDE, _HALO = 3.0, 7.0
_RADIUS, _HIGH, _LINE, _MARGIN = 9.0, 24.0, 16.0, 8.0
_MOST_LINES = 4
# Lines are drawn so much larger and made smaller again: Pillow draws none that is smooth.
_SMOOTH = 2

Box = tuple[int, int, int, int]


def draw_notes(paper: Paper, box: Box, notes: Sequence[NumberedNote], camera: Camera) -> None:
    """Draw notes into a pane.

    Strokes of a note that was made from elsewhere would lie beside what they point at: it has its words
    alone.

    Parameters
    ----------
    box
        The pane in the picture: left, top, width and height, pixels.
    """
    left, top, width, height = box
    layer = Pillow.new("RGBA", (width * _SMOOTH, height * _SMOOTH))
    scale = paper.scale * _SMOOTH
    size = (float(layer.width), float(layer.height))
    for shown in notes:
        view = shown.note.view
        if view is not None and sees_as(camera, view, width / height):
            for stroke in shown.note.strokes:
                points = [placed(point, view, size) for point in stroke.points]
                _draw_stroke(layer, stroke, points, paper.colours, scale)
            if shown.note.strokes:
                first = placed(shown.note.strokes[0].points[0], view, size)
                away = 12.0 * scale if shown.note.strokes[0].kind == "text" else 0.0
                _draw_number(layer, shown.number, (first[0] - away, first[1]), paper.colours, scale)
    _draw_words(layer, notes, paper.colours, scale)
    layer = layer.resize((width, height), Pillow.Resampling.BOX)
    paper.picture.alpha_composite(layer, (left, top))


def _draw_stroke(
    layer: Pillow.Image,
    stroke: NoteStroke,
    points: Sequence[Point],
    colours: dict[str, str],
    scale: float,
) -> None:
    ink = ImageDraw.Draw(layer)
    if stroke.kind == "text":
        face = font(round(12 * scale), bold=True)
        words = escape.label(stroke.words)
        (x, y), wide = points[0], face.getlength(words) + 16 * scale
        high = 0.5 * _HIGH * scale
        _plate(ink, (x, y - high, x + wide, y + high), colours, scale)
        ink.text((x + 8 * scale, y), words, colours["on_accent"], face, anchor="lm")
        return
    lines = [list(points)]
    if stroke.kind == "box":
        (x, y), (right, bottom) = points[0], points[-1]
        lines = [[(x, y), (right, y), (right, bottom), (x, bottom), (x, y)]]
    elif stroke.kind == "arrow":
        lines.append(arrow_head(points[0], points[1], scale))
    for token, wide in (("background0", _HALO), ("accent", _WIDE)):
        width = max(1, round(wide * scale))
        for line in lines:
            ink.line(line, colours[token], width, joint="curve")
            for x, y in line:
                r = 0.5 * width
                ink.ellipse((x - r, y - r, x + r, y + r), colours[token])


def _plate(
    ink: ImageDraw.ImageDraw, box: tuple[float, ...], colours: dict[str, str], scale: float
) -> None:
    edge = max(1, round(scale))
    ink.rounded_rectangle(
        list(box), 4 * scale, colours["accent"], outline=colours["background0"], width=edge
    )


def _draw_number(
    layer: Pillow.Image, number: int, at: Point, colours: dict[str, str], scale: float
) -> None:
    ink, r = ImageDraw.Draw(layer), _RADIUS * scale
    edge = max(1, round(1.5 * scale))
    disc = (at[0] - r, at[1] - r, at[0] + r, at[1] + r)
    ink.ellipse(disc, colours["accent"], outline=colours["background0"], width=edge)
    ink.text(at, str(number), colours["on_accent"], font(round(11 * scale), bold=True), anchor="mm")


def _draw_words(
    layer: Pillow.Image, notes: Sequence[NumberedNote], colours: dict[str, str], scale: float
) -> None:
    """Write what was said at the foot, the last note lowest."""
    ink, face = ImageDraw.Draw(layer), font(round(12 * scale), bold=False)
    high, line, margin = _HIGH * scale, _LINE * scale, _MARGIN * scale
    bottom = layer.height - margin
    for shown in reversed([shown for shown in notes if shown.note.words.strip()]):
        author = f"{shown.note.author}: " if shown.note.author else ""
        words = escape.label(f"{author}{' '.join(shown.note.words.split())}")
        lines = _wrapped(words, face, layer.width - 2 * margin - high - 8 * scale)
        top = bottom - high - (len(lines) - 1) * line
        right = margin + high + max(map(face.getlength, lines)) + 8 * scale
        box = (margin, top, right, bottom)
        ink.rounded_rectangle(box, 4 * scale, colours["background0"] + "d8")
        for i, text in enumerate(lines):
            at = (margin + high, top + 0.5 * high + i * line)
            ink.text(at, text, colours["text"], face, anchor="lm")
        _draw_number(layer, shown.number, (margin + 0.5 * high, top + 0.5 * high), colours, scale)
        bottom = top - 4 * scale
        if bottom < high:
            return


def _wrapped(words: str, face: Font, room: float) -> list[str]:
    """Return words in lines that fit; of many the first ones, the last of them cut."""
    lines: list[str] = []
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and (face.getlength(longer) <= room or len(lines) == _MOST_LINES):
            lines[-1] = longer
        else:
            lines.append(word)
    return [shortened(text, face, room) or "…" for text in lines]
