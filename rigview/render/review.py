"""The picture for a review: panes side by side, each named and measured, and what they show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont, ImageOps

from rigview.assets import theme
from rigview.core.arrays import ByteArray
from rigview.core.changes import Changes
from rigview.core.deform import Deformer, Frame
from rigview.core.metrics import Measure, Shape
from rigview.core.skinning import ASKED
from rigview.render import legend, overlay
from rigview.render.camera import Camera
from rigview.render.image import Target, straight_alpha
from rigview.render.look import Look
from rigview.render.overlay import Label
from rigview.render.passes import Renderer, side_by_side
from rigview.render.scalars import Before, changes_scale
from rigview.render.scene import Past, Scene
from rigview.render.vertex_stage import VertexStage

# Inter where it is installed, else what Linux desktops, Windows and macOS have.
_FONTS = (
    ("Inter-Medium.otf", "Inter-SemiBold.otf"),
    ("Inter-Medium.ttf", "Inter-SemiBold.ttf"),
    ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    ("segoeui.ttf", "seguisb.ttf"),
    ("Arial.ttf", "Arial Bold.ttf"),
)
_FONT_FOLDERS = (Path("/usr/share/fonts/opentype/inter"), Path("/usr/share/fonts/truetype/dejavu"))
_FOOTER = 24
# A picture of this height shows text at its design size.
_DESIGN_HEIGHT = 720


@dataclass(frozen=True)
class Review:
    """What to draw and what to write on it.

    Parameters
    ----------
    methods
        One pane each, from left to right.
    size
        Width and height of the whole picture in pixels.
    numbers
        Whether each pane states its method and what it costs the shape.
    caption
        The line below the panes; none where empty.
    shapes
        Method → what it costs the shape, as far as that is known already; the rest is measured.
    """

    methods: tuple[str, ...]
    camera: Camera
    look: Look
    size: tuple[int, int]
    numbers: bool = True
    caption: str = ""
    shapes: Mapping[str, Shape] = field(default_factory=dict)
    samples: int = 4


def draw(renderer: Renderer, scene: Scene, frame: Frame, review: Review) -> ByteArray:
    """Return the picture as ``(H, W, 4)`` bytes, straight alpha; needs a current context."""
    width, height = review.size
    scale = max(1.0, height / _DESIGN_HEIGHT)
    footer = round(_FOOTER * scale) if review.caption else 0
    spacing = max(1, round(2 * scale))
    panes = side_by_side(review.methods, width, height - footer, gap=spacing)
    target = Target(width, height - footer, review.samples)
    try:
        target.bind()
        renderer.draw(scene, frame, panes, review.camera, review.look, scale)
        pixels = straight_alpha(target.read())
    finally:
        target.close()
    colours = theme(review.look.theme)
    picture = Pillow.fromarray(pixels)
    picture = ImageOps.expand(picture, (0, 0, 0, footer), colours["background1"])
    ink = ImageDraw.Draw(picture, "RGBA")
    for pane in panes[1:]:
        gap = (pane.x - spacing, 0, pane.x - 1, height - footer)
        if not review.look.transparent:
            ink.rectangle(gap, colours["background0"])
    deformer = scene.deformer
    measure = Measure(deformer)
    for pane in panes:
        logical = (pane.width / scale, pane.height / scale)
        labels = overlay.joint_labels(deformer, frame, review.look, review.camera, logical)
        if review.look.marks:
            labels += overlay.gizmo(review.camera, logical[1], review.look)[1]
        for label in labels:
            _write(picture, label, (pane.x, pane.width), scale, colours)
        if review.numbers:
            shape = review.shapes.get(pane.method)
            if shape is None:
                skinned = deformer.skin_all(frame, ASKED[pane.method], review.look.options)
                shape = measure.shape(frame, skinned)
            _header(
                picture,
                pane.method,
                shape,
                (pane.x, pane.width),
                scale,
                colours,
            )
    if footer:
        font = _font(round(11 * scale), bold=False)
        ink.text(
            (10 * scale, height - footer / 2), review.caption, colours["text2"], font, anchor="lm"
        )
    return np.asarray(picture)


def render(
    deformer: Deformer, frame: Frame, review: Review, stage: VertexStage | None = None
) -> ByteArray:
    """Draw once, with buffers made and deleted; needs a current context."""
    renderer, scene = Renderer(), Scene(deformer, stage)
    try:
        return draw(renderer, scene, frame, review)
    finally:
        scene.close()
        renderer.close()


def compared(
    first: tuple[Deformer, Frame, str],
    second: tuple[Deformer, Frame, str],
    review: Review,
    changes: Changes,
) -> ByteArray:
    """Return two rigs side by side: the first in clay, the second as `review` says, and its legend.

    Parameters
    ----------
    first, second
        Each with its pose and caption.
    review
        Of one method; its size is that of the whole, and its caption is not used.
    changes
        From the first rig to the second.
    """
    width, height = review.size
    scale = max(1.0, height / _DESIGN_HEIGHT)
    foot, gap = round(legend.HEIGHT * scale), 2
    half = (width - gap) // 2
    plain = replace(review.look, shading="clay")
    colours = theme(review.look.theme)
    picture = Pillow.new("RGBA", (width, height), colours["background0"])
    renderer, scenes = Renderer(), (Scene(first[0]), Scene(second[0]))
    scenes[1].past = Past(scenes[0], Before(first[0], first[1], changes))
    try:
        for scene, (_, frame, words), look, left in zip(
            scenes, (first, second), (plain, review.look), (0, width - half), strict=True
        ):
            cell = replace(review, look=look, size=(half, height - foot), caption=words)
            picture.paste(Pillow.fromarray(draw(renderer, scene, frame, cell)), (left, 0))
    finally:
        for scene in scenes:
            scene.close()
        renderer.close()
    box = (0, height - foot, width, foot)
    legend.draw(picture, changes_scale(review.look.shading, changes), box, colours, _font)
    return np.asarray(picture)


def sheet(deformer: Deformer, frames: Sequence[tuple[Frame, str]], review: Review) -> ByteArray:
    """Return a contact sheet: one column per (frame, caption), one row per method.

    `review` says how large the whole is; its caption is not used.
    """
    width, height = review.size
    gap = 2
    across = [round(i * (width + gap) / len(frames)) for i in range(len(frames) + 1)]
    count = len(review.methods)
    down = [round(i * (height + gap) / count) for i in range(count + 1)]
    ground = "#00000000" if review.look.transparent else theme(review.look.theme)["background0"]
    picture = np.array(Pillow.new("RGBA", (width, height), ground))
    renderer, scene = Renderer(), Scene(deformer)
    try:
        for row, method in enumerate(review.methods):
            for column, (frame, words) in enumerate(frames):
                left, right = across[column], across[column + 1] - gap
                top, bottom = down[row], down[row + 1] - gap
                cell = replace(
                    review, methods=(method,), size=(right - left, bottom - top), caption=words
                )
                picture[top:bottom, left:right] = draw(renderer, scene, frame, cell)
    finally:
        scene.close()
        renderer.close()
    return picture


def shape_words(shape: Shape) -> list[tuple[str, str]]:
    """Return (name, value) of what is known of a pane's shape."""
    named = (("vol", shape.volume), ("bulge", shape.bulge))
    return [(name, percent(value)) for name, value in named if np.isfinite(value)]


def percent(share: float) -> str:
    """Return a signed percentage with a true minus sign; what rounds to nothing has no sign."""
    tenths = round(1000.0 * share) / 10.0
    if tenths == 0.0:
        return "0.0 %"
    return f"{'−' if tenths < 0.0 else '+'}{abs(tenths):.1f} %"


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


def _header(
    picture: Pillow.Image,
    method: str,
    shape: Shape,
    place: tuple[int, int],
    scale: float,
    colours: dict[str, str],
) -> None:
    """Write a pane's method and what it costs, on a ground that makes them legible on any mesh."""
    left, width = place
    title = _font(round(13 * scale), bold=True)
    small, strong = _font(round(11 * scale), bold=False), _font(round(11 * scale), bold=True)
    pieces = [(0.0, 8 * scale, ASKED[method].label, title, "text")]
    x, y = 0.0, 27 * scale
    for name, value in shape_words(shape):
        end = x + small.getlength(name) + 5 * scale + strong.getlength(value)
        if 16 * scale + end > width:
            break
        pieces.append((x, y, name, small, "text2"))
        pieces.append((x + small.getlength(name) + 5 * scale, y, value, strong, "text"))
        x = end + 12 * scale
    reach = max(at + font.getlength(text) for at, _, text, font, _ in pieces)
    lines = 44 if len(pieces) > 1 else 26
    box = (left + 4 * scale, 4 * scale, left + reach + 16 * scale, lines * scale)
    _ground(picture, box, 4 * scale, colours["background0"] + "99")
    ink = ImageDraw.Draw(picture)
    for at, down, text, font, token in pieces:
        ink.text((left + 10 * scale + at, down), text, colours[token], font)


def _write(
    picture: Pillow.Image,
    label: Label,
    place: tuple[int, int],
    scale: float,
    colours: dict[str, str],
) -> None:
    ink = ImageDraw.Draw(picture)
    left, room = place
    x, y = left + label.x * scale, label.y * scale
    if label.small:
        font = _font(round(10 * scale), bold=True)
        anchor = "mm" if len(label.text) == 1 else "lm"
        stroke = max(1, round(scale))
        ink.text(
            (x, y), label.text, colours[label.colour], font, anchor=anchor,
            stroke_width=stroke, stroke_fill=colours["viewport_bottom"],
        )  # fmt: skip
        return
    font = _font(round(11 * scale), bold=True)
    width, high = font.getlength(label.text) + 12 * scale, 18 * scale
    x = min(x, left + room - width - 6 * scale)
    if label.backed:
        box = (x, y, x + width, y + high)
        _ground(picture, box, 4 * scale, colours["background0"] + "c8")
    middle = (x + width / 2, y + high / 2)
    ink.text(middle, label.text, colours[label.colour], font, anchor="mm")


@cache
def _font(size: int, *, bold: bool) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    for names in _FONTS:
        name = names[int(bold)]
        for folder in (*_FONT_FOLDERS, None):
            try:
                return ImageFont.truetype(name if folder is None else str(folder / name), size)
            except OSError:
                continue
    return ImageFont.load_default(size)


def caption(file: str, clip: str | None, frame_number: float, seconds: float) -> str:
    """Return the line that says what a picture shows."""
    if clip is None:
        return f"{file}    rest pose"
    number = f"{frame_number:.1f}".removesuffix(".0")
    return f"{file}    {clip}    frame {number}    {seconds:.3f} s"


def method_names(methods: Sequence[str]) -> str:
    """Return panes as the command line writes them."""
    return ",".join(methods)
