"""The picture for a review: panes side by side, each named and measured, and what they show."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageOps

from rigview.assets import theme
from rigview.core import escape
from rigview.core.arrays import ByteArray
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.measures.worst_poses import WorstRegion, worst_regions, worst_words
from rigview.core.skinning import ASKED
from rigview.core.weight_changes import Changes
from rigview.render import joint_labels, legend, overlay, overlay_legend, pane_text
from rigview.render.camera import Camera
from rigview.render.framing import reach, still_points, visible_points
from rigview.render.heat import heats
from rigview.render.image import Framebuffer, straight_alpha
from rigview.render.ink import draw_notes
from rigview.render.look import Look
from rigview.render.note_view import NumberedNote, pane_of
from rigview.render.passes import Pane, Renderer, side_by_side
from rigview.render.scales import Shown, changes_scale, has_scale, scale_of
from rigview.render.scene import Before, Past, Scene
from rigview.render.vertex_stage import VertexStage

_FOOTER = 24
# A strip above a pane, with its numbers beside the method or below it.
_ONE_LINE, _TWO_LINES = 28, 44
# A picture of this height shows text at its design size.
_DESIGN_HEIGHT = 720
# A cell of a sheet is so high at least where the axes of the world in its corner leave room for the rig.
_LEAST_FOR_AXES = 160
# The side of what is drawn in one go: 512 MiB with four samples. Drivers refuse more, at the latest 16384.
_LARGEST_TILE = 4096
_Spans = list[tuple[int, int]]


@dataclass(frozen=True)
class Review:
    """What to draw and what to write beside it.

    Parameters
    ----------
    methods
        One pane each, from left to right.
    size
        Width and height of the whole picture in pixels.
    numbers
        Whether a strip above each pane states its method and what it costs the shape.
    legend
        Whether a strip below the panes explains the colours, where they are numbers.
    names_colours
        Whether the first pane says which ghost and trail is of which colour.
    caption
        The line below everything; none where empty.
    cameras
        Pane → its own camera, of those that are not seen by that of the picture.
    worst
        Method → its worst region in the pose, as far as that is known already; the rest is measured.
    notes
        What reviewers wrote on this frame, each in the pane of its method.
    zoom
        Below 1 for a small picture of a larger one: strips and words are as much smaller.
    """

    methods: tuple[str, ...]
    camera: Camera
    look: Look
    size: tuple[int, int]
    numbers: bool = True
    legend: bool = True
    names_colours: bool = True
    caption: str = ""
    cameras: Mapping[int, Camera] = field(default_factory=dict)
    worst: Mapping[str, WorstRegion | None] = field(default_factory=dict)
    notes: tuple[NumberedNote, ...] = ()
    samples: int = 4
    zoom: float = 1.0

    def camera_of(self, pane: int) -> Camera:
        """Return the camera of a pane: its own, or that of the picture."""
        return self.cameras.get(pane, self.camera)

    def seen_by(self, moved: Callable[[Camera], Camera]) -> "Review":
        """Return the picture with all its cameras moved."""
        cameras = {pane: moved(camera) for pane, camera in self.cameras.items()}
        return replace(self, camera=moved(self.camera), cameras=cameras)

    @property
    def scale(self) -> float:
        """Pixels per pixel of the design."""
        return self.zoom * max(1.0, self.size[1] / self.zoom / _DESIGN_HEIGHT)

    def zoomed(self, zoom: float) -> "Review":
        """Return a smaller picture that looks the same."""
        width, height = (max(1, round(zoom * side)) for side in self.size)
        return replace(self, size=(width, height), zoom=zoom * self.zoom)

    @property
    def aspect(self) -> float:
        """Width over height of a pane."""
        pane = _layout(self).panes[0]
        return pane.width / pane.height


@dataclass(frozen=True)
class _Layout:
    """Where things are, in pixels: the panes, and how high the strips above and below them are.

    Parameters
    ----------
    scale
        Pixels per pixel of the design.
    lines
        Of text in the strips above the panes.
    """

    scale: float
    gap: int
    panes: tuple[Pane, ...]
    header: int
    lines: int
    legend: int
    footer: int


def _layout(review: Review) -> _Layout:
    """Divide a picture; strips that would leave the panes less than half of it are left out."""
    width, height = review.size
    scale = review.scale
    gap = max(1, round(2 * scale))
    titles = [ASKED[method].label for method in review.methods]
    pane_width = side_by_side(review.methods, width, height, gap)[0].width
    lines = 1 if pane_text.fits_one_line(titles, pane_width, scale) else 2
    coloured = review.legend and has_scale(review.look) and width >= legend.LEAST * scale
    room = height // 2
    strips = []
    for wanted, high in (
        (review.numbers, _ONE_LINE if lines == 1 else _TWO_LINES),
        (bool(review.caption), _FOOTER),
        (coloured, legend.HEIGHT),
    ):
        strip = round(high * scale) if wanted else 0
        strips.append(strip if strip <= room else 0)
        room -= strips[-1]
    header, footer, explained = strips
    panes = side_by_side(review.methods, width, height - sum(strips), gap=gap)
    seen = tuple(replace(pane, camera=review.cameras.get(n)) for n, pane in enumerate(panes))
    return _Layout(scale, gap, seen, header, lines, explained, footer)


def draw(renderer: Renderer, scene: Scene, frame: Frame, review: Review) -> ByteArray:
    """Return the picture as ``(H, W, 4)`` bytes, straight alpha; needs a current context."""
    panes = draw_panes(renderer, scene, frame, review)
    known = measured(scene.joint_meter, frame, review)
    return with_words(panes, scene.deformer, frame, replace(review, worst=known))


def draw_panes(renderer: Renderer, scene: Scene, frame: Frame, review: Review) -> ByteArray:
    """Return the panes of a picture alone, ``(h, W, 4)`` as drawn; needs a current context."""
    layout = _layout(review)
    look = review.look
    if look.shading == "heat":
        scene.heats = heats(scene.joint_meter, frame, review.methods, look.options, look.measure)
    width, height = review.size[0], layout.panes[0].height
    pixels = np.zeros((height, width, 4), dtype=np.uint8)
    for (bottom, top), (left, right) in product(_tiles(height), _tiles(width)):
        panes = [replace(pane, x=pane.x - left, y=pane.y - bottom) for pane in layout.panes]
        target = Framebuffer(right - left, top - bottom, review.samples)
        try:
            target.bind()
            renderer.draw(scene, frame, panes, review.camera, review.look, layout.scale)
            pixels[height - top : height - bottom, left:right] = target.read()
        finally:
            target.close()
    return pixels


def _tiles(length: int) -> _Spans:
    """Divide a side into as few equal parts as a driver has memory for."""
    count = -(-length // _LARGEST_TILE)
    return _spans(length, count, gap=0)


def with_words(pixels: ByteArray, deformer: Deformer, frame: Frame, review: Review) -> ByteArray:
    """Return ``(H, W, 4)``: the panes of `draw_panes` with all words; any thread can do that."""
    width, height = review.size
    layout = _layout(review)
    scale, below = layout.scale, layout.legend + layout.footer
    high = layout.panes[0].height
    colours = theme(review.look.theme)
    picture = Pillow.fromarray(straight_alpha(pixels))
    picture = ImageOps.expand(picture, (0, layout.header, 0, below), colours["background1"])
    paper = pane_text.Paper(picture, colours, scale)
    ink = ImageDraw.Draw(picture, "RGBA")
    for pane in layout.panes[1:]:
        # What is behind a transparent picture shows between the panes, too.
        bottom = layout.header + (0 if review.look.transparent else high)
        if bottom:
            ink.rectangle((pane.x - layout.gap, 0, pane.x - 1, bottom - 1), colours["background0"])
    _label(paper, deformer, frame, review, layout)
    for number, pane in enumerate(layout.panes):
        own = [one for one in review.notes if pane_of(one.note, review.methods) == number]
        if own:
            box = (pane.x, layout.header, pane.width, high)
            draw_notes(paper, box, own, review.camera_of(number))
    if layout.header:
        _name(paper, deformer, frame, review, layout)
    explained = scale_of(Shown(deformer, review.look, review.methods))
    if layout.legend and explained is not None:
        legend.draw(picture, explained, (0, height - below, width, layout.legend), colours)
    if layout.footer:
        small = pane_text.font(round(11 * scale), bold=False)
        # Clip and time are at the end, and what tells the cells of a sheet apart.
        room = width - 20 * scale
        words = pane_text.shortened(escape.label(review.caption), small, room, keep_end=True)
        at = (10 * scale, height - layout.footer / 2)
        ink.text(at, words, colours["text2"], small, anchor="lm")
    return np.asarray(picture)


def _label(
    paper: pane_text.Paper, deformer: Deformer, frame: Frame, review: Review, layout: _Layout
) -> None:
    """Write names of joints and axes into the panes."""
    for pane in layout.panes:
        logical = (pane.width / layout.scale, pane.height / layout.scale)
        camera = pane.camera or review.camera
        labels = joint_labels.joint_labels(deformer, frame, review.look, camera, logical)
        if review.names_colours and pane is layout.panes[0]:
            labels += overlay_legend.labels(deformer, review.look, colours=review.look.marks)
        if review.look.marks:
            labels += overlay.gizmo(camera, logical[1], review.look)[1]
        for label in labels:
            pane_text.write_label(paper, label, (pane.x, layout.header, pane.width))


def _name(
    paper: pane_text.Paper, deformer: Deformer, frame: Frame, review: Review, layout: _Layout
) -> None:
    """Write above each pane its method and what that costs the shape."""
    worst = measured(JointMeter(deformer), frame, review)
    for pane in layout.panes:
        box = (pane.x, 0, pane.width, layout.header)
        label = ASKED[pane.method].label
        pane_text.write_header(
            paper, label, _costs(deformer, worst[pane.method]), box, layout.lines
        )


def _costs(deformer: Deformer, worst: WorstRegion | None) -> pane_text.Costs:
    """Return what a header says of a region, in the colours that the window has for it."""
    if worst is None:
        return pane_text.Costs()
    joint, value = worst_words(worst, escape.label(deformer.rig.nodes.label(worst.joint)))
    token = "text2" if worst.level == "fine" else worst.level
    return pane_text.Costs(joint, value, token)


def measured(meter: JointMeter, frame: Frame, review: Review) -> Mapping[str, WorstRegion | None]:
    """Return the worst region under every method of a picture; nothing where no numbers are shown."""
    missing = [method for method in review.methods if method not in review.worst]
    if not review.numbers or not missing:
        return review.worst
    if not meter.deformer.skins:
        return {**review.worst, **dict.fromkeys(missing)}
    return {**review.worst, **worst_regions(meter, frame, missing, review.look.options)}


@contextmanager
def easel(
    deformer: Deformer, stage: VertexStage | None = None
) -> Iterator[Callable[[Frame, Review], ByteArray]]:
    """Give what draws pictures ``(H, W, 4)`` of one rig; needs a current context.

    Its buffers are made once, and deleted at the end of the ``with`` block.
    """
    renderer, scene = Renderer(), Scene(deformer, stage)
    try:
        yield lambda frame, review: draw(renderer, scene, frame, review)
    finally:
        scene.close()
        renderer.close()


def render(
    deformer: Deformer, frame: Frame, review: Review, stage: VertexStage | None = None
) -> ByteArray:
    """Draw one picture ``(H, W, 4)``; needs a current context."""
    with easel(deformer, stage) as paint:
        return paint(frame, review)


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
    scale = review.scale
    foot, gap = round(legend.HEIGHT * scale), 2
    half = (width - gap) // 2
    plain = replace(review.look, shading="clay")
    colours = theme(review.look.theme)
    picture = Pillow.new("RGBA", (width, height), colours["background0"])
    renderer, scenes = Renderer(), (Scene(first[0]), Scene(second[0]))
    scenes[1].past = Past(scenes[0], Before(first[0], first[1], changes))
    try:
        for scene, (deformer, frame, words), look, left in zip(
            scenes, (first, second), (plain, review.look), (0, width - half), strict=True
        ):
            cell = replace(
                review,
                look=replace(look, hidden=deformer.rig.hidden),
                size=(half, height - foot),
                caption=words,
                legend=False,
            )
            picture.paste(Pillow.fromarray(draw(renderer, scene, frame, cell)), (left, 0))
    finally:
        for scene in scenes:
            scene.close()
        renderer.close()
    box = (0, height - foot, width, foot)
    legend.draw(picture, changes_scale(review.look.shading, changes), box, colours)
    return np.asarray(picture)


class SheetColumn(NamedTuple):
    """A column of a contact sheet: its pose and caption, its notes, and a camera of its own if any."""

    frame: Frame
    caption: str
    notes: tuple[NumberedNote, ...] = ()
    camera: Camera | None = None


def sheet(
    deformer: Deformer,
    frames: Sequence[SheetColumn],
    review: Review,
    tell: Callable[[str, float], None],
) -> ByteArray:
    """Return a contact sheet: one row per method, one legend.

    `review` says how large the whole is; its caption, notes and `worst` are not used.

    Parameters
    ----------
    tell
        Is told what is under way and how much is done, 0 to 1; what it raises ends the work.
    """
    width, height = review.size
    rows, columns, foot = _cells(review, len(frames))
    colours = theme(review.look.theme)
    ground = "#00000000" if review.look.transparent else colours["background0"]
    picture = Pillow.new("RGBA", (width, height), ground)
    with easel(deformer) as paint:
        cells = len(rows) * len(columns)
        for i, (method, (top, bottom)) in enumerate(zip(review.methods, rows, strict=True)):
            for j, (given, (left, right)) in enumerate(zip(frames, columns, strict=True)):
                column = SheetColumn(*given)
                number = i * len(columns) + j
                tell(f"picture {number + 1} of {cells}", number / cells)
                cell = _cell(review, method, (right - left, bottom - top), column.caption)
                cell = replace(cell, camera=review.camera_of(i))
                cell = _noted(cell, review.methods, column)
                cell = replace(cell, names_colours=(left, top) == (0, 0))
                picture.paste(Pillow.fromarray(paint(column.frame, cell)), (left, top))
    explained = scale_of(Shown(deformer, review.look, review.methods[:1]))
    if foot and explained is not None:
        legend.draw(picture, explained, (0, height - foot, width, foot), colours)
    return np.asarray(picture)


def _noted(cell: Review, methods: Sequence[str], column: SheetColumn) -> Review:
    """Return a cell with the notes that are about its method, seen by the column's camera."""
    row = methods.index(cell.methods[0])
    own = tuple(one for one in column.notes if pane_of(one.note, methods) == row)
    return replace(cell, notes=own, camera=column.camera or cell.camera)


def sheet_aspect(review: Review, columns: int) -> float:
    """Return width over height of the panes of a contact sheet."""
    ((top, bottom), *_), ((left, right), *_), _ = _cells(review, columns)
    return _cell(review, review.methods[0], (right - left, bottom - top), "-").aspect


def framing_all(deformer: Deformer, frames: Sequence[Frame], review: Review) -> Review:
    """Return a contact sheet whose cameras have all poses in view.

    One camera for all poses, so that what moves is seen to move.
    """
    clouds = [visible_points(deformer, frame, review.look.hidden) for frame in frames]
    points = np.concatenate([*clouds, still_points(deformer, review.look)])
    aspect = sheet_aspect(review, len(frames))
    far = reach(deformer, frames[0], clouds[0], review.look.hidden) if frames else None
    return review.seen_by(lambda camera: camera.framed(points, aspect, far))


def _cells(review: Review, columns: int) -> tuple[_Spans, _Spans, int]:
    """Return top and bottom of each row, left and right of each column, and the legend's height."""
    width, height = review.size
    scale = review.scale
    foot = round(legend.HEIGHT * scale)
    coloured = review.legend and has_scale(review.look)
    if not coloured or width < legend.LEAST * scale or 4 * foot > height:
        foot = 0
    rows = _spans(height - foot, len(review.methods))
    return rows, _spans(width, columns), foot


def _spans(length: int, count: int, gap: int = 2) -> _Spans:
    edges = [round(i * (length + gap) / count) for i in range(count + 1)]
    return [(start, end - gap) for start, end in pairwise(edges)]


def _cell(review: Review, method: str, size: tuple[int, int], words: str) -> Review:
    cell = replace(
        review, methods=(method,), size=size, caption=words, legend=False, worst={}, cameras={}
    )
    small = _layout(cell).panes[0].height < _LEAST_FOR_AXES * cell.scale
    return replace(cell, look=replace(cell.look, marks=cell.look.marks and not small))


def caption(file: str, clip: str | None, frame_number: float, seconds: float) -> str:
    """Return the line that says what a picture shows."""
    if clip is None:
        return f"{file}    rest pose"
    number = f"{frame_number:.1f}".removesuffix(".0")
    return f"{file}    {clip}    frame {number}    {seconds:.3f} s"
