"""The texts that a window paints, each with its colour and with what it stands on."""

import re
from dataclasses import dataclass
from xml.etree import ElementTree as ET

import numpy as np
from hands import pixels
from PySide6.QtCore import QBuffer, QPoint, QRect, QRectF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTransform
from PySide6.QtSvg import QSvgGenerator

_SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Text:
    """A text in a window: its logical pixels, its colour, and the colour of most pixels there."""

    words: str
    area: QRect
    colour: str
    ground: str

    @property
    def contrast(self):
        """The ratio of luminances by WCAG 2, from 1 to 21."""
        light, dark = sorted(map(luminance, (self.colour, self.ground)), reverse=True)
        return (light + 0.05) / (dark + 0.05)


def luminance(colour):
    """Return the relative luminance of ``#rrggbb`` by WCAG 2."""
    shares = QColor(colour).getRgbF()[:3]
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))


def texts(widget):
    """Return what is written in a widget and all in it, as it is painted now."""
    shown = pixels(widget.grab())
    found = []
    for words, area, colour in _written(widget):
        seen = area.intersected(widget.rect())
        if words.strip() and seen.width() > 2 and seen.height() > 2:
            found.append(Text(words, seen, colour, _most(shown, seen)))
    return found


def _written(widget):
    """Yield words, area and colour of every text that the widget hands to a painter."""
    buffer = QBuffer()
    drawing = QSvgGenerator()
    drawing.setOutputDevice(buffer)
    drawing.setResolution(widget.logicalDpiX())
    drawing.setSize(widget.size())
    drawing.setViewBox(widget.rect())
    painter = QPainter(drawing)
    widget.render(painter, QPoint())
    painter.end()
    root = ET.fromstring(bytes(buffer.data()).decode())
    for group in root.iter(f"{_SVG}g"):
        for text in group.findall(f"{_SVG}text"):
            yield _placed(text, group)


def _placed(text, group):
    numbers = re.findall(r"[-+.\de]+", group.get("transform", "").removeprefix("matrix"))
    to_widget = QTransform(*(float(n) for n in numbers)) if len(numbers) == 6 else QTransform()
    font = QFont(text.get("font-family", "").strip("'\""))
    font.setPixelSize(max(1, round(float(text.get("font-size")))))
    font.setWeight(QFont.Weight(int(text.get("font-weight", "400"))))
    words = text.text or ""
    box = QFontMetricsF(font).tightBoundingRect(words)
    box.translate(float(text.get("x", 0)), float(text.get("y", 0)))
    return words, to_widget.mapRect(QRectF(box)).toAlignedRect(), text.get("fill")


def _most(shown, area):
    """Return the colour of most pixels in a rectangle and two pixels around it."""
    height, width = shown.shape[:2]
    left, top = max(area.left() - 2, 0), max(area.top() - 2, 0)
    part = shown[top : min(area.bottom() + 3, height), left : min(area.right() + 3, width)]
    colours, counts = np.unique(part.reshape(-1, 3), axis=0, return_counts=True)
    return "#{:02x}{:02x}{:02x}".format(*colours[counts.argmax()])
