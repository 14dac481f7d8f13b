"""Biovision hierarchies (.bvh): a skeleton and one clip, no mesh.

The format has no standard beyond its examples. A channel of position stands instead of the same
component of OFFSET, as MotionBuilder writes and Blender reads it; rotations apply in the order of
their channels, which may differ from joint to joint. Neither unit nor up axis is stated: the unit is
guessed from the height of the first pose, and +Y is taken for up.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NoReturn

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray
from rigview.core.clip import Channel, Clip, Sampler
from rigview.core.nodes import Nodes
from rigview.core.placement import scaled
from rigview.core.pose import model_from_nodes, sample
from rigview.core.rig import Origin, Rig
from rigview.io.files import read_file
from rigview.io.reading import Listener, Loaded, LoadError, quoted

_AXES = {"x": 0, "y": 1, "z": 2}
_TOKEN = re.compile(r"[{}]|[^\s{}]+")
_NUMBERS = re.compile(r"(?:\s+[-+.\d][^\s{}]*)*")
_CHANNELS = re.compile(
    r"(?:\s+(?!(?:ROOT|JOINT|END|ENDSITE|OFFSET|CHANNELS|MOTION)\b)[^\s{}]+)*", re.IGNORECASE
)
_NO_NUMBER = re.compile(r"[-+]?(1\.#\w+|s?nan\(\w*\))", re.IGNORECASE)
# What old programs end or fill up a text with.
_FILLING = "\0\x1a"
# Units in the order in which they are believed if a skeleton has a person's height in them; the
# last but one is that of the CMU motion capture database, 1/0.45 inches.
_UNITS = (
    ("metres", 1.0),
    ("centimetres", 0.01),
    ("inches", 0.0254),
    ("units of 1/0.45 inches", 0.0254 / 0.45),
    ("millimetres", 0.001),
)
_PERSON = (1.0, 2.5)
_MIDDLE = 1.7
_LEAST_FRAME_TIME = 1e-6
# 0.008333 s are meant to be 120 frames a second.
_ROUNDING = 1e-4
_COMMENT = re.compile(r"^[ \t]*(?:#|//).*$", re.MULTILINE)
_FRAMES = re.compile(r"\s*FRAMES\b\s*:?\s*(?!FRAME)(?P<count>\S*)", re.IGNORECASE)
_FRAME_TIME = re.compile(r"\s*FRAME\s*TIME\s*:?", re.IGNORECASE)
_COMMAS = "decimal commas are read as points"
_LARGEST = float(np.finfo(np.float32).max)
# More lines that are too short are not told of.
_MOST_TOLD = 8
# Six are usual; a file that states more than this is damaged.
_MOST_CHANNELS = 64


def recognises(head: bytes) -> bool:
    """Tell a BVH by its first word."""
    return head.removeprefix(b"\xef\xbb\xbf").lstrip()[:9].upper() == b"HIERARCHY"


@dataclass
class _Joint:
    """A joint as the hierarchy states it; `channels` are its columns' names in lower case."""

    name: str
    parent: int
    offset: tuple[float, ...] = (0.0, 0.0, 0.0)
    channels: tuple[str, ...] = ()


@dataclass
class _Hierarchy:
    joints: list[_Joint] = field(default_factory=list)
    end_sites: int = 0


def load(path: Path, listener: Listener) -> Loaded:
    """Read a .bvh file.

    Raises
    ------
    LoadError
        If it is damaged.
    """
    listener.stage("reading the file", 0.0)
    data = read_file(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    notes: list[str] = []
    tokens = _Tokens(path, _without_comments(text, notes), notes)
    hierarchy = _hierarchy(tokens)
    if hierarchy.end_sites:
        notes.append(f"{hierarchy.end_sites} end sites are read as joints")
    listener.stage("reading the motion", 0.2)
    rest = _rest(hierarchy.joints)
    clip, fps = _motion(tokens, hierarchy.joints, path.stem)
    rig = Rig(rest, (None,) * len(rest), (None,) * len(rest), _roots(rest), clips=clip)
    name, unit = _unit(rig)
    notes.append(f"the unit is not stated; by the height of the skeleton it is taken for {name}")
    notes.append("the up axis is not stated and taken for +Y")
    listener.stage("done", 1.0)
    rig = replace(scaled(rig, unit), origin=Origin("BVH", unit_m=unit, fps=fps))
    return Loaded(path, rig, None, tuple(dict.fromkeys(notes)))


def _without_comments(text: str, notes: list[str]) -> str:
    """Return a text without the lines that other programs take for comments; their ends stay."""
    if "#" not in text and "//" not in text:
        return text
    left = _COMMENT.sub("", text)
    if left != text:
        notes.append("lines that begin with # or // are ignored")
    return left


class _Tokens:
    """The words of the file, one after the other, each with its line for messages.

    `notes` are what is ignored of them, or taken for something else.
    """

    def __init__(self, path: Path, text: str, notes: list[str]) -> None:
        self._path, self.text, self.notes = path, text, notes
        self._found: Iterator[re.Match[str]] = _TOKEN.finditer(text)
        self.at = self.end = 0

    def error(self, reason: str, at: int | None = None) -> LoadError:
        """Return the error that names the line of a position, of the last word if none is given."""
        line = self.text.count("\n", 0, self.at if at is None else at) + 1
        return LoadError(self._path, f"line {line}", reason)

    @property
    def is_over(self) -> bool:
        """Whether no word follows."""
        return not _TOKEN.search(self.text, self.end)

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Read what matches a pattern, if anything does."""
        found = pattern.match(self.text, self.end)
        if found is not None:
            self.end = found.end()
            self._found = _TOKEN.finditer(self.text, self.end)
        return found

    def next(self, wanted: str) -> str:
        """Return the next word; `wanted` says what it should be."""
        found = next(self._found, None)
        if found is None:
            self.at = len(self.text)
            raise self.error(f"the file ends where {wanted} should be")
        self.at, self.end = found.span()
        return found[0]

    def expect(self, word: str) -> None:
        """Read a word that must be there."""
        found = self.next(word)
        if found.upper() != word:
            self.fail(word, found)

    def fail(self, wanted: str, found: str) -> NoReturn:
        """Raise the error that something else stands here."""
        raise self.error(f"wanted {wanted}, found {quoted(found)}")

    def number(self) -> float:
        """Return the next word as a number."""
        word = self.next("a number")
        try:
            value = float(self.plain(word))
        except ValueError:
            self.fail("a number", word)
        if not abs(value) <= _LARGEST:
            self.fail("a number of a possible size", word)
        return value

    def count(self, wanted: str, most: int) -> int:
        """Return the next word as a whole number of things."""
        word = self.next(wanted)
        if not word.isdecimal() or len(word) > len(str(most)) or int(word) > most:
            self.fail(wanted, word)
        return int(word)

    def plain(self, word: str) -> str:
        """Return a number as it is usually written; what is none has several words on Windows."""
        if _NO_NUMBER.fullmatch(word):
            return "nan"
        if "," in word:
            self.notes.append(_COMMAS)
        return word.replace(",", ".")

    def rest(self) -> list[str]:
        """Return all words that are left."""
        return self.text[self.end :].split()

    def words(self, pattern: re.Pattern[str]) -> list[str]:
        """Read all words that follow and match a pattern, which may match none."""
        found = self.match(pattern)
        return [] if found is None else found[0].split()

    def until_brace(self) -> str:
        """Return the words before the next opening brace, which is read as well."""
        words = []
        while (word := self.next("{")) != "{":
            if word == "}":
                self.fail("{", word)
            words.append(word)
        return " ".join(words)


def _hierarchy(tokens: _Tokens) -> _Hierarchy:
    """Read everything up to MOTION, or all of a file without."""
    result = _Hierarchy()
    tokens.expect("HIERARCHY")
    open_: list[int] = []
    while not (tokens.is_over and result.joints and not open_):
        word = tokens.next("MOTION").upper()
        if word in ("ROOT", "JOINT", "END", "ENDSITE"):
            open_.append(_begin(tokens, word, open_[-1] if open_ else -1, result))
        elif word == "}" and open_:
            open_.pop()
        elif word == "}" and result.joints:
            tokens.notes.append("a closing brace too many at the end of the hierarchy is ignored")
        elif word == "OFFSET" and open_:
            result.joints[open_[-1]].offset = tuple(tokens.number() for _ in range(3))
            if tokens.words(_NUMBERS):
                tokens.notes.append("what stands behind the three numbers of an OFFSET is ignored")
        elif word == "CHANNELS" and open_:
            _channels(tokens, result.joints[open_[-1]])
        elif word == "MOTION" and not open_ and result.joints:
            return result
        else:
            tokens.fail("a joint, OFFSET, CHANNELS or MOTION", word)
    return result


def _channels(tokens: _Tokens, joint: _Joint) -> None:
    """Read the names of a joint's channels; where they are not as many as stated, the names count."""
    stated = tokens.count("a number of channels", _MOST_CHANNELS)
    joint.channels = tuple(name.lower() for name in tokens.words(_CHANNELS))
    if len(joint.channels) != stated:
        tokens.notes.append("CHANNELS that name more or fewer than they count are read as named")


def _begin(tokens: _Tokens, word: str, parent: int, hierarchy: _Hierarchy) -> int:
    """Start a joint or an end site; return its number."""
    name = tokens.until_brace()
    if word == "JOINT" and not hierarchy.joints:
        tokens.notes.append(f"JOINT {quoted(name)} stands outside a joint and is taken for ROOT")
    elif (word == "ROOT") != (parent < 0):
        raise tokens.error(
            f"{word} {quoted(name)} stands {'below' if parent >= 0 else 'outside'} a joint"
        )
    if word.startswith("END"):
        hierarchy.end_sites += 1
        name = f"{hierarchy.joints[parent].name}_End"
    hierarchy.joints.append(_Joint(name, parent))
    return len(hierarchy.joints) - 1


def _rest(joints: list[_Joint]) -> Nodes:
    n = len(joints)
    children: list[list[int]] = [[] for _ in joints]
    for number, joint in enumerate(joints):
        if joint.parent >= 0:
            children[joint.parent].append(number)
    return Nodes(
        tuple(joint.name for joint in joints),
        tuple(map(tuple, children)),
        np.array([joint.offset for joint in joints]),
        np.tile(np.array(quat.IDENTITY), (n, 1)),
        np.ones((n, 3)),
    )


def _roots(nodes: Nodes) -> tuple[int, ...]:
    return tuple(n for n, parent in enumerate(nodes.parents) if parent < 0)


def _motion(
    tokens: _Tokens, joints: list[_Joint], name: str
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


def _rows(tokens: _Tokens, width: int, stated: str) -> FloatArray:
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
    return np.where(np.abs(rows) <= _LARGEST, rows, np.nan)


def _lines(tokens: _Tokens, width: int, values: FloatArray, stated: str) -> FloatArray | None:
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


def _unusual(tokens: _Tokens, words: list[str]) -> FloatArray:
    """Return the numbers in words that are not all written as usual."""
    while words and not words[-1].strip(_FILLING):
        words.pop()
    try:
        return np.array([*map(tokens.plain, words)], dtype=np.float64)
    except ValueError:
        raise _bad_number(tokens) from None


def _bad_number(tokens: _Tokens) -> LoadError:
    for found in _TOKEN.finditer(tokens.text, tokens.end):
        try:
            float(tokens.plain(found[0]))
        except ValueError:
            return tokens.error(f"wanted a number, found {quoted(found[0])}", found.start())
    return tokens.error("a number is damaged", tokens.end)


def _clip(
    joints: list[_Joint], rows: FloatArray, times: FloatArray, name: str, notes: list[str]
) -> Clip:
    channels: list[Channel] = []
    column = 0
    for number, joint in enumerate(joints):
        values = rows[:, column : column + len(joint.channels)]
        column += len(joint.channels)
        moved, turned = _positions(joint, values), _rotations(joint, values)
        if moved is not None:
            channels.append(Channel(number, "translation", Sampler(times, moved)))
        if turned is not None:
            channels.append(Channel(number, "rotation", Sampler(times, turned)))
        notes.extend(
            f"the channel {quoted(channel)} of {quoted(joint.name)} is ignored"
            for channel in joint.channels
            if _axis(channel, "position") is None and _axis(channel, "rotation") is None
        )
    return Clip(name, tuple(channels))


def _axis(channel: str, kind: str) -> int | None:
    """Return the axis of a channel of a kind, or None."""
    return _AXES.get(channel.removesuffix(kind)) if channel.endswith(kind) else None


def _positions(joint: _Joint, values: FloatArray) -> FloatArray | None:
    axes = [
        (i, axis)
        for i, c in enumerate(joint.channels)
        if (axis := _axis(c, "position")) is not None
    ]
    if not axes:
        return None
    result = np.tile(np.array(joint.offset), (len(values), 1))
    for column, axis in axes:
        result[:, axis] = values[:, column]
    return result


def _rotations(joint: _Joint, values: FloatArray) -> FloatArray | None:
    axes = [
        (i, axis)
        for i, c in enumerate(joint.channels)
        if (axis := _axis(c, "rotation")) is not None
    ]
    if not axes:
        return None
    result = np.tile(np.array(quat.IDENTITY), (len(values), 1))
    for column, axis in axes:
        turn = quat.from_axis_angle(np.eye(3)[axis], np.radians(values[:, column]))
        result = quat.multiply(result, turn)
    return result


def _unit(rig: Rig) -> tuple[str, float]:
    """Guess the unit: name, and metres."""
    clip = rig.clips[0] if rig.clips else None
    model = model_from_nodes(rig, sample(rig, clip, 0.0))
    with np.errstate(invalid="ignore", over="ignore"):
        extent = float(np.ptp(model[:, :3, 3], axis=0).max())
    if not 0.0 < extent < np.inf:
        return _UNITS[1]
    low, high = _PERSON
    for name, unit in _UNITS:
        if low <= extent * unit <= high:
            return name, unit
    return min(_UNITS, key=lambda row: abs(np.log(extent * row[1] / _MIDDLE)))
