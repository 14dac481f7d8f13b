"""Films by PyAV: H.264 in MP4 and VP9 in WebM, with their colours stated.

H.264 is ITU-T H.264; the colour description is that of ITU-T H.273 (BT.709, limited range).
"""

import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, cast

import numpy as np

from rigview.core.arrays import ByteArray
from rigview.core.errors import RigviewError

if TYPE_CHECKING:
    from av.video.stream import VideoStream

# BT.709 in the numbering of H.273, and limited range as FFmpeg numbers it.
_BT709, _LIMITED = 1, 1
# Rates are rounded to two digits, so 23.976 is written as 23.98 too.
_NTSC = 0.006


class VideoError(RigviewError):
    """A film that cannot be made, in one sentence."""


@dataclass(frozen=True)
class Video:
    """A kind of film.

    Parameters
    ----------
    container, codec
        As FFmpeg calls them.
    options
        Of the encoder.
    """

    name: str
    suffix: str
    container: str
    codec: str
    options: Mapping[str, str]


# At these qualities our pictures lose nothing that one sees.
VIDEOS: tuple[Video, ...] = (
    Video(
        "MP4",
        ".mp4",
        "mp4",
        "libx264",
        {"crf": "18", "preset": "medium"},
    ),
    Video(
        "WebM",
        ".webm",
        "webm",
        "libvpx-vp9",
        {"crf": "24", "b": "0", "cpu-used": "4", "row-mt": "1"},
    ),
)
BY_SUFFIX: dict[str, Video] = {video.suffix: video for video in VIDEOS}


def require() -> None:
    """See whether films can be made.

    Raises
    ------
    VideoError
        If PyAV is not installed.
    """
    try:
        import av  # noqa: F401 - only whether it is there
    except ImportError:
        raise VideoError("films need PyAV: pip install 'rigview[video]'") from None


def encode(pictures: Iterable[ByteArray], video: Video, rate: float) -> bytes:
    """Return a film.

    Parameters
    ----------
    pictures
        ``(H, W, 4)`` bytes, all of one size; an odd side gets one more row or column, since colour is
        stored for two by two pixels.
    rate
        Pictures a second.

    Raises
    ------
    VideoError
        If PyAV is not installed, or has not this encoder.
    """
    require()
    import av

    if video.codec not in av.codecs_available:
        raise VideoError(f"this PyAV has no encoder {video.codec}, which {video.name} needs")
    stream_out = io.BytesIO()
    each = iter(pictures)
    first = _even(next(each))
    with av.open(stream_out, "w", format=video.container) as container:
        made = container.add_stream(video.codec, rate=exact_rate(rate), options=dict(video.options))
        stream = cast("VideoStream", made)
        context = stream.codec_context
        context.height, context.width = first.shape[:2]
        context.pix_fmt = "yuv420p"
        context.colorspace = context.color_primaries = context.color_trc = _BT709
        context.color_range = _LIMITED
        for pixels in _all(first, each):
            frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
            frame = frame.reformat(
                format="yuv420p",
                src_colorspace="ITU709",
                dst_colorspace="ITU709",
                src_color_range="JPEG",
                dst_color_range="MPEG",
            )
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return stream_out.getvalue()


def exact_rate(rate: float) -> Fraction:
    """Return a rate as films state it: 29.97 is 30000 / 1001, as of NTSC and its kin."""
    whole = Fraction(round(rate))
    slower = whole * 1000 / 1001
    if whole and whole != rate and abs(float(slower) - rate) < _NTSC:
        return slower
    return Fraction(rate).limit_denominator(1001)


def _all(first: ByteArray, others: Iterator[ByteArray]) -> Iterator[ByteArray]:
    yield first
    for pixels in others:
        yield _even(pixels)


def _even(pixels: ByteArray) -> ByteArray:
    """Return ``(H, W, 3)`` with even sides."""
    height, width = pixels.shape[:2]
    padded = np.pad(pixels[..., :3], ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
    return np.ascontiguousarray(padded)
