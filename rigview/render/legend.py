"""The legend below a picture: what the colours of its shading mean."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw

from rigview.assets import colour_map, rgb
from rigview.render import pane_text
from rigview.render.scales import SHARE_OF_SWATCHES, Scale, Swatch, in_a_row

# Pixels that it takes at its design size, and how wide it must be to be worth drawing.
HEIGHT, LEAST = 38, 320
# Pixels of the ramp at its longest, and of what it leaves to the name at its shortest.
_LONGEST, _SHORTEST = 360, 140


@dataclass(frozen=True)
class _Strip:
    """Where a legend is drawn, in pixels of the picture.

    Parameters
    ----------
    unit
        Pixels per pixel of the design.
    """

    picture: Pillow.Image
    left: float
    right: float
    top: float
    unit: float
    colours: dict[str, str]

    @cached_property
    def ink(self) -> ImageDraw.ImageDraw:
        """What draws on the picture."""
        return ImageDraw.Draw(self.picture)

    @property
    def middle(self) -> float:
        """The height at which words stand that are alone."""
        return self.top + 0.5 * HEIGHT * self.unit

    def font(self, size: int, *, bold: bool = False) -> pane_text.Font:
        """Return a font of the design's size."""
        return pane_text.font(round(size * self.unit), bold=bold)

    def write(self, at: tuple[float, float], text: str, token: str, size: int, anchor: str) -> None:
        """Write at x and y from the strip's top."""
        place = at[0], self.top + at[1] * self.unit
        self.ink.text(place, text, self.colours[token], self.font(size), anchor=anchor)


def draw(
    picture: Pillow.Image,
    scale: Scale,
    box: tuple[int, int, int, int],
    colours: dict[str, str],
) -> None:
    """Draw a legend into a box (left, top, width, height) of a picture, as large as the box is high."""
    left, top, width, height = box
    unit = height / HEIGHT
    strip = _Strip(picture, left + 12 * unit, left + width - 12 * unit, top, unit, colours)
    ink, middle = strip.ink, strip.middle
    ink.rectangle((left, top, left + width - 1, top + height - 1), colours["background1"])
    plain, bold = strip.font(12), strip.font(12, bold=True)
    ink.text((strip.left, middle), scale.title, colours["text2"], plain, anchor="lm")
    if not scale.name:
        return
    x = strip.left + plain.getlength(scale.title) + 6 * unit
    # What follows the name: the swatch of "none", the ramp and the margin.
    name = pane_text.shortened(scale.name, bold, left + width - x - (90 + _SHORTEST) * unit)
    ink.text((x, middle), name, colours["text"], bold, anchor="lm")
    x += bold.getlength(name) + 32 * unit
    if scale.has_none:
        swatch = (x - 11 * unit, top + 8 * unit, x + 11 * unit, top + 18 * unit)
        ink.rectangle(swatch, colours["zero"], colours["edge"])
        strip.write((x, 27), "none", "text2", 10, "mm")
        x += 34 * unit
    small = strip.font(10)
    if scale.swatches:
        said = small.getlength(scale.words) + 30 * unit
        room = max(strip.right - x - said, SHARE_OF_SWATCHES * (strip.right - x))
        end = _swatches(strip, scale.swatches, x, room)
    else:
        end = _ramp(strip, scale, x)
    words = pane_text.shortened(scale.words, small, strip.right - end)
    ink.text((strip.right, middle), words, colours["text2"], small, anchor="rm")


def _swatches(strip: _Strip, swatches: Sequence[Swatch], x: float, room: float) -> float:
    """Draw as many colours as there is room for, with their names, and return where words may begin."""
    unit, name, share = strip.unit, strip.font(11), strip.font(10)

    def wide(swatch: Swatch) -> float:
        return max(name.getlength(swatch.short), share.getlength(swatch.share)) + 28 * unit

    row = in_a_row(swatches, wide, room, share.getlength("+000") + 16 * unit)
    end = x
    for start, swatch in row:
        at, end = x + start, x + start + wide(swatch)
        bar = at, strip.top + 8 * unit, at + 8 * unit, strip.top + 30 * unit
        strip.ink.rectangle(bar, swatch.colour, strip.colours["edge"])
        strip.write((at + 13 * unit, 13), swatch.short, "text", 11, "lm")
        strip.write((at + 13 * unit, 26), swatch.share, "text2", 10, "lm")
    left = len(swatches) - len(row)
    if left:
        strip.write((end, 19), f"+{left}", "text2", 10, "lm")
        end += share.getlength(f"+{left}") + 16 * unit
    return end


def _ramp(strip: _Strip, scale: Scale, x: float) -> float:
    """Draw a colour map with its ticks and marker, and return where words may begin."""
    unit, top, ink, colours = strip.unit, strip.top, strip.ink, strip.colours
    long = min(_LONGEST * unit, strip.right - x - 12 * unit)
    left, upper, width, height = (
        max(1, round(number)) for number in (x, top + 8 * unit, long, 10 * unit)
    )
    texels = np.array([rgb(colour) for colour in colour_map(scale.colour_map)])
    row = texels[np.linspace(0, len(texels) - 1, width).round().astype(int)]
    pixels = np.repeat((255.0 * row).round().astype(np.uint8)[None], height, axis=0)
    strip.picture.paste(Pillow.fromarray(pixels), (left, upper))
    for place, text in scale.ticks:
        at = x + long * place
        ink.line((at, top + 18 * unit, at, top + 21 * unit), colours["text3"])
        strip.write((at, 27), text, "text2", 10, "mm")
    if scale.marker is not None:
        at = x + long * min(max(scale.marker, 0.0), 1.0)
        corners = [
            (at, top + 9 * unit),
            (at - 4 * unit, top + 2 * unit),
            (at + 4 * unit, top + 2 * unit),
        ]
        ink.polygon(corners, colours["text"])
    return x + long + 30 * unit
