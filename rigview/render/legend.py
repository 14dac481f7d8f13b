"""The legend below a picture: what the colours of scalar shading mean."""

from collections.abc import Callable

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from rigview.assets import colour_map, rgb
from rigview.render.scalars import Scale

# Pixels that it takes at its design size.
HEIGHT = 38

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont
# Size in pixels and whether it is bold → the font.
Fonts = Callable[..., Font]


def draw(
    picture: Pillow.Image,
    scale: Scale,
    box: tuple[int, int, int, int],
    colours: dict[str, str],
    fonts: Fonts,
) -> None:
    """Draw a legend into a box (left, top, width, height) of a picture, as large as the box is high."""
    left, top, width, height = box
    unit = height / HEIGHT
    ink = ImageDraw.Draw(picture)
    ink.rectangle((left, top, left + width, top + height), colours["background1"])
    middle = top + height / 2
    plain, bold, small = (
        fonts(round(size * unit), bold=strong)
        for size, strong in ((12, False), (12, True), (10, False))
    )
    x = left + 12 * unit
    ink.text((x, middle), scale.title, colours["text2"], plain, anchor="lm")
    x += plain.getlength(scale.title) + 6 * unit
    ink.text((x, middle), scale.name, colours["text"], bold, anchor="lm")
    x += bold.getlength(scale.name) + 32 * unit
    swatch = (x - 11 * unit, top + 8 * unit, x + 11 * unit, top + 18 * unit)
    ink.rectangle(swatch, colours["zero"], colours["edge"])
    ink.text((x, top + 27 * unit), "none", colours["text2"], small, anchor="mm")
    x += 34 * unit
    long = min(290 * unit, width - x + left - 24 * unit)
    _ramp(picture, scale.colour_map, (x, top + 8 * unit, long, 10 * unit))
    for place, text in scale.ticks:
        at = x + long * place
        ink.line((at, top + 18 * unit, at, top + 21 * unit), colours["text3"])
        ink.text((at, top + 27 * unit), text, colours["text2"], small, anchor="mm")
    room = left + width - 12 * unit - (x + long + 30 * unit)
    words = _shortened(scale.words, small, room)
    ink.text((left + width - 12 * unit, middle), words, colours["text2"], small, anchor="rm")


def _ramp(picture: Pillow.Image, name: str, box: tuple[float, float, float, float]) -> None:
    left, top, width, height = (max(1, round(number)) for number in box)
    texels = np.array([rgb(colour) for colour in colour_map(name)])
    row = texels[np.linspace(0, len(texels) - 1, width).round().astype(int)]
    strip = np.repeat((255.0 * row).round().astype(np.uint8)[None], height, axis=0)
    picture.paste(Pillow.fromarray(strip), (left, top))


def _shortened(text: str, font: Font, room: float) -> str:
    """Cut a text where it is longer than its room."""
    if font.getlength(text) <= room:
        return text
    while text and font.getlength(f"{text}…") > room:
        text = text[:-1]
    return f"{text.rstrip()}…" if text else ""
