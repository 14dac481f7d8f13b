"""The rows of a BVH: a clip of the channels of its joints."""

import re
from collections.abc import Sequence

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray, owned
from rigview.core.clip import Channel, Clip
from rigview.core.sampler import Path, Sampler
from rigview.io.bvh.hierarchy import Joint
from rigview.io.bvh.words import TOKEN, Tokens
from rigview.io.reading import LARGEST_NUMBER, LoadError, quoted

_AXES = {"x": 0, "y": 1, "z": 2}
# What old programs end or fill up a text with.
_FILLING = "\0\x1a"
_LEAST_FRAME_TIME = 1e-6
# 0.008333 s are meant to be 120 frames a second.
_ROUNDING = 1e-4
_FRAMES = re.compile(r"\s*FRAMES\b\s*:?\s*(?!FRAME)(?P<count>\S*)", re.IGNORECASE)
_FRAME_TIME = re.compile(r"\s*FRAME\s*TIME\s*:?", re.IGNORECASE)
# More lines that are too short are not told of.
_MOST_TOLD = 8


def read_motion(
    tokens: Tokens, joints: list[Joint], name: str
) -> tuple[tuple[Clip, ...], float | None]:
    """Read the rows of motion; return the clip, if there is any row, and the frame rate."""
    notes = tokens.notes
    if tokens.is_over:
        notes.append("the file states no motion")
        return (), None
    counted = tokens.match(_FRAMES)
    stated = counted["count"] if counted else ""
    if tokens.match(_FRAME_TIME) is None:
        wanted = "FRAME TIME:" if counted else "FRAMES:"
        tokens.fail(wanted, tokens.next(wanted))
    frame_time = tokens.number()
    is_possible = _LEAST_FRAME_TIME <= frame_time < np.inf
    impossible = tokens.error(f"a frame cannot last {frame_time:g} s")
    width = sum(len(joint.channels) for joint in joints)
    rows = _rows(tokens, width, stated)
    # How long a single frame lasts does not matter.
    if not is_possible and (frame_time != 0.0 or len(rows) > 1):
        raise impossible
    if stated != str(len(rows)):
        frames = f"{quoted(stated)} frames" if stated else "no number of frames"
        notes.append(f"the header states {frames}, and there are {len(rows):,} rows: all are used")
    clips: tuple[Clip, ...] = ()
    if len(rows):
        clips = (
            _clip(joints, rows, frame_time * np.arange(len(rows), dtype=np.float64), name, notes),
        )
    return clips, _rate(frame_time) if is_possible else None


def _rate(frame_time: float) -> float:
    """Return frames a second: the whole number where the time is that of one, rounded."""
    rate = 1.0 / frame_time
    return round(rate) if abs(round(rate) - rate) <= _ROUNDING * rate else rate


def _rows(tokens: Tokens, width: int, stated: str) -> FloatArray:
    """Return ``(frames, width)`` numbers."""
    words = tokens.rest()
    try:
        values = np.array(words, dtype=np.float64)
    except ValueError:
        values = _unusual(tokens, words)
    if not width:
        return np.zeros((0, 0))
    left = len(values) % width
    rows = _lines(tokens, width, values, stated) if left else values.reshape(-1, width)
    if rows is None:
        tokens.notes.append(f"the last row has {left} of {width} numbers and is left out")
        rows = values[: len(values) // width * width].reshape(-1, width)
    # What is no number, or of no possible size, is no key.
    return np.where(np.abs(rows) <= LARGEST_NUMBER, rows, np.nan)


def _lines(tokens: Tokens, width: int, values: FloatArray, stated: str) -> FloatArray | None:
    """Return ``(frames, width)`` numbers where every line is a row and some have too many or too few.

    None where rows go on over lines, and where nothing but the end is missing.

    Raises
    ------
    LoadError
        If no row has enough.
    """
    lengths = [len(line.split()) for line in tokens.text[tokens.end :].splitlines()]
    sizes = np.array([length for length in lengths if length])
    starts = np.cumsum(sizes) - sizes
    # What fills up the text is no number.
    sizes = np.minimum(sizes, len(values) - starts)
    long = sizes >= width
    if stated == str(len(sizes)) and not long.any() and len(sizes) > 1:
        raise tokens.error(f"the rows have up to {sizes.max()} numbers for {width} channels")
    if 2 * np.count_nonzero(long & (sizes < 2 * width)) <= len(sizes):
        return None
    rows = np.full((len(sizes), width), np.nan)
    rows[long] = values[starts[long, None] + np.arange(width)]
    if (sizes > width).any():
        text = f"what stands behind the {width} numbers of a row is ignored"
        tokens.notes.append(text)
    short = np.flatnonzero(~long)
    for row in short[:_MOST_TOLD]:
        which = "the last row" if row == len(rows) - 1 else f"row {row + 1:,}"
        tokens.notes.append(f"{which} has {sizes[row]} of {width} numbers and is left out")
    return rows[: len(rows) - (not long[-1])]


def _unusual(tokens: Tokens, words: list[str]) -> FloatArray:
    """Return the numbers in words that are not all written as usual."""
    while words and not words[-1].strip(_FILLING):
        words.pop()
    try:
        return np.array([*map(tokens.plain, words)], dtype=np.float64)
    except ValueError:
        raise _bad_number(tokens) from None


def _bad_number(tokens: Tokens) -> LoadError:
    for found in TOKEN.finditer(tokens.text, tokens.end):
        try:
            float(tokens.plain(found[0]))
        except ValueError:
            return tokens.error(f"wanted a number, found {quoted(found[0])}", found.start())
    return tokens.error("a number is damaged", tokens.end)


def _clip(
    joints: list[Joint], rows: FloatArray, times: FloatArray, name: str, notes: list[str]
) -> Clip:
    widths = [len(joint.channels) for joint in joints]
    starts = np.cumsum([0, *widths[:-1]])
    alike: dict[tuple[str, ...], list[int]] = {}
    for number, joint in enumerate(joints):
        alike.setdefault(joint.channels, []).append(number)
    times = owned(times)
    found: list[list[Channel]] = [[] for _ in joints]
    for named, numbers in alike.items():
        values = rows[:, starts[numbers][:, None] + np.arange(len(named))].swapaxes(0, 1)
        offsets = np.array([joints[number].offset for number in numbers])
        paths: list[tuple[Path, FloatArray | None]] = [
            ("translation", _positions(named, values, offsets)),
            ("rotation", _rotations(named, values)),
        ]
        for path, curves in paths:
            for number, curve in zip(
                numbers, () if curves is None else owned(curves), strict=False
            ):
                found[number].append(Channel(number, path, Sampler(times, curve)))
    ignored = {named: _ignored(named) for named in alike}
    notes.extend(
        f"the channel {quoted(channel)} of {quoted(joint.name)} is ignored"
        for joint in joints
        for channel in ignored[joint.channels]
    )
    return Clip(name, tuple(channel for channels in found for channel in channels))


def _ignored(names: Sequence[str]) -> list[str]:
    """Return the channels that are neither of a position nor of a rotation."""
    known = {i for kind in ("position", "rotation") for i, _ in column_axes(names, kind)}
    return [channel for i, channel in enumerate(names) if i not in known]


def column_axes(names: Sequence[str], kind: str) -> list[tuple[int, int]]:
    """Return the columns of the channels of a kind, in file order, each with its axis."""
    channels = enumerate(names)
    named = [(i, c.removesuffix(kind)) for i, c in channels if c.endswith(kind)]
    return [(i, _AXES[name]) for i, name in named if name in _AXES]


def _positions(names: Sequence[str], values: FloatArray, offsets: FloatArray) -> FloatArray | None:
    """Return ``(J, F, 3)`` where joints of ``(J, 3)`` offsets are, of ``(J, F, c)`` channels."""
    axes = column_axes(names, "position")
    if not axes:
        return None
    result = np.repeat(offsets[:, None], values.shape[1], axis=1)
    for column, axis in axes:
        result[..., axis] = values[..., column]
    return result


def _rotations(names: Sequence[str], values: FloatArray) -> FloatArray | None:
    """Return ``(J, F, 4)`` how joints are turned, of ``(J, F, c)`` channels."""
    axes = column_axes(names, "rotation")
    if not axes:
        return None
    result = np.broadcast_to(np.array(quat.IDENTITY), (*values.shape[:2], 4))
    for column, axis in axes:
        turn = quat.from_axis_angle(np.eye(3)[axis], np.radians(values[..., column]))
        result = quat.multiply(result, turn)
    return result
