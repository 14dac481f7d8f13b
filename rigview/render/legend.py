"""The legend below a picture: what the colours of scalar shading mean."""

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw

from rigview.assets import colour_map, rgb
from rigview.render import writing
from rigview.render.scales import Scale

# Pixels that it takes at its design size, and how wide it must be to be worth drawing.
HEIGHT, LEAST = 38, 320
# Pixels of the ramp at its longest, and of what it leaves to the name at its shortest.
_LONGEST, _SHORTEST = 290, 140


def draw(
    picture: Pillow.Image,
    scale: Scale,
    box: tuple[int, int, int, int],
    colours: dict[str, str],
) -> None:
    """Draw a legend into a box (left, top, width, height) of a picture, as large as the box is high."""
    left, top, width, height = box
    unit = height / HEIGHT
    ink = ImageDraw.Draw(picture)
    ink.rectangle((left, top, left + width - 1, top + height - 1), colours["background1"])
    middle = top + height / 2
    plain, bold, small = (
        writing.font(round(size * unit), bold=strong)
        for size, strong in ((12, False), (12, True), (10, False))
    )
    x = left + 12 * unit
    ink.text((x, middle), scale.title, colours["text2"], plain, anchor="lm")
    if not scale.name:
        return
    x += plain.getlength(scale.title) + 6 * unit
    # What follows the name: the swatch of "none", the ramp and the margin.
    name = writing.shortened(scale.name, bold, left + width - x - (90 + _SHORTEST) * unit)
    ink.text((x, middle), name, colours["text"], bold, anchor="lm")
    x += bold.getlength(name) + 32 * unit
    swatch = (x - 11 * unit, top + 8 * unit, x + 11 * unit, top + 18 * unit)
    ink.rectangle(swatch, colours["zero"], colours["edge"])
    ink.text((x, top + 27 * unit), "none", colours["text2"], small, anchor="mm")
    x += 34 * unit
    long = min(_LONGEST * unit, width - x + left - 24 * unit)
    _ramp(picture, scale.colour_map, (x, top + 8 * unit, long, 10 * unit))
    for place, text in scale.ticks:
        at = x + long * place
        ink.line((at, top + 18 * unit, at, top + 21 * unit), colours["text3"])
        ink.text((at, top + 27 * unit), text, colours["text2"], small, anchor="mm")
    if scale.marker is not None:
        at = x + long * min(max(scale.marker, 0.0), 1.0)
        corners = [
            (at, top + 9 * unit),
            (at - 4 * unit, top + 2 * unit),
            (at + 4 * unit, top + 2 * unit),
        ]
        ink.polygon(corners, colours["text"])
    room = left + width - 12 * unit - (x + long + 30 * unit)
    words = writing.shortened(scale.words, small, room)
    ink.text((left + width - 12 * unit, middle), words, colours["text2"], small, anchor="rm")


def _ramp(picture: Pillow.Image, name: str, box: tuple[float, float, float, float]) -> None:
    left, top, width, height = (max(1, round(number)) for number in box)
    texels = np.array([rgb(colour) for colour in colour_map(name)])
    row = texels[np.linspace(0, len(texels) - 1, width).round().astype(int)]
    strip = np.repeat((255.0 * row).round().astype(np.uint8)[None], height, axis=0)
    picture.paste(Pillow.fromarray(strip), (left, top))
