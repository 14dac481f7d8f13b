"""Words on pictures: fonts, labels on the panes, and the strip above each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from rigview.render.overlay import Label

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

# Inter where it is installed, else what Linux desktops, Windows and macOS have.
_FONTS = (
    ("Inter-Medium.otf", "Inter-SemiBold.otf"),
    ("Inter-Medium.ttf", "Inter-SemiBold.ttf"),
    ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    ("segoeui.ttf", "seguisb.ttf"),
    ("Arial.ttf", "Arial Bold.ttf"),
)
_FONT_FOLDERS = (Path("/usr/share/fonts/opentype/inter"), Path("/usr/share/fonts/truetype/dejavu"))
# Pixels at design size: at the left and right of a strip, within and after a number.
_MARGIN, _WITHIN, _AFTER = 10.0, 5.0, 12.0
# So much a strip must be wider than its method's name to hold the numbers beside it.
_BESIDE = 170.0


@cache
def font(size: int, *, bold: bool) -> Font:
    """Return a font of a height in pixels."""
    # Pictures of pictures are small, but no font has no height.
    size = max(size, 1)
    for names in _FONTS:
        name = names[int(bold)]
        for folder in (*_FONT_FOLDERS, None):
            try:
                return ImageFont.truetype(name if folder is None else str(folder / name), size)
            except OSError:
                continue
    return ImageFont.load_default(size)


def shortened(text: str, font: Font, room: float, *, keep_end: bool = False) -> str:
    """Cut a text where it is longer than its room in pixels: at its end, or at its start."""
    if font.getlength(text) <= room:
        return text
    for kept in range(len(text) - 1, 0, -1):
        shown = f"…{text[-kept:].lstrip()}" if keep_end else f"{text[:kept].rstrip()}…"
        if font.getlength(shown) <= room:
            return shown
    return ""


def percent(share: float) -> str:
    """Return a signed percentage with a true minus sign; what rounds to nothing has no sign."""
    tenths = round(1000.0 * share) / 10.0
    if tenths == 0.0:
        return "0.0 %"
    return f"{'−' if tenths < 0.0 else '+'}{abs(tenths):.1f} %"


def fits_one_line(titles: Sequence[str], width: float, scale: float) -> bool:
    """Tell whether strips of a width in pixels hold each title and the numbers beside it."""
    longest = max(_title(scale).getlength(title) for title in titles)
    return longest + _BESIDE * scale <= width


@dataclass(frozen=True)
class Paper:
    """A picture to write on, in the colours of a theme; `scale` is pixels per pixel of the design."""

    picture: Pillow.Image
    colours: dict[str, str]
    scale: float


class Costs(NamedTuple):
    """What a method costs the shape: the joint that is worst, the value of its measure, and its colour."""

    joint: str = ""
    value: str = ""
    token: str = "text"


def write_header(
    paper: Paper, title: str, costs: Costs, box: tuple[int, int, int, int], lines: int
) -> None:
    """Write a method and what it costs into the strip above its pane: (left, top, width, height).

    `lines` is 1 with the costs at the right end, or 2 with the costs below the method.
    """
    colours, scale = paper.colours, paper.scale
    left, top, width, height = box
    ink = ImageDraw.Draw(paper.picture)
    ink.rectangle((left, top, left + width - 1, top + height - 1), colours["background2"])
    start, end = left + _MARGIN * scale, left + width - _MARGIN * scale
    middle = top + (height / 2 if lines == 1 else 15 * scale)
    name = shortened(title, _title(scale), end - start)
    ink.text((start, middle), name, colours["text"], _title(scale), anchor="lm")
    small, strong = (font(round(11 * scale), bold=bold) for bold in (False, True))
    room = (end - start) - (_title(scale).getlength(name) + _AFTER * scale if lines == 1 else 0.0)
    # A number that is cut short is another number.
    value = costs.value if strong.getlength(costs.value) <= room else ""
    if lines == 2:
        middle = top + 32 * scale
    joint = shortened(
        costs.joint if value else "", small, room - strong.getlength(value) - _WITHIN * scale
    )
    length = strong.getlength(value) + (small.getlength(joint) + _WITHIN * scale if joint else 0.0)
    x = end - length if lines == 1 else start
    ink.text((x, middle), joint, colours["text2"], small, anchor="lm")
    ink.text((x + length, middle), value, colours[costs.token], strong, anchor="rm")


def write_label(paper: Paper, label: Label, pane: tuple[int, int, int]) -> None:
    """Write a label into a pane: (left, top, width)."""
    colours, scale = paper.colours, paper.scale
    ink = ImageDraw.Draw(paper.picture)
    left, top, room = pane
    x, y = left + label.x * scale, top + label.y * scale
    if label.small:
        small = font(round(10 * scale), bold=True)
        anchor = "rm" if label.ends else "mm" if len(label.text) == 1 else "lm"
        stroke = max(1, round(scale))
        ink.text(
            (x, y), label.text, colours[label.colour], small, anchor=anchor,
            stroke_width=stroke, stroke_fill=colours["viewport_bottom"],
        )  # fmt: skip
        return
    bold = font(round(11 * scale), bold=True)
    width, high = bold.getlength(label.text) + 12 * scale, 18 * scale
    x = min(x, left + room - width - 6 * scale)
    if label.backed:
        box = (x, y, x + width, y + high)
        _ground(paper.picture, box, 4 * scale, colours["background0"] + "c8")
    middle = (x + width / 2, y + high / 2)
    ink.text(middle, label.text, colours[label.colour], bold, anchor="mm")


def _title(scale: float) -> Font:
    return font(round(13 * scale), bold=True)


def _ground(
    picture: Pillow.Image, box: tuple[float, float, float, float], radius: float, colour: str
) -> None:
    """Lay a translucent box with round corners over a picture."""
    left, top, right, bottom = (round(edge) for edge in box)
    layer = Pillow.new("RGBA", (max(right - left, 1), max(bottom - top, 1)))
    area = (0, 0, layer.width - 1, layer.height - 1)
    ImageDraw.Draw(layer).rounded_rectangle(area, radius, fill=colour)
    # Where it reaches over the edge it is cut.
    shift = (max(-left, 0), max(-top, 0))
    picture.alpha_composite(layer, (max(left, 0), max(top, 0)), shift)
